//! Servers that die, hang or do not run, and phones that go away.

use crate::{device, server, short, soon};
use clawperator_adb::AdbError;
use clawperator_lab::{Adb, Lab, options};
use std::io::{self, Read as _};
use std::thread;

/// Says that it has begun, and hangs.
const HANGING: &str = "log -t Lab begun; logcat -s Nothing:I";

/// Runs a command that hangs, and does something once it has begun.
fn in_the_middle(lab: &Lab, then: impl FnOnce()) -> AdbError {
    let mut log = lab.follow(&["-v", "raw", "-s", "Lab:I"]);
    let result = thread::scope(|scope| {
        let device = device(lab);
        let running = scope.spawn(move || device.shell(HANGING, soon()));
        log.find_map(|line| (line == "begun").then_some(()));
        then();
        running.join().unwrap()
    });
    result.unwrap_err()
}

fn died() -> AdbError {
    AdbError::ServerDied { during: "shell,v2,raw:log …".into() }
}

#[test]
fn a_server_that_is_not_running_is_started() {
    let host = Adb::stopped();
    let server = server(&host);
    assert!(!server.is_running(soon()));
    assert_eq!(server.devices(soon()), Ok(vec![]));
    assert!(server.is_running(soon()));
    // Nobody's own server was asked.
    assert_eq!(host.run(&["devices"]).text(), "List of devices attached\n\n");
}

#[test]
fn a_server_many_want_at_once_is_started() {
    let host = Adb::stopped();
    thread::scope(|scope| {
        for _ in 0..8 {
            let server = server(&host);
            scope.spawn(move || assert_eq!(server.version(soon()), Ok(41)));
        }
    });
}

#[test]
fn a_server_that_is_killed_is_told_and_the_next_one_is_started() {
    let host = Adb::start();
    let lab = Lab::at(&host, options(), vec![]);
    let mut tracker = server(&host).track(soon()).unwrap();
    tracker.next(soon()).unwrap();
    let mut stream = device(&lab).open("exec:logcat -s Nothing:I", soon()).unwrap();
    assert_eq!(in_the_middle(&lab, || host.kill()), died());
    assert!(matches!(tracker.next(soon()), Err(AdbError::ServerDied { .. })));
    // What was open ends too, by an end or a reset.
    stream.set_read_timeout(soon().left()).unwrap();
    let waited_in_vain = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
    assert!(!stream.read_to_end(&mut Vec::new()).is_err_and(waited_in_vain));
    // The next request has a new one, which knows nothing of phones on the network.
    let not_found = AdbError::DeviceNotFound { serial: lab.serial.clone() };
    assert_eq!(device(&lab).shell("id", soon()), Err(not_found));
    server(&host).connect(&lab.serial, soon()).unwrap();
    assert!(device(&lab).shell("id", soon()).unwrap().ok());
}

#[test]
fn a_command_on_a_phone_that_goes_away_has_not_ended_well() {
    let lab = Lab::new();
    let error = in_the_middle(&lab, || lab.phone.server().cut());
    assert_eq!(error, died());
    let said = error.to_string();
    assert!(said.starts_with("the adb server or the phone ended the connection"), "{said}");
}

#[test]
fn a_server_that_hangs_is_waited_for_until_the_deadline() {
    let host = Adb::start();
    let lab = Lab::at(&host, options(), vec![]);
    host.pause();
    for result in [
        server(&host).version(short()).map(|_| ()),
        device(&lab).shell("id", short()).map(|_| ()),
        device(&lab).wait_until_ready(short()),
    ] {
        assert!(matches!(result, Err(AdbError::TimedOut { .. })), "{result:?}");
    }
    assert!(!server(&host).is_running(short()));
    host.resume();
    assert_eq!(device(&lab).shell("echo back", soon()).unwrap().text(), "back");
}
