//! Commands that are one action each: what they make of what was typed, and what they refuse.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

use serde_json::{Value, json};
use std::process::{Command, Stdio};

/// Runs the program; answers with its exit code and its answer.
fn clawperator(args: &[&str]) -> (i32, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_clawperator"))
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answer =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"));
    (output.status.code().unwrap(), answer)
}

/// What a command would send: its one action, and the timeout around it.
fn plan(args: &[&str]) -> (Value, Value) {
    let (code, answer) = clawperator(&[args, &["--dry-run"]].concat());
    assert_eq!(code, 0, "{args:?}: {answer}");
    let plan = &answer["plan"];
    assert_eq!(plan["actionCount"], 1);
    let mut action = plan["actions"][0].clone();
    assert!(!action["id"].as_str().unwrap().is_empty());
    action.as_object_mut().unwrap().remove("id");
    (action, plan["timeoutMs"].clone())
}

/// How a command is refused: its exit code, code and message.
fn refused(args: &[&str]) -> (i32, String, String) {
    let (exit, answer) = clawperator(&[args, &["--dry-run"]].concat());
    let text = |key: &str| answer[key].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    (exit, text("code"), text("message"))
}

#[test]
fn each_command_becomes_its_action_with_the_usual_timeout() {
    let table: &[(&[&str], Value)] = &[
        (&["snapshot"], json!({"type": "snapshot_ui"})),
        (
            &["snapshot", "--view", "text"],
            json!({"type": "snapshot_ui", "params": {"view": "text"}}),
        ),
        (&["screenshot"], json!({"type": "take_screenshot"})),
        (
            &["screenshot", "/tmp/a.png"],
            json!({"type": "take_screenshot", "params": {"path": "/tmp/a.png"}}),
        ),
        (
            &["screenshot", "--path", "a.png"],
            json!({"type": "take_screenshot", "params": {"path": "a.png"}}),
        ),
        (
            &["click", "--text", "Wi-Fi"],
            json!({"type": "click", "params": {"matcher": {"textEquals": "Wi-Fi"}}}),
        ),
        (
            &["tap", "--id", "a:id/b", "--long"],
            json!({"type": "click", "params": {"matcher": {"resourceId": "a:id/b"}, "clickType": "long_click"}}),
        ),
        (
            &["click", "--ref", "n12@57", "--focus"],
            json!({"type": "click", "params": {"ref": "n12@57", "clickType": "focus"}}),
        ),
        (
            &["click", "--coordinate", "10", "20"],
            json!({"type": "click", "params": {"coordinate": {"x": 10, "y": 20}}}),
        ),
        (
            &["type", "hello world", "--role", "textfield"],
            json!({"type": "enter_text", "params": {"matcher": {"role": "textfield"}, "text": "hello world", "submit": false}}),
        ),
        (
            &["type", "--text", "hi", "--id", "x", "--submit", "--append"],
            json!({"type": "enter_text", "params": {"matcher": {"resourceId": "x"}, "text": "hi", "submit": true, "clear": false}}),
        ),
        (&["type", "hi", "--focused"], json!({"type": "type_text", "params": {"text": "hi"}})),
        (
            &["read", "--text", "Price", "--container-id", "android:id/list"],
            json!({"type": "read_text", "params": {"matcher": {"textEquals": "Price"}, "container": {"resourceId": "android:id/list"}}}),
        ),
        (
            &["read", "--selector", r#"{"id":"android:id/title"}"#, "--all"],
            json!({"type": "read_text", "params": {"matcher": {"resourceId": "android:id/title"}, "all": true}}),
        ),
        (
            &[
                "read",
                "--text-contains",
                "Order",
                "--validator",
                "regex",
                "--validator-pattern",
                "^ORD",
            ],
            json!({"type": "read_text", "params": {"matcher": {"textContains": "Order"}, "validator": "regex", "validatorPattern": "^ORD"}}),
        ),
        (
            &["read-value", "--label", "Battery"],
            json!({"type": "read_key_value_pair", "params": {"labelMatcher": {"textEquals": "Battery"}}}),
        ),
        (
            &["read-value", "--text", "a", "--resource-id", "b", "--content-desc", "c", "--all"],
            json!({"type": "read_key_value_pair", "params": {"labelMatcher": {"textEquals": "a", "resourceId": "b", "contentDescEquals": "c"}, "all": true}}),
        ),
        (
            &["wait", "--text", "Done", "--role", "button"],
            json!({"type": "wait_for_node", "params": {"matcher": {"textEquals": "Done", "role": "button"}}}),
        ),
        (
            &["open", "com.android.settings"],
            json!({"type": "open_app", "params": {"applicationId": "com.android.settings"}}),
        ),
        (
            &["open", "https://clawperator.com"],
            json!({"type": "open_uri", "params": {"uri": "https://clawperator.com"}}),
        ),
        (
            &["open", "--app", "a.b"],
            json!({"type": "open_app", "params": {"applicationId": "a.b"}}),
        ),
        (&["press", "Home"], json!({"type": "press_key", "params": {"key": "home"}})),
        (&["back"], json!({"type": "press_key", "params": {"key": "back"}})),
        (&["close", "a.b"], json!({"type": "close_app", "params": {"applicationId": "a.b"}})),
        (
            &["close-app", "--app", "a.b"],
            json!({"type": "close_app", "params": {"applicationId": "a.b"}}),
        ),
        (&["sleep", "1500"], json!({"type": "sleep", "params": {"durationMs": 1500}})),
        (&["scroll"], json!({"type": "scroll", "params": {"direction": "down"}})),
        (
            &["scroll", "up", "--container-id", "l"],
            json!({"type": "scroll", "params": {"direction": "up", "container": {"resourceId": "l"}}}),
        ),
        (
            &["scroll-until", "--text", "About phone", "--container-id", "android:id/list"],
            json!({"type": "scroll_until", "params": {"direction": "down", "matcher": {"textEquals": "About phone"}, "container": {"resourceId": "android:id/list"}}}),
        ),
        (
            &["scroll-until", "--text", "a", "--click"],
            json!({"type": "scroll_and_click", "params": {"direction": "down", "matcher": {"textEquals": "a"}}}),
        ),
        (
            &["scroll-and-click", "--text", "a", "--direction", "left"],
            json!({"type": "scroll_and_click", "params": {"direction": "left", "matcher": {"textEquals": "a"}}}),
        ),
    ];
    for (args, wanted) in table {
        assert_eq!(plan(args), (wanted.clone(), json!(30_000)), "{args:?}");
    }
}

#[test]
fn every_name_of_a_selector_flag_means_the_same() {
    let matcher = |args: &[&str]| plan(args).0["params"]["matcher"].clone();
    assert_eq!(
        matcher(&[
            "click",
            "--text",
            "a",
            "--text-contains",
            "b",
            "--resource-id",
            "c",
            "--content-desc",
            "d",
            "--content-desc-contains",
            "e",
            "--role",
            "button"
        ]),
        matcher(&[
            "click",
            "--text",
            "a",
            "--text-contains",
            "b",
            "--id",
            "c",
            "--desc",
            "d",
            "--desc-contains",
            "e",
            "--role",
            "button"
        ]),
    );
    let container = |args: &[&str]| plan(args).0["params"]["container"].clone();
    let long = container(&[
        "scroll",
        "--container-text",
        "a",
        "--container-text-contains",
        "b",
        "--container-resource-id",
        "c",
        "--container-content-desc",
        "d",
        "--container-content-desc-contains",
        "e",
        "--container-role",
        "list",
    ]);
    assert_eq!(
        long,
        container(&[
            "scroll",
            "--container-text",
            "a",
            "--container-text-contains",
            "b",
            "--container-id",
            "c",
            "--container-desc",
            "d",
            "--container-desc-contains",
            "e",
            "--container-role",
            "list"
        ])
    );
    assert_eq!(long.as_object().unwrap().len(), 6);
}

#[test]
fn an_execution_outlives_the_action_it_waits_for() {
    let timeouts = |args: &[&str]| {
        let (action, timeout) = plan(args);
        (action["params"]["timeoutMs"].clone(), timeout)
    };
    assert_eq!(
        timeouts(&["wait", "--text", "a", "--timeout", "10000"]),
        (json!(10_000), json!(30_000))
    );
    assert_eq!(
        timeouts(&["wait", "--text", "a", "--timeout-ms", "40000"]),
        (json!(40_000), json!(45_000))
    );
    assert_eq!(
        timeouts(&["wait-for-nav", "--app", "a.b", "--timeout", "5000"]),
        (json!(5_000), json!(30_000))
    );
    assert_eq!(
        timeouts(&["wait-for-nav", "--text", "a", "--timeout", "30000"]),
        (json!(30_000), json!(35_000))
    );
    assert_eq!(plan(&["sleep", "40000"]).1, json!(45_000));
    assert_eq!(plan(&["sleep", "100", "--timeout", "60000"]).1, json!(60_000));
    assert_eq!(plan(&["click", "--text", "a", "--timeout", "5000"]).1, json!(5_000));
}

#[test]
fn contradictions_are_refused_before_anything_is_sent() {
    let invalid = "EXECUTION_VALIDATION_FAILED";
    let table: &[(&[&str], i32, &str, &str)] = &[
        (
            &["read", "--text", "Price", "--selector", r#"{"textEquals":"Price"}"#],
            1,
            invalid,
            "use --selector OR the simple flags, not both",
        ),
        (
            &["scroll", "--container-id", "a", "--container-selector", "{}"],
            1,
            invalid,
            "use --container-selector OR the simple container flags, not both",
        ),
        (
            &["click", "--selector", "{"],
            1,
            invalid,
            "--selector must be valid JSON: EOF while parsing an object at line 1 column 1",
        ),
        (
            &["click", "--selector", "[1]"],
            1,
            invalid,
            "--selector must be a JSON object, not an array",
        ),
        (&["click", "--selector", ""], 1, invalid, "--selector must not be blank"),
        (&["click", "--text", " "], 1, invalid, "--text must not be blank"),
        (&["scroll", "--container-text", ""], 1, invalid, "--container-text must not be blank"),
        (&["read-value", "--label", ""], 1, invalid, "--label must not be blank"),
        (
            &["click", "--coordinate", "1", "2", "--text", "a"],
            1,
            invalid,
            "use --coordinate OR a selector, not both",
        ),
        (
            &["click", "--coordinate", "1", "2", "--focus"],
            1,
            invalid,
            "--focus needs a node; a point cannot take the focus",
        ),
        (
            &["click", "--ref", "n1@2", "--text", "a"],
            1,
            invalid,
            "use --ref OR a selector, not both",
        ),
        (
            &["type", "a", "--focused", "--id", "b"],
            1,
            invalid,
            "use --focused OR a selector, not both",
        ),
        (
            &["wait-for-nav", "--app", "a"],
            2,
            "USAGE",
            "wait-for-nav needs --timeout MS: how long to wait, at most 30000",
        ),
    ];
    for (args, exit, code, message) in table {
        assert_eq!(refused(args), (*exit, (*code).to_owned(), (*message).to_owned()), "{args:?}");
    }
}

#[test]
fn a_command_without_its_target_says_what_it_needs() {
    for command in
        ["click", "read", "wait", "scroll-until", "scroll-and-click", "read-value", "wait-for-nav"]
    {
        let (exit, code, message) = refused(&[command]);
        assert_eq!((exit, code.as_str()), (2, "MISSING_SELECTOR"), "{command}");
        assert!(message.starts_with(&format!("{command} needs ")), "{message}");
    }
    assert_eq!(refused(&["type", "a"]).1, "MISSING_SELECTOR");
}

#[test]
fn wrong_command_lines_end_with_2() {
    let table: &[&[&str]] = &[
        &["click", "--text", "a", "--text", "b"],
        &["scroll", "sideways"],
        &["click", "--coordinate", "1"],
        &["click", "--coordinate", "-1", "2"],
        &["sleep"],
        &["open"],
        &["snapshot", "--format", "ascii"],
        &["click", "--text", "a", "--timeout", "soon"],
        &["click", "--text", "a", "--timeout", "NaN"],
        &["click", "--text", "a", "--validate-only"],
        &["click", "--wait", "5", "--text", "a"],
    ];
    for args in table {
        let (exit, code, _) = refused(args);
        assert_eq!((exit, code.as_str()), (2, "USAGE"), "{args:?}");
    }
}

#[test]
fn rules_of_the_contract_hold_for_flags_too() {
    let path = |args: &[&str]| {
        clawperator(&[args, &["--validate-only"]].concat()).1["details"]["path"].clone()
    };
    assert_eq!(path(&["sleep", "-5"]), "actions.0.params.durationMs");
    assert_eq!(path(&["press", "volume"]), "actions.0.params.key");
    assert_eq!(
        path(&["wait-for-nav", "--app", "a", "--timeout", "0"]),
        "actions.0.params.timeoutMs"
    );
    assert_eq!(
        path(&["wait-for-nav", "--app", "a", "--timeout", "30001"]),
        "actions.0.params.timeoutMs"
    );
    assert_eq!(path(&["click", "--selector", r#"{"colour":"red"}"#]), "actions.0.params.matcher");
    assert_eq!(path(&["click", "--text", &"x".repeat(513)]), "actions.0.params.matcher.textEquals");
    assert_eq!(path(&["click", "--text", "a", "--timeout", "10"]), "timeoutMs");
}
