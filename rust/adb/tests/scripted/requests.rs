//! Questions to the server itself.

use crate::fake::{Fake, died, fail, nonsense, okay, soon, timed_out};
use clawperator_adb::{AdbError, State};

#[test]
fn the_version_is_hexadecimal() {
    let fake = Fake::once(|peer| {
        peer.hears("host:version").says(&okay("0029"));
    });
    assert_eq!(fake.server().version(soon()), Ok(41));
}

#[test]
fn a_version_that_is_no_number_is_nonsense() {
    let fake = Fake::once(|peer| {
        peer.hears("host:version").says(&okay("new!"));
    });
    nonsense(fake.server().version(soon()), "\"new!\" where a version should be");
}

#[test]
fn the_list_has_every_phone() {
    let fake = Fake::once(|peer| {
        peer.hears("host:devices-l").says(&okay("A device model:M\nB offline\n"));
    });
    let listed = fake.server().devices(soon()).unwrap();
    assert_eq!(listed.len(), 2);
    assert_eq!(listed[0].model.as_deref(), Some("M"));
    assert_eq!((listed[1].serial.as_str(), &listed[1].state), ("B", &State::Offline));
}

#[test]
fn no_phones_are_an_empty_list() {
    let fake = Fake::once(|peer| {
        peer.hears("host:devices-l").says(b"OKAY0000");
    });
    assert_eq!(fake.server().devices(soon()), Ok(vec![]));
}

#[test]
fn what_the_server_refuses_is_told_in_its_words() {
    let fake = Fake::once(|peer| {
        peer.hears("host:devices-l").says(&fail("unknown host service"));
    });
    let (service, message) = ("host:devices-l".into(), "unknown host service".into());
    assert_eq!(fake.server().devices(soon()), Err(AdbError::Refused { service, message }));
}

#[test]
fn something_else_at_the_port_is_told_with_its_address() {
    let fake = Fake::once(|peer| {
        peer.hears("host:version").says(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        peer.rest();
    });
    let error = fake.server().version(soon()).unwrap_err();
    let expected = format!(
        "what listens at {} is not an adb server: it said \"HTTP\", as an answer to host:version",
        fake.server().address()
    );
    assert_eq!(error, AdbError::ServerFailed { message: expected });
}

#[test]
fn a_length_that_is_none_is_nonsense() {
    for digits in ["zzzz", "+00a", "-001", "0x1f", "  1f"] {
        let fake = Fake::once(move |peer| {
            peer.hears("host:version").says(format!("OKAY{digits}").as_bytes());
            peer.rest();
        });
        nonsense(fake.server().version(soon()), &format!("\"{digits}\" where a length"));
    }
}

#[test]
fn a_server_that_says_nothing_is_waited_for_until_the_deadline() {
    let fake = Fake::once(|peer| {
        peer.hears("host:version").rest();
    });
    timed_out("host:version", |short| fake.server().version(short));
}

#[test]
fn a_server_that_trickles_is_waited_for_until_the_deadline() {
    let fake = Fake::once(|peer| {
        peer.hears("host:devices-l").says(b"OKAYffff").trickles(b'x');
    });
    timed_out("host:devices-l", |short| fake.server().devices(short));
}

#[test]
fn a_server_that_dies_in_the_middle_of_a_word_is_told() {
    for said in ["", "OK", "OKAY", "OKAY00", "OKAY0029host", "FAIL", "FAIL00", "FAIL0010dev"] {
        let fake = Fake::once(move |peer| {
            peer.hears("host:devices-l").says(said.as_bytes());
        });
        died(fake.server().devices(soon()), "host:devices-l");
    }
}

#[test]
fn a_server_that_hangs_up_before_it_is_asked_is_told() {
    let fake = Fake::once(|_| {});
    died(fake.server().devices(soon()), "host:devices-l");
}

#[test]
fn a_server_is_running_when_it_tells_its_version() {
    let fake = Fake::once(|peer| {
        peer.hears("host:version").says(&okay("0029"));
    });
    assert!(fake.server().is_running(soon()));
    let fake = Fake::once(|peer| {
        peer.hears("host:version").says(b"220 mail.example ESMTP\r\n");
        peer.rest();
    });
    assert!(!fake.server().is_running(soon()));
}

#[test]
fn connecting_goes_well_or_says_why_not() {
    let refused = |message: &str| {
        let service = "host:connect:10.0.0.2:5555".into();
        Err(AdbError::Refused { service, message: message.into() })
    };
    let unauthorized = AdbError::DeviceUnauthorized { serial: "10.0.0.2:5555".into() };
    for (said, expected) in [
        ("connected to 10.0.0.2:5555", Ok("connected to 10.0.0.2:5555".into())),
        ("already connected to 10.0.0.2:5555", Ok("already connected to 10.0.0.2:5555".into())),
        ("failed to authenticate to 10.0.0.2:5555", Err(unauthorized)),
        (
            "failed to connect to '10.0.0.2:5555': Connection refused",
            refused("failed to connect to '10.0.0.2:5555': Connection refused"),
        ),
    ] {
        let fake = Fake::once(move |peer| {
            peer.hears("host:connect:10.0.0.2:5555").says(&okay(said));
        });
        assert_eq!(fake.server().connect("10.0.0.2:5555", soon()), expected);
    }
}
