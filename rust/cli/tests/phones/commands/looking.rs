//! Looking: snapshots, pictures, texts and values.

use crate::support::{CONFORMANCE, Desk, SETTINGS, action, id};
use clawperator_simphone::device::Metrics;
use serde_json::json;
use std::fs;
use std::path::Path;

#[test]
fn a_snapshot_is_the_hierarchy_of_what_is_in_front() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let answer = desk.run(&["snapshot"]).succeeded();
    assert_eq!(answer.data(0, "actual_format"), "hierarchy_xml");
    assert_eq!(answer.data(0, "foreground_package"), CONFORMANCE);
    let text = answer.data(0, "text");
    let document = roxmltree::Document::parse(text).unwrap();
    let value = id("counter_value");
    let counter = document
        .descendants()
        .find(|node| node.attribute("resource-id") == Some(&value))
        .expect("the counter is in it");
    assert_eq!(counter.attribute("text"), Some("Count: 0"));
    assert_eq!(counter.attribute("package"), Some(CONFORMANCE));
}

#[test]
fn a_snapshot_as_text_is_shorter_and_says_where_to_touch() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let xml = desk.run(&["snapshot"]).succeeded();
    let answer = desk.run(&["snapshot", "--view", "text"]).succeeded();
    let text = answer.data(0, "text");
    assert!(text.lines().next().unwrap().contains(CONFORMANCE), "{text}");
    assert!(text.contains("button \"Add one\" #counter_button "), "{text}");
    assert!(text.len() * 5 < xml.data(0, "text").len(), "{text}");
}

/// Width and height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_picture_is_written_where_it_was_asked_for() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let path = desk.program.path("screen.png");
    let answer = desk.run(&["screenshot", &path]).succeeded();
    assert_eq!(answer.data(0, "path"), path);
    let png = fs::read(&path).unwrap();
    let Metrics { width, height, .. } = desk.system().device.metrics();
    assert_eq!(size(&png), (width.try_into().unwrap(), height.try_into().unwrap()));
    assert_eq!(answer.data(0, "bytes"), png.len().to_string());
    // Another screen is another picture.
    desk.show(SETTINGS);
    desk.run(&["screenshot", "--path", &path]).succeeded();
    assert_ne!(fs::read(&path).unwrap(), png);
}

#[test]
fn a_picture_without_a_path_is_a_temporary_file() {
    let desk = Desk::new();
    let answer = desk.run(&["screenshot"]).succeeded();
    let path = Path::new(answer.data(0, "path"));
    assert_eq!(path.parent(), Some(desk.program.home.as_path()));
    size(&fs::read(path).unwrap());
}

#[test]
fn a_picture_that_could_not_be_kept_is_refused_before_anything_is_done() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let path = desk.program.path("nowhere/screen.png");
    let click = action("one", "click", json!({ "matcher": { "textEquals": "Add one" } }));
    let shot = action("shot", "take_screenshot", json!({ "path": path }));
    let answer = desk.exec(&json!([click, shot]), &[]).failed("OUTPUT_UNWRITABLE");
    assert_eq!(answer.detail("path"), path.as_str());
    assert!(answer.message().ends_with("nothing was sent"), "{}", answer.message());
    let folder = desk.program.home.display().to_string();
    desk.run(&["screenshot", &folder]).failed("OUTPUT_UNWRITABLE");
    assert_eq!(desk.count(), "0");
}

#[test]
fn a_window_that_forbids_pictures_has_none() {
    let desk = Desk::new();
    desk.show_screen(CONFORMANCE, "inputs", "Inputs");
    let path = desk.program.path("screen.png");
    desk.run(&["screenshot", &path]).step_failed("SCREENSHOT_SECURE_WINDOW");
    assert!(!Path::new(&path).exists());
}

#[test]
fn the_text_of_a_node_is_read_and_so_is_that_of_all_that_fit() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let one = desk.run(&["read", "--id", &id("counter_value")]).succeeded();
    assert_eq!(one.data(0, "text"), "Count: 0");
    desk.show_screen(CONFORMANCE, "list", "List");
    let first = desk.run(&["read", "--text-contains", "Summary of row"]).succeeded();
    assert_eq!(first.data(0, "text"), "Summary of row 1");
    let all = desk.run(&["read", "--text-contains", "Summary of row", "--all"]).succeeded();
    let texts: Vec<String> = serde_json::from_str(all.data(0, "text")).unwrap();
    assert_eq!(all.data(0, "count"), texts.len().to_string());
    assert!(texts.len() > 5, "{texts:?}");
    for (index, text) in texts.iter().enumerate() {
        assert_eq!(*text, format!("Summary of row {}", index + 1));
    }
}

#[test]
fn reading_stays_inside_its_container() {
    let desk = Desk::new();
    desk.show_screen(CONFORMANCE, "list", "List");
    let within = ["--container-id", &id("list")];
    let row = desk.run(&[&["read", "--text", "Row 1"], &within[..]].concat()).succeeded();
    assert_eq!(row.data(0, "text"), "Row 1");
    // The title is on the screen, but not in the list.
    desk.run(&["read", "--text", "List"]).succeeded();
    let title = desk.run(&[&["read", "--text", "List"], &within[..]].concat());
    title.step_failed("NODE_NOT_FOUND");
}

#[test]
fn a_text_that_does_not_look_as_it_must_is_a_failure() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let read = |pattern: &str| {
        let which = id("counter_value");
        let flags = ["--validator", "regex", "--validator-pattern", pattern];
        desk.run(&[&["read", "--id", &which], &flags[..]].concat())
    };
    assert_eq!(read("^Count: [0-9]+$").succeeded().data(0, "validator"), "regex");
    read("^[0-9]+$").step_failed("VALIDATOR_MISMATCH");
}

#[test]
fn the_value_beside_a_label_is_read() {
    let desk = Desk::new();
    desk.show_screen(SETTINGS, "battery", "Battery");
    let screen = desk.lab.look();
    let answer = desk.run(&["read-value", "--label", "Battery level"]).succeeded();
    assert_eq!(answer.data(0, "label"), "Battery level");
    let value = answer.data(0, "value");
    assert_eq!(value, "80%");
    assert!(screen.find(value).is_some(), "{}", screen.0);
    desk.run(&["read-value", "--label", "No such label"]).step_failed("NODE_NOT_FOUND");
}
