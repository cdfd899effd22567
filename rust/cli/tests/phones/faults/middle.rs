//! What goes wrong in the middle of an execution.

use crate::support::{
    Between, CONFORMANCE, Desk, Service, action, add_one, execution, held_open, until,
};
use clawperator_adbd::Presence;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;

/// A desk with a server of its own, whose program is overheard.
fn overheard() -> (Desk, Between) {
    let mut desk = Desk::with_own_server();
    desk.show(CONFORMANCE);
    let between = Between::before(desk.program.port, |_| Service::Pass);
    desk.by_way_of(&between);
    (desk, between)
}

/// Until the program knows how the first step ended.
fn first_step_is_told(between: &Between) {
    until("a step was told", || between.has_heard(r#""type":"step""#));
}

#[test]
fn a_server_that_is_killed_is_started_again_and_asked_for_the_result() {
    let (desk, between) = overheard();
    let running = desk.start(&held_open(), &[]);
    first_step_is_told(&between);
    desk.lab.host.kill();
    desk.lab.host.restart();
    desk.let_go();
    let answer = running.answer().succeeded();
    let ids: Vec<_> = answer.steps().iter().map(|step| &step["id"]).collect();
    assert_eq!(ids, ["one", "held"]);
    assert_eq!(desk.count(), "1");
}

#[test]
fn a_server_that_is_killed_and_left_dead_is_started_by_the_program() {
    // Without anything between: it would answer where nobody listens any more.
    let desk = Desk::with_own_server();
    desk.show(CONFORMANCE);
    desk.let_the_operator_age();
    let running = desk.start(&held_open(), &[]);
    until("it runs", || desk.count() == "1");
    desk.lab.host.kill();
    desk.let_go();
    assert_eq!(running.answer().succeeded().steps().len(), 2);
    assert_eq!(desk.count(), "1");
}

#[test]
fn over_broadcast_too_a_killed_server_loses_nothing() {
    let desk = Desk::with_own_server();
    desk.show(CONFORMANCE);
    let running = desk.start(&held_open(), &["--link", "broadcast"]);
    until("it runs", || desk.count() == "1");
    desk.lab.host.kill();
    desk.let_go();
    assert_eq!(running.answer().succeeded().steps().len(), 2);
    assert_eq!(desk.count(), "1");
}

#[test]
fn a_phone_that_is_unplugged_and_never_comes_back() {
    let (desk, between) = overheard();
    let running = desk.start(&held_open(), &["--timeout", "2000"]);
    first_step_is_told(&between);
    desk.lab.phone.server().set_presence(Presence::Offline);
    let answer = running.answer().failed("DISPATCH_OUTCOME_UNKNOWN");
    let steps = answer.detail("steps").as_array().unwrap();
    assert_eq!((steps.len(), &steps[0]["id"]), (1, &json!("one")), "{}", answer.out);
    assert_eq!(steps[0]["success"], true);
    assert_eq!(answer.detail("commandId"), "given");
    assert!(answer.message().contains("1 of 2 steps"), "{}", answer.message());
}

#[test]
fn over_broadcast_a_phone_that_never_comes_back_is_an_unknown_outcome_too() {
    let desk = Desk::with_own_server();
    desk.show(CONFORMANCE);
    let running = desk.start(&held_open(), &["--timeout", "2000", "--link", "broadcast"]);
    until("it runs", || desk.count() == "1");
    desk.lab.phone.server().set_presence(Presence::Offline);
    let answer = running.answer().failed("DISPATCH_OUTCOME_UNKNOWN");
    assert_eq!(*answer.detail("steps"), json!([]));
}

#[test]
fn a_phone_that_is_plugged_in_again_tells_the_rest() {
    let (desk, between) = overheard();
    let running = desk.start(&held_open(), &[]);
    first_step_is_told(&between);
    desk.lab.phone.server().cut();
    desk.let_go();
    let answer = running.answer().succeeded();
    assert_eq!(answer.steps().len(), 2);
    assert_eq!(desk.count(), "1");
}

/// A desk whose first connection to the operator is treated so.
fn first_link(treatment: fn() -> Service) -> (Desk, Between) {
    let mut desk = Desk::new();
    desk.show(CONFORMANCE);
    let treated = Mutex::new(false);
    let between = Between::before(desk.program.port, move |service| {
        let first = service.starts_with("localabstract:")
            && !std::mem::replace(&mut *treated.lock().unwrap(), true);
        if first { treatment() } else { Service::Pass }
    });
    desk.by_way_of(&between);
    (desk, between)
}

#[test]
fn a_link_that_is_cut_before_the_operator_has_told_its_name_is_opened_again() {
    let (desk, _between) = first_link(|| Service::CutAt(r#""type":"welcome""#));
    desk.let_the_operator_age();
    let answer = desk.exec(&json!([add_one("one"), add_one("two")]), &[]).succeeded();
    assert_eq!(answer.steps().len(), 2);
    assert_eq!(desk.count(), "2");
}

#[test]
fn a_link_that_is_cut_at_any_message_is_opened_again_and_nothing_is_done_twice() {
    let cuts: [fn() -> Service; 3] = [
        || Service::CutAt(r#""type":"accepted""#),
        || Service::CutAt(r#""type":"step""#),
        || Service::CutAt(r#""type":"result""#),
    ];
    for (index, cut) in cuts.into_iter().enumerate() {
        let (desk, between) = first_link(cut);
        let answer = desk.exec(&json!([add_one("one"), add_one("two")]), &[]).succeeded();
        assert_eq!((answer.steps().len(), &answer.json["link"]), (2, &json!("socket")), "{index}");
        assert_eq!(desk.count(), "2", "{index}");
        let links = between.opened().into_iter().filter(|one| one.starts_with("localabstract:"));
        assert_eq!(links.count(), 2, "{index}");
    }
}

#[test]
fn a_result_that_got_lost_is_told_again_and_marked() {
    let (desk, _between) = first_link(|| Service::CutAt(r#""type":"result""#));
    let answer = desk.exec(&json!([add_one("one"), add_one("two")]), &[]).succeeded();
    assert_eq!(answer.json["replayed"], true, "{}", answer.out);
    assert_eq!(answer.steps().len(), 2);
    assert_eq!(desk.count(), "2");
}

#[test]
fn a_picture_that_got_lost_is_not_made_up() {
    // The picture comes before the message that speaks of it.
    let (desk, _between) = first_link(|| Service::CutAt(r#""type":"step""#));
    let path = desk.program.path("screen.png");
    let actions = json!([action("shot", "take_screenshot", json!({ "path": path }))]);
    let answer = desk.exec(&actions, &[]).step_failed("SCREENSHOT_FAILED");
    assert!(answer.data(0, "message").contains("lost"), "{}", answer.out);
    assert!(!Path::new(&path).exists());
}

#[test]
fn an_operator_that_dies_has_forgotten_how_far_it_came() {
    let (desk, between) = overheard();
    let running = desk.start(&held_open(), &[]);
    first_step_is_told(&between);
    desk.kill_operator();
    let answer = running.answer().failed("DISPATCH_OUTCOME_UNKNOWN");
    let steps = answer.detail("steps").as_array().unwrap();
    assert_eq!((steps.len(), &steps[0]["id"]), (1, &json!("one")), "{}", answer.out);
    assert_eq!(desk.count(), "1");
    // The next one, which Android has started, takes executions as always.
    desk.exec(&json!([add_one("one")]), &[]).succeeded();
    assert_eq!(desk.count(), "2");
}

#[test]
fn over_broadcast_an_operator_that_dies_is_an_unknown_outcome_too() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let running = desk.start(&held_open(), &["--link", "broadcast"]);
    until("it runs", || desk.count() == "1");
    desk.kill_operator();
    let answer = running.answer().failed("DISPATCH_OUTCOME_UNKNOWN");
    assert_eq!(*answer.detail("steps"), json!([]));
    assert_eq!(desk.count(), "1");
}

#[test]
fn a_service_that_is_switched_off_in_the_middle_ends_the_execution_with_a_code() {
    let (desk, between) = overheard();
    let running = desk.start(&held_open(), &[]);
    first_step_is_told(&between);
    desk.lab.shell("settings put secure accessibility_enabled 0");
    let answer = running.answer();
    assert_eq!(answer.code, Some(1), "{}", answer.out);
    assert_eq!(answer.envelope()["errorCode"], "SERVICE_UNAVAILABLE", "{}", answer.out);
    assert_eq!(answer.steps()[0]["id"], "one");
}

#[test]
fn the_same_command_sent_twice_acts_twice() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let payload: Value = execution(&json!([add_one("one")]));
    for link in ["socket", "socket", "broadcast", "broadcast"] {
        let answer = desk.run(&["exec", &payload.to_string(), "--link", link]).succeeded();
        assert!(answer.json["replayed"].is_null(), "{}", answer.out);
    }
    assert_eq!(desk.count(), "4");
}
