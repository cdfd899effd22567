//! Getting around: opening, closing, keys, waiting and scrolling.

use crate::support::{CONFORMANCE, Desk, LAUNCHER, SETTINGS, id, until};

#[test]
fn an_app_is_opened_by_its_package() {
    let desk = Desk::new();
    assert_eq!(desk.front(), LAUNCHER);
    let answer = desk.run(&["open", SETTINGS]).succeeded();
    assert_eq!(answer.steps()[0]["actionType"], "open_app");
    assert_eq!(answer.data(0, "application_id"), SETTINGS);
    until("settings are in front", || desk.front() == SETTINGS);
}

#[test]
fn a_uri_is_opened_by_whoever_answers_to_it() {
    let desk = Desk::new();
    let answer = desk.run(&["open", "conformance://list"]).succeeded();
    assert_eq!(answer.steps()[0]["actionType"], "open_uri");
    until("the list is in front", || desk.front() == CONFORMANCE && desk.title() == "List");
}

#[test]
fn what_nothing_answers_to_is_not_opened() {
    let desk = Desk::new();
    desk.run(&["open", "com.example.nowhere"]).step_failed("APP_NOT_FOUND");
    desk.run(&["open", "nowhere://at/all"]).step_failed("URI_NOT_HANDLED");
    assert_eq!(desk.front(), LAUNCHER);
}

#[test]
fn an_app_that_is_closed_has_forgotten_everything() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    desk.run(&["click", "--text", "Add one"]).succeeded();
    let running = || desk.system().device.running().contains(&CONFORMANCE.to_owned());
    // Who only goes home stays as it is.
    desk.run(&["press", "home"]).succeeded();
    assert!(running());
    assert_eq!(desk.count(), "1");
    let answer = desk.run(&["close", CONFORMANCE]).succeeded();
    assert_eq!(answer.data(0, "application_id"), CONFORMANCE);
    assert!(!running());
    assert_eq!(desk.count(), "0");
}

#[test]
fn keys_are_pressed() {
    let desk = Desk::new();
    desk.show_screen(CONFORMANCE, "main", "Conformance");
    desk.run(&["click", "--text", "Open list"]).succeeded();
    until("the list", || desk.title() == "List");
    desk.run(&["back"]).succeeded();
    until("the screen before", || desk.title() == "Conformance");
    desk.run(&["press", "recents"]).succeeded();
    until("another screen", || desk.front() != CONFORMANCE);
    desk.show(CONFORMANCE);
    desk.run(&["press", "home"]).succeeded();
    until("home", || desk.front() == LAUNCHER);
    desk.show(CONFORMANCE);
    desk.run(&["press", "back"]).succeeded();
    until("home", || desk.front() == LAUNCHER);
}

#[test]
fn a_node_that_comes_late_is_waited_for() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    desk.run(&["click", "--text", "Open late screen"]).succeeded();
    let answer = desk.run(&["wait", "--id", &id("late_node"), "--timeout", "30000"]).succeeded();
    assert_eq!(answer.steps()[0]["actionType"], "wait_for_node");
    assert!(desk.lab.look().find("Here at last").is_some());
    let never = desk.run(&["wait", "--text", "Never", "--timeout", "300"]);
    never.step_failed("NODE_NOT_FOUND");
}

#[test]
fn navigation_is_waited_for_by_app_and_by_node() {
    let desk = Desk::new();
    desk.run(&["open", SETTINGS]).succeeded();
    let to_app = ["wait-for-nav", "--app", SETTINGS, "--timeout", "20000"];
    desk.run(&to_app).succeeded();
    assert_eq!(desk.front(), SETTINGS);
    desk.run(&["click", "--text", "Battery"]).succeeded();
    let to_node = ["wait-for-nav", "--text", "Battery level", "--timeout", "20000"];
    desk.run(&to_node).succeeded();
    assert_eq!(desk.title(), "Battery");
    let elsewhere = ["wait-for-nav", "--app", CONFORMANCE, "--timeout", "300"];
    let answer = desk.run(&elsewhere).step_failed("NAVIGATION_TIMEOUT");
    assert_eq!(answer.data(0, "last_package"), SETTINGS);
}

#[test]
fn sleeping_is_done_on_the_phone() {
    let desk = Desk::new();
    let answer = desk.run(&["sleep", "20"]).succeeded();
    assert_eq!(answer.steps()[0]["actionType"], "sleep");
    assert_eq!(answer.data(0, "duration_ms"), "20");
}

#[test]
fn a_list_is_scrolled_there_and_back() {
    let desk = Desk::new();
    desk.show_screen(CONFORMANCE, "list", "List");
    assert!(desk.lab.look().find("Row 1").is_some());
    let down = desk.run(&["scroll", "down"]).succeeded();
    assert_eq!(down.data(0, "scroll_outcome"), "moved");
    assert!(desk.lab.look().find("Row 1").is_none());
    desk.run(&["scroll", "up", "--container-id", &id("list")]).succeeded();
    desk.lab.until_shows("Row 1");
    // Where a swipe ends depends on its speed; after a few there is nothing left to scroll.
    let outcomes = [(); 4].map(|()| {
        let up = desk.run(&["scroll", "up"]).succeeded();
        up.data(0, "scroll_outcome").to_owned()
    });
    assert_eq!(outcomes[3], "edge_reached", "{outcomes:?}");
}

#[test]
fn a_node_far_down_is_scrolled_to_and_not_clicked() {
    let desk = Desk::new();
    desk.show_screen(CONFORMANCE, "list", "List");
    assert!(desk.lab.look().find("Row 30").is_none());
    let answer = desk.run(&["scroll-until", "--text", "Row 30", "--timeout", "60000"]).succeeded();
    assert_eq!(answer.steps()[0]["actionType"], "scroll_until");
    assert!(desk.lab.look().find("Row 30").is_some());
    assert_eq!(desk.title(), "List");
    let click = ["scroll-until", "up", "--text", "Row 3", "--click", "--timeout", "60000"];
    desk.run(&click).succeeded();
    until("row 3 is open", || desk.title() == "Detail of row 3");
}

#[test]
fn a_node_far_down_is_scrolled_to_and_clicked() {
    let desk = Desk::new();
    desk.show(SETTINGS);
    assert!(desk.lab.look().find("About phone").is_none());
    desk.run(&["scroll-and-click", "--text", "About phone"]).succeeded();
    until("it is open", || desk.title() == "About phone");
    desk.show_screen(SETTINGS, "main", "Settings");
    let answer = desk.run(&["scroll-and-click", "--text", "No such entry"]);
    answer.step_failed("NODE_NOT_FOUND");
    assert_eq!(desk.title(), "Settings");
}
