use super::*;
use crate::screen::{Bounds, NodeSpec, ScreenBuilder, WindowSpec};

const AREA: Bounds = Bounds::new(0, 0, 100, 100);

fn node(text: &str) -> NodeSpec {
    NodeSpec {
        text: text.into(),
        class: "android.widget.TextView".into(),
        bounds: AREA,
        ..NodeSpec::default()
    }
}

fn screen(children: Vec<NodeSpec>) -> Screen {
    let root = NodeSpec { children, ..node("") };
    let mut builder = ScreenBuilder::new(100, 100);
    builder.foreground("com.android.settings").window(&WindowSpec::application(root));
    builder.screen().unwrap()
}

fn text(text: &str) -> Selector {
    Selector { text_equals: Some(text.into()), ..Selector::default() }
}

/// What is said after "no node with …; ".
fn near(children: Vec<NodeSpec>, selector: &Selector) -> String {
    let line = why_nothing(&screen(children), selector, None);
    line.split_once("; ").map(|(_, near)| near.to_owned()).unwrap_or(line)
}

#[test]
fn the_nearest_nodes_are_named_with_what_is_wrong_about_them() {
    let nodes = ["Bluetooth", "Wi-Fi calling", "Wi-Fi", "Wi\u{2011}Fi"].map(node).to_vec();
    assert_eq!(
        why_nothing(&screen(nodes), &text("Wi-fi"), None),
        "no node with text \"Wi-fi\"; 3 near: \"Wi-Fi\" (text differs in case) n3, \
         \"Wi\u{2011}Fi\" (text differs in case and in look-alike characters) n4, \
         \"Wi-Fi calling\" (text is longer) n2"
    );
}

#[test]
fn no_more_than_three_are_named() {
    let nodes = (0..9).map(|number| node(&format!("Wi-Fi {number}"))).collect();
    let said = near(nodes, &text("Wi-Fi"));
    assert!(said.starts_with("9 near: \"Wi-Fi 0\" (text is longer) n1, "), "{said}");
    assert!(said.ends_with("\"Wi-Fi 2\" (text is longer) n3, …"), "{said}");
}

#[test]
fn a_node_that_is_there_but_cannot_be_seen_is_told() {
    let below = NodeSpec { bounds: Bounds::new(0, 500, 100, 600), ..node("About phone") };
    assert_eq!(
        near(vec![below.clone()], &text("About phone")),
        "1 near: \"About phone\" (not shown on screen) n1"
    );
    assert_eq!(
        near(vec![below], &text("about phone")),
        "1 near: \"About phone\" (text differs in case, and it is not shown on screen) n1"
    );
}

#[test]
fn the_first_field_that_fails_is_told() {
    let off = NodeSpec { flags: Flags::VISIBLE, ..node("Save") };
    let with = |selector: Selector| Selector { text_equals: Some("Save".into()), ..selector };
    let fails = |selector: Selector| near(vec![off.clone()], &with(selector));
    let empty = Selector::default;
    for (selector, said) in [
        (Selector { enabled: Some(true), ..empty() }, "not enabled"),
        (Selector { enabled: Some(false), selected: Some(true), ..empty() }, "not selected"),
        (Selector { clickable: Some(true), ..empty() }, "not clickable"),
        (Selector { role: Some("button".into()), ..empty() }, "role is \"text\" not \"button\""),
        (Selector { index_in_parent: Some(4), ..empty() }, "index is 0 not 4"),
        (Selector { resource_id: Some("app:id/save".into()), ..empty() }, "it has no id"),
        (
            Selector { class: Some("Button".into()), ..empty() },
            "class is \"android.widget.TextView\"",
        ),
        (
            Selector { any_of: vec![text("save"), text("Keep")], ..empty() },
            "of the alternatives: text differs in case",
        ),
        (Selector { all_of: vec![text("SAVE")], ..empty() }, "text differs in case"),
    ] {
        assert_eq!(fails(selector), format!("1 near: \"Save\" ({said}) n1"));
    }
}

#[test]
fn an_id_is_told_as_it_is() {
    let field = NodeSpec { resource_id: "com.app:id/user_name".into(), ..node("") };
    let id = |id: &str| Selector { resource_id: Some(id.into()), ..Selector::default() };
    assert_eq!(
        near(vec![field.clone()], &id("com.app:id/username")),
        "1 near: unknown \"com.app:id/user_name\" (id is \"com.app:id/user_name\") n1"
    );
    assert!(near(vec![field.clone()], &id("com.app.debug:id/user_name")).starts_with("1 near"));
    assert!(near(vec![field], &id("com.app:id/save")).starts_with("nothing near"));
}

#[test]
fn a_text_that_is_the_description_is_told() {
    let toggle = NodeSpec { description: "Wi-Fi".into(), ..node("ON") };
    assert_eq!(
        near(vec![toggle], &text("Wi-Fi")),
        "1 near: \"ON\" (that is its description, not its text) n1"
    );
    let selector = Selector { content_desc_equals: Some("ON".into()), ..Selector::default() };
    assert_eq!(
        near(vec![node("ON")], &selector),
        "1 near: \"ON\" (that is its text, not its description) n1"
    );
}

#[test]
fn with_nothing_near_it_says_where_one_is() {
    let nodes = vec![node("Bluetooth"), node("Battery"), node("")];
    assert_eq!(
        why_nothing(&screen(nodes), &text("Checkout"), None),
        "no node with text \"Checkout\"; nothing near among 2 labelled nodes on screen, \
         in front is com.android.settings"
    );
    let empty = ScreenBuilder::new(1, 1).screen().unwrap();
    assert_eq!(
        why_nothing(&empty, &Selector::default(), None),
        "no node at all; nothing near among 0 labelled nodes on screen"
    );
}

#[test]
fn a_scope_is_named_and_kept_to() {
    let group = |text: &str| NodeSpec { children: vec![node(text)], ..node("") };
    let screen = screen(vec![group("wi-fi"), group("Other")]);
    let scope = screen.nodes().nth(3);
    assert_eq!(
        why_nothing(&screen, &text("Wi-Fi"), scope),
        "no node with text \"Wi-Fi\" in unknown n3; nothing near among 2 labelled nodes on \
         screen, in front is com.android.settings"
    );
}

#[test]
fn a_password_is_never_told() {
    let flags = node("").flags.with(Flags::PASSWORD);
    let field = NodeSpec { flags, resource_id: "app:id/pin".into(), ..node("hunter2") };
    let selector = Selector { resource_id: Some("app:id/pin2".into()), ..text("hunter2x") };
    let said = near(vec![field], &selector);
    assert!(said.starts_with("1 near: unknown \"app:id/pin\""), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
}

#[test]
fn it_stays_one_short_line_whatever_is_looked_for_and_seen() {
    let long = "Long label\n".repeat(1_000);
    let nodes: Vec<_> = (0..3_000).map(|_| node(&long)).collect();
    let said = why_nothing(&screen(nodes), &text(&long.to_lowercase()), None);
    assert!(said.chars().count() < 600, "{said}");
    assert!(!said.contains('\n'), "{said}");
    let alternatives = (0..5_000).map(|number| text(&format!("Wi-Fi {number}"))).collect();
    let many = Selector { any_of: alternatives, ..Selector::default() };
    let said = why_nothing(&screen(vec![node("wi-fi 4999")]), &many, None);
    assert!(said.chars().count() < 600, "{said}");
}
