//! Executions by `am broadcast`, their results by `logcat`, exactly as other programs do it.

use clawperator_contract::{Envelope, Status};
use clawperator_lab::{Lab, options, payload};
use clawperator_link::broadcast::{HIERARCHY_MARKER, RESULT_MARKER};
use clawperator_simphone::system::{DEV_PACKAGE, OperatorPackage, RELEASE_PACKAGE};
use serde_json::{Value, json};

const SERVICES: &str = "enabled_accessibility_services";

fn open_settings() -> Value {
    json!([
        { "id": "open", "type": "open_app", "params": { "applicationId": "com.android.settings" } },
        { "id": "see", "type": "wait_for_node",
          "params": { "matcher": { "textEquals": "Network & internet" } } },
        { "id": "look", "type": "snapshot_ui" }
    ])
}

#[test]
fn a_result_is_one_line_and_its_snapshot_comes_before_it() {
    let lab = Lab::new();
    lab.send(RELEASE_PACKAGE, &payload("c1", &open_settings()));
    let mut log = lab.follow(&["-v", "raw", "-s", "Clawperator:I"]);
    log.find_map(|line| line.starts_with(RESULT_MARKER).then_some(()));
    let told = lab.does(&["logcat", "-d", "-v", "raw", "-s", "Clawperator:I"]).out();
    let lines: Vec<&str> = told.lines().filter(|line| !line.starts_with("-----")).collect();
    assert_eq!(lines[0], HIERARCHY_MARKER);
    let (result, hierarchy) = lines[1..].split_last().unwrap();
    let hierarchy = hierarchy.join("\n");
    let document = roxmltree::Document::parse(&hierarchy).unwrap();
    let row = |node: roxmltree::Node<'_, '_>| node.attribute("text") == Some("Network & internet");
    assert!(document.descendants().any(row), "{hierarchy}");
    let envelope = result.strip_prefix(RESULT_MARKER).unwrap().trim();
    let envelope: Value = serde_json::from_str(envelope).unwrap();
    assert_eq!(envelope["commandId"], "c1");
    assert_eq!(envelope["status"], "success");
    let kinds: Vec<_> = envelope["stepResults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| &step["actionType"])
        .collect();
    assert_eq!(kinds, ["open_app", "wait_for_node", "snapshot_ui"]);
    assert_eq!(envelope["stepResults"][2]["data"].get("text"), None);
    assert_eq!(envelope["errorCode"], Value::Null);
}

#[test]
fn what_an_execution_does_is_seen_by_others() {
    let lab = Lab::new();
    let actions = json!([
        { "id": "1", "type": "open_app",
          "params": { "applicationId": "com.clawperator.conformance" } },
        { "id": "2", "type": "click", "params": { "matcher": { "textEquals": "Add one" } } },
        { "id": "3", "type": "enter_text", "params": {
            "matcher": { "textEquals": "Type here" },
            "text": "it's $HOME; \"quoted\" \\ `id`" } }
    ]);
    let envelope = lab.run("c1", &actions);
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    lab.until_shows("Count: 1");
    lab.until_shows("it's $HOME; \"quoted\" \\ `id`");
}

fn unavailable(envelope: &Envelope) {
    assert_eq!(envelope.status, Status::Failed, "{envelope:?}");
    assert_eq!(envelope.error_code.as_deref(), Some("SERVICE_UNAVAILABLE"), "{envelope:?}");
    assert!(envelope.step_results.is_empty(), "{envelope:?}");
}

#[test]
fn an_operator_that_is_switched_off_says_so() {
    let lab = Lab::new();
    let services = lab.shell(&format!("settings get secure {SERVICES}"));
    assert!(services.starts_with("com.clawperator.operator/"), "{services}");
    assert_eq!(lab.run("c1", &open_settings()).status, Status::Success);
    lab.shell(&format!("settings put secure {SERVICES} com.example.other/.Service"));
    unavailable(&lab.run("c2", &open_settings()));
    lab.shell(&format!("settings put secure {SERVICES} {}", services.trim()));
    assert_eq!(lab.run("c3", &open_settings()).status, Status::Success);
    lab.shell(&format!("settings delete secure {SERVICES}"));
    unavailable(&lab.run("c4", &open_settings()));
    // In the company of others it runs too.
    lab.shell(&format!("settings put secure {SERVICES} a.b/.C:{}", services.trim()));
    lab.shell("settings put secure accessibility_enabled 1");
    assert_eq!(lab.run("c5", &open_settings()).status, Status::Success);
}

#[test]
fn an_operator_that_is_stopped_must_be_enabled_again() {
    let lab = Lab::new();
    lab.shell("am force-stop com.clawperator.operator");
    assert_eq!(lab.shell(&format!("settings get secure {SERVICES}")), "\n");
    unavailable(&lab.run("c1", &open_settings()));
}

#[test]
fn where_there_is_no_operator_nobody_answers() {
    let lab = Lab::with(options(), vec![]);
    assert!(!lab.shell("pm list packages").contains("com.clawperator.operator"));
    assert_eq!(lab.adb(&["shell", "pm path com.clawperator.operator"]).code, Some(1));
    lab.send(RELEASE_PACKAGE, &payload("c1", &open_settings()));
    lab.shell("log -t Test end");
    assert!(!lab.does(&["logcat", "-d"]).out().contains(RESULT_MARKER));
}

#[test]
fn the_developers_operator_answers_under_its_own_name() {
    let dev = OperatorPackage { package: DEV_PACKAGE.into(), ..OperatorPackage::current() };
    let lab = Lab::with(options(), vec![dev]);
    let services = lab.shell(&format!("settings get secure {SERVICES}"));
    assert!(services.starts_with("com.clawperator.operator.dev/"), "{services}");
    lab.send(RELEASE_PACKAGE, &payload("release", &open_settings()));
    let envelope = lab.broadcast(DEV_PACKAGE, &payload("dev", &open_settings()));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    assert!(!lab.does(&["logcat", "-d"]).out().contains("\"commandId\":\"release\""));
}

#[test]
fn both_operators_live_side_by_side() {
    let dev = OperatorPackage { package: DEV_PACKAGE.into(), ..OperatorPackage::current() };
    let lab = Lab::with(options(), vec![OperatorPackage::current(), dev]);
    for package in [RELEASE_PACKAGE, DEV_PACKAGE] {
        let envelope = lab.broadcast(package, &payload(package, &open_settings()));
        assert_eq!(envelope.status, Status::Success, "{package}: {envelope:?}");
    }
}

#[test]
fn what_is_no_execution_is_refused_and_the_phone_goes_on() {
    let lab = Lab::new();
    let mut broken = payload("c1", &json!([{ "id": "a", "type": "fly" }]));
    let envelope = lab.broadcast(RELEASE_PACKAGE, &broken);
    assert_eq!(envelope.status, Status::Failed, "{envelope:?}");
    broken["commandId"] = json!("c2");
    broken["actions"] = open_settings();
    assert_eq!(lab.broadcast(RELEASE_PACKAGE, &broken).status, Status::Success);
}
