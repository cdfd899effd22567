//! How much memory a validation takes. In a file of its own: the number is the largest of all
//! children of this process, and there must be one. On Linux it is also never below what this
//! process held when it started the child, so this file stays small.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_contract::limits::{MAX_ACTIONS, MAX_PAYLOAD_BYTES};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// As large as an execution may be, in both ways.
fn largest() -> String {
    let execution = |text: &str| {
        let action = |index: usize| {
            let params = json!({ "matcher": { "role": "textfield" }, "text": text });
            json!({ "id": format!("step-{index:02}"), "type": "enter_text", "params": params })
        };
        let actions: Vec<Value> = (0..MAX_ACTIONS).map(action).collect();
        json!({
            "commandId": "cmd-001", "taskId": "task-001", "source": "tests",
            "expectedFormat": "android-ui-automator", "timeoutMs": 30000, "actions": actions
        })
    };
    let room = MAX_PAYLOAD_BYTES - execution("").to_string().len();
    let mut execution = execution(&"x".repeat(room / MAX_ACTIONS));
    let rest = MAX_PAYLOAD_BYTES - execution.to_string().len();
    execution["commandId"] = format!("cmd-001{}", "x".repeat(rest)).into();
    execution.to_string()
}

#[test]
fn the_largest_execution_is_validated_in_little_memory() {
    let payload = largest();
    assert_eq!(payload.len(), MAX_PAYLOAD_BYTES);
    let mut child = Command::new(env!("CARGO_BIN_EXE_clawperator"))
        .args(["exec", "--validate-only", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.len() > MAX_PAYLOAD_BYTES);

    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    // Kilobytes, except on macOS, which counts bytes.
    let kilobytes = if cfg!(target_os = "macos") { peak / 1024 } else { peak };
    println!("peak: {kilobytes} kB");
    // Half of it is the program itself, and code that was not optimised is three times as large.
    let most = if cfg!(debug_assertions) { 12 * 1024 } else { 8 * 1024 };
    assert!((1..most).contains(&kilobytes), "{kilobytes} kB");
}
