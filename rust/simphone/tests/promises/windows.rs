use crate::bench::{Bench, options};
use clawperator_contract::Status;
use clawperator_runtime::phone::{Display, Phone, PhoneError, Picture};
use clawperator_runtime::screen::{Screen, WindowKind};
use clawperator_simphone::device::{KeyCode, Latency, Lock, Options};
use clawperator_simphone::phone::SimPhone;
use serde_json::json;
use std::time::Duration;

const HOME: &str = "com.android.launcher3";
const SETTINGS: &str = "com.android.settings";

fn has(screen: &Screen, kind: WindowKind) -> bool {
    screen.windows().any(|view| view.window().kind == kind)
}

#[test]
fn back_goes_page_by_page_and_then_home() {
    let mut bench = Bench::on(SETTINGS);
    bench.click("Network & internet");
    bench.click("Internet");
    for title in ["Network & internet", "Settings"] {
        bench.does("press_key", json!({ "key": "back" }));
        assert_eq!(bench.title(), title);
    }
    bench.does("press_key", json!({ "key": "back" }));
    assert_eq!(bench.screen().foreground_package(), HOME);
    bench.does("press_key", json!({ "key": "back" }));
    assert_eq!(bench.screen().foreground_package(), HOME, "there is nothing behind home");
}

#[test]
fn home_keeps_an_app_where_it_was_and_recents_bring_it_back() {
    let mut bench = Bench::on(SETTINGS);
    bench.click("Battery");
    bench.does("press_key", json!({ "key": "home" }));
    assert_eq!(bench.screen().foreground_package(), HOME);
    bench.click("Climate");
    bench.does("press_key", json!({ "key": "recents" }));
    bench.click("Settings");
    assert_eq!(bench.title(), "Battery");
    bench.does("press_key", json!({ "key": "recents" }));
    bench.click("Clear all");
    assert!(bench.device.running().is_empty());
}

#[test]
fn an_app_started_by_another_leads_back_to_it() {
    let mut bench = Bench::on(SETTINGS);
    bench.does("scroll_and_click", json!({ "matcher": { "textEquals": "Apps" } }));
    bench.click("News");
    bench.click("Open");
    assert_eq!(bench.screen().foreground_package(), "com.example.news");
    bench.does("press_key", json!({ "key": "back" }));
    assert_eq!(bench.title(), "App info");
}

#[test]
fn a_slow_start_is_waited_for() {
    let options = options();
    let latency = Latency { launch: Duration::from_millis(2_700), ..Latency::phone() };
    let mut bench = Bench::with(Options { latency, ..options });
    let envelope = bench.run(json!([
        { "id": "1", "type": "open_app", "params": { "applicationId": SETTINGS } },
        { "id": "2", "type": "wait_for_navigation",
          "params": { "expectedPackage": SETTINGS, "timeoutMs": 5000 } }
    ]));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    let elapsed: u64 = envelope.step_results[1].data["elapsed_ms"].parse().unwrap();
    assert!((600..800).contains(&elapsed), "{elapsed}");
}

#[test]
fn the_keyboard_takes_the_lower_part_and_back_takes_it_away() {
    let mut bench = Bench::on("com.clawperator.conformance");
    bench.click("Open inputs");
    let field = |screen: &Screen| {
        let field = screen.nodes().find(|node| node.resource_id().ends_with("password_field"));
        field.unwrap().bounds()
    };
    bench.click_id("com.clawperator.conformance:id/password_field");
    let screen = bench.screen();
    assert!(has(&screen, WindowKind::InputMethod));
    assert!(field(&screen).bottom <= bench.device.metrics().keyboard().top);
    let keyboard = bench.device.metrics().keyboard();
    let inside = |node: &clawperator_runtime::screen::Node<'_>| {
        node.window().window().kind != WindowKind::Application
            || node.parent().is_none()
            || node.bounds().bottom <= keyboard.top
    };
    assert!(screen.nodes().all(|node| inside(&node)), "nothing lies under the keyboard");
    bench.does("press_key", json!({ "key": "back" }));
    assert!(!has(&bench.screen(), WindowKind::InputMethod));
    assert_eq!(bench.title(), "Inputs", "the first back only closed the keyboard");
}

#[test]
fn a_field_under_the_keyboard_to_be_comes_up_above_it() {
    let mut bench = Bench::on("com.example.account");
    for (name, text) in [("user", "ada"), ("password", "secret")] {
        let field = json!({ "resourceId": format!("com.example.account:id/{name}") });
        bench.does("enter_text", json!({ "matcher": field, "text": text, "submit": true }));
    }
    bench.does("wait_for_node", json!({ "matcher": { "textEquals": "Your data" } }));
    // A small screen, so that the last field lies low.
    let options = options();
    let metrics = clawperator_simphone::device::Metrics { width: 720, height: 1280, dpi: 320 };
    let mut small = Bench::with(Options { metrics, ..options });
    small.device.launch("com.clawperator.conformance");
    small.click_id("com.clawperator.conformance:id/text_field");
    let screen = small.screen();
    let field = screen.nodes().find(|node| node.resource_id().ends_with("text_field")).unwrap();
    assert!(field.bounds().bottom <= metrics.keyboard().top, "{}", field.bounds());
}

#[test]
fn keys_typed_on_the_screens_keyboard_arrive() {
    let mut bench = Bench::on("com.clawperator.conformance");
    bench.click_id("com.clawperator.conformance:id/text_field");
    for letter in ["o", "k", "x", "Delete"] {
        bench.does("click", json!({ "matcher": { "contentDescEquals": letter } }));
    }
    bench.device.type_text("!");
    bench.device.key(KeyCode::Enter);
    assert_eq!(bench.text("com.clawperator.conformance:id/submitted_value"), "Submitted: ok!");
}

#[test]
fn a_screen_that_is_off_comes_on_and_a_polite_lock_gives_way() {
    let mut bench = Bench::on(SETTINGS);
    bench.device.sleep();
    assert_eq!(bench.device.display(), Display::Off);
    assert_eq!(bench.screen().window_count(), 0);
    bench.click("Battery");
    assert_eq!(bench.device.display(), Display::On);
    assert_eq!(bench.title(), "Battery");
}

#[test]
fn a_secure_lock_keeps_everybody_out() {
    let options = Options { lock: Lock::Secure, ..options() };
    let mut bench = Bench::with(options);
    bench.device.launch(SETTINGS);
    bench.device.key(KeyCode::Power);
    bench.device.key(KeyCode::Power);
    assert_eq!(bench.device.display(), Display::Locked);
    bench.fails("click", json!({ "matcher": { "textEquals": "Battery" } }), "SCREEN_LOCKED");
    assert!(!bench.shows("Battery") && bench.shows("Enter your PIN to unlock"));
    bench.device.unlock();
    bench.click("Battery");
}

#[test]
fn a_swipe_opens_a_lock_without_a_secret() {
    let bench = Bench::on(SETTINGS);
    bench.device.sleep();
    bench.device.wake();
    assert!(bench.shows("Swipe up to unlock"));
    let point = |y| clawperator_contract::runnable::Point { x: 540, y };
    bench.device.swipe(point(1_800), point(600), Duration::from_millis(200));
    assert_eq!(bench.title(), "Settings");
}

#[test]
fn without_its_service_the_phone_answers_nothing() {
    let mut bench = Bench::on(SETTINGS);
    bench.device.set_service(false);
    let envelope = bench.run(json!([{ "id": "a", "type": "snapshot_ui", "params": {} }]));
    assert_eq!(envelope.error_code.as_deref(), Some("SERVICE_UNAVAILABLE"));
    assert!(bench.device.screen().is_some(), "others still see the screen");
}

#[test]
fn handles_are_of_the_newest_capture_only_and_looking_costs_none() {
    let bench = Bench::on(SETTINGS);
    let mut phone = SimPhone::new(bench.device.clone());
    let old = phone.capture().unwrap();
    let new = phone.capture().unwrap();
    let handle = |screen: &Screen, label: &str| {
        screen
            .nodes()
            .find(|node| node.label() == label)
            .unwrap()
            .parent()
            .unwrap()
            .parent()
            .unwrap()
            .handle()
    };
    let click = clawperator_runtime::phone::NodeAction::Click;
    assert_eq!(phone.perform(handle(&old, "Battery"), &click), Err(PhoneError::NodeGone));
    let look = bench.screen();
    assert_eq!(look.generation, new.generation, "looking counts as nothing");
    assert_eq!(phone.perform(handle(&new, "Battery"), &click), Ok(true));
    assert_eq!(phone.perform(handle(&new, "Battery"), &click), Err(PhoneError::NodeGone));
}

#[test]
fn pictures_are_taken_of_what_may_be_seen() {
    let mut bench = Bench::on(SETTINGS);
    let mut phone = SimPhone::new(bench.device.clone());
    assert_eq!(phone.screenshot(), Ok(Picture::Unsupported));
    bench.device.set_camera(Box::new(|screen| screen.foreground_package().into()));
    assert_eq!(phone.screenshot(), Ok(Picture::Png(SETTINGS.into())));
    bench.device.launch("com.clawperator.conformance");
    bench.click("Open inputs");
    assert_eq!(phone.screenshot(), Ok(Picture::SecureWindow));
}
