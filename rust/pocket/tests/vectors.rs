//! What agents send, and what becomes of it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_pocket::action::{LONGEST_MS, TYPES};
use clawperator_pocket::{SeenKind, Used, normalise};
use serde_json::{Value, json};

/// The action of `sent`, as JSON.
fn action(sent: &Value) -> Value {
    serde_json::to_value(normalise(sent).action).unwrap()
}

fn invalid() -> Value {
    json!({"type": "wait", "durationMs": 1000, "reason": "invalid action payload"})
}

fn unknown(name: &str) -> Value {
    let reason = format!("unknown action type '{name}'");
    json!({"type": "wait", "durationMs": 1000, "reason": reason})
}

fn tap(x: f64, y: f64) -> Value {
    let mut tap = json!({"type": "tap", "x": x, "y": y});
    for name in ["x", "y"] {
        if tap[name].as_f64().unwrap().fract() == 0.0 {
            tap[name] = format!("{}", tap[name].as_f64().unwrap()).parse::<i64>().unwrap().into();
        }
    }
    tap
}

fn swipe(duration: u64) -> Value {
    json!({"type": "swipe", "x1": 0, "y1": 0, "x2": 0, "y2": 0, "durationMs": duration})
}

#[test]
fn every_type_has_the_defaults_of_the_schema() {
    let expected = [
        json!({"type": "tap", "x": 0, "y": 0}),
        swipe(300),
        json!({"type": "drag", "x1": 0, "y1": 0, "x2": 0, "y2": 0, "durationMs": 360}),
        json!({"type": "long_press_drag", "x1": 0, "y1": 0, "x2": 0, "y2": 0,
               "holdMs": 450, "durationMs": 300}),
        json!({"type": "type", "text": ""}),
        json!({"type": "keyevent", "keycode": "KEYCODE_ENTER"}),
        json!({"type": "launch_app", "packageName": ""}),
        json!({"type": "shell", "command": ""}),
        json!({"type": "run_script", "script": "", "timeoutSec": 60}),
        json!({"type": "read", "path": "", "from": 1, "lines": 200}),
        json!({"type": "write", "path": "", "content": "", "append": false}),
        json!({"type": "edit", "path": "", "find": "", "replace": "", "replaceAll": false}),
        json!({"type": "apply_patch", "input": ""}),
        json!({"type": "exec", "command": "", "yieldMs": 0, "background": false,
               "timeoutSec": 1800}),
        json!({"type": "process", "action": "list", "offset": 0, "limit": 200, "timeoutMs": 0}),
        json!({"type": "memory_search", "query": "", "maxResults": 6, "minScore": 0.2}),
        json!({"type": "memory_get", "path": "", "from": 1, "lines": 120}),
        json!({"type": "request_human_auth", "capability": "unknown",
               "instruction": "Human authorization is required to continue.",
               "timeoutSec": 300}),
        json!({"type": "wait", "durationMs": 1000}),
        json!({"type": "finish", "message": "Task finished."}),
    ];
    let names: Vec<_> = TYPES.iter().map(|of| of.name).collect();
    let expected_names: Vec<_> = expected.iter().map(|of| of["type"].as_str().unwrap()).collect();
    assert_eq!(names, expected_names);
    for (of, expected) in TYPES.iter().zip(&expected) {
        assert_eq!(action(&json!({"type": of.name})), *expected);
        // Null is as good as missing, and an array is invalid everywhere.
        for junk in [json!(null), json!([])] {
            let mut sent = json!({"type": of.name});
            for field in of.fields {
                sent[field.name] = junk.clone();
            }
            assert_eq!(action(&sent), *expected, "{sent}");
        }
    }
}

#[test]
fn what_agents_send_is_read_as_the_original_reads_it_unless_that_is_a_trap() {
    let auth = |capability: &str, instruction: &str| {
        json!({"type": "request_human_auth", "capability": capability,
               "instruction": instruction, "timeoutSec": 300})
    };
    let process = |action: &str| json!({"type": "process", "action": action, "offset": 0, "limit": 200, "timeoutMs": 0});
    let with = |mut value: Value, name: &str, more: Value| {
        value[name] = more;
        value
    };
    let vectors = [
        (json!(null), invalid()),
        (json!([]), invalid()),
        (json!("tap"), invalid()),
        (json!({}), unknown("")),
        (json!({"type": " tap "}), tap(0.0, 0.0)),
        (json!({"type": "TAP"}), unknown("TAP")),
        // Null is missing, not 0, so the list is the point.
        (json!({"type": "tap", "x": null, "y": null, "coordinate": [5, 6]}), tap(5.0, 6.0)),
        (json!({"type": "tap", "x": "abc", "position": ["7", "8"]}), tap(7.0, 8.0)),
        (json!({"type": "tap", "x": 3, "coordinate": [9, 10]}), tap(9.0, 10.0)),
        (json!({"type": "tap", "coordinate": ["z", 3]}), tap(0.0, 3.0)),
        (json!({"type": "tap", "x": 3, "y": 4, "coordinate": [9, 10]}), tap(3.0, 4.0)),
        (json!({"type": "tap", "x": 3, "coordinate": [9]}), tap(3.0, 0.0)),
        (json!({"type": "tap", "x": "1e2", "y": "0x10"}), tap(100.0, 16.0)),
        (json!({"type": "tap", "x": " 12 ", "y": -3.5}), tap(12.0, -3.5)),
        // Neither an answer nor a list is a number: 1 and 4 would be guesses.
        (json!({"type": "tap", "x": true, "y": [4]}), tap(0.0, 0.0)),
        // Null and "" are missing: a swipe of no time was never meant.
        (json!({"type": "swipe", "durationMs": null}), swipe(300)),
        (json!({"type": "swipe", "durationMs": ""}), swipe(300)),
        // The original keeps -1 and swipes for 100 ms; here the action says what is done.
        (json!({"type": "swipe", "durationMs": -1}), swipe(100)),
        (json!({"type": "swipe", "durationMs": "abc"}), swipe(300)),
        (json!({"type": "wait", "reason": ""}), json!({"type": "wait", "durationMs": 1000})),
        (json!({"type": "wait", "reason": 0}), json!({"type": "wait", "durationMs": 1000})),
        (json!({"type": "wait", "reason": false}), json!({"type": "wait", "durationMs": 1000})),
        (
            json!({"type": "wait", "reason": 5.0, "thought": "Hm."}),
            json!({"type": "wait", "durationMs": 1000, "reason": "5"}),
        ),
        (json!({"type": "tap", "x": -0.0, "y": "-0"}), tap(0.0, 0.0)),
        (json!({"type": "type", "text": null}), json!({"type": "type", "text": ""})),
        (json!({"type": "type", "text": 5}), json!({"type": "type", "text": "5"})),
        // A list typed with commas between would be a text that nobody wrote.
        (json!({"type": "type", "text": ["a", "b"]}), json!({"type": "type", "text": ""})),
        (json!({"type": "type_text", "text": "a"}), unknown("type_text")),
        (json!({"type": "keyevent", "keycode": ""}), json!({"type": "keyevent", "keycode": ""})),
        // The flag is not in the schema.
        (
            json!({"type": "shell", "command": "ls", "useShellWrap": "false"}),
            json!({"type": "shell", "command": "ls"}),
        ),
        // Null is missing: no script can run within 0 s.
        (
            json!({"type": "run_script", "timeoutSec": null}),
            json!({"type": "run_script", "script": "", "timeoutSec": 60}),
        ),
        // "no" is not yes.
        (
            json!({"type": "write", "append": "no"}),
            json!({"type": "write", "path": "", "content": "", "append": false}),
        ),
        (
            json!({"type": "write", "append": "false"}),
            json!({"type": "write", "path": "", "content": "", "append": false}),
        ),
        (
            json!({"type": "write", "append": "true"}),
            json!({"type": "write", "path": "", "content": "", "append": true}),
        ),
        (
            json!({"type": "process", "action": " POLL ", "sessionId": 0, "input": ""}),
            process("poll"),
        ),
        (json!({"type": "process", "action": "stop"}), process("list")),
        // Null is missing: everything would match at a threshold of 0.
        (
            json!({"type": "memory_search", "maxResults": null, "minScore": null}),
            json!({"type": "memory_search", "query": "", "maxResults": 6, "minScore": 0.2}),
        ),
        (
            json!({"type": "request_human_auth", "capability": " Camera ", "instruction": ""}),
            auth("camera", ""),
        ),
        (
            json!({"type": "request_human_auth", "reason": "because", "uiTemplate": [],
                   "templateFile": " t.json "}),
            with(
                with(auth("unknown", "because"), "reason", json!("because")),
                "templatePath",
                json!("t.json"),
            ),
        ),
        (json!({"type": "finish", "message": ""}), json!({"type": "finish", "message": ""})),
        (
            json!({"type": "finish", "message": null, "reason": "done"}),
            json!({"type": "finish", "message": "Task finished."}),
        ),
        // Batches are not in the schema: one step is one action.
        (
            json!({"type": "batch_actions", "actions": [{"type": "type_text"},
                   {"actionType": "tap"}, {"type": "launch_app"}, 7, {"type": "wait"}]}),
            unknown("batch_actions"),
        ),
    ];
    for (sent, expected) in vectors {
        assert_eq!(action(&sent), expected, "{sent}");
    }
}

#[test]
fn a_number_out_of_bounds_becomes_the_nearest_one_and_a_note_says_so() {
    for (sent, expected) in [
        (json!(-1), 0),
        (json!(0), 0),
        (json!(0.5), 1),
        (json!(1499.4), 1499),
        (json!("250"), 250),
        (json!(1e300), LONGEST_MS),
        (json!(u64::MAX), LONGEST_MS),
        (json!(-1e300), 0),
    ] {
        let normalised = normalise(&json!({"type": "wait", "durationMs": sent}));
        let action = serde_json::to_value(&normalised.action).unwrap();
        assert_eq!(action["durationMs"], expected, "{sent}");
        let used: Vec<_> = normalised.notes.iter().map(|note| note.used).collect();
        let as_is = sent == json!(expected);
        let change = if sent.is_string() { Used::Converted } else { Used::Nearest };
        assert_eq!(used, if as_is { vec![] } else { vec![change] }, "{sent}");
    }
}

#[test]
fn notes_name_the_field_and_never_hold_its_value() {
    let secret = "hunter2";
    let normalised = normalise(&json!({
        "type": "request_human_auth",
        "capability": secret,
        "instruction": "Sign in",
        "timeoutSec": secret,
        "uiTemplate": {"fields": [{"id": "pin", "label": "PIN", "type": secret}, secret]},
        "extra": secret,
    }));
    let notes: Vec<_> = normalised
        .notes
        .iter()
        .map(|note| (note.field.as_str(), note.seen_kind, note.used))
        .collect();
    assert_eq!(
        notes,
        [
            ("capability", SeenKind::String, Used::Default),
            ("timeoutSec", SeenKind::String, Used::Default),
            ("uiTemplate.fields[0].type", SeenKind::String, Used::Default),
            ("uiTemplate.fields[1]", SeenKind::String, Used::Dropped),
            ("extra", SeenKind::String, Used::Dropped),
        ]
    );
    assert!(!serde_json::to_string(&normalised.notes).unwrap().contains(secret));
}
