//! The emulators that run, as adb sees them.

use super::avd::{Reason, objections};
use crate::device::failure;
use clawperator_adb::{AdbError, Deadline, Server, State, Tracker};
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The server answers from memory; starting one takes seconds.
const LIST: Duration = Duration::from_secs(15);
/// A property is answered in milliseconds, by a machine that is busy booting in seconds.
const PROPERTY: Duration = Duration::from_secs(10);

/// Under both names the emulator tells which device it is: the second is that of old images.
const NAME: [&str; 2] = ["ro.boot.qemu.avd_name", "ro.kernel.qemu.avd_name"];
/// Both must be 1: the second comes later, when the first apps may start.
const BOOTED: [&str; 2] = ["sys.boot_completed", "dev.bootcomplete"];

/// What has to be known of the phones on adb.
pub trait Phones: Sync {
    /// The serials of the emulators that are ready for commands.
    fn running(&self) -> Result<Vec<String>, Failure>;

    /// A property of one of them; empty where it has none of that name.
    fn property(&self, serial: &str, name: &str) -> Result<String, Failure>;

    /// Returns when the list may have changed, or after so long.
    fn wait_for_change(&self, within: Duration) -> Result<(), Failure>;
}

/// The phones of an adb server.
#[derive(Debug)]
pub struct AdbPhones {
    server: Server,
    /// Kept between two waits, so that what changes in between is not missed.
    tracker: Mutex<Option<Tracker>>,
}

impl AdbPhones {
    /// Those of this server.
    #[must_use]
    pub fn new(server: Server) -> Self {
        Self { server, tracker: Mutex::default() }
    }
}

impl Phones for AdbPhones {
    fn running(&self) -> Result<Vec<String>, Failure> {
        let listed = self.server.devices(Deadline::after(LIST)).map_err(|error| failure(&error))?;
        let ready = listed
            .into_iter()
            .filter(|one| one.state == State::Device && one.serial.starts_with("emulator-"));
        Ok(ready.map(|one| one.serial).collect())
    }

    fn property(&self, serial: &str, name: &str) -> Result<String, Failure> {
        let output = self
            .server
            .device(serial)
            .shell(&format!("getprop {name}"), Deadline::after(PROPERTY))
            .map_err(|error| failure(&error))?;
        if !output.ok() {
            let message = format!("getprop {name} failed on {serial}: {}", output.said());
            let code = ErrorCode::DeviceShellUnavailable;
            return Err(Failure::new(code, message).hint(code.remedy()));
        }
        Ok(output.text().trim().to_owned())
    }

    fn wait_for_change(&self, within: Duration) -> Result<(), Failure> {
        let mut kept = self.tracker.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Deadline::after(within);
        let mut tracker = match kept.take() {
            Some(tracker) => tracker,
            None => self.server.track(deadline).map_err(|error| failure(&error))?,
        };
        match tracker.next(deadline) {
            Ok(_) | Err(AdbError::TimedOut { .. }) => *kept = Some(tracker),
            // The server has gone; the next wait asks a new one.
            Err(error) => return Err(failure(&error)),
        }
        Ok(())
    }
}

/// An emulator that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunningEmulator {
    /// Always `emulator`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Which virtual device it is, where it tells.
    pub avd_name: Option<String>,
    /// What names it on adb.
    pub serial: String,
    /// Whether Android has started.
    pub booted: bool,
    /// Android's version as a number.
    pub api_level: Option<u32>,
    /// The kind of its processor.
    pub abi: Option<String>,
    /// Whether the operator runs on it.
    pub supported: bool,
    /// Why not.
    pub unsupported_reasons: Vec<Reason>,
}

/// The answer to `emulator status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunningEmulators {
    /// The emulators that run.
    pub devices: Vec<RunningEmulator>,
}

/// The emulators that run. They speak for themselves: their files may be in another home.
pub(super) fn all(phones: &dyn Phones, host_abi: &str) -> Result<Vec<RunningEmulator>, Failure> {
    let describe = |serial: String| {
        let told = |name| phones.property(&serial, name).ok().filter(|value| !value.is_empty());
        let api_level = told("ro.build.version.sdk").and_then(|value| value.parse().ok());
        let abi = told("ro.product.cpu.abi");
        let unsupported_reasons = if api_level.is_none() && abi.is_none() {
            vec![Reason::NotAnswering]
        } else {
            objections(api_level, abi.as_deref(), host_abi)
        };
        RunningEmulator {
            kind: "emulator",
            avd_name: name_of(phones, &serial),
            booted: booted(phones, &serial).is_ok_and(|booted| booted),
            serial,
            api_level,
            abi,
            supported: unsupported_reasons.is_empty(),
            unsupported_reasons,
        }
    };
    Ok(phones.running()?.into_iter().map(describe).collect())
}

/// The serials of the emulators that run, and which virtual devices they are.
pub(super) fn names(phones: &dyn Phones) -> Result<Vec<(String, Option<String>)>, Failure> {
    let named = |serial: String| {
        let name = name_of(phones, &serial);
        (serial, name)
    };
    Ok(phones.running()?.into_iter().map(named).collect())
}

/// The serial of a virtual device, when it runs.
pub(super) fn serial_of(phones: &dyn Phones, avd: &str) -> Result<Option<String>, Failure> {
    let mut names = names(phones)?.into_iter();
    Ok(names.find(|(_, name)| name.as_deref() == Some(avd)).map(|(serial, _)| serial))
}

/// Has Android started?
pub(super) fn booted(phones: &dyn Phones, serial: &str) -> Result<bool, Failure> {
    for name in BOOTED {
        if phones.property(serial, name)? != "1" {
            return Ok(false);
        }
    }
    Ok(true)
}

fn name_of(phones: &dyn Phones, serial: &str) -> Option<String> {
    let told = NAME.iter().filter_map(|name| phones.property(serial, name).ok());
    told.map(|name| name.trim().to_owned()).find(|name| !name.is_empty())
}
