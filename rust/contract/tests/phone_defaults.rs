//! The numbers of the phone: what it assumes when a payload is silent, and where it clamps.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::retry::{Preset, RetryPolicy};
use clawperator_contract::runnable::{
    Act, ClickType, Direction, EnterText, NavigationWait, NodeWait, Scroll, ScrollAndClick,
    ScrollUntil, Snapshot, Swipe, View,
};
use clawperator_contract::selector::Selector;
use serde_json::{Value, json};
use std::time::Duration;
use support::{act, unreadable};

fn node() -> Value {
    json!({"textEquals": "Wi-Fi"})
}

fn wifi() -> Selector {
    Selector { text_equals: Some("Wi-Fi".into()), ..Selector::default() }
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn assumed_swipe() -> Swipe {
    Swipe {
        direction: Direction::Down,
        container: None,
        distance_ratio: 0.7,
        settle_delay: ms(250),
        find_first_scrollable_child: true,
    }
}

fn scroll_until(params: &Value) -> ScrollUntil {
    let Act::ScrollUntil(scroll) = act("scroll_until", params) else { panic!() };
    scroll
}

fn scroll_and_click(key: &str, value: &Value) -> ScrollAndClick {
    let params = json!({"matcher": node(), key: value});
    let Act::ScrollAndClick(scroll) = act("scroll_and_click", &params) else { panic!() };
    scroll
}

#[test]
fn a_silent_scroll_goes_down_by_seven_tenths_once() {
    let assumed = Scroll { swipe: assumed_swipe(), retry: RetryPolicy::ONCE };
    assert_eq!(act("scroll", &json!({})), Act::Scroll(assumed));
}

#[test]
fn a_silent_scroll_until_has_its_limits() {
    let assumed = ScrollUntil {
        target: None,
        swipe: assumed_swipe(),
        click_after: false,
        click_type: ClickType::Click,
        max_scrolls: 20,
        max_duration: ms(10_000),
        no_position_change_threshold: 3,
    };
    assert_eq!(scroll_until(&json!({})), assumed);
}

#[test]
fn a_silent_scroll_and_click_clicks_after_at_most_ten_swipes() {
    let assumed = ScrollAndClick {
        target: wifi(),
        swipe: assumed_swipe(),
        click_after: true,
        click_type: ClickType::Click,
        max_swipes: 10,
        scroll_retry: Preset::UiScroll.policy(),
        click_retry: Preset::UiReadiness.policy(),
    };
    assert_eq!(act("scroll_and_click", &json!({"matcher": node()})), Act::ScrollAndClick(assumed));
}

#[test]
fn a_silent_wait_read_and_entry_are_patient() {
    let wait = NodeWait {
        target: wifi(),
        scope: None,
        timeout: None,
        retry: Preset::UiReadiness.policy(),
    };
    assert_eq!(act("wait_for_node", &json!({"matcher": node()})), Act::WaitForNode(wait));
    let Act::ReadText(read) = act("read_text", &json!({"matcher": node()})) else { panic!() };
    assert_eq!((read.all, read.validator), (false, None));
    let Act::EnterText(EnterText { submit, text, .. }) =
        act("enter_text", &json!({"matcher": node(), "text": " as it is "}))
    else {
        panic!()
    };
    assert_eq!((submit, text.as_str()), (false, " as it is "));
    let snapshot = Snapshot { view: View::Xml, retry: Preset::UiReadiness.policy() };
    assert_eq!(act("snapshot_ui", &json!({})), Act::SnapshotUi(snapshot));
}

/// The policy of an action's `retry`, or of the key given.
fn policy(act: Act) -> RetryPolicy {
    match act {
        Act::OpenApp(app) | Act::CloseApp(app) => app.retry,
        Act::OpenUri(open) => open.retry,
        Act::StartRecording(recording) | Act::StopRecording(recording) => recording.retry,
        Act::WaitForNode(wait) => wait.retry,
        Act::Click(click) => click.retry,
        Act::Scroll(scroll) => scroll.retry,
        Act::ReadText(read) => read.retry,
        Act::EnterText(enter) => enter.retry,
        Act::SnapshotUi(snapshot) => snapshot.retry,
        Act::TakeScreenshot(screenshot) => screenshot.retry,
        Act::PressKey(_, retry) => retry,
        Act::ReadKeyValuePair(read) => read.retry,
        other => panic!("{other:?} has no single policy"),
    }
}

#[test]
fn every_action_has_the_policy_of_the_contract_when_it_gives_none() {
    let matcher = json!({"matcher": node()});
    let app = json!({"applicationId": "a.b"});
    let cases = [
        ("open_app", app.clone(), Preset::AppLaunch),
        ("open_uri", json!({"uri": "a:b"}), Preset::AppLaunch),
        ("close_app", app, Preset::AppClose),
        ("start_recording", json!({}), Preset::None),
        ("stop_recording", json!({}), Preset::None),
        ("wait_for_node", matcher.clone(), Preset::UiReadiness),
        ("click", matcher.clone(), Preset::UiReadiness),
        ("scroll", json!({}), Preset::None),
        ("read_text", matcher.clone(), Preset::UiReadiness),
        ("enter_text", json!({"matcher": node(), "text": "x"}), Preset::UiReadiness),
        ("snapshot_ui", json!({}), Preset::UiReadiness),
        ("take_screenshot", json!({}), Preset::None),
        ("press_key", json!({"key": "back"}), Preset::None),
        ("read_key_value_pair", json!({"labelMatcher": node()}), Preset::UiReadiness),
    ];
    for (kind, mut params, preset) in cases {
        assert_eq!(policy(act(kind, &params)), preset.policy(), "{kind}");
        // An object that says nothing is not silence: it asks for one attempt.
        params["retry"] = json!({});
        assert_eq!(policy(act(kind, &params)), RetryPolicy::ONCE, "{kind}");
    }
}

#[test]
fn the_presets_have_the_numbers_of_the_contract() {
    let rows = [
        (Preset::UiReadiness, 5, 500, 3_000),
        (Preset::UiScroll, 4, 400, 2_000),
        (Preset::AppLaunch, 4, 750, 4_000),
        (Preset::AppClose, 4, 400, 2_000),
    ];
    for (preset, max_attempts, first, cap) in rows {
        let (initial_delay, max_delay) = (ms(first), ms(cap));
        let row =
            RetryPolicy { max_attempts, initial_delay, max_delay, multiplier: 2.0, jitter: 0.15 };
        assert_eq!(preset.policy(), row, "{}", preset.name());
    }
    assert_eq!(Preset::None.policy().max_attempts, 1);
}

fn retry(object: &Value) -> RetryPolicy {
    policy(act("click", &json!({"matcher": node(), "retry": object})))
}

#[test]
fn the_numbers_of_a_retry_object_are_clamped() {
    let attempts = |n: i64| retry(&json!({ "maxAttempts": n })).max_attempts;
    assert_eq!([attempts(-1), attempts(0), attempts(1)], [1, 1, 1]);
    assert_eq!([attempts(10), attempts(11), attempts(9_999)], [10, 10, 10]);
    let first = |n: i64| retry(&json!({ "initialDelayMs": n })).initial_delay;
    assert_eq!([first(-1), first(30_000), first(30_001)], [ms(0), ms(30_000), ms(30_000)]);
    let cap = |n: i64| retry(&json!({"initialDelayMs": 500, "maxDelayMs": n})).max_delay;
    assert_eq!([cap(-1), cap(499), cap(501)], [ms(500), ms(500), ms(501)]);
    assert_eq!([cap(60_000), cap(60_001)], [ms(60_000), ms(60_000)]);
    let multiplier = |n: f64| retry(&json!({ "backoffMultiplier": n })).multiplier;
    assert_eq!([multiplier(0.5), multiplier(1.5), multiplier(5.5)], [1.0, 1.5, 5.0]);
    let jitter = |n: f64| retry(&json!({ "jitterRatio": n })).jitter;
    assert_eq!([jitter(-0.1), jitter(0.3), jitter(1.1)], [0.0, 0.3, 1.0]);
    // Without a cap of its own the first delay is the cap.
    assert_eq!(retry(&json!({"initialDelayMs": 700})).max_delay, ms(700));
}

#[test]
fn a_wait_for_a_node_is_clamped_to_two_minutes() {
    let timeout = |value: Value| {
        let params = json!({"matcher": node(), "timeoutMs": value});
        let Act::WaitForNode(wait) = act("wait_for_node", &params) else { panic!() };
        wait.timeout.unwrap()
    };
    assert_eq!(timeout(json!(-5)), ms(1));
    assert_eq!(timeout(json!(0)), ms(1));
    assert_eq!(timeout(json!(5_000)), ms(5_000));
    assert_eq!(timeout(json!(120_001)), ms(120_000));
}

#[test]
fn a_wait_for_navigation_needs_a_timeout_and_clamps_it() {
    let timeout = |value: Value| {
        let params = json!({"expectedPackage": "a.b", "timeoutMs": value});
        let Act::WaitForNavigation(wait) = act("wait_for_navigation", &params) else { panic!() };
        wait.timeout
    };
    assert_eq!([timeout(json!(-1)), timeout(json!(0))], [ms(1), ms(1)]);
    assert_eq!([timeout(json!(30_000)), timeout(json!(30_001))], [ms(30_000), ms(30_000)]);
    let unrunnable = unreadable("wait_for_navigation", &json!({"expectedPackage": "a.b"}));
    assert_eq!(unrunnable.invalid.path, "actions.0.params.timeoutMs");
}

#[test]
fn a_blank_expected_package_counts_as_absent() {
    let blank = json!({"expectedPackage": " ", "expectedNode": node(), "timeoutMs": 5});
    let wait =
        NavigationWait { expected_package: None, expected_node: Some(wifi()), timeout: ms(5) };
    assert_eq!(act("wait_for_navigation", &blank), Act::WaitForNavigation(wait));
    let alone = unreadable("wait_for_navigation", &json!({"expectedPackage": "", "timeoutMs": 5}));
    assert_eq!(alone.invalid.path, "actions.0.params");
}

#[test]
fn a_sleep_is_clamped_to_two_minutes() {
    for (given, slept) in [(-5, 0), (0, 0), (1_500, 1_500), (120_000, 120_000), (120_001, 120_000)]
    {
        assert_eq!(act("sleep", &json!({ "durationMs": given })), Act::Sleep(ms(slept)));
    }
}

#[test]
fn swipes_are_clamped_to_one_to_fifty() {
    for (given, wanted) in [(-5, 1), (0, 1), (1, 1), (50, 50), (51, 50), (i64::MAX, 50)] {
        assert_eq!(scroll_and_click("maxSwipes", &given.into()).max_swipes, wanted);
    }
}

#[test]
fn the_share_and_the_rest_of_a_swipe_are_clamped_in_every_scrolling_action() {
    let swipe = |kind: &str, key: &str, value: &Value| match act(
        kind,
        &json!({"matcher": node(), key: value}),
    ) {
        Act::Scroll(scroll) => scroll.swipe,
        Act::ScrollUntil(scroll) => scroll.swipe,
        Act::ScrollAndClick(scroll) => scroll.swipe,
        other => panic!("{other:?}"),
    };
    for kind in ["scroll", "scroll_until", "scroll_and_click"] {
        for (given, wanted) in [(-0.5, 0.0), (0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (1.5, 1.0)] {
            assert_eq!(swipe(kind, "distanceRatio", &given.into()).distance_ratio, wanted);
        }
        for (given, wanted) in [(-1, 0), (0, 0), (10_000, 10_000), (10_001, 10_000)] {
            assert_eq!(swipe(kind, "settleDelayMs", &given.into()).settle_delay, ms(wanted));
        }
    }
}

#[test]
fn the_limits_of_scroll_until_are_clamped() {
    for (given, wanted) in [(-1, 1), (0, 1), (200, 200), (201, 200)] {
        assert_eq!(scroll_until(&json!({ "maxScrolls": given })).max_scrolls, wanted);
    }
    for (given, wanted) in [(-1, 0), (0, 0), (120_000, 120_000), (120_001, 120_000)] {
        assert_eq!(scroll_until(&json!({ "maxDurationMs": given })).max_duration, ms(wanted));
    }
    for (given, wanted) in [(-1, 1), (0, 1), (20, 20), (21, 20)] {
        let scroll = scroll_until(&json!({ "noPositionChangeThreshold": given }));
        assert_eq!(scroll.no_position_change_threshold, wanted);
    }
}

#[test]
fn a_number_that_is_none_is_refused_where_it_stands() {
    for (kind, key) in [
        ("scroll", "distanceRatio"),
        ("scroll_until", "maxScrolls"),
        ("sleep", "durationMs"),
        ("scroll_and_click", "maxSwipes"),
    ] {
        for wrong in [json!("1"), json!(true), json!([]), json!({})] {
            let unrunnable = unreadable(kind, &json!({"matcher": node(), key: wrong}));
            assert_eq!(unrunnable.invalid.path, format!("actions.0.params.{key}"));
        }
    }
}

#[test]
fn a_click_after_scrolling_needs_a_target() {
    let unrunnable = unreadable("scroll_until", &json!({"clickAfter": true}));
    assert_eq!(unrunnable.invalid.path, "actions.0.params.matcher");
    let scroll = scroll_until(&json!({"clickAfter": true, "matcher": node()}));
    assert!(scroll.click_after && scroll.target == Some(wifi()));
    assert!(!scroll_and_click("clickAfter", &false.into()).click_after);
}
