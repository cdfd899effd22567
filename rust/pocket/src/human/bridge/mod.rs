//! The agent's side: puts a question to a person and waits, by a relay, by hand, or by both.

mod decision;
mod remote;
mod seat;

pub use decision::{Ask, Decision, Delivered, Opened, Status};

use super::clock::{Clock, written};
use super::relay::{Asked, Book, Relay, Settled};
use super::secret::Secret;
use super::template::merged;
use super::token;
use crate::workspace::Workspace;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use remote::Remote;
use seat::{Seat, Seats};
use std::sync::Arc;
use std::time::Duration;

/// How often a wait looks whether it was stopped. Half of what a person notices.
const LOOK: Duration = Duration::from_millis(50);

/// How a bridge waits.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The longest a question may stand, whatever the agent wants; never below 30 s.
    pub request_timeout: Duration,
    /// How often a relay elsewhere is asked when it cannot tell by itself; never below 500 ms.
    pub poll_interval: Duration,
    /// The time.
    pub clock: Clock,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            request_timeout: Duration::from_secs(300),
            poll_interval: Duration::from_secs(2),
            clock: Clock::default(),
        }
    }
}

/// Where questions are shown.
enum Desk {
    Nowhere,
    Here { book: Arc<Book>, base_url: String },
    Elsewhere(Arc<Remote>),
}

/// A question that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Its name.
    pub request_id: String,
    /// When it was put, RFC 3339.
    pub created_at: String,
    /// When it ends by itself, RFC 3339.
    pub expires_at: String,
}

/// Puts questions to a person.
pub struct Bridge {
    desk: Desk,
    limits: Limits,
    seats: Seats,
}

impl Bridge {
    /// Without a relay: only [`Bridge::decide`] answers.
    #[must_use]
    pub fn by_hand(limits: Limits) -> Self {
        Self { desk: Desk::Nowhere, limits, seats: Seats::default() }
    }

    /// With a relay of this process. Give both the same clock.
    #[must_use]
    pub fn here(relay: &Relay, limits: Limits) -> Self {
        let desk =
            Desk::Here { book: Arc::clone(relay.book()), base_url: relay.base_url().to_owned() };
        Self { desk, limits, seats: Seats::default() }
    }

    /// With a relay elsewhere.
    ///
    /// # Errors
    /// `url` is no http or https address.
    pub fn elsewhere(url: &str, key: Option<Secret>, limits: Limits) -> Result<Self, Failure> {
        let poll_interval = limits.poll_interval.max(Duration::from_millis(500));
        let remote = Arc::new(Remote::new(url, key, poll_interval)?);
        Ok(Self { desk: Desk::Elsewhere(remote), limits, seats: Seats::default() })
    }

    /// Asks and waits for the decision, the time limit or a stop, whichever comes first. `opened` is
    /// told once where the question can be answered.
    ///
    /// # Errors
    /// The template cannot be used, or the wait was stopped. A relay that cannot be reached is no
    /// error: the question can still be decided by hand.
    pub fn ask(
        &self,
        ask: &Ask<'_>,
        workspace: Option<&Workspace>,
        stop: &Stop,
        opened: &mut dyn FnMut(&Opened),
    ) -> Result<Decision, Failure> {
        let template = merged(ask.ui_template, ask.template_path, workspace)?;
        let now = self.limits.clock.now_ms();
        let id = format!("auth-{now}-{}", token::name()?);
        let most = self.limits.request_timeout.as_secs().max(30);
        let timeout_sec = ask.timeout_sec.clamp(30, most);
        let asked = Asked {
            request_id: Some(id.clone()),
            capability: ask.capability,
            task: ask.task.to_owned(),
            instruction: ask.instruction.to_owned(),
            reason: ask.reason.to_owned(),
            current_app: ask.current_app.to_owned(),
            timeout_sec,
            template,
        };
        let mut expires_ms = now.saturating_add(timeout_sec.saturating_mul(1000));
        let seat = self.seats.take(&id, now, expires_ms);
        let made = match &self.desk {
            Desk::Nowhere => Ok(None),
            Desk::Here { book, base_url } => {
                book.create(asked).map_err(Failure::from).map(|made| {
                    expires_ms = made.expires_ms;
                    Some(format!("{base_url}/human-auth/{id}?token={}", made.open_token))
                })
            }
            Desk::Elsewhere(remote) => {
                let made = remote.create(&asked, ask, &|| stop.is_asked())?;
                made.map(|made| {
                    remote.listen(&id, made.poll_token, Arc::clone(seat.seat()));
                    Some(made.open_url)
                })
            }
        };
        // It can still be decided by hand.
        let (open_url, problem) = match made {
            Ok(open_url) => (open_url, None),
            Err(failure) => (None, Some(failure.message)),
        };
        opened(&Opened {
            request_id: id.clone(),
            relay_enabled: open_url.is_some(),
            open_url,
            expires_at: written(expires_ms),
            relay_problem: problem,
            manual_approve_command: format!("/auth approve {id}"),
            manual_reject_command: format!("/auth reject {id}"),
        });
        self.wait(&id, seat.seat(), expires_ms, stop)
    }

    fn wait(
        &self,
        id: &str,
        seat: &Arc<Seat>,
        expires_ms: u64,
        stop: &Stop,
    ) -> Result<Decision, Failure> {
        loop {
            if let Desk::Here { book, .. } = &self.desk
                && let Some(end) = book.taken(id)
            {
                seat.settle(decision(id, end));
            }
            if let Some(decision) = seat.settled_within(LOOK) {
                self.end(id, decision.status, &decision.message);
                return Ok(decision);
            }
            if stop.is_asked() && seat.close() {
                self.end(id, Status::Rejected, "Task stopped by user.");
                return Err(stopped(id));
            }
            let now = self.limits.clock.now_ms();
            if now >= expires_ms {
                seat.settle(Decision {
                    request_id: id.to_owned(),
                    status: Status::Timeout,
                    message: Status::Timeout.message().into(),
                    decided_at: written(now),
                    artifact: None,
                });
            }
        }
    }

    /// Tells the relay that it is over, so that its page says so. A relay where it was decided
    /// knows and does not care.
    fn end(&self, id: &str, status: Status, message: &str) {
        match &self.desk {
            Desk::Nowhere => {}
            Desk::Here { book, .. } => {
                book.end(id, status, message);
            }
            Desk::Elsewhere(remote) => remote.withdraw(id),
        }
    }

    /// Decides a question by hand. Says whether it was still to be decided.
    pub fn decide(&self, id: &str, approved: bool, note: Option<&str>, actor: &str) -> bool {
        let (status, did) = match approved {
            true => (Status::Approved, "Approved"),
            false => (Status::Rejected, "Rejected"),
        };
        let note = note.map(str::trim).filter(|note| !note.is_empty());
        let message = note.map_or_else(|| format!("{did} by {actor}."), ToOwned::to_owned);
        let decided_at = written(self.limits.clock.now_ms());
        let request_id = id.to_owned();
        self.seats.get(id).is_some_and(|seat| {
            seat.settle(Decision { request_id, status, message, decided_at, artifact: None })
        })
    }

    /// The questions that wait, oldest first.
    #[must_use]
    pub fn pending(&self) -> Vec<Pending> {
        self.seats.pending()
    }
}

fn stopped(id: &str) -> Failure {
    let code = ErrorCode::PocketStopped;
    Failure::new(code, "Task stopped by user.").detail("requestId", id).hint(code.remedy())
}

fn decision(id: &str, end: Settled) -> Decision {
    let Settled { status, note, at_ms, artifact } = end;
    let own = status != Status::Timeout && !note.trim().is_empty();
    Decision {
        request_id: id.to_owned(),
        status,
        message: if own { note } else { status.message().into() },
        decided_at: written(at_ms),
        artifact,
    }
}
