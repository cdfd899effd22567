//! Patience: how often and how long each action tries when nothing helps.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_contract::message::HostAnswer;
use clawperator_runtime::phone::{GestureEnd, Launch, Picture};
use serde_json::{Value, json};
use std::collections::HashSet;
use support::Bench;
use support::scripted::List;

const APP: &str = "com.example";

/// A phone on which nothing works.
fn stubborn(seed: u64) -> Bench {
    let bench = Bench::seeded(seed);
    let mut world = bench.world();
    world.show(APP, vec![]);
    world.list = Some(List::of((0..50).map(|number| number.to_string())));
    world.apps = vec![APP.into()];
    world.launch_end = Launch::Refused;
    world.takes_keys = false;
    world.gesture_end = GestureEnd::Refused;
    world.refuses = |_| true;
    world.picture = Picture::RateLimited;
    drop(world);
    bench
}

/// What an action does on that phone: attempts and milliseconds.
fn patience(seed: u64, kind: &str, params: &Value) -> (String, u128) {
    let mut bench = stubborn(seed);
    let before = bench.world().now;
    let action = json!({ "id": "a", "type": kind, "params": params });
    let envelope = bench.run(json!([action]));
    let took = (bench.world().now - before).as_millis();
    let step = &envelope.step_results[0];
    assert!(!step.success, "{kind}: {step:?}");
    (step.data["attempts"].clone(), took)
}

#[test]
fn what_needs_a_node_waits_with_the_patience_of_ui_readiness() {
    let nothing = json!({ "textEquals": "Nothing" });
    for (kind, params) in [
        ("click", json!({ "matcher": nothing })),
        ("wait_for_node", json!({ "matcher": nothing })),
        ("read_text", json!({ "matcher": nothing })),
        ("read_text", json!({ "matcher": nothing, "all": true })),
        ("read_key_value_pair", json!({ "labelMatcher": nothing })),
        ("enter_text", json!({ "matcher": nothing, "text": "x" })),
        ("type_text", json!({ "text": "x" })),
        ("click", json!({ "coordinate": { "x": 1, "y": 1 } })),
    ] {
        let (attempts, took) = patience(7, kind, &params);
        assert_eq!(attempts, "5", "{kind}");
        assert!((5_525..=7_475).contains(&took), "{kind}: {took} ms, not 6500 ± 15 %");
    }
}

#[test]
fn each_other_preset_has_its_attempts_and_its_span() {
    let target = json!({ "matcher": { "textEquals": "Nothing" } });
    for (kind, params, attempts, span) in [
        ("open_app", json!({ "applicationId": APP }), "4", 4_462..=6_038),
        ("scroll_and_click", target, "4", 2_380..=3_220),
        ("press_key", json!({ "key": "back" }), "1", 0..=0),
        ("scroll", json!({}), "1", 0..=0),
        ("take_screenshot", json!({}), "1", 0..=0),
    ] {
        let (tried, took) = patience(7, kind, &params);
        assert_eq!(tried, attempts, "{kind}");
        assert!(span.contains(&took), "{kind}: {took} ms, not in {span:?}");
    }
}

#[test]
fn an_app_the_host_cannot_close_is_tried_with_the_patience_of_closing() {
    let close = |params: Value| {
        let mut bench = Bench::new();
        let (code, message) = ("ACTION_FAILED".into(), "force-stop failed".into());
        bench.host.answer = Some(HostAnswer::Failed { code, message });
        let took = bench.took(|bench| {
            bench.fail("close_app", params, "ACTION_FAILED");
        });
        (bench.host.calls.len(), took)
    };
    let (calls, took) = close(json!({ "applicationId": APP }));
    assert_eq!(calls, 4);
    assert!((2_380..=3_220).contains(&took), "{took} ms: 400 + 800 + 1600 ± 15 %");
    let retry = json!({ "maxAttempts": 2, "initialDelayMs": 70 });
    assert_eq!(close(json!({ "applicationId": APP, "retry": retry })), (2, 70));
}

#[test]
fn a_given_retry_object_takes_the_place_of_the_preset() {
    let cases = [
        (json!({}), "1", 0),
        (json!({ "maxAttempts": 3 }), "3", 0),
        (json!({ "maxAttempts": 3, "initialDelayMs": 100 }), "3", 200),
        (
            json!({ "maxAttempts": 4, "initialDelayMs": 100, "maxDelayMs": 300, "backoffMultiplier": 2 }),
            "4",
            600,
        ),
        (json!({ "maxAttempts": 99, "initialDelayMs": 10 }), "10", 90),
    ];
    for (retry, attempts, span) in cases {
        let params = json!({ "key": "back", "retry": retry });
        assert_eq!(patience(7, "press_key", &params), (attempts.to_owned(), span), "{retry}");
    }
}

#[test]
fn delays_stray_by_the_jitter_and_the_seed_decides_how() {
    let retry = json!({ "maxAttempts": 2, "initialDelayMs": 1_000, "jitterRatio": 0.5 });
    let params = json!({ "key": "back", "retry": retry });
    let spans: Vec<_> = (0..40).map(|seed| patience(seed, "press_key", &params).1).collect();
    assert!(spans.iter().all(|span| (500..=1_500).contains(span)), "{spans:?}");
    assert!(spans.iter().any(|span| *span < 750) && spans.iter().any(|span| *span > 1_250));
    assert!(spans.iter().collect::<HashSet<_>>().len() > 30);
    assert_eq!(spans[3], patience(3, "press_key", &params).1);
}
