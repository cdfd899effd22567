//! The list of phones, each time it changes.

use crate::fake::{Fake, died, nonsense, okay, patiently, soon, timed_out};
use clawperator_adb::{AdbError, State};
use std::sync::mpsc::channel;

#[test]
fn every_change_is_a_new_list() {
    let fake = Fake::once(|peer| {
        peer.hears("host:track-devices-l").says(&okay("")).says(b"000bX1 offline\n");
        peer.says(b"000aX1 device\n");
    });
    let mut tracker = fake.server().track(soon()).unwrap();
    assert_eq!(tracker.next(soon()), Ok(vec![]));
    assert_eq!(tracker.next(soon()).unwrap()[0].state, State::Offline);
    assert_eq!(tracker.next(soon()).unwrap()[0].state, State::Device);
    died(tracker.next(soon()), "host:track-devices-l");
}

#[test]
fn a_list_that_comes_in_two_pieces_is_read_by_two_calls() {
    let (go, wait) = channel();
    let fake = Fake::once(move |peer| {
        peer.hears("host:track-devices-l").says(b"OKAY000aX1 d");
        wait.recv().unwrap();
        peer.says(b"evice\n");
    });
    let mut tracker = fake.server().track(soon()).unwrap();
    timed_out("host:track-devices-l", |short| tracker.next(short));
    go.send(()).unwrap();
    assert_eq!(tracker.next(soon()).unwrap()[0].state, State::Device);
}

#[test]
fn a_list_without_a_length_is_nonsense() {
    let fake = Fake::once(|peer| {
        peer.hears("host:track-devices-l").says(b"OKAYX1 device\n");
    });
    nonsense(fake.server().track(soon()).unwrap().next(soon()), "\"X1 d\" where a length");
}

#[test]
fn a_phone_is_ready_as_soon_as_the_server_says_so() {
    let fake = Fake::once(|peer| {
        peer.hears("host:track-devices-l").says(&okay("Y2 device\n"));
        peer.says(b"0010X1 unauthorized\n").says(b"000bX1 offline\n").says(b"000aX1 device\n");
        peer.rest();
    });
    assert_eq!(fake.device().wait_until_ready(soon()), Ok(()));
}

#[test]
fn a_phone_that_does_not_become_ready_says_what_stands_in_the_way() {
    let serial = || "X1".to_owned();
    for (list, expected) in [
        ("Y2 device\n", AdbError::DeviceNotFound { serial: serial() }),
        ("X1 offline\n", AdbError::DeviceOffline { serial: serial() }),
        ("X1 recovery\n", AdbError::DeviceOffline { serial: serial() }),
        ("X1 unauthorized\n", AdbError::DeviceUnauthorized { serial: serial() }),
    ] {
        let result = patiently(|deadline| {
            let fake = Fake::once(move |peer| {
                peer.hears("host:track-devices-l").says(&okay(list)).rest();
            });
            fake.device().wait_until_ready(deadline)
        });
        assert_eq!(result, Err(expected));
    }
    let fake = Fake::once(move |peer| {
        peer.hears("host:track-devices-l").says(b"OKAY").rest();
    });
    timed_out("host:track-devices-l", |short| fake.device().wait_until_ready(short));
}
