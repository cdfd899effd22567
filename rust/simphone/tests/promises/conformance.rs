use crate::bench::Bench;
use clawperator_runtime::role::Role;
use clawperator_runtime::screen::Flags;
use clawperator_simphone::app::Value;
use serde_json::json;

const APP: &str = "com.clawperator.conformance";

fn id(name: &str) -> String {
    format!("{APP}:id/{name}")
}

#[test]
fn a_button_counts_and_a_long_press_counts_back() {
    let mut bench = Bench::on(APP);
    bench.click("Add one");
    bench.click("Add one");
    assert_eq!(bench.text(&id("counter_value")), "Count: 2");
    let target = json!({ "matcher": { "textEquals": "Add one" }, "clickType": "long_click" });
    bench.does("click", target);
    assert_eq!(bench.text(&id("counter_value")), "Count: 0");
}

#[test]
fn a_switch_switches() {
    let mut bench = Bench::on(APP);
    bench.click_id(&id("toggle"));
    assert_eq!(bench.text(&id("toggle_value")), "Toggle is on");
    let screen = bench.screen();
    let toggle = screen.nodes().find(|node| node.resource_id() == id("toggle")).unwrap();
    assert!(toggle.has(Flags::CHECKED));
    assert_eq!(Role::of(toggle), Role::Switch);
}

#[test]
fn text_is_entered_and_submitted() {
    let mut bench = Bench::on(APP);
    let field = json!({ "resourceId": id("text_field") });
    bench.does("enter_text", json!({ "matcher": field, "text": "hello" }));
    bench.does(
        "enter_text",
        json!({ "matcher": field, "text": " world", "clear": false, "submit": true }),
    );
    assert_eq!(bench.text(&id("submitted_value")), "Submitted: hello world");
}

#[test]
fn a_list_of_200_rows_leads_to_its_details() {
    let mut bench = Bench::on(APP);
    bench.click("Open list");
    let step = bench.does(
        "scroll_until",
        json!({ "matcher": { "textEquals": "Row 150" }, "direction": "down",
                "maxScrolls": 100, "maxDurationMs": 60_000, "clickAfter": true }),
    );
    assert_eq!(step.data["termination_reason"], "TARGET_FOUND");
    assert_eq!(bench.text(&id("detail_value")), "You opened row 150");
    assert_eq!(bench.value("Number"), "150");
    bench.click("Close");
    assert!(bench.shows("Row 150"), "the list stands where it was left");
    let step = bench.does(
        "scroll_until",
        json!({ "direction": "down", "maxScrolls": 100,
        "maxDurationMs": 60_000 }),
    );
    assert_eq!(step.data["termination_reason"], "EDGE_REACHED");
    assert!(bench.shows("Row 200"));
}

#[test]
fn a_late_node_is_found_the_moment_it_comes() {
    let mut bench = Bench::on(APP);
    bench.click("Open late screen");
    let before = bench.now_ms();
    bench.does(
        "wait_for_node",
        json!({ "matcher": { "resourceId": id("late_node") }, "timeoutMs": 10_000 }),
    );
    assert!((1_400..1_600).contains(&(bench.now_ms() - before)));
    assert!(!bench.shows("Loading…"));
}

#[test]
fn an_action_may_come_later() {
    let mut bench = Bench::on(APP);
    bench.click("Open late screen");
    bench.click("Do something later");
    let answer = json!({ "matcher": { "textEquals": "Answer: later" }, "timeoutMs": 5_000 });
    bench.does("wait_for_node", answer);
    assert_eq!(bench.title(), "Conformance");
}

#[test]
fn a_dialog_is_a_window_of_its_own_and_is_answered() {
    let mut bench = Bench::on(APP);
    let windows = bench.screen().window_count();
    bench.click("Open dialog");
    let screen = bench.screen();
    assert_eq!(screen.window_count(), windows + 1);
    assert_eq!(screen.windows().next().unwrap().title(), "Are you sure?");
    bench.click_id("android:id/button1");
    assert_eq!(bench.text(&id("answer_value")), "Answer: yes");
    bench.click("Open dialog");
    bench.does("press_key", json!({ "key": "back" }));
    assert_eq!(bench.screen().window_count(), windows);
    assert_eq!(bench.title(), "Conformance");
}

#[test]
fn tabs_show_one_page_at_a_time_and_cards_are_pushed_along() {
    let mut bench = Bench::on(APP);
    bench.click("Open tabs");
    assert!(bench.shows("The first page") && !bench.shows("The second page"));
    bench.does("click", json!({ "matcher": { "role": "tab", "textEquals": "Second" } }));
    assert!(!bench.shows("The first page") && bench.shows("The second page"));
    bench.click("Cards");
    assert!(!bench.shows("Card Six"));
    bench.does(
        "scroll_until",
        json!({ "matcher": { "textEquals": "Card Six" },
        "container": { "resourceId": id("cards") }, "direction": "right" }),
    );
    assert!(bench.shows("Card Six") && !bench.shows("Card One"));
}

#[test]
fn a_disabled_button_is_not_clicked() {
    let mut bench = Bench::on(APP);
    bench.fails(
        "click",
        json!({ "matcher": { "textEquals": "Never enabled" },
                "retry": { "maxAttempts": 1 } }),
        "NODE_NOT_CLICKABLE",
    );
}

#[test]
fn a_password_is_never_shown() {
    let mut bench = Bench::on(APP);
    bench.click("Open inputs");
    let field = json!({ "resourceId": id("password_field") });
    let step = bench.does("enter_text", json!({ "matcher": field, "text": "hunter2" }));
    assert_eq!(step.data["text"], "[password]");
    assert_eq!(bench.device.state(APP, "secret"), Some(Value::Text("hunter2".into())));
    let snapshot = bench.does("snapshot_ui", json!({}));
    assert!(!snapshot.data["text"].contains("hunter2"));
    // Not in the capture itself either, whatever reads it.
    let screen = bench.screen();
    assert!(!format!("{screen:?}").contains("hunter2"));
}

#[test]
fn choices_and_ranges_take_their_values() {
    let mut bench = Bench::on(APP);
    bench.click("Open inputs");
    bench.click("Blue");
    assert_eq!(bench.text(&id("colour_value")), "Colour: Blue");
    bench.click("I agree");
    assert_eq!(bench.device.state(APP, "agree"), Some(Value::Bool(true)));
    let screen = bench.screen();
    let level = screen.nodes().find(|node| node.resource_id() == id("level")).unwrap();
    assert_eq!(level.range().map(|range| range.current), Some(30.0));
    let (bounds, y) = (level.bounds(), level.bounds().center().y);
    let x = bounds.left + bounds.width() * 3 / 4;
    bench.does("click", json!({ "coordinate": { "x": x, "y": y } }));
    assert_eq!(bench.text(&id("level_value")), "Level: 75");
}
