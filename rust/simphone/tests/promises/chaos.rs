use crate::bench::{Bench, options};
use clawperator_contract::Status;
use clawperator_contract::envelope::Envelope;
use clawperator_runtime::phone::{GestureEnd, Phone, PhoneError};
use clawperator_simphone::chaos::Faults;
use clawperator_simphone::device::Options;
use clawperator_simphone::phone::SimPhone;
use serde_json::json;

fn journey(faults: Faults, seed: u64) -> (Envelope, u128) {
    let options = Options { faults, seed, ..options() };
    let mut bench = Bench::with(options);
    let envelope = bench.run(json!([
        { "id": "1", "type": "open_app", "params": { "applicationId": "com.android.settings" } },
        { "id": "ready", "type": "wait_for_node",
          "params": { "matcher": { "role": "list" }, "timeoutMs": 5000 } },
        { "id": "2", "type": "scroll_until", "params": {
            "matcher": { "textEquals": "About phone" }, "direction": "down", "clickAfter": true } },
        { "id": "3", "type": "scroll_and_click",
          "params": { "matcher": { "textEquals": "Android version" } } },
        { "id": "4", "type": "read_key_value_pair",
          "params": { "labelMatcher": { "textEquals": "Kernel version" } } }
    ]));
    let time = bench.now_ms();
    (envelope, time)
}

#[test]
fn the_same_seed_gives_the_same_run_to_the_millisecond() {
    for seed in 0..20 {
        let (first, time) = journey(Faults::all(0.2), seed);
        let (again, same) = journey(Faults::all(0.2), seed);
        assert_eq!(format!("{first:?}"), format!("{again:?}"), "seed {seed}");
        assert_eq!(time, same, "seed {seed}");
    }
}

#[test]
fn seeds_differ() {
    let times: std::collections::BTreeSet<_> =
        (0..10).map(|seed| journey(Faults::all(0.2), seed).1).collect();
    assert!(times.len() > 3, "{times:?}");
}

#[test]
fn a_journey_survives_what_passes_by_itself() {
    let faults = Faults {
        late_nodes: 0.3,
        vanishing_nodes: 0.1,
        refused_gestures: 0.1,
        dropped_events: 0.3,
        slow_captures: 0.1,
        ..Faults::default()
    };
    let failures: Vec<_> = (0..30)
        .map(|seed| (seed, journey(faults.clone(), seed).0))
        .filter(|(_, envelope)| envelope.status != Status::Success)
        .map(|(seed, envelope)| (seed, envelope.step_results.last().cloned()))
        .collect();
    assert!(failures.len() <= 3, "{failures:#?}");
}

fn phone_with(faults: Faults) -> (Bench, SimPhone) {
    let bench = Bench::with(Options { faults, ..options() });
    let phone = SimPhone::new(bench.device.clone());
    (bench, phone)
}

#[test]
fn gestures_are_refused_or_broken_off() {
    let stroke = |bench: &Bench| {
        let screen = bench.screen();
        let icon = screen.nodes().find(|node| node.label() == "Settings").unwrap();
        let point = icon.bounds().center();
        let at = |ms| std::time::Duration::from_millis(ms);
        vec![
            [0, 100]
                .map(|ms| clawperator_contract::runnable::StrokePoint { at: at(ms), point })
                .to_vec(),
        ]
    };
    let refused = Faults { refused_gestures: 1.0, ..Faults::default() };
    let cancelled = Faults { cancelled_gestures: 1.0, ..Faults::default() };
    for (faults, end) in [(refused, GestureEnd::Refused), (cancelled, GestureEnd::Cancelled)] {
        let (bench, mut phone) = phone_with(faults);
        assert_eq!(phone.gesture(&stroke(&bench)), Ok(end));
        assert_eq!(bench.screen().foreground_package(), "com.android.launcher3");
    }
}

#[test]
fn a_stale_tree_shows_what_was() {
    let (bench, mut phone) = phone_with(Faults { stale_trees: 1.0, ..Faults::default() });
    let first = phone.capture().unwrap();
    bench.device.launch("com.android.settings");
    let stale = phone.capture().unwrap();
    assert_eq!(stale.foreground_package(), "com.android.launcher3");
    assert!(stale.generation > first.generation);
    let icon = stale.nodes().find(|node| node.label() == "Settings").unwrap();
    let click = clawperator_runtime::phone::NodeAction::Click;
    assert_eq!(phone.perform(icon.handle(), &click), Err(PhoneError::NodeGone));
}

#[test]
fn dropped_events_leave_the_counter_where_it_was() {
    let (bench, _) = phone_with(Faults { dropped_events: 1.0, ..Faults::default() });
    let before = bench.device.generation();
    bench.device.launch("com.android.settings");
    assert_eq!(bench.device.generation(), before);
    assert_eq!(bench.screen().foreground_package(), "com.android.settings");
}

#[test]
fn vanished_nodes_come_back() {
    let (bench, mut phone) = phone_with(Faults { vanishing_nodes: 1.0, ..Faults::default() });
    let all = bench.screen().len();
    assert!(phone.capture().unwrap().len() < all);
    bench.device.advance(std::time::Duration::from_secs(1));
    assert_eq!(bench.screen().len(), all);
}

#[test]
fn slow_captures_take_time_and_late_nodes_come() {
    let (bench, mut phone) = phone_with(Faults { slow_captures: 1.0, ..Faults::default() });
    phone.capture().unwrap();
    assert!(bench.now_ms() >= 200);
    let (bench, _) = phone_with(Faults { late_nodes: 1.0, ..Faults::default() });
    bench.device.launch("com.android.settings");
    assert!(!bench.shows("Battery"));
    bench.device.advance(std::time::Duration::from_secs(1));
    assert!(bench.shows("Battery"));
}

#[test]
fn a_killed_service_stays_dead_until_it_is_switched_on_again() {
    let (bench, mut phone) = phone_with(Faults { killed_after: Some(3), ..Faults::default() });
    for _ in 0..3 {
        phone.capture().unwrap();
    }
    for _ in 0..2 {
        assert_eq!(phone.capture().map(drop), Err(PhoneError::ServiceUnavailable));
    }
    assert!(!bench.device.service());
    bench.device.set_faults(Faults::default(), 1);
    bench.device.set_service(true);
    phone.capture().unwrap();
}
