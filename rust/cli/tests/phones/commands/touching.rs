//! Touching: clicks, and texts typed into fields.

use crate::support::{CONFORMANCE, Desk, id, until};

/// The reference of the line of a snapshot that holds this.
fn reference(desk: &Desk, line: &str) -> String {
    let answer = desk.run(&["snapshot", "--view", "text"]).succeeded();
    let text = answer.data(0, "text").to_owned();
    let head = text.lines().next().unwrap();
    let generation = head.split_whitespace().find_map(|word| word.strip_prefix('g')).unwrap();
    let line = text.lines().find(|own| own.contains(line)).unwrap_or_else(|| panic!("{text}"));
    format!("{}@{generation}", line.split_whitespace().last().unwrap())
}

#[test]
fn a_node_is_clicked_by_its_text_its_id_and_its_other_name() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let button = id("counter_button");
    let ways: [&[&str]; 5] = [
        &["click", "--text", "Add one"],
        &["tap", "--id", &button],
        &["click", "--text-contains", "Add o"],
        &["click", "--selector", r#"{"textEquals":"Add one","role":"button"}"#],
        &["click", "--text", "Add one", "--role", "button"],
    ];
    for (index, way) in ways.iter().enumerate() {
        let answer = desk.run(way).succeeded();
        assert_eq!(answer.steps()[0]["actionType"], "click");
        assert_eq!(desk.count(), (index + 1).to_string(), "{way:?}");
    }
}

#[test]
fn a_node_is_clicked_by_its_reference_until_the_screen_is_another() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let button = reference(&desk, "#counter_button");
    desk.run(&["click", "--ref", &button]).succeeded();
    assert_eq!(desk.count(), "1");
    // Another look makes another screen of it.
    desk.run(&["snapshot"]).succeeded();
    let answer = desk.run(&["click", "--ref", &button]).step_failed("NODE_STALE");
    assert!(answer.data(0, "message").contains(&button), "{}", answer.out);
    assert_eq!(desk.count(), "1");
}

#[test]
fn a_point_is_clicked() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let (x, y) = desk.lab.look().find("Add one").unwrap();
    desk.run(&["click", "--coordinate", &x.to_string(), &y.to_string()]).succeeded();
    until("the point was clicked", || desk.count() == "1");
}

#[test]
fn a_long_click_is_another_click() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    desk.run(&["click", "--text", "Add one"]).succeeded();
    assert_eq!((desk.count(), desk.state("held")), ("1".into(), "false".into()));
    let answer = desk.run(&["click", "--text", "Add one", "--long"]).succeeded();
    assert_eq!(answer.data(0, "click_types"), "long_click");
    assert_eq!((desk.count(), desk.state("held")), ("0".into(), "true".into()));
}

#[test]
fn a_node_that_is_not_there_is_told_with_what_is_near() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let answer = desk.run(&["click", "--text", "Add won"]).step_failed("NODE_NOT_FOUND");
    assert!(answer.data(0, "message").contains("\"Add one\""), "{}", answer.out);
}

#[test]
fn text_is_typed_into_a_field_and_submitted() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let field = id("text_field");
    desk.run(&["type", "first", "--id", &field]).succeeded();
    assert_eq!((desk.state("text"), desk.state("submitted")), ("first".into(), String::new()));
    desk.run(&["type", "second", "--id", &field]).succeeded();
    assert_eq!(desk.state("text"), "second");
    desk.run(&["type", " and third", "--id", &field, "--append"]).succeeded();
    assert_eq!(desk.state("text"), "second and third");
    let answer = desk.run(&["type", "last", "--id", &field, "--submit"]).succeeded();
    assert_eq!(answer.data(0, "submit"), "true");
    assert_eq!((desk.state("text"), desk.state("submitted")), ("last".into(), "yes".into()));
    let shown = desk.run(&["read", "--id", &id("submitted_value")]).succeeded();
    assert_eq!(shown.data(0, "text"), "Submitted: last");
}

#[test]
fn text_goes_to_the_field_that_has_the_focus() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    desk.run(&["type", "lost", "--focused"]).step_failed("NO_FOCUSED_FIELD");
    desk.run(&["click", "--id", &id("text_field"), "--focus"]).succeeded();
    let answer = desk.run(&["type", "found", "--focused"]).succeeded();
    assert_eq!(answer.steps()[0]["actionType"], "type_text");
    assert_eq!(desk.state("text"), "found");
}

#[test]
fn a_form_is_filled_in_with_one_command_after_the_other() {
    let desk = Desk::new();
    let account = "com.example.account";
    desk.run(&["open", account]).succeeded();
    desk.run(&["type", "ada", "--id", &format!("{account}:id/user")]).succeeded();
    let typed = desk.run(&["type", "secret", "--id", &format!("{account}:id/password")]);
    // What is hidden on the phone is not told by the answer either.
    assert!(!typed.succeeded().out.contains("secret"));
    desk.run(&["click", "--id", &format!("{account}:id/sign_in")]).succeeded();
    desk.run(&["wait", "--text", "Hello ada", "--timeout", "20000"]).succeeded();
    assert_eq!(desk.title(), "Hello ada");
}
