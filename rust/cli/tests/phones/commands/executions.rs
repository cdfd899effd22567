//! `exec`: from a file, from standard input, and as text.

use crate::support::{CONFORMANCE, Desk, add_one, execution};
use serde_json::json;
use std::fs;

#[test]
fn an_execution_is_taken_from_a_file_from_standard_input_and_as_text() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let payload = execution(&json!([add_one("one"), add_one("two")])).to_string();
    fs::write(desk.program.path("two.json"), &payload).unwrap();

    let from_file = desk.run(&["exec", "two.json"]).succeeded();
    assert_eq!(desk.count(), "2");
    let from_input = desk.program.run_with(&["exec", "-"], &payload).succeeded();
    assert_eq!(desk.count(), "4");
    let as_text = desk.run(&["exec", &payload]).succeeded();
    assert_eq!(desk.count(), "6");

    for answer in [from_file, from_input, as_text] {
        assert_eq!(answer.envelope()["commandId"], "given");
        assert_eq!(answer.envelope()["taskId"], "task");
        assert_eq!(answer.json["deviceId"], desk.lab.serial.as_str());
        assert_eq!(answer.json["terminalSource"], "clawperator_result");
        assert_eq!(answer.json["isCanonicalTerminal"], true);
        let ids: Vec<_> = answer.steps().iter().map(|step| &step["id"]).collect();
        assert_eq!(ids, ["one", "two"]);
    }
}

#[test]
fn what_is_checked_or_planned_does_nothing_on_the_phone() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let payload = execution(&json!([add_one("one")])).to_string();
    let checked = desk.run(&["exec", &payload, "--validate-only"]).went_well();
    assert_eq!(checked.json["validated"], true);
    let planned = desk.run(&["click", "--text", "Add one", "--dry-run"]).went_well();
    assert_eq!(planned.json["plan"]["actionCount"], 1);
    assert_eq!(desk.count(), "0");
}

#[test]
fn steps_after_a_failed_one_are_not_done() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let nowhere = json!({ "matcher": { "textEquals": "Nowhere" }, "retry": { "maxAttempts": 1 } });
    let missing = json!({ "id": "missing", "type": "click", "params": nowhere });
    let answer = desk.exec(&json!([add_one("one"), missing, add_one("two")]), &[]);
    let answer = answer.step_failed("NODE_NOT_FOUND");
    assert_eq!(answer.steps().len(), 2);
    assert_eq!(desk.count(), "1");
}

#[test]
fn the_timeout_of_the_command_line_goes_before_the_one_in_the_payload() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let never = json!({ "matcher": { "textEquals": "Never" }, "timeoutMs": 60_000 });
    let never = json!([{ "id": "never", "type": "wait_for_node", "params": never }]);
    let answer = desk.exec(&never, &["--timeout", "1000"]);
    assert_eq!(answer.code, Some(1), "{}", answer.out);
    assert_eq!(answer.envelope()["errorCode"], "EXECUTION_TIMEOUT", "{}", answer.out);
}
