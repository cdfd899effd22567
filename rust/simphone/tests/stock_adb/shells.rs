//! `adb shell`, `adb exec-out`, `adb push`, `adb pull`.

use clawperator_lab::{Lab, adb, finish};
use std::io::Write as _;
use std::process::Stdio;

#[test]
fn a_command_has_an_exit_code_and_two_outputs() {
    let lab = Lab::new();
    let ran = lab.adb(&["shell", "echo out; ls /nowhere; exit 7"]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(7), "out\n"));
    assert_eq!(ran.err(), "ls: /nowhere: No such file or directory\n");
    assert_eq!(lab.shell("false || echo was $?"), "was 1\n");
    assert_eq!(lab.shell("ls /nowhere 2>&1 | wc -l"), "1\n");
    assert_eq!(lab.shell("echo 'a  b' \"$HOME\""), "a  b /\n");
}

#[test]
fn a_command_that_is_not_there_is_not_found() {
    let lab = Lab::new();
    let ran = lab.adb(&["shell", "frobnicate", "-x"]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(127), ""));
    assert_eq!(ran.err(), "/system/bin/sh: frobnicate: inaccessible or not found\n");
}

#[test]
fn a_shell_takes_its_lines_from_the_input() {
    let lab = Lab::new();
    let args = ["-s", &lab.serial, "shell"];
    let mut child = adb().command(&args).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"echo one\ngetprop ro.product.model\nexit\n").unwrap();
    let ran = finish(child, &args);
    assert!(ran.out().contains("one\n") && ran.out().contains("Sim Phone\n"), "{}", ran.text());
}

#[test]
fn bytes_come_as_they_are() {
    let lab = Lab::new();
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let file = adb().home.join("bytes");
    std::fs::write(&file, &bytes).unwrap();
    lab.does(&["push", file.to_str().unwrap(), "/sdcard/Download/bytes"]);
    assert!(lab.does(&["exec-out", "cat /sdcard/Download/bytes"]).stdout == bytes);
    assert!(lab.does(&["shell", "cat /sdcard/Download/bytes"]).stdout == bytes);
    assert!(lab.does(&["shell", "cat /sdcard/Download/bytes 2>&1"]).stdout == bytes);
}

#[test]
fn files_and_folders_go_there_and_back() {
    let lab = Lab::new();
    let there = adb().home.join("folder");
    std::fs::create_dir_all(there.join("deep")).unwrap();
    std::fs::write(there.join("deep/notes.txt"), "one\ntwo\n").unwrap();
    std::fs::write(there.join("empty"), "").unwrap();
    lab.does(&["push", there.to_str().unwrap(), "/sdcard/Download"]);
    assert_eq!(lab.shell("ls /sdcard/Download/folder"), "deep\nempty\n");
    assert_eq!(lab.shell("cat /sdcard/Download/folder/deep/notes.txt | grep tw"), "two\n");
    let back = adb().home.join("back");
    lab.does(&["pull", "/sdcard/Download/folder", back.to_str().unwrap()]);
    assert_eq!(std::fs::read_to_string(back.join("deep/notes.txt")).unwrap(), "one\ntwo\n");
    lab.shell("rm -rf /sdcard/Download/folder");
    let ran = lab.adb(&["pull", "/sdcard/Download/folder", back.to_str().unwrap()]);
    assert_eq!(ran.code, Some(1), "{}", ran.text());
    assert!(ran.text().contains("/sdcard/Download/folder"), "{}", ran.text());
}
