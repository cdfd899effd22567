//! Fields of a JSON object, each with its place for the message.

use clawperator_contract::{ErrorCode, Failure, kind_of};
use serde_json::{Map, Value};

/// The failure that says what is wrong, and at which field.
pub(super) fn wrong(path: &str, reason: impl Into<String>) -> Failure {
    let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
    let failure = Failure::new(
        ErrorCode::SkillResultParseFailed,
        format!("the script's result is not valid: {place}{}", reason.into()),
    );
    let failure = if path.is_empty() { failure } else { failure.detail("path", path) };
    failure.hint(ErrorCode::SkillResultParseFailed.remedy())
}

/// An object and where it stands.
pub(super) struct Fields<'a> {
    pub(super) path: String,
    pub(super) object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(path: String, value: &'a Value) -> Result<Self, Failure> {
        match value {
            Value::Object(object) => Ok(Self { path, object }),
            other => Err(wrong(&path, format!("an object is wanted, not {}", kind_of(other)))),
        }
    }

    pub(super) fn at(&self, key: &str) -> String {
        if self.path.is_empty() { key.into() } else { format!("{}.{key}", self.path) }
    }

    pub(super) fn text(&self, key: &str) -> Result<&'a str, Failure> {
        match self.object.get(key) {
            Some(Value::String(text)) if !text.is_empty() || key == "text" => Ok(text),
            None => Err(wrong(&self.at(key), "it is missing")),
            Some(Value::String(_)) => Err(wrong(&self.at(key), "it is empty")),
            Some(other) => {
                Err(wrong(&self.at(key), format!("a text is wanted, not {}", kind_of(other))))
            }
        }
    }

    pub(super) fn one_of(&self, key: &str, allowed: &[&str]) -> Result<&'a str, Failure> {
        let text = self.text(key)?;
        match allowed.contains(&text) {
            true => Ok(text),
            false => {
                Err(wrong(&self.at(key), format!("\"{text}\" is none of {}", allowed.join(", "))))
            }
        }
    }

    pub(super) fn optional_text(&self, key: &str) -> Result<(), Failure> {
        match self.object.get(key) {
            None | Some(Value::Null | Value::String(_)) => Ok(()),
            Some(other) => {
                Err(wrong(&self.at(key), format!("a text is wanted, not {}", kind_of(other))))
            }
        }
    }

    pub(super) fn optional_object(&self, key: &str) -> Result<Option<Self>, Failure> {
        match self.object.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => Self::of(self.at(key), value).map(Some),
        }
    }

    pub(super) fn optional_list(&self, key: &str) -> Result<Option<&'a [Value]>, Failure> {
        match self.object.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(other) => {
                Err(wrong(&self.at(key), format!("a list is wanted, not {}", kind_of(other))))
            }
        }
    }

    pub(super) fn optional_texts(&self, key: &str) -> Result<(), Failure> {
        for (index, value) in self.optional_list(key)?.unwrap_or_default().iter().enumerate() {
            if !value.is_string() {
                let path = format!("{}[{index}]", self.at(key));
                return Err(wrong(&path, format!("a text is wanted, not {}", kind_of(value))));
            }
        }
        Ok(())
    }
}
