//! What can be wrong with any part of a payload, and how it is said.

use crate::aliases;
use crate::codes::ErrorCode;
use crate::invalid::{Invalid, Path};
use crate::suggest;
use serde_json::{Map, Value};

pub(super) fn fail(path: &Path<'_>, message: impl Into<String>) -> Invalid {
    Invalid::new(ErrorCode::ExecutionValidationFailed, path, message)
}

/// Refuses keys that are not in `known`, all at once.
pub(super) fn known_keys(
    object: &Map<String, Value>,
    known: &[&str],
    spellings: &[aliases::Aliases],
    path: &Path<'_>,
    what: &str,
) -> Result<(), Invalid> {
    let unknown: Vec<_> =
        object.keys().filter(|key| !known.contains(&key.as_str())).cloned().collect();
    let Some(first) = unknown.first() else { return Ok(()) };
    let list = unknown.iter().map(|key| format!("\"{key}\"")).collect::<Vec<_>>().join(", ");
    let plural = if unknown.len() == 1 { "key" } else { "keys" };
    let others = spellings.iter().filter(|(key, _)| known.contains(key));
    let near = suggest::nearest(first, known.iter().copied())
        .or_else(|| suggest::nearest(first, others.flat_map(|(_, others)| others.iter().copied())));
    let hint = match near {
        Some(near) => format!("did you mean \"{near}\" instead of \"{first}\"?"),
        None if known.is_empty() => format!("{what} takes no keys"),
        None => format!("{what} takes: {}", known.join(", ")),
    };
    let mut invalid = fail(path, format!("{what} has no {plural} {list}")).hint(hint);
    invalid.invalid_keys = unknown;
    Err(invalid)
}

/// What is wrong with a text that must say something, as the end of a sentence.
pub(super) fn text_problem(text: &str, max: Option<usize>) -> Option<String> {
    if text.trim().is_empty() {
        return Some("must not be blank".into());
    }
    let max = max?;
    // Bytes are never fewer than characters: most texts are not counted.
    let length = if text.len() <= max { 0 } else { text.chars().count() };
    (length > max).then(|| format!("may be at most {max} characters long, not {length}"))
}
