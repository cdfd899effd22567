//! What was asked and what came of it.

use crate::action::{Capability, UiTemplate};
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// A question to a person.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// What is needed.
    pub capability: Capability,
    /// What the person should do, in the agent's words.
    pub instruction: &'a str,
    /// Why.
    pub reason: &'a str,
    /// How long the agent would wait; the settings say how long it may.
    pub timeout_sec: u64,
    /// The task it is about.
    pub task: &'a str,
    /// The session it comes from; empty when there is none.
    pub session_id: &'a str,
    /// The step of the session.
    pub step: u64,
    /// The package in front.
    pub current_app: &'a str,
    /// A picture of the screen on this computer, for relays that show one.
    pub screenshot_path: Option<&'a Path>,
    /// The form the agent wants.
    pub ui_template: Option<&'a UiTemplate>,
    /// A file of the workspace with a form.
    pub template_path: Option<&'a str>,
}

/// A question that was put, and how to answer it. Its `Debug` does not tell the page.
#[derive(Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    /// Its name.
    pub request_id: String,
    /// The page to answer it on. It holds the token, so whoever has it can decide: it is for the
    /// person and never for the model. None when there is no relay or it cannot be reached.
    pub open_url: Option<String>,
    /// When it ends by itself.
    pub expires_at: String,
    /// Whether a relay shows it.
    pub relay_enabled: bool,
    /// Why the relay does not show it, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relay_problem: Option<String>,
    /// What a person types to say yes without the page.
    pub manual_approve_command: String,
    /// What a person types to say no.
    pub manual_reject_command: String,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("expires_at", &self.expires_at)
            .field("relay_enabled", &self.relay_enabled)
            .field("relay_problem", &self.relay_problem)
            .finish_non_exhaustive()
    }
}

/// How a question ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The person said yes.
    Approved,
    /// The person said no.
    Rejected,
    /// Nobody said anything in time.
    Timeout,
}

impl Status {
    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Timeout => "timeout",
        }
    }

    pub(in crate::human) fn of(word: &str) -> Option<Self> {
        [Self::Approved, Self::Rejected, Self::Timeout].into_iter().find(|s| s.word() == word)
    }

    /// What is said when the person wrote no note.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::Approved => "Approved from web link.",
            Self::Rejected => "Rejected from web link.",
            Self::Timeout => "Human authorization timed out.",
        }
    }
}

/// What a person gave: bytes and their kind. Its `Debug` shows no content.
#[derive(Clone, PartialEq, Eq)]
pub struct Delivered {
    /// The MIME type, as the page said it.
    pub mime: String,
    /// The content.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Delivered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Delivered({}, {} bytes)", self.mime, self.bytes.len())
    }
}

/// A decision. The message may be a code the person wrote, so treat it like one.
#[derive(Clone, PartialEq)]
pub struct Decision {
    /// Which question.
    pub request_id: String,
    /// What it was.
    pub status: Status,
    /// The person's note, or a sentence in its place.
    pub message: String,
    /// When, RFC 3339.
    pub decided_at: String,
    /// What the person gave with it.
    pub artifact: Option<Delivered>,
}

impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decision")
            .field("request_id", &self.request_id)
            .field("status", &self.status)
            .field("message_chars", &self.message.chars().count())
            .field("artifact", &self.artifact)
            .finish_non_exhaustive()
    }
}

impl Decision {
    /// An approval as it is; anything else as the failure it is for the task.
    ///
    /// # Errors
    /// The person said no, or nothing.
    pub fn approved(self) -> Result<Self, Failure> {
        let code = match self.status {
            Status::Approved => return Ok(self),
            Status::Rejected => ErrorCode::PocketHumanRejected,
            Status::Timeout => ErrorCode::PocketHumanTimeout,
        };
        let message = format!("Human authorization {}: {}", self.status.word(), self.message);
        Err(Failure::new(code, message).detail("requestId", self.request_id).hint(code.remedy()))
    }
}
