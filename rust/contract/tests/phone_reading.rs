//! The phone's reading of a payload: what it passes over, what it refuses, and how it answers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::runnable::{Act, Click, ClickType, Key, Unrunnable, Validator};
use clawperator_contract::{ErrorCode, Runnable};
use serde_json::{Value, json};
use std::time::Duration;
use support::{act, action, execution, phone, unreadable};

fn node() -> Value {
    json!({"textEquals": "Wi-Fi"})
}

fn is_invalid_at(unrunnable: &Unrunnable, place: &str) {
    assert_eq!(unrunnable.invalid.code, ErrorCode::PayloadInvalid);
    assert_eq!(unrunnable.invalid.path, place, "{}", unrunnable.invalid);
    assert!(!unrunnable.invalid.message.is_empty());
}

/// The minimal payload with one key changed.
fn with(key: &str, value: Value) -> Value {
    let mut payload = execution(json!([{"id": "a1", "type": "snapshot_ui"}]));
    payload[key] = value;
    payload
}

#[test]
fn unknown_keys_are_passed_over_at_every_level() {
    let known = execution(json!([action("click", &json!({"matcher": node(), "retry": {}}))]));
    let mut more = known.clone();
    more["later"] = json!({"deep": [1]});
    more["expectedFormat"] = "something newer".into();
    more["mode"] = 7.into();
    more["actions"][0]["note"] = "x".into();
    more["actions"][0]["params"]["zebra"] = 1.into();
    more["actions"][0]["params"]["matcher"]["zebra"] = 1.into();
    more["actions"][0]["params"]["retry"]["zebra"] = "x".into();
    assert_eq!(phone(&more).unwrap(), phone(&known).unwrap());
    // The host needs it, the phone does not.
    more.as_object_mut().unwrap().remove("expectedFormat");
    assert_eq!(phone(&more).unwrap(), phone(&known).unwrap());
}

#[test]
fn null_is_the_same_as_absent() {
    let cases = [
        ("snapshot_ui", json!(null), json!({})),
        ("snapshot_ui", json!({"retry": null, "view": null}), json!({})),
        (
            "click",
            json!({"matcher": {"textEquals": "Wi-Fi", "role": null}, "coordinate": null,
                   "clickType": null, "retry": null, "container": null}),
            json!({"matcher": node()}),
        ),
        (
            "scroll_until",
            json!({"direction": null, "matcher": null, "clickAfter": null, "maxScrolls": null,
                   "distanceRatio": null, "settleDelayMs": null, "maxDurationMs": null,
                   "noPositionChangeThreshold": null, "findFirstScrollableChild": null}),
            json!({}),
        ),
        (
            "read_text",
            json!({"matcher": node(), "validator": null, "validatorPattern": null, "all": null}),
            json!({"matcher": node()}),
        ),
        (
            "wait_for_node",
            json!({"matcher": node(), "timeoutMs": null}),
            json!({"matcher": node()}),
        ),
        (
            "click",
            json!({"matcher": node(), "retry": {"maxAttempts": null}}),
            json!({"matcher": node(), "retry": {}}),
        ),
    ];
    for (kind, with_nulls, without) in cases {
        assert_eq!(act(kind, &with_nulls), act(kind, &without), "{kind} {with_nulls}");
    }
    let payload = with("timeoutMs", Value::Null);
    assert_eq!(phone(&payload).unwrap().timeout, Duration::from_secs(30));
}

#[test]
fn a_required_key_that_is_null_is_missing() {
    let cases = [
        ("open_app", json!({"applicationId": null}), "applicationId"),
        ("open_uri", json!({"uri": null}), "uri"),
        ("sleep", json!({"durationMs": null}), "durationMs"),
        ("press_key", json!({"key": null}), "key"),
        ("click", json!({"matcher": null}), "matcher"),
        ("wait_for_navigation", json!({"expectedPackage": "a", "timeoutMs": null}), "timeoutMs"),
        ("read_key_value_pair", json!({"labelMatcher": null}), "labelMatcher"),
    ];
    for (kind, params, key) in cases {
        is_invalid_at(&unreadable(kind, &params), &format!("actions.0.params.{key}"));
    }
}

#[test]
fn the_execution_timeout_is_clamped_and_thirty_seconds_without_one() {
    let timeout = |value: Value| phone(&with("timeoutMs", value)).unwrap().timeout.as_millis();
    assert_eq!(timeout(json!(5_000)), 5_000);
    assert_eq!(timeout(json!(1)), 1_000);
    assert_eq!(timeout(json!(-7)), 1_000);
    assert_eq!(timeout(json!(999_999)), 120_000);
    assert_eq!(timeout(json!(1e300)), 120_000);
    let mut without = with("timeoutMs", Value::Null);
    without.as_object_mut().unwrap().remove("timeoutMs");
    assert_eq!(phone(&without).unwrap().timeout, Duration::from_secs(30));
    is_invalid_at(&phone(&with("timeoutMs", json!("soon"))).unwrap_err(), "timeoutMs");
}

#[test]
fn ids_and_source_are_needed_and_have_their_lengths() {
    for (key, max) in [("commandId", 128), ("taskId", 128), ("source", 64)] {
        assert!(phone(&with(key, "é".repeat(max).into())).is_ok());
        for wrong in [json!("é".repeat(max + 1)), json!(""), json!("  "), json!(null), json!(7)] {
            is_invalid_at(&phone(&with(key, wrong)).unwrap_err(), key);
        }
    }
    let with_id = |id: Value| execution(json!([{"id": id, "type": "snapshot_ui"}]));
    assert!(phone(&with_id("é".repeat(128).into())).is_ok());
    for wrong in [json!("x".repeat(129)), json!(""), json!(null), json!(7)] {
        is_invalid_at(&phone(&with_id(wrong)).unwrap_err(), "actions.0.id");
    }
}

#[test]
fn sixty_four_actions_are_read_and_not_one_more() {
    let n = |count| execution(Value::Array(vec![json!({"id": "a", "type": "snapshot_ui"}); count]));
    assert_eq!(phone(&n(1)).unwrap().actions.len(), 1);
    assert_eq!(phone(&n(64)).unwrap().actions.len(), 64);
    for count in [0, 65] {
        is_invalid_at(&phone(&n(count)).unwrap_err(), "actions");
    }
    for actions in [json!({}), json!(null), json!("click")] {
        is_invalid_at(&phone(&execution(actions)).unwrap_err(), "actions");
    }
}

#[test]
fn a_payload_of_64_000_bytes_is_read_and_not_one_more() {
    let mut text = execution(json!([{"id": "a", "type": "snapshot_ui"}])).to_string();
    text.push_str(&" ".repeat(64_000 - text.len()));
    assert!(Runnable::from_text(text.as_bytes()).is_ok());
    text.push(' ');
    is_invalid_at(&Runnable::from_text(text.as_bytes()).unwrap_err(), "");
}

#[test]
fn types_are_read_in_any_case() {
    let matcher = json!({"matcher": node()});
    for name in ["click", "CLICK", "Click", "TAP", "Press"] {
        assert!(matches!(act(name, &matcher), Act::Click(_)), "{name}");
    }
    assert!(matches!(act("Snapshot_UI", &json!({})), Act::SnapshotUi(_)));
}

#[test]
fn the_raw_types_of_older_senders_and_the_internal_one_are_read() {
    let text = json!({"matcher": node(), "text": "x"});
    assert!(matches!(act("find_node", &json!({"matcher": node()})), Act::WaitForNode(_)));
    assert!(matches!(act("type_text", &text), Act::EnterText(_)));
    assert!(matches!(act("key_press", &json!({"key": "back"})), Act::PressKey(Key::Back, _)));
    assert_eq!(act("doctor_ping", &json!({})), Act::DoctorPing);
}

#[test]
fn an_unknown_type_is_named() {
    let unrunnable = unreadable("dance", &json!({}));
    is_invalid_at(&unrunnable, "actions.0.type");
    assert!(unrunnable.invalid.message.contains("\"dance\""));
    for kind in [json!(null), json!(7)] {
        let payload = execution(json!([{"id": "a", "type": kind}]));
        is_invalid_at(&phone(&payload).unwrap_err(), "actions.0.type");
    }
}

#[test]
fn an_unreadable_payload_keeps_the_ids_its_answer_needs() {
    let bad = action("sleep", &json!({"durationMs": "long"}));
    let unrunnable = phone(&execution(json!([bad]))).unwrap_err();
    is_invalid_at(&unrunnable, "actions.0.params.durationMs");
    assert_eq!(unrunnable.command_id.as_deref(), Some("cmd-001"));
    assert_eq!(unrunnable.task_id.as_deref(), Some("task-001"));
    assert_eq!(unrunnable.invalid.action, Some((Some("a1".into()), Some("sleep".into()))));
    assert_eq!(Unrunnable::CODE.name(), "PAYLOAD_INVALID");
}

#[test]
fn the_ids_are_kept_however_they_are_spelled_and_whatever_else_is_wrong() {
    let unrunnable = phone(&json!({"command_id": "c", "actions": 7})).unwrap_err();
    assert_eq!((unrunnable.command_id.as_deref(), unrunnable.task_id), (Some("c"), None));
    let unrunnable = Runnable::from_text(b"{\"commandId\": \"c\"").unwrap_err();
    assert_eq!(unrunnable.command_id, None);
    is_invalid_at(&unrunnable, "");
    assert!(unrunnable.invalid.message.contains("line 1"), "{}", unrunnable.invalid);
    for payload in [json!([]), json!(null), json!("x")] {
        is_invalid_at(&phone(&payload).unwrap_err(), "");
    }
}

#[test]
fn a_payload_that_is_too_large_keeps_its_ids_too() {
    let mut text = execution(json!([{"id": "a", "type": "snapshot_ui"}])).to_string();
    text.push_str(&" ".repeat(64_001 - text.len()));
    let unrunnable = Runnable::from_text(text.as_bytes()).unwrap_err();
    assert_eq!(unrunnable.command_id.as_deref(), Some("cmd-001"));
}

#[test]
fn a_text_to_enter_has_512_characters_and_not_one_more() {
    let params = |length| json!({"matcher": node(), "text": "é".repeat(length)});
    let Act::EnterText(enter) = act("enter_text", &params(512)) else { panic!() };
    assert_eq!(enter.text.chars().count(), 512);
    is_invalid_at(&unreadable("enter_text", &params(513)), "actions.0.params.text");
}

#[test]
fn other_texts_have_their_lengths() {
    let long = |length: usize| Value::from("x".repeat(length));
    let cases = [
        ("open_uri", "uri", json!({}), 2_048),
        ("wait_for_navigation", "expectedPackage", json!({"timeoutMs": 5}), 512),
        ("start_recording", "sessionId", json!({}), 128),
        ("stop_recording", "sessionId", json!({}), 128),
    ];
    for (kind, key, mut params, max) in cases {
        params[key] = long(max);
        act(kind, &params);
        params[key] = long(max + 1);
        is_invalid_at(&unreadable(kind, &params), &format!("actions.0.params.{key}"));
    }
    act("click", &json!({"matcher": {"role": long(512)}}));
    let unrunnable = unreadable("click", &json!({"matcher": {"role": long(513)}}));
    is_invalid_at(&unrunnable, "actions.0.params.matcher.role");
}

#[test]
fn click_types_are_read_by_all_their_names_and_no_other() {
    let click_type = |name: &str| {
        let Act::Click(Click { click_type, .. }) =
            act("click", &json!({"matcher": node(), "clickType": name}))
        else {
            panic!()
        };
        click_type
    };
    for (name, wanted) in [
        ("default", ClickType::Click),
        ("click", ClickType::Click),
        ("long_click", ClickType::LongClick),
        ("longclick", ClickType::LongClick),
        ("focus", ClickType::Focus),
        ("LONG_CLICK", ClickType::LongClick),
    ] {
        assert_eq!(click_type(name), wanted, "{name}");
    }
    for kind in ["click", "scroll_until", "scroll_and_click"] {
        let unrunnable = unreadable(kind, &json!({"matcher": node(), "clickType": "triple"}));
        is_invalid_at(&unrunnable, "actions.0.params.clickType");
    }
    let point = json!({"coordinate": {"x": 1, "y": 1}, "clickType": "focus"});
    is_invalid_at(&unreadable("click", &point), "actions.0.params.clickType");
}

#[test]
fn directions_and_keys_are_read_in_any_case_and_no_others() {
    for (kind, key) in [("scroll", "direction"), ("press_key", "key")] {
        let unrunnable = unreadable(kind, &json!({ key: "sideways" }));
        is_invalid_at(&unrunnable, &format!("actions.0.params.{key}"));
    }
    assert_eq!(
        act("scroll", &json!({"direction": "LEFT"})),
        act("scroll", &json!({"direction": "left"}))
    );
    for (name, wanted) in [("back", Key::Back), ("HOME", Key::Home), ("Recents", Key::Recents)] {
        assert!(
            matches!(act("press_key", &json!({"key": name})), Act::PressKey(key, _) if key == wanted)
        );
    }
}

fn validator(params: &Value) -> Option<Validator> {
    let mut all = json!({"matcher": node()});
    all.as_object_mut().unwrap().extend(params.as_object().unwrap().clone());
    let Act::ReadText(read) = act("read_text", &all) else { panic!() };
    read.validator
}

#[test]
fn the_three_validators_are_read_in_any_case_and_no_fourth() {
    assert_eq!(validator(&json!({})), None);
    assert_eq!(validator(&json!({"validator": "temperature"})), Some(Validator::Temperature));
    assert_eq!(validator(&json!({"validator": "VERSION"})), Some(Validator::Version));
    let regex = json!({"validator": "Regex", "validatorPattern": "ORD-[0-9]{6}"});
    let Some(Validator::Regex(regex)) = validator(&regex) else { panic!() };
    assert!(regex.is_match("ORD-123456"));
    assert!(!regex.is_match("an ORD-123456"), "the whole text must match");
    let unrunnable = unreadable("read_text", &json!({"matcher": node(), "validator": "colour"}));
    is_invalid_at(&unrunnable, "actions.0.params.validator");
}

#[test]
fn a_regex_needs_a_pattern_that_says_something_and_compiles() {
    for pattern in [json!(null), json!(""), json!("  "), json!("("), json!(7)] {
        let params = json!({"matcher": node(), "validator": "regex", "validatorPattern": pattern});
        is_invalid_at(&unreadable("read_text", &params), "actions.0.params.validatorPattern");
    }
    // Without the validator nobody looks at the pattern.
    assert_eq!(validator(&json!({"validatorPattern": "("})), None);
}

#[test]
fn a_matcher_that_says_nothing_is_refused() {
    for matcher in [json!({}), json!({"zebra": 1}), json!({"textEquals": null})] {
        let unrunnable = unreadable("click", &json!({ "matcher": matcher }));
        is_invalid_at(&unrunnable, "actions.0.params.matcher");
    }
    let both = json!({"matcher": node(), "coordinate": {"x": 1, "y": 1}});
    is_invalid_at(&unreadable("click", &both), "actions.0.params");
}
