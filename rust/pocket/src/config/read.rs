//! What a file of settings says, checked against the table.

use super::table::{Key, LEFT_OUT, SECTIONS, Takes};
use clawperator_contract::suggest;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt;

/// One thing that is wrong with a file of settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where: `agent.maxSteps`; empty for the whole.
    pub path: String,
    /// What, and what would be right.
    pub message: String,
    /// The key that was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.path.is_empty() { "the settings" } else { &self.path };
        write!(f, "{place}: {}", self.message)
    }
}

/// The settings under their own names, or everything that is wrong.
pub(super) fn checked(value: &Value) -> Result<Map<String, Value>, Vec<Problem>> {
    let mut problems = Vec::new();
    let names: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
    let mut sections = Map::new();
    for (name, value) in named(value, "", &names, &mut problems) {
        let Some(section) = SECTIONS.iter().find(|section| section.name == name) else { continue };
        let names: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
        let path = format!("{name}.");
        let mut settings = Map::new();
        for (name, value) in named(value, &path, &names, &mut problems) {
            let Some(key) = section.keys.iter().find(|key| key.name == name) else { continue };
            match setting(value, *key) {
                Ok(value) => {
                    settings.insert(name.into(), value);
                }
                Err(message) => {
                    let path = format!("{path}{name}");
                    problems.push(Problem { path, message, suggestion: None });
                }
            }
        }
        sections.insert(name.into(), Value::Object(settings));
    }
    if problems.is_empty() { Ok(sections) } else { Err(problems) }
}

/// The members of an object under the names of the table; others are problems.
fn named<'a>(
    value: &'a Value,
    path: &str,
    names: &[&'static str],
    problems: &mut Vec<Problem>,
) -> Vec<(&'static str, &'a Value)> {
    let mut found: Vec<(&'static str, &Value)> = Vec::new();
    let Some(object) = value.as_object() else {
        let path = path.trim_end_matches('.').to_owned();
        let message = format!("takes an object, not {}", shown(value));
        problems.push(Problem { path, message, suggestion: None });
        return found;
    };
    for (given, value) in object {
        let plain = camel(given);
        let path = format!("{path}{given}");
        let Some(name) = names.iter().find(|name| *given == **name || plain == **name) else {
            problems.push(unknown(path, given, &plain, names));
            continue;
        };
        if found.iter().any(|(known, _)| known == name) {
            let message = format!("`{name}` is given twice, in two spellings");
            problems.push(Problem { path, message, suggestion: None });
        } else {
            found.push((name, value));
        }
    }
    found
}

fn unknown(path: String, given: &str, plain: &str, names: &[&'static str]) -> Problem {
    let parent = path.strip_suffix(given).unwrap_or_default();
    let in_full = format!("{parent}{plain}");
    if let Some((_, why)) = LEFT_OUT.iter().find(|(name, _)| *name == in_full) {
        let message = format!("has no effect here and is refused: {why}");
        return Problem { path, message, suggestion: None };
    }
    let suggestion = suggest::nearest(given, names.iter().copied()).map(str::to_owned);
    let message = format!("there is no such setting; there are {}", names.join(", "));
    Problem { path, message, suggestion }
}

/// The value, as its setting takes it, or what is wrong.
fn setting(value: &Value, key: Key) -> Result<Value, String> {
    let wrong = || format!("takes {}, not {}", key.takes.words(), shown(value));
    let text = |right: &dyn Fn(&str) -> bool| match value.as_str() {
        Some(text) if right(text) => Ok(json!(text)),
        _ => Err(wrong()),
    };
    match key.takes {
        Takes::Flag => value.as_bool().map(Value::Bool).ok_or_else(wrong),
        Takes::Whole(min, max) => {
            let whole = value.as_u64().filter(|whole| (min..=max).contains(whole));
            whole.map(Value::from).ok_or_else(wrong)
        }
        Takes::Ratio => {
            let ratio = value.as_f64().filter(|ratio| (0.0..=1.0).contains(ratio));
            ratio.map(|ratio| json!(ratio)).ok_or_else(wrong)
        }
        Takes::TextOrNull if value.is_null() => Ok(Value::Null),
        Takes::TextOrNull => text(&|text| !text.trim().is_empty()),
        Takes::Host => text(&|text| !text.is_empty() && !text.contains([' ', '/'])),
        Takes::Url => text(&|text| text.is_empty() || is_url(text)),
        Takes::Variable => text(&is_variable),
        Takes::Programs => programs(value).ok_or_else(wrong),
    }
}

fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| {
        let host = rest.split('/').next().unwrap_or_default();
        !host.is_empty()
            && !host.contains('@')
            && !rest.contains(['?', '#', '\\'])
            && rest.chars().all(|c| !c.is_whitespace() && !c.is_control())
    })
}

fn is_variable(text: &str) -> bool {
    let begins = text.chars().next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic());
    begins && text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}

/// Names without blanks around them, each once. An empty list is refused: who writes one may mean
/// that nothing is allowed or that nothing is changed.
fn programs(value: &Value) -> Option<Value> {
    let mut names: Vec<&str> = Vec::new();
    for name in value.as_array()? {
        let name = name.as_str()?.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| json!(names))
}

/// `max_steps` as `maxSteps`.
fn camel(name: &str) -> String {
    let mut camel = String::new();
    for (at, word) in name.split('_').enumerate() {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if at > 0 => {
                camel.push(first.to_ascii_uppercase());
                camel.push_str(letters.as_str());
            }
            _ => camel.push_str(word),
        }
    }
    camel
}

/// A value as a message shows it: numbers and answers as they are, of the rest only the kind, as a
/// text may be a secret that stands in the wrong place.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if text.is_empty() => "an empty text".into(),
        Value::String(_) => "such a text".into(),
        Value::Array(items) if items.is_empty() => "an empty list".into(),
        Value::Array(_) => "such a list".into(),
        Value::Object(_) => "an object".into(),
    }
}
