//! The small actions: keys, gestures, sleep, waiting for nodes, recordings, the doctor's question.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_contract::Status;
use clawperator_runtime::phone::{GestureEnd, GlobalAction, PhoneError};
use clawperator_runtime::screen::{Bounds, NodeSpec};
use serde_json::{Value, json};
use support::scripted::{Done, Operation, button, node};
use support::{Bench, ms, payload, tap};

const APP: &str = "com.example";

fn bench(children: Vec<NodeSpec>) -> Bench {
    let bench = Bench::new();
    bench.world().show(APP, children);
    bench
}

fn at(x: u32, y: u32, t: u32) -> Value {
    json!({ "x": x, "y": y, "t": t })
}

#[test]
fn every_key_is_pressed_in_any_case() {
    let mut bench = bench(vec![]);
    for (key, name) in [("back", "back"), ("HOME", "home"), ("Recents", "recents")] {
        let step = bench.succeed("press_key", json!({ "key": key }));
        assert_eq!(step.data["key"], name);
    }
    let keys = [GlobalAction::Back, GlobalAction::Home, GlobalAction::Recents];
    assert_eq!(bench.world().deeds(), keys.map(Done::Global));
}

#[test]
fn a_key_the_phone_refuses_is_tried_once_unless_told_otherwise() {
    let mut bench = bench(vec![]);
    bench.world().takes_keys = false;
    let step = bench.fail("press_key", json!({ "key": "back" }), "GLOBAL_ACTION_FAILED");
    assert_eq!(step.data["attempts"], "1");
    bench.world().after(ms(150), |world| world.takes_keys = true);
    let retry = json!({ "maxAttempts": 3, "initialDelayMs": 100 });
    let step = bench.succeed("press_key", json!({ "key": "back", "retry": retry }));
    assert_eq!(step.data["attempts"], "3");
    assert_eq!(bench.world().deeds(), [Done::Global(GlobalAction::Back)]);
}

#[test]
fn a_key_that_may_have_been_pressed_is_not_pressed_again() {
    let mut bench = bench(vec![]);
    bench.world().faults(|_, operation| {
        (operation == Operation::Global).then(|| PhoneError::Failed("the binder died".into()))
    });
    let retry = json!({ "maxAttempts": 3, "initialDelayMs": 100 });
    let params = json!({ "key": "back", "retry": retry });
    let step = bench.fail("press_key", params, "ACTION_FAILED");
    assert_eq!(step.data["attempts"], "1");
}

#[test]
fn a_gesture_moves_as_many_fingers_as_it_says() {
    let mut bench = bench(vec![]);
    let pinch = json!([[at(100, 900, 0), at(500, 900, 400)], [at(900, 900, 0), at(600, 900, 400)]]);
    let step = bench.succeed("gesture", json!({ "strokes": pinch }));
    assert_eq!(step.data["strokes"], "2");
    let done = Done::Gesture { from: (100, 900), to: (500, 900), ms: 400, fingers: 2 };
    assert_eq!(bench.world().deeds(), [done]);
}

#[test]
fn a_gesture_of_one_point_is_a_tap() {
    let mut bench = bench(vec![]);
    bench.succeed("gesture", json!({ "strokes": [[at(7, 9, 0)]] }));
    assert_eq!(bench.world().deeds(), [tap(7, 9)]);
}

#[test]
fn a_gesture_is_made_once_whatever_comes_of_it() {
    for (end, made) in [(GestureEnd::Refused, 0), (GestureEnd::Cancelled, 1)] {
        let mut bench = bench(vec![]);
        bench.world().gesture_end = end;
        bench.fail("gesture", json!({ "strokes": [[at(7, 9, 0)]] }), "GESTURE_FAILED");
        assert_eq!(bench.world().deeds().len(), made);
    }
    let mut bench = bench(vec![]);
    bench.world().faults(|_, operation| {
        (operation == Operation::Gesture).then(|| PhoneError::Failed("the binder died".into()))
    });
    bench.fail("gesture", json!({ "strokes": [[at(7, 9, 0)]] }), "ACTION_FAILED");
}

#[test]
fn sleep_lasts_as_long_as_it_says_whatever_happens_meanwhile() {
    let mut bench = bench(vec![]);
    for tick in 1..20 {
        bench.world().after(ms(tick * 50), |world| world.changed());
    }
    let took = bench.took(|bench| {
        let step = bench.succeed("sleep", json!({ "durationMs": 1_500 }));
        assert_eq!(step.data["duration_ms"], "1500");
    });
    assert_eq!(took, 1_500);
}

#[test]
fn a_cancelled_sleep_ends_at_once() {
    let mut bench = bench(vec![]);
    let cancel = bench.cancel.clone();
    bench.world().after(ms(400), move |_| cancel.cancel());
    let took = bench.took(|bench| {
        let envelope =
            bench.run(json!([{ "id": "a", "type": "sleep", "params": { "durationMs": 9_000 } }]));
        assert_eq!(envelope.error_code.as_deref(), Some("EXECUTION_CANCELLED"));
    });
    assert_eq!(took, 400);
}

#[test]
fn a_node_that_was_waited_for_is_described() {
    let mut go = button("Go", 300);
    go.resource_id = "app:id/go".into();
    let mut bench = bench(vec![]);
    bench.world().after(ms(700), move |world| world.show(APP, vec![go]));
    let params = json!({ "matcher": { "textEquals": "Go" }, "timeoutMs": 5_000 });
    let took = bench.took(|bench| {
        let step = bench.succeed("wait_for_node", params);
        let told = ["resource_id", "label", "timeout_ms"].map(|key| step.data[key].as_str());
        assert_eq!(told, ["app:id/go", "Go", "5000"]);
    });
    assert!((700..=710).contains(&took), "{took} ms");
    let step = bench.succeed("wait_for_node", json!({ "matcher": { "role": "button" } }));
    assert!(!step.data.contains_key("timeout_ms"));
}

#[test]
fn a_node_is_waited_for_inside_its_container() {
    let mut card = node("android.view.View", "", Bounds::new(0, 500, 1_080, 900));
    card.resource_id = "card".into();
    let mut bench = bench(vec![button("Go", 100), card]);
    let params = |id: &str| {
        let matcher = json!({ "textEquals": "Go" });
        json!({ "matcher": matcher, "container": { "resourceId": id }, "timeoutMs": 100 })
    };
    bench.fail("wait_for_node", params("card"), "NODE_NOT_FOUND");
    let step = bench.fail("wait_for_node", params("other"), "CONTAINER_NOT_FOUND");
    assert!(step.data["message"].starts_with("within 100 ms"), "{step:?}");
}

#[test]
fn what_is_outside_the_screen_or_hidden_is_not_there() {
    let below = button("Below", 2_500);
    let mut hidden = button("Hidden", 100);
    hidden.flags = clawperator_runtime::screen::Flags::ENABLED;
    hidden.children = vec![button("Inside", 100)];
    let mut bench = bench(vec![below, hidden]);
    for text in ["Below", "Hidden", "Inside"] {
        let params = json!({ "matcher": { "textEquals": text }, "timeoutMs": 10 });
        bench.fail("wait_for_node", params, "NODE_NOT_FOUND");
    }
}

#[test]
fn a_recording_has_an_id_a_file_and_a_count() {
    let mut bench = bench(vec![]);
    let step = bench.succeed("start_recording", json!({ "sessionId": "session-001" }));
    assert_eq!(step.data["sessionId"], "session-001");
    assert_eq!(step.data["filePath"], "/recordings/session-001.ndjson");
    let again = bench.fail("start_recording", json!({}), "RECORDING_ALREADY_IN_PROGRESS");
    assert_eq!(again.data["sessionId"], "session-001");
    let step = bench.succeed("stop_recording", json!({}));
    let told = ["sessionId", "filePath", "eventCount"].map(|key| step.data[key].as_str());
    assert_eq!(told, ["session-001", "/recordings/session-001.ndjson", "0"]);
    bench.fail("stop_recording", json!({}), "RECORDING_NOT_IN_PROGRESS");
}

#[test]
fn a_recording_without_a_name_is_given_one() {
    let mut bench = bench(vec![]);
    let step = bench.succeed("start_recording", json!({}));
    assert!(step.data["sessionId"].starts_with("record-1700000000000-"), "{step:?}");
}

#[test]
fn a_name_that_would_leave_the_folder_starts_nothing() {
    let mut bench = bench(vec![]);
    bench.fail("start_recording", json!({ "sessionId": "../x" }), "RECORDING_START_FAILED");
    bench.fail("stop_recording", json!({}), "RECORDING_NOT_IN_PROGRESS");
}

#[test]
fn the_doctor_is_answered_whatever_the_screen_shows() {
    let mut bench = Bench::new();
    bench.world().display = clawperator_runtime::phone::Display::Off;
    let ping = json!([{ "id": "ping", "type": "doctor_ping" }]);
    let envelope = bench.send(&payload("c", 5_000, &ping));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    assert_eq!(envelope.step_results[0].action_type, "doctor_ping");
    assert_eq!(envelope.step_results[0].data["developer_options_enabled"], "true");
    assert_eq!(bench.world().captures, 0);
}
