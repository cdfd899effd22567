//! Other spellings: each becomes the canonical one before anything is judged, for both readers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use serde_json::{Value, json};
use support::{act, canonical, canonical_action, execution, path, phone, refused};

/// What an action of that type must have beside the parameter under test.
fn completed(kind: &str, mut params: Value) -> Value {
    let has = |params: &Value, keys: &[&str]| keys.iter().any(|key| params.get(key).is_some());
    let matcher = json!({"textEquals": "x"});
    if matches!(kind, "wait_for_node" | "click" | "scroll_and_click" | "read_text" | "enter_text")
        && !has(&params, &["matcher", "selector", "node", "element", "coordinate"])
    {
        params["matcher"] = matcher.clone();
    }
    if kind == "enter_text" && !has(&params, &["text", "value"]) {
        params["text"] = "x".into();
    }
    if kind == "wait_for_navigation" {
        if !has(
            &params,
            &["expectedPackage", "expected_package", "expectedNode", "wait_for", "expected_node"],
        ) {
            params["expectedPackage"] = "a.b".into();
        }
        if !has(&params, &["timeoutMs", "timeout_ms"]) {
            params["timeoutMs"] = 5000.into();
        }
    }
    params
}

/// Type, canonical key, a value for it, its aliases.
fn params() -> Vec<(&'static str, &'static str, Value, Vec<&'static str>)> {
    let app = ["application_id", "app_id", "appId", "app", "package", "package_id", "packageId"];
    let node = || json!({"textEquals": "Wi-Fi"});
    let matcher = ["selector", "node", "element"];
    let within = ["within", "container_selector"];
    vec![
        ("open_app", "applicationId", json!("a.b"), app.to_vec()),
        ("close_app", "applicationId", json!("a.b"), app.to_vec()),
        ("open_uri", "uri", json!("https://clawperator.com"), vec!["url"]),
        ("start_recording", "sessionId", json!("s"), vec!["session_id"]),
        ("stop_recording", "sessionId", json!("s"), vec!["session_id"]),
        ("sleep", "durationMs", json!(5), vec!["duration_ms"]),
        ("take_screenshot", "path", json!("/tmp/a.png"), vec!["file", "filePath", "output_path"]),
        ("click", "matcher", node(), matcher.to_vec()),
        ("wait_for_node", "matcher", node(), matcher.to_vec()),
        ("read_text", "matcher", node(), matcher.to_vec()),
        ("enter_text", "matcher", node(), matcher.to_vec()),
        ("scroll_until", "matcher", node(), matcher.to_vec()),
        ("scroll_and_click", "matcher", node(), matcher.to_vec()),
        ("enter_text", "text", json!("hello"), vec!["value"]),
        ("click", "clickType", json!("long_click"), vec!["click_type"]),
        ("scroll", "container", node(), within.to_vec()),
        ("read_text", "container", node(), within.to_vec()),
        ("scroll_and_click", "maxSwipes", json!(3), vec!["max_swipes"]),
        ("scroll", "distanceRatio", json!(0.5), vec!["distance_ratio"]),
        ("scroll", "settleDelayMs", json!(9), vec!["settle_delay_ms"]),
        ("scroll_until", "maxScrolls", json!(7), vec!["max_scrolls"]),
        ("scroll_until", "maxDurationMs", json!(7), vec!["max_duration_ms"]),
        (
            "scroll_until",
            "noPositionChangeThreshold",
            json!(7),
            vec!["no_position_change_threshold"],
        ),
        ("scroll", "findFirstScrollableChild", json!(false), vec!["find_first_scrollable_child"]),
        ("scroll_and_click", "clickAfter", json!(false), vec!["click_after"]),
        ("read_text", "validatorPattern", json!("a+"), vec!["validator_pattern"]),
        ("wait_for_navigation", "expectedPackage", json!("c.d"), vec!["expected_package"]),
        ("wait_for_navigation", "expectedNode", node(), vec!["expected_node", "wait_for"]),
        ("wait_for_navigation", "timeoutMs", json!(9), vec!["timeout_ms"]),
        ("wait_for_node", "timeoutMs", json!(9), vec!["timeout_ms"]),
        ("read_key_value_pair", "labelMatcher", node(), vec!["label_matcher", "label_selector"]),
    ]
}

const TOP: &[(&str, &str)] = &[
    ("command_id", "commandId"),
    ("task_id", "taskId"),
    ("expected_format", "expectedFormat"),
    ("timeout_ms", "timeoutMs"),
];

const MATCHER: &[(&str, &str)] = &[
    ("id", "resourceId"),
    ("resource_id", "resourceId"),
    ("text", "textEquals"),
    ("text_contains", "textContains"),
    ("content_desc", "contentDescEquals"),
    ("description", "contentDescEquals"),
    ("accessibility_label", "contentDescEquals"),
    ("content_desc_equals", "contentDescEquals"),
    ("content_desc_contains", "contentDescContains"),
    ("description_contains", "contentDescContains"),
    ("accessibility_label_contains", "contentDescContains"),
];

#[test]
fn every_other_name_of_a_type_becomes_the_canonical_one() {
    let node = json!({"matcher": {"textEquals": "x"}});
    let text = json!({"matcher": {"textEquals": "x"}, "text": "y"});
    let cases = [
        ("open_url", "open_uri", json!({"uri": "a:b"})),
        ("tap", "click", node.clone()),
        ("press", "click", node.clone()),
        ("wait_for", "wait_for_node", node.clone()),
        ("find", "wait_for_node", node.clone()),
        ("find_node", "wait_for_node", node.clone()),
        ("read", "read_text", node),
        ("snapshot", "snapshot_ui", json!({})),
        ("screenshot", "take_screenshot", json!({})),
        ("capture_screenshot", "take_screenshot", json!({})),
        ("type_text", "enter_text", text.clone()),
        ("text_entry", "enter_text", text.clone()),
        ("input_text", "enter_text", text),
        ("key_press", "press_key", json!({"key": "back"})),
    ];
    for (alias, name, params) in cases {
        assert_eq!(canonical_action(alias, &params)["type"], name, "{alias}");
        assert_eq!(act(alias, &params), act(name, &params), "{alias}");
    }
}

#[test]
fn every_other_spelling_of_a_parameter_becomes_the_canonical_one() {
    for (kind, key, value, aliases) in params() {
        let wanted = completed(kind, json!({ key: value }));
        for alias in aliases {
            let given = completed(kind, json!({ alias: value }));
            assert_eq!(canonical_action(kind, &given)["params"], wanted, "{kind}.{alias}");
            assert_eq!(act(kind, &given), act(kind, &wanted), "{kind}.{alias}");
        }
    }
}

#[test]
fn every_other_spelling_of_a_matcher_field_becomes_the_canonical_one_in_every_matcher() {
    let places = [
        ("click", "matcher"),
        ("scroll", "container"),
        ("wait_for_navigation", "expectedNode"),
        ("read_key_value_pair", "labelMatcher"),
    ];
    for (alias, key) in MATCHER {
        for (kind, place) in places {
            let given = completed(kind, json!({ place: { *alias: "x" } }));
            let wanted = completed(kind, json!({ place: { *key: "x" } }));
            assert_eq!(canonical_action(kind, &given)["params"], wanted, "{kind} {alias}");
            assert_eq!(act(kind, &given), act(kind, &wanted), "{kind} {alias}");
        }
    }
}

#[test]
fn every_other_spelling_at_the_top_becomes_the_canonical_one() {
    let wanted = execution(json!([{"id": "a", "type": "snapshot_ui"}]));
    for (alias, key) in TOP {
        let mut given = wanted.clone();
        given[*alias] = given.as_object_mut().unwrap().remove(*key).unwrap();
        assert_eq!(canonical(&given), wanted, "{alias}");
        assert_eq!(phone(&given), phone(&wanted), "{alias}");
    }
}

#[test]
fn the_canonical_key_wins_wherever_it_stands() {
    for (kind, key, value, aliases) in params() {
        // Of the right form, and seen at once if it came through.
        let other = match &value {
            Value::String(_) => json!("other"),
            Value::Object(_) => json!({"textEquals": "other"}),
            Value::Bool(on) => json!(!on),
            _ => json!(1),
        };
        let wanted = completed(kind, json!({ key: value }));
        for alias in aliases {
            for given in [json!({key: value, alias: other}), json!({alias: other, key: value})] {
                let given = completed(kind, given);
                assert_eq!(canonical_action(kind, &given)["params"], wanted, "{given}");
            }
        }
    }
}

#[test]
fn the_canonical_key_wins_in_matchers_and_at_the_top() {
    for (alias, key) in MATCHER {
        for matcher in [json!({*alias: "b", *key: "a"}), json!({*key: "a", *alias: "b"})] {
            let action = canonical_action("click", &json!({ "matcher": matcher }));
            assert_eq!(action["params"]["matcher"], json!({ *key: "a" }), "{alias}");
        }
    }
    let wanted = execution(json!([{"id": "a", "type": "snapshot_ui"}]));
    for (alias, _) in TOP {
        let mut given = wanted.clone();
        given[*alias] = "other".into();
        assert_eq!(canonical(&given), wanted, "{alias}");
    }
}

#[test]
fn of_two_aliases_the_later_one_wins() {
    // As text: the order of keys is what this is about.
    let cases = [
        ("open_app", r#"{"package": "a", "app": "b"}"#, json!({"applicationId": "b"})),
        ("open_app", r#"{"app": "b", "package": "a"}"#, json!({"applicationId": "a"})),
        ("take_screenshot", r#"{"file": "a", "output_path": "b"}"#, json!({"path": "b"})),
        (
            "click",
            r#"{"node": {"text": "a"}, "selector": {"text": "b"}}"#,
            json!({"matcher": {"textEquals": "b"}}),
        ),
        (
            "click",
            r#"{"matcher": {"description": "a", "content_desc": "b"}}"#,
            json!({"matcher": {"contentDescEquals": "b"}}),
        ),
        (
            "click",
            r#"{"matcher": {"resource_id": "a", "id": "b"}}"#,
            json!({"matcher": {"resourceId": "b"}}),
        ),
    ];
    for (kind, given, wanted) in cases {
        let given: Value = serde_json::from_str(given).unwrap();
        assert_eq!(canonical_action(kind, &given)["params"], wanted, "{given}");
    }
}

#[test]
fn a_long_press_is_a_click_type() {
    let matcher = json!({"textEquals": "x"});
    let long = json!({"matcher": matcher, "longPress": true});
    let wanted = json!({"matcher": matcher, "clickType": "long_click"});
    assert_eq!(canonical_action("click", &long)["params"], wanted);
    let both = json!({"matcher": matcher, "longPress": true, "clickType": "focus"});
    let canonical_wins = json!({"matcher": matcher, "clickType": "focus"});
    assert_eq!(canonical_action("click", &both)["params"], canonical_wins);
}

#[test]
fn of_a_long_press_and_a_click_type_by_its_alias_the_later_one_wins() {
    let given = r#"{"matcher": {"text": "x"}, "click_type": "focus", "longPress": true}"#;
    let given: Value = serde_json::from_str(given).unwrap();
    assert_eq!(canonical_action("click", &given)["params"]["clickType"], "long_click");
}

#[test]
fn an_alias_counts_only_where_its_key_does() {
    let failure = refused("sleep", &json!({"durationMs": 1, "package": "a.b"}));
    assert_eq!(path(&failure), "actions.0.params");
    assert_eq!(failure.details["invalidKeys"], json!(["package"]));
    // `timeout_ms` is a key of the execution and of two actions, not of a click.
    let failure = refused("click", &json!({"matcher": {"text": "a"}, "timeout_ms": 5}));
    assert_eq!(failure.details["invalidKeys"], json!(["timeout_ms"]));
}

#[test]
fn on_the_host_names_of_types_and_keys_are_taken_as_they_are_written() {
    let failure = refused("CLICK", &json!({"matcher": {"textEquals": "a"}}));
    assert_eq!(path(&failure), "actions.0.type");
    let failure = refused("click", &json!({"Matcher": {"textEquals": "a"}}));
    assert_eq!(failure.details["invalidKeys"], json!(["Matcher"]));
}

#[test]
fn a_key_of_the_phone_is_taken_in_any_case_and_written_in_lower_case() {
    for (given, wanted) in [("BACK", "back"), ("Home", "home"), ("rEcEnTs", "recents")] {
        let action = canonical_action("press_key", &json!({ "key": given }));
        assert_eq!(action["params"]["key"], wanted);
    }
}
