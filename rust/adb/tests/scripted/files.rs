//! Files.

use crate::fake::{Fake, died, nonsense, soon, timed_out, word};
use clawperator_adb::{AdbError, Stat};
use std::io::{self, Read, Write};

const SYNC: &str = "sync:";

fn asks(peer: &mut crate::fake::Peer, what: &str, path: &str) {
    let expected = [&word(what, path.len()), path.as_bytes()].concat();
    assert_eq!(peer.bytes(expected.len()), expected);
}

fn missing(path: &str) -> AdbError {
    AdbError::RemoteFile { path: path.into(), message: "No such file or directory".into() }
}

fn failing() -> Vec<u8> {
    [word("FAIL", 25), b"No such file or directory".into()].concat()
}

#[test]
fn what_is_known_of_a_file_is_told() {
    let fake = Fake::serving(SYNC, |peer| {
        asks(peer, "STAT", "/a");
        peer.says(&word("STAT", 0o100_644)).says(&[0, 1, 0, 0, 42, 0, 0, 0]);
    });
    let stat = Stat { mode: 0o100_644, size: 256, modified: 42 };
    assert_eq!(fake.device().stat("/a", soon()), Ok(Some(stat)));
    let fake = Fake::serving(SYNC, |peer| {
        asks(peer, "STAT", "/a");
        peer.says(&word("STAT", 0)).says(&[0; 8]);
    });
    assert_eq!(fake.device().stat("/a", soon()), Ok(None));
    let fake = Fake::serving(SYNC, |peer| {
        asks(peer, "STAT", "/a");
        peer.says(&failing());
    });
    assert_eq!(fake.device().stat("/a", soon()), Err(missing("/a")));
}

#[test]
fn a_file_comes_in_chunks() {
    let fake = Fake::serving(SYNC, |peer| {
        asks(peer, "RECV", "/a");
        peer.says(&word("DATA", 65_536)).says(&[b'x'; 65_536]);
        peer.says(&word("DATA", 0)).says(&word("DATA", 3)).says(b"end");
        peer.says(&word("DONE", 0));
    });
    let mut file = Vec::new();
    assert_eq!(fake.device().pull("/a", &mut file, soon()), Ok(65_539));
    assert!(file == [&[b'x'; 65_536][..], b"end"].concat());
}

#[test]
fn a_file_that_is_not_there_is_told_with_its_path() {
    let fake = Fake::serving(SYNC, |peer| {
        asks(peer, "RECV", "/a");
        peer.says(&failing());
    });
    assert_eq!(fake.device().pull("/a", &mut Vec::new(), soon()), Err(missing("/a")));
}

#[test]
fn a_file_that_breaks_off_is_not_a_file() {
    let whole = [word("DATA", 3), b"abc".into(), word("DONE", 0)].concat();
    for length in 0..whole.len() {
        let said = whole[..length].to_vec();
        let fake = Fake::serving(SYNC, move |peer| {
            asks(peer, "RECV", "/a");
            peer.says(&said);
        });
        died(fake.device().pull("/a", &mut Vec::new(), soon()), SYNC);
    }
    let fake = Fake::serving(SYNC, |peer| {
        asks(peer, "RECV", "/a");
        peer.says(&failing()[..20]);
    });
    died(fake.device().pull("/a", &mut Vec::new(), soon()), SYNC);
}

#[test]
fn words_and_sizes_the_protocol_does_not_know_are_nonsense() {
    for (said, about) in [
        (word("WHAT", 0), "\"WHAT\""),
        (word("DATA", 65_537), "65537 bytes of a file at once"),
        (word("DATA", 0xffff_ffff), "4294967295 bytes of a file at once"),
        (word("FAIL", 0xffff_ffff), "a failure of 4294967295 bytes"),
    ] {
        let fake = Fake::serving(SYNC, move |peer| {
            asks(peer, "RECV", "/a");
            peer.says(&said).rest();
        });
        nonsense(fake.device().pull("/a", &mut Vec::new(), soon()), about);
    }
    for (ask, answer) in [("STAT", "DENT"), ("SEND", "DONE")] {
        let fake = Fake::serving(SYNC, move |peer| {
            asks(peer, ask, if ask == "SEND" { "/a,33152" } else { "/a" });
            peer.says(&word(answer, 0)).rest();
        });
        let result = match ask {
            "SEND" => fake.device().push(&mut io::empty(), "/a", 0o600, 0, soon()).map(|_| ()),
            _ => fake.device().stat("/a", soon()).map(|_| ()),
        };
        nonsense(result, &format!("\"{answer}\""));
    }
}

#[test]
fn a_disk_that_is_full_here_is_told_as_such() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    use std::io::ErrorKind;
    let fake = Fake::serving(SYNC, |peer| {
        asks(peer, "RECV", "/a");
        peer.says(&word("DATA", 1)).says(b"x").rest();
    });
    let message = "no storage space".into();
    assert_eq!(fake.device().pull("/a", &mut Full, soon()), Err(AdbError::LocalFile { message }));
}

#[test]
fn a_file_is_sent_in_chunks_with_its_mode_and_time() {
    let fake = Fake::serving(SYNC, |peer| {
        asks(peer, "SEND", "/a,33188");
        let mut file = Vec::new();
        loop {
            let header = peer.bytes(8);
            let number = u32::from_le_bytes(header[4..].try_into().unwrap());
            if header.starts_with(b"DONE") {
                assert_eq!(number, 1_700_000_000);
                break;
            }
            assert!(header.starts_with(b"DATA") && number <= 65_536);
            file.extend(peer.bytes(number.try_into().unwrap()));
        }
        assert!(file == [7; 150_000]);
        peer.says(&word("OKAY", 0));
    });
    let sent =
        fake.device().push(&mut io::repeat(7).take(150_000), "/a", 0o644, 1_700_000_000, soon());
    assert_eq!(sent, Ok(150_000));
}

#[test]
fn a_file_the_phone_does_not_take_is_told_with_its_path() {
    let refused = |reads_on: bool| {
        let fake = Fake::serving(SYNC, move |peer| {
            asks(peer, "SEND", "/a,33188");
            peer.says(&failing());
            if reads_on {
                peer.bytes(200_000);
            }
        });
        fake.device().push(&mut io::repeat(7).take(200_000), "/a", 0o644, 0, soon())
    };
    assert_eq!(refused(true), Err(missing("/a")));
    // Hanging up at once may swallow the words; what is left is that it ended.
    let hung_up = refused(false).unwrap_err();
    let ended = AdbError::ServerDied { during: SYNC.into() };
    assert!(hung_up == missing("/a") || hung_up == ended, "{hung_up}");
}

#[test]
fn a_file_that_cannot_be_read_here_is_not_finished_there() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let fake = Fake::serving(SYNC, |peer| {
        let heard = peer.rest();
        assert!(!heard.windows(4).any(|bytes| bytes == b"DONE"));
    });
    let pushed = fake.device().push(&mut (&b"half"[..]).chain(Broken), "/a", 0o644, 0, soon());
    assert_eq!(pushed, Err(AdbError::LocalFile { message: "the disk is gone".into() }));
}

#[test]
fn a_phone_that_stops_in_a_file_is_waited_for_until_the_deadline() {
    let fake = Fake::serving(SYNC, |peer| {
        asks(peer, "RECV", "/a");
        peer.says(&word("DATA", 65_536)).trickles(b'x');
    });
    timed_out(SYNC, |short| fake.device().pull("/a", &mut Vec::new(), short));
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let fake = Fake::serving(SYNC, move |_| {
        let _ = wait.recv();
    });
    timed_out(SYNC, |short| fake.device().push(&mut io::repeat(7), "/a", 0o644, 0, short));
    drop(done);
}
