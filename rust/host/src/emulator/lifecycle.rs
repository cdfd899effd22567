//! Starts and stops emulators.

use super::tools::{Process, last_words_of};
use super::{Emulators, Phones, already_running, console, running};
use crate::emulator::sdk::Tool;
use clawperator_adb::Deadline;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How often things are looked at of whose change adb does not tell: the emulator's process, its
/// console and the phone's properties.
const PULSE: Duration = Duration::from_secs(1);

/// How to start an emulator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Without a window? When not given: only where there is no display.
    pub headless: Option<bool>,
    /// More words for the emulator's command line.
    pub arguments: Vec<String>,
}

/// The answer to `emulator start`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Started {
    /// Always `emulator`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Which virtual device.
    pub avd_name: String,
    /// What names it on adb.
    pub serial: String,
    /// Always true.
    pub booted: bool,
    /// Where the emulator's output is.
    pub log_file: PathBuf,
}

/// The answer to `emulator stop`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stopped {
    /// Always true.
    pub ok: bool,
    /// Which virtual device.
    pub avd_name: String,
    /// What named it on adb.
    pub serial: String,
    /// Always true.
    pub stopped: bool,
}

impl Emulators<'_> {
    /// Starts a virtual device and waits until Android has started on it.
    pub fn start(&self, name: &str, how: &Start) -> Result<Started, Failure> {
        self.inspect(name)?;
        // Without adb nobody could see it come up, so that a failure here is one.
        if let Some(serial) = running::serial_of(self.phones, name)? {
            return Err(already_running(name, &serial));
        }
        let emulator = self.sdk.tool(Tool::Emulator)?;
        let environment = self.sdk.environment();
        let headless = how.headless.unwrap_or_else(|| !environment.has_display());
        let call = self
            .call(&emulator, &["-avd", name, "-no-snapshot-load", "-no-boot-anim"])
            .and(headless.then(|| "-no-window".into()))
            .and(how.arguments.iter().cloned());
        let folder = environment.log_folder();
        let log = folder.join(format!("emulator-{name}.log"));
        let process =
            std::fs::create_dir_all(&folder).and_then(|()| call.start(&log)).map_err(|error| {
                let message = format!(
                    "{} cannot be started with its output in {}: {error}",
                    emulator.display(),
                    log.display()
                );
                let hint = "check both paths; EMULATOR_PATH and CLAWPERATOR_LOG_DIR change them";
                Failure::new(ErrorCode::EmulatorStartFailed, message).hint(hint)
            })?;
        let launch = Launch { name, process, log: &log };
        let serial = self.registered(&launch)?;
        self.boot(name, &serial, Some(&launch))?;
        let avd_name = name.to_owned();
        Ok(Started { kind: "emulator", avd_name, serial, booted: true, log_file: log })
    }

    /// Stops a virtual device and waits until it is gone.
    pub fn stop(&self, name: &str) -> Result<Stopped, Failure> {
        let Some(serial) = running::serial_of(self.phones, name)? else {
            // A name that nobody knows is another mistake than one that does not run.
            self.inspect(name)?;
            let code = ErrorCode::EmulatorNotRunning;
            let message = format!("the virtual device {name} is not running");
            let hint = format!("`clawperator emulator start {name}`");
            return Err(Failure::new(code, message).detail("avdName", name).hint(hint));
        };
        let failed = |message| {
            let code = ErrorCode::EmulatorStopFailed;
            let failure = Failure::new(code, message).hint(code.remedy());
            failure.detail("avdName", name).detail("serial", serial.as_str())
        };
        let home = self.sdk.environment().path("HOME");
        console::kill(&serial, home.as_deref()).map_err(&failed)?;
        let deadline = Deadline::after(self.limits.stop);
        loop {
            // It leaves adb first; its port closes when the process has really ended.
            let listed = self.phones.running().is_ok_and(|serials| serials.contains(&serial));
            if !listed && !console::listens(&serial) {
                let avd_name = name.to_owned();
                return Ok(Stopped { ok: true, avd_name, serial, stopped: true });
            }
            let Some(left) = deadline.left() else {
                let time = self.limits.stop.as_secs_f32();
                return Err(failed(format!("{serial} was told to end but runs on after {time} s")));
            };
            pause(self.phones, left);
        }
    }

    /// Waits for the emulator to appear on adb.
    fn registered(&self, launch: &Launch<'_>) -> Result<String, Failure> {
        let deadline = Deadline::after(self.limits.registration);
        let mut trouble = String::new();
        loop {
            // An emulator of another version restarts the adb server on its way up, so that one
            // failed question means nothing.
            match running::serial_of(self.phones, launch.name) {
                Ok(Some(serial)) => return Ok(serial),
                Ok(None) => trouble.clear(),
                Err(failure) => trouble = format!("; adb: {}", failure.message),
            }
            launch.lives()?;
            let Some(left) = deadline.left() else {
                // Nobody could find it any more, and it would be in the way of the next try.
                launch.process.end();
                let time = self.limits.registration.as_secs_f32();
                let what = format!("did not appear on adb within {time} s and was ended{trouble}");
                return Err(launch.failure(&what));
            };
            pause(self.phones, left);
        }
    }

    /// Waits for Android to start.
    pub(super) fn boot(
        &self,
        name: &str,
        serial: &str,
        launch: Option<&Launch<'_>>,
    ) -> Result<(), Failure> {
        let deadline = Deadline::after(self.limits.boot);
        loop {
            // It may be off adb for a moment while it boots.
            let seen = match running::booted(self.phones, serial) {
                Ok(true) => return Ok(()),
                Ok(false) => "Android is still starting".to_owned(),
                Err(failure) => failure.message,
            };
            launch.map_or(Ok(()), Launch::lives)?;
            let Some(left) = deadline.left() else {
                let time = self.limits.boot.as_secs_f32();
                let message =
                    format!("{name} is on adb as {serial} but not ready: {seen}, {time} s on");
                let code = ErrorCode::EmulatorBootTimeout;
                let failure = Failure::new(code, message)
                    .detail("avdName", name)
                    .detail("serial", serial)
                    .hint(format!(
                        "it goes on starting: `clawperator emulator status` shows it. {}",
                        code.remedy()
                    ));
                return Err(match launch {
                    Some(launch) => failure.detail("logFile", launch.log.display().to_string()),
                    None => failure,
                });
            };
            pause(self.phones, left);
        }
    }
}

/// An emulator that was started here.
pub(super) struct Launch<'a> {
    name: &'a str,
    process: Process,
    log: &'a Path,
}

impl Launch<'_> {
    /// A failure when the process has ended.
    fn lives(&self) -> Result<(), Failure> {
        match self.process.ended() {
            None => Ok(()),
            Some(status) => Err(self.failure(&format!("ended early ({status})"))),
        }
    }

    fn failure(&self, what: &str) -> Failure {
        let words = last_words_of(self.log);
        let (code, hint) = diagnosis(&words);
        let said = if words.is_empty() { "it said nothing".into() } else { words };
        Failure::new(code, format!("the emulator of {} {what}: {said}", self.name))
            .detail("avdName", self.name)
            .detail("logFile", self.log.display().to_string())
            .hint(hint)
    }
}

/// What the emulator's words mean, as far as they are known.
fn diagnosis(words: &str) -> (ErrorCode, &'static str) {
    let words = words.to_ascii_lowercase();
    let says = |some: &[&str]| some.iter().any(|text| words.contains(text));
    if says(&["multiple emulators with the same avd"]) {
        let hint = "it runs but is not ready on adb yet: wait, or end its process";
        return (ErrorCode::EmulatorAlreadyRunning, hint);
    }
    let hint = if says(&["kvm", "hardware acceleration", "hypervisor"]) {
        "the processor's virtualisation is not usable: on Linux /dev/kvm must exist and be \
         writable (`sudo usermod -aG kvm $USER`, then log in again), on a virtual machine nested \
         virtualisation must be on; `emulator -accel-check` says more"
    } else if says(&["disk space", "no space left", "not enough space"]) {
        "make room on the disk: an emulator needs several gigabytes"
    } else if says(&["could not connect to display", "xcb"]) {
        "there is no display: start it with --headless"
    } else if says(&["system path", "system image"]) {
        "its system image is missing: create it again with --force"
    } else {
        ErrorCode::EmulatorStartFailed.remedy()
    };
    (ErrorCode::EmulatorStartFailed, hint)
}

fn pause(phones: &dyn Phones, left: Duration) {
    let time = left.min(PULSE);
    if phones.wait_for_change(time).is_err() {
        // Without adb nobody tells of changes, and asking again at once would only burn time.
        thread::sleep(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_emulators_words_lead_to_what_helps() {
        for (words, part) in [
            ("x86_64 emulation currently requires hardware acceleration!", "/dev/kvm"),
            ("This user doesn't have permissions to use KVM (/dev/kvm).", "/dev/kvm"),
            ("FATAL | Not enough disk space to run AVD 'x'. Exiting...", "make room"),
            ("qt.qpa.xcb: could not connect to display", "--headless"),
            ("PANIC: Broken AVD system path. Check your ANDROID_SDK_ROOT value", "--force"),
            ("segmentation fault", "by hand"),
        ] {
            let (code, hint) = diagnosis(words);
            assert_eq!(code, ErrorCode::EmulatorStartFailed);
            assert!(hint.contains(part), "{words}: {hint}");
        }
        let words = "ERROR | Running multiple emulators with the same AVD is experimental";
        assert_eq!(diagnosis(words).0, ErrorCode::EmulatorAlreadyRunning);
    }
}
