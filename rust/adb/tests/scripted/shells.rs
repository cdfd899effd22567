//! Commands.

use crate::fake::{Fake, Peer, died, fail, nonsense, okay, packet, soon, timed_out};
use clawperator_adb::{AdbError, Output};
use std::io::{self, Read};

const ID: &str = "shell,v2,raw:id";
const CAT: &str = "shell,v2,raw:cat";
/// Stdin has ended.
const CLOSE_STDIN: &[u8] = &[4, 0, 0, 0, 0];

#[test]
fn both_outputs_and_the_exit_code_come_apart() {
    let fake = Fake::serving(ID, |peer| {
        assert_eq!(peer.bytes(5), CLOSE_STDIN);
        peer.packet(1, b"uid=").packet(2, b"oh\n").packet(1, b"").packet(1, b"2000\n");
        peer.packet(3, &[7]);
        // The exit code is the end: nobody waits for the server to hang up.
        assert!(peer.rest().is_empty());
    });
    let output = fake.device().shell("id", soon()).unwrap();
    let expected = Output { stdout: b"uid=2000\n".into(), stderr: b"oh\n".into(), code: 7 };
    assert_eq!(output, expected);
    assert!(!output.ok());
    assert_eq!((output.text().as_str(), output.said().as_str()), ("uid=2000", "uid=2000; oh"));
}

#[test]
fn a_command_without_an_exit_code_has_not_succeeded() {
    let whole = [packet(1, b"uid=2000\n"), packet(2, b"oh"), packet(3, &[0])].concat();
    for length in 0..whole.len() {
        let said = whole[..length].to_vec();
        let fake = Fake::serving(ID, move |peer| {
            peer.says(&said).bytes(5);
        });
        died(fake.device().shell("id", soon()), ID);
    }
}

#[test]
fn packets_the_protocol_does_not_know_are_nonsense() {
    let long = [&[1][..], &(1024 * 1024 + 1_u32).to_le_bytes()].concat();
    for (said, about) in [
        (packet(9, b"?"), "a shell packet 9 of 1 bytes"),
        (packet(0, b"?"), "a shell packet 0 of 1 bytes"),
        (packet(3, b""), "a shell packet 3 of 0 bytes"),
        (packet(3, &[0; 4]), "a shell packet 3 of 4 bytes"),
        (long, "a shell packet of 1048577 bytes"),
        (vec![1, 255, 255, 255, 255], "a shell packet of 4294967295 bytes"),
    ] {
        let fake = Fake::serving(ID, move |peer| {
            peer.says(&said).rest();
        });
        nonsense(fake.device().shell("id", soon()), about);
    }
}

#[test]
fn a_command_that_prints_for_ever_does_not_take_all_memory() {
    let flood = |prefix: Vec<u8>| {
        move |peer: &mut Peer| {
            let piece = [prefix, vec![b'x'; 1024 * 1024]].concat();
            (0..65).for_each(|_| peer.calls_after(&piece));
            peer.rest();
        }
    };
    let header = packet(1, &[0; 1024 * 1024])[..5].to_vec();
    let fake = Fake::serving(ID, flood(header));
    nonsense(fake.device().shell("id", soon()), "more than 67108864 bytes");
    let fake = Fake::serving("exec:id", flood(vec![]));
    nonsense(fake.device().exec("id", soon()), "more than 67108864 bytes");
}

#[test]
fn a_command_that_hangs_is_waited_for_until_the_deadline() {
    let fake = Fake::serving(ID, |peer| {
        peer.packet(1, b"uid").rest();
    });
    timed_out(ID, |short| fake.device().shell("id", short));
    let fake = Fake::serving(ID, |peer| {
        peer.says(&[1, 255, 255, 0, 0]).trickles(b'x');
    });
    timed_out(ID, |short| fake.device().shell("id", short));
}

#[test]
fn a_phone_without_exit_codes_is_asked_in_the_old_way() {
    let fake = Fake::listening(|listener| {
        refuses(listener, ID);
        features(listener, "cmd,stat_v2");
        let mut peer = Peer::accept(listener);
        peer.hears("host:transport:X1").says(b"OKAY");
        peer.hears("shell:id").says(b"OKAYuid=2000\n");
    });
    let output = fake.device().shell("id", soon()).unwrap();
    assert_eq!(output, Output { stdout: b"uid=2000\n".into(), ..Output::default() });
}

#[test]
fn a_shell_that_is_refused_though_the_phone_has_it_is_refused() {
    let fake = Fake::listening(|listener| {
        refuses(listener, ID);
        features(listener, "cmd,shell_v2");
    });
    let expected = AdbError::Refused { service: ID.into(), message: "closed".into() };
    assert_eq!(fake.device().shell("id", soon()), Err(expected));
}

#[test]
fn input_is_sent_in_packets_and_then_ended() {
    let input: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let sent = input.clone();
    let fake = Fake::serving(CAT, move |peer| {
        let mut heard = Vec::new();
        loop {
            let header = peer.bytes(5);
            let length = u32::from_le_bytes(header[1..].try_into().unwrap());
            if header == CLOSE_STDIN {
                break;
            }
            assert_eq!(header[0], 0);
            let data = peer.bytes(length.try_into().unwrap());
            // It answers while it reads.
            peer.packet(1, &data);
            heard.extend(data);
        }
        assert!(heard == sent);
        peer.packet(3, &[0]);
    });
    let output = fake.device().shell_with_input("cat", &mut &input[..], soon()).unwrap();
    assert!(output.ok() && output.stdout == input);
}

#[test]
fn a_command_may_end_before_its_input_does() {
    let fake = Fake::serving(CAT, |peer| {
        peer.bytes(100);
        peer.packet(2, b"enough\n").packet(3, &[1]).rest();
    });
    let output = fake.device().shell_with_input("cat", &mut io::repeat(7), soon()).unwrap();
    assert_eq!((output.stderr.as_slice(), output.code), (&b"enough\n"[..], 1));
}

#[test]
fn a_phone_that_does_not_read_its_input_is_waited_for_until_the_deadline() {
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let fake = Fake::serving(CAT, move |_| {
        let _ = wait.recv();
    });
    timed_out(CAT, |short| fake.device().shell_with_input("cat", &mut io::repeat(7), short));
    drop(done);
}

#[test]
fn input_that_cannot_be_read_does_not_pass_for_all_of_it() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let fake = Fake::serving(CAT, |peer| {
        let heard = peer.rest();
        assert!(!heard.ends_with(CLOSE_STDIN));
    });
    let input = &mut (&b"half"[..]).chain(Broken);
    let expected = AdbError::LocalFile { message: "the input: the disk is gone".into() };
    assert_eq!(fake.device().shell_with_input("cat", input, soon()), Err(expected));
}

#[test]
fn a_phone_too_old_for_input_says_so() {
    let fake = Fake::listening(|listener| {
        refuses(listener, CAT);
        features(listener, "cmd");
    });
    let result = fake.device().shell_with_input("cat", &mut &b"x"[..], soon());
    let Err(AdbError::Refused { message, .. }) = result else { panic!("{result:?}") };
    assert!(message.starts_with("the phone is too old"), "{message}");
}

#[test]
fn exec_gives_the_bytes_as_they_are() {
    let fake = Fake::serving("exec:screencap", |peer| {
        peer.says(b"\x89PNG\r\n\x1a\n\0");
    });
    assert_eq!(fake.device().exec("screencap", soon()).unwrap(), b"\x89PNG\r\n\x1a\n\0");
}

fn refuses(listener: &std::net::TcpListener, service: &str) {
    let mut peer = Peer::accept(listener);
    peer.hears("host:transport:X1").says(b"OKAY");
    peer.hears(service).says(&fail("closed"));
}

fn features(listener: &std::net::TcpListener, features: &str) {
    let mut peer = Peer::accept(listener);
    peer.hears("host-serial:X1:features").says(&okay(features));
}
