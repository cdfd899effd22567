//! Scrolling once, and scrolling until something shows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_contract::envelope::StepResult;
use clawperator_runtime::phone::GestureEnd;
use clawperator_runtime::screen::{Bounds, Flags};
use serde_json::{Value, json};
use support::scripted::{Done, List, World, button, node};
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

fn row(number: u32) -> Value {
    json!({ "textEquals": format!("Row {number}") })
}

/// Does something at the swipe of this number.
fn at_swipe(bench: &Bench, number: u32, mut then: impl FnMut(&mut World) + Send + 'static) {
    let mut swipes = 0;
    bench.world().react(move |world, done| {
        swipes += u32::from(matches!(done, Done::Gesture { .. }));
        if swipes == number && matches!(done, Done::Gesture { .. }) {
            then(world);
        }
    });
}

fn leaves(world: &mut World) {
    world.list = None;
    world.show(APP, vec![button("Elsewhere", 300)]);
}

fn reason(step: &StepResult) -> (&str, &str) {
    (&step.data["termination_reason"], &step.data["scrolls_executed"])
}

#[test]
fn a_swipe_along_the_middle_moves_the_list_and_settles_early() {
    let mut bench = bench(100);
    let took = bench.took(|bench| {
        let step = bench.succeed("scroll", json!({}));
        assert_eq!(step.data["scroll_outcome"], "moved");
        assert_eq!(step.data["direction"], "down");
        assert_eq!(step.data["distance_ratio"], "0.7");
        assert_eq!(step.data["settle_delay_ms"], "250");
        assert_eq!(step.data["resolved_container"], "android:id/list");
    });
    let Done::Gesture { from, to, ms: length, fingers: 1 } = bench.world().deeds()[0] else {
        panic!("no swipe")
    };
    // From 0.8 − 0.4 · 0.7 of the height, 0.4 · 0.7 of it upwards.
    assert_eq!((from, to), ((540, 1_240), (540, 680)));
    assert!(took < length + 100, "{took} ms: the screen was quiet long before 250 ms");
}

#[test]
fn a_list_in_motion_is_given_its_time_and_no_more() {
    let mut bench = bench(100);
    at_swipe(&bench, 1, |world| {
        for tick in 1..100 {
            world.after(ms(tick * 30), |world| world.changed());
        }
    });
    let took = bench.took(|bench| {
        bench.succeed("scroll", json!({ "settleDelayMs": 600 }));
    });
    assert_eq!(took, 300 + 600);
}

#[test]
fn up_goes_back_and_the_end_is_an_edge() {
    let mut bench = bench(12);
    for (direction, outcome) in
        [("down", "moved"), ("down", "edge_reached"), ("up", "moved"), ("up", "edge_reached")]
    {
        let step = bench.succeed("scroll", json!({ "direction": direction }));
        assert_eq!(step.data["scroll_outcome"], outcome, "{direction}");
        assert_eq!(step.data["direction"], direction);
    }
}

#[test]
fn rows_that_are_all_alike_count_as_moved_when_the_app_says_so() {
    let mut bench = bench(0);
    let list = List { reports: true, ..List::of((0..30).map(|_| "Song".into())) };
    bench.world().list = Some(list);
    // A tenth of the height: exactly one row, so the screen looks as before.
    let one_row = json!({ "distanceRatio": 0.25 });
    assert_eq!(bench.succeed("scroll", one_row).data["scroll_outcome"], "moved");
    assert_eq!(bench.world().list.as_ref().unwrap().offset, 200);
    bench.world().list.as_mut().unwrap().offset = 20 * 200;
    let step = bench.succeed("scroll", json!({ "distanceRatio": 0.25 }));
    assert_eq!(step.data["scroll_outcome"], "edge_reached");
}

#[test]
fn the_container_may_be_the_list_or_something_around_it() {
    let mut bench = bench(100);
    bench.world().windows[0].root.resource_id = "app:id/page".into();
    for container in ["android:id/list", "app:id/page"] {
        let params = json!({ "container": { "resourceId": container } });
        let step = bench.succeed("scroll", params);
        assert_eq!(step.data["resolved_container"], "android:id/list", "{container}");
    }
    let itself = json!({
        "container": { "resourceId": "app:id/page" }, "findFirstScrollableChild": false
    });
    bench.fail("scroll", itself, "CONTAINER_NOT_SCROLLABLE");
    let row = json!({ "container": { "textEquals": "Row 9" } });
    bench.fail("scroll", row, "CONTAINER_NOT_SCROLLABLE");
    bench.fail("scroll", json!({ "container": { "resourceId": "x" } }), "CONTAINER_NOT_FOUND");
    assert_eq!(swipes(&bench), 2);
}

#[test]
fn the_first_thing_that_scrolls_is_the_container_where_none_is_named() {
    let mut bench = bench(0);
    bench.world().list = None;
    let pager = |id: &str, left: i32| {
        let mut spec = node(
            "androidx.viewpager.widget.ViewPager",
            "",
            Bounds::new(left, 0, left + 400, 1_000),
        );
        spec.resource_id = id.into();
        spec.flags = spec.flags.with(Flags::SCROLLABLE);
        spec
    };
    bench.world().show(APP, vec![pager("a", 0), pager("b", 500)]);
    let step = bench.succeed("scroll", json!({ "direction": "right", "distanceRatio": 0.5 }));
    assert_eq!(step.data["resolved_container"], "a");
    let Done::Gesture { from, to, .. } = bench.world().deeds()[0] else { panic!("no swipe") };
    // To see what is on the right the finger moves left, along the middle.
    assert_eq!((from, to), ((240, 500), (160, 500)));
    bench.world().show(APP, vec![button("Still", 100)]);
    bench.fail("scroll", json!({}), "CONTAINER_NOT_FOUND");
}

#[test]
fn a_swipe_the_phone_does_not_make_fails_at_once_and_once() {
    for (end, made) in [(GestureEnd::Refused, 0), (GestureEnd::Cancelled, 1)] {
        let mut bench = bench(100);
        bench.world().gesture_end = end;
        let step = bench.fail("scroll", json!({}), "GESTURE_FAILED");
        assert_eq!((step.data["attempts"].as_str(), swipes(&bench)), ("1", made));
    }
}

#[test]
fn a_list_that_comes_late_is_scrolled_under_a_given_retry() {
    let mut bench = bench(0);
    bench.world().list = None;
    bench.world().after(ms(100), |world| {
        world.list = Some(List::of((0..50).map(|number| number.to_string())));
        world.changed();
    });
    let retry = json!({ "maxAttempts": 2, "initialDelayMs": 1_000 });
    bench.succeed("scroll", json!({ "retry": retry }));
    assert_eq!(swipes(&bench), 1);
}

#[test]
fn a_target_that_shows_already_needs_no_scroll() {
    let mut bench = bench(100);
    let step = bench.succeed("scroll_until", json!({ "matcher": row(3) }));
    assert_eq!(reason(&step), ("TARGET_FOUND", "0"));
    assert_eq!(
        (step.data["direction"].as_str(), step.data["click_after"].as_str()),
        ("down", "false")
    );
    assert_eq!(bench.world().deeds(), []);
}

#[test]
fn a_target_further_down_is_found_and_not_overrun() {
    let mut bench = bench(100);
    let step = bench.succeed("scroll_until", json!({ "matcher": row(15) }));
    assert_eq!(reason(&step), ("TARGET_FOUND", "2"));
    assert_eq!(step.data["resolved_container"], "android:id/list");
    assert_eq!(swipes(&bench), 2);
}

#[test]
fn click_after_clicks_what_was_found() {
    let mut bench = bench(100);
    let params = json!({ "matcher": row(15), "clickAfter": true });
    let step = bench.succeed("scroll_until", params);
    assert_eq!(reason(&step), ("TARGET_FOUND", "2"));
    assert_eq!(
        (step.data["click_after"].as_str(), step.data["click_types"].as_str()),
        ("true", "click")
    );
    assert_eq!(bench.world().deeds()[2..], [clicked("Row 15")]);
}

#[test]
fn a_target_that_is_nowhere_is_not_found_and_the_reason_told() {
    for (more, reason, scrolls) in [
        (json!({ "maxScrolls": 100 }), "EDGE_REACHED", "3"),
        (json!({ "maxScrolls": 1 }), "MAX_SCROLLS_REACHED", "1"),
        (json!({ "maxDurationMs": 600 }), "MAX_DURATION_REACHED", "2"),
    ] {
        let mut bench = bench(14);
        let mut params = json!({ "matcher": { "textEquals": "Nowhere" } });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let step = bench.fail("scroll_until", params, "NODE_NOT_FOUND");
        assert_eq!(self::reason(&step), (reason, scrolls));
        assert!(step.data["message"].contains("Nowhere"), "{step:?}");
        assert!(step.data["message"].contains(reason), "{step:?}");
    }
}

#[test]
fn without_a_target_every_end_is_a_success() {
    for (more, reason, scrolls) in [
        (json!({}), "EDGE_REACHED", "3"),
        (json!({ "maxScrolls": 2 }), "MAX_SCROLLS_REACHED", "2"),
        (json!({ "maxDurationMs": 0 }), "MAX_DURATION_REACHED", "0"),
    ] {
        let step = bench(14).succeed("scroll_until", more);
        assert_eq!(self::reason(&step), (reason, scrolls));
    }
}

#[test]
fn swipes_the_phone_refuses_end_it_after_as_many_as_are_told() {
    for (more, attempts) in [(json!({}), 3), (json!({ "noPositionChangeThreshold": 5 }), 5)] {
        let mut bench = bench(100);
        bench.world().gesture_end = GestureEnd::Refused;
        let step = bench.succeed("scroll_until", more);
        assert_eq!(step.data["termination_reason"], "NO_POSITION_CHANGE");
        assert_eq!(bench.world().captures, attempts);
    }
    let mut bench = bench(100);
    bench.world().gesture_end = GestureEnd::Refused;
    let step = bench.fail("scroll_until", json!({ "matcher": row(50) }), "NODE_NOT_FOUND");
    assert_eq!(step.data["termination_reason"], "NO_POSITION_CHANGE");
}

#[test]
fn a_swipe_that_moves_makes_the_refused_ones_before_it_forgotten() {
    let mut bench = bench(100);
    // Every third swipe is refused, never three in a row.
    let mut asked = 0;
    bench.world().faults(move |world, operation| {
        if operation == support::scripted::Operation::Gesture {
            asked += 1;
            let refuses = asked % 3 != 0;
            world.gesture_end = if refuses { GestureEnd::Refused } else { GestureEnd::Completed };
        }
        None
    });
    let step = bench.succeed("scroll_until", json!({ "matcher": row(15) }));
    assert_eq!(step.data["termination_reason"], "TARGET_FOUND");
    assert_eq!(swipes(&bench), 2);
}

#[test]
fn a_container_that_goes_away_in_between_is_told() {
    let mut bench = bench(100);
    at_swipe(&bench, 2, leaves);
    let step = bench.fail("scroll_until", json!({ "matcher": row(50) }), "NODE_NOT_FOUND");
    assert_eq!(reason(&step), ("CONTAINER_LOST", "2"));
    let mut without = self::bench(100);
    at_swipe(&without, 1, leaves);
    let step = without.fail("scroll_until", json!({}), "CONTAINER_NOT_FOUND");
    assert_eq!(reason(&step), ("CONTAINER_LOST", "1"));
}

#[test]
fn a_target_on_the_screen_that_came_instead_is_found() {
    let mut bench = bench(100);
    at_swipe(&bench, 1, leaves);
    let params = json!({ "matcher": { "textEquals": "Elsewhere" } });
    assert_eq!(reason(&bench.succeed("scroll_until", params)), ("TARGET_FOUND", "1"));
}

#[test]
fn where_nothing_scrolls_the_container_is_what_is_missing() {
    let mut bench = bench(0);
    leaves(&mut bench.world());
    bench.fail("scroll_until", json!({}), "CONTAINER_NOT_FOUND");
    let params = json!({ "matcher": row(1), "container": { "textEquals": "Elsewhere" } });
    bench.fail("scroll_until", params, "CONTAINER_NOT_SCROLLABLE");
    assert_eq!(swipes(&bench), 0);
}

#[test]
fn a_target_that_comes_late_on_a_screen_that_does_not_scroll_is_found() {
    let mut bench = bench(0);
    bench.world().list = None;
    bench.world().after(ms(200), |world| world.show(APP, vec![button("Late", 300)]));
    let step = bench.succeed("scroll_until", json!({ "matcher": { "textEquals": "Late" } }));
    assert_eq!(step.data["termination_reason"], "TARGET_FOUND");
}

#[test]
fn a_row_that_loads_at_the_edge_is_found_in_the_time_of_grace() {
    let mut bench = bench(12);
    at_swipe(&bench, 2, |world| {
        world.after(ms(250), |world| {
            world.list.as_mut().unwrap().rows[11] = "Late".into();
            world.changed();
        });
    });
    let took = bench.took(|bench| {
        let step = bench.succeed("scroll_until", json!({ "matcher": { "textEquals": "Late" } }));
        assert_eq!(reason(&step), ("TARGET_FOUND", "2"));
    });
    let settled = 2 * 300 + 48;
    assert!(took <= settled + 250 + 10, "{took} ms: as soon as it shows");
}

#[test]
fn one_patient_look_is_taken_before_giving_up() {
    let mut bench = bench(100);
    bench.world().after(ms(3_000), |world| {
        world.list.as_mut().unwrap().rows[5] = "Late".into();
        world.changed();
    });
    let params = json!({ "matcher": { "textEquals": "Late" }, "maxScrolls": 1 });
    let step = bench.succeed("scroll_until", params);
    assert_eq!(reason(&step), ("TARGET_FOUND", "1"));
}
