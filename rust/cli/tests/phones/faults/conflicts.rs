//! One execution at a time on each phone.

use crate::support::{CONFORMANCE, Desk, Program, Running, add_one, held_open, until};
use nix::sys::signal::Signal;
use serde_json::json;
use std::fs;

fn busy() -> (Desk, Running) {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let running = desk.start(&held_open(), &[]);
    until("it runs", || desk.count() == "1");
    (desk, running)
}

#[test]
fn the_second_is_turned_away_and_told_by_whom() {
    let (desk, running) = busy();
    let answer = desk.exec(&json!([add_one("two")]), &[]).failed("EXECUTION_CONFLICT_IN_FLIGHT");
    let holder = answer.detail("holder");
    assert_eq!(holder["pid"], running.pid());
    assert_eq!(holder["commandId"], "given");
    assert!(holder["sinceMs"].is_u64(), "{}", answer.out);
    assert_eq!(answer.detail("deviceId"), desk.lab.serial.as_str());
    let waited = desk.run(&["press", "home", "--wait=50"]).failed("EXECUTION_CONFLICT_IN_FLIGHT");
    assert!(waited.message().contains("after 50 ms"), "{}", waited.message());
    desk.let_go();
    running.answer().succeeded();
    assert_eq!(desk.count(), "1");
    desk.exec(&json!([add_one("two")]), &[]).succeeded();
}

#[test]
fn another_phone_is_free() {
    let (desk, running) = busy();
    let other = Desk::new();
    other.show(CONFORMANCE);
    // The same user, so the same locks.
    let mut program = Program::at(other.program.port, &other.program.adb).on(&other.lab.serial);
    program.setting("HOME", &desk.program.home.display().to_string());
    program.run(&["click", "--text", "Add one"]).succeeded();
    assert_eq!(other.count(), "1");
    desk.let_go();
    running.answer().succeeded();
}

/// Does it wait for its turn? The thread that does is named after it.
#[cfg(target_os = "linux")]
fn waits(running: &Running) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", running.pid())) else { return false };
    let names = threads.filter_map(|one| fs::read_to_string(one.ok()?.path().join("comm")).ok());
    names.into_iter().any(|name| name.trim_end() == "turn")
}

#[cfg(target_os = "linux")]
#[test]
fn whoever_waits_gets_its_turn() {
    let (desk, running) = busy();
    let second = desk.start(&json!([add_one("two")]), &["--wait"]);
    until("the second waits", || waits(&second));
    assert_eq!(desk.count(), "1");
    desk.let_go();
    running.answer().succeeded();
    second.answer().succeeded();
    assert_eq!(desk.count(), "2");
}

#[test]
fn a_holder_that_is_killed_holds_nothing() {
    let (desk, running) = busy();
    running.signal(Signal::SIGKILL);
    assert_eq!(running.answer().code, None);
    // On the phone it still runs; what comes next stands behind it.
    desk.let_go();
    desk.exec(&json!([add_one("two")]), &[]).succeeded();
    assert_eq!(desk.count(), "2");
}
