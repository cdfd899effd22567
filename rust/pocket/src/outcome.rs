//! What an executor answers with.

use clawperator_contract::Failure;
use serde::Serialize;
use serde_json::{Map, Value};

/// An action that was done: a text an agent's model reads, and facts for programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// What happened, in the words agents written for the schema know.
    pub text: String,
    /// The same as facts; which ones depends on the action.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub data: Map<String, Value>,
}

/// What came of an action. What was not done says why, with a code.
pub type Done = Result<Outcome, Failure>;

impl Outcome {
    /// An outcome with nothing but its text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), data: Map::new() }
    }

    /// The same with one more fact.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.data.insert(key.into(), value.into());
        self
    }
}
