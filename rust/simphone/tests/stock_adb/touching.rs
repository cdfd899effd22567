//! `input`, `screencap`, `uiautomator dump`: fingers, keys, and what comes of them.

use clawperator_lab::{Lab, adb};

const MAIN: &str = "com.clawperator.conformance/.MainActivity";

fn conformance() -> Lab {
    let lab = Lab::new();
    lab.shell(&format!("am start -W -n {MAIN}"));
    lab
}

#[test]
fn a_tap_presses_what_is_under_it() {
    let lab = conformance();
    lab.tap("Add one");
    lab.until_shows("Count: 1");
    let (x, y) = lab.look().find("Add one").unwrap();
    lab.shell(&format!("input touchscreen tap {x}.0 {y}.4"));
    lab.until_shows("Count: 2");
    // A finger that stays is held.
    lab.shell(&format!("input swipe {x} {y} {x} {y} 900"));
    lab.until_shows("Count: 0");
}

#[test]
fn a_swipe_scrolls() {
    let lab = conformance();
    lab.tap("Open list");
    let before = lab.until("the list", |screen| screen.find("Open list").is_none());
    lab.shell("input swipe 540 1900 540 600 300");
    let texts = |screen: &clawperator_lab::Screen| screen.attributes("text");
    let after = lab.until("other rows", |screen| texts(screen) != texts(&before));
    let new = texts(&after).into_iter().filter(|text| !texts(&before).contains(text));
    assert!(new.count() >= 3, "{:?}", texts(&after));
}

#[test]
fn text_goes_into_the_field_that_has_the_focus() {
    let lab = conformance();
    lab.tap("Type here");
    lab.shell("input text 'hello%sworld'");
    lab.until_shows("hello world");
    lab.shell("input keyevent 67");
    lab.until_shows("hello worl");
    lab.shell("input keyevent KEYCODE_ENTER");
    lab.until_shows("Submitted: hello worl");
}

#[test]
fn keys_lead_back_home_and_to_recent_apps() {
    let lab = conformance();
    lab.tap("Open list");
    lab.until("the list", |screen| screen.find("Open list").is_none());
    lab.shell("input keyevent 4");
    lab.until_shows("Open list");
    lab.shell("input keyevent KEYCODE_HOME");
    lab.until_shows("Climate");
    lab.shell("input keyevent KEYCODE_APP_SWITCH");
    lab.until_shows("Clear all");
    // A key this phone does not have does nothing; a name no phone has is an error.
    lab.shell("input keyevent 25");
    assert_eq!(lab.adb(&["shell", "input keyevent KEYCODE_NONSENSE"]).code, Some(255));
    assert_eq!(lab.adb(&["shell", "input tap 5"]).code, Some(255));
}

/// Width and height a PNG tells of itself.
fn png_size(png: &[u8]) -> (u32, u32) {
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_picture_is_taken() {
    let lab = conformance();
    let picture = lab.does(&["exec-out", "screencap", "-p"]).stdout;
    assert_eq!(png_size(&picture), (1080, 2400));
    assert!(picture.ends_with(b"IEND\xae\x42\x60\x82"));
    lab.shell("screencap -p /sdcard/picture.png");
    let file = adb().home.join("picture.png");
    lab.does(&["pull", "/sdcard/picture.png", file.to_str().unwrap()]);
    assert_eq!(png_size(&std::fs::read(&file).unwrap()), (1080, 2400));
    lab.tap("Add one");
    lab.until_shows("Count: 1");
    assert!(lab.does(&["exec-out", "screencap -p"]).stdout != picture);
}

#[test]
fn the_screen_is_dumped_to_a_file() {
    let lab = conformance();
    let said = lab.shell("uiautomator dump");
    assert_eq!(said, "UI hierchary dumped to: /sdcard/window_dump.xml\n");
    let file = adb().home.join("window_dump.xml");
    lab.does(&["pull", "/sdcard/window_dump.xml", file.to_str().unwrap()]);
    let xml = std::fs::read_to_string(&file).unwrap();
    assert!(xml.starts_with("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"), "{xml}");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let button = document.descendants().find(|node| node.attribute("text") == Some("Add one"));
    let button = button.unwrap();
    assert_eq!(button.attribute("package"), Some("com.clawperator.conformance"));
    let id = "com.clawperator.conformance:id/counter_button";
    assert_eq!(button.attribute("resource-id"), Some(id));
    assert_eq!(button.attribute("clickable"), Some("true"));
    lab.shell("uiautomator dump --compressed /data/local/tmp/x.xml && ls /data/local/tmp/x.xml");
}
