//! How the program ends, and what it leaves behind.

use crate::program::{Agent, command, scratch};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn agent(home: &Path) -> Agent {
    let mut command = command(home);
    command.args(["mcp", "--device", "sim"]);
    Agent::start(command)
}

/// Begins something that takes two minutes, and waits until the phone is at it.
fn long(agent: &mut Agent) -> u64 {
    let home = json!({ "id": "home", "type": "press_key", "params": { "key": "home" } });
    let sleep = json!({ "id": "sleep", "type": "sleep", "params": { "durationMs": 110_000 } });
    let id = agent.begin(
        "tools/call",
        json!({
            "name": "execute", "_meta": { "progressToken": "p" },
            "arguments": { "actions": [home, sleep], "timeoutMs": 120_000 },
        }),
    );
    agent.until(|message| message["method"] == "notifications/progress");
    id
}

/// What the log says became of the execution.
fn logged(home: &Path) -> Vec<Value> {
    let mut records = Vec::new();
    for entry in fs::read_dir(home).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
        records.extend(text.lines().filter_map(|line| serde_json::from_str(line).ok()));
    }
    records
}

fn stopped_on_the_phone(home: &Path) {
    let records = logged(home);
    assert!(
        records.iter().any(|record| record["code"] == "EXECUTION_CANCELLED"),
        "nothing was stopped: {records:?}"
    );
    fs::remove_dir_all(home).unwrap();
}

#[test]
fn the_end_of_input_ends_it_after_the_answers() {
    let home = scratch("eof");
    let mut agent = agent(&home);
    let id = agent.begin("tools/call", json!({ "name": "snapshot", "arguments": {} }));
    drop(agent.input.take());
    let answer = agent.until(|message| message["id"] == id);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    assert!(agent.next().is_none());
    assert!(agent.child.wait().unwrap().success());
    fs::remove_dir_all(home).unwrap();
}

#[test]
fn what_still_runs_when_input_ends_is_stopped_on_the_phone() {
    let home = scratch("gone");
    let mut agent = agent(&home);
    long(&mut agent);
    drop(agent.input.take());
    while agent.next().is_some() {}
    assert!(agent.child.wait().unwrap().success());
    stopped_on_the_phone(&home);
}

#[test]
fn a_signal_stops_the_phone_and_ends_it() {
    let home = scratch("signal");
    let mut agent = agent(&home);
    long(&mut agent);
    let id = Pid::from_raw(agent.child.id().try_into().unwrap());
    kill(id, Signal::SIGTERM).unwrap();
    while agent.next().is_some() {}
    assert!(agent.child.wait().unwrap().success());
    stopped_on_the_phone(&home);
}

#[test]
fn a_cancelled_call_is_stopped_on_the_phone_and_gets_no_answer() {
    let home = scratch("cancelled");
    let mut agent = agent(&home);
    let id = long(&mut agent);
    agent.say(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id },
    }));
    let next = agent.begin("tools/call", json!({ "name": "snapshot", "arguments": {} }));
    // Its turn comes when the phone has stopped.
    let answer = agent.until(|message| {
        assert_ne!(message["id"], id, "{message}");
        message["id"] == next
    });
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    drop(agent.input.take());
    assert!(agent.child.wait().unwrap().success());
    stopped_on_the_phone(&home);
}

#[test]
fn what_is_no_message_is_passed_over() {
    let home = scratch("garbage");
    let mut agent = agent(&home);
    use std::io::Write as _;
    agent.input.as_mut().unwrap().write_all(b"this is no JSON\n\n{}\n").unwrap();
    let answer = agent.ask("tools/list", json!({}));
    assert!(answer["result"]["tools"].is_array(), "{answer}");
    drop(agent.input.take());
    assert!(agent.child.wait().unwrap().success());
    fs::remove_dir_all(home).unwrap();
}

#[test]
fn without_a_phone_the_tools_say_what_is_missing() {
    let home = scratch("nobody");
    let mut command = command(&home);
    command.args(["mcp"]).env("ADB_PATH", "/nowhere/adb").env_remove("ANDROID_SERIAL");
    let mut agent = Agent::start(command);
    let answer = agent.ask("tools/call", json!({ "name": "snapshot", "arguments": {} }));
    let error = &answer["result"]["structuredContent"]["error"];
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(error["code"], "ADB_NOT_FOUND", "{answer}");
    assert!(error["hint"].is_string(), "{answer}");
    drop(agent.input.take());
    assert!(agent.child.wait().unwrap().success());
    fs::remove_dir_all(home).unwrap();
}
