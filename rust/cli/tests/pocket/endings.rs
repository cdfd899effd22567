//! Agents, terminals, disks and ports that fail, and what is left of a session then.

use crate::talk::{Folder, Talk, answers};
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::net::TcpListener;

fn asking(port: u16) -> String {
    json!({"humanAuth": {"enabled": true, "localRelayPort": port}}).to_string()
}

#[test]
fn lines_that_are_no_text_or_too_long_or_broken_off_are_refused_and_others_are_done() {
    let folder = Folder::new("lines");
    let mut lines = b"{\"type\":\"write\",\"path\":\"a\xff\",\"content\":\"x\"}\n".to_vec();
    lines.extend(b"\n  \r\n");
    lines.extend(vec![b'x'; 17 << 20]);
    lines.extend(b"\n{\"id\":\"next\",\"type\":\"wait\",\"durationMs\":0}\r\n");
    lines.extend(b"{\"type\":\"write\",\"path\":\"half\",\"content\":\"x");
    let output = folder.play(&lines, &[]);
    assert!(output.status.success(), "{output:?}");
    let seen = answers(&output);
    let said = |at: usize| seen[at]["error"]["message"].as_str().unwrap_or_default();
    assert_eq!(said(0), "line 1: byte 26 is not UTF-8");
    assert_eq!(said(1), "line 4: longer than 16 MiB");
    assert_eq!((&seen[2]["id"], &seen[2]["ok"]), (&json!("next"), &json!(true)));
    assert!(said(3).starts_with("line 6: not JSON"), "{seen:?}");
    assert_eq!(seen.len(), 4);
    assert_eq!(fs::read_dir(folder.0.join("workspace")).unwrap().count(), 0);
}

#[test]
fn lines_that_cannot_be_read_are_a_failure() {
    let folder = Folder::new("unreadable");
    let output = folder.command(&["--steps", "workspace"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(answers(&output)[0]["error"]["code"], "INPUT_UNREADABLE");
    assert!(folder.page().contains("## End: FAILED"));
}

#[test]
fn an_agent_that_has_gone_leaves_a_session_that_ended() {
    let folder = Folder::new("gone");
    let mut talk = Talk::begin(folder.command(&[]));
    talk.did(&json!({"type": "wait", "durationMs": 0}));
    drop(talk.from.take());
    talk.send(&json!({"type": "wait", "durationMs": 0}));
    assert_eq!(talk.end(), 1);
    assert!(folder.page().contains("## End: FAILED"));
}

/// Interrupts what is being done, and looks at what is left.
fn interrupted(folder: &Folder, mut talk: Talk) {
    talk.interrupt();
    let answer = talk.hear();
    assert_eq!(answer["error"]["code"], "POCKET_STOPPED", "{answer}");
    assert_eq!(talk.end(), 130);
    assert!(folder.page().contains("## End: FAILED"));
}

#[test]
fn ctrl_c_ends_the_wait_for_a_person() {
    let folder = Folder::new("interrupt-person");
    let settings = folder.write("settings.json", &asking(0));
    let mut talk = Talk::begin(folder.command(&["--config", &settings, "--events"]));
    talk.send(&json!({"type": "request_human_auth", "capability": "payment"}));
    assert_eq!(talk.hear()["event"], "human_auth");
    interrupted(&folder, talk);
}

#[test]
fn ctrl_c_ends_a_command() {
    let folder = Folder::new("interrupt-command");
    let fifo = folder.0.join("workspace/fifo");
    mkfifo(&fifo, Mode::S_IRWXU).unwrap();
    let mut talk = Talk::begin(folder.command(&[]));
    talk.send(&json!({"type": "exec", "command": "cat fifo"}));
    // Opened once the command reads it; while it is open the command does not end.
    let held = OpenOptions::new().write(true).open(&fifo).unwrap();
    interrupted(&folder, talk);
    drop(held);
}

#[test]
fn ctrl_c_does_not_wait_for_a_long_gesture() {
    let folder = Folder::new("interrupt-gesture");
    let mut talk = Talk::begin(folder.command(&[]));
    talk.did(&json!({"type": "wait", "durationMs": 0}));
    talk.send(&json!({"type": "long_press_drag", "x1": 9, "y1": 9, "x2": 99, "y2": 99,
        "holdMs": 30_000, "durationMs": 30_000}));
    talk.interrupt();
    assert_eq!(talk.end(), 130);
    assert!(folder.page().contains("## End: FAILED"));
}

#[test]
fn a_port_that_is_taken_is_told_with_what_to_do() {
    let folder = Folder::new("port");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let settings = folder.write("settings.json", &asking(port));
    let output = folder.play("", &["--config", &settings]);
    assert_eq!(output.status.code(), Some(1));
    let failure = &answers(&output)[0];
    assert_eq!(failure["code"], "POCKET_HUMAN_UNAVAILABLE", "{failure}");
    assert!(failure["message"].as_str().unwrap().contains(&port.to_string()), "{failure}");
    assert!(failure["hint"].as_str().unwrap().contains("another port"), "{failure}");
    assert!(!folder.0.join("session").exists());
}

#[test]
fn a_session_folder_that_cannot_be_made_is_told_before_anything_is_done() {
    let folder = Folder::new("folder");
    folder.write("session", "a file of the user");
    let line = r#"{"type":"write","path":"a","content":"x"}"#;
    let output = folder.play(line, &[]);
    assert_eq!(output.status.code(), Some(1));
    let failure = &answers(&output)[0];
    assert_eq!(failure["code"], "OUTPUT_UNWRITABLE", "{failure}");
    assert!(failure["message"].as_str().unwrap().starts_with("session: "), "{failure}");
    assert!(!folder.0.join("workspace/a").exists());
}

#[test]
fn an_agent_still_sees_when_its_pictures_cannot_be_kept() {
    let folder = Folder::new("kept");
    let mut talk = Talk::begin(folder.command(&[]));
    talk.did(&json!({"type": "wait", "durationMs": 0}));
    fs::remove_dir_all(folder.0.join("session")).unwrap();
    let refused = talk.ask(&json!({"request": "snapshot", "pictures": "files"}));
    assert_eq!(refused["error"]["code"], "OUTPUT_UNWRITABLE", "{refused}");
    let seen = talk.did(&json!({"request": "snapshot"}));
    assert_eq!(seen["unrecorded"]["code"], "OUTPUT_UNWRITABLE");
    assert_ne!(seen["snapshot"]["screenshotBase64"], Value::from(""));
    talk.did(&json!({"type": "finish"}));
    assert_eq!(talk.end(), 0);
}
