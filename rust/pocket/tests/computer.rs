//! The computer's actions as a session performs them: files, notes, and what the settings switch.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::ErrorCode;
use clawperator_pocket::normalise;
use serde_json::{Value, json};
use std::fs;
use support::Dir;

/// The vector of the original's tests: a file of five lines and one of four.
fn notes(dir: &Dir) {
    let memory = [
        "# MEMORY",
        "",
        "- User prefers being called Sergio.",
        "- Assistant name is JarvisPhone.",
        "- User checks San Francisco weather every morning.",
    ];
    dir.put("MEMORY.md", &memory.join("\n"));
    let daily = [
        "# Memory 2026-02-22",
        "",
        "- Discussed Gmail inbox cleanup task.",
        "- Created weather search flow for San Francisco forecast.",
    ];
    dir.put("memory/2026-02-22.md", &daily.join("\n"));
}

fn found(results: &Value) -> Vec<(String, f64)> {
    let results = results.as_array().unwrap().iter();
    results
        .map(|hit| (hit["citation"].as_str().unwrap().to_owned(), hit["score"].as_f64().unwrap()))
        .collect()
}

#[test]
fn files_are_written_read_edited_and_patched_in_the_schemas_words() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({}));
    let mut says = |action: Value| desk.done(&action).text;
    assert_eq!(
        says(json!({"type": "write", "path": "a/b.txt", "content": "one\ntwö\n"})),
        "write path=a/b.txt bytes=9 append=false"
    );
    assert_eq!(
        says(json!({"type": "write", "path": "a/b.txt", "content": "three", "append": true})),
        "write path=a/b.txt bytes=5 append=true"
    );
    assert_eq!(
        says(json!({"type": "read", "path": "a/b.txt", "from": 2, "lines": 1})),
        "read path=a/b.txt\nrange=2-2 totalLines=3\ntwö"
    );
    assert_eq!(
        says(json!({"type": "edit", "path": "a/b.txt", "find": "one", "replace": "$&"})),
        "edit path=a/b.txt replacements=1"
    );
    let patch = "*** Begin Patch\n*** Add File: new\n+x\n*** Delete File: a/b.txt\n*** End Patch";
    assert_eq!(
        says(json!({"type": "apply_patch", "input": patch})),
        "Success. Updated the following files:\nA new\nD a/b.txt"
    );
    let read = desk.done(&json!({"type": "read", "path": "new"}));
    assert_eq!((&read.data["text"], &read.data["totalLines"]), (&json!("x\n"), &json!(2)));
}

#[test]
fn nothing_outside_the_workspace_is_touched_unless_the_settings_let_it() {
    let dir = Dir::new();
    dir.link(dir.outside(""), "link");
    let patch = |path: &str| {
        let input = format!("*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch");
        json!({"type": "apply_patch", "input": input})
    };
    let absolute = dir.outside("secret.md");
    let paths = ["../out/secret.md", "link/secret.md", absolute.to_str().unwrap()];
    let mut desk = dir.desk(&json!({}));
    for path in paths {
        for action in [
            json!({"type": "read", "path": path}),
            json!({"type": "write", "path": path, "content": "x"}),
            json!({"type": "edit", "path": path, "find": "secret", "replace": "x"}),
            patch(path),
        ] {
            let failure = desk.fails(&action, ErrorCode::PocketPathRefused);
            let action = action["type"].as_str().unwrap();
            assert!(failure.message.starts_with(&format!("{action}: path escapes")), "{failure}");
        }
    }
    assert_eq!(fs::read_to_string(&absolute).unwrap(), "secret\n");

    let mut free = dir.desk(&json!({"coding_tools": {"workspace_only": false}}));
    // Above the root of the system is the root again.
    let far = format!("{}{}", "../".repeat(40), &absolute.to_str().unwrap()[1..]);
    for path in paths.into_iter().chain([far.as_str()]) {
        let read = free.done(&json!({"type": "read", "path": path}));
        // Where it really is: outside, so from the root.
        assert_eq!(read.data["path"], absolute.to_str().unwrap(), "{path}");
        free.done(&json!({"type": "write", "path": path, "content": "1"}));
        free.done(&json!({"type": "edit", "path": path, "find": "1", "replace": "2"}));
        free.done(&patch(path));
        assert_eq!(fs::read_to_string(&absolute).unwrap(), "x\n");
    }
    let written = free.done(&json!({"type": "write", "path": "sub/in", "content": "x"}));
    assert_eq!(written.data["path"], "sub/in");
}

#[test]
fn the_coding_actions_can_be_switched_off() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({"codingTools": {"enabled": false}}));
    for kind in ["read", "write", "edit", "apply_patch", "exec", "process"] {
        let action = json!({"type": kind, "path": "x", "content": "x", "command": "ls"});
        let failure = desk.fails(&action, ErrorCode::PocketDisabled);
        assert_eq!(failure.details["setting"], "codingTools.enabled");
    }
    assert_eq!(fs::read_dir(dir.path("")).unwrap().count(), 0);
    let mut desk = dir.desk(&json!({"codingTools": {"applyPatchEnabled": false}}));
    desk.fails(&json!({"type": "apply_patch"}), ErrorCode::PocketDisabled);
    desk.done(&json!({"type": "write", "path": "x"}));
    let mut desk = dir.desk(&json!({"memoryTools": {"enabled": false}}));
    desk.fails(&json!({"type": "memory_search", "query": "x"}), ErrorCode::PocketDisabled);
    desk.fails(&json!({"type": "memory_get", "path": "MEMORY.md"}), ErrorCode::PocketDisabled);
}

#[test]
fn other_actions_are_left_to_others() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({}));
    for kind in
        ["tap", "swipe", "type", "keyevent", "shell", "request_human_auth", "wait", "finish"]
    {
        let action = normalise(&json!({"type": kind}));
        assert!(
            desk.computer.perform(&action.action, &action.notes, &desk.stop).is_none(),
            "{kind}"
        );
    }
}

#[test]
fn notes_are_ranked_by_phrase_and_words() {
    let dir = Dir::new();
    notes(&dir);
    let mut desk = dir.desk(&json!({}));
    let mut search = |query: &str| {
        let done = desk.done(&json!({"type": "memory_search", "query": query}));
        assert_eq!(
            serde_json::from_str::<Value>(&done.text).unwrap(),
            Value::Object(done.data.clone())
        );
        found(&done.data["results"])
    };
    let daily = "memory/2026-02-22.md";
    let with = |scores: [f64; 4]| {
        let places = ["MEMORY.md#L1-L5", "MEMORY.md#L4-L5"].map(str::to_owned);
        let places = places.into_iter().chain([format!("{daily}#L1-L4"), format!("{daily}#L4")]);
        places.zip(scores).collect::<Vec<_>>()
    };
    assert_eq!(search("Jarvis weather San Francisco"), with([0.5, 0.5, 0.375, 0.375]));
    assert_eq!(search(" San Francisco "), with([1.0, 1.0, 1.0, 1.0]));
    assert_eq!(search("Gmail!"), [(format!("{daily}#L1-L4"), 0.5)]);
    assert_eq!(search("zebra"), []);
    // One letter is no word: everything is as likely, and what has it is likelier.
    assert_eq!(search("ß"), with([0.2, 0.2, 0.2, 0.2]));
}

#[test]
fn a_search_is_bounded_by_the_action_else_by_the_settings() {
    let dir = Dir::new();
    let line = |number: usize| format!("note {number}\n\n\n\n\n\n\n\n");
    dir.put("memory/deep/er/notes.MD", &(0..10).map(line).collect::<String>());
    dir.put("MEMORY.md", &"note ".repeat(100));
    let settings = json!({"memoryTools": {"maxResults": 2, "maxSnippetChars": 200, "minScore": 1}});
    let mut desk = dir.desk(&settings);
    let done = desk.done(&json!({"type": "memory_search", "query": "note"}));
    let results = done.data["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let snippet = results[0]["snippet"].as_str().unwrap();
    assert!(snippet.len() == 215 && snippet.ends_with("note \n...[truncated]"), "{snippet}");
    assert_eq!((&done.data["minScore"], &done.data["scannedFiles"]), (&json!(1.0), &json!(2)));
    let more =
        json!({"type": "memory_search", "query": "note x y", "maxResults": 9, "minScore": 0.1});
    // Three windows of one file at most.
    assert_eq!(desk.done(&more).data["results"].as_array().unwrap().len(), 4);
    desk.fails(&json!({"type": "memory_search", "query": " "}), ErrorCode::PocketActionIncomplete);
}

#[test]
fn only_notes_are_read_and_no_link_makes_a_note_of_another_file() {
    let dir = Dir::new();
    notes(&dir);
    dir.put(".env", "SECRET=1\n");
    dir.put("memory/key.txt", "secret");
    dir.link(dir.outside("secret.md"), "memory/out.md");
    dir.link("../.env", "memory/env.md");
    dir.link(dir.outside(""), "memory/folder");
    dir.link("2026-02-22.md", "memory/today.md");
    let mut desk = dir.desk(&json!({"codingTools": {"workspaceOnly": false}}));
    for path in [
        "USER.md",
        ".env",
        "memory/key.txt",
        "memory/../.env",
        "memory/out.md",
        "memory/env.md",
        "memory/folder/secret.md",
        "../out/secret.md",
        "/etc/passwd",
        "memory",
    ] {
        let action = json!({"type": "memory_get", "path": path});
        let failure = desk.fails(&action, ErrorCode::PocketPathRefused);
        assert!(failure.message.starts_with("memory_get: "), "{failure}");
    }
    let searched = desk.done(&json!({"type": "memory_search", "query": "secret", "minScore": 0.4}));
    assert_eq!(
        (&searched.data["scannedFiles"], &searched.data["results"]),
        (&json!(2), &json!([]))
    );
    desk.done(&json!({"type": "memory_get", "path": "memory/today.md"}));
    fs::remove_file(dir.path("MEMORY.md")).unwrap();
    dir.link(".env", "MEMORY.md");
    desk.fails(&json!({"type": "memory_get", "path": "MEMORY.md"}), ErrorCode::PocketPathRefused);
    let searched = desk.done(&json!({"type": "memory_search", "query": "secret", "minScore": 0.4}));
    assert_eq!(searched.data["results"], json!([]));
    desk.fails(&json!({"type": "memory_get", "path": " "}), ErrorCode::PocketActionIncomplete);
}

#[test]
fn lines_of_a_note_are_given_and_a_missing_one_is_no_failure() {
    let dir = Dir::new();
    dir.put("memory/2026-02-22.md", "line-1\nline-2\nline-3\nline-4");
    let mut desk = dir.desk(&json!({}));
    let mut get = |path: &str, from: u64, lines: u64| {
        let action = json!({"type": "memory_get", "path": path, "from": from, "lines": lines});
        Value::Object(desk.done(&action).data)
    };
    let path = "memory/2026-02-22.md";
    assert_eq!(
        get(path, 2, 2),
        json!({"path": path, "from": 2, "lines": 2, "totalLines": 4, "text": "line-2\nline-3"})
    );
    assert_eq!(get(path, 99, 99)["text"], "line-4");
    assert_eq!(get("MEMORY.md", 1, 1), json!({"path": "MEMORY.md", "text": "", "missing": true}));
}

#[test]
fn a_file_too_large_for_a_note_is_passed_over_and_named() {
    let dir = Dir::new();
    notes(&dir);
    dir.put("memory/huge.md", &"San Francisco\n".repeat(200_000));
    let mut desk = dir.desk(&json!({}));
    let done = desk.done(&json!({"type": "memory_search", "query": "San Francisco"}));
    assert_eq!(done.data["scannedFiles"], 2);
    assert!(done.data["skipped"][0].as_str().unwrap().starts_with("memory/huge.md"));
    desk.fails(
        &json!({"type": "memory_get", "path": "memory/huge.md"}),
        ErrorCode::PocketFileFailed,
    );
}
