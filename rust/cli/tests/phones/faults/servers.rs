//! The adb server: not there, not to be started, not one at all.

use crate::support::{Desk, Program};
use clawperator_lab::Adb;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::thread;

#[test]
fn without_a_server_and_without_an_adb_to_start_one() {
    let host = Adb::stopped();
    let missing = Path::new("/nowhere/adb");
    let answer = Program::at(host.port, missing).run(&["devices"]).failed("ADB_NOT_FOUND");
    assert!(answer.message().contains("/nowhere/adb"), "{}", answer.message());
    Program::at(host.port, missing).run(&["snapshot"]).failed("ADB_NOT_FOUND");
}

#[test]
fn a_server_that_does_not_run_is_started() {
    let host = Adb::stopped();
    let answer = Program::at(host.port, &host.program()).run(&["devices"]).went_well();
    assert_eq!(answer.json["devices"].as_array().map(Vec::len), Some(0));
    // It stays for the next one, which needs no adb.
    Program::at(host.port, Path::new("/nowhere/adb")).run(&["devices"]).went_well();
}

#[test]
fn the_adb_of_the_command_line_goes_before_the_one_of_the_environment() {
    let host = Adb::stopped();
    let program = Program::at(host.port, Path::new("/nowhere/adb"));
    let adb = host.program();
    program.run(&["devices", "--adb", adb.to_str().unwrap()]).went_well();
}

#[test]
fn an_adb_that_cannot_start_a_server() {
    let host = Adb::stopped();
    let answer = Program::at(host.port, Path::new("/bin/false")).run(&["devices"]);
    answer.failed("ADB_SERVER_FAILED");
}

#[test]
fn something_else_answers_where_the_server_should_be() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for caller in listener.incoming() {
            let mut caller = caller.unwrap();
            let _ = caller.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
            let _ = caller.read(&mut [0; 64]);
        }
    });
    let program = Program::at(port, Path::new("/nowhere/adb"));
    for args in [&["devices"][..], &["snapshot", "--device", "x"]] {
        let answer = program.run(args).failed("ADB_SERVER_FAILED");
        assert!(answer.message().contains("is not an adb server"), "{}", answer.message());
    }
}

#[test]
fn a_server_that_was_killed_is_started_again_and_knows_no_phone_on_the_network() {
    let desk = Desk::with_own_server();
    desk.run(&["press", "home"]).succeeded();
    desk.lab.host.kill();
    let answer = desk.run(&["press", "home"]).failed("DEVICE_NOT_FOUND");
    assert_eq!(*answer.detail("connected"), json!([]));
    desk.lab.connect();
    desk.run(&["press", "home"]).succeeded();
}
