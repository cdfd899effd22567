//! What ours adds to the contract: `where`, `ref`, `view`, `gesture`, `type_text`, and containers
//! where the contract has none. A payload without them is read as if they did not exist.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::NodeRef;
use clawperator_contract::runnable::{
    Act, ClickTarget, Point, StrokePoint, Target, TypeText, View,
};
use clawperator_contract::selector::Selector;
use serde_json::{Value, json};
use std::time::Duration;
use support::{act, canonical_action, path, refused};

#[test]
fn where_takes_the_full_selector_in_its_aliases_too() {
    let given = json!({"where": {
        "class_name": "android.widget.Switch", "clickable": true, "enabled": true,
        "selected": false, "index_in_parent": 2, "any_of": [{"text": "On"}, {"id": "a:id/b"}],
        "all_of": [{"role": "switch"}]
    }});
    let canonical = json!({"where": {
        "class": "android.widget.Switch", "clickable": true, "enabled": true,
        "selected": false, "indexInParent": 2,
        "anyOf": [{"textEquals": "On"}, {"resourceId": "a:id/b"}], "allOf": [{"role": "switch"}]
    }});
    assert_eq!(canonical_action("click", &given)["params"], canonical);
    let Act::Click(click) = act("click", &given) else { panic!() };
    let selector = Selector {
        class: Some("android.widget.Switch".into()),
        clickable: Some(true),
        enabled: Some(true),
        selected: Some(false),
        index_in_parent: Some(2),
        any_of: vec![
            Selector { text_equals: Some("On".into()), ..Selector::default() },
            Selector { resource_id: Some("a:id/b".into()), ..Selector::default() },
        ],
        all_of: vec![Selector { role: Some("switch".into()), ..Selector::default() }],
        ..Selector::default()
    };
    assert_eq!(click.target, ClickTarget::Node(Target::Search(selector)));
}

#[test]
fn a_matcher_keeps_its_six_keys() {
    for key in ["class", "clickable", "indexInParent", "anyOf"] {
        let failure = refused("click", &json!({"matcher": {"textEquals": "a", key: true}}));
        assert_eq!(failure.details["invalidKeys"], json!([key]));
    }
}

#[test]
fn a_selector_says_something_at_every_level() {
    let cases = [
        (json!({}), ""),
        (json!({"anyOf": []}), ".anyOf"),
        (json!({"anyOf": [{}]}), ".anyOf.0"),
        (json!({"allOf": [{"role": "x"}, {"anyOf": [{"role": " "}]}]}), ".allOf.1.anyOf.0.role"),
        (json!({"clickable": "yes"}), ".clickable"),
        (json!({"indexInParent": -1}), ".indexInParent"),
        (json!({"class": "x".repeat(513)}), ".class"),
    ];
    for (selector, place) in cases {
        let failure = refused("click", &json!({ "where": selector }));
        assert_eq!(path(&failure), format!("actions.0.params.where{place}"));
    }
}

fn nested(depth: usize) -> Value {
    let leaf = json!({"role": "x"});
    (1..depth).fold(leaf, |inner, _| json!({"allOf": [inner]}))
}

#[test]
fn a_selector_nests_eight_deep_and_has_sixty_four_parts() {
    let wide = |parts: usize| json!({"anyOf": vec![json!({"role": "x"}); parts - 1]});
    for selector in [nested(8), wide(64)] {
        canonical_action("click", &json!({ "where": selector }));
        act("click", &json!({ "where": selector }));
    }
    for selector in [nested(9), wide(65)] {
        let failure = refused("click", &json!({ "where": selector }));
        assert!(failure.message.contains("too large"), "{failure}");
        support::unreadable("click", &json!({ "where": selector }));
    }
}

#[test]
fn a_reference_points_at_a_node_of_one_screen() {
    let Act::Click(click) = act("click", &json!({"ref": "n12@57"})) else { panic!() };
    let reference = NodeRef { node: 12, generation: 57 };
    assert_eq!(click.target, ClickTarget::Node(Target::Ref(reference)));
    for wrong in [json!("12@57"), json!("n12"), json!(""), json!(12), json!("n4294967296@1")] {
        let failure = refused("click", &json!({ "ref": wrong }));
        assert_eq!(path(&failure), "actions.0.params.ref");
    }
}

#[test]
fn two_ways_to_name_one_thing_are_one_too_many() {
    let node = json!({"role": "x"});
    let pairs = [
        ("click", json!({"matcher": node, "where": node})),
        ("click", json!({"where": node, "ref": "n1@1"})),
        ("click", json!({"ref": "n1@1", "coordinate": {"x": 1, "y": 1}})),
        ("read_text", json!({"matcher": node, "ref": "n1@1"})),
        ("scroll_until", json!({"matcher": node, "where": node})),
        ("scroll", json!({"container": node, "containerWhere": node})),
    ];
    for (kind, params) in pairs {
        assert_eq!(path(&refused(kind, &params)), "actions.0.params", "{kind} {params}");
    }
}

#[test]
fn a_snapshot_is_told_as_xml_or_as_text() {
    for (view, wanted) in [("xml", View::Xml), ("text", View::Text)] {
        canonical_action("snapshot_ui", &json!({ "view": view }));
        let Act::SnapshotUi(snapshot) = act("snapshot_ui", &json!({ "view": view })) else {
            panic!()
        };
        assert_eq!(snapshot.view, wanted);
    }
    let failure = refused("snapshot_ui", &json!({"view": "ascii"}));
    assert_eq!(path(&failure), "actions.0.params.view");
}

#[test]
fn type_text_without_a_target_types_into_the_focus() {
    let wanted = TypeText { text: "hi".into(), submit: true, clear: false };
    let params = json!({"text": "hi", "submit": true});
    assert_eq!(canonical_action("type_text", &params)["type"], "type_text");
    assert_eq!(act("type_text", &params), Act::TypeText(wanted));
    assert_eq!(path(&refused("type_text", &json!({}))), "actions.0.params.text");
}

fn point(x: u32, y: u32, t: u64) -> Value {
    json!({"x": x, "y": y, "t": t})
}

#[test]
fn a_gesture_moves_fingers_over_points_in_time() {
    let strokes = json!([[point(1, 2, 0), point(3, 4, 300)], [point(5, 6, 0)]]);
    canonical_action("gesture", &json!({ "strokes": strokes }));
    let at = |ms, x, y| StrokePoint { at: Duration::from_millis(ms), point: Point { x, y } };
    let wanted = vec![vec![at(0, 1, 2), at(300, 3, 4)], vec![at(0, 5, 6)]];
    assert_eq!(act("gesture", &json!({ "strokes": strokes })), Act::Gesture(wanted));
}

#[test]
fn a_gesture_has_its_limits() {
    let fingers = |count| json!({"strokes": vec![json!([point(1, 1, 0)]); count]});
    let points = |count| json!({"strokes": [vec![point(1, 1, 0); count]]});
    let ends = |at| json!({"strokes": [[point(1, 1, at)]]});
    for params in [fingers(20), points(500), ends(60_000)] {
        canonical_action("gesture", &params);
    }
    let cases = [
        (fingers(0), ""),
        (fingers(21), ""),
        (points(0), ".0"),
        (points(501), ".0"),
        (ends(60_001), ".0.0.t"),
        (json!({"strokes": [[point(1, 1, 5), point(1, 1, 4)]]}), ".0.1.t"),
        (json!({"strokes": [[{"x": 1, "y": 1}]]}), ".0.0.t"),
        (json!({"strokes": [[{"x": -1, "y": 1, "t": 0}]]}), ".0.0.x"),
    ];
    for (params, place) in cases {
        let failure = refused("gesture", &params);
        assert_eq!(path(&failure), format!("actions.0.params.strokes{place}"), "{failure}");
    }
}
