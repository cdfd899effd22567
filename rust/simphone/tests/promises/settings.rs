use crate::bench::Bench;
use clawperator_contract::Status;
use clawperator_simphone::app::Value;
use serde_json::json;

const SETTINGS: &str = "com.android.settings";

#[test]
fn from_home_to_the_android_version_in_one_execution() {
    let mut bench = Bench::new();
    let envelope = bench.run(json!([
        { "id": "open", "type": "open_app", "params": { "applicationId": SETTINGS } },
        { "id": "came", "type": "wait_for_navigation",
          "params": { "expectedPackage": SETTINGS, "timeoutMs": 5000 } },
        { "id": "find", "type": "scroll_until", "params": {
            "matcher": { "textEquals": "About phone" }, "direction": "down", "clickAfter": true } },
        { "id": "version", "type": "scroll_and_click",
          "params": { "matcher": { "textEquals": "Android version" } } },
        { "id": "there", "type": "wait_for_node",
          "params": { "matcher": { "textEquals": "Kernel version" } } },
        { "id": "read", "type": "read_key_value_pair",
          "params": { "labelMatcher": { "textEquals": "Android version" } } }
    ]));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    assert_eq!(envelope.step_results[2].data["termination_reason"], "TARGET_FOUND");
    assert_ne!(envelope.step_results[2].data["scrolls_executed"], "0");
    assert_eq!(bench.title(), "Android version");
    assert_eq!(bench.value("Kernel version"), "6.6.30-simphone");
}

#[test]
fn wifi_is_switched_by_its_row_and_stays_so() {
    let mut bench = Bench::on(SETTINGS);
    bench.click("Network & internet");
    assert_eq!(bench.value("Internet"), "AndroidWifi");
    bench.click("Wi-Fi");
    assert_eq!(bench.device.state(SETTINGS, "wifi"), Some(Value::Bool(false)));
    assert_eq!(bench.value("Internet"), "Networks available");
    bench.does("press_key", json!({ "key": "back" }));
    bench.click("Network & internet");
    assert_eq!(bench.value("Internet"), "Networks available");
}

#[test]
fn a_row_with_two_targets_opens_and_switches() {
    let mut bench = Bench::on(SETTINGS);
    bench.click("Network & internet");
    bench.click("Hotspot & tethering");
    bench.does("click", json!({ "matcher": { "role": "switch" } }));
    assert_eq!(bench.device.state(SETTINGS, "hotspot"), Some(Value::Bool(true)));
    assert_eq!(bench.title(), "Hotspot & tethering");
    bench.click("Wi-Fi hotspot");
    assert_eq!(bench.title(), "Wi-Fi hotspot");
}

#[test]
fn battery_has_its_values_beside_their_names() {
    let mut bench = Bench::on(SETTINGS);
    bench.click("Battery");
    assert_eq!(bench.value("Battery level"), "80%");
    assert_eq!(bench.value("Temperature"), "28.5°C");
    bench.does(
        "read_text",
        json!({ "matcher": { "textEquals": "28.5°C" }, "validator": "temperature" }),
    );
    bench.click("Battery usage");
    assert_eq!(bench.value("News"), "7%");
    bench.click("View by systems");
    assert_eq!(bench.value("Screen"), "31%");
    bench.fails(
        "wait_for_node",
        json!({ "matcher": { "textEquals": "News" }, "timeoutMs": 300 }),
        "NODE_NOT_FOUND",
    );
}

#[test]
fn a_uri_opens_the_screen_it_names() {
    let mut bench = Bench::new();
    bench.does("open_uri", json!({ "uri": "settings://battery" }));
    assert_eq!(bench.title(), "Battery");
    bench.fails("open_uri", json!({ "uri": "nobody://at.home" }), "URI_NOT_HANDLED");
    bench.fails("open_app", json!({ "applicationId": "com.nobody" }), "APP_NOT_FOUND");
}

#[test]
fn seven_taps_on_the_build_number_make_a_developer() {
    let mut bench = Bench::on(SETTINGS);
    bench.does("open_uri", json!({ "uri": "settings://about" }));
    let scroll = json!({ "matcher": { "textEquals": "Build number" }, "clickAfter": false });
    bench.does("scroll_and_click", scroll);
    for _ in 0..7 {
        assert!(!bench.shows("You are now a developer!"));
        bench.click("Build number");
    }
    assert!(bench.shows("You are now a developer!"));
}

#[test]
fn a_search_is_submitted_from_the_keyboard() {
    let mut bench = Bench::on(SETTINGS);
    bench.does("click", json!({ "matcher": { "contentDescEquals": "Search settings" } }));
    let field = json!({ "resourceId": "com.android.settings:id/search_src_text" });
    bench.does("enter_text", json!({ "matcher": field, "text": "battery", "submit": true }));
    assert_eq!(bench.title(), "Results for battery");
}

#[test]
fn force_stopping_forgets_everything() {
    let mut bench = Bench::on(SETTINGS);
    bench.click("Network & internet");
    bench.click("Wi-Fi");
    assert!(bench.device.force_stop(SETTINGS));
    assert_eq!(bench.screen().foreground_package(), "com.android.launcher3");
    assert_eq!(bench.device.state(SETTINGS, "wifi"), Some(Value::Bool(true)));
    assert!(!bench.device.force_stop("com.nobody"));
    bench.device.launch(SETTINGS);
    assert_eq!(bench.title(), "Settings");
}
