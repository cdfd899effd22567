//! How much memory a validation takes. In a file of its own: the number is the largest of all
//! children of this process so far, and nothing else may start one. On Linux it is also never below
//! what this process held when it started the child, so this file stays small.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_contract::limits::{MAX_ACTIONS, MAX_PAYLOAD_BYTES};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};

fn execution(actions: usize, text: &str) -> Value {
    let action = |index: usize| {
        let params = json!({ "matcher": { "role": "textfield" }, "text": text });
        json!({ "id": format!("step-{index:02}"), "type": "enter_text", "params": params })
    };
    let actions: Vec<Value> = (0..actions).map(action).collect();
    json!({
        "commandId": "cmd-001", "taskId": "task-001", "source": "tests",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30000, "actions": actions
    })
}

/// As large as an execution may be, in both ways.
fn largest() -> String {
    let room = MAX_PAYLOAD_BYTES - execution(MAX_ACTIONS, "").to_string().len();
    let mut execution = execution(MAX_ACTIONS, &"x".repeat(room / MAX_ACTIONS));
    let rest = MAX_PAYLOAD_BYTES - execution.to_string().len();
    execution["commandId"] = format!("cmd-001{}", "x".repeat(rest)).into();
    execution.to_string()
}

/// The most a validation took so far, this one included, in kilobytes.
fn peak_with(payload: &str) -> i64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_clawperator"))
        .args(["exec", "--validate-only", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.len() > payload.len());
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    // Kilobytes, except on macOS, which counts bytes.
    if cfg!(target_os = "macos") { peak / 1024 } else { peak }
}

#[test]
fn the_largest_execution_is_validated_in_little_memory() {
    let payload = largest();
    assert_eq!(payload.len(), MAX_PAYLOAD_BYTES);
    let smallest = peak_with(&execution(1, "x").to_string());
    let largest = peak_with(&payload);
    println!("peak: {smallest} kB for the smallest execution, {largest} kB for the largest");
    // One copy of it per action would be 3 MB.
    let grown = largest - smallest;
    assert!((1..2048).contains(&grown), "{smallest} kB, then {largest} kB");
    // The rest is the program itself. Of one that was not optimised, how much is counted depends more
    // on what the system happens to have in its cache than on us.
    assert!(cfg!(debug_assertions) || largest < 8 * 1024, "{largest} kB");
}
