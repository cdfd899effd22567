//! Ctrl-C in the middle.

use crate::support::{CONFORMANCE, Desk, held_open, until};
use nix::sys::signal::Signal;
use serde_json::json;

fn stopped_with(signal: Signal, link: &str) {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let running = desk.start(&held_open(), &["--link", link]);
    until("it runs", || desk.count() == "1");
    running.signal(signal);
    let answer = running.answer();
    assert_eq!((answer.code, answer.err.as_str()), (Some(130), ""), "{}", answer.out);
    assert_eq!(answer.envelope()["status"], "failed");
    assert_eq!(answer.envelope()["errorCode"], "EXECUTION_CANCELLED", "{}", answer.out);
    assert_eq!(answer.steps()[0]["id"], "one");
    assert_eq!(answer.json["link"], link);
    // The phone is free: what comes now does not wait for what was stopped.
    desk.run(&["press", "home", "--timeout", "5000"]).succeeded();
    assert_eq!(desk.count(), "1");
    // And the log says how it ended.
    let logs = desk.run(&["logs", "--command-id", "given"]);
    let record: serde_json::Value = serde_json::from_str(logs.out.trim_end()).unwrap();
    assert_eq!(record["code"], json!("EXECUTION_CANCELLED"));
}

#[test]
fn ctrl_c_stops_the_execution_on_the_phone() {
    stopped_with(Signal::SIGINT, "socket");
}

#[test]
fn ctrl_c_stops_it_over_broadcast_too() {
    stopped_with(Signal::SIGINT, "broadcast");
}

#[test]
fn so_does_being_asked_to_terminate() {
    stopped_with(Signal::SIGTERM, "socket");
}

#[test]
fn the_second_ctrl_c_ends_the_program_when_the_phone_does_not_answer() {
    let desk = Desk::with_own_server();
    desk.show(CONFORMANCE);
    let running = desk.start(&held_open(), &[]);
    until("it runs", || desk.count() == "1");
    desk.lab.host.pause();
    running.signal(Signal::SIGINT);
    // The first one was heard when its thread has run; how long that takes nobody knows, so the
    // second one is sent until it ends.
    let pid = nix::unistd::Pid::from_raw(running.pid().try_into().unwrap());
    let ending = std::thread::spawn(move || running.answer());
    until("it ends", || {
        let _ = nix::sys::signal::kill(pid, Signal::SIGINT);
        ending.is_finished()
    });
    let answer = ending.join().unwrap();
    desk.lab.host.resume();
    assert_eq!((answer.code, answer.out.as_str()), (Some(130), ""));
}
