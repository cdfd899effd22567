//! The desk: who gets which phone when.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::{ErrorCode, Status};
use clawperator_serve::desk::{Desk, Ended, Order, Phase, Setup, Ticket};
use clawperator_serve::news::Heard;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use support::{Sims, desk, endless, home, order, scratch, sendings, setup};

fn success(ended: &Ended) -> bool {
    ended.done().is_some_and(|done| done.envelope.status == Status::Success)
}

fn code(ended: &Ended) -> Option<ErrorCode> {
    ended.result.as_ref().err().map(|failure| failure.code)
}

/// What was told so far, by kind.
fn told(desk: &Desk, from: u64, kind: &str) -> Vec<Value> {
    match desk.news().now_after(from, usize::MAX) {
        Some(Heard::Events(events)) => events
            .iter()
            .filter(|event| event.kind == kind)
            .map(|event| serde_json::from_str(&event.data).unwrap())
            .collect(),
        _ => Vec::new(),
    }
}

/// Waits until it has the phone.
async fn until_running(ticket: &Ticket) {
    while !matches!(ticket.phase(), Phase::Running) {
        tokio::task::yield_now().await;
    }
}

/// Waits until the phone has done its first step.
async fn until_on_the_phone(desk: &Desk, ticket: &Ticket) {
    let steps = || told(desk, desk.news().oldest(), "clawperator:step");
    while !steps().iter().any(|step| step["dispatchId"] == ticket.dispatch_id()) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn an_execution_comes_back_with_its_envelope() {
    let desk = desk(&["a"]);
    let ticket = desk.submit(order("a", "me", home("c-1"))).unwrap();
    let ended = ticket.ended().await;
    assert!(success(&ended), "{ended:?}");
    assert_eq!(ended.done().unwrap().dispatch_id, ticket.dispatch_id());
    assert!(ticket.dispatch_id().starts_with("d-"));
}

#[tokio::test]
async fn phones_work_side_by_side_and_each_one_thing_at_a_time() {
    let desk = desk(&["a", "b"]);
    let long = desk.submit(order("a", "me", endless("long"))).unwrap();
    let behind = desk.submit(order("a", "me", home("behind"))).unwrap();
    until_on_the_phone(&desk, &long).await;
    let beside = desk.submit(order("b", "me", home("beside"))).unwrap();
    assert!(success(&*beside.ended().await));
    assert!(matches!(behind.phase(), Phase::Waiting));
    desk.cancel(long.dispatch_id()).unwrap();
    assert!(success(&*behind.ended().await));
}

#[tokio::test]
async fn clients_take_turns() {
    let desk = desk(&["a"]);
    let from = desk.news().newest();
    let first = desk.submit(order("a", "much", endless("first"))).unwrap();
    until_on_the_phone(&desk, &first).await;
    let much: Vec<_> = (0..3)
        .map(|n| desk.submit(order("a", "much", home(&format!("much-{n}")))).unwrap())
        .collect();
    let little = desk.submit(order("a", "little", home("little"))).unwrap();
    desk.cancel(first.dispatch_id()).unwrap();
    for ticket in much.iter().chain([&little]) {
        ticket.ended().await;
    }
    let order: Vec<_> = told(&desk, from, "clawperator:execution")
        .iter()
        .map(|event| event["input"]["commandId"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(order, ["first", "much-0", "little", "much-1", "much-2"]);
}

#[tokio::test]
async fn who_finds_the_line_full_is_turned_away() {
    let desk = Desk::new(Setup { waiting: 2, ..setup(&Sims::new(&["a"])) });
    let running = desk.submit(order("a", "me", endless("running"))).unwrap();
    until_on_the_phone(&desk, &running).await;
    let waiting: Vec<_> =
        (0..2).map(|_| desk.submit(order("a", "me", home("waiting"))).unwrap()).collect();
    let refused = desk.submit(order("a", "other", home("refused"))).unwrap_err();
    assert_eq!(refused.code, ErrorCode::QueueFull);
    assert_eq!(refused.details["waiting"], 2);
    desk.cancel(running.dispatch_id()).unwrap();
    for ticket in &waiting {
        assert!(success(&*ticket.ended().await));
    }
    assert!(desk.submit(order("a", "other", home("welcome"))).is_ok());
}

#[tokio::test]
async fn what_waits_is_cancelled_without_reaching_the_phone() {
    let desk = desk(&["a"]);
    let from = desk.news().newest();
    let running = desk.submit(order("a", "me", endless("running"))).unwrap();
    let waiting = desk.submit(order("a", "me", home("waiting"))).unwrap();
    until_on_the_phone(&desk, &running).await;
    desk.cancel(waiting.dispatch_id()).unwrap();
    assert_eq!(code(&*waiting.ended().await), Some(ErrorCode::ExecutionCancelled));
    desk.cancel(running.dispatch_id()).unwrap();
    let ended = running.ended().await;
    let envelope = &ended.done().unwrap().envelope;
    assert_eq!(envelope.error_code.as_deref(), Some("EXECUTION_CANCELLED"), "{envelope:?}");
    assert_eq!(told(&desk, from, "clawperator:execution").len(), 1);
}

#[tokio::test]
async fn the_same_order_under_the_same_id_is_done_once() {
    let desk = desk(&["a"]);
    let from = desk.news().newest();
    let named = |payload| Order { dispatch_id: Some("mine-1".into()), ..order("a", "me", payload) };
    let first = desk.submit(named(home("c"))).unwrap();
    let again = desk.submit(named(home("c"))).unwrap();
    assert!(Arc::ptr_eq(&first.ended().await, &again.ended().await));
    assert_eq!(told(&desk, from, "clawperator:execution").len(), 1);
    let other = desk.submit(named(home("another"))).unwrap_err();
    assert_eq!(other.code, ErrorCode::DispatchIdTaken);
    let bad = Order { dispatch_id: Some("../x".into()), ..order("a", "me", home("c")) };
    assert_eq!(desk.submit(bad).unwrap_err().code, ErrorCode::InvalidParameter);
}

#[tokio::test]
async fn a_phone_that_another_process_holds_is_refused_or_waited_for() {
    let sims = Sims::new(&["a"]);
    let desk = Desk::new(setup(&sims));
    *sims.held.lock().unwrap() = true;
    let refused = desk.submit(order("a", "me", home("c"))).unwrap();
    assert_eq!(code(&*refused.ended().await), Some(ErrorCode::ExecutionConflictInFlight));
    let patient = Order { wait: Duration::from_secs(60), ..order("a", "me", home("c")) };
    let patient = desk.submit(patient).unwrap();
    until_running(&patient).await;
    *sims.held.lock().unwrap() = false;
    assert!(success(&*patient.ended().await));
}

#[tokio::test]
async fn another_desk_asks_the_phone_how_a_dispatch_ended_and_executes_nothing() {
    let folder = scratch("again");
    let sims = Sims::new(&["a"]);
    let before = Desk::new(Setup { sendings: sendings(&folder), ..setup(&sims) });
    let named = |payload| Order { dispatch_id: Some("mine-1".into()), ..order("a", "me", payload) };
    assert!(success(&*before.submit(named(home("c"))).unwrap().ended().await));

    // By its notes, by the phone the caller names, and by the same order once more.
    let after = Desk::new(Setup { sendings: sendings(&folder), ..setup(&sims) });
    let found = after.find("mine-1", None, None).unwrap().ended().await;
    assert!(success(&found) && found.done().unwrap().replayed, "{found:?}");
    let without_notes = Desk::new(setup(&sims));
    let asked = without_notes.find("mine-1", Some("a"), None).unwrap().ended().await;
    assert!(success(&asked));
    let third = Desk::new(Setup { sendings: sendings(&folder), ..setup(&sims) });
    let repeated = third.submit(named(home("c"))).unwrap().ended().await;
    assert!(repeated.done().unwrap().replayed);
    let other = third.submit(named(home("other"))).unwrap_err();
    assert_eq!(other.code, ErrorCode::DispatchIdTaken);

    let nobody = after.find("never", None, None).unwrap_err();
    assert_eq!(nobody.code, ErrorCode::DispatchUnknown);
    let unknown = after.find("never", Some("a"), None).unwrap().ended().await;
    assert_eq!(code(&unknown), Some(ErrorCode::DispatchUnknown));
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn what_is_told_of_an_execution_has_its_steps_and_its_end() {
    let desk = desk(&["a"]);
    let from = desk.news().newest();
    let payload = support::payload(
        "c",
        &json!([
            {"id": "h", "type": "press_key", "params": {"key": "home"}},
            {"id": "n", "type": "click", "params": {"matcher": {"textEquals": "no such node"}}},
        ]),
    );
    let ticket = desk.submit(order("a", "me", payload)).unwrap();
    ticket.ended().await;
    let steps = told(&desk, from, "clawperator:step");
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[1]["index"], 1);
    assert_eq!(steps[1]["result"]["success"], false);
    let results = told(&desk, from, "clawperator:result");
    assert_eq!(results[0]["deviceId"], "a");
    assert_eq!(results[0]["envelope"]["status"], "failed");
    let executions = told(&desk, from, "clawperator:execution");
    assert_eq!(executions[0]["input"]["commandId"], "c");
    assert_eq!(executions[0]["result"]["terminalSource"], "clawperator_result");

    let unknown = desk.submit(order("nowhere", "me", home("c"))).unwrap().ended().await;
    assert_eq!(code(&unknown), Some(ErrorCode::DeviceNotFound));
    assert_eq!(told(&desk, from, "clawperator:result").len(), 1, "nothing was sent");
    let executions = told(&desk, from, "clawperator:execution");
    assert_eq!(executions[1]["result"]["error"]["code"], "DEVICE_NOT_FOUND");
}

#[tokio::test]
async fn closing_stops_what_runs_and_turns_away_what_waits() {
    let desk = desk(&["a"]);
    let running = desk.submit(order("a", "me", endless("running"))).unwrap();
    let waiting = desk.submit(order("a", "me", home("waiting"))).unwrap();
    until_on_the_phone(&desk, &running).await;
    desk.close(Duration::ZERO).await;
    assert_eq!(code(&*waiting.ended().await), Some(ErrorCode::ShuttingDown));
    let ended = running.ended().await;
    assert_eq!(ended.done().unwrap().envelope.error_code.as_deref(), Some("EXECUTION_CANCELLED"));
    let late = desk.submit(order("a", "me", home("late"))).unwrap_err();
    assert_eq!(late.code, ErrorCode::ShuttingDown);
}

#[tokio::test]
async fn other_work_takes_its_turn_too() {
    let desk = desk(&["a"]);
    let running = desk.submit(order("a", "me", endless("running"))).unwrap();
    until_on_the_phone(&desk, &running).await;
    let work = desk
        .submit_work("a", "me", "list", Duration::ZERO, |turn| {
            Ok(json!(turn.device.shell("wm density", Duration::from_secs(5))?.text()))
        })
        .unwrap();
    assert!(matches!(work.phase(), Phase::Waiting));
    desk.cancel(running.dispatch_id()).unwrap();
    match &work.ended().await.result {
        Ok(clawperator_serve::desk::Outcome::Answered(said)) => {
            assert!(said.as_str().unwrap().contains("density"), "{said}")
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn closing_does_not_stop_what_another_desk_sent() {
    let sims = Sims::new(&["a"]);
    let (first, second) = (Desk::new(setup(&sims)), Desk::new(setup(&sims)));
    let running = first.submit(order("a", "me", endless("running"))).unwrap();
    until_on_the_phone(&first, &running).await;
    let asked = second.find(running.dispatch_id(), Some("a"), None).unwrap();
    second.close(Duration::ZERO).await;
    assert_eq!(code(&*asked.ended().await), Some(ErrorCode::ShuttingDown));
    assert!(matches!(running.phase(), Phase::Running));
    first.cancel(running.dispatch_id()).unwrap();
    running.ended().await;
}
