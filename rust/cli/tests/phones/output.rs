//! Answers for people and for programs.

use crate::support::{CONFORMANCE, Desk, Program, add_one, execution, id};
use serde_json::json;
use std::path::Path;

#[test]
fn people_see_each_step_and_where_it_went() {
    for link in ["socket", "broadcast"] {
        let desk = Desk::new();
        desk.show(CONFORMANCE);
        let read = json!({ "id": "look", "type": "read_text", "params": {
            "matcher": { "resourceId": id("counter_value") } } });
        let flags = ["--output", "human", "--link", link];
        let answer = desk.exec(&json!([add_one("first"), read]), &flags);
        assert_eq!((answer.code, answer.err.as_str()), (Some(0), ""), "{}", answer.out);
        let lines: Vec<&str> = answer.out.lines().collect();
        assert!(lines[0].starts_with("✓ first click"), "{}", answer.out);
        assert!(lines[1].starts_with("✓ look read_text"), "{}", answer.out);
        assert!(lines[1].ends_with("text=Count: 1"), "{}", answer.out);
        let way = format!("done {} over {link}, ", desk.lab.serial);
        assert!(lines[2].starts_with(&way), "{}", answer.out);
        assert_eq!(lines.len(), 3, "{}", answer.out);
    }
}

#[test]
fn people_see_which_step_failed_why_and_what_to_do() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let stale = json!({ "id": "second", "type": "click", "params": { "ref": "n1@1" } });
    let actions = json!([add_one("first"), stale]);
    let answer = desk.exec(&actions, &["--output", "human", "--evidence", "evidence"]);
    assert_eq!((answer.code, answer.err.as_str()), (Some(1), ""), "{}", answer.out);
    let lines: Vec<&str> = answer.out.lines().collect();
    assert!(lines[0].starts_with("✓ first"), "{}", answer.out);
    assert!(lines[1].starts_with("✗ second"), "{}", answer.out);
    assert!(lines[2].trim_start().starts_with("NODE_STALE n1@1 is of a screen"), "{}", answer.out);
    assert!(
        lines[3].starts_with("failed Step second (click) failed: NODE_STALE"),
        "{}",
        answer.out
    );
    assert!(lines[4].contains("Take a new snapshot"), "{}", answer.out);
    assert!(lines[5].contains("evidence: evidence/"), "{}", answer.out);
}

#[test]
fn people_see_a_snapshot_as_it_is() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let answer = desk.run(&["snapshot", "--view", "text", "--output", "human"]);
    assert_eq!(answer.code, Some(0));
    assert!(
        answer.out.lines().any(|line| line.starts_with("button \"Add one\"")),
        "{}",
        answer.out
    );
}

#[test]
fn people_see_failures_in_words() {
    let desk = Desk::with(clawperator_lab::options(), vec![]);
    let answer = desk.run(&["snapshot", "--output", "human"]);
    assert_eq!((answer.code, answer.err.as_str()), (Some(1), ""));
    let lines: Vec<&str> = answer.out.lines().collect();
    assert!(lines[0].starts_with("OPERATOR_NOT_INSTALLED com.clawperator.operator is not"));
    assert!(lines[1].contains("`clawperator operator setup --device"), "{}", answer.out);
}

#[test]
fn what_is_no_terminal_gets_no_colours() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let stale = json!({ "id": "second", "type": "click", "params": { "ref": "n1@1" } });
    for args in [
        &["devices", "--output", "human"][..],
        &["version", "--output", "human"],
        &["exec", &execution(&json!([add_one("a"), stale])).to_string(), "--output", "human"],
        &["open", "com.example.nowhere", "--output", "human"],
        &["--help"],
    ] {
        let answer = desk.run(args);
        assert!(!answer.out.contains('\x1b') && !answer.out.is_empty(), "{args:?}: {}", answer.out);
        assert!(!answer.err.contains('\x1b'), "{args:?}: {}", answer.err);
    }
}

#[test]
fn programs_get_one_line_unless_they_want_it_pretty() {
    let desk = Desk::new();
    let plain = desk.run(&["press", "home"]).succeeded();
    let json = desk.run(&["press", "home", "--output", "json"]).succeeded();
    let flag = desk.run(&["press", "home", "--json"]).succeeded();
    for answer in [plain, json, flag] {
        assert_eq!(answer.out.lines().count(), 1);
        assert!(answer.out.ends_with("}\n") && !answer.out.contains(": "), "{}", answer.out);
    }
    let pretty = desk.run(&["press", "home", "--output", "pretty"]).succeeded();
    assert!(pretty.out.starts_with("{\n  \"envelope\": {\n"), "{}", pretty.out);
}

/// The commands a help page lists.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.trim().is_empty());
    let names = names.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_command_explains_itself() {
    let program = Program::at(1, Path::new("/nowhere/adb"));
    let mut open = vec![vec![]];
    let mut seen = 0;
    while let Some(path) = open.pop() {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let answer = program.run(&[&words[..], &["--help"]].concat());
        assert_eq!(answer.code, Some(0), "{path:?}: {}{}", answer.out, answer.err);
        assert!(answer.out.contains("Usage: "), "{path:?}: {}", answer.out);
        seen += 1;
        for name in listed(&answer.out) {
            open.push([path.clone(), vec![name]].concat());
        }
    }
    assert!(seen > 40, "only {seen} commands");
}
