//! Files of a phone.

use crate::{device, soon};
use clawperator_adb::AdbError;
use clawperator_lab::Lab;

const THERE: &str = "/data/local/tmp/there.bin";

#[test]
fn a_file_goes_there_and_back() {
    let lab = Lab::new();
    let device = device(&lab);
    for size in [0, 1, 65_536, 5_000_000_usize] {
        let file: Vec<u8> = (0..=250).cycle().take(size).collect();
        let length = u64::try_from(size).unwrap();
        let sent = device.push(&mut &file[..], THERE, 0o640, 1_700_000_000, soon());
        assert_eq!(sent, Ok(length));
        let stat = device.stat(THERE, soon()).unwrap().unwrap();
        assert_eq!((stat.size, stat.modified), (length, 1_700_000_000));
        assert_eq!(stat.mode & 0o170_000, 0o100_000);
        let mut back = Vec::new();
        assert_eq!(device.pull(THERE, &mut back, soon()), Ok(length));
        assert!(back == file);
    }
}

#[test]
fn a_file_that_is_not_there_is_told_apart() {
    let lab = Lab::new();
    let device = device(&lab);
    assert_eq!(device.stat("/data/local/tmp/nothing", soon()), Ok(None));
    let mut back = Vec::new();
    let error = device.pull("/data/local/tmp/nothing", &mut back, soon()).unwrap_err();
    let AdbError::RemoteFile { path, message } = error else { panic!("{error}") };
    assert_eq!(path, "/data/local/tmp/nothing");
    assert!(message.contains("No such file or directory"), "{message}");
    assert!(back.is_empty());
}

#[test]
fn a_place_that_takes_no_files_says_so() {
    let lab = Lab::new();
    let error = device(&lab).push(&mut &[7; 200_000][..], "/data/local/tmp", 0o644, 0, soon());
    assert!(matches!(error, Err(AdbError::RemoteFile { .. })), "{error:?}");
}

#[test]
fn a_phone_that_goes_away_in_the_middle_of_a_file_is_told() {
    let lab = Lab::new();
    let device = device(&lab);
    device.push(&mut &[7; 5_000_000][..], THERE, 0o644, 0, soon()).unwrap();
    lab.phone.server().cut_after(1_000_000);
    let mut back = Vec::new();
    let error = device.pull(THERE, &mut back, soon()).unwrap_err();
    assert_eq!(error, AdbError::ServerDied { during: "sync:".into() });
    assert!(back.len() < 1_000_000);
}
