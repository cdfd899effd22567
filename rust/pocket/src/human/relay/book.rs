//! All requests of a relay. They live in memory and nowhere else: what people enter are passwords,
//! codes and cards, and a relay that was restarted has nobody waiting for them anyway.

use super::record::{Asked, Record, Settled, Verdict};
use super::refusal::Refusal;
use crate::human::bridge::Status;
use crate::human::clock::Clock;
use crate::human::token::{self, Hash};
use axum::http::StatusCode;
use clawperator_contract::{ErrorCode, Failure};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// How long an ended request is remembered, so that both sides can still read how it ended.
const GRACE_MS: u64 = 5 * 60_000;
/// Requests at once. Each may hold 15 MB, and no person answers more.
const MOST: usize = 100;
/// Longest note, in characters.
const NOTE: usize = 2000;

pub(in crate::human) struct Book {
    records: Mutex<HashMap<String, Record>>,
    /// Moves on with every decision.
    changes: watch::Sender<u64>,
    pub(super) clock: Clock,
    /// What a token is compared with when there is no such request, so that it takes as long.
    nobody: Hash,
}

/// A request that was made. The tokens are told once, here.
pub(in crate::human) struct Created {
    pub(in crate::human) request_id: String,
    pub(in crate::human) open_token: String,
    pub(in crate::human) poll_token: String,
    pub(in crate::human) expires_ms: u64,
}

impl Book {
    pub(super) fn new(clock: Clock) -> Result<Self, Failure> {
        let (_, nobody) = token::mint()?;
        Ok(Self { records: Mutex::default(), changes: watch::Sender::new(0), clock, nobody })
    }

    pub(in crate::human) fn create(&self, asked: Asked) -> Result<Created, Refusal> {
        let (open_token, open) = token::mint()?;
        let (poll_token, poll) = token::mint()?;
        let now = self.clock.now_ms();
        let request_id = match &asked.request_id {
            Some(id) => id.clone(),
            None => format!("auth-{now}-{}", token::name()?),
        };
        let mut records = self.aged(now);
        if records.contains_key(&request_id) {
            return Err(Refusal::new(
                StatusCode::CONFLICT,
                ErrorCode::InvalidParameter,
                "requestId is taken: a request is never replaced.",
            ));
        }
        if records.len() >= MOST {
            return Err(Refusal::slow_down(
                ErrorCode::QueueFull,
                60,
                "As many requests wait for a person as may wait.",
            ));
        }
        let record = Record::new(asked, now, open, poll);
        let expires_ms = record.expires_ms;
        records.insert(request_id.clone(), record);
        Ok(Created { request_id, open_token, poll_token, expires_ms })
    }

    /// How many requests are remembered.
    pub(super) fn count(&self) -> usize {
        self.aged(self.clock.now_ms()).len()
    }

    /// Whether the request is still to be decided, for a look before its body is read.
    pub(super) fn pending(&self, id: &str) -> Result<(), Refusal> {
        self.with(id, "", |record, _| record.pending())
    }

    /// Does something with a request that is still open, for the one who has its link.
    pub(super) fn opened<T>(
        &self,
        id: &str,
        token: &str,
        what: impl FnOnce(&mut Record, u64) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        self.with(id, token, |record, now| {
            record.admit(token, now)?;
            what(record, now)
        })
    }

    /// How it ended, for the agent that asked; none while it waits.
    pub(super) fn polled(&self, id: &str, token: &str) -> Result<Option<Settled>, Refusal> {
        self.with(id, token, |record, now| {
            record.admit_poll(token, now)?;
            Ok(record.settled.clone())
        })
    }

    /// How it ended, for the bridge in this process, which gets the artifact itself: it is not kept.
    pub(in crate::human) fn taken(&self, id: &str) -> Option<Settled> {
        let mut records = self.aged(self.clock.now_ms());
        let end = records.get_mut(id)?.settled.as_mut()?;
        let artifact = end.artifact.take();
        Some(Settled { artifact, ..end.clone() })
    }

    pub(super) fn resolve(
        &self,
        id: &str,
        token: &str,
        verdict: Verdict,
    ) -> Result<Settled, Refusal> {
        let end = self.opened(id, token, |record, now| {
            let Verdict { approved, note, artifact } = verdict;
            if approved && record.form.require_artifact_on_approve && artifact.is_none() {
                return Err(Refusal::parameter("artifact is required to approve this request."));
            }
            let payment = record.asked.capability == crate::action::Capability::Payment;
            let end = Settled {
                status: if approved { Status::Approved } else { Status::Rejected },
                // People write card numbers into notes.
                note: if payment { String::new() } else { note.chars().take(NOTE).collect() },
                at_ms: now,
                artifact: artifact.filter(|_| approved),
            };
            record.settle(end.clone());
            Ok(Settled { artifact: None, ..end })
        })?;
        self.tell();
        Ok(end)
    }

    /// Ends a request from the agent's side: decided another way, or not wanted any more.
    pub(in crate::human) fn end(&self, id: &str, status: Status, note: &str) -> bool {
        let now = self.clock.now_ms();
        let ended = self.aged(now).get_mut(id).is_some_and(|record| {
            record.settle(Settled { status, note: note.into(), at_ms: now, artifact: None })
        });
        if ended {
            self.tell();
        }
        ended
    }

    pub(super) fn withdraw(&self, id: &str, token: &str) -> Result<bool, Refusal> {
        self.polled(id, token)?;
        Ok(self.end(id, Status::Rejected, "Withdrawn by the agent."))
    }

    /// Wakes at every decision.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn tell(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Lets the time do its part, and forgets what ended long ago.
    pub(super) fn tidy(&self) {
        drop(self.aged(self.clock.now_ms()));
    }

    fn with<T>(
        &self,
        id: &str,
        token: &str,
        what: impl FnOnce(&mut Record, u64) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let now = self.clock.now_ms();
        let mut records = self.aged(now);
        match records.get_mut(id) {
            Some(record) => what(record, now),
            None => {
                let _ = self.nobody.fits(token);
                Err(Refusal::unknown())
            }
        }
    }

    fn aged(&self, now_ms: u64) -> MutexGuard<'_, HashMap<String, Record>> {
        // A panic elsewhere leaves whole records: each change is one assignment.
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.values_mut().for_each(|record| record.age(now_ms));
        records.retain(|_, record| {
            record.settled.as_ref().is_none_or(|end| now_ms < end.at_ms.saturating_add(GRACE_MS))
        });
        records
    }
}
