//! Every payload, action, selector and result the contract shows, read as the contract says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::retry::RetryPolicy;
use clawperator_contract::runnable::{Act, App, Click, ClickTarget, ClickType, Target};
use clawperator_contract::selector::Selector;
use clawperator_contract::wrapper::{DryRun, Executed, Validated};
use clawperator_contract::{Envelope, ErrorCode, StepResult};
use serde_json::{Value, json};
use std::time::Duration;
use support::{act, canonical, canonical_action, execution, host, phone, refusal};

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Canonical already: the host changes nothing, and the phone reads what the host sends.
fn is_canonical(payload: &Value) {
    assert_eq!(&canonical(payload), payload);
    assert!(phone(payload).is_ok(), "the phone cannot read {payload}");
}

const FULL: &str = r#"{
  "commandId": "open-settings-and-snapshot",
  "taskId": "open-settings-and-snapshot",
  "source": "agent-loop",
  "expectedFormat": "android-ui-automator",
  "timeoutMs": 30000,
  "actions": [
    {"id": "open-1", "type": "open_app", "params": {"applicationId": "com.android.settings"}},
    {
      "id": "wait-1",
      "type": "wait_for_navigation",
      "params": {"expectedPackage": "com.android.settings", "timeoutMs": 5000}
    },
    {"id": "snap-1", "type": "snapshot_ui"}
  ],
  "mode": "direct"
}"#;

const MINIMAL: &str = r#"{
  "commandId": "cmd-001",
  "taskId": "task-001",
  "source": "agent-loop",
  "expectedFormat": "android-ui-automator",
  "timeoutMs": 30000,
  "actions": [{"id": "snap-1", "type": "snapshot_ui"}],
  "mode": "direct"
}"#;

/// One example per action type, and the fragments that show selectors in their place.
const ACTIONS: &[&str] = &[
    r#"{"id": "click-1", "type": "click",
        "params": {"matcher": {"textEquals": "Settings"}, "clickType": "long_click"}}"#,
    r#"{"id": "scroll-1", "type": "scroll",
        "params": {"direction": "down", "container": {"resourceId": "android:id/list"},
                   "distanceRatio": 0.7, "settleDelayMs": 250}}"#,
    r#"{"id": "scroll-until-1", "type": "scroll_until",
        "params": {"direction": "down", "matcher": {"textEquals": "About phone"},
                   "maxScrolls": 25, "maxDurationMs": 10000, "noPositionChangeThreshold": 3}}"#,
    r#"{"id": "scroll-click-1", "type": "scroll_and_click",
        "params": {"matcher": {"textEquals": "Submit"}, "direction": "down"}}"#,
    r#"{"id": "read-1", "type": "read_text",
        "params": {"matcher": {"textContains": "Order"}, "validator": "regex",
                   "validatorPattern": "^ORD-[0-9]{6}$", "all": false}}"#,
    r#"{"id": "read-value-1", "type": "read_key_value_pair",
        "params": {"labelMatcher": {"textEquals": "Battery"}, "all": false}}"#,
    r#"{"id": "type-1", "type": "enter_text",
        "params": {"matcher": {"resourceId": "com.example:id/search"},
                   "text": "hello world", "submit": false}}"#,
    r#"{"id": "press-1", "type": "press_key", "params": {"key": "back"}}"#,
    r#"{"id": "wait-1", "type": "wait_for_node",
        "params": {"matcher": {"textEquals": "Settings"}, "timeoutMs": 5000}}"#,
    r#"{"id": "wait-nav-1", "type": "wait_for_navigation",
        "params": {"expectedPackage": "com.android.settings", "timeoutMs": 5000}}"#,
    r#"{"id": "snap-1", "type": "snapshot_ui"}"#,
    r#"{"id": "shot-1", "type": "take_screenshot", "params": {"path": "/tmp/settings.png"}}"#,
    r#"{"id": "close-1", "type": "close_app",
        "params": {"applicationId": "com.android.settings"}}"#,
    r#"{"id": "sleep-1", "type": "sleep", "params": {"durationMs": 1500}}"#,
    r#"{"id": "open-1", "type": "open_app",
        "params": {"applicationId": "com.android.settings"}}"#,
    r#"{"id": "open-uri-1", "type": "open_uri", "params": {"uri": "https://clawperator.com"}}"#,
    r#"{"id": "record-start-1", "type": "start_recording",
        "params": {"sessionId": "session-001"}}"#,
    r#"{"id": "record-stop-1", "type": "stop_recording",
        "params": {"sessionId": "session-001"}}"#,
    r#"{"id": "read-1", "type": "read_text",
        "params": {"matcher": {"textEquals": "Battery"},
                   "container": {"resourceId": "android:id/list"}}}"#,
    r#"{"id": "read-value-1", "type": "read_key_value_pair",
        "params": {"labelMatcher": {"textEquals": "Battery"}}}"#,
    r#"{"id": "scroll-until-1", "type": "scroll_until",
        "params": {"matcher": {"textEquals": "About phone"},
                   "container": {"resourceId": "android:id/list"}}}"#,
    r#"{"id": "wait-nav-1", "type": "wait_for_navigation",
        "params": {"expectedPackage": "com.android.settings",
                   "expectedNode": {"textEquals": "Settings"}, "timeoutMs": 5000}}"#,
];

const MATCHERS: &[&str] = &[
    r#"{"resourceId": "optional string", "role": "optional string",
        "textEquals": "optional string", "textContains": "optional string",
        "contentDescEquals": "optional string", "contentDescContains": "optional string"}"#,
    r#"{"role": "button", "textContains": "Settings"}"#,
    r#"{"textEquals": "Done", "role": "button"}"#,
    r#"{"textEquals": "Wi-Fi"}"#,
    r#"{"textContains": "Sign", "role": "button"}"#,
    r#"{"resourceId": "android:id/list"}"#,
    r#"{"resourceId": "android:id/title"}"#,
    r#"{"textContains": "Done"}"#,
];

const RETRY: &str = r#"{"maxAttempts": 4, "initialDelayMs": 400, "maxDelayMs": 2000,
    "backoffMultiplier": 2, "jitterRatio": 0.15}"#;

#[test]
fn the_full_and_the_minimal_payload_are_canonical_as_they_stand() {
    is_canonical(&parse(FULL));
    is_canonical(&parse(MINIMAL));
}

#[test]
fn every_example_of_an_action_is_canonical_as_it_stands() {
    for example in ACTIONS {
        is_canonical(&execution(json!([parse(example)])));
    }
}

#[test]
fn there_is_an_example_of_each_of_the_eighteen_types() {
    let all: Vec<_> = ACTIONS.iter().map(|example| parse(example)).collect();
    let types: std::collections::BTreeSet<_> = all.iter().map(|a| a["type"].as_str()).collect();
    assert_eq!(types.len(), 18);
}

#[test]
fn every_example_of_a_matcher_stands_wherever_a_matcher_does() {
    let places = [
        ("click", "matcher", json!({})),
        ("scroll", "container", json!({})),
        ("wait_for_navigation", "expectedNode", json!({"timeoutMs": 5000})),
        ("read_key_value_pair", "labelMatcher", json!({})),
    ];
    for matcher in MATCHERS {
        for (kind, key, params) in &places {
            let mut params = params.clone();
            params[*key] = parse(matcher);
            assert_eq!(canonical_action(kind, &params)["params"], params);
            act(kind, &params);
        }
    }
}

#[test]
fn the_retry_object_stands_wherever_an_action_takes_one() {
    let matcher = json!({"textEquals": "a"});
    let places = [
        ("click", "retry", json!({"matcher": matcher})),
        ("scroll", "retry", json!({})),
        ("scroll_and_click", "scrollRetry", json!({"matcher": matcher})),
        ("scroll_and_click", "clickRetry", json!({"matcher": matcher})),
        ("read_text", "retry", json!({"matcher": matcher})),
        ("read_key_value_pair", "retry", json!({"labelMatcher": matcher})),
        ("enter_text", "retry", json!({"matcher": matcher, "text": "a"})),
        ("press_key", "retry", json!({"key": "home"})),
        ("wait_for_node", "retry", json!({"matcher": matcher})),
        ("snapshot_ui", "retry", json!({})),
        ("take_screenshot", "retry", json!({})),
        ("close_app", "retry", json!({"applicationId": "a.b"})),
        ("sleep", "retry", json!({"durationMs": 1})),
        ("open_app", "retry", json!({"applicationId": "a.b"})),
        ("open_uri", "retry", json!({"uri": "a:b"})),
        ("start_recording", "retry", json!({})),
        ("stop_recording", "retry", json!({})),
    ];
    for (kind, key, mut params) in places {
        params[key] = parse(RETRY);
        assert_eq!(canonical_action(kind, &params)["params"], params);
        act(kind, &params);
    }
}

#[test]
fn the_phone_does_what_the_examples_ask() {
    let policy = RetryPolicy {
        max_attempts: 4,
        initial_delay: Duration::from_millis(400),
        max_delay: Duration::from_secs(2),
        multiplier: 2.0,
        jitter: 0.15,
    };
    let params = json!({"applicationId": "com.android.settings", "retry": parse(RETRY)});
    let app = App { application_id: "com.android.settings".into(), retry: policy };
    assert_eq!(act("open_app", &params), Act::OpenApp(app));
    let Act::Click(Click { target, click_type, .. }) = act("click", &parse(ACTIONS[0])["params"])
    else {
        panic!("a click is no click");
    };
    let settings = Selector { text_equals: Some("Settings".into()), ..Selector::default() };
    assert_eq!(target, ClickTarget::Node(Target::Search(settings)));
    assert_eq!(click_type, ClickType::LongClick);
}

#[test]
fn a_payload_of_aliases_becomes_the_canonical_one() {
    let given = parse(
        r#"{"command_id":"cmd-001","task_id":"task-001","source":"docs",
            "expected_format":"android-ui-automator","timeout_ms":30000,
            "actions":[{"id":"snap-1","type":"snapshot"}]}"#,
    );
    let wanted = r#"{"commandId":"cmd-001","taskId":"task-001","source":"docs","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"snap-1","type":"snapshot_ui"}]}"#;
    assert_eq!(host(&given).unwrap().to_json(), wanted);
    assert_eq!(phone(&given), phone(&parse(wanted)));
}

#[test]
fn a_navigation_target_alone_still_needs_its_timeout() {
    let params = json!({
        "expectedPackage": "com.android.settings", "expectedNode": {"textEquals": "Settings"}
    });
    let failure = support::refused("wait_for_navigation", &params);
    assert_eq!(support::path(&failure), "actions.0.params.timeoutMs");
}

#[test]
fn the_failure_of_the_contract_is_told_word_for_word() {
    let action = json!({
        "id": "wait-1",
        "type": "wait_for_navigation",
        "params": {"expectedPackage": "com.android.settings"}
    });
    let shown = json!({
        "code": "EXECUTION_VALIDATION_FAILED",
        "message": "wait_for_navigation requires params.timeoutMs > 0",
        "details": {
            "path": "actions.0.params.timeoutMs",
            "actionId": "wait-1",
            "actionType": "wait_for_navigation"
        }
    });
    let failure = refusal(&execution(json!([action])));
    assert_eq!(failure.code, ErrorCode::ExecutionValidationFailed);
    assert_eq!(serde_json::to_value(&failure).unwrap(), shown);
}

#[test]
fn a_timeout_of_zero_or_less_is_told_in_the_same_words() {
    for timeout in [json!(0), json!(-1), json!(-0.5)] {
        let params = json!({"expectedPackage": "a.b", "timeoutMs": timeout});
        let failure = support::refused("wait_for_navigation", &params);
        assert_eq!(failure.message, "wait_for_navigation requires params.timeoutMs > 0");
        assert_eq!(support::path(&failure), "actions.0.params.timeoutMs");
    }
}

#[test]
fn a_validation_and_a_dry_run_are_answered_as_shown() {
    let mut payload = parse(MINIMAL);
    payload.as_object_mut().unwrap().remove("mode");
    let execution = host(&payload).unwrap();
    let validated = json!({"ok": true, "validated": true, "execution": payload});
    assert_eq!(serde_json::to_value(Validated::new(&execution)).unwrap(), validated);
    let plan = json!({
        "ok": true,
        "dryRun": true,
        "plan": {
            "commandId": "cmd-001",
            "timeoutMs": 30000,
            "actionCount": 1,
            "actions": [{"id": "snap-1", "type": "snapshot_ui"}]
        }
    });
    assert_eq!(serde_json::to_value(DryRun::new(&execution)).unwrap(), plan);
}

#[test]
fn the_results_of_the_contract_are_read_and_told_as_shown() {
    let results = [
        r#"{"commandId": "cmd-001", "taskId": "task-001", "status": "success", "stepResults": [
            {"id": "snap-1", "actionType": "snapshot_ui", "success": true,
             "data": {"text": "<hierarchy/>"}}], "error": null}"#,
        r#"{"commandId": "<command_id>", "taskId": "<task_id>", "status": "success",
            "stepResults": [{"id": "<step_id>", "actionType": "<action_type>", "success": true,
            "data": {}}], "error": null, "errorCode": null, "hint": "<optional_hint>"}"#,
        r#"{"commandId": "snapshot-1700000000000-abcd123",
            "taskId": "snapshot-1700000000000-abcd123", "status": "success", "stepResults": [
            {"id": "snap", "actionType": "snapshot_ui", "success": true,
             "data": {"text": "<hierarchy rotation=\"0\">...</hierarchy>"}}], "error": null}"#,
    ];
    for result in results {
        let envelope: Envelope = serde_json::from_str(result).unwrap();
        let mut shown = parse(result);
        // Always there in ours; a reader may count on it.
        shown["errorCode"] = Value::Null;
        let wrapper = json!({
            "envelope": shown,
            "deviceId": "<device_serial>",
            "terminalSource": "clawperator_result",
            "isCanonicalTerminal": true
        });
        let told = serde_json::to_value(Executed::new(&envelope, "<device_serial>")).unwrap();
        assert_eq!(told, wrapper);
    }
}

#[test]
fn the_step_results_of_the_contract_are_read_and_told_as_shown() {
    let steps = [
        r#"{"id": "shot-1", "actionType": "take_screenshot", "success": true,
            "data": {"path": "/tmp/settings.png"}}"#,
        r#"{"id": "snap-1", "actionType": "snapshot_ui", "success": true, "data": {
            "text": "<hierarchy rotation=\"0\">...</hierarchy>",
            "warn": "snapshot captured without a preceding sleep step; UI may not have settled - consider adding a sleep step between click and snapshot_ui"}}"#,
    ];
    for step in steps {
        let read: StepResult = serde_json::from_str(step).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), parse(step));
    }
}

#[test]
fn an_envelope_without_a_service_is_read() {
    let text = r#"{"commandId":"c","taskId":"t","status":"failed","stepResults":[],
        "error":"Accessibility service is not available","errorCode":"SERVICE_UNAVAILABLE"}"#;
    let envelope: Envelope = serde_json::from_str(text).unwrap();
    let told = Envelope::failed(
        "c",
        "t",
        vec![],
        ErrorCode::ServiceUnavailable,
        "Accessibility service is not available",
    );
    assert_eq!(envelope, told);
    assert_eq!(serde_json::to_value(&told).unwrap(), parse(text));
}
