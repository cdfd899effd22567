//! This computer: adb, its server, the phones it knows; for developers, Java.

use super::bridge::{Adb, Held, Host};
use super::repair::Repair;
use super::report::Check;
use clawperator_adb::Listed;
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const PRESENCE: &str = "host.adb.presence";
const SERVER: &str = "host.adb.server";
const DISCOVERY: &str = "device.discovery";
const JAVA: &str = "host.java.version";

/// A virtual machine starts in a tenth of a second, a cold disk takes longer.
const JAVA_PATIENCE: Duration = Duration::from_secs(5);
/// What the Android build tools run on.
const OLDEST_JAVA: u32 = 17;

/// The checks of adb; `false` when no phone can be asked for.
pub(super) fn adb(host: Host<'_>, checks: &mut Vec<Check>) -> bool {
    let Host::Adb(adb) = host else {
        for id in [PRESENCE, SERVER] {
            checks.push(Check::skipped(id, "the phone is inside this program; adb is not used"));
        }
        return true;
    };
    let was_running = adb.is_running();
    checks.push(presence(adb, was_running));
    let server = server(adb, was_running);
    let up = server.code.is_none();
    checks.push(server);
    up
}

fn presence(adb: &dyn Adb, server_runs: bool) -> Check {
    match adb.program() {
        Ok(path) => Check::pass(PRESENCE, format!("adb is {}", path.display()))
            .evidence("path", path.display().to_string()),
        Err(failure) if server_runs => {
            let summary =
                format!("{}; its server runs, but could not be started again", failure.message);
            installing(Check::warn(PRESENCE, failure.code, summary))
        }
        Err(failure) => installing(Check::failed(PRESENCE, &failure)),
    }
}

fn installing(check: Check) -> Check {
    check.manual(
        "Install adb",
        &["Install Android's platform tools, or point ADB_PATH or --adb at the adb you have."],
    )
}

fn server(adb: &dyn Adb, was_running: bool) -> Check {
    match adb.version() {
        Ok(version) => {
            let summary =
                if was_running { "the adb server runs" } else { "the adb server was started" };
            Check::pass(SERVER, summary)
                .evidence("protocolVersion", version)
                .evidence("startedNow", !was_running)
        }
        Err(failure) => {
            let commands = ["adb kill-server", "adb start-server"].map(str::to_owned);
            let check =
                Check::failed(SERVER, &failure).shell("Start the adb server again", &commands);
            check.repair(Repair::StartServer)
        }
    }
}

/// The phone to look at.
pub(super) fn discovery<'a>(
    host: Host<'a>,
    named: Option<&str>,
    checks: &mut Vec<Check>,
) -> Option<Held<'a>> {
    let adb = match host {
        Host::Adb(adb) => adb,
        Host::Embedded(device) => {
            let summary = format!("{} is inside this program", device.serial());
            checks.push(Check::pass(DISCOVERY, summary).evidence("serial", device.serial()));
            return Some(Held::Lent(device));
        }
    };
    let listed = adb.devices().unwrap_or_default();
    match adb.choose(named) {
        Ok(serial) => {
            let model =
                listed.iter().find(|one| one.serial == serial).and_then(|one| one.model.clone());
            let known = model.as_deref().map(|model| format!(" ({model})")).unwrap_or_default();
            let check = Check::pass(DISCOVERY, format!("{serial}{known} is connected"));
            checks
                .push(check.evidence("serial", serial.as_str()).evidence("devices", seen(&listed)));
            Some(Held::Own(adb.device(&serial)))
        }
        Err(failure) => {
            checks.push(undiscovered(&failure).evidence("devices", seen(&listed)));
            None
        }
    }
}

fn undiscovered(failure: &Failure) -> Check {
    let check = Check::failed(DISCOVERY, failure);
    match failure.code {
        ErrorCode::NoDevices => check.manual(
            "Connect a phone",
            &[
                "Connect a phone by USB and turn on USB debugging in its developer options.",
                "Without a phone: `clawperator doctor --device sim` examines the simulated one.",
            ],
        ),
        ErrorCode::DeviceUnauthorized => check.manual(
            "Allow this computer",
            &["Unlock the phone and accept \"Allow USB debugging?\"; tick \"Always allow\"."],
        ),
        ErrorCode::DeviceOffline => {
            check.shell("Wake the connection", &["adb reconnect offline".to_owned()])
        }
        ErrorCode::MultipleDevicesDeviceIdRequired => {
            let serials = failure.details.get("devices").and_then(Value::as_array);
            let serials = serials.into_iter().flatten().filter_map(Value::as_str);
            let commands: Vec<_> =
                serials.map(|serial| format!("clawperator doctor --device {serial}")).collect();
            check.shell("Name one of them", &commands)
        }
        ErrorCode::DeviceNotFound => {
            check.shell("See which are there", &["clawperator devices".to_owned()])
        }
        ErrorCode::AdbNoUsbPermissions => check.manual(
            "Let this user open the phone",
            &["Install the udev rules for Android devices, then plug the phone in again."],
        ),
        _ => check,
    }
}

fn seen(listed: &[Listed]) -> Value {
    let one = |one: &Listed| json!({ "serial": one.serial, "state": one.state.to_string(), "model": one.model });
    listed.iter().map(one).collect()
}

/// Java, which only those need who build the operator.
pub(super) fn java() -> Check {
    let home = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin/java"));
    let program = home.filter(|path| path.exists()).unwrap_or_else(|| "java".into());
    judge_java(run(program.as_os_str(), JAVA_PATIENCE).as_deref())
}

fn judge_java(said: Result<&str, &String>) -> Check {
    let missing = |summary: String| {
        Check::warn(JAVA, ErrorCode::HostDependencyMissing, summary)
            .detail("Only building the operator needs it.")
            .manual(
                "Install Java",
                &["Install a JDK, 17 or later, to build the operator yourself."],
            )
    };
    let said = match said {
        Ok(said) => said,
        Err(why) => return missing(format!("Java is not usable: {why}")),
    };
    // `openjdk version "17.0.9" 2023-10-17`, and for the oldest `java version "1.8.0_391"`.
    let version = said.split('"').nth(1).unwrap_or_default();
    let mut numbers =
        version.split(['.', '_', '-', '+']).map_while(|part| part.parse::<u32>().ok());
    let major = match numbers.next() {
        Some(1) => numbers.next(),
        other => other,
    };
    match major {
        Some(major) if major >= OLDEST_JAVA => {
            Check::pass(JAVA, format!("Java {version}")).evidence("version", version)
        }
        Some(_) => missing(format!("Java {version} is too old")).evidence("version", version),
        None => {
            missing(format!("`java -version` said: {}", said.lines().next().unwrap_or("nothing")))
        }
    }
}

/// What `-version` says, in either stream.
fn run(program: &OsStr, patience: Duration) -> Result<String, String> {
    let mut child = Command::new(program)
        .arg("-version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let streams = (child.stdout.take(), child.stderr.take());
    let (said, heard) = mpsc::channel();
    thread::spawn(move || {
        let read = |stream: Option<&mut dyn std::io::Read>| {
            let mut text = String::new();
            stream.map(|stream| stream.read_to_string(&mut text));
            text
        };
        let (mut out, mut err) = streams;
        let err = read(err.as_mut().map(|stream| stream as _));
        let out = read(out.as_mut().map(|stream| stream as _));
        // Who asked may have given up.
        let _ = said.send(err + &out);
    });
    let answer = heard.recv_timeout(patience);
    if answer.is_err() {
        let _ = child.kill();
    }
    let _ = child.wait();
    answer.map_err(|_| format!("{} did not answer in time", program.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::report::Status;

    #[test]
    fn java_is_judged_by_its_major_version() {
        for (said, status) in [
            ("openjdk version \"17.0.9\" 2023-10-17\n", Status::Pass),
            ("openjdk version \"21\" 2023-09-19\n", Status::Pass),
            ("openjdk version \"24-ea\" 2025-03-18\n", Status::Pass),
            ("openjdk version \"11.0.21\" 2023-10-17\n", Status::Warn),
            ("java version \"1.8.0_391\"\n", Status::Warn),
            ("The operation couldn't be completed.\n", Status::Warn),
        ] {
            assert_eq!(judge_java(Ok(said)).status, status, "{said}");
        }
        let why = "java: not found".to_owned();
        assert_eq!(judge_java(Err(&why)).code, Some(ErrorCode::HostDependencyMissing));
    }

    #[test]
    fn a_program_that_is_missing_is_told() {
        let missing = run(OsStr::new("/nowhere/java"), JAVA_PATIENCE).unwrap_err();
        assert!(missing.contains("/nowhere/java"), "{missing}");
    }
}
