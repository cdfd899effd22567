//! Promises of the steps: which windows are apps that were opened, and which came of a step.

use super::step::{Act, Certainty};
use super::test_recording::{Script, shown};
use serde_json::json;

const HOME: &str = "com.google.android.apps.nexuslauncher";
const SYSTEM: &str = "com.android.systemui";
const VIEW: &str = "android.view.View";

#[test]
fn a_tap_on_the_launcher_is_the_cause_of_the_app_that_opens() {
    let log = Script::default()
        .window(HOME)
        .click(HOME, None, "Apps")
        .window(HOME)
        .click(HOME, None, "Shop")
        .window(HOME)
        .window("com.shop")
        .window("com.shop")
        .steps();
    assert_eq!(shown(&log), ["[1] click contentDesc=\"Apps\"", "[5] open_app com.shop"]);
    let step = serde_json::to_value(&log.steps[1]).unwrap();
    assert_eq!(step["cause"]["seq"], 3);
    assert_eq!(
        (&step["cause"]["type"], &step["cause"]["contentDesc"]),
        (&json!("click"), &json!("Shop"))
    );
    assert_eq!(step["uiStateBefore"], "<s5/>");
    let seen: Vec<_> = log.steps[1].windows.iter().map(|seen| seen.seq).collect();
    assert_eq!(seen, [4, 5, 6]);
    assert_eq!(log.warnings, Vec::<String>::new());
}

#[test]
fn an_app_that_is_slow_to_start_is_still_opened_by_the_tap() {
    let script = Script::default().window(HOME).click(HOME, None, "Shop").later(20_000);
    let log = script.window("com.shop").steps();
    assert_eq!(shown(&log), ["[2] open_app com.shop"]);
    assert_eq!(log.warnings, Vec::<String>::new());
}

#[test]
fn the_first_window_of_an_app_opens_it_and_not_what_stands_around_apps() {
    let log = Script::default()
        .window(SYSTEM)
        .later(9_000)
        .window("com.google.android.permissioncontroller")
        .titled("com.keys", "android.inputmethodservice.SoftInputWindow", "")
        .window("com.clawperator.operator")
        .window("")
        .window("com.shop")
        .steps();
    assert_eq!(shown(&log), ["[5] open_app com.shop"]);
    assert_eq!(log.windows_before.len(), 5);
}

#[test]
fn another_app_that_a_tap_brings_up_is_no_step_of_its_own() {
    let log = Script::default()
        .window("com.shop")
        .click("com.shop", None, "Pay in the browser")
        .window("com.android.chrome")
        .click("com.android.chrome", None, "Pay")
        .key("back")
        .window("com.shop")
        .click("com.shop", None, "Done")
        .steps();
    let kinds: Vec<_> = log.steps.iter().map(|step| step.act.kind()).collect();
    assert_eq!(kinds, ["open_app", "click", "click", "press_key", "click"]);
    assert_eq!(log.steps[1].windows[0].window.package_name, "com.android.chrome");
    assert_eq!(log.warnings, Vec::<String>::new());
}

#[test]
fn an_app_that_comes_long_after_the_last_step_was_opened() {
    let script = Script::default().window("com.shop").click("com.shop", None, "Buy").later(5_000);
    let log = script.window("com.android.chrome").steps();
    assert_eq!(shown(&log)[2], "[2] open_app com.android.chrome");
    assert!(log.warnings[0].contains("no event says why"), "{:?}", log.warnings);
}

#[test]
fn scrolling_and_typing_bring_up_no_app() {
    for script in [
        Script::default().window("com.shop").scroll("com.shop", "list", 90),
        Script::default().window("com.shop").text("com.shop", None, "a"),
    ] {
        let log = script.window("com.android.chrome").steps();
        assert_eq!(shown(&log)[2], "[2] open_app com.android.chrome");
    }
    let submitted = Script::default().window("com.shop").text("com.shop", None, "a").key("enter");
    assert_eq!(submitted.window("com.android.chrome").steps().steps.len(), 2);
}

#[test]
fn a_keyboard_or_a_question_over_an_app_does_not_leave_it() {
    let log = Script::default()
        .window("com.shop")
        .later(9_000)
        .window("com.touchtype.swiftkey")
        .window("com.android.permissioncontroller")
        .click("com.android.permissioncontroller", None, "Allow")
        .later(9_000)
        .window("com.shop")
        .steps();
    assert_eq!(shown(&log), ["[0] open_app com.shop", "[3] click contentDesc=\"Allow\""]);
    assert_eq!(log.warnings, Vec::<String>::new());
}

#[test]
fn home_and_recents_that_were_recorded_explain_the_launcher() {
    let log = Script::default()
        .window("com.shop")
        .key("home")
        .window("org.my.desk")
        .click("org.my.desk", None, "News")
        .window("com.news")
        .key("recents")
        .titled("org.my.desk", "org.my.desk.RecentsActivity", "")
        .click("org.my.desk", None, "Shop")
        .window("com.shop")
        .steps();
    // What came after the home key is a launcher, whatever it is called.
    assert_eq!(
        shown(&log),
        [
            "[0] open_app com.shop",
            "[1] press_key home",
            "[4] open_app com.news",
            "[5] press_key recents",
            "[8] open_app com.shop"
        ]
    );
    assert_eq!(log.warnings, Vec::<String>::new());
}

#[test]
fn a_launcher_that_comes_by_itself_is_perhaps_the_home_key() {
    let script = Script::default().window("com.shop").later(9_000);
    let log = script
        .titled(HOME, "X", "Recent apps")
        .titled(HOME, "X", "Home screen")
        .click(HOME, None, "News")
        .window("com.news")
        .steps();
    let expected = ["[0] open_app com.shop", "[1] press_key home", "[4] open_app com.news"];
    assert_eq!(shown(&log), expected);
    assert_eq!(log.steps[1].certainty, Certainty::Guess);
    assert!(log.warnings[0].contains("no key was recorded"), "{:?}", log.warnings);
}

#[test]
fn who_scrolls_through_the_recent_apps_meant_to_be_there() {
    let script = Script::default().window("com.shop").later(9_000);
    let log = script
        .titled(HOME, "X", "Recent apps")
        .titled(HOME, "X", "Recent apps")
        .scroll(HOME, "tiles", 40)
        .click(HOME, None, "News")
        .window("com.news")
        .steps();
    assert_eq!(shown(&log)[1], "[1] press_key recents");
    assert_eq!(shown(&log)[3], "[5] open_app com.news");
}

#[test]
fn the_buttons_of_the_bar_are_keys_in_every_language() {
    let cases = [
        (Some("com.android.systemui:id/back"), "Zurück", "back"),
        (Some("com.android.systemui:id/home"), "Startseite", "home"),
        (Some("com.android.systemui:id/recent_apps"), "Übersicht", "recents"),
        (None, "Back", "back"),
        (None, "Overview", "recents"),
    ];
    for (id, label, key) in cases {
        let log = Script::default().window("com.shop").click(SYSTEM, id, label).steps();
        assert_eq!(shown(&log)[1], format!("[1] press_key {key}"));
        assert_eq!(log.steps[1].certainty, Certainty::Certain);
        assert_eq!(log.steps[1].evidence, [1]);
    }
    let shade = Some("com.android.systemui:id/notification");
    let log = Script::default().window("com.shop").click(SYSTEM, shade, "Back").steps();
    assert_eq!(log.steps[1].act.kind(), "click");
}

#[test]
fn a_button_that_tells_of_itself_twice_is_one_press() {
    let back = Some("com.android.systemui:id/back");
    let script = Script::default().window("com.shop");
    let log = script.click(SYSTEM, back, "").key("back").click(SYSTEM, back, "").steps();
    assert_eq!(shown(&log)[1..], ["[1] press_key back", "[3] press_key back"]);
    assert_eq!(log.steps[1].evidence, [1, 2]);
    let log = Script::default().window("com.shop").key("back").click(SYSTEM, back, "").steps();
    assert_eq!((log.steps.len(), log.steps[1].evidence.as_slice()), (2, [1, 2].as_slice()));
    // Two presses of a real key stay two.
    let log = Script::default().window("com.shop").key("back").key("back").steps();
    assert_eq!(log.steps.len(), 3);
}

#[test]
fn a_back_gesture_that_was_carried_through_is_likely_back() {
    let log = Script::default()
        .window("com.shop")
        .click("com.shop", None, "Cart")
        .titled("com.shop", "Cart", "Cart")
        .titled(SYSTEM, VIEW, "")
        .titled("com.shop", "Main", "Shop")
        .steps();
    assert_eq!(shown(&log)[2], "[3] press_key back");
    let step = &log.steps[2];
    assert_eq!((step.certainty, step.evidence.as_slice()), (Certainty::Likely, [3, 4].as_slice()));
    assert_eq!(step.ui_state_before.as_deref(), Some("<s3/>"));
    assert_eq!(step.windows[0].seq, 4);
    assert_eq!(log.warnings, Vec::<String>::new());
}

#[test]
fn a_back_gesture_can_lead_out_of_the_app() {
    let script = Script::default().window("com.shop").titled(SYSTEM, VIEW, "").window(HOME);
    let log = script.click(HOME, None, "News").window("com.news").steps();
    assert_eq!(
        shown(&log),
        ["[0] open_app com.shop", "[1] press_key back", "[4] open_app com.news"]
    );
}

#[test]
fn a_back_gesture_that_was_broken_off_is_no_step_but_is_named() {
    let begun = || Script::default().window("com.shop").titled(SYSTEM, VIEW, "");
    let scripts = [
        begun(),
        begun().click("com.shop", None, "Buy"),
        begun().later(4_000).window("com.shop"),
        begun().window("com.google.android.inputmethod.latin"),
    ];
    for script in scripts {
        let log = script.steps();
        assert!(log.steps.iter().all(|step| step.act.kind() != "press_key"), "{:?}", shown(&log));
        assert!(log.warnings[0].contains("seq 1: perhaps a back gesture"), "{:?}", log.warnings);
        assert_eq!(log.steps[0].windows[1].seq, 1);
    }
}

#[test]
fn a_recording_that_begins_inside_an_app_opens_it_first() {
    let log = Script::default().click("com.shop", None, "Buy").window("com.shop").steps();
    assert_eq!(shown(&log), ["[0] open_app com.shop", "[0] click contentDesc=\"Buy\""]);
    assert_eq!(log.steps[0].certainty, Certainty::Guess);
    assert_eq!(log.steps[0].ui_state_before, None);
    assert!(log.warnings[0].contains("an open_app stands before it"), "{:?}", log.warnings);
}

#[test]
fn an_app_whose_window_was_missed_is_named() {
    let log = Script::default().window("com.shop").click("com.news", None, "Read").steps();
    assert_eq!(log.steps.len(), 2);
    assert_eq!(log.warnings, ["seq 1: no window of com.news was recorded before this"]);
    assert!(matches!(log.steps[1].act, Act::Click(_)));
}
