//! Commands and sockets of a phone.

use crate::{device, short, soon};
use clawperator_adb::AdbError;
use clawperator_lab::Lab;
use clawperator_simphone::system::RELEASE_PACKAGE;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::thread;

#[test]
fn a_command_tells_its_outputs_and_its_exit_code() {
    let lab = Lab::new();
    let output = device(&lab).shell("echo one; nonsense; echo two", soon()).unwrap();
    assert_eq!((output.text().as_str(), output.code), ("one\ntwo", 0));
    assert_eq!(output.stderr, b"/system/bin/sh: nonsense: inaccessible or not found\n");
    let output = device(&lab).shell("nonsense", soon()).unwrap();
    assert_eq!((output.stdout.as_slice(), output.code, output.ok()), (&b""[..], 127, false));
}

#[test]
fn a_command_has_nothing_to_read() {
    let lab = Lab::new();
    let output = device(&lab).shell("cat; echo done", soon()).unwrap();
    assert_eq!(output.text(), "done");
}

#[test]
fn a_command_reads_all_of_its_input_while_it_prints() {
    let lab = Lab::new();
    let input: Vec<u8> = (0..=250).cycle().take(8 << 20).collect();
    let output = device(&lab).shell_with_input("cat", &mut &input[..], soon()).unwrap();
    assert!(output.ok() && output.stderr.is_empty());
    assert!(output.stdout == input, "{} of {} bytes", output.stdout.len(), input.len());
}

#[test]
fn a_command_need_not_read_its_input() {
    let lab = Lab::new();
    let output = device(&lab).shell_with_input("echo no", &mut io::repeat(7), soon()).unwrap();
    assert_eq!(output.text(), "no");
}

#[test]
fn a_command_that_takes_too_long_is_left_alone_and_the_phone_goes_on() {
    let lab = Lab::new();
    let error = device(&lab).shell("logcat -s Nothing:I", short()).unwrap_err();
    assert!(matches!(error, AdbError::TimedOut { .. }), "{error}");
    assert_eq!(device(&lab).shell("echo here", soon()).unwrap().text(), "here");
}

#[test]
fn bytes_come_as_they_are() {
    let lab = Lab::new();
    let picture = device(&lab).exec("screencap -p", soon()).unwrap();
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n") && picture.len() > 1000);
}

#[test]
fn output_is_read_while_a_command_runs() {
    let lab = Lab::new();
    let stream = device(&lab).open("exec:logcat -v raw -s Lab:I", soon()).unwrap();
    lab.shell("log -t Lab hello");
    let line = BufReader::new(stream).lines().map(Result::unwrap).find(|line| line == "hello");
    assert_eq!(line.as_deref(), Some("hello"));
}

#[test]
fn the_operators_socket_is_opened_and_one_nobody_has_is_refused() {
    let lab = Lab::new();
    let (device, service) = (device(&lab), format!("localabstract:{RELEASE_PACKAGE}"));
    let mut stream = device.open(&service, soon()).unwrap();
    let mut other = stream.try_clone().unwrap();
    let reading = thread::spawn(move || other.read(&mut [0]));
    stream.close().unwrap();
    assert_eq!(reading.join().unwrap().unwrap(), 0);
    assert_eq!(stream.read(&mut [0]).unwrap(), 0);
    let service = "localabstract:nobody".to_owned();
    let error = device.open(&service, soon()).unwrap_err();
    assert_eq!(error, AdbError::Refused { service, message: "closed".into() });
}

#[test]
fn many_commands_run_at_once() {
    let lab = Lab::new();
    thread::scope(|scope| {
        for number in 0..20 {
            let device = device(&lab);
            scope.spawn(move || {
                let output = device.shell(&format!("echo {number}"), soon()).unwrap();
                assert_eq!(output.text(), number.to_string());
            });
        }
    });
}
