//! Execution templates: `.recipe.json` files with `{{NAME}}` in them, and values for the names.
//!
//! The same template and values give the same execution, ids included. A value is put in once and
//! never looked at again, and none is ever shown in an error. An artifact may also be a document of
//! the recipe language; then its own compiler does the work.

mod values;

pub use values::Values;

use crate::recipe;
use crate::registry::{Found, sha256};
use clawperator_contract::limits::MAX_INPUT_BYTES;
use clawperator_contract::{ErrorCode, Execution, Failure};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// What a template's name ends with.
pub const EXTENSION: &str = ".recipe.json";
/// What a recipe's may end with, too.
const MARKDOWN: &str = ".recipe.md";

/// The execution of an artifact of a skill.
pub fn compile(found: &Found<'_>, name: &str, vars: Option<&str>) -> Result<Execution, Failure> {
    let skill = found.skill.id();
    let name = stem(name);
    let about = |failure: Failure| {
        let hint = failure.hint.clone();
        let mut failure = failure.detail("skillId", skill).detail("artifactName", name);
        failure.hint = hint.or_else(|| Some(failure.code.remedy().to_owned()));
        failure
    };
    let path = find(found, name).map_err(about)?;
    let values = Values::read(vars).map_err(about)?;
    let text = read(&path).map_err(about)?;
    let file = path.display().to_string();
    if recipe::is_recipe(&file, &text) {
        return compile_recipe(&file, &text, &values).map_err(about);
    }
    let none_given = values.is_empty();
    let values = values.with_ids(skill, name);
    let filled = fill(&text, &values).map_err(|missing| about(lacking(&missing, none_given)))?;
    validated(&filled, &path, &values).map_err(about)
}

/// A name without the ending, which may be typed or left out.
fn stem(name: &str) -> &str {
    let ended = |ending: &str| {
        let cut = name.len().checked_sub(ending.len())?;
        let fits = name.is_char_boundary(cut) && name[cut..].eq_ignore_ascii_case(ending);
        fits.then(|| &name[..cut])
    };
    ended(EXTENSION).or_else(|| ended(MARKDOWN)).unwrap_or(name)
}

/// The file of a skill's artifact.
fn find(found: &Found<'_>, name: &str) -> Result<PathBuf, Failure> {
    let of = |ending: &str| {
        let file = format!("{name}{ending}");
        let named = |entry: &&str| {
            *entry == file || entry.strip_suffix(&file).is_some_and(|rest| rest.ends_with('/'))
        };
        found.skill.artifacts().find(named)
    };
    let Some(entry) = of(EXTENSION).or_else(|| of(MARKDOWN)) else {
        let known: Vec<&str> = found.skill.artifacts().collect();
        let message = format!("the skill has no artifact {name}{EXTENSION} or {name}{MARKDOWN}");
        return Err(Failure::new(ErrorCode::ArtifactNotFound, message).detail("artifacts", known));
    };
    let missing = ErrorCode::ArtifactNotFound;
    found.registry.root.inside(entry).map_err(|wrong| wrong.failure(missing))
}

fn read(path: &std::path::Path) -> Result<String, Failure> {
    let wrong = |code, why: String| {
        Failure::new(code, format!("{}: {why}", path.display()))
            .detail("path", path.display().to_string())
    };
    let bytes =
        fs::read(path).map_err(|error| wrong(ErrorCode::InputUnreadable, error.to_string()))?;
    if bytes.len() > MAX_INPUT_BYTES {
        let why = format!("{} bytes are too many; {MAX_INPUT_BYTES} are allowed", bytes.len());
        return Err(wrong(ErrorCode::PayloadTooLarge, why));
    }
    String::from_utf8(bytes)
        .map_err(|_| wrong(ErrorCode::CompileValidationFailed, "it is not UTF-8".into()))
}

/// The execution of a document of the recipe language.
fn compile_recipe(file: &str, text: &str, values: &Values) -> Result<Execution, Failure> {
    let read = recipe::read(file, text);
    let problems = match read.recipe {
        Some(recipe) => match crate::compile::compile(&recipe, (file, text), &values.by_name()) {
            Ok(compiled) => return Ok(compiled.execution),
            Err(problems) => problems,
        },
        None => read.problems,
    };
    Err(crate::problem::refusal(&problems))
}

/// A place in a template where a value goes.
pub(crate) struct Slot<'a> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) name: &'a str,
    /// Does it stand in a text, or where a number would?
    pub(crate) in_text: bool,
}

/// Every `{{NAME}}`, in order.
pub(crate) fn slots(text: &str) -> Vec<Slot<'_>> {
    let bytes = text.as_bytes();
    let mut slots = Vec::new();
    let (mut at, mut in_text) = (0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if in_text => at += 1,
            b'"' => in_text = !in_text,
            b'{' if bytes[at..].starts_with(b"{{") => {
                let name = &text[at + 2..];
                let length =
                    name.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
                if length > 0 && name[length..].starts_with("}}") {
                    let end = at + 2 + length + 2;
                    slots.push(Slot { start: at, end, name: &name[..length], in_text });
                    at = end;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    slots
}

/// Puts values in for all slots, in one pass: what a value says is never a slot. Without a value
/// for some, the names that lack one, each once.
fn fill(text: &str, values: &Values) -> Result<String, Vec<String>> {
    let mut filled = String::with_capacity(text.len());
    let mut missing: Vec<String> = Vec::new();
    let mut done = 0;
    for slot in slots(text) {
        filled += &text[done..slot.start];
        done = slot.end;
        match values.get(slot.name) {
            Some(value) => filled += &inside_quotes(value),
            None if missing.iter().any(|name| name == slot.name) => {}
            None => missing.push(slot.name.to_owned()),
        }
    }
    filled += &text[done..];
    if missing.is_empty() { Ok(filled) } else { Err(missing) }
}

/// A text as it stands between the quotes of a JSON string.
fn inside_quotes(value: &str) -> String {
    let quoted = json!(value).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn lacking(missing: &[String], none_given: bool) -> Failure {
    let code = match none_given {
        true => ErrorCode::CompileVarsRequired,
        false => ErrorCode::CompileVarMissing,
    };
    let names = missing.join(", ");
    Failure::new(code, format!("the template has no value for {names}"))
        .detail("placeholder", missing.first().cloned())
        .detail("missing", missing.to_vec())
        .hint(format!("give it: --vars '{{\"{}\":\"...\"}}'", missing.first().map_or("", |n| n)))
}

fn validated(filled: &str, path: &std::path::Path, values: &Values) -> Result<Execution, Failure> {
    let at = path.display().to_string();
    let mut payload = crate::registry::read_json(filled.as_bytes()).map_err(|(line, why)| {
        // Values hold no line ends once they are escaped: it is the template's own line.
        let message = format!("{at}: no JSON once the values are in: {why} (line {line})");
        Failure::new(ErrorCode::CompileValidationFailed, message)
            .detail("file", at.clone())
            .detail("line", line)
    })?;
    if let Some(top) = payload.as_object_mut() {
        top.insert("mode".into(), "artifact_compiled".into());
    }
    Execution::from_value(payload).map_err(|invalid| {
        let why = Failure::from(invalid);
        let code = match why.code {
            ErrorCode::PayloadTooLarge => ErrorCode::PayloadTooLarge,
            _ => ErrorCode::CompileValidationFailed,
        };
        let place = why.details.get("path").and_then(Value::as_str).unwrap_or_default();
        let place = if place.is_empty() { String::new() } else { format!(" (at {place})") };
        let message = values.hidden_in(&format!("{at}: {}{place}", why.message));
        let mut failure = Failure::new(code, message).detail("file", at.clone());
        for (key, value) in why.details {
            let value = match value {
                Value::String(text) => values.hidden_in(&text).into(),
                other => other,
            };
            failure.details.insert(key, value);
        }
        failure
    })
}

#[cfg(test)]
mod tests;
