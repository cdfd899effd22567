//! The actions, as they are after normalisation: every field that has a default has a value.

mod field;
mod form;
mod number;
mod table;
mod template;
mod words;

pub use field::{Fallback, Field, Kind};
pub(crate) use number::{number_text, whole};
pub use table::{ActionType, GESTURE_MS, LONGEST_MS, LONGEST_SEC, TYPES, action_type};
pub use template::{TemplateField, TemplateOption, TemplateStyle, UiTemplate};
pub use words::{ArtifactKind, Capability, FieldType, ProcessAction};

use number::plain;
use serde::{Deserialize, Serialize};

/// One step of an agent. What the fields mean stands in [`TYPES`]; the names on the wire are those
/// of the schema.
///
/// Reading one with serde asks for every field that has a default; [`crate::normalise()`] reads what
/// a model sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "the table describes every field, and the docs page is made of it")]
pub enum Action {
    Tap {
        #[serde(serialize_with = "plain")]
        x: f64,
        #[serde(serialize_with = "plain")]
        y: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Swipe {
        #[serde(serialize_with = "plain")]
        x1: f64,
        #[serde(serialize_with = "plain")]
        y1: f64,
        #[serde(serialize_with = "plain")]
        x2: f64,
        #[serde(serialize_with = "plain")]
        y2: f64,
        duration_ms: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Drag {
        #[serde(serialize_with = "plain")]
        x1: f64,
        #[serde(serialize_with = "plain")]
        y1: f64,
        #[serde(serialize_with = "plain")]
        x2: f64,
        #[serde(serialize_with = "plain")]
        y2: f64,
        duration_ms: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    LongPressDrag {
        #[serde(serialize_with = "plain")]
        x1: f64,
        #[serde(serialize_with = "plain")]
        y1: f64,
        #[serde(serialize_with = "plain")]
        x2: f64,
        #[serde(serialize_with = "plain")]
        y2: f64,
        hold_ms: u64,
        duration_ms: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Type {
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Keyevent {
        keycode: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    LaunchApp {
        package_name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Shell {
        command: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    RunScript {
        script: String,
        timeout_sec: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Read {
        path: String,
        from: u64,
        lines: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Write {
        path: String,
        content: String,
        append: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Edit {
        path: String,
        find: String,
        replace: String,
        replace_all: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    ApplyPatch {
        input: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Exec {
        command: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        workdir: Option<String>,
        yield_ms: u64,
        background: bool,
        timeout_sec: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Process {
        action: ProcessAction,
        #[serde(skip_serializing_if = "Option::is_none")]
        session_id: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        input: Option<String>,
        offset: u64,
        limit: u64,
        timeout_ms: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    MemorySearch {
        query: String,
        max_results: u64,
        #[serde(serialize_with = "plain")]
        min_score: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    MemoryGet {
        path: String,
        from: u64,
        lines: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    RequestHumanAuth {
        capability: Capability,
        instruction: String,
        timeout_sec: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        ui_template: Option<Box<UiTemplate>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        template_path: Option<String>,
    },
    Wait {
        duration_ms: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Finish {
        message: String,
    },
}
