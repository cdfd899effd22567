//! One thing that was ordered, from the order to its end.

use clawperator_contract::{Envelope, Failure, json};
use clawperator_host::dispatch::{Done, Stop};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// What came of an order.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// An execution ran, and this is its envelope, whatever it says.
    Executed(Box<Done>),
    /// Anything else that was done on a phone.
    Answered(Value),
}

/// How an order ended.
#[derive(Debug)]
pub struct Ended {
    /// What came of it.
    pub result: Result<Outcome, Failure>,
    /// Roughly what remembering it costs.
    pub(super) bytes: usize,
}

impl Ended {
    pub(super) fn new(result: Result<Outcome, Failure>) -> Self {
        let bytes = match &result {
            Ok(Outcome::Executed(done)) => weight(&done.envelope),
            Ok(Outcome::Answered(value)) => json::compact(value).len(),
            Err(failure) => json::compact(failure).len(),
        };
        Self { result, bytes }
    }

    /// The sending and its envelope, where it was an execution that was answered.
    #[must_use]
    pub fn done(&self) -> Option<&Done> {
        match &self.result {
            Ok(Outcome::Executed(done)) => Some(done),
            _ => None,
        }
    }
}

fn weight(envelope: &Envelope) -> usize {
    let steps = envelope.step_results.iter();
    let data = steps.flat_map(|step| step.data.iter().map(|(key, text)| key.len() + text.len()));
    1_024 + data.sum::<usize>()
}

/// Where an order is.
#[derive(Clone, Debug)]
pub enum Phase {
    /// Its turn has not come.
    Waiting,
    /// It runs on the phone.
    Running,
    /// It is over.
    Ended(Arc<Ended>),
}

impl Phase {
    /// What names it in answers and events.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Ended(_) => "ended",
        }
    }
}

/// One thing that was ordered. Copies speak of the same thing.
#[derive(Clone, Debug)]
pub struct Ticket(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    dispatch_id: String,
    device: String,
    stop: Stop,
    /// Hash of what was ordered, to tell a repeated request from another under the same id.
    content: Option<String>,
    /// It was sent by somebody else, and this program only asks how it ends.
    only_asked: AtomicBool,
    phase: watch::Sender<Phase>,
}

impl Ticket {
    pub(super) fn new(dispatch_id: String, device: String, content: Option<String>) -> Self {
        let phase = watch::Sender::new(Phase::Waiting);
        let (stop, only_asked) = (Stop::default(), AtomicBool::new(false));
        Self(Arc::new(Inner { dispatch_id, device, stop, content, only_asked, phase }))
    }

    /// Id of the sending.
    #[must_use]
    pub fn dispatch_id(&self) -> &str {
        &self.0.dispatch_id
    }

    /// Serial of the phone.
    #[must_use]
    pub fn device(&self) -> &str {
        &self.0.device
    }

    /// Where it is now.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.0.phase.borrow().clone()
    }

    /// Waits for its end. Whoever stops waiting changes nothing: it goes on.
    pub async fn ended(&self) -> Arc<Ended> {
        let mut phase = self.0.phase.subscribe();
        loop {
            if let Phase::Ended(ended) = &*phase.borrow_and_update() {
                return Arc::clone(ended);
            }
            // The sender lives as long as this ticket does.
            if phase.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    pub(super) fn content(&self) -> Option<&str> {
        self.0.content.as_deref()
    }

    pub(super) fn only_ask(&self) {
        self.0.only_asked.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_only_asked(&self) -> bool {
        self.0.only_asked.load(Ordering::SeqCst)
    }

    pub(super) fn stop(&self) -> &Stop {
        &self.0.stop
    }

    pub(super) fn enter(&self, phase: Phase) {
        self.0.phase.send_replace(phase);
    }
}
