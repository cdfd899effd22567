//! Envelopes: there is always one, it keeps what was done, and it says what went wrong.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_contract::{Envelope, Status};
use clawperator_runtime::phone::GlobalAction;
use serde_json::{Value, json};
use support::scripted::{Done, Operation, button};
use support::{Bench, clicked, ms, payload};

const APP: &str = "com.example";
const NO_SERVICE: &str = "Accessibility service is not available";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.world().show(APP, vec![button("Go", 100)]);
    bench
}

fn click(id: &str, label: &str) -> Value {
    let params = json!({ "matcher": { "textEquals": label }, "retry": { "maxAttempts": 1 } });
    json!({ "id": id, "type": "click", "params": params })
}

fn sleep(id: &str, length: u64) -> Value {
    json!({ "id": id, "type": "sleep", "params": { "durationMs": length } })
}

fn ids(envelope: &Envelope) -> Vec<&str> {
    envelope.step_results.iter().map(|step| step.id.as_str()).collect()
}

#[test]
fn steps_run_and_are_told_in_order() {
    let mut bench = bench();
    let envelope = bench.run(json!([sleep("one", 5), click("two", "Go"), sleep("three", 5)]));
    assert_eq!((envelope.command_id.as_str(), envelope.task_id.as_str()), ("c", "t"));
    assert_eq!((envelope.status, &envelope.error), (Status::Success, &None));
    assert_eq!(envelope.error_code, None);
    assert_eq!(ids(&envelope), ["one", "two", "three"]);
    assert_eq!(bench.host.steps, envelope.step_results, "as the observer was told, one by one");
}

#[test]
fn a_failing_step_ends_the_execution_and_what_was_done_stays() {
    let mut bench = bench();
    let actions = json!([click("one", "Go"), click("two", "Gone"), click("three", "Go")]);
    let envelope = bench.run(actions);
    assert_eq!(envelope.status, Status::Failed);
    assert_eq!(envelope.error.as_deref(), Some("Step two (click) failed: NODE_NOT_FOUND"));
    assert_eq!(ids(&envelope), ["one", "two"]);
    assert!(envelope.step_results[0].success);
    assert_eq!(bench.host.steps, envelope.step_results);
    assert_eq!(bench.world().deeds(), [clicked("Go")]);
}

#[test]
fn the_notification_shade_is_closed_once_before_the_first_step() {
    let mut bench = bench();
    bench.run(json!([click("one", "Go"), click("two", "Go")]));
    let shade = Done::Global(GlobalAction::DismissNotificationShade);
    let done: Vec<_> = bench.world().done.iter().map(|(_, done)| done.clone()).collect();
    assert_eq!(done, [shade, clicked("Go"), clicked("Go")]);
}

#[test]
fn without_the_service_no_step_is_tried() {
    let mut bench = bench();
    bench.world().service = false;
    let envelope = bench.run(json!([sleep("one", 5)]));
    assert_eq!(envelope.status, Status::Failed);
    assert_eq!(envelope.error.as_deref(), Some(NO_SERVICE));
    assert_eq!(envelope.error_code.as_deref(), Some("SERVICE_UNAVAILABLE"));
    assert_eq!(ids(&envelope), [""; 0]);
    assert_eq!(bench.world().done, []);
}

#[test]
fn a_service_that_goes_away_ends_the_execution_where_it_stands() {
    let mut bench = bench();
    bench.world().after(ms(50), |world| world.service = false);
    let took = bench.took(|bench| {
        let envelope = bench.run(json!([
            click("one", "Go"),
            sleep("two", 100),
            click("three", "Go"),
            sleep("four", 1)
        ]));
        assert_eq!(envelope.error.as_deref(), Some(NO_SERVICE));
        assert_eq!(envelope.error_code.as_deref(), Some("SERVICE_UNAVAILABLE"));
        assert_eq!(ids(&envelope), ["one", "two", "three"]);
        assert_eq!(envelope.step_results[2].error(), Some("SERVICE_UNAVAILABLE"));
        assert_eq!(bench.host.steps, envelope.step_results);
    });
    assert_eq!(took, 100, "nothing is retried without it");
    bench.world().service = true;
    assert_eq!(bench.run(json!([click("one", "Go")])).status, Status::Success);
}

#[test]
fn a_payload_that_cannot_be_run_is_answered_by_its_ids() {
    let mut bench = bench();
    let envelope = bench.send(&payload("c-7", 5_000, &json!([{ "id": "a", "type": "dance" }])));
    assert_eq!((envelope.command_id.as_str(), envelope.task_id.as_str()), ("c-7", "t"));
    assert_eq!(envelope.status, Status::Failed);
    assert_eq!(envelope.error_code.as_deref(), Some("PAYLOAD_INVALID"));
    let error = envelope.error.unwrap();
    assert!(error.contains("dance") && error.contains("actions.0.type"), "{error}");
    assert_eq!(envelope.step_results, []);
    assert_eq!(bench.world().done, []);
}

#[test]
fn one_bad_action_keeps_the_good_ones_from_running() {
    let mut bench = bench();
    let bad = json!({ "id": "b", "type": "read_text", "params": {
        "matcher": { "textEquals": "Go" }, "validator": "regex", "validatorPattern": "(" } });
    let envelope = bench.send(&payload("c", 5_000, &json!([click("a", "Go"), bad])));
    assert_eq!(envelope.error_code.as_deref(), Some("PAYLOAD_INVALID"));
    assert!(envelope.error.unwrap().contains("actions.1"));
    assert_eq!(bench.world().done, []);
}

#[test]
fn what_is_no_json_is_answered_too() {
    let mut bench = bench();
    for text in ["", "{", "[]", "{\"commandId\":\"c\"", "\u{0}"] {
        let envelope = bench.send(text);
        assert_eq!(envelope.error_code.as_deref(), Some("PAYLOAD_INVALID"), "{text}");
        assert!(envelope.error.is_some());
    }
    let envelope = bench.send(&payload("c", 5_000, &json!([click("a", &"x".repeat(70_000))])));
    assert_eq!(envelope.error_code.as_deref(), Some("PAYLOAD_INVALID"));
    assert_eq!(envelope.command_id, "c");
}

#[test]
fn the_phone_reads_raw_types_aliases_and_unknown_keys() {
    let mut bench = bench();
    let actions = json!([
        { "id": "a", "type": "FIND_NODE", "params": { "matcher": { "textEquals": "Go" }, "later": 1 } },
        { "id": "b", "type": "key_press", "params": { "key": "Back" } },
        { "id": "c", "type": "Tap", "params": { "coordinate": { "x": 1, "y": 2 } } }
    ]);
    let envelope = bench.send(&payload("c", 5_000, &actions));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    let types: Vec<_> =
        envelope.step_results.iter().map(|step| step.action_type.as_str()).collect();
    assert_eq!(types, ["wait_for_node", "press_key", "click"]);
}

#[test]
fn a_fault_of_the_runtime_is_one_failed_step_and_the_next_execution_works() {
    for operation in [Operation::Capture, Operation::Perform, Operation::Display] {
        let mut bench = bench();
        bench.world().faults(move |_, asked| {
            assert!(asked != operation, "planted");
            None
        });
        let envelope = bench.run(json!([sleep("nap", 5), click("a", "Go"), sleep("never", 5)]));
        assert_eq!(envelope.status, Status::Failed);
        assert_eq!(ids(&envelope), ["nap", "a"]);
        assert!(envelope.step_results[0].success);
        assert_eq!(envelope.step_results[1].error(), Some("INTERNAL_ERROR"));
        assert!(envelope.step_results[1].data["message"].contains("planted"), "{envelope:?}");
        assert_eq!(envelope.error.as_deref(), Some("Step a (click) failed: INTERNAL_ERROR"));
        assert_eq!(bench.host.steps, envelope.step_results);
        assert_eq!(bench.run(json!([click("a", "Go")])).status, Status::Success);
        assert_eq!(bench.world().deeds(), [clicked("Go")]);
    }
}

#[test]
fn a_fault_leaves_no_reference_behind() {
    let mut bench = bench();
    let found = bench.succeed("wait_for_node", json!({ "matcher": { "textEquals": "Go" } }));
    let click = json!({ "ref": found.data["ref"] });
    bench.world().faults(|_, asked| {
        assert!(asked != Operation::Perform, "planted");
        None
    });
    bench.fail("click", click.clone(), "INTERNAL_ERROR");
    bench.fail("click", click, "NODE_STALE");
    assert_eq!(bench.world().deeds(), []);
}

#[test]
fn a_sleep_longer_than_the_execution_ends_with_it() {
    let mut bench = bench();
    let took = bench.took(|bench| {
        let envelope = bench.run_within(2_000, json!([sleep("nap", 90_000), click("never", "Go")]));
        assert_eq!(envelope.error_code.as_deref(), Some("EXECUTION_TIMEOUT"));
        let error = "Execution timed out after 2000 ms in step nap (sleep)";
        assert_eq!(envelope.error.as_deref(), Some(error));
        assert_eq!(ids(&envelope), ["nap"]);
    });
    assert_eq!(took, 2_000);
}

#[test]
fn time_that_runs_out_between_steps_keeps_the_steps_that_ran() {
    let mut bench = bench();
    bench.world().latency = ms(1_500);
    // Closing the shade, asking for the display, looking and clicking: 1.5 s each.
    let envelope = bench.run_within(5_000, json!([click("one", "Go"), click("two", "Go")]));
    assert_eq!(envelope.error_code.as_deref(), Some("EXECUTION_TIMEOUT"));
    assert_eq!(
        envelope.error.as_deref(),
        Some("Execution timed out after 5000 ms before step two (click)")
    );
    assert_eq!(ids(&envelope), ["one"]);
    assert_eq!(bench.world().deeds(), [clicked("Go")]);
}
