//! Opening a service of a phone.

use crate::fake::{Fake, died, fail, soon, timed_out};
use clawperator_adb::{AdbError, State};
use std::io::{Read as _, Write as _};

#[test]
fn a_service_is_opened_on_one_connection() {
    let fake = Fake::serving("localabstract:echo", |peer| {
        assert_eq!(peer.bytes(4), b"ping");
        peer.says(b"pong");
    });
    let mut stream = fake.device().open("localabstract:echo", soon()).unwrap();
    stream.write_all(b"ping").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(answer, "pong");
}

#[test]
fn what_comes_with_the_okay_is_the_streams() {
    let fake = Fake::once(|peer| {
        peer.hears("host:transport:X1").says(b"OKAY");
        peer.hears("exec:id").says(b"OKAYuid=2000");
    });
    let mut answer = String::new();
    fake.device().open("exec:id", soon()).unwrap().read_to_string(&mut answer).unwrap();
    assert_eq!(answer, "uid=2000");
    // And a stream that is open has no deadline any more.
    let fake = Fake::serving("exec:id", |peer| {
        peer.rest();
    });
    let stream = fake.device().open("exec:id", soon()).unwrap();
    let mut other = stream.try_clone().unwrap();
    stream.set_read_timeout(Some(crate::fake::SHORT)).unwrap();
    assert_eq!(other.read(&mut [0]).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    stream.close().unwrap();
    assert_eq!(other.read(&mut [0]).unwrap(), 0);
}

#[test]
fn a_phone_that_cannot_be_used_is_told_by_its_state() {
    let serial = || "X1".to_owned();
    for (said, expected) in [
        ("device 'X1' not found", AdbError::DeviceNotFound { serial: serial() }),
        ("device offline", AdbError::DeviceOffline { serial: serial() }),
        (
            "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\n",
            AdbError::DeviceUnauthorized { serial: serial() },
        ),
        ("device still authorizing", AdbError::DeviceUnauthorized { serial: serial() }),
        (
            "insufficient permissions for device",
            AdbError::NoPermissions { message: "insufficient permissions for device".into() },
        ),
        (
            "more than one device",
            AdbError::Refused {
                service: "host:transport:X1".into(),
                message: "more than one device".into(),
            },
        ),
    ] {
        let fake = Fake::once(move |peer| {
            peer.hears("host:transport:X1").says(&fail(said));
        });
        assert_eq!(fake.device().open("exec:id", soon()).unwrap_err(), expected);
    }
}

#[test]
fn a_service_nobody_has_is_refused() {
    let fake = Fake::once(|peer| {
        peer.hears("host:transport:X1").says(b"OKAY");
        peer.hears("localabstract:nobody").says(&fail("closed"));
    });
    let (service, message) = ("localabstract:nobody".into(), "closed".into());
    let error = fake.device().open("localabstract:nobody", soon()).unwrap_err();
    assert_eq!(error, AdbError::Refused { service, message });
}

#[test]
fn a_phone_that_goes_away_between_the_two_words_is_told() {
    let fake = Fake::once(|peer| {
        peer.hears("host:transport:X1").says(b"OKAY");
        peer.hears("exec:id").says(&fail("device offline (transport offline)"));
    });
    let error = fake.device().open("exec:id", soon()).unwrap_err();
    assert_eq!(error, AdbError::DeviceOffline { serial: "X1".into() });
}

#[test]
fn a_server_that_dies_while_it_opens_is_told() {
    for said in ["", "OKA", "FAIL0006clo"] {
        let fake = Fake::once(move |peer| {
            peer.hears("host:transport:X1").says(b"OKAY");
            peer.hears("exec:id").says(said.as_bytes());
        });
        died(fake.device().open("exec:id", soon()), "exec:id");
    }
}

#[test]
fn a_phone_that_never_answers_is_waited_for_until_the_deadline() {
    let fake = Fake::once(|peer| {
        peer.hears("host:transport:X1").says(b"OKAY");
        peer.hears("exec:id").rest();
    });
    timed_out("exec:id", |short| fake.device().open("exec:id", short));
}

#[test]
fn a_service_that_adb_cannot_name_is_refused_here() {
    let fake = Fake::once(|peer| {
        peer.hears("host:transport:X1").says(b"OKAY");
        assert!(peer.rest().is_empty());
    });
    let long = "exec:".to_owned() + &"x".repeat(65_536);
    let Err(AdbError::Refused { service, message }) = fake.device().open(&long, soon()) else {
        panic!("it is refused");
    };
    assert_eq!(message, "it has 65541 bytes, and adb takes 65535");
    assert!(service.starts_with("exec:xxx") && service.len() < 100, "{service}");
}

#[test]
fn a_state_is_told_in_either_way() {
    let state = |said: Vec<u8>| {
        let fake = Fake::once(move |peer| {
            peer.hears("host-serial:X1:get-state").says(&said);
        });
        fake.device().state(soon())
    };
    assert_eq!(state(crate::fake::okay("device")), Ok(State::Device));
    assert_eq!(state(crate::fake::okay("recovery")), Ok(State::Other("recovery".into())));
    assert_eq!(state(fail("device offline")), Ok(State::Offline));
    assert_eq!(state(fail("device unauthorized.")), Ok(State::Unauthorized));
    let not_found = AdbError::DeviceNotFound { serial: "X1".into() };
    assert_eq!(state(fail("device 'X1' not found")), Err(not_found));
}
