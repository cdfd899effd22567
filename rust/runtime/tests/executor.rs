//! The queue in front of the runtime: one at a time, nothing twice, nothing forgotten.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_contract::envelope::{Envelope, StepResult};
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::{ErrorCode, Status};
use clawperator_runtime::Observer;
use clawperator_runtime::dispatches::Known;
use clawperator_runtime::executor::{Executor, Job, Sender, Submitted};
use clawperator_runtime::phone::Clock;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::scripted::{Operation, button};
use support::{Bench, clicked, ms, payload};

const APP: &str = "com.example";

/// Envelopes in the order in which their executions ended.
type Mail = Arc<Mutex<Vec<Arc<Envelope>>>>;

struct Waiting(Mail);

impl Observer for Waiting {
    fn step_ended(&mut self, _index: usize, _result: &StepResult, _picture: Option<Vec<u8>>) {}

    fn host_call(&mut self, _call: HostCall, _within: Duration) -> Option<HostAnswer> {
        None
    }
}

impl Sender for Waiting {
    fn ended(&mut self, envelope: Arc<Envelope>) {
        self.0.lock().unwrap().push(envelope);
    }
}

/// A sender that does not survive the good news.
struct Fragile;

impl Observer for Fragile {
    fn step_ended(&mut self, _index: usize, _result: &StepResult, _picture: Option<Vec<u8>>) {}

    fn host_call(&mut self, _call: HostCall, _within: Duration) -> Option<HostAnswer> {
        None
    }
}

impl Sender for Fragile {
    fn ended(&mut self, _envelope: Arc<Envelope>) {
        panic!("planted");
    }
}

struct Office {
    bench: Bench,
    executor: Arc<Executor>,
    mail: Mail,
}

impl Office {
    fn new() -> Self {
        let bench = Bench::new();
        bench.world().show(APP, vec![button("Go", 100), button("Stop", 400)]);
        Self { bench, executor: Arc::default(), mail: Mail::default() }
    }

    fn job(&self, dispatch: Option<&str>, command: &str, timeout: u64, actions: Value) -> Job {
        Job {
            dispatch_id: dispatch.map(str::to_owned),
            payload: payload(command, timeout, &actions).into_bytes(),
            arrived: self.bench.runtime.clock().now(),
            sender: Box::new(Waiting(Arc::clone(&self.mail))),
        }
    }

    fn submit(&self, dispatch: Option<&str>, command: &str, actions: Value) -> Submitted {
        self.executor.submit(self.job(dispatch, command, 30_000, actions))
    }

    fn work_off(&mut self) {
        self.executor.work_off(&mut self.bench.runtime);
    }

    fn ended(&self) -> Vec<Arc<Envelope>> {
        self.mail.lock().unwrap().clone()
    }
}

fn click(label: &str) -> Value {
    json!([{ "id": "a", "type": "click", "params": { "matcher": { "textEquals": label } } }])
}

fn sleep(length: u64) -> Value {
    json!([{ "id": "a", "type": "sleep", "params": { "durationMs": length } }])
}

#[test]
fn jobs_run_one_at_a_time_in_the_order_they_came() {
    let mut office = Office::new();
    assert_eq!(office.submit(Some("d1"), "first", click("Go")), Submitted::Queued);
    assert_eq!(office.submit(None, "second", click("Stop")), Submitted::Queued);
    assert_eq!(office.bench.world().done, [], "nothing runs on the thread that submits");
    office.work_off();
    let commands: Vec<_> = office.ended().iter().map(|e| e.command_id.clone()).collect();
    assert_eq!(commands, ["first", "second"]);
    assert_eq!(office.bench.world().deeds(), [clicked("Go"), clicked("Stop")]);
}

#[test]
fn waiting_in_the_queue_counts_against_the_timeout() {
    let mut office = Office::new();
    office.submit(None, "long", sleep(3_000));
    let short = office.job(Some("d2"), "short", 2_000, click("Go"));
    let enough = office.job(None, "enough", 4_000, sleep(2_500));
    for job in [short, enough] {
        office.executor.submit(job);
    }
    office.work_off();
    let [_, short, enough] = office.ended().try_into().unwrap();
    assert_eq!(short.error_code.as_deref(), Some("EXECUTION_TIMEOUT"));
    assert!(short.error.as_ref().unwrap().starts_with("Execution timed out after 2000 ms"));
    assert_eq!(short.step_results, []);
    // 3 s of its 4 were over when its turn came.
    assert_eq!(enough.error_code.as_deref(), Some("EXECUTION_TIMEOUT"));
    assert_eq!(office.bench.world().deeds(), []);
    assert_eq!(office.bench.world().now, Duration::from_secs(1_004));
}

#[test]
fn the_same_dispatch_id_never_acts_twice() {
    let mut office = Office::new();
    assert_eq!(office.executor.dispatches().known("d1"), Known::Nothing);
    office.submit(Some("d1"), "c", click("Go"));
    assert_eq!(office.submit(Some("d1"), "c", click("Go")), Submitted::Known(Known::Running));
    office.work_off();
    let [envelope] = office.ended().try_into().unwrap();
    assert_eq!(envelope.status, Status::Success);
    let known = Known::Ended(envelope);
    assert_eq!(office.submit(Some("d1"), "c", click("Go")), Submitted::Known(known.clone()));
    assert_eq!(office.executor.dispatches().known("d1"), known);
    office.work_off();
    assert_eq!(office.bench.world().deeds(), [clicked("Go")]);
    assert_eq!(office.ended().len(), 1);
}

#[test]
fn the_same_command_under_another_dispatch_or_none_acts_again() {
    let mut office = Office::new();
    for dispatch in [Some("d1"), Some("d2"), None, None] {
        assert_eq!(office.submit(dispatch, "c", click("Go")), Submitted::Queued);
    }
    office.work_off();
    assert_eq!(office.bench.world().deeds(), [0; 4].map(|_| clicked("Go")));
}

#[test]
fn a_dispatch_that_failed_is_remembered_and_not_tried_again() {
    let mut office = Office::new();
    office.submit(Some("d1"), "c", json!([{ "id": "a", "type": "dance" }]));
    office.work_off();
    let Submitted::Known(Known::Ended(envelope)) = office.submit(Some("d1"), "c", click("Go"))
    else {
        panic!("forgotten")
    };
    assert_eq!(envelope.error_code.as_deref(), Some(ErrorCode::PayloadInvalid.name()));
    assert_eq!(office.bench.world().done, []);
}

#[test]
fn a_job_cancelled_in_the_queue_does_nothing() {
    let mut office = Office::new();
    office.submit(Some("d1"), "c", click("Go"));
    assert!(office.executor.dispatches().cancel("d1"));
    assert!(!office.executor.dispatches().cancel("d2"));
    office.work_off();
    let [envelope] = office.ended().try_into().unwrap();
    assert_eq!(envelope.error_code.as_deref(), Some("EXECUTION_CANCELLED"));
    assert_eq!(envelope.step_results, []);
    assert_eq!(office.bench.world().deeds(), []);
    assert!(!office.executor.dispatches().cancel("d1"), "it has ended");
}

#[test]
fn a_job_cancelled_in_the_middle_ends_at_once_and_the_next_one_runs() {
    let mut office = Office::new();
    office.submit(Some("d1"), "first", sleep(20_000));
    office.submit(Some("d2"), "second", click("Go"));
    let executor = Arc::clone(&office.executor);
    office.bench.world().after(ms(500), move |_| {
        assert_eq!(executor.dispatches().known("d1"), Known::Running);
        executor.dispatches().cancel("d1");
    });
    office.work_off();
    let [first, second] = office.ended().try_into().unwrap();
    assert_eq!(first.error_code.as_deref(), Some("EXECUTION_CANCELLED"));
    assert_eq!(second.status, Status::Success);
    assert_eq!(office.bench.world().now, Duration::from_millis(1_000_500));
}

#[test]
fn a_fault_before_the_first_step_is_answered_by_the_ids_of_its_payload() {
    let mut office = Office::new();
    office.bench.world().faults(|_, operation| {
        assert!(operation != Operation::Global, "planted");
        None
    });
    office.submit(Some("d1"), "c-9", click("Go"));
    office.submit(None, "next", click("Go"));
    office.work_off();
    let [envelope, next] = office.ended().try_into().unwrap();
    assert_eq!(envelope.error_code.as_deref(), Some("INTERNAL_ERROR"));
    assert_eq!(next.status, Status::Success, "the worker lives on");
    assert_eq!((envelope.command_id.as_str(), envelope.task_id.as_str()), ("c-9", "t"));
}

#[test]
fn a_sender_that_panics_takes_nobody_with_it() {
    let mut office = Office::new();
    let fragile =
        Job { sender: Box::new(Fragile), ..office.job(Some("d1"), "c", 5_000, click("Go")) };
    office.executor.submit(fragile);
    office.submit(None, "next", click("Stop"));
    office.work_off();
    assert!(matches!(office.executor.dispatches().known("d1"), Known::Ended(_)));
    assert_eq!(office.ended()[0].command_id, "next");
}

#[test]
fn a_closed_executor_runs_what_waits_and_takes_no_more() {
    let mut office = Office::new();
    office.submit(None, "before", click("Go"));
    office.executor.close();
    assert_eq!(office.submit(Some("d1"), "after", click("Go")), Submitted::Closed);
    // Returns, because it is closed.
    office.executor.work(&mut office.bench.runtime);
    assert_eq!(office.ended().len(), 1);
    assert_eq!(office.executor.dispatches().known("d1"), Known::Nothing);
}

#[test]
fn whoever_asks_while_it_runs_waits_for_the_end() {
    let office = Office::new();
    let (executor, mut runtime) = (Arc::clone(&office.executor), office.bench.runtime);
    let worker = std::thread::spawn(move || executor.work(&mut runtime));
    let job = Job {
        dispatch_id: Some("d1".into()),
        payload: payload("c", 30_000, &click("Go")).into_bytes(),
        arrived: office.bench.phone.world().now,
        sender: Box::new(Waiting(Arc::clone(&office.mail))),
    };
    office.executor.submit(job);
    let known = office.executor.dispatches().wait("d1", Duration::from_secs(60));
    office.executor.close();
    worker.join().unwrap();
    assert!(matches!(known, Known::Ended(envelope) if envelope.status == Status::Success));
}
