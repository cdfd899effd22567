//! What a model answered to one step: a thought and one tool call.

use crate::action::Action;
use crate::normalise::Note;
use crate::tools::action_of_call;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;

/// The outcome of one question to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelStepOutput {
    /// What the model said about the step; empty if it said nothing.
    pub thought: String,
    /// What it wants done.
    pub action: Action,
    /// Its tool call as JSON text, `{"tool": …, "args": …}`, with the arguments as they came.
    pub raw: String,
}

/// A step, and what of it was not taken as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The step.
    pub output: ModelStepOutput,
    /// What normalisation changed.
    pub notes: Vec<Note>,
}

/// Why an answer is no step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepError {
    /// It calls no tool.
    NoToolCall,
    /// It calls this tool with arguments that are no JSON object. Defaults would make a tap in the
    /// corner of it.
    BadArguments {
        /// The tool.
        tool: String,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoToolCall => f.write_str(
                "Model response did not contain a tool call: ask again and require one.",
            ),
            Self::BadArguments { tool } => write!(
                f,
                "the arguments of the tool call {tool:?} are not a JSON object: ask again."
            ),
        }
    }
}

impl std::error::Error for StepError {}

impl Step {
    /// The step of a tool call. `said` is the thought if the arguments hold none.
    ///
    /// # Errors
    /// The arguments are not an object, and not the JSON text of one.
    pub fn of_call(tool: &str, arguments: &Value, said: &str) -> Result<Self, StepError> {
        let bad = || StepError::BadArguments { tool: tool.to_owned() };
        let arguments = match arguments {
            Value::Null => Map::new(),
            Value::Object(arguments) => arguments.clone(),
            Value::String(text) if text.trim().is_empty() => Map::new(),
            Value::String(text) => serde_json::from_str(text).map_err(|_| bad())?,
            _ => return Err(bad()),
        };
        let thought = arguments.get("thought").and_then(Value::as_str).unwrap_or(said).to_owned();
        let raw = json!({"tool": tool, "args": arguments}).to_string();
        let normalised = action_of_call(tool, &arguments);
        let output = ModelStepOutput { thought, action: normalised.action, raw };
        Ok(Self { output, notes: normalised.notes })
    }

    /// The step of a model's message: with `tool_calls` of functions, or with blocks of `content`
    /// of which one is a `tool_use`, or just `{"tool": …, "args": …}`. Only the first call counts.
    ///
    /// # Errors
    /// The message calls no tool, or one with arguments that are no object.
    pub fn of_message(message: &Value) -> Result<Self, StepError> {
        let said = said(message);
        let (tool, arguments) = first_call(message).ok_or(StepError::NoToolCall)?;
        Self::of_call(tool, arguments, said)
    }
}

fn first_call(message: &Value) -> Option<(&str, &Value)> {
    let of_functions = || {
        let function = message.get("tool_calls")?.get(0)?.get("function")?;
        Some((function.get("name")?.as_str()?, &function["arguments"]))
    };
    let of_blocks = || {
        let used = blocks(message).find(|block| block["type"] == "tool_use")?;
        Some((used.get("name")?.as_str()?, &used["input"]))
    };
    let bare = || Some((message.get("tool")?.as_str()?, &message["args"]));
    of_functions().or_else(of_blocks).or_else(bare)
}

/// The first thing the message thinks or says.
fn said(message: &Value) -> &str {
    let of_block = |kind: &str| {
        let block = blocks(message).find(|block| block["type"] == kind)?;
        block.get(kind)?.as_str()
    };
    of_block("thinking")
        .or_else(|| of_block("text"))
        .or_else(|| message.get("content")?.as_str())
        .unwrap_or_default()
}

fn blocks(message: &Value) -> impl Iterator<Item = &Value> {
    message.get("content").and_then(Value::as_array).into_iter().flatten()
}
