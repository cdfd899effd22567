//! What the host refuses, with the code, the place and the words that help.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::{ErrorCode, Execution, Failure};
use serde_json::{Value, json};
use support::{action, execution, path, refusal, refused};

fn is_refused_at(failure: &Failure, place: &str) {
    assert_eq!(failure.code, ErrorCode::ExecutionValidationFailed, "{failure}");
    assert_eq!(path(failure), place, "{failure}");
}

fn hint(failure: &Failure) -> &str {
    failure.details["hint"].as_str().unwrap()
}

fn minimal() -> Value {
    execution(json!([{"id": "a1", "type": "snapshot_ui"}]))
}

#[test]
fn every_key_the_execution_needs_is_asked_for() {
    for key in ["commandId", "taskId", "source", "expectedFormat", "timeoutMs", "actions"] {
        let mut payload = minimal();
        payload.as_object_mut().unwrap().remove(key);
        let failure = refusal(&payload);
        is_refused_at(&failure, key);
        assert!(failure.message.contains("required"), "{failure}");
        for wrong in [json!(null), json!({}), json!(true)] {
            payload[key] = wrong;
            is_refused_at(&refusal(&payload), key);
        }
    }
}

#[test]
fn every_key_an_action_needs_is_asked_for() {
    for (key, action) in [("id", json!({"type": "scroll"})), ("type", json!({"id": "a"}))] {
        is_refused_at(&refusal(&execution(json!([action]))), &format!("actions.0.{key}"));
        for wrong in [json!(null), json!(7), json!("")] {
            let mut action = action.clone();
            action[key] = wrong;
            is_refused_at(&refusal(&execution(json!([action]))), &format!("actions.0.{key}"));
        }
    }
}

#[test]
fn every_parameter_an_action_needs_is_asked_for() {
    let node = json!({"textEquals": "a"});
    let cases = [
        ("open_app", json!({}), "applicationId"),
        ("close_app", json!({}), "applicationId"),
        ("open_uri", json!({}), "uri"),
        ("wait_for_node", json!({"timeoutMs": 5}), "matcher"),
        ("scroll_and_click", json!({"direction": "down"}), "matcher"),
        ("scroll_until", json!({"clickAfter": true}), "matcher"),
        ("read_text", json!({"all": true}), "matcher"),
        ("read_text", json!({"matcher": node, "validator": "regex"}), "validatorPattern"),
        ("enter_text", json!({"text": "a"}), "matcher"),
        ("enter_text", json!({"matcher": node}), "text"),
        ("press_key", json!({}), "key"),
        ("wait_for_navigation", json!({"expectedNode": node}), "timeoutMs"),
        ("read_key_value_pair", json!({"all": true}), "labelMatcher"),
        ("sleep", json!({}), "durationMs"),
    ];
    for (kind, params, missing) in cases {
        let failure = refused(kind, &params);
        is_refused_at(&failure, &format!("actions.0.params.{missing}"));
        let asked = failure.message.contains(&format!("requires params.{missing}"));
        assert!(asked && failure.message.starts_with(kind), "{failure}");
    }
}

#[test]
fn no_parameters_at_all_are_the_same_as_none_of_those_needed() {
    let kinds = [
        "open_app",
        "close_app",
        "open_uri",
        "wait_for_node",
        "click",
        "scroll_and_click",
        "read_text",
        "enter_text",
        "press_key",
        "wait_for_navigation",
        "read_key_value_pair",
        "sleep",
    ];
    for kind in kinds {
        let bare = refusal(&execution(json!([{"id": "a1", "type": kind}])));
        assert_eq!(bare, refused(kind, &json!({})), "{kind}");
    }
}

#[test]
fn a_click_takes_one_target_and_only_one() {
    let node = json!({"textEquals": "a"});
    let point = json!({"x": 1, "y": 2});
    let none = refused("click", &json!({}));
    is_refused_at(&none, "actions.0.params");
    assert!(none.message.contains("matcher") && none.message.contains("coordinate"), "{none}");
    let both = refused("click", &json!({"matcher": node, "coordinate": point}));
    is_refused_at(&both, "actions.0.params");
    assert!(both.message.contains("matcher") && both.message.contains("coordinate"), "{both}");
    let focus = refused("click", &json!({"coordinate": point, "clickType": "focus"}));
    is_refused_at(&focus, "actions.0.params.clickType");
}

#[test]
fn a_wait_for_navigation_needs_something_to_wait_for() {
    let failure = refused("wait_for_navigation", &json!({"timeoutMs": 5000}));
    is_refused_at(&failure, "actions.0.params");
    let named =
        failure.message.contains("expectedPackage") && failure.message.contains("expectedNode");
    assert!(named, "{failure}");
}

#[test]
fn blank_texts_are_refused_wherever_a_text_must_say_something() {
    let node = json!({"textEquals": "a"});
    let cases = [
        ("open_app", "applicationId", json!({})),
        ("close_app", "applicationId", json!({})),
        ("open_uri", "uri", json!({})),
        ("enter_text", "text", json!({"matcher": node})),
        ("press_key", "key", json!({})),
        ("wait_for_navigation", "expectedPackage", json!({"timeoutMs": 5})),
        ("take_screenshot", "path", json!({})),
        ("start_recording", "sessionId", json!({})),
        ("stop_recording", "sessionId", json!({})),
        ("read_text", "validatorPattern", json!({"matcher": node, "validator": "regex"})),
    ];
    for (kind, key, mut params) in cases {
        for blank in ["", "   ", "\t\n"] {
            params[key] = blank.into();
            is_refused_at(&refused(kind, &params), &format!("actions.0.params.{key}"));
        }
    }
}

#[test]
fn a_matcher_names_at_least_one_field_by_text() {
    for (matcher, place) in [
        (json!({}), "actions.0.params.matcher"),
        (json!("Settings"), "actions.0.params.matcher"),
        (json!([]), "actions.0.params.matcher"),
        (json!(null), "actions.0.params.matcher"),
        (json!({"textEquals": 7}), "actions.0.params.matcher.textEquals"),
        (json!({"textEquals": null}), "actions.0.params.matcher.textEquals"),
        (json!({"role": "button", "textEquals": " "}), "actions.0.params.matcher.textEquals"),
    ] {
        is_refused_at(&refused("click", &json!({ "matcher": matcher })), place);
    }
}

#[test]
fn a_key_other_than_back_home_and_recents_is_refused() {
    for key in [json!("enter"), json!("back "), json!(4), json!(null)] {
        is_refused_at(&refused("press_key", &json!({ "key": key })), "actions.0.params.key");
    }
}

#[test]
fn a_pattern_must_compile_when_the_validator_is_regex() {
    for pattern in ["(", "[a", "*", "a{2,1}", "(?<", "\\"] {
        let params = json!({
            "matcher": {"textEquals": "a"}, "validator": "regex", "validatorPattern": pattern
        });
        is_refused_at(&refused("read_text", &params), "actions.0.params.validatorPattern");
    }
}

#[test]
fn flags_and_retry_objects_are_what_they_are() {
    let node = json!({"textEquals": "a"});
    for wrong in [json!("true"), json!(1), json!(null)] {
        let failure = refused("read_text", &json!({"matcher": node, "all": wrong}));
        is_refused_at(&failure, "actions.0.params.all");
    }
    for wrong in [json!(3), json!([]), json!(null)] {
        let failure = refused("click", &json!({"matcher": node, "retry": wrong}));
        is_refused_at(&failure, "actions.0.params.retry");
    }
    let failure = refused("click", &json!({"matcher": node, "retry": {"maxAttempts": "4"}}));
    is_refused_at(&failure, "actions.0.params.retry.maxAttempts");
}

#[test]
fn unknown_keys_are_named_at_every_level() {
    let node = json!({"textEquals": "a"});
    let mut top = minimal();
    top["priority"] = 1.into();
    top["color"] = 2.into();
    let failure = refusal(&top);
    is_refused_at(&failure, "");
    assert_eq!(failure.details["invalidKeys"], json!(["priority", "color"]));
    let failure = refusal(&execution(json!([{"id": "a", "type": "scroll", "note": "x"}])));
    is_refused_at(&failure, "actions.0");
    assert_eq!(failure.details["invalidKeys"], json!(["note"]));
    let levels = [
        (json!({"matcher": node, "zebra": 1}), "actions.0.params"),
        (json!({"matcher": {"textEquals": "a", "zebra": "b"}}), "actions.0.params.matcher"),
        (json!({"matcher": node, "retry": {"zebra": 1}}), "actions.0.params.retry"),
        (json!({"coordinate": {"x": 1, "y": 1, "zebra": 1}}), "actions.0.params.coordinate"),
    ];
    for (params, place) in levels {
        let failure = refused("click", &params);
        is_refused_at(&failure, place);
        assert_eq!(failure.details["invalidKeys"], json!(["zebra"]));
        assert_eq!(failure.details["actionId"], "a1");
        assert_eq!(failure.details["actionType"], "click");
    }
}

#[test]
fn a_slip_of_the_pen_gets_the_word_that_was_meant() {
    let mut top = minimal();
    top["timeOutMs"] = 1.into();
    assert!(hint(&refusal(&top)).contains("\"timeoutMs\""));
    let cases = [
        (json!({"macher": {"textEquals": "a"}}), "\"matcher\""),
        (json!({"matcher": {"textEqual": "a"}}), "\"textEquals\""),
        (json!({"matcher": {"textEquals": "a"}, "retry": {"maxAttempt": 1}}), "\"maxAttempts\""),
        (json!({"matcher": {"textEquals": "a"}, "clickTyp": "focus"}), "\"clickType\""),
    ];
    for (params, meant) in cases {
        let failure = refused("click", &params);
        assert!(hint(&failure).contains(meant), "{failure} {:?}", failure.details);
    }
}

#[test]
fn an_unknown_type_is_named_and_the_nearest_one_offered() {
    let failure = refused("clik", &json!({}));
    is_refused_at(&failure, "actions.0.type");
    assert!(failure.message.contains("\"clik\""), "{failure}");
    assert!(hint(&failure).contains("\"click\""));
    // The code other hosts attach; it stays a validation failure.
    assert!(hint(&failure).contains("EXECUTION_ACTION_UNSUPPORTED"));
    let failure = refused("zebra", &json!({}));
    assert!(hint(&failure).contains("snapshot_ui"), "all of them are listed");
}

#[test]
fn what_host_and_operator_say_among_themselves_is_refused_from_outside() {
    let failure = refused("doctor_ping", &json!({}));
    is_refused_at(&failure, "actions.0.type");
    assert!(!hint(&failure).contains("doctor_ping"));
}

#[test]
fn the_removed_format_of_a_snapshot_is_refused_with_what_to_write_instead() {
    let failure = refused("snapshot_ui", &json!({"format": "ascii"}));
    is_refused_at(&failure, "actions.0.params");
    assert_eq!(failure.details["invalidKeys"], json!(["format"]));
    assert!(hint(&failure).contains("removed") && hint(&failure).contains("\"view\""));
}

#[test]
fn a_parameter_of_another_action_is_refused_with_where_it_belongs() {
    let failure = refused("open_app", &json!({"applicationId": "a.b", "uri": "a:b"}));
    assert_eq!(failure.details["invalidKeys"], json!(["uri"]));
    assert!(hint(&failure).contains("open_uri"), "{:?}", failure.details);
    // The contract gives a wait for navigation no retry.
    let params = json!({"expectedPackage": "a.b", "timeoutMs": 5, "retry": {}});
    assert_eq!(refused("wait_for_navigation", &params).details["invalidKeys"], json!(["retry"]));
}

#[test]
fn the_first_wrong_action_is_the_one_that_is_told() {
    let good = action("sleep", &json!({"durationMs": 1}));
    let bad = json!({"id": "b2", "type": "sleep", "params": {"durationMs": -1}});
    let failure = refusal(&execution(json!([good, bad, {"id": "c3", "type": "zebra"}])));
    is_refused_at(&failure, "actions.1.params.durationMs");
    assert_eq!(failure.details["actionId"], "b2");
    assert_eq!(failure.details["actionType"], "sleep");
}

#[test]
fn an_alias_is_reported_under_its_canonical_name() {
    let failure = refused("tap", &json!({"selector": {"text": ""}}));
    is_refused_at(&failure, "actions.0.params.matcher.textEquals");
    assert_eq!(failure.details["actionType"], "click");
}

#[test]
fn another_format_is_refused() {
    let mut payload = minimal();
    payload["expectedFormat"] = "ios-xcui".into();
    let failure = refusal(&payload);
    is_refused_at(&failure, "expectedFormat");
    assert!(failure.message.contains("android-ui-automator"), "{failure}");
}

#[test]
fn a_payload_that_is_no_object_is_refused_as_a_whole() {
    for payload in [json!([]), json!("x"), json!(1), json!(null)] {
        is_refused_at(&refusal(&payload), "");
    }
    for actions in [json!({}), json!("click"), json!(1)] {
        is_refused_at(&refusal(&execution(actions)), "actions");
    }
    for action in [json!("click"), json!(null), json!([])] {
        is_refused_at(&refusal(&execution(json!([action]))), "actions.0");
    }
    for params in [json!([]), json!("x"), json!(null)] {
        is_refused_at(&refused("scroll", &params), "actions.0.params");
    }
}

#[test]
fn text_that_is_no_json_says_where_it_stops_being_one() {
    let failure = Execution::from_text(b"{\"commandId\": }").unwrap_err();
    assert_eq!(failure.code, ErrorCode::InvalidJson);
    assert_eq!((&failure.details["line"], &failure.details["column"]), (&json!(1), &json!(15)));
}
