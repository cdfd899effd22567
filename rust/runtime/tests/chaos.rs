//! Ten thousand executions on a phone on which everything goes wrong. Whatever happens, an
//! execution ends in time with an envelope that is true, does nothing twice and tells no password.
//!
//! Each execution, its screens and its misfortunes come from one number. A failure names it; to
//! see that one alone, or to look further than the usual ten thousand:
//!
//! ```text
//! CHAOS_SEED=1234 cargo test -p clawperator-runtime --test chaos
//! CHAOS_SEED=10000..50000 cargo test -p clawperator-runtime --test chaos
//! ```

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[path = "support/chaos.rs"]
#[allow(unreachable_pub, reason = "shared with nobody, but written like its neighbours")]
mod chaos;
#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use chaos::payloads::{Payloads, typed};
use chaos::screens::{SECRET, scenes};
use chaos::{Call, Chaos, ChaosHost, ChaosPhone, Log, What, list, unrest};
use clawperator_contract::envelope::{Envelope, Status, StepResult};
use clawperator_contract::message::HostCall;
use clawperator_contract::runnable::{Act, Runnable};
use clawperator_contract::{ErrorCode, json, schema};
use clawperator_runtime::phone::{GlobalAction, Moment, NodeAction, Phone};
use clawperator_runtime::recording::{Recorder, RecordingFile, RecordingSink, SinkError};
use clawperator_runtime::{Cancel, Runtime, Unwatched};
use jsonschema::Validator;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::scripted::{ScriptedPhone, WorldClock};

/// Four parts, so that the cores share them.
const PART: u64 = 2_500;

#[test]
fn nothing_goes_wrong_in_the_first_quarter() {
    play_part(0);
}

#[test]
fn nothing_goes_wrong_in_the_second_quarter() {
    play_part(1);
}

#[test]
fn nothing_goes_wrong_in_the_third_quarter() {
    play_part(2);
}

#[test]
fn nothing_goes_wrong_in_the_last_quarter() {
    play_part(3);
}

/// One in so many is played twice: that the number decides everything needs no more proof.
const TWICE: u64 = 4;

fn play_part(part: u64) {
    let schema = jsonschema::validator_for(&schema::envelope()).unwrap();
    let mut failures = Vec::new();
    let seeds = seeds(part);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let played = play(seed);
            check(&played, &schema);
            if seed % TWICE == 0 || count == 1 {
                let again = play(seed);
                assert_eq!(played.envelope, again.envelope, "the same number, the same envelope");
                assert_eq!(played.log.calls, again.log.calls, "the same number, the same calls");
            }
        }));
        if let Err(panic) = checked {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).into()));
            failures.push(format!("seed {seed}: {}", text.unwrap_or_default()));
        }
    }
    let shown = failures.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {count} executions:\n{shown}", failures.len());
}

/// What this part plays; of a choice by hand, the first part plays all.
fn seeds(part: u64) -> std::ops::Range<u64> {
    let Ok(chosen) = std::env::var("CHAOS_SEED") else { return part * PART..(part + 1) * PART };
    let number = |text: &str| text.parse::<u64>().expect("CHAOS_SEED is 1234 or 1000..2000");
    match chosen.split_once("..") {
        _ if part > 0 => 0..0,
        Some((first, end)) => number(first)..number(end),
        None => number(&chosen)..number(&chosen) + 1,
    }
}

/// An execution that was played.
struct Played {
    execution: Runnable,
    envelope: Envelope,
    log: Log,
    started: Moment,
    deadline: Moment,
    ended: Moment,
}

fn play(seed: u64) -> Played {
    let rng = &mut SmallRng::seed_from_u64(seed);
    let scenes = Arc::new(scenes(rng));
    let phone = ScriptedPhone::new();
    let log = Arc::new(Mutex::new(Log::default()));
    let chaotic = ChaosPhone::new(phone.clone(), Arc::clone(&log), Arc::clone(&scenes), seed);
    let recorder = Arc::new(Recorder::new(Box::new(NoSink), vec![], seed));
    let mut runtime =
        Runtime::new(chaotic, WorldClock(phone.clone()), recorder, "com.clawperator", seed);
    {
        let mut world = phone.world();
        world.windows = scenes[0].windows.clone();
        world.foreground = scenes[0].foreground.clone();
        world.list = list(rng);
    }
    let looks = rng.random_bool(0.5);
    if looks {
        // A calm look first, for references to point into.
        let look = br#"{"commandId":"c","taskId":"t","source":"chaos",
            "actions":[{"id":"look","type":"snapshot_ui"}]}"#;
        let arrived = phone.world().now;
        runtime.execute(look, arrived, &Cancel::default(), &mut Unwatched);
        log.lock().unwrap().calls.clear();
    }
    let generation = looks.then(|| phone.generation());
    let list = phone.world().list.clone();
    let mut payloads =
        Payloads { rng: &mut *rng, scenes: &scenes, list: list.as_ref(), generation };
    let payload = json::compact(&payloads.payload());
    let execution = Runnable::from_text(payload.as_bytes()).unwrap_or_else(|e| panic!("{e:?}"));
    unrest(&phone, rng, &scenes, execution.timeout);
    runtime.phone_mut().chaos = Chaos::random(rng);
    let started = phone.world().now;
    let cancel = Cancel::default();
    if rng.random_bool(0.1) {
        let after = execution.timeout.mul_f64(rng.random::<f64>().powi(3));
        runtime.phone_mut().cancel_at = Some(started + after);
        let cancel = cancel.clone();
        phone.world().after(after, move |_| cancel.cancel());
    }
    let queued = rng.random_bool(0.1).then(|| execution.timeout.mul_f64(rng.random::<f64>() * 1.1));
    let arrived = started - queued.unwrap_or(Duration::ZERO);
    let deadline = arrived + execution.timeout;
    let mut host = ChaosHost {
        phone: phone.clone(),
        log: Arc::clone(&log),
        rng: SmallRng::seed_from_u64(rng.random()),
        present: rng.random_bool(0.6),
        cancel: cancel.clone(),
        deadline,
    };
    let envelope = runtime.execute(payload.as_bytes(), arrived, &cancel, &mut host);
    let ended = phone.world().now;
    let log = std::mem::take(&mut *log.lock().unwrap());
    Played { execution, envelope, log, started, deadline, ended }
}

fn check(played: &Played, schema: &Validator) {
    it_is_true(played);
    it_ended_in_time(played);
    no_password_was_told(played);
    nothing_was_done_twice(played);
    let value = serde_json::to_value(&played.envelope).unwrap();
    if let Err(error) = schema.validate(&value) {
        panic!("the envelope is not by its schema: {error}");
    }
}

/// The steps are those that were asked for, as they were reported, and the status follows.
fn it_is_true(played: &Played) {
    let Played { envelope, execution, log, .. } = played;
    let steps = &envelope.step_results;
    assert_eq!(*steps, log.steps, "the envelope says what the observer was told");
    assert!(steps.len() <= execution.actions.len());
    for (step, action) in steps.iter().zip(&execution.actions) {
        let asked = (action.id.as_str(), action.act.kind().name());
        assert_eq!((step.id.as_str(), step.action_type.as_str()), asked, "steps in order");
        assert_eq!(step.success, step.error().is_none(), "{step:?}");
        assert_ne!(step.error(), Some("INTERNAL_ERROR"), "{step:?}");
        if let Some(code) = step.error() {
            assert!(code.parse::<ErrorCode>().is_ok(), "{step:?}");
        }
    }
    if let Some((_, before)) = steps.split_last() {
        let goes_on = |step: &StepResult| {
            step.success || step.error().is_some_and(|code| code.starts_with("UNSUPPORTED_RUNTIME"))
        };
        assert!(before.iter().all(goes_on), "a failed step is the last: {before:?}");
    }
    let all_well = steps.iter().all(|step| step.success);
    let as_a_whole = envelope.error_code.is_some();
    assert_eq!(envelope.status == Status::Success, all_well && !as_a_whole, "{envelope:?}");
    assert_eq!(envelope.error.is_some(), envelope.status == Status::Failed, "{envelope:?}");
    if envelope.status == Status::Success {
        assert_eq!(steps.len(), execution.actions.len(), "success is all of it");
    }
}

/// It is late by one call at most, and acts no more once the time is up.
fn it_ended_in_time(played: &Played) {
    let Played { log, started, deadline, ended, .. } = played;
    let longest = log.calls.iter().map(|call| call.end - call.begin).max().unwrap_or_default();
    let late: Vec<_> = log.calls.iter().filter(|call| call.end > *deadline).collect();
    assert!(
        *ended <= *deadline.max(started) + longest,
        "{:?} late, the longest call takes {longest:?}: {late:?}",
        *ended - *deadline
    );
    let too_late = late.iter().find(|call| call.acted && call.begin > *deadline);
    assert_eq!(too_late, None, "it acted after {deadline:?}: {late:?}");
}

fn no_password_was_told(played: &Played) {
    let told = json::compact(&played.envelope);
    assert!(!told.contains(SECRET), "a password field was read: {told}");
    for (number, _) in (0..).zip(&played.execution.actions) {
        let text = typed(number);
        let offered = |texts: &[String]| texts.iter().any(|offered| offered.contains(&text));
        if offered(&played.log.hidden) && !offered(&played.log.shown) {
            assert!(!told.contains(&text), "what was typed into a password field is told: {told}");
        }
    }
}

/// What a step did, or may have done.
#[derive(Debug, Default)]
struct Deeds {
    touches: u32,
    focuses: u32,
    swipes: u32,
    texts: u32,
    enters: u32,
    keys: u32,
    starts: u32,
    host_calls: u32,
    wakes: u32,
}

/// As long as the runtime's own swipes take; its taps and presses take other times.
const SWIPE: Duration = Duration::from_millis(300);

fn deeds<'a>(calls: impl Iterator<Item = &'a Call>) -> Deeds {
    let mut deeds = Deeds::default();
    for call in calls.filter(|call| call.acted) {
        let count = match &call.what {
            What::Node(NodeAction::Click | NodeAction::LongClick) => &mut deeds.touches,
            What::Node(NodeAction::Focus | NodeAction::Select) => &mut deeds.focuses,
            What::Node(NodeAction::SetText(_)) => &mut deeds.texts,
            What::Node(NodeAction::ImeEnter) => &mut deeds.enters,
            What::Node(NodeAction::ScrollForward | NodeAction::ScrollBackward) => &mut deeds.swipes,
            What::Gesture(SWIPE) => &mut deeds.swipes,
            What::Gesture(_) => &mut deeds.touches,
            What::Global(GlobalAction::DismissNotificationShade) => continue,
            What::Global(_) => &mut deeds.keys,
            What::Launch | What::View => &mut deeds.starts,
            What::Host(HostCall::KeyEvent { .. }) => &mut deeds.enters,
            What::Host(_) => &mut deeds.host_calls,
            What::Wake => &mut deeds.wakes,
            What::Capture | What::Screenshot | What::Display => continue,
        };
        *count += 1;
    }
    deeds
}

fn nothing_was_done_twice(played: &Played) {
    for (number, action) in played.execution.actions.iter().enumerate() {
        let calls = || played.log.calls.iter().filter(|call| call.step == number);
        let deeds = deeds(calls());
        let mut most = Deeds { wakes: 1, ..Deeds::default() };
        match &action.act {
            Act::OpenApp(_) | Act::OpenUri(_) => most.starts = 1,
            Act::CloseApp(_) | Act::TakeScreenshot(_) => most.host_calls = 1,
            Act::PressKey(..) => most.keys = 1,
            Act::Gesture(_) if deeds.swipes > 0 => most.swipes = 1,
            Act::Gesture(_) => most.touches = 1,
            Act::Click(_) if deeds.touches > 0 => most.touches = 1,
            Act::Click(_) => most.focuses = 1,
            Act::Scroll(_) => most.swipes = 1,
            Act::ScrollUntil(scroll) => {
                most.swipes = scroll.max_scrolls;
                most.touches = u32::from(scroll.click_after);
                most.focuses = u32::from(scroll.click_after && deeds.touches == 0);
            }
            Act::ScrollAndClick(scroll) => {
                most.swipes = scroll.max_swipes;
                most.touches = u32::from(scroll.click_after);
                most.focuses = u32::from(scroll.click_after && deeds.touches == 0);
            }
            Act::EnterText(_) | Act::TypeText(_) => {
                // Focus may be asked for again: it is a state, not a deed.
                most = Deeds { touches: 1, focuses: deeds.focuses, texts: 1, enters: 1, ..most };
            }
            _ => {}
        }
        let pairs = [
            (deeds.touches, most.touches),
            (deeds.focuses, most.focuses),
            (deeds.swipes, most.swipes),
            (deeds.texts, most.texts),
            (deeds.enters, most.enters),
            (deeds.keys, most.keys),
            (deeds.starts, most.starts),
            (deeds.host_calls, most.host_calls),
            (deeds.wakes, most.wakes),
        ];
        let acted: Vec<_> = calls().filter(|call| call.acted).collect();
        assert!(
            pairs.iter().all(|(done, most)| done <= most),
            "step {number} ({}) may do {most:?}: {acted:?}",
            action.act.kind()
        );
    }
}

/// Takes recordings and throws them away.
struct NoSink;

impl RecordingSink for NoSink {
    fn create(&mut self, session_id: &str) -> Result<RecordingFile, SinkError> {
        Ok(RecordingFile { writer: Box::new(std::io::sink()), path: session_id.into() })
    }

    fn set_latest(&mut self, _session_id: &str) -> std::io::Result<()> {
        Ok(())
    }
}
