//! A validated execution: canonical, within every limit, ready to be sent.

use crate::action::ActionType;
use crate::failure::Failure;
use crate::invalid::Invalid;
use crate::json;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Number, Value};
use std::time::Duration;

/// The only value `expectedFormat` takes.
pub const EXPECTED_FORMAT: &str = "android-ui-automator";

/// How the execution came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Compiled from a skill's artifact.
    ArtifactCompiled,
    /// Written by the caller.
    Direct,
}

impl Mode {
    /// Name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ArtifactCompiled => "artifact_compiled",
            Self::Direct => "direct",
        }
    }
}

/// An execution that has passed validation. There is no other way to get one.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    command_id: String,
    task_id: String,
    source: String,
    timeout_ms: Number,
    actions: Vec<Action>,
    mode: Option<Mode>,
}

/// One action of it, with canonical type and parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    id: String,
    kind: ActionType,
    params: Option<Map<String, Value>>,
}

impl Execution {
    pub(crate) fn new(
        command_id: String,
        task_id: String,
        source: String,
        timeout_ms: Number,
        actions: Vec<Action>,
        mode: Option<Mode>,
    ) -> Self {
        Self { command_id, task_id, source, timeout_ms, actions, mode }
    }

    /// The caller's correlation id.
    #[must_use]
    pub fn command_id(&self) -> &str {
        &self.command_id
    }

    /// The caller's task id.
    #[must_use]
    pub fn task_id(&self) -> &str {
        &self.task_id
    }

    /// The caller's name.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Time for the whole execution.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        crate::retry::millis(self.timeout_ms.as_f64().unwrap_or_default())
    }

    /// The same as the payload has it.
    #[must_use]
    pub fn timeout_ms(&self) -> &Number {
        &self.timeout_ms
    }

    /// The actions, in order.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// How it came to be, when the payload says so.
    #[must_use]
    pub fn mode(&self) -> Option<Mode> {
        self.mode
    }

    /// The canonical payload, without spaces.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::compact(self)
    }
}

impl Action {
    pub(crate) fn new(id: String, kind: ActionType, params: Option<Map<String, Value>>) -> Self {
        Self { id, kind, params }
    }

    /// The step's correlation id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The canonical type.
    #[must_use]
    pub fn kind(&self) -> ActionType {
        self.kind
    }

    /// A parameter by its canonical key.
    #[must_use]
    pub fn param(&self, key: &str) -> Option<&Value> {
        self.params.as_ref()?.get(key)
    }
}

impl Serialize for Execution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("commandId", &self.command_id)?;
        map.serialize_entry("taskId", &self.task_id)?;
        map.serialize_entry("source", &self.source)?;
        map.serialize_entry("expectedFormat", EXPECTED_FORMAT)?;
        map.serialize_entry("timeoutMs", &self.timeout_ms)?;
        map.serialize_entry("actions", &self.actions)?;
        if let Some(mode) = self.mode {
            map.serialize_entry("mode", mode.name())?;
        }
        map.end()
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("type", &self.kind)?;
        if let Some(params) = &self.params {
            map.serialize_entry("params", params)?;
        }
        map.end()
    }
}

impl From<Invalid> for Failure {
    fn from(invalid: Invalid) -> Self {
        let mut details = Map::new();
        details.insert("path".into(), invalid.path.into());
        if let Some((id, kind)) = invalid.action {
            details.extend(id.map(|id| ("actionId".to_owned(), id.into())));
            details.extend(kind.map(|kind| ("actionType".to_owned(), kind.into())));
        }
        if !invalid.invalid_keys.is_empty() {
            details.insert("invalidKeys".into(), invalid.invalid_keys.into());
        }
        details.extend(invalid.hint.map(|hint| ("hint".to_owned(), hint.into())));
        Self { code: invalid.code, message: invalid.message, details, hint: None }
    }
}
