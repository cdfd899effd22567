//! A failure before or around an execution, as every surface shows it.

use crate::codes::ErrorCode;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// `{"code","message","details","hint"}`: what happened, where, and what to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// The stable name to branch on.
    pub code: ErrorCode,
    /// What was seen.
    pub message: String,
    /// Facts for programs; which ones depends on the code.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Failure {
    /// A failure with nothing but its code and message.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Map::new(), hint: None }
    }

    /// The same with one more fact.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.into(), value.into());
        self
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Failure {}
