//! Recordings: from a finger on the phone to a file for an agent.

use crate::support::{CONFORMANCE, Desk, action, execution, until};
use serde_json::{Value, json};
use std::fs;

/// Records a click and a change of the screen, made by a finger.
fn record(desk: &Desk, session: &str) {
    desk.show(CONFORMANCE);
    let started = desk.run(&["recording", "start", "--session-id", session]).succeeded();
    assert_eq!(started.data(0, "sessionId"), session);
    desk.lab.tap("Add one");
    until("the finger has touched it", || desk.count() == "1");
    desk.lab.tap("Open list");
    desk.lab.until_shows("Row 1");
    let stopped = desk.run(&["recording", "stop", "--session-id", session]).succeeded();
    assert_eq!(stopped.data(0, "sessionId"), session);
}

#[test]
fn what_a_finger_does_becomes_a_list_of_steps() {
    let desk = Desk::new();
    let none = desk.run(&["recording", "list"]).went_well();
    assert_eq!(none.json["sessions"], Value::Array(vec![]));
    record(&desk, "finger");
    let listed = desk.run(&["recording", "list"]).went_well();
    assert_eq!(listed.json["sessions"][0]["sessionId"], "finger", "{}", listed.out);

    let pulled = desk.run(&["recording", "pull", "--out", "here"]).went_well();
    assert_eq!(pulled.json["sessionId"], "finger");
    let local = pulled.json["localPath"].as_str().unwrap();
    let file = fs::read_to_string(desk.program.home.join(local)).unwrap();
    assert_eq!(pulled.json["bytes"], file.len());
    let events = pulled.json["eventCount"].as_u64().unwrap();
    assert!(events >= 2, "{file}");
    // One line is the header.
    assert_eq!(u64::try_from(file.lines().count()).unwrap(), events + 1);

    let parsed = desk.run(&["recording", "parse", "--input", local]).went_well();
    let log = desk.program.home.join(parsed.json["outputFile"].as_str().unwrap());
    let log = fs::read_to_string(log).unwrap();
    let log: Value = serde_json::from_str(&log).unwrap();
    let steps = log["steps"].as_array().unwrap();
    assert_eq!(parsed.json["stepCount"], steps.len());
    let clicked = |text: &str| {
        let of = |step: &Value| step["type"] == "click" && step["text"] == text;
        steps.iter().position(of).unwrap_or_else(|| panic!("no click on {text}: {log}"))
    };
    assert!(clicked("Add one") < clicked("Open list"), "{log}");
    // What was clicked is on the screen it was clicked on, not on the one it leads to.
    let before = steps[clicked("Open list")]["uiStateBefore"].as_str().unwrap();
    assert!(before.contains("Open list") && !before.contains("Row 1"), "{before}");
}

#[test]
fn what_a_finger_did_becomes_a_recipe_that_does_it_again() {
    let desk = Desk::new();
    record(&desk, "again");
    desk.run(&["recording", "pull", "--out", "here"]).went_well();
    let input = ["recording", "parse", "--input", "here/again.ndjson", "--recipe"];
    let drafted = desk.run(&input).went_well();
    assert_eq!(drafted.json["recipeId"], format!("{CONFORMANCE}.again"), "{}", drafted.out);
    let recipe = drafted.json["outputFile"].as_str().unwrap();
    let ran = desk.run(&["recipe", "run", recipe]).went_well();
    assert_eq!(ran.json["status"], "success", "{}", ran.out);
    let arrived = ran.json["steps"].as_array().unwrap().last().unwrap();
    assert_eq!(arrived["type"], "wait_for_node", "{}", ran.out);
    desk.lab.until_shows("Row 1");
}

#[test]
fn a_failed_execution_leaves_its_recording_behind_and_no_recording_running() {
    let desk = Desk::new();
    let lost = json!({ "matcher": { "textEquals": "Nowhere" }, "timeoutMs": 10 });
    let lost = execution(&json!([action("lost", "wait_for_node", lost)])).to_string();
    let capture = ["recording", "capture", "--session-id", "lost", "--during", &lost];
    let failed = desk.run(&capture).failed("NODE_NOT_FOUND");
    assert_eq!(failed.detail("localPath"), "./recordings/lost.ndjson");
    assert!(fs::exists(desk.program.path("recordings/lost.ndjson")).unwrap());
    desk.run(&["recording", "stop"]).step_failed("RECORDING_NOT_IN_PROGRESS");
}

#[test]
fn a_recording_is_exported_with_or_without_its_snapshots() {
    let desk = Desk::new();
    record(&desk, "shown");
    desk.run(&["record", "pull", "--session-id", "shown", "--out", "here"]).went_well();
    let export = |out: &str, mode: &str| {
        let input = ["--input", "here/shown.ndjson", "--out", out, "--snapshots", mode];
        desk.run(&[&["recording", "export"], &input[..]].concat()).went_well();
        fs::read_to_string(desk.program.path(out)).unwrap()
    };
    let without = export("without.json", "omit");
    let with = export("with.json", "include");
    assert!(!without.contains("<hierarchy") && with.contains("<hierarchy"));
    for text in [without, with] {
        let exported: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(exported["session"]["sessionId"], "shown", "{text}");
        assert!(exported["events"].as_array().unwrap().len() >= 2);
    }
}

#[test]
fn recordings_that_are_not_there_are_told() {
    let desk = Desk::new();
    desk.run(&["recording", "stop"]).step_failed("RECORDING_NOT_IN_PROGRESS");
    desk.run(&["recording", "pull"]).failed("RECORDING_SESSION_NOT_FOUND");
    let missing = desk.run(&["recording", "pull", "--session-id", "other"]);
    let missing = missing.failed("RECORDING_SESSION_NOT_FOUND");
    assert_eq!(missing.detail("sessions"), &Value::Array(vec![]));
    desk.run(&["recording", "parse", "--input", "none.ndjson"]).failed("INPUT_UNREADABLE");
    desk.run(&["recording", "start", "--session-id", "a"]).succeeded();
    let second = desk.run(&["recording", "start", "--session-id", "b"]);
    second.step_failed("RECORDING_ALREADY_IN_PROGRESS");
}
