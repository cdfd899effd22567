//! Putting text into fields.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_runtime::phone::{NodeAction, PhoneError};
use clawperator_runtime::screen::{Bounds, Flags, NodeSpec};
use serde_json::{Value, json};
use support::scripted::{Done, Operation, button, field, node};
use support::{Bench, ms};

const APP: &str = "com.example";
const ID: &str = "app:id/name";
const SECRET: &str = "hunter2";

fn with(mut spec: NodeSpec, flags: Flags) -> NodeSpec {
    spec.flags = spec.flags.with(flags);
    spec
}

fn focused(text: &str) -> NodeSpec {
    with(field(ID, text, 100), Flags::FOCUSED)
}

fn bench(children: Vec<NodeSpec>) -> Bench {
    let bench = Bench::new();
    bench.world().show(APP, children);
    bench
}

fn enter(text: &str, more: &Value) -> Value {
    let mut params = json!({ "matcher": { "resourceId": ID }, "text": text });
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    params
}

fn done() -> Option<HostAnswer> {
    Some(HostAnswer::Done { data: [].into() })
}

/// What was done to nodes, whatever their labels.
fn actions(bench: &Bench) -> Vec<NodeAction> {
    let deeds = bench.world().deeds();
    let nodes = deeds.into_iter().filter_map(|done| match done {
        Done::Node { action, .. } => Some(action),
        _ => None,
    });
    nodes.collect()
}

fn set(text: &str) -> NodeAction {
    NodeAction::SetText(text.into())
}

#[test]
fn a_field_takes_the_focus_then_the_text_in_place_of_what_it_held() {
    let mut bench = bench(vec![field(ID, "old", 100)]);
    let step = bench.succeed("enter_text", enter("new", &json!({})));
    assert_eq!((step.data["text"].as_str(), step.data["submit"].as_str()), ("new", "false"));
    assert_eq!(actions(&bench), [NodeAction::Focus, NodeAction::Click, set("new")]);
}

#[test]
fn a_field_that_has_the_focus_is_not_clicked() {
    let mut bench = bench(vec![focused("old")]);
    bench.succeed("enter_text", enter("new", &json!({})));
    assert_eq!(actions(&bench), [set("new")]);
}

#[test]
fn without_clearing_the_text_is_appended() {
    let mut bench = bench(vec![focused("Anna")]);
    let step = bench.succeed("enter_text", enter(" Lee", &json!({ "clear": false })));
    assert_eq!(step.data["text"], " Lee", "what was entered, not what is there now");
    assert_eq!(actions(&bench), [set("Anna Lee")]);
}

#[test]
fn nothing_is_appended_to_a_hint() {
    let mut bench = bench(vec![with(focused("Your name"), Flags::SHOWING_HINT)]);
    bench.succeed("enter_text", enter("Anna", &json!({ "clear": false })));
    assert_eq!(actions(&bench), [set("Anna")]);
}

#[test]
fn what_goes_into_a_password_field_is_not_told() {
    let mut bench = bench(vec![with(focused("••"), Flags::PASSWORD)]);
    let step = bench.succeed("enter_text", enter(SECRET, &json!({})));
    assert!(step.data.values().all(|value| !value.contains(SECRET)), "{step:?}");
    assert_eq!(actions(&bench), [set(SECRET)]);
}

#[test]
fn nothing_is_appended_to_a_password_that_cannot_be_read() {
    let mut bench = bench(vec![with(focused("••"), Flags::PASSWORD)]);
    let params = enter(SECRET, &json!({ "clear": false }));
    let step = bench.fail("enter_text", params, "SET_TEXT_FAILED");
    assert!(step.data.values().all(|value| !value.contains(SECRET)), "{step:?}");
    assert_eq!(actions(&bench), []);
    // An empty one has nothing to lose.
    bench.world().show(APP, vec![with(focused(""), Flags::PASSWORD)]);
    bench.succeed("enter_text", enter(SECRET, &json!({ "clear": false })));
    assert_eq!(actions(&bench), [set(SECRET)]);
}

#[test]
fn a_label_inside_a_field_stands_for_the_field() {
    let mut outer = focused("");
    let mut hint = node("android.view.View", "Search", Bounds::new(120, 110, 400, 200));
    hint.resource_id = "app:id/hint".into();
    outer.children = vec![hint];
    let mut bench = bench(vec![outer]);
    let params = json!({ "matcher": { "textEquals": "Search" }, "text": "cats" });
    bench.succeed("enter_text", params);
    let deed = Done::Node { action: set("cats"), label: String::new(), id: ID.into() };
    assert_eq!(bench.world().deeds(), [deed]);
}

#[test]
fn a_node_that_offers_to_have_its_text_set_is_as_good_as_a_field() {
    let mut canvas = node("android.view.View", "", Bounds::new(0, 0, 1080, 300));
    canvas.resource_id = ID.into();
    let mut bench = bench(vec![with(canvas, Flags::SETS_TEXT.with(Flags::FOCUSED))]);
    bench.succeed("enter_text", enter("x", &json!({})));
    assert_eq!(actions(&bench), [set("x")]);
}

#[test]
fn what_is_no_field_or_disabled_or_refuses_is_set_text_failed() {
    let mut disabled = focused("");
    disabled.flags = disabled.flags.without(Flags::ENABLED);
    let mut bench = bench(vec![button("Go", 400), disabled]);
    let params = json!({ "matcher": { "textEquals": "Go" }, "text": "x" });
    let step = bench.fail("enter_text", params, "SET_TEXT_FAILED");
    assert_eq!(step.data["attempts"], "5");
    bench.fail("enter_text", enter("x", &json!({})), "SET_TEXT_FAILED");
    assert_eq!(actions(&bench), []);
    bench.world().show(APP, vec![focused("")]);
    bench.world().refuses = |action| matches!(action, NodeAction::SetText(_));
    bench.fail("enter_text", enter("x", &json!({})), "SET_TEXT_FAILED");
    bench.fail(
        "enter_text",
        json!({ "matcher": { "textEquals": "?" }, "text": "x" }),
        "NODE_NOT_FOUND",
    );
    assert_eq!(actions(&bench), []);
}

#[test]
fn a_field_that_comes_late_is_filled_then() {
    let mut bench = bench(vec![]);
    bench.world().after(ms(400), |world| world.show(APP, vec![focused("")]));
    let took = bench.took(|bench| {
        bench.succeed("enter_text", enter("x", &json!({})));
    });
    assert!((400..=410).contains(&took), "{took} ms");
}

#[test]
fn a_field_is_clicked_once_however_often_it_is_tried() {
    let mut bench = bench(vec![field(ID, "", 100)]);
    bench.world().refuses = |action| matches!(action, NodeAction::SetText(_));
    let step = bench.fail("enter_text", enter("x", &json!({})), "SET_TEXT_FAILED");
    assert_eq!(step.data["attempts"], "5");
    let clicks = actions(&bench).iter().filter(|action| **action == NodeAction::Click).count();
    assert_eq!(clicks, 1);
}

#[test]
fn a_field_that_went_away_before_it_was_clicked_is_given_the_focus_later() {
    let mut bench = bench(vec![field(ID, "", 100)]);
    let mut first = true;
    bench.world().faults(move |world, operation| {
        let gone = operation == Operation::Perform && std::mem::take(&mut first);
        gone.then(|| {
            world.changed();
            PhoneError::NodeGone
        })
    });
    bench.succeed("enter_text", enter("x", &json!({})));
    assert_eq!(actions(&bench), [NodeAction::Focus, NodeAction::Click, set("x")]);
}

#[test]
fn a_text_that_may_have_been_entered_is_not_entered_again() {
    let mut bench = bench(vec![focused("Anna")]);
    bench.world().faults(|_, operation| {
        (operation == Operation::Perform).then(|| PhoneError::Failed("the binder died".into()))
    });
    bench.fail("enter_text", enter("!", &json!({ "clear": false })), "ACTION_FAILED");
    assert_eq!(bench.world().captures, 1);
}

#[test]
fn submitting_presses_the_keyboards_enter() {
    let mut bench = bench(vec![focused("")]);
    bench.host.answer = done();
    let step = bench.succeed("enter_text", enter("cats", &json!({ "submit": true })));
    assert_eq!(step.data["submit"], "true");
    assert_eq!(actions(&bench), [set("cats"), NodeAction::ImeEnter]);
    assert_eq!(bench.host.calls, []);
}

#[test]
fn where_the_keyboard_has_no_enter_the_host_presses_the_key() {
    let mut bench = bench(vec![focused("")]);
    bench.world().refuses = |action| *action == NodeAction::ImeEnter;
    bench.host.answer = done();
    bench.succeed("enter_text", enter("cats", &json!({ "submit": true })));
    assert_eq!(bench.host.calls, [HostCall::KeyEvent { code: 66 }]);
    assert_eq!(actions(&bench), [set("cats")]);
}

#[test]
fn a_text_that_cannot_be_submitted_is_entered_once_and_says_so() {
    let mut bench = bench(vec![focused("")]);
    bench.world().refuses = |action| *action == NodeAction::ImeEnter;
    let params = || enter("cats", &json!({ "submit": true }));
    let step = bench.fail("enter_text", params(), "ACTION_FAILED");
    assert!(step.data["message"].contains("entered but not submitted"), "{step:?}");
    assert_eq!(actions(&bench), [set("cats")]);
    let (code, message) = ("DEVICE_OFFLINE".into(), "no such device".into());
    bench.host.answer = Some(HostAnswer::Failed { code, message });
    let step = bench.fail("enter_text", params(), "ACTION_FAILED");
    assert!(step.data["message"].contains("no such device"), "{step:?}");
    assert_eq!(actions(&bench).len(), 2);
}

#[test]
fn typing_goes_into_the_field_that_has_the_focus() {
    let mut other = field("app:id/other", "", 400);
    other.text = "untouched".into();
    let mut bench = bench(vec![other, focused("Anna")]);
    let step = bench.succeed("type_text", json!({ "text": " Lee" }));
    assert_eq!((step.data["text"].as_str(), step.data["submit"].as_str()), (" Lee", "false"));
    assert_eq!(actions(&bench), [set("Anna Lee")]);
    bench.succeed("type_text", json!({ "text": "Bo", "clear": true, "submit": true }));
    assert_eq!(actions(&bench)[1..], [set("Bo"), NodeAction::ImeEnter]);
}

#[test]
fn typing_waits_for_the_focus_and_says_when_there_is_none() {
    let mut bench = bench(vec![field(ID, "", 100), with(button("Go", 400), Flags::FOCUSED)]);
    let step = bench.fail("type_text", json!({ "text": "x" }), "NO_FOCUSED_FIELD");
    assert_eq!(step.data["attempts"], "5");
    assert_eq!(actions(&bench), []);
    bench.world().after(ms(200), |world| world.show(APP, vec![focused("")]));
    bench.succeed("type_text", json!({ "text": "x" }));
    assert_eq!(actions(&bench), [set("x")]);
}

#[test]
fn what_is_typed_into_a_password_field_is_not_told() {
    let mut bench = bench(vec![with(focused(""), Flags::PASSWORD)]);
    let step = bench.succeed("type_text", json!({ "text": SECRET }));
    assert!(step.data.values().all(|value| !value.contains(SECRET)), "{step:?}");
    assert_eq!(actions(&bench), [set(SECRET)]);
}
