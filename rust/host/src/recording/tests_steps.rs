//! Promises of the steps: taps, typing, scrolling, keys.

use super::step::{Act, Certainty, Direction};
use super::test_recording::{SAMPLE, Script, lines, shown};
use super::{parse, steps};
use serde_json::json;

const APP: &str = "com.shop";
const FIELD: Option<&str> = Some("com.shop:id/name");

/// A recording that begins with the app in front.
fn in_app() -> Script {
    Script::default().window(APP)
}

#[test]
fn a_whole_recording_becomes_its_steps() {
    let log = steps(&parse(SAMPLE.as_bytes()).unwrap());
    assert_eq!(
        shown(&log),
        [
            "[2] open_app com.shop",
            "[3] click resourceId=com.shop:id/search",
            "[4] enter_text text=\"tea\" resourceId=com.shop:id/search",
            "[5] scroll down (1 events) resourceId=com.shop:id/list",
            "[6] press_key back",
        ]
    );
    assert_eq!(log.warnings, Vec::<String>::new());
    assert_eq!(log.windows_before.len(), 1);
    let value = serde_json::to_value(&log).unwrap();
    assert_eq!((&value["sessionId"], &value["schemaVersion"]), (&json!("sample"), &json!(1)));
    assert_eq!(value.get("_warnings"), None);
    assert_eq!(
        value["steps"][1],
        json!({"seq": 3, "type": "click", "packageName": "com.shop",
            "resourceId": "com.shop:id/search", "text": "", "contentDesc": null,
            "bounds": {"left": 10, "top": 20, "right": 30, "bottom": 40}, "uiStateBefore": "<c/>"})
    );
    assert_eq!(
        value["steps"][4],
        json!({"seq": 6, "type": "press_key", "key": "back",
        "uiStateBefore": "<d/>"})
    );
}

#[test]
fn a_recording_of_nothing_has_no_steps() {
    let log = steps(&parse(lines(&[""; 0]).as_bytes()).unwrap());
    assert_eq!((log.steps.len(), log.warnings.len()), (0, 0));
}

#[test]
fn long_presses_are_kept() {
    let log = in_app().touch("long_click", APP, FIELD, "Row").steps();
    assert_eq!(shown(&log)[1], "[1] long_click resourceId=com.shop:id/name contentDesc=\"Row\"");
}

#[test]
fn a_node_that_nothing_names_is_shown_as_that() {
    let log = in_app().click(APP, None, "").steps();
    assert_eq!(shown(&log)[1], "[1] click (no selector)");
}

#[test]
fn typing_into_one_field_is_one_step_with_the_final_text() {
    let log = in_app()
        .click(APP, FIELD, "Name")
        .text(APP, FIELD, "A")
        .window("com.google.android.inputmethod.latin")
        .text(APP, FIELD, "Al")
        .text(APP, FIELD, "Ada")
        .text(APP, Some("com.shop:id/city"), "Turin")
        .steps();
    assert_eq!(
        shown(&log)[2..],
        [
            "[2] enter_text text=\"Ada\" resourceId=com.shop:id/name",
            "[6] enter_text text=\"Turin\" resourceId=com.shop:id/city"
        ]
    );
    let Act::EnterText { count, last_seq, .. } = log.steps[2].act else { panic!("typing") };
    assert_eq!((count, last_seq), (3, 5));
    // The screen is that of the tap: none is taken while somebody types.
    let step = &log.steps[2];
    assert_eq!((step.ui_state_before.as_deref(), step.ui_state_seq), (Some("<s1/>"), Some(1)));
    assert_eq!(log.warnings, Vec::<String>::new());
}

#[test]
fn fields_without_an_id_are_told_apart_by_their_text() {
    let log = in_app()
        .text(APP, None, "a")
        .text(APP, None, "ada")
        .text(APP, None, "da")
        .text(APP, None, "9")
        .text(APP, None, "99")
        .steps();
    assert_eq!(shown(&log)[1..], ["[1] enter_text text=\"da\"", "[4] enter_text text=\"99\""]);
}

#[test]
fn a_tap_between_two_texts_makes_them_two() {
    let log = in_app().text(APP, FIELD, "a").click(APP, FIELD, "").text(APP, FIELD, "ab").steps();
    let kinds: Vec<_> = log.steps.iter().map(|step| step.act.kind()).collect();
    assert_eq!(kinds, ["open_app", "enter_text", "click", "enter_text"]);
}

#[test]
fn enter_after_a_text_submits_it() {
    let log = in_app().text(APP, FIELD, "tea").key("enter").key("enter").steps();
    let value = serde_json::to_value(&log).unwrap();
    assert_eq!(value["steps"][1]["submit"], true);
    assert_eq!(
        (&value["steps"][1]["count"], &value["steps"][1]["lastSeq"]),
        (&json!(1), &json!(2))
    );
    // The second one stands alone.
    assert_eq!(value["steps"][2]["key"], "enter");
    assert_eq!(log.warnings.len(), 1);
    assert!(log.warnings[0].contains("seq 3: enter stands alone"), "{:?}", log.warnings);
}

#[test]
fn a_field_that_an_app_empties_is_no_typing() {
    let send = Some("com.shop:id/send");
    let script = in_app().text(APP, FIELD, "hi").click(APP, send, "Send").text(APP, FIELD, "");
    let log = script.steps();
    assert_eq!(log.steps.len(), 3);
    assert!(log.warnings[0].contains("seq 3: a text field became empty"), "{:?}", log.warnings);
    // A person may do it too: after touching the field, or long after the tap.
    let log = in_app().click(APP, FIELD, "").text(APP, FIELD, "").steps();
    assert_eq!(shown(&log)[2], "[2] enter_text resourceId=com.shop:id/name");
    let log = in_app().click(APP, send, "").later(9_000).text(APP, FIELD, "").steps();
    assert_eq!(log.steps.len(), 3);
}

#[test]
fn a_password_is_no_text_and_says_so() {
    let log = in_app().password(APP, "com.shop:id/pin").password(APP, "com.shop:id/pin").steps();
    let step = serde_json::to_value(&log.steps[1]).unwrap();
    assert_eq!((&step["text"], &step["password"]), (&json!(null), &json!(true)));
    assert_eq!((&step["count"], &step["lastSeq"]), (&json!(2), &json!(2)));
    assert_eq!(shown(&log)[1], "[1] enter_text (a password) resourceId=com.shop:id/pin");
    assert!(log.warnings[0].contains("password field"), "{:?}", log.warnings);
}

#[test]
fn dots_are_a_password_too() {
    let log = in_app().text(APP, FIELD, "•").text(APP, FIELD, "••").steps();
    let step = serde_json::to_value(&log.steps[1]).unwrap();
    assert_eq!((&step["text"], &step["password"]), (&json!(null), &json!(true)));
}

#[test]
fn scrolls_one_way_are_one_step_and_the_other_way_another() {
    let log = in_app()
        .scroll(APP, "list", 300)
        .scroll(APP, "list", 900)
        .scroll(APP, "list", 900)
        .scroll(APP, "list", 400)
        .scroll(APP, "other", 50)
        .steps();
    assert_eq!(
        shown(&log)[1..],
        [
            "[1] scroll down (3 events) resourceId=list",
            "[4] scroll up (1 events) resourceId=list",
            "[5] scroll down (1 events) resourceId=other"
        ]
    );
    // Nobody told where the list stood before the first event.
    let sure: Vec<_> = log.steps.iter().map(|step| step.certainty).collect();
    assert_eq!(sure[1..], [Certainty::Likely, Certainty::Certain, Certainty::Likely]);
    let value = serde_json::to_value(&log.steps[1]).unwrap();
    assert_eq!((&value["direction"], &value["count"]), (&json!("down"), &json!(3)));
    assert_eq!((&value["lastSeq"], &value["certainty"]), (&json!(3), &json!("likely")));
}

#[test]
fn a_scroll_whose_way_is_not_told_takes_that_of_the_next() {
    let log = in_app().scroll(APP, "list", -1).scroll(APP, "list", 80).steps();
    let Act::Scroll { direction, count, .. } = log.steps[1].act else { panic!("a scroll") };
    assert_eq!((direction, count), (Some(Direction::Down), 2));
    let log = in_app().scroll(APP, "list", -1).scroll(APP, "list", -1).steps();
    assert_eq!(shown(&log)[1], "[1] scroll ? (2 events) resourceId=list");
    assert!(log.warnings[0].contains("which way 2 scroll events went"), "{:?}", log.warnings);
}

#[test]
fn a_field_that_moves_under_the_typing_does_not_break_it() {
    let log = in_app()
        .text(APP, FIELD, "long")
        .scroll(APP, "com.shop:id/name", 20)
        .text(APP, FIELD, "longer")
        .steps();
    assert_eq!(log.steps.len(), 2);
    assert!(log.warnings[0].contains("1 scrolls of a text field"), "{:?}", log.warnings);
}

#[test]
fn touches_of_the_keyboard_are_counted_and_never_named() {
    let keyboard = "com.samsung.android.honeyboard";
    let log = in_app().click(keyboard, None, "h").click(keyboard, None, "u").steps();
    assert_eq!(log.steps.len(), 1);
    let expected =
        "2 events of the keyboard are no steps; what they typed is in enter_text".to_owned();
    assert_eq!(log.warnings, [expected]);
}

#[test]
fn keys_are_steps_and_unknown_ones_are_named() {
    let log = in_app().key("back").key("home").key("recents").key("camera").steps();
    assert_eq!(
        shown(&log)[1..],
        [
            "[1] press_key back",
            "[2] press_key home",
            "[3] press_key recents",
            "[4] press_key camera"
        ]
    );
    assert_eq!(log.warnings, ["seq 4: the key \"camera\" is one that no action presses"]);
}

#[test]
fn a_missing_snapshot_is_named_where_one_is_expected() {
    let event = r#"{"ts":1,"seq":0,"packageName":"com.shop","type":"window_change"}"#;
    let log = steps(&parse(lines(&[event]).as_bytes()).unwrap());
    assert_eq!(log.warnings, ["seq 0: the window_change has no snapshot"]);
    assert_eq!(log.steps[0].ui_state_before, None);
    let empty = event.replace("\"seq\"", "\"snapshot\":\"\",\"seq\"");
    assert!(steps(&parse(lines(&[empty]).as_bytes()).unwrap()).warnings.is_empty());
}

#[test]
fn every_event_is_a_step_part_of_one_or_named_in_a_warning() {
    let log = in_app()
        .titled("com.android.systemui", "android.widget.FrameLayout", "Volume")
        .later(9_000)
        .titled("com.android.systemui", "android.widget.FrameLayout", "Shade")
        .window("")
        .window("android")
        .key("camera")
        .steps();
    let seen: Vec<_> = log.steps.iter().flat_map(|step| &step.windows).map(|w| w.seq).collect();
    assert_eq!(seen, [0, 1, 2, 3, 4]);
    assert!(log.warnings[0].starts_with("seq 2: a window of the system (Shade)"));
}
