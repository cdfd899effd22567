//! One request, from the question to its end.

use super::refusal::Refusal;
use crate::action::Capability;
use crate::human::bridge::{Delivered, Status};
use crate::human::template::Form;
use crate::human::token::Hash;
use clawperator_contract::ErrorCode;

/// Wrong tokens a request takes before it takes none for a while. A person mistypes no link; a
/// token has 192 bits, so this only keeps guessing from costing us work.
const MOST_WRONG: u32 = 20;
/// How long a request then takes no token at all.
const LOCKED_MS: u64 = 60_000;

/// What a person is told about the request.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub(in crate::human) struct Asked {
    pub(in crate::human) request_id: Option<String>,
    pub(in crate::human) capability: Capability,
    pub(in crate::human) task: String,
    pub(in crate::human) instruction: String,
    pub(in crate::human) reason: String,
    pub(in crate::human) current_app: String,
    pub(in crate::human) timeout_sec: u64,
    pub(in crate::human) template: Option<serde_json::Value>,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::human) struct Settled {
    pub(in crate::human) status: Status,
    pub(in crate::human) note: String,
    pub(in crate::human) at_ms: u64,
    pub(in crate::human) artifact: Option<Delivered>,
}

/// What a person decided, as it came in.
#[derive(Debug, Clone)]
pub(super) struct Verdict {
    pub(super) approved: bool,
    pub(super) note: String,
    pub(super) artifact: Option<Delivered>,
}

pub(super) struct Record {
    pub(super) asked: Asked,
    pub(super) form: Form,
    pub(super) created_ms: u64,
    pub(super) expires_ms: u64,
    /// Gone after the decision: the link opens nothing any more.
    open: Option<Hash>,
    poll: Hash,
    pub(super) settled: Option<Settled>,
    wrong: u32,
    locked_until_ms: u64,
    /// When the driven phone was last touched through this request.
    pub(super) touched_ms: u64,
    pub(super) streams: usize,
}

impl Record {
    pub(super) fn new(asked: Asked, now_ms: u64, open: Hash, poll: Hash) -> Self {
        Self {
            form: Form::of(asked.capability, asked.template.as_ref()),
            created_ms: now_ms,
            expires_ms: now_ms.saturating_add(asked.timeout_sec.saturating_mul(1000)),
            asked: Asked { template: None, ..asked },
            open: Some(open),
            poll,
            settled: None,
            wrong: 0,
            locked_until_ms: 0,
            touched_ms: 0,
            streams: 0,
        }
    }

    /// Lets the time do its part.
    pub(super) fn age(&mut self, now_ms: u64) {
        if self.settled.is_none() && now_ms >= self.expires_ms {
            self.settle(Settled {
                status: Status::Timeout,
                note: "Request timed out.".into(),
                at_ms: self.expires_ms,
                artifact: None,
            });
        }
    }

    /// The first end counts; says whether this was it.
    pub(super) fn settle(&mut self, end: Settled) -> bool {
        if self.settled.is_some() {
            return false;
        }
        self.open = None;
        self.settled = Some(end);
        true
    }

    /// Is it still to be decided, and is this its link?
    pub(super) fn admit(&mut self, token: &str, now_ms: u64) -> Result<(), Refusal> {
        self.pending()?;
        let fits = self.open.is_some_and(|hash| hash.fits(token));
        self.count(fits, now_ms, "Invalid token.")
    }

    /// Is this the agent that asked?
    pub(super) fn admit_poll(&mut self, token: &str, now_ms: u64) -> Result<(), Refusal> {
        let fits = self.poll.fits(token);
        self.count(fits, now_ms, "Invalid poll token.")
    }

    pub(super) fn pending(&self) -> Result<(), Refusal> {
        match &self.settled {
            Some(end) => Err(Refusal::decided(end.status.word())),
            None => Ok(()),
        }
    }

    /// Counts wrong tokens. While locked even the right one is refused, or a guesser would learn
    /// from the answer which it was.
    fn count(&mut self, fits: bool, now_ms: u64, message: &str) -> Result<(), Refusal> {
        if now_ms < self.locked_until_ms {
            let seconds = (self.locked_until_ms - now_ms).div_ceil(1000);
            return Err(Refusal::slow_down(
                ErrorCode::PocketHumanToken,
                seconds,
                "Too many wrong tokens.",
            ));
        }
        if fits {
            return Ok(());
        }
        self.wrong += 1;
        if self.wrong >= MOST_WRONG {
            self.wrong = 0;
            self.locked_until_ms = now_ms.saturating_add(LOCKED_MS);
        }
        Err(Refusal::token(message))
    }
}
