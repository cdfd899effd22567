//! Every limit of the contract, on both sides of its edge, and the freedom the contract leaves.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::{ErrorCode, Execution, Failure};
use serde_json::{Value, json};
use support::{canonical, canonical_action, execution, host, path, refusal, refused};

fn snapshot() -> Value {
    json!({"id": "a1", "type": "snapshot_ui"})
}

/// The minimal payload with one key changed.
fn with(key: &str, value: Value) -> Value {
    let mut payload = execution(json!([snapshot()]));
    payload[key] = value;
    payload
}

fn is_refused_at(failure: &Failure, place: &str) {
    assert_eq!(failure.code, ErrorCode::ExecutionValidationFailed, "{failure}");
    assert_eq!(path(failure), place, "{failure}");
    assert!(!failure.message.is_empty());
}

fn n_actions(count: usize) -> Value {
    execution(Value::Array(vec![snapshot(); count]))
}

#[test]
fn one_to_fifty_actions_are_taken() {
    for count in [1, 2, 49, 50] {
        assert_eq!(host(&n_actions(count)).unwrap().actions().len(), count);
    }
    for count in [0, 51, 64, 1_000] {
        is_refused_at(&refusal(&n_actions(count)), "actions");
    }
}

#[test]
fn a_timeout_of_one_second_to_two_minutes_is_taken() {
    for timeout in [json!(1000), json!(1000.5), json!(30000), json!(120_000)] {
        assert_eq!(canonical(&with("timeoutMs", timeout.clone()))["timeoutMs"], timeout);
    }
    for timeout in [json!(999), json!(999.9), json!(0), json!(-1), json!(120_001), json!(1e300)] {
        is_refused_at(&refusal(&with("timeoutMs", timeout)), "timeoutMs");
    }
}

#[test]
fn ids_and_source_have_their_lengths_in_characters() {
    for (key, max) in [("commandId", 128), ("taskId", 128), ("source", 64)] {
        // Two bytes each: what counts is characters.
        for text in ["x".to_owned(), "x".repeat(max), "é".repeat(max)] {
            assert_eq!(canonical(&with(key, text.clone().into()))[key], text);
        }
        for text in [String::new(), "  \t".into(), "x".repeat(max + 1), "é".repeat(max + 1)] {
            is_refused_at(&refusal(&with(key, text.into())), key);
        }
    }
}

#[test]
fn an_action_id_has_at_most_128_characters() {
    let with_id = |id: String| execution(json!([{"id": id, "type": "snapshot_ui"}]));
    assert!(host(&with_id("é".repeat(128))).is_ok());
    for id in [String::new(), " ".into(), "x".repeat(129)] {
        is_refused_at(&refusal(&with_id(id)), "actions.0.id");
    }
}

#[test]
fn an_overlong_type_is_refused_like_an_unknown_one() {
    for kind in ["x".repeat(64), "x".repeat(65)] {
        is_refused_at(&refused(&kind, &json!({})), "actions.0.type");
    }
}

#[test]
fn a_matcher_value_has_one_to_512_characters_in_every_field_of_every_matcher() {
    let fields = [
        "resourceId",
        "role",
        "textEquals",
        "textContains",
        "contentDescEquals",
        "contentDescContains",
    ];
    let places = [
        ("click", "matcher"),
        ("scroll", "container"),
        ("wait_for_navigation", "expectedNode"),
        ("read_key_value_pair", "labelMatcher"),
    ];
    for (kind, place) in places {
        for field in fields {
            let params = |text: String| {
                let mut params = json!({ place: { field: text } });
                if kind == "wait_for_navigation" {
                    params["timeoutMs"] = 5.into();
                }
                params
            };
            canonical_action(kind, &params("é".repeat(512)));
            for text in [String::new(), " \n".into(), "é".repeat(513)] {
                let failure = refused(kind, &params(text));
                is_refused_at(&failure, &format!("actions.0.params.{place}.{field}"));
            }
        }
    }
}

#[test]
fn texts_of_actions_have_their_lengths() {
    let cases = [
        ("open_uri", "uri", json!({}), 2_048),
        ("wait_for_navigation", "expectedPackage", json!({"timeoutMs": 5}), 512),
        (
            "read_text",
            "validatorPattern",
            json!({"matcher": {"textEquals": "a"}, "validator": "regex"}),
            512,
        ),
    ];
    for (kind, key, params, max) in cases {
        let params = |length: usize| {
            let mut params = params.clone();
            params[key] = "x".repeat(length).into();
            params
        };
        canonical_action(kind, &params(1));
        canonical_action(kind, &params(max));
        for length in [0, max + 1] {
            is_refused_at(&refused(kind, &params(length)), &format!("actions.0.params.{key}"));
        }
    }
}

/// Type, parameter, what else it needs, numbers just inside, numbers just outside.
type NumberCase = (&'static str, &'static str, Value, Vec<Value>, Vec<Value>);

fn numbers() -> Vec<NumberCase> {
    let none = || json!({});
    let ratio_in = || vec![json!(0), json!(0.0), json!(0.5), json!(1), json!(1.0)];
    let ratio_out = || vec![json!(-0.001), json!(1.001), json!(2)];
    let settle_in = || vec![json!(0), json!(0.5), json!(10_000)];
    let settle_out = || vec![json!(-1), json!(10_000.5), json!(10_001)];
    vec![
        ("scroll", "distanceRatio", none(), ratio_in(), ratio_out()),
        ("scroll", "settleDelayMs", none(), settle_in(), settle_out()),
        ("scroll_until", "distanceRatio", none(), ratio_in(), ratio_out()),
        ("scroll_until", "settleDelayMs", none(), settle_in(), settle_out()),
        (
            "scroll_until",
            "maxScrolls",
            none(),
            vec![json!(1), json!(200), json!(7.0)],
            vec![json!(0), json!(201), json!(7.5)],
        ),
        (
            "scroll_until",
            "maxDurationMs",
            none(),
            vec![json!(0), json!(120_000)],
            vec![json!(-1), json!(120_001)],
        ),
        (
            "scroll_until",
            "noPositionChangeThreshold",
            none(),
            vec![json!(1), json!(20)],
            vec![json!(0), json!(21), json!(1.5)],
        ),
        (
            "wait_for_navigation",
            "timeoutMs",
            json!({"expectedPackage": "a.b"}),
            vec![json!(0.5), json!(1), json!(30_000)],
            vec![json!(0), json!(-1), json!(30_000.5), json!(30_001)],
        ),
        (
            "sleep",
            "durationMs",
            none(),
            vec![json!(0), json!(1500), json!(120_000)],
            vec![json!(-1), json!(120_000.5), json!(120_001)],
        ),
    ]
}

#[test]
fn numbers_of_actions_have_their_bounds() {
    for (kind, key, params, inside, outside) in numbers() {
        let params = |value: &Value| {
            let mut params = params.clone();
            params[key] = value.clone();
            params
        };
        for value in &inside {
            let taken = canonical_action(kind, &params(value));
            assert_eq!(taken["params"][key].as_f64(), value.as_f64(), "{kind}.{key}");
        }
        for value in outside.iter().chain([&json!("1"), &json!(null), &json!(true)]) {
            is_refused_at(&refused(kind, &params(value)), &format!("actions.0.params.{key}"));
        }
    }
}

#[test]
fn a_point_of_the_screen_is_whole_and_not_negative() {
    for (x, y) in [(json!(0), json!(0)), (json!(540), json!(1200.0))] {
        canonical_action("click", &json!({"coordinate": {"x": x, "y": y}}));
    }
    for wrong in [json!(-1), json!(1.5), json!("1"), json!(null)] {
        for (axis, other) in [("x", "y"), ("y", "x")] {
            let failure = refused("click", &json!({"coordinate": {axis: wrong, other: 1}}));
            is_refused_at(&failure, &format!("actions.0.params.coordinate.{axis}"));
        }
    }
    let failure = refused("click", &json!({"coordinate": {"x": 1}}));
    is_refused_at(&failure, "actions.0.params.coordinate.y");
}

/// A payload of exactly `size` bytes in its canonical form.
fn of_size(size: usize) -> Value {
    let payload = |text: String| {
        let params = json!({"matcher": {"textEquals": "a"}, "text": text});
        execution(json!([support::action("enter_text", &params)]))
    };
    let around = host(&payload("x".into())).unwrap().to_json().len() - 1;
    payload("x".repeat(size - around))
}

#[test]
fn a_payload_of_64_000_bytes_is_taken_and_not_one_more() {
    let whole = of_size(64_000);
    assert_eq!(host(&whole).unwrap().to_json().len(), 64_000);
    let failure = refusal(&of_size(64_001));
    assert_eq!(failure.code, ErrorCode::PayloadTooLarge);
    assert!(failure.message.contains("64001"), "{failure}");
}

#[test]
fn what_counts_is_the_canonical_payload_not_how_it_was_indented() {
    let pretty = serde_json::to_string_pretty(&of_size(64_000)).unwrap();
    assert!(pretty.len() > 64_000);
    assert!(Execution::from_text(pretty.as_bytes()).is_ok());
}

#[test]
fn the_host_leaves_to_the_phone_what_the_contract_leaves_to_it() {
    let node = json!({"textEquals": "a"});
    let wild = json!({
        "maxAttempts": 99, "initialDelayMs": -1, "maxDelayMs": 1e9,
        "backoffMultiplier": 0.5, "jitterRatio": 7
    });
    let long = "x".repeat(5_000);
    let cases = [
        ("read_text", json!({"matcher": node, "validator": "colour"})),
        ("read_text", json!({"matcher": node, "validator": ""})),
        ("read_text", json!({"matcher": node, "validator": "version", "validatorPattern": "("})),
        ("read_text", json!({"matcher": node, "validatorPattern": ""})),
        ("scroll_and_click", json!({"matcher": node, "maxSwipes": 0})),
        ("scroll_and_click", json!({"matcher": node, "maxSwipes": -5})),
        ("scroll_and_click", json!({"matcher": node, "maxSwipes": 1_000})),
        ("scroll_and_click", json!({"matcher": node, "distanceRatio": 7})),
        ("scroll_and_click", json!({"matcher": node, "settleDelayMs": -4})),
        ("scroll_and_click", json!({"matcher": node, "settleDelayMs": 1e7})),
        ("click", json!({"matcher": node, "retry": wild})),
        ("click", json!({"matcher": node, "retry": {}})),
        ("wait_for_node", json!({"matcher": node, "timeoutMs": -1})),
        ("wait_for_node", json!({"matcher": node, "timeoutMs": 0})),
        ("wait_for_node", json!({"matcher": node, "timeoutMs": 1e9})),
        ("click", json!({"matcher": node, "clickType": "triple"})),
        ("click", json!({"matcher": node, "clickType": ""})),
        ("click", json!({"coordinate": {"x": 1, "y": 1}, "clickType": "triple"})),
        ("scroll_until", json!({"matcher": node, "clickType": "triple"})),
        ("scroll_and_click", json!({"matcher": node, "clickType": "triple"})),
        ("enter_text", json!({"matcher": node, "text": long})),
        ("enter_text", json!({"matcher": node, "text": "a", "clear": true})),
        ("scroll", json!({})),
        ("scroll_until", json!({})),
        ("scroll_until", json!({"clickAfter": false})),
        ("open_app", json!({"applicationId": long})),
        ("start_recording", json!({"sessionId": long})),
        ("take_screenshot", json!({"path": long})),
    ];
    for (kind, params) in cases {
        let taken = canonical_action(kind, &params)["params"].clone();
        for (key, value) in params.as_object().unwrap() {
            // 1e9 comes back as the whole number it is.
            let same = &taken[key] == value || taken[key].as_f64() == value.as_f64();
            assert!(same || key == "retry", "{kind}.{key}: {taken}");
        }
    }
}

#[test]
fn every_action_without_required_parameters_stands_alone() {
    for kind in [
        "snapshot_ui",
        "take_screenshot",
        "scroll",
        "scroll_until",
        "start_recording",
        "stop_recording",
    ] {
        let bare = execution(json!([{"id": "a", "type": kind}]));
        assert_eq!(canonical(&bare), bare);
        // An empty object is kept, not dropped: the payload comes back as it was sent.
        let empty = execution(json!([{"id": "a", "type": kind, "params": {}}]));
        assert_eq!(canonical(&empty), empty);
    }
}

#[test]
fn both_modes_are_taken_and_no_third() {
    for mode in ["direct", "artifact_compiled"] {
        assert_eq!(canonical(&with("mode", mode.into()))["mode"], mode);
    }
    for mode in [json!("fast"), json!("Direct"), json!(""), json!(null), json!(1)] {
        is_refused_at(&refusal(&with("mode", mode)), "mode");
    }
}

#[test]
fn all_four_directions_are_taken_and_no_fifth() {
    for kind in ["scroll", "scroll_until"] {
        for direction in ["down", "up", "left", "right"] {
            let action = canonical_action(kind, &json!({ "direction": direction }));
            assert_eq!(action["params"]["direction"], direction);
        }
        for direction in [json!("sideways"), json!("DOWN"), json!(""), json!(1)] {
            let failure = refused(kind, &json!({ "direction": direction }));
            is_refused_at(&failure, "actions.0.params.direction");
        }
    }
}
