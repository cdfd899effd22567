//! Clicking: through the node that takes it, else by touch, and never twice.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_runtime::phone::{GestureEnd, NodeAction, PhoneError};
use clawperator_runtime::screen::{Bounds, Flags, NodeSpec};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use support::scripted::{Done, Operation, button, node};
use support::{Bench, clicked, did, ms, tap};

const APP: &str = "com.example";

fn label(text: &str) -> NodeSpec {
    node("android.widget.TextView", text, Bounds::new(100, 100, 500, 200))
}

/// Puts so many layouts around a node; the outermost one takes clicks.
fn row_around(inner: NodeSpec, levels: u32) -> NodeSpec {
    let mut spec = inner;
    for _ in 0..levels {
        let mut outer = node("android.view.View", "", Bounds::new(0, 0, 1080, 400));
        outer.children = vec![spec];
        spec = outer;
    }
    spec.flags = spec.flags.with(Flags::CLICKABLE);
    spec.resource_id = "app:id/row".into();
    spec
}

fn disabled(mut spec: NodeSpec) -> NodeSpec {
    spec.flags = spec.flags.without(Flags::ENABLED);
    spec
}

fn long_press(x: i32, y: i32) -> Done {
    Done::Gesture { from: (x, y), to: (x, y), ms: 650, fingers: 1 }
}

fn text(text: &str) -> Value {
    json!({ "matcher": { "textEquals": text } })
}

fn typed(label: &str, click_type: &str) -> Value {
    json!({ "matcher": { "textEquals": label }, "clickType": click_type })
}

fn bench(children: Vec<NodeSpec>) -> Bench {
    let bench = Bench::new();
    bench.world().show(APP, children);
    bench
}

#[test]
fn a_label_is_clicked_through_the_row_around_it() {
    let mut bench = bench(vec![row_around(label("Wi-Fi"), 8)]);
    let step = bench.succeed("click", text("Wi-Fi"));
    assert_eq!(step.data["click_types"], "click");
    assert!(!step.data.contains_key("coordinate"));
    assert_eq!((step.data["attempts"].as_str(), step.data["waited_ms"].as_str()), ("1", "0"));
    let row =
        Done::Node { action: NodeAction::Click, label: String::new(), id: "app:id/row".into() };
    assert_eq!(bench.world().deeds(), [row]);
}

#[test]
fn what_is_more_than_eight_levels_up_is_not_meant() {
    let mut bench = bench(vec![row_around(label("Wi-Fi"), 9)]);
    bench.succeed("click", text("Wi-Fi"));
    assert_eq!(bench.world().deeds(), [tap(300, 150)]);
}

#[test]
fn a_node_that_takes_no_click_is_touched_in_its_middle_for_120_ms() {
    let mut bench = bench(vec![label("Plain")]);
    let took = bench.took(|bench| {
        bench.succeed("click", text("Plain"));
    });
    assert_eq!(bench.world().deeds(), [tap(300, 150)]);
    assert_eq!(took, 120);
}

#[test]
fn a_click_the_phone_refuses_becomes_a_touch_in_the_middle_of_the_target() {
    let mut bench = bench(vec![row_around(label("Wi-Fi"), 2)]);
    bench.world().refuses = |action| *action == NodeAction::Click;
    bench.succeed("click", text("Wi-Fi"));
    // Of the label that was meant, not of the row around it.
    assert_eq!(bench.world().deeds(), [tap(300, 150)]);
}

#[test]
fn a_node_that_hangs_over_the_edge_is_touched_where_it_shows() {
    let low = node("android.view.View", "Low", Bounds::new(0, 2300, 1080, 2700));
    let mut bench = bench(vec![low]);
    bench.succeed("click", text("Low"));
    assert_eq!(bench.world().deeds(), [tap(540, 2350)]);
}

#[test]
fn a_long_click_is_one_of_the_node_or_a_press_of_650_ms() {
    let mut spec = button("Hold", 100);
    spec.flags = spec.flags.with(Flags::LONG_CLICKABLE);
    let mut bench = bench(vec![spec]);
    let step = bench.succeed("click", typed("Hold", "long_click"));
    assert_eq!(step.data["click_types"], "long_click");
    assert_eq!(bench.world().deeds(), [did(NodeAction::LongClick, "Hold")]);
    bench.world().refuses = |action| *action == NodeAction::LongClick;
    bench.succeed("click", typed("Hold", "long_click"));
    assert_eq!(bench.world().deeds()[1..], [long_press(500, 160)]);
}

#[test]
fn focus_falls_back_to_selection_and_never_to_a_touch() {
    let mut bench = bench(vec![button("Name", 100)]);
    let step = bench.succeed("click", typed("Name", "focus"));
    assert_eq!(step.data["click_types"], "focus");
    bench.world().refuses = |action| *action == NodeAction::Focus;
    bench.succeed("click", typed("Name", "focus"));
    let both = [did(NodeAction::Focus, "Name"), did(NodeAction::Select, "Name")];
    assert_eq!(bench.world().deeds(), both);
    bench.world().refuses = |_| true;
    bench.fail("click", typed("Name", "focus"), "NODE_NOT_CLICKABLE");
    assert_eq!(bench.world().deeds(), both);
}

#[test]
fn a_disabled_node_is_not_touched() {
    let mut bench = bench(vec![disabled(button("Go", 100)), disabled(label("Off"))]);
    let step = bench.fail("click", text("Go"), "NODE_NOT_CLICKABLE");
    assert_eq!(step.data["attempts"], "5");
    assert!(step.data["message"].contains("\"Go\""), "{step:?}");
    bench.fail("click", typed("Off", "long_click"), "NODE_NOT_CLICKABLE");
    assert_eq!(bench.world().deeds(), []);
}

#[test]
fn a_node_that_becomes_enabled_is_clicked_then() {
    let mut bench = bench(vec![disabled(button("Go", 100))]);
    bench.world().after(ms(900), |world| world.show(APP, vec![button("Go", 100)]));
    let took = bench.took(|bench| {
        bench.succeed("click", text("Go"));
    });
    assert!((900..=910).contains(&took), "{took} ms");
    assert_eq!(bench.world().deeds(), [clicked("Go")]);
}

#[test]
fn a_node_that_went_away_between_look_and_click_is_looked_for_again() {
    let mut bench = bench(vec![button("Go", 100)]);
    let mut first = true;
    bench.world().faults(move |world, operation| {
        if operation != Operation::Perform || !std::mem::take(&mut first) {
            return None;
        }
        // The app drew its screen anew just now.
        world.show(APP, vec![label("News"), button("Go", 700)]);
        Some(PhoneError::NodeGone)
    });
    let took = bench.took(|bench| {
        let step = bench.succeed("click", text("Go"));
        assert_eq!(step.data["attempts"], "2");
    });
    assert!(took <= 10, "{took} ms");
    assert_eq!(bench.world().captures, 2);
    assert_eq!(bench.world().deeds(), [clicked("Go")]);
}

#[test]
fn a_click_that_may_have_been_delivered_is_never_repeated() {
    let mut bench = bench(vec![button("Pay", 100)]);
    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    bench.world().faults(move |_, operation| {
        (operation == Operation::Perform).then(|| {
            count.fetch_add(1, Ordering::SeqCst);
            PhoneError::Failed("the binder died".into())
        })
    });
    let step = bench.fail("click", text("Pay"), "ACTION_FAILED");
    assert_eq!(step.data["message"], "the binder died");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    assert_eq!(bench.world().deeds(), []);
}

#[test]
fn a_touch_that_was_broken_off_is_never_repeated() {
    let mut bench = bench(vec![label("Pay")]);
    bench.world().gesture_end = GestureEnd::Cancelled;
    bench.fail("click", text("Pay"), "GESTURE_FAILED");
    assert_eq!(bench.world().deeds(), [tap(300, 150)]);
    bench.fail("click", json!({ "coordinate": { "x": 7, "y": 9 } }), "GESTURE_FAILED");
    assert_eq!(bench.world().deeds()[1..], [tap(7, 9)]);
}

#[test]
fn a_touch_the_phone_refuses_is_tried_again() {
    let mut bench = bench(vec![label("Pay")]);
    bench.world().gesture_end = GestureEnd::Refused;
    let step = bench.fail("click", text("Pay"), "GESTURE_FAILED");
    assert_eq!(step.data["attempts"], "5");
    bench.world().after(ms(300), |world| {
        world.gesture_end = GestureEnd::Completed;
        world.changed();
    });
    bench.succeed("click", text("Pay"));
    assert_eq!(bench.world().deeds(), [tap(300, 150)]);
}

#[test]
fn a_point_is_touched_without_looking() {
    let mut bench = bench(vec![]);
    let step = bench.succeed("click", json!({ "coordinate": { "x": 540, "y": 960 } }));
    assert_eq!(step.data["coordinate"], "540,960");
    assert_eq!(step.data["click_types"], "click");
    let long = json!({ "coordinate": { "x": 1, "y": 2 }, "clickType": "long_click" });
    bench.succeed("click", long);
    assert_eq!(bench.world().deeds(), [tap(540, 960), long_press(1, 2)]);
    assert_eq!(bench.world().captures, 0);
}

#[test]
fn a_container_narrows_the_search() {
    let card = |id: &str, top| {
        let mut card = node("android.view.View", "", Bounds::new(0, top, 1080, top + 300));
        card.resource_id = id.into();
        let mut buy = button("Buy", top);
        buy.resource_id = format!("{id}-buy");
        card.children = vec![buy];
        card
    };
    let mut bench = bench(vec![card("a", 100), card("b", 500)]);
    let params =
        |id: &str| json!({ "matcher": { "textEquals": "Buy" }, "container": { "resourceId": id } });
    bench.succeed("click", params("b"));
    let buy = Done::Node { action: NodeAction::Click, label: "Buy".into(), id: "b-buy".into() };
    assert_eq!(bench.world().deeds(), [buy]);
    bench.fail("click", params("c"), "CONTAINER_NOT_FOUND");
    assert_eq!(bench.world().deeds().len(), 1);
}

#[test]
fn the_full_selector_finds_what_a_matcher_cannot_tell_apart() {
    let mut second = button("Open", 400);
    second.resource_id = "app:id/second".into();
    let mut bench = bench(vec![disabled(button("Open", 100)), second]);
    let any = json!([{ "textEquals": "Open" }, { "textEquals": "Start" }]);
    bench.succeed("click", json!({ "where": { "enabled": true, "anyOf": any } }));
    let open =
        Done::Node { action: NodeAction::Click, label: "Open".into(), id: "app:id/second".into() };
    assert_eq!(bench.world().deeds(), [open]);
}

#[test]
fn a_reference_of_the_newest_screen_is_clicked_in_a_later_execution() {
    let mut bench = bench(vec![button("Same", 100), button("Same", 400)]);
    let found = json!({ "where": { "textEquals": "Same", "indexInParent": 1 } });
    let reference = bench.succeed("wait_for_node", found).data["ref"].clone();
    bench.succeed("click", json!({ "ref": reference, "clickType": "default" }));
    assert_eq!(bench.world().captures, 1, "the screen it speaks of is not looked at again");
    assert_eq!(bench.world().deeds(), [clicked("Same")]);
}

#[test]
fn a_stale_reference_touches_nothing() {
    let mut bench = bench(vec![button("Go", 100)]);
    let reference = bench.succeed("wait_for_node", text("Go")).data["ref"].clone();
    // Even the same screen, looked at again, numbers its nodes anew.
    bench.succeed("snapshot_ui", json!({}));
    let took = bench.took(|bench| {
        bench.fail("click", json!({ "ref": reference }), "NODE_STALE");
    });
    assert_eq!(took, 0, "it will not get fresh again");
    bench.fail("click", json!({ "ref": "n999@1" }), "NODE_STALE");
    assert_eq!(bench.world().deeds(), []);
}

#[test]
fn a_reference_whose_node_went_away_is_stale() {
    let mut bench = bench(vec![button("Go", 100)]);
    let reference = bench.succeed("wait_for_node", text("Go")).data["ref"].clone();
    bench
        .world()
        .faults(|_, operation| (operation == Operation::Perform).then_some(PhoneError::NodeGone));
    bench.fail("click", json!({ "ref": reference }), "NODE_STALE");
    assert_eq!(bench.world().deeds(), []);
}

#[test]
fn what_is_not_there_is_named_with_what_came_close() {
    let mut bench = bench(vec![button("Save all", 100)]);
    let step = bench.fail("click", text("Save"), "NODE_NOT_FOUND");
    assert!(step.data["message"].contains("no node with text \"Save\""), "{step:?}");
    assert!(step.data["message"].contains("Save all"), "{step:?}");
}
