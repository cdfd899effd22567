//! Actions on a simulated phone: by the operator, and by adb's tools where there is none.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod phone_support;

use clawperator_contract::ErrorCode;
use clawperator_pocket::Action;
use clawperator_pocket::device::Hand;
use clawperator_pocket::snapshot::{Eye, Scaling, ScreenSnapshot};
use clawperator_runtime::screen::Flags;
use clawperator_simphone::device::{Lock, Options};
use clawperator_simphone::system::OperatorPackage;
use phone_support::{Phone, options};
use serde_json::{Value, json};

const SETTINGS: &str = "com.android.settings";
const ACCOUNT: &str = "com.example.account";

fn look(phone: &Phone) -> ScreenSnapshot {
    Eye::new().snapshot(&phone.route(), Scaling::ShortSide).unwrap()
}

/// What the field with the focus holds.
fn typed(phone: &Phone) -> String {
    let screen = phone.system().device.screen().unwrap();
    let focused = screen.nodes().find(|node| node.has(Flags::FOCUSED)).expect("a focused field");
    focused.text().to_owned()
}

/// The middle of a field of the profile, which is then tapped.
fn focus(phone: &Phone, field: &str) {
    phone.show(ACCOUNT, "profile");
    let screen = look(phone);
    let found = |id: &&clawperator_pocket::snapshot::UiElement| id.resource_id.ends_with(field);
    let center = screen.ui_elements.iter().find(found).unwrap().center;
    let route = phone.route();
    Hand::new(&route).tap(center).unwrap();
}

fn code(done: clawperator_pocket::Done) -> ErrorCode {
    done.unwrap_err().code
}

#[test]
fn a_tap_on_the_picture_opens_what_is_there() {
    for (phone, via) in [(Phone::with_operator(), "operator"), (Phone::bare(), "adb")] {
        phone.show(SETTINGS, "main");
        let screen = look(&phone);
        let row = screen.ui_elements.iter().find(|e| e.text.starts_with("Battery")).unwrap();
        let (x, y) = (row.scaled_center.x, row.scaled_center.y);
        let done = phone.perform(&json!({ "type": "tap", "x": x, "y": y }), Some(&screen)).unwrap();
        assert!(done.text.starts_with("Tapped at (540, 108"), "{}", done.text);
        assert_eq!(done.data["via"], via);
        let texts: Vec<_> = look(&phone).ui_elements.into_iter().map(|e| e.text).collect();
        assert!(texts.iter().any(|text| text == "Battery"), "{via}: {texts:?}");
    }
}

#[test]
fn without_a_picture_a_point_is_one_of_the_screen() {
    let phone = Phone::with_operator();
    phone.show(SETTINGS, "main");
    let done = phone.perform(&json!({ "type": "tap", "x": 540, "y": 1087.4 }), None).unwrap();
    assert_eq!(done.text, "Tapped at (540, 1087)");
    assert_eq!(done.data["point"], json!({ "x": 540, "y": 1087 }));
}

#[test]
fn an_element_of_the_snapshot_is_found_by_its_id() {
    let phone = Phone::with_operator();
    phone.show(SETTINGS, "main");
    let screen = look(&phone);
    let first = &screen.ui_elements[0];
    assert_eq!(screen.element(&first.id).unwrap(), first);
    let failure = screen.element("99").unwrap_err();
    assert_eq!(failure.code, ErrorCode::PocketElementUnknown);
}

#[test]
fn a_gesture_without_a_place_touches_nothing() {
    let phone = Phone::with_operator();
    phone.show(SETTINGS, "main");
    for action in [
        json!({ "type": "tap" }),
        json!({ "type": "tap", "x": 5, "y": null }),
        json!({ "type": "swipe", "x1": 1, "y1": 2, "x2": "far" }),
        json!({ "type": "long_press_drag", "x1": 1, "y1": 2 }),
    ] {
        assert_eq!(code(phone.perform(&action, None)), ErrorCode::PocketActionIncomplete);
    }
    // 0, 0 that somebody meant is a place.
    phone.perform(&json!({ "type": "tap", "x": 0, "y": 0 }), None).unwrap();
}

#[test]
fn swipes_and_drags_scroll() {
    for phone in [Phone::with_operator(), Phone::bare()] {
        for (kind, verb) in [("swipe", "Swiped"), ("drag", "Dragged")] {
            phone.show(SETTINGS, "main");
            let before = look(&phone).ui_elements;
            let action = json!({ "type": kind, "x1": 540, "y1": 1800, "x2": 540, "y2": 600 });
            let done = phone.perform(&action, None).unwrap();
            assert_eq!(done.text, format!("{verb} from (540, 1800) to (540, 600)"));
            assert_ne!(look(&phone).ui_elements, before, "{kind}");
        }
    }
}

#[test]
fn a_long_press_drag_holds_before_it_moves() {
    let phone = Phone::with_operator();
    // Holding a story saves it; a slow swipe would only scroll.
    phone.show("com.example.news", "feed");
    let action = json!({ "type": "long_press_drag", "x1": 540, "y1": 330, "x2": 540, "y2": 340, "holdMs": 700 });
    let done = phone.perform(&action, None).unwrap();
    assert_eq!(done.text, "Long-press drag from (540, 330) to (540, 340) hold=700ms move=300ms");
    assert_eq!(done.data["held"], true);
    phone.perform(&json!({ "type": "tap", "x": 900, "y": 2200 }), None).unwrap();
    let texts: Vec<_> = look(&phone).ui_elements.into_iter().map(|e| e.text).collect();
    assert!(texts.iter().any(|text| text == "1 saved stories"), "{texts:?}");
    let bare = Phone::bare();
    bare.show("com.example.news", "feed");
    assert_eq!(bare.perform(&action, None).unwrap().data["held"], false);
    assert!(bare.was_told("input swipe 540 330 540 340 1000"));
}

#[test]
fn any_text_is_typed_into_the_field_with_the_focus() {
    let phone = Phone::with_operator();
    for text in ["hello world", "grüße 東京 🎉👩‍👩‍👧", "100%sure; rm -rf $HOME `x` \"y\" 'z'"]
    {
        phone.system().device.force_stop(ACCOUNT);
        focus(&phone, "first");
        let done = phone.perform(&json!({ "type": "type", "text": text }), None).unwrap();
        assert_eq!(done.text, format!("Typed text length={}", text.encode_utf16().count()));
        assert_eq!(done.data["via"], "operator");
        assert_eq!(typed(&phone), text);
        assert!(!serde_json::to_string(&done).unwrap().contains(text), "results tell no texts");
    }
}

#[test]
fn without_the_operator_ascii_is_typed_by_keys_as_it_is() {
    let phone = Phone::bare();
    for text in
        ["hello world", "100%sure 50% off", "a;b|c&d $HOME `x` \"y\" 'z' \\ (){}[]<>!~?#*^@"]
    {
        phone.system().device.force_stop(ACCOUNT);
        focus(&phone, "first");
        let done = phone.perform(&json!({ "type": "type", "text": text }), None).unwrap();
        assert_eq!((typed(&phone).as_str(), &done.data["via"]), (text, &json!("adb")));
    }
}

#[test]
fn what_no_keyboard_has_is_pasted_only_where_the_clipboard_surely_holds_it() {
    let text = json!({ "type": "type", "text": "gr'üße" });
    let phone = Phone::bare();
    focus(&phone, "first");
    assert_eq!(code(phone.perform(&text, None)), ErrorCode::PocketTextFailed);
    phone.answer("clipboard set", "", 0);
    phone.answer("clipboard get", "something else", 0);
    assert_eq!(code(phone.perform(&text, None)), ErrorCode::PocketTextFailed);
    assert!(!phone.was_told("KEYCODE_PASTE"));
    phone.answer("clipboard get", "gr'üße\n", 0);
    phone.answer("KEYCODE_PASTE", "", 0);
    let done = phone.perform(&text, None).unwrap();
    assert_eq!(done.text, "Typed text via clipboard paste length=6");
    assert!(phone.was_told(r"cmd clipboard set text 'gr'\''üße'"));
    assert!(phone.was_told("KEYCODE_PASTE"));
    // No other keyboard is switched to, and nothing leaves the screen.
    assert!(!phone.was_told("ime ") && !phone.was_told("KEYCODE_BACK"), "{:?}", phone.heard());
}

#[test]
fn what_could_not_be_typed_is_not_told() {
    let phone = Phone::bare();
    focus(&phone, "first");
    phone.answer("input text", "Error: cannot type hunter2", 1);
    let text = json!({ "type": "type", "text": "hunter2" });
    let failure = phone.perform(&text, None).unwrap_err();
    assert!(!format!("{failure:?}").contains("hunter2"), "{failure:?}");
}

#[test]
fn nothing_typed_is_nothing_done_and_a_missing_text_is_refused() {
    let phone = Phone::with_operator();
    let done = phone.perform(&json!({ "type": "type", "text": "" }), None).unwrap();
    assert_eq!(done.text, "Typed text length=0");
    let missing = phone.perform(&json!({ "type": "type" }), None);
    assert_eq!(code(missing), ErrorCode::PocketActionIncomplete);
    phone.show(SETTINGS, "main");
    let nowhere = phone.perform(&json!({ "type": "type", "text": "x" }), None).unwrap_err();
    assert_eq!(nowhere.code, ErrorCode::PocketTextFailed);
    assert_eq!(nowhere.details["cause"], "NO_FOCUSED_FIELD");
}

#[test]
fn blanks_are_typed_and_a_line_break_at_the_end_is_the_enter_key() {
    let phone = Phone::with_operator();
    focus(&phone, "first");
    for text in ["a", " ", "b"] {
        phone.perform(&json!({ "type": "type", "text": text }), None).unwrap();
    }
    assert_eq!(typed(&phone), "a b");
    // Enter in the first field of the form goes on to the next.
    phone.perform(&json!({ "type": "type", "text": "c\n" }), None).unwrap();
    let screen = phone.system().device.screen().unwrap();
    let first = screen.nodes().find(|node| node.resource_id().ends_with("/first")).unwrap();
    assert_eq!(first.text(), "a bc");
}

#[test]
fn more_can_be_typed_into_a_field_that_hides_what_it_holds() {
    let phone = Phone::with_operator();
    phone.show(ACCOUNT, "login");
    let screen = look(&phone);
    let field = screen.ui_elements.iter().find(|e| e.resource_id.ends_with("password")).unwrap();
    let route = phone.route();
    Hand::new(&route).tap(field.center).unwrap();
    for (text, via) in [("sec", "operator"), ("ret", "adb")] {
        let done = phone.perform(&json!({ "type": "type", "text": text }), None).unwrap();
        assert_eq!(done.data["via"], via);
    }
}

#[test]
fn keys_go_back_home_and_anywhere_else() {
    let phone = Phone::with_operator();
    phone.show(SETTINGS, "main");
    let key = |code: &str| phone.perform(&json!({ "type": "keyevent", "keycode": code }), None);
    let home = key("KEYCODE_HOME").unwrap();
    assert_eq!(
        (home.text.as_str(), &home.data["via"]),
        ("Sent keyevent KEYCODE_HOME", &json!("operator"))
    );
    assert_eq!(phone.front(), "com.android.launcher3");
    let enter = key("KEYCODE_ENTER").unwrap();
    assert_eq!(enter.data["via"], "adb");
    assert!(phone.was_told("input keyevent KEYCODE_ENTER"));
    key("66").unwrap();
    let before = phone.heard().len();
    for bad in ["", "BACK", "KEYCODE_A; reboot", "KEYCODE_A\nreboot", "$(reboot)"] {
        assert_eq!(code(key(bad)), ErrorCode::PocketActionIncomplete, "{bad}");
    }
    assert_eq!(phone.heard().len(), before, "nothing of it reached the shell");
    assert_eq!(code(key("KEYCODE_NO_SUCH")), ErrorCode::ActionFailed);
}

#[test]
fn an_app_is_launched_and_seen_to_come() {
    let launch = |phone: &Phone, package: &str| {
        phone.perform(&json!({ "type": "launch_app", "packageName": package }), None)
    };
    for phone in [Phone::with_operator(), Phone::bare()] {
        let done = launch(&phone, SETTINGS).unwrap();
        assert_eq!(done.text, format!("Launched package {SETTINGS}"));
        assert_eq!(phone.front(), SETTINGS);
        assert_eq!(code(launch(&phone, "com.no.such")), ErrorCode::AppNotFound);
        for bad in ["", "a b", "com.a;reboot", "-p"] {
            assert_eq!(code(launch(&phone, bad)), ErrorCode::PocketActionIncomplete, "{bad}");
        }
    }
}

#[test]
fn a_tool_that_fails_with_success_is_not_believed() {
    let phone = Phone::bare();
    phone.answer("monkey", "** No activities found to run, monkey aborted.\n", 0);
    let action = json!({ "type": "launch_app", "packageName": SETTINGS });
    let done = phone.perform(&action, None).unwrap();
    assert_eq!(
        done.text,
        format!("Launched package {SETTINGS} via activity {SETTINGS}/.MainActivity")
    );
    phone.answer("resolve-activity", "No activity found\n", 0);
    let done = phone.perform(&action, None).unwrap();
    assert_eq!(done.text, format!("Launched package {SETTINGS} via package intent"));
    phone.answer("am start", "Error: Activity not started\n", 0);
    let failure = phone.perform(&action, None).unwrap_err();
    assert_eq!(failure.code, ErrorCode::AppNotFound);
    assert!(failure.message.contains("monkey: ** No activities"), "{}", failure.message);
}

#[test]
fn a_stop_is_heard_while_an_app_is_waited_for() {
    let phone = Phone::bare();
    phone.answer("monkey", "Events injected: 1", 0);
    phone.stop.ask();
    let action = json!({ "type": "launch_app", "packageName": "com.example.news" });
    assert_eq!(code(phone.perform(&action, None)), ErrorCode::PocketStopped);
}

#[test]
fn a_line_reaches_the_shell_as_it_was_written() {
    let phone = Phone::with_operator();
    let run = |command: &str| phone.perform(&json!({ "type": "shell", "command": command }), None);
    for (command, output) in [
        ("echo 'a   b' \"c\\\"d\" e\\ f", "a   b c\"d e f"),
        ("echo \"\" x", "x"),
        ("sh -c \"echo one && echo two\"", "one\ntwo"),
        (
            "settings put global device_name \"Pixel 9 Pro\" && settings get global device_name",
            "Pixel 9 Pro",
        ),
        ("echo one | cat", "one"),
    ] {
        let done = run(command).unwrap();
        let text = format!("Executed shell command: {command}\nOutput:\n{output}");
        assert_eq!((done.text, &done.data["exitCode"]), (text, &json!(0)));
        assert_eq!(phone.heard().last().unwrap(), command);
    }
    assert_eq!(run("true").unwrap().text, "Executed shell command: true");
    assert_eq!(run("  ").unwrap().text, "Skipped empty shell command");
    let failed = run("ls /no/such; false").unwrap();
    assert_eq!(failed.data["exitCode"], 1);
    assert!(failed.text.ends_with("Exit code: 1"), "{}", failed.text);
}

#[test]
fn a_long_output_is_cut_in_the_middle() {
    let phone = Phone::with_operator();
    phone.answer("much", &"0123456789\r\n".repeat(1_000), 0);
    let done = phone.perform(&json!({ "type": "shell", "command": "much" }), None).unwrap();
    let head = "Executed shell command: much\nOutput (truncated, totalChars=10999):\n0123456789\n";
    assert!(done.text.starts_with(head), "{}", done.text);
    assert!(done.text.contains("\n...[truncated]...\n") && done.text.ends_with("0123456789"));
    assert!(done.text.len() < 3_100);
    assert_eq!(done.data["truncated"], true);
}

#[test]
fn what_is_no_action_of_the_phone_is_left_to_others() {
    let phone = Phone::with_operator();
    let route = phone.route();
    let wait = Action::Wait { duration_ms: 5, reason: None };
    assert!(Hand::new(&route).perform(&wait, &[], None).is_none());
}

#[test]
fn a_locked_phone_is_not_touched() {
    let locked = Options { lock: Lock::Secure, ..options() };
    let phone = Phone::of(vec![OperatorPackage::current()], locked);
    phone
        .system()
        .device
        .key(clawperator_simphone::device::KeyCode::named("KEYCODE_POWER").unwrap());
    let done = phone.perform(&json!({ "type": "tap", "x": 5, "y": 5 }), None);
    assert_eq!(code(done), ErrorCode::ScreenLocked);
    let heard: Value = json!(phone.heard());
    assert!(!heard.to_string().contains("input"), "no PIN is typed: {heard}");
}
