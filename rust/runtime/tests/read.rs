//! Reading: labels, lists of labels, forms a text must have, and the values beside labels.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_runtime::screen::{Bounds, Flags, NodeSpec};
use serde_json::{Value, json};
use support::scripted::node;
use support::{Bench, ms};

const APP: &str = "com.example";

fn label(id: &str, text: &str, top: i32) -> NodeSpec {
    let mut spec = node("android.widget.TextView", text, Bounds::new(0, top, 1080, top + 50));
    spec.resource_id = id.into();
    spec
}

fn group(flags: Flags, top: i32, children: Vec<NodeSpec>) -> NodeSpec {
    let mut spec = node("android.widget.LinearLayout", "", Bounds::new(0, top, 1080, top + 200));
    spec.flags = spec.flags.with(flags);
    spec.children = children;
    spec
}

/// A row as Android's own settings draw them: an icon, a title over a summary, a switch.
fn preference(title: &str, summary: &str, top: i32) -> NodeSpec {
    let mut texts = vec![label("android:id/title", title, top)];
    if !summary.is_empty() {
        texts.push(label("android:id/summary", summary, top + 60));
    }
    group(Flags::HORIZONTAL, top, vec![group(Flags::VERTICAL, top, texts)])
}

fn bench(children: Vec<NodeSpec>) -> Bench {
    let bench = Bench::new();
    bench.world().show(APP, children);
    bench
}

fn id(id: &str) -> Value {
    json!({ "matcher": { "resourceId": id } })
}

fn checked(validator: &str) -> Value {
    json!({ "matcher": { "resourceId": "a" }, "validator": validator })
}

fn pattern(pattern: &str) -> Value {
    let matcher = json!({ "resourceId": "a" });
    json!({ "matcher": matcher, "validator": "regex", "validatorPattern": pattern })
}

fn key(label: &str) -> Value {
    json!({ "labelMatcher": { "textEquals": label } })
}

#[test]
fn the_label_is_the_text_else_the_description() {
    let mut described = label("b", "  ", 200);
    described.description = "Menu".into();
    let mut both = label("c", "Text", 300);
    both.description = "Description".into();
    let mut bench = bench(vec![label("a", "Plain", 100), described, both]);
    for (node, text) in [("a", "Plain"), ("b", "Menu"), ("c", "Text")] {
        let step = bench.succeed("read_text", id(node));
        assert_eq!((step.data["text"].as_str(), step.data["validator"].as_str()), (text, "none"));
        assert!(!step.data.contains_key("container") && !step.data.contains_key("all"));
    }
}

#[test]
fn a_blank_label_is_waited_for_and_then_a_failure() {
    let mut bench = bench(vec![label("a", " ", 100)]);
    let step = bench.fail("read_text", id("a"), "NODE_NOT_FOUND");
    assert_eq!(step.data["attempts"], "5");
    bench.world().after(ms(300), |world| world.show(APP, vec![label("a", "21 °C", 100)]));
    let took = bench.took(|bench| {
        assert_eq!(bench.succeed("read_text", id("a")).data["text"], "21 °C");
    });
    assert!((300..=310).contains(&took), "{took} ms");
}

#[test]
fn a_blank_label_by_reference_is_not_called_stale() {
    let mut bench = bench(vec![label("a", "", 100)]);
    let reference = bench.succeed("wait_for_node", id("a")).data["ref"].clone();
    bench.fail("read_text", json!({ "ref": reference }), "NODE_NOT_FOUND");
}

#[test]
fn a_reference_is_read_from_the_screen_it_speaks_of() {
    let mut bench = bench(vec![label("a", "One", 100), label("a", "Two", 200)]);
    let second = json!({ "where": { "resourceId": "a", "indexInParent": 1 } });
    let reference = bench.succeed("wait_for_node", second).data["ref"].clone();
    assert_eq!(bench.succeed("read_text", json!({ "ref": reference })).data["text"], "Two");
    bench.succeed("snapshot_ui", json!({}));
    bench.fail("read_text", json!({ "ref": reference }), "NODE_STALE");
}

#[test]
fn all_reads_the_labels_that_say_something_as_json() {
    let rows = [label("a", "One", 100), label("a", "", 200), label("a", "T\"wo", 300)];
    let mut bench = bench(rows.to_vec());
    let step = bench.succeed("read_text", json!({ "matcher": { "resourceId": "a" }, "all": true }));
    assert_eq!(step.data["text"], r#"["One","T\"wo"]"#);
    assert_eq!((step.data["all"].as_str(), step.data["count"].as_str()), ("true", "2"));
    bench.world().show(APP, vec![label("a", "", 100)]);
    bench.fail(
        "read_text",
        json!({ "matcher": { "resourceId": "a" }, "all": true }),
        "NODE_NOT_FOUND",
    );
}

#[test]
fn a_container_narrows_the_reading_and_is_told() {
    let mut card = group(Flags::VERTICAL, 300, vec![label("price", "2 €", 320)]);
    card.resource_id = "second".into();
    let mut bench = bench(vec![label("price", "1 €", 100), card]);
    let params = |container: &str| json!({ "matcher": { "resourceId": "price" }, "container": { "resourceId": container } });
    let step = bench.succeed("read_text", params("second"));
    assert_eq!(step.data["text"], "2 €");
    assert!(step.data["container"].contains("second"), "{step:?}");
    let step = bench.fail("read_text", params("third"), "CONTAINER_NOT_FOUND");
    assert_eq!(step.data["attempts"], "5");
}

#[test]
fn a_text_of_the_right_form_is_read_and_the_validator_told() {
    for (text, params, name) in [
        ("21.5°C", checked("temperature"), "temperature"),
        ("1.20.3", checked("version"), "version"),
        ("ORD-123456", pattern("ORD-[0-9]{6}"), "regex"),
        ("ab", pattern("a|ab"), "regex"),
    ] {
        let mut bench = bench(vec![label("a", text, 100)]);
        let step = bench.succeed("read_text", params);
        assert_eq!((step.data["text"].as_str(), step.data["validator"].as_str()), (text, name));
    }
}

#[test]
fn a_text_of_the_wrong_form_is_a_mismatch_that_tells_the_text() {
    for (text, params) in [
        ("--", checked("temperature")),
        ("warm", checked("temperature")),
        ("v1.2", checked("version")),
        ("ORD-123456 (new)", pattern("ORD-[0-9]{6}")),
        ("ax", pattern("a|b")),
    ] {
        let mut bench = bench(vec![label("a", text, 100)]);
        let step = bench.fail("read_text", params, "VALIDATOR_MISMATCH");
        assert_eq!(step.data["raw_text"], text);
    }
}

#[test]
fn a_text_is_read_once_it_has_the_right_form() {
    let mut bench = bench(vec![label("a", "--", 100)]);
    bench.world().after(ms(1_200), |world| world.show(APP, vec![label("a", "21°C", 100)]));
    let took = bench.took(|bench| {
        assert_eq!(bench.succeed("read_text", checked("temperature")).data["text"], "21°C");
    });
    assert!((1_200..=1_210).contains(&took), "{took} ms");
}

#[test]
fn the_text_of_a_password_field_is_never_read() {
    let mut secret = label("a", "hunter2", 100);
    secret.flags = secret.flags.with(Flags::PASSWORD);
    let mut bench = bench(vec![secret]);
    let step = bench.fail("read_text", id("a"), "NODE_NOT_FOUND");
    assert!(step.data.values().all(|value| !value.contains("hunter2")), "{step:?}");
}

#[test]
fn the_value_stands_beside_its_label() {
    let pair = group(Flags::HORIZONTAL, 100, vec![label("", "Model", 100), label("", "P7", 100)]);
    let mut bench = bench(vec![label("", "About", 0), pair, preference("Battery", "80 %", 400)]);
    let step = bench.succeed("read_key_value_pair", key("Model"));
    assert_eq!((step.data["label"].as_str(), step.data["value"].as_str()), ("Model", "P7"));
    assert!(!step.data.contains_key("all"));
    assert_eq!(bench.succeed("read_key_value_pair", key("Battery")).data["value"], "80 %");
}

#[test]
fn a_summary_is_preferred_over_what_stands_before_it() {
    let title = label("android:id/title", "Battery", 100);
    let badge = label("app:id/badge", "New", 110);
    let summary = label("android:id/summary", "80 %", 160);
    let mut bench = bench(vec![group(Flags::HORIZONTAL, 100, vec![title, badge, summary])]);
    assert_eq!(bench.succeed("read_key_value_pair", key("Battery")).data["value"], "80 %");
}

#[test]
fn the_value_of_the_next_row_is_nobody_elses() {
    let rows = vec![preference("Bluetooth", "", 100), preference("Battery", "80 %", 400)];
    let mut bench = bench(rows);
    let step = bench.fail("read_key_value_pair", key("Bluetooth"), "VALUE_NODE_NOT_FOUND");
    assert_eq!((step.data["label"].as_str(), step.data["attempts"].as_str()), ("Bluetooth", "5"));
    bench.fail("read_key_value_pair", key("Display"), "NODE_NOT_FOUND");
}

#[test]
fn an_item_of_a_list_is_a_boundary_even_when_it_is_the_label_itself() {
    let mut list = node("android.widget.ListView", "", Bounds::new(0, 0, 1080, 900));
    for (text, top) in [("Battery", 100), ("Display", 200)] {
        let mut item = label("", text, top);
        item.flags = item.flags.with(Flags::COLLECTION_ITEM);
        list.children.push(item);
    }
    let mut bench = bench(vec![list]);
    bench.fail("read_key_value_pair", key("Battery"), "VALUE_NODE_NOT_FOUND");
}

#[test]
fn a_value_that_comes_late_is_read_then() {
    let mut bench = bench(vec![preference("Battery", "", 100)]);
    let late = |world: &mut support::scripted::World| {
        world.show(APP, vec![preference("Battery", "80 %", 100)]);
    };
    bench.world().after(ms(250), late);
    let took = bench.took(|bench| {
        assert_eq!(bench.succeed("read_key_value_pair", key("Battery")).data["value"], "80 %");
    });
    assert!((250..=260).contains(&took), "{took} ms");
}

#[test]
fn all_reads_every_pair_that_fits() {
    let rows = vec![
        preference("SIM", "Ada", 100),
        preference("SIM", "", 400),
        preference("SIM", "Bob", 700),
        preference("Wi-Fi", "on", 1_000),
    ];
    let mut bench = bench(rows);
    let params = json!({ "labelMatcher": { "textEquals": "SIM" }, "all": true });
    let step = bench.succeed("read_key_value_pair", params);
    assert_eq!(step.data["label"], r#"["SIM","SIM"]"#);
    assert_eq!(step.data["value"], r#"["Ada","Bob"]"#);
    assert_eq!((step.data["all"].as_str(), step.data["count"].as_str()), ("true", "2"));
}
