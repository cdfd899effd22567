//! Phones behind adb, and computers without.

use crate::support::Phone;
use crate::{check, examination, fails, stands, warns};
use clawperator_adb::{Listed, State};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::device::{Device, Output, Reader, Unreachable, Writer};
use clawperator_host::doctor::{Adb, Examination, Host, Status, examine};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An adb that is as a test wants it.
#[derive(Default)]
struct FakeAdb {
    program: bool,
    /// The server runs, or does when it is started.
    running: Mutex<bool>,
    can_start: bool,
    listed: Vec<Listed>,
    refuses: Option<ErrorCode>,
    phone: Option<Arc<Phone>>,
}

impl Adb for FakeAdb {
    fn program(&self) -> Result<PathBuf, Failure> {
        let missing = || Failure::new(ErrorCode::AdbNotFound, "there is no adb in PATH");
        self.program.then(|| "/sdk/adb".into()).ok_or_else(missing)
    }

    fn is_running(&self) -> bool {
        *self.running.lock().unwrap()
    }

    fn version(&self) -> Result<u32, Failure> {
        let down = || Failure::new(ErrorCode::AdbServerFailed, "nobody listens");
        self.is_running().then_some(41).ok_or_else(down)
    }

    fn start(&self) -> Result<(), Failure> {
        *self.running.lock().unwrap() = self.can_start;
        self.version().map(drop)
    }

    fn devices(&self) -> Result<Vec<Listed>, Failure> {
        Ok(self.listed.clone())
    }

    fn choose(&self, _named: Option<&str>) -> Result<String, Failure> {
        match self.refuses {
            Some(code) => {
                let serials: Vec<_> = self.listed.iter().map(|one| one.serial.clone()).collect();
                Err(Failure::new(code, "not so").detail("devices", serials))
            }
            None => Ok(self.listed[0].serial.clone()),
        }
    }

    fn device(&self, _serial: &str) -> Box<dyn Device> {
        Box::new(Shared(Arc::clone(self.phone.as_ref().unwrap())))
    }
}

/// The same phone each time adb hands it out.
struct Shared(Arc<Phone>);

impl Device for Shared {
    fn serial(&self) -> &str {
        self.0.serial()
    }

    fn shell(&self, line: &str, within: Duration) -> Result<Output, Failure> {
        self.0.shell(line, within)
    }

    fn shell_with_input(
        &self,
        line: &str,
        input: &mut (dyn Read + Send),
        within: Duration,
    ) -> Result<Output, Failure> {
        self.0.shell_with_input(line, input, within)
    }

    fn follow(&self, line: &str, within: Duration) -> Result<Reader, Failure> {
        self.0.follow(line, within)
    }

    fn connect(&self, socket: &str, within: Duration) -> Result<(Reader, Writer), Unreachable> {
        self.0.connect(socket, within)
    }

    fn pull(&self, path: &str, into: &mut dyn Write, within: Duration) -> Result<u64, Failure> {
        self.0.pull(path, into, within)
    }

    fn recover(&self, within: Duration) -> Result<(), Failure> {
        self.0.recover(within)
    }
}

fn listed(serial: &str, state: State) -> Listed {
    Listed {
        serial: serial.into(),
        state,
        product: None,
        model: Some("Sim_Phone".into()),
        device: None,
        transport_id: None,
    }
}

fn sound_adb() -> FakeAdb {
    FakeAdb {
        program: true,
        running: Mutex::new(true),
        can_start: true,
        listed: vec![listed("sim", State::Device)],
        refuses: None,
        phone: Some(Arc::new(Phone::healthy())),
    }
}

#[test]
fn a_phone_behind_adb_passes_the_checks_of_adb_too() {
    let adb = sound_adb();
    let report = examine(&examination(Host::Adb(&adb)));
    assert!(report.ok, "{report:#?}");
    assert!(report.checks.iter().all(|check| check.status == Status::Pass), "{report:#?}");
    assert!(check(&report, "device.discovery").summary.contains("Sim_Phone"));
}

#[test]
fn without_adb_nothing_else_can_be_asked() {
    let adb = FakeAdb::default();
    let report = examine(&examination(Host::Adb(&adb)));
    assert_eq!(stands(&report, "host.adb.presence"), fails(ErrorCode::AdbNotFound));
    assert_eq!(stands(&report, "host.adb.server"), fails(ErrorCode::AdbServerFailed));
    assert_eq!(stands(&report, "device.discovery"), (Status::Skipped, None));
    assert_eq!(stands(&report, "readiness.handshake"), (Status::Skipped, None));
    assert!(!report.ok && report.device_id.is_none());
}

#[test]
fn a_server_without_its_program_is_a_warning() {
    let adb = FakeAdb { program: false, ..sound_adb() };
    let report = examine(&examination(Host::Adb(&adb)));
    assert_eq!(stands(&report, "host.adb.presence"), warns(ErrorCode::AdbNotFound));
    assert!(report.ok);
}

#[test]
fn a_server_that_is_down_is_started_and_the_phone_behind_it_examined() {
    let adb = FakeAdb { running: Mutex::new(false), ..sound_adb() };
    let before = examine(&examination(Host::Adb(&adb)));
    assert_eq!(stands(&before, "host.adb.server"), fails(ErrorCode::AdbServerFailed));
    let after = examine(&Examination { fix: true, ..examination(Host::Adb(&adb)) });
    assert!(after.ok, "{after:#?}");
    let fixed = after.fixed.unwrap();
    assert_eq!((fixed.len(), fixed[0].id, fixed[0].ok), (1, "host.adb.server", true));
    let adb = FakeAdb { running: Mutex::new(false), can_start: false, ..sound_adb() };
    let after = examine(&Examination { fix: true, ..examination(Host::Adb(&adb)) });
    assert!(!after.ok && !after.fixed.unwrap()[0].ok);
}

#[test]
fn a_phone_that_cannot_be_chosen_is_a_failure_with_its_next_step() {
    for (code, step) in [
        (ErrorCode::NoDevices, "Connect a phone"),
        (ErrorCode::DeviceUnauthorized, "Allow USB debugging"),
        (ErrorCode::DeviceOffline, "adb reconnect offline"),
        (ErrorCode::DeviceNotFound, "clawperator devices"),
        (ErrorCode::AdbNoUsbPermissions, "udev"),
        (ErrorCode::MultipleDevicesDeviceIdRequired, "clawperator doctor --device sim"),
    ] {
        let adb = FakeAdb { refuses: Some(code), ..sound_adb() };
        let report = examine(&examination(Host::Adb(&adb)));
        assert_eq!(stands(&report, "device.discovery"), fails(code));
        assert!(!report.ok && !report.critical_ok);
        assert!(report.next_actions[0].contains(step), "{code}: {:?}", report.next_actions);
    }
}
