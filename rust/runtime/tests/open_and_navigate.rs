//! Opening and closing apps, and noticing that another screen has come up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::{Envelope, Status};
use clawperator_runtime::phone::{Display, Launch};
use serde_json::{Value, json};
use support::scripted::{Done, World, button};
use support::{Bench, clicked, ms};

const LAUNCHER: &str = "com.android.launcher";
const SETTINGS: &str = "com.android.settings";
const OTHER: &str = "com.example";

fn settings(world: &mut World) {
    world.show(SETTINGS, vec![button("Network & internet", 300)]);
}

fn launcher(world: &mut World) {
    world.show(LAUNCHER, vec![button("Settings", 300)]);
}

/// A phone at its launcher, with Settings installed.
fn bench() -> Bench {
    let bench = Bench::new();
    launcher(&mut bench.world());
    bench.world().apps = vec![SETTINGS.into()];
    bench
}

/// Settings come up so long after they were launched.
fn comes_up_after(bench: &Bench, delay: u64) {
    bench.world().react(move |world, done| {
        if matches!(done, Done::Launch(_) | Done::Node { .. } | Done::Gesture { .. }) {
            if delay == 0 {
                settings(world);
            } else {
                world.after(ms(delay), settings);
            }
        }
    });
}

fn wait_for(package: &str) -> Value {
    let params = json!({ "expectedPackage": package, "timeoutMs": 5_000 });
    json!({ "id": "wait-1", "type": "wait_for_navigation", "params": params })
}

fn step(kind: &str, params: Value) -> Value {
    json!({ "id": kind, "type": kind, "params": params })
}

/// The example of the documentation.
fn open_settings_and_snapshot(bench: &mut Bench) -> Envelope {
    let open = step("open_app", json!({ "applicationId": SETTINGS }));
    bench.run(json!([open, wait_for(SETTINGS), { "id": "snap-1", "type": "snapshot_ui" }]))
}

fn assert_shows_settings(envelope: &Envelope) {
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    let [open, wait, snapshot] = envelope.step_results.as_slice() else { panic!("{envelope:?}") };
    assert_eq!(open.data["application_id"], SETTINGS);
    assert_eq!(wait.data["resolved_package"], SETTINGS);
    assert!(snapshot.data["text"].contains("Network &amp; internet"));
}

#[test]
fn an_app_that_comes_up_slowly_is_waited_for() {
    let mut bench = bench();
    comes_up_after(&bench, 2_300);
    let envelope = open_settings_and_snapshot(&mut bench);
    assert_shows_settings(&envelope);
    // Two seconds of it passed while it was opened.
    let elapsed: u64 = envelope.step_results[1].data["elapsed_ms"].parse().unwrap();
    assert!((300..=310).contains(&elapsed), "{elapsed} ms");
    assert_eq!(bench.world().deeds(), [Done::Launch(SETTINGS.into())]);
}

#[test]
fn the_step_after_a_launch_sees_the_app_and_not_what_was_there_before() {
    let mut bench = bench();
    comes_up_after(&bench, 700);
    let open = step("open_app", json!({ "applicationId": SETTINGS }));
    let envelope = bench.run(json!([open, { "id": "snap-1", "type": "snapshot_ui" }]));
    assert_eq!(envelope.step_results[1].data["foreground_package"], SETTINGS);
}

#[test]
fn an_app_that_was_launched_by_the_execution_before_counts() {
    let mut bench = bench();
    comes_up_after(&bench, 700);
    bench.run(json!([step("open_app", json!({ "applicationId": SETTINGS }))]));
    let envelope = bench.run(json!([wait_for(SETTINGS)]));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    bench.run(json!([step("press_key", json!({ "key": "back" }))]));
    let envelope = bench.run(json!([wait_for(SETTINGS)]));
    assert_eq!(envelope.status, Status::Failed, "something else was done since: {envelope:?}");
}

#[test]
fn an_app_that_never_comes_to_the_front_is_no_failure() {
    let mut bench = bench();
    let open = step("open_app", json!({ "applicationId": SETTINGS }));
    let took = bench.took(|bench| {
        assert_eq!(bench.run(json!([open.clone()])).status, Status::Success);
    });
    assert_eq!(took, 2_000);
}

#[test]
fn an_app_that_comes_up_at_once_counts() {
    let mut bench = bench();
    comes_up_after(&bench, 0);
    let took = bench.took(|bench| assert_shows_settings(&open_settings_and_snapshot(bench)));
    assert_eq!(took, 0);
}

#[test]
fn an_app_that_was_in_front_already_counts_when_it_was_launched() {
    let mut bench = bench();
    settings(&mut bench.world());
    assert_shows_settings(&open_settings_and_snapshot(&mut bench));
}

#[test]
fn being_there_without_having_gone_there_does_not_count() {
    let mut bench = bench();
    settings(&mut bench.world());
    let took = bench.took(|bench| {
        let envelope = bench.run(json!([wait_for(SETTINGS)]));
        assert_eq!(envelope.step_results[0].error(), Some("NAVIGATION_TIMEOUT"));
        assert_eq!(envelope.step_results[0].data["last_package"], SETTINGS);
    });
    assert_eq!(took, 5_000);
}

#[test]
fn coming_back_counts_once_another_package_was_seen() {
    let mut bench = bench();
    settings(&mut bench.world());
    bench.world().after(ms(300), launcher);
    bench.world().after(ms(700), settings);
    let envelope = bench.run(json!([wait_for(SETTINGS)]));
    let elapsed: u64 = envelope.step_results[0].data["elapsed_ms"].parse().unwrap();
    assert!((700..=710).contains(&elapsed), "{elapsed} ms");
}

#[test]
fn where_it_began_unknown_a_change_must_be_seen() {
    let mut bench = bench();
    settings(&mut bench.world());
    bench.world().foreground.clear();
    // The package is only now told; nothing has come up.
    bench.world().after(ms(300), settings);
    let envelope = bench.run(json!([wait_for(SETTINGS)]));
    assert_eq!(envelope.step_results[0].error(), Some("NAVIGATION_TIMEOUT"), "{envelope:?}");
}

#[test]
fn another_app_than_the_expected_one_is_named() {
    let mut bench = bench();
    let envelope = bench.run(json!([step("press_key", json!({ "key": "home" })), wait_for(OTHER)]));
    assert_eq!(
        envelope.error.as_deref(),
        Some("Step wait-1 (wait_for_navigation) failed: NAVIGATION_TIMEOUT")
    );
    let wait = &envelope.step_results[1];
    assert_eq!(wait.data["last_package"], LAUNCHER);
    assert!(wait.data["message"].contains("5000 ms"), "{wait:?}");
}

#[test]
fn a_click_that_brings_an_app_up_at_once_counts() {
    for delay in [0, 900] {
        let mut bench = bench();
        comes_up_after(&bench, delay);
        let click = step("click", json!({ "matcher": { "textEquals": "Settings" } }));
        let envelope = bench.run(json!([click, wait_for(SETTINGS)]));
        assert_eq!(envelope.status, Status::Success, "{envelope:?}");
        assert_eq!(bench.world().deeds(), [clicked("Settings")]);
    }
}

#[test]
fn a_click_that_stays_in_the_app_does_not_count() {
    let mut bench = bench();
    settings(&mut bench.world());
    let click = step("click", json!({ "matcher": { "textContains": "network" } }));
    let envelope = bench.run(json!([click, wait_for(SETTINGS)]));
    assert_eq!(envelope.step_results[1].error(), Some("NAVIGATION_TIMEOUT"));
}

#[test]
fn a_touch_at_a_point_that_brings_an_app_up_at_once_counts() {
    let touch = || step("click", json!({ "coordinate": { "x": 540, "y": 360 } }));
    let gesture = || step("gesture", json!({ "strokes": [[{ "x": 540, "y": 360, "t": 0 }]] }));
    for act in [gesture(), touch()] {
        let mut bench = bench();
        comes_up_after(&bench, 0);
        let envelope = bench.run(json!([act, wait_for(SETTINGS)]));
        assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    }
}

#[test]
fn a_touch_at_a_point_starts_from_the_screen_of_now_not_of_the_last_execution() {
    let mut bench = bench();
    bench.succeed("snapshot_ui", json!({}));
    // Meanwhile somebody else went to Settings; the touch changes nothing there.
    settings(&mut bench.world());
    let touch = step("click", json!({ "coordinate": { "x": 5, "y": 5 } }));
    let envelope = bench.run(json!([touch, wait_for(SETTINGS)]));
    assert_eq!(envelope.step_results[1].error(), Some("NAVIGATION_TIMEOUT"), "{envelope:?}");
}

#[test]
fn a_second_wait_after_the_same_launch_counts_too() {
    let mut bench = bench();
    comes_up_after(&bench, 100);
    let open = step("open_app", json!({ "applicationId": SETTINGS }));
    let node = json!({ "expectedNode": { "textContains": "network" }, "timeoutMs": 5_000 });
    let wait = step("wait_for_navigation", node);
    let envelope = bench.run(json!([open, wait, wait_for(SETTINGS)]));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
}

#[test]
fn an_expected_node_counts_whichever_app_it_is_in() {
    let mut bench = bench();
    bench.world().after(ms(400), |world| world.show(LAUNCHER, vec![button("Done", 300)]));
    let node = json!({ "textEquals": "Done" });
    let params = json!({ "expectedNode": node, "timeoutMs": 5_000 });
    let step = bench.succeed("wait_for_navigation", params);
    assert_eq!(step.data["resolved_package"], LAUNCHER);
    let elapsed: u64 = step.data["elapsed_ms"].parse().unwrap();
    assert!((400..=410).contains(&elapsed), "{elapsed} ms");
    let either = json!({ "expectedNode": node, "expectedPackage": OTHER, "timeoutMs": 5_000 });
    bench.succeed("wait_for_navigation", either);
    let missing = json!({ "expectedNode": { "textEquals": "Gone" }, "timeoutMs": 700 });
    let step = bench.fail("wait_for_navigation", missing, "NAVIGATION_TIMEOUT");
    assert_eq!(step.data["last_package"], LAUNCHER);
}

#[test]
fn an_app_that_is_not_installed_is_not_waited_for() {
    let mut bench = bench();
    let took = bench.took(|bench| {
        bench.fail("open_app", json!({ "applicationId": OTHER }), "APP_NOT_FOUND");
    });
    assert_eq!(took, 0);
}

#[test]
fn a_launch_the_phone_refuses_is_tried_again_with_the_patience_of_a_launch() {
    let mut bench = bench();
    bench.world().launch_end = Launch::Refused;
    let took = bench.took(|bench| {
        let step = bench.fail("open_app", json!({ "applicationId": SETTINGS }), "ACTION_FAILED");
        assert_eq!(step.data["attempts"], "4");
    });
    assert!((4_462..=6_038).contains(&took), "{took} ms: 750 + 1500 + 3000 ± 15 %");
    bench.world().after(ms(1_000), |world| {
        world.launch_end = Launch::Started;
        world.changed();
    });
    bench.succeed("open_app", json!({ "applicationId": SETTINGS }));
    assert_eq!(bench.world().deeds(), [Done::Launch(SETTINGS.into())]);
}

#[test]
fn a_uri_goes_to_the_app_that_handles_it() {
    let mut bench = bench();
    let step = bench.succeed("open_uri", json!({ "uri": "https://example.com/a?b=c" }));
    assert_eq!(step.data["uri"], "https://example.com/a?b=c");
    assert_eq!(bench.world().deeds(), [Done::View("https://example.com/a?b=c".into())]);
    let step = bench.fail("open_uri", json!({ "uri": "geo:1,2" }), "URI_NOT_HANDLED");
    assert!(step.data["message"].contains("geo:1,2"), "{step:?}");
}

#[test]
fn a_uri_that_is_a_command_in_disguise_is_refused() {
    let mut bench = bench();
    let schemes = ["intent", "INTENT", "android-app", "file", "javascript"];
    bench.world().schemes = schemes.map(str::to_owned).to_vec();
    for scheme in schemes {
        let uri = format!("{scheme}:#Intent;action=a;end");
        let step = bench.fail("open_uri", json!({ "uri": uri }), "URI_REFUSED");
        assert_eq!(step.data["uri"], uri);
    }
    bench.fail("open_uri", json!({ "uri": " \tintent:#Intent;end" }), "URI_REFUSED");
    assert_eq!(bench.world().deeds(), []);
}

#[test]
fn closing_is_asked_of_the_host_at_the_steps_own_turn() {
    let mut bench = bench();
    bench.host.answer = Some(HostAnswer::Done { data: [].into() });
    let close = step("close_app", json!({ "applicationId": OTHER }));
    let open = step("open_app", json!({ "applicationId": SETTINGS }));
    let envelope = bench.run(json!([step("press_key", json!({ "key": "home" })), close, open]));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    assert_eq!(envelope.step_results[1].data["application_id"], OTHER);
    assert_eq!(bench.host.calls, [HostCall::CloseApp { application_id: OTHER.into() }]);
    assert_eq!(bench.host.turns, [1], "after the first step, before the third");
}

#[test]
fn without_a_host_closing_is_unsupported_and_the_execution_goes_on() {
    let mut bench = bench();
    // It needs no screen.
    bench.world().display = Display::Off;
    let close = step("close_app", json!({ "applicationId": OTHER }));
    let envelope = bench.run(json!([close, step("sleep", json!({ "durationMs": 5 }))]));
    let [close, sleep] = envelope.step_results.as_slice() else { panic!("{envelope:?}") };
    assert_eq!(close.error(), Some("UNSUPPORTED_RUNTIME_CLOSE"));
    assert_eq!(close.data["application_id"], OTHER);
    assert!(!close.data["message"].is_empty());
    assert!(sleep.success);
    assert_eq!(envelope.status, Status::Failed);
}

#[test]
fn a_host_that_cannot_close_the_app_ends_the_execution_with_its_own_words() {
    let mut bench = bench();
    let (code, message) = ("DEVICE_SHELL_UNAVAILABLE".into(), "no shell".into());
    bench.host.answer = Some(HostAnswer::Failed { code, message });
    let params = json!({ "applicationId": OTHER, "retry": { "maxAttempts": 1 } });
    let envelope = bench.run(json!([step("close_app", params), wait_for(OTHER)]));
    let [close] = envelope.step_results.as_slice() else { panic!("{envelope:?}") };
    assert_eq!(close.error(), Some("DEVICE_SHELL_UNAVAILABLE"));
    assert_eq!(close.data["message"], "no shell");
    assert_eq!(close.data["application_id"], OTHER);
}
