//! Scrolling to a target and clicking it, in one step.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_runtime::phone::{GestureEnd, NodeAction, PhoneError};
use serde_json::{Value, json};
use support::scripted::{Done, List, Operation, button};
use support::{Bench, clicked, ms};

const APP: &str = "com.example";

/// A list of so many rows; ten of them show at a time.
fn bench(rows: u32) -> Bench {
    let bench = Bench::new();
    bench.world().show(APP, vec![]);
    bench.world().list = Some(List::of((0..rows).map(|number| format!("Row {number}"))));
    bench
}

fn swipes(bench: &Bench) -> usize {
    let deeds = bench.world().deeds();
    deeds.iter().filter(|done| matches!(done, Done::Gesture { .. })).count()
}

fn to_row(number: u32, more: &Value) -> Value {
    let mut params = json!({ "matcher": { "textEquals": format!("Row {number}") } });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    params
}

#[test]
fn the_target_is_scrolled_to_and_clicked() {
    let mut bench = bench(100);
    let step = bench.succeed("scroll_and_click", to_row(15, &json!({})));
    let told = ["max_swipes", "direction", "click_types", "click_after"];
    assert_eq!(told.map(|key| step.data[key].as_str()), ["10", "down", "click", "true"]);
    assert_eq!(bench.world().deeds()[2..], [clicked("Row 15")]);
    assert_eq!(swipes(&bench), 2);
}

#[test]
fn a_target_that_shows_is_clicked_without_a_swipe() {
    let mut bench = bench(100);
    bench.succeed("scroll_and_click", to_row(3, &json!({})));
    assert_eq!(bench.world().deeds(), [clicked("Row 3")]);
}

#[test]
fn the_click_may_be_a_long_one_or_none() {
    let mut bench = bench(100);
    bench.world().refuses = |action| *action == NodeAction::LongClick;
    bench.succeed("scroll_and_click", to_row(3, &json!({ "clickType": "long_click" })));
    let press = Done::Gesture { from: (540, 900), to: (540, 900), ms: 650, fingers: 1 };
    assert_eq!(bench.world().deeds(), [press]);
    let mut bench = self::bench(100);
    let step = bench.succeed("scroll_and_click", to_row(15, &json!({ "clickAfter": false })));
    assert_eq!(step.data["click_after"], "false");
    let deeds = bench.world().deeds().len();
    assert_eq!(deeds, swipes(&bench), "nothing but swipes");
}

#[test]
fn max_swipes_is_the_most_it_swipes() {
    for more in [json!({}), json!({ "clickAfter": false })] {
        let mut bench = bench(1_000);
        let mut params = to_row(900, &more);
        params["maxSwipes"] = json!(4);
        let step = bench.fail("scroll_and_click", params, "NODE_NOT_FOUND");
        assert_eq!(step.data["max_swipes"], "4");
        assert_eq!(swipes(&bench), 4);
    }
}

#[test]
fn two_swipes_in_a_row_without_movement_end_it() {
    let mut bench = bench(12);
    let step = bench.fail("scroll_and_click", to_row(99, &json!({})), "NODE_NOT_FOUND");
    assert_eq!(swipes(&bench), 3, "one that moved, two that did not");
    assert!(step.data["message"].contains("Row 99"), "{step:?}");
}

#[test]
fn scrolling_up_looks_further_up() {
    let mut bench = bench(100);
    bench.world().list.as_mut().unwrap().offset = 3_000;
    bench.succeed("scroll_and_click", to_row(12, &json!({ "direction": "up" })));
    assert_eq!(bench.world().deeds().last(), Some(&clicked("Row 12")));
}

#[test]
fn the_patience_of_scrolling_is_four_attempts_and_2800_ms() {
    let mut bench = bench(0);
    bench.world().list = None;
    let took = bench.took(|bench| {
        let step = bench.fail("scroll_and_click", to_row(1, &json!({})), "CONTAINER_NOT_FOUND");
        assert_eq!(step.data["attempts"], "4");
    });
    assert!((2_380..=3_220).contains(&took), "{took} ms: 400 + 800 + 1600 ± 15 %");
}

#[test]
fn a_given_scroll_retry_takes_the_place_of_the_preset() {
    let mut bench = bench(100);
    bench.world().gesture_end = GestureEnd::Refused;
    let retry = json!({ "scrollRetry": { "maxAttempts": 2, "initialDelayMs": 100 } });
    let took = bench.took(|bench| {
        let step = bench.fail("scroll_and_click", to_row(50, &retry), "GESTURE_FAILED");
        assert_eq!(step.data["attempts"], "2");
    });
    assert_eq!(took, 100);
}

#[test]
fn a_list_that_comes_late_is_scrolled() {
    let mut bench = bench(0);
    bench.world().list = None;
    bench.world().after(ms(300), |world| {
        world.list = Some(List::of((0..50).map(|number| format!("Row {number}"))));
        world.changed();
    });
    bench.succeed("scroll_and_click", to_row(15, &json!({})));
    assert_eq!(bench.world().deeds().last(), Some(&clicked("Row 15")));
}

#[test]
fn a_target_that_comes_late_on_a_screen_that_does_not_scroll_is_clicked() {
    let mut bench = bench(0);
    bench.world().list = None;
    bench.world().after(ms(200), |world| world.show(APP, vec![button("Row 1", 300)]));
    bench.succeed("scroll_and_click", to_row(1, &json!({})));
    assert_eq!(bench.world().deeds(), [clicked("Row 1")]);
}

#[test]
fn the_final_click_is_tried_again_while_nothing_was_done() {
    let mut bench = bench(100);
    let mut left = 2;
    bench.world().faults(move |world, operation| {
        if operation != Operation::Perform || left == 0 {
            return None;
        }
        left -= 1;
        world.changed();
        Some(PhoneError::NodeGone)
    });
    let step = bench.succeed("scroll_and_click", to_row(15, &json!({})));
    assert_eq!(step.data["attempts"], "3");
    assert_eq!(bench.world().deeds()[2..], [clicked("Row 15")]);
}

#[test]
fn a_given_click_retry_takes_the_place_of_the_preset() {
    let mut bench = bench(100);
    bench
        .world()
        .faults(|_, operation| (operation == Operation::Perform).then_some(PhoneError::NodeGone));
    let retry = json!({ "clickRetry": { "maxAttempts": 3, "initialDelayMs": 50 } });
    let step = bench.fail("scroll_and_click", to_row(3, &retry), "NODE_NOT_FOUND");
    assert_eq!((step.data["attempts"].as_str(), step.data["waited_ms"].as_str()), ("3", "100"));
}

#[test]
fn a_final_click_that_may_have_been_delivered_is_never_repeated() {
    let mut bench = bench(100);
    bench.world().faults(|_, operation| {
        (operation == Operation::Perform).then(|| PhoneError::Failed("the binder died".into()))
    });
    let step = bench.fail("scroll_and_click", to_row(3, &json!({})), "ACTION_FAILED");
    assert_eq!(step.data["attempts"], "1");
}
