//! Waiting: answered by changes, bounded by deadlines, ended by cancelling.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_contract::Status;
use clawperator_runtime::phone::{Display, NodeAction};
use serde_json::json;
use std::time::Duration;
use support::Bench;
use support::scripted::{Done, button};

const APP: &str = "com.example";

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn clicked(label: &str) -> Done {
    Done::Node { action: NodeAction::Click, label: label.into(), id: String::new() }
}

#[test]
fn a_node_that_appears_10_ms_late_is_clicked_within_15() {
    let mut bench = Bench::new();
    bench.world().show(APP, vec![]);
    bench.world().after(ms(10), |world| world.show(APP, vec![button("Go", 100)]));
    let took = bench.took(|bench| {
        let step = bench.succeed("click", json!({ "matcher": { "textEquals": "Go" } }));
        assert_eq!(step.data["attempts"], "2");
    });
    assert!((10..=15).contains(&took), "{took} ms");
    assert_eq!(bench.world().deeds(), [clicked("Go")]);
}

#[test]
fn attempts_woken_by_changes_do_not_use_up_the_attempts() {
    let mut bench = Bench::new();
    bench.world().show(APP, vec![]);
    // A screen in motion: an event every 20 ms, far more often than the policy has attempts.
    for tick in 1..100 {
        bench.world().after(ms(tick * 20), |world| world.changed());
    }
    bench.world().after(ms(1_900), |world| world.show(APP, vec![button("Go", 100)]));
    let took = bench.took(|bench| {
        bench.succeed("click", json!({ "matcher": { "textEquals": "Go" } }));
    });
    assert!((1_900..=1_910).contains(&took), "{took} ms");
}

#[test]
fn a_lost_event_costs_a_delay_of_the_policy_and_no_more() {
    let mut bench = Bench::new();
    bench.world().show(APP, vec![]);
    bench.world().after(ms(10), |world| {
        // The screen changes, but nobody is told.
        let mut root = world.windows[0].root.clone();
        root.children = vec![button("Go", 100)];
        world.windows[0].root = root;
    });
    let took = bench.took(|bench| {
        bench.succeed("click", json!({ "matcher": { "textEquals": "Go" } }));
    });
    assert!((425..=575).contains(&took), "{took} ms: the first delay is 500 ms ± 15 %");
}

#[test]
fn the_patience_of_ui_readiness_is_five_attempts_and_six_and_a_half_seconds() {
    let mut bench = Bench::new();
    bench.world().show(APP, vec![]);
    let took = bench.took(|bench| {
        let step =
            bench.fail("click", json!({ "matcher": { "textEquals": "Go" } }), "NODE_NOT_FOUND");
        assert_eq!(step.data["attempts"], "5");
    });
    assert!((5_525..=7_475).contains(&took), "{took} ms");
}

#[test]
fn wait_for_node_waits_as_long_as_it_is_told_and_says_so() {
    let mut bench = Bench::new();
    bench.world().show(APP, vec![]);
    let params = json!({ "matcher": { "textEquals": "Go" }, "timeoutMs": 2_500 });
    let took = bench.took(|bench| {
        let step = bench.fail("wait_for_node", params, "NODE_NOT_FOUND");
        assert!(step.data["message"].starts_with("within 2500 ms: no node with text \"Go\""));
        assert_eq!(step.data["timeout_ms"], "2500");
    });
    assert_eq!(took, 2_500);
}

#[test]
fn the_execution_ends_at_its_deadline_whatever_a_step_waits_for() {
    let mut bench = Bench::new();
    bench.world().show(APP, vec![]);
    let actions = json!([
        { "id": "nap", "type": "sleep", "params": { "durationMs": 300 } },
        { "id": "w", "type": "wait_for_node", "params": { "matcher": { "textEquals": "Go" }, "timeoutMs": 60_000 } },
        { "id": "never", "type": "press_key", "params": { "key": "home" } }
    ]);
    let took = bench.took(|bench| {
        let envelope = bench.run_within(1_000, actions);
        assert_eq!(envelope.error_code.as_deref(), Some("EXECUTION_TIMEOUT"));
        let error = "Execution timed out after 1000 ms in step w (wait_for_node)";
        assert_eq!(envelope.error.as_deref(), Some(error));
        let [nap, wait] = envelope.step_results.as_slice() else { panic!("{envelope:?}") };
        assert!(nap.success);
        assert_eq!(wait.error(), Some("EXECUTION_TIMEOUT"));
        assert!(wait.data["message"].contains("no node with text \"Go\""), "{wait:?}");
    });
    assert_eq!(took, 1_000);
    assert_eq!(bench.world().deeds(), []);
}

#[test]
fn a_cancelled_execution_keeps_the_steps_that_ran() {
    let mut bench = Bench::new();
    bench.world().show(APP, vec![]);
    let cancel = bench.cancel.clone();
    bench.world().after(ms(700), move |world| {
        cancel.cancel();
        world.changed();
    });
    let actions = json!([
        { "id": "nap", "type": "sleep", "params": { "durationMs": 500 } },
        { "id": "w", "type": "wait_for_node", "params": { "matcher": { "textEquals": "Go" }, "timeoutMs": 5_000 } }
    ]);
    let took = bench.took(|bench| {
        let envelope = bench.run(actions);
        assert_eq!(envelope.error_code.as_deref(), Some("EXECUTION_CANCELLED"));
        assert!(envelope.step_results[0].success);
    });
    assert_eq!(took, 700);
}

#[test]
fn a_sleeping_screen_is_woken_before_it_is_read() {
    let mut bench = Bench::new();
    bench.world().show(APP, vec![button("Go", 100)]);
    bench.world().display = Display::Off;
    bench.world().react(|world, done| {
        if *done == Done::Wake {
            world.after(ms(120), |world| world.display = Display::On);
        }
    });
    bench.succeed("click", json!({ "matcher": { "textEquals": "Go" } }));
    assert_eq!(bench.world().deeds(), [Done::Wake, clicked("Go")]);
}

#[test]
fn nothing_behind_a_lock_is_read_or_touched() {
    let mut bench = Bench::new();
    bench.world().show(APP, vec![button("Go", 100)]);
    bench.world().display = Display::Locked;
    for (kind, params) in [
        ("click", json!({ "matcher": { "textEquals": "Go" } })),
        ("snapshot_ui", json!({})),
        ("read_text", json!({ "matcher": { "textEquals": "Go" } })),
    ] {
        bench.fail(kind, params, "SCREEN_LOCKED");
    }
    assert_eq!(bench.world().captures, 0);
    bench.world().display = Display::Off;
    bench.fail("snapshot_ui", json!({}), "DEVICE_NOT_INTERACTIVE");
    // What needs no screen works all the same.
    assert_eq!(
        bench.run(json!([{ "id": "a", "type": "sleep", "params": { "durationMs": 1 } }])).status,
        Status::Success
    );
}
