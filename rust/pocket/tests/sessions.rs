//! Commands of an agent, in the foreground and in the background.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::ErrorCode;
use serde_json::{Value, json};
use support::{Dir, LONG};

#[test]
fn a_command_is_answered_in_the_schemas_words() {
    let dir = Dir::new();
    let mut desk = dir.free();
    let ran = desk.exec(" ls missing; echo out ");
    let lines: Vec<&str> = ran.text.lines().collect();
    let session = ran.data["session"].as_str().unwrap();
    assert_eq!(lines[0], format!("session={session}"));
    assert_eq!(lines[1], "status=completed");
    assert!(lines[2].starts_with("runtimeMs="), "{}", lines[2]);
    assert_eq!(lines[3], "exitCode=0");
    assert_eq!(lines[4], format!("cwd={}", dir.path("").to_str().unwrap().trim_end_matches('/')));
    assert_eq!(lines[5], "command=ls missing; echo out");
    assert_eq!(lines[6], "output=");
    assert!(lines[7].contains("missing") && lines[8] == "out", "in order: {}", ran.text);
    let (time, tail) = session.split_once('-').unwrap();
    assert!(tail.len() == 6 && time.chars().all(|c| c.is_ascii_alphanumeric()), "{session}");
    assert!(desk.exec("git --version > /dev/null").text.ends_with("output=(empty)"));
}

#[test]
fn a_command_that_fails_is_an_answer() {
    let dir = Dir::new();
    let mut desk = dir.free();
    let failed = desk.exec("ls missing");
    assert_eq!((&failed.data["status"], &failed.data["exitCode"]), (&json!("failed"), &json!(2)));
    let killed = desk.exec("kill -9 $$");
    assert_eq!(
        (&killed.data["status"], &killed.data["exitCode"]),
        (&json!("killed"), &Value::Null)
    );
}

#[test]
fn what_may_not_run_does_not() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({}));
    for command in ["", "date", "ls & date", "ls $(date)", "bash -c date", "ls; rm -r -f x"] {
        let action = json!({"type": "exec", "command": command});
        let failure = desk.fails(&action, ErrorCode::PocketCommandRefused);
        assert!(failure.message.starts_with("exec rejected: "), "{failure}");
    }
    let list = json!({"type": "process"});
    assert_eq!(desk.done(&list).text, "process list: no sessions");
}

#[test]
fn a_command_runs_where_it_is_told_inside_the_workspace() {
    let dir = Dir::new();
    dir.put("sub/file", "");
    dir.link(dir.outside(""), "link");
    dir.link("sub", "near");
    let mut desk = dir.desk(&json!({}));
    let at = |workdir: &str| json!({"type": "exec", "command": "pwd", "workdir": workdir});
    for workdir in ["sub", " near ", "./near/../sub/.", dir.path("sub").to_str().unwrap()] {
        let ran = desk.done(&at(workdir));
        assert_eq!(ran.data["output"], dir.path("sub").to_str().unwrap(), "{workdir}");
    }
    let secret = dir.outside("");
    for workdir in ["..", "link", "sub/../../out", secret.to_str().unwrap(), "/"] {
        desk.fails(&at(workdir), ErrorCode::PocketPathRefused);
    }
    for workdir in ["missing", "sub/file"] {
        desk.fails(&at(workdir), ErrorCode::PocketFileFailed);
    }
    let mut free = dir.desk(&json!({"codingTools": {"workspaceOnly": false}}));
    let ran = free.done(&at("../out"));
    assert_eq!(ran.data["output"], secret.to_str().unwrap().trim_end_matches('/'));
}

#[test]
fn a_command_in_the_background_is_polled_and_written_to() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({}));
    let started = desk.done(&json!({
        "type": "exec", "command": "sed -u -n -e 's/^/got /p' -e '/end/q'", "background": true,
    }));
    let session = started.data["session"].as_str().unwrap().to_owned();
    let head = format!("exec started in background: session={session}\ncommand=sed ");
    assert!(started.text.starts_with(&head), "{}", started.text);
    let listed = desk.done(&json!({"type": "process"})).text;
    assert!(
        listed.starts_with(&format!("process list (1):\n{session} status=running ")),
        "{listed}"
    );
    let running = desk.done(&json!({"type": "process", "action": "poll", "sessionId": session}));
    assert_eq!(running.data["status"], "running");
    for input in ["a\n", "end\n"] {
        let write =
            json!({"type": "process", "action": "write", "sessionId": session, "input": input});
        let expected = format!("process write: session={session} bytes={}", input.len());
        assert_eq!(desk.done(&write).text, expected);
    }
    let ended = desk.process("poll", &session);
    assert_eq!(
        (&ended.data["status"], &ended.data["output"]),
        (&json!("completed"), &json!("got a\ngot end"))
    );
    let write = json!({"type": "process", "action": "write", "sessionId": session, "input": "x"});
    let failure = desk.fails(&write, ErrorCode::PocketCommandFailed);
    assert!(failure.message.contains("is not writable"), "{failure}");
}

#[test]
fn input_that_nobody_reads_is_said_so_and_holds_nothing_up() {
    let dir = Dir::new();
    let mut desk = dir.free();
    let session = desk.start("sleep 600");
    let input = "x".repeat(200_000);
    let write = json!({"type": "process", "action": "write", "sessionId": session, "input": input});
    let failure = desk.fails(&write, ErrorCode::PocketCommandFailed);
    assert!(failure.message.contains("of 200000 bytes"), "{failure}");
}

#[test]
fn a_command_that_is_waited_for_has_nothing_to_read() {
    let dir = Dir::new();
    assert_eq!(dir.desk(&json!({})).exec("cat").data["status"], "completed");
}

#[test]
fn a_command_may_be_left_after_a_while() {
    let dir = Dir::new();
    let mut desk = dir.free();
    let left = desk.done(&json!({"type": "exec", "command": "sleep 600", "yieldMs": 1}));
    let session = left.data["session"].as_str().unwrap().to_owned();
    let text = format!("exec still running: session={session}\nuse process action=poll/log/kill");
    assert_eq!(left.text, text);
    let quick = desk.done(&json!({"type": "exec", "command": "echo hi", "yieldMs": 100_000}));
    assert_eq!((&quick.data["status"], &quick.data["output"]), (&json!("completed"), &json!("hi")));
    let killed = desk.process("kill", &session);
    assert_eq!(killed.text, format!("process kill: session={session} requested"));
    assert_eq!(killed.data["status"], "killed");
    let again = desk.process("kill", &session);
    assert_eq!(again.text, format!("process kill: session={session} already killed"));
}

#[test]
fn without_leave_for_the_background_the_end_is_waited_for() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({"codingTools": {"allowBackground": false}}));
    for action in [
        json!({"type": "exec", "command": "cat", "background": true}),
        json!({"type": "exec", "command": "cat", "yieldMs": 1}),
    ] {
        assert_eq!(desk.done(&action).data["status"], "completed");
    }
}

#[test]
fn a_command_that_takes_too_long_ends_with_its_group() {
    let dir = Dir::new();
    let gone = dir.fifo("fifo");
    let command = format!("{} & sleep 600", dir.deaf("fifo"));
    let ran = dir.free().done(&json!({"type": "exec", "command": command, "timeoutSec": 2}));
    assert_eq!((&ran.data["status"], &ran.data["exitCode"]), (&json!("timeout"), &Value::Null));
    assert!(ran.text.contains("\nexitCode=n/a\n"), "{}", ran.text);
    gone.recv_timeout(LONG).expect("a child lives on");
}

#[test]
fn a_kill_reaches_a_child_that_does_not_listen() {
    let dir = Dir::new();
    let gone = dir.fifo("fifo");
    let command = format!("{} & sleep 600", dir.deaf("fifo"));
    let mut desk = dir.free();
    let session = desk.start(&command);
    // The program says that it is ready once it holds the fifo.
    while desk.process("log", &session).data["output"] != "ready" {
        std::thread::yield_now();
    }
    assert_eq!(desk.process("kill", &session).data["status"], "killed");
    gone.recv_timeout(LONG).expect("a child lives on");
}

#[test]
fn everything_ends_with_the_session() {
    let dir = Dir::new();
    let mut desk = dir.free();
    let gone = dir.fifo("fifo");
    let command = format!("{} & sleep 600", dir.deaf("fifo"));
    let session = desk.start(&command);
    while desk.process("log", &session).data["output"] != "ready" {
        std::thread::yield_now();
    }
    drop(desk);
    gone.recv_timeout(LONG).expect("a child lives on");
}

#[test]
fn a_wish_to_stop_ends_a_command_that_is_waited_for_and_a_poll() {
    let dir = Dir::new();
    for action in [
        json!({"type": "exec", "command": "tee fifo <<< begun; sleep 600"}),
        json!({"type": "process", "action": "poll", "timeoutMs": 120_000}),
    ] {
        let _ = std::fs::remove_file(dir.path("fifo"));
        let begun = dir.fifo("fifo");
        let mut desk = dir.free();
        let stop = desk.stop.clone();
        let mut action = action;
        if action["type"] == "process" {
            action["sessionId"] = json!(desk.start("tee fifo <<< begun; sleep 600"));
        }
        std::thread::spawn(move || {
            begun.recv_timeout(LONG).expect("it never began");
            stop.ask();
        });
        desk.fails(&action, ErrorCode::PocketStopped);
    }
}

#[test]
fn a_log_without_an_offset_shows_its_end() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({}));
    let session = desk.start("awk 'BEGIN { for (i = 0; i < 10; i++) print \"line \" i }'");
    desk.process("poll", &session);
    let log = |with: Value| {
        let mut action = json!({"type": "process", "action": "log", "sessionId": session});
        action.as_object_mut().unwrap().extend(with.as_object().unwrap().clone());
        action
    };
    let head = format!("process log session={session}\nstatus=completed\n");
    for (with, rest) in [
        (json!({"limit": 2}), "range=8-10 total=10\nline 8\nline 9"),
        (json!({"limit": 2, "offset": null}), "range=8-10 total=10\nline 8\nline 9"),
        (json!({"limit": 2, "offset": 0}), "range=0-2 total=10\nline 0\nline 1"),
        (json!({"offset": 9}), "range=9-10 total=10\nline 9"),
        (json!({"offset": 99}), "range=10-10 total=10\n(empty)"),
    ] {
        assert_eq!(desk.done(&log(with)).text, format!("{head}{rest}"));
    }
}

#[test]
fn a_long_output_keeps_its_end_and_the_numbers_of_its_lines() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({"codingTools": {"maxOutputChars": 1000}}));
    let session = desk.start("awk 'BEGIN { for (i = 0; i < 50000; i++) print \"line \" i }'");
    let ended = desk.process("poll", &session);
    assert_eq!(ended.data["totalLines"], 50_000);
    let output = ended.data["output"].as_str().unwrap();
    assert!(output.starts_with("...[trimmed]\nline "), "{output}");
    assert!(output.ends_with("\n...[truncated]") && output.chars().count() < 1020, "{output}");
    let log = desk.process("log", &session);
    assert_eq!((&log.data["from"], &log.data["to"]), (&json!(49_800), &json!(50_000)));
    assert!(log.text.ends_with("\nline 49999"), "{}", log.text);
}

#[test]
fn a_session_has_to_be_named_and_known() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({}));
    for action in ["poll", "log", "write", "kill"] {
        let failure = desk.fails(
            &json!({"type": "process", "action": action}),
            ErrorCode::PocketActionIncomplete,
        );
        assert_eq!(failure.message, format!("process {action}: sessionId is required"));
        let unknown = json!({"type": "process", "action": action, "sessionId": "x"});
        let failure = desk.fails(&unknown, ErrorCode::PocketSessionUnknown);
        assert_eq!(failure.message, "process: session not found (x)");
    }
}

#[test]
fn the_number_of_commands_is_bounded() {
    let dir = Dir::new();
    let mut desk = dir.free();
    let first = desk.exec("echo first").data["session"].clone();
    let running: Vec<String> = (0..16).map(|_| desk.start("sleep 600")).collect();
    let action = json!({"type": "exec", "command": "echo"});
    let failure = desk.fails(&action, ErrorCode::PocketCommandRefused);
    assert!(failure.message.contains("16 commands run already"), "{failure}");
    desk.process("kill", &running[0]);
    for _ in 0..70 {
        desk.done(&action);
    }
    let listed = desk.done(&json!({"type": "process"}));
    let ids = listed.data["sessions"].as_array().unwrap();
    assert!(ids.len() <= 80, "{}", ids.len());
    assert!(!ids.contains(&first), "the oldest that ended is forgotten");
    assert!(ids.contains(&json!(running[1])), "one that runs is not");
}
