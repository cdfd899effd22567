//! Sessions in OpenPocket's actions, as an agent has them: a process, lines in, lines out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod attacks;
mod endings;
mod people;
#[path = "../support/mod.rs"]
mod support;
mod talk;

use serde_json::{Value, json};
use std::fs;
use support::{Place, lines, root};
use talk::{Folder, Talk, answers};

/// Everything of `wanted` is in `seen`; what else is there does not matter.
fn within(wanted: &Value, seen: &Value) -> bool {
    match (wanted, seen) {
        (Value::Object(wanted), Value::Object(seen)) => {
            wanted.iter().all(|(key, value)| seen.get(key).is_some_and(|seen| within(value, seen)))
        }
        (Value::Array(wanted), Value::Array(seen)) => {
            wanted.len() == seen.len() && wanted.iter().zip(seen).all(|(w, s)| within(w, s))
        }
        _ => wanted == seen,
    }
}

#[test]
fn the_session_of_the_documentation_is_what_happens() {
    let page = fs::read_to_string(root().join("docs/pocket-session.md")).unwrap();
    let mut inside = false;
    let (mut sent, mut wanted) = (String::new(), Vec::new());
    for (place, line) in lines(&page) {
        match place {
            Place::Opens(language) => inside = language == "transcript",
            Place::Inside if inside => match line.split_at(2) {
                ("> ", line) => sent += &format!("{line}\n"),
                ("< ", line) => wanted.push(serde_json::from_str::<Value>(line).unwrap()),
                _ => panic!("neither sent nor answered: {line}"),
            },
            _ => {}
        }
    }
    let folder = Folder::new("transcript");
    folder.write("workspace/MEMORY.md", "The bedroom likes 21 degrees.\n");
    let output = folder.play(&sent, &[]);
    assert!(output.status.success(), "{output:?}");
    let seen = answers(&output);
    assert_eq!(seen.len(), wanted.len());
    for ((wanted, seen), sent) in wanted.iter().zip(&seen).zip(sent.lines()) {
        assert!(within(wanted, seen), "{sent}\nis answered {seen}\nnot {wanted}");
    }
    let page = folder.page();
    assert!(page.contains("I need the app first."), "{page}");
    assert!(
        page.contains("step-002-look-1-marks.png") && page.contains("## End: SUCCESS"),
        "{page}"
    );
    assert!(!page.contains("Zoë"), "what is typed is nobody's business: {page}");
}

#[test]
fn a_stop_is_heard_while_something_waits_and_what_comes_after_is_not_done() {
    let folder = Folder::new("stop");
    let mut talk = Talk::begin(folder.command(&[]));
    talk.send(&json!({"id": 1, "type": "wait", "durationMs": 2_000_000_000}));
    talk.send(&json!({"id": 2, "request": "stop"}));
    talk.send(&json!({"id": 3, "type": "write", "path": "late.txt", "content": "late"}));
    let waited = talk.hear();
    assert_eq!((&waited["id"], &waited["error"]["code"]), (&json!(1), &json!("POCKET_STOPPED")));
    assert_eq!(talk.hear(), json!({"id": 2, "ok": true, "stopped": true}));
    assert_eq!(talk.end(), 130);
    assert!(!folder.0.join("workspace/late.txt").exists());
    assert!(folder.page().contains("## End: FAILED"));
}

#[test]
fn the_step_limit_ends_the_session_and_the_rest_says_so() {
    let folder = Folder::new("limit");
    let steps = "{\"type\":\"wait\",\"durationMs\":0}\n".repeat(4);
    let output = folder.play(&steps, &["--max-steps", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let codes: Vec<Value> =
        answers(&output).iter().map(|answer| answer["error"]["code"].clone()).collect();
    let over = json!("POCKET_STEP_LIMIT");
    assert_eq!(codes, [Value::Null, Value::Null, over.clone(), over]);
}

#[test]
fn what_cannot_begin_says_why_and_touches_nothing() {
    let folder = Folder::new("begin");
    let bad = folder.write("bad.json", r#"{"agent":{"maxStep":3}}"#);
    let steps = folder.write("steps.jsonl", "");
    for (args, code) in [
        (vec!["--steps", "missing.jsonl"], "INPUT_UNREADABLE"),
        (vec!["--steps", &steps, "--config", &bad], "POCKET_CONFIG_INVALID"),
        (vec!["--steps", &steps, "--config", "missing.json"], "POCKET_CONFIG_INVALID"),
    ] {
        let output = folder.command(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(answers(&output)[0]["code"], code);
        assert!(!folder.0.join("session").exists());
    }
}
