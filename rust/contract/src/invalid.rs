//! What is wrong with a payload, and where.

use crate::codes::ErrorCode;
use serde_json::Value;
use std::fmt;

/// The first thing wrong with a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// `EXECUTION_VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE` or, on the phone, `PAYLOAD_INVALID`.
    pub code: ErrorCode,
    /// What was seen and what the contract wants instead.
    pub message: String,
    /// Where, like `actions.0.params.timeoutMs`; empty for the payload as a whole.
    pub path: String,
    /// `id` and `type` of the action it is in, as far as they can be read.
    pub action: Option<(Option<String>, Option<String>)>,
    /// Keys the contract does not know.
    pub invalid_keys: Vec<String>,
    /// What the sender probably meant.
    pub hint: Option<String>,
}

impl Invalid {
    /// A failure without hint or keys.
    pub(crate) fn new(code: ErrorCode, path: &Path<'_>, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            path: path.to_string(),
            action: None,
            invalid_keys: Vec::new(),
            hint: None,
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if !self.path.is_empty() {
            write!(f, " (at {})", self.path)?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}

/// A place in a payload. Links live on the stack; text is made only for a failure.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    pub(crate) const ROOT: Path<'static> = Path { parent: None, step: Step::Root };

    pub(crate) fn key(&'a self, key: &'a str) -> Path<'a> {
        Path { parent: Some(self), step: Step::Key(key) }
    }

    pub(crate) fn index(&'a self, index: usize) -> Path<'a> {
        Path { parent: Some(self), step: Step::Index(index) }
    }

    /// The path from the action's `params` on, as messages name it: `params.matcher.role`.
    pub(crate) fn local(&self) -> String {
        let whole = self.to_string();
        match whole.find("params") {
            Some(start) => whole[start..].to_owned(),
            None => whole,
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
            if !matches!(parent.step, Step::Root) {
                f.write_str(".")?;
            }
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Key(key) => f.write_str(key),
            Step::Index(index) => write!(f, "{index}"),
        }
    }
}

/// The kind of a JSON value, as a message names it.
#[must_use]
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_as_people_write_it() {
        let actions = Path::ROOT.key("actions");
        let first = actions.index(0);
        let params = first.key("params");
        assert_eq!(params.key("timeoutMs").to_string(), "actions.0.params.timeoutMs");
        assert_eq!(params.key("timeoutMs").local(), "params.timeoutMs");
        assert_eq!(Path::ROOT.to_string(), "");
    }
}
