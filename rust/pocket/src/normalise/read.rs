//! One value, as the kind of its field wants it.
//!
//! What means the same in another form is converted. What would have to be guessed is invalid: an
//! empty text is not the number 0, and the text `"false"` is not true.

use super::{Notes, SeenKind, Used};
use crate::action::{Fallback, Field, Kind, number_text, whole};
use serde_json::{Map, Value, json};

/// How a value was read.
pub(super) enum Read {
    AsIs(Value),
    As(Value, Used),
    Invalid,
}

pub(super) fn read(notes: &mut Notes, path: &str, value: &Value, field: &Field) -> Read {
    match field.kind {
        Kind::Number => number(value).map_or(Read::Invalid, |number| taken(value, number, number)),
        Kind::Whole { min, max } => bounded(value, min, max),
        Kind::Ratio => number(value)
            .map_or(Read::Invalid, |number| taken(value, number, number.clamp(0.0, 1.0))),
        Kind::Text => text(value, field.fallback, |text| text),
        Kind::Trimmed => text(value, field.fallback, str::trim),
        Kind::Flag => flag(value),
        Kind::Choice(words) => choice(value, words),
        Kind::Object(fields) => match value.as_object() {
            Some(given) => Read::AsIs(object(notes, &format!("{path}."), given, fields)),
            None => Read::Invalid,
        },
        Kind::List(fields) => match value.as_array() {
            Some(items) => Read::AsIs(list(notes, path, items, fields)),
            None => Read::Invalid,
        },
    }
}

/// A finite number, or a text that is one.
pub(super) fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let text = text.trim();
            match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
                // The sign would be read after the prefix too.
                Some(digits) if !digits.starts_with('+') => {
                    u32::from_str_radix(digits, 16).ok().map(f64::from)
                }
                Some(_) => None,
                None => text.parse().ok(),
            }
        }
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// `used` in the place of `seen`, which `value` stood for.
fn taken(value: &Value, seen: f64, used: f64) -> Read {
    let number = whole(used).map_or_else(|| json!(used), |whole| json!(whole));
    if used.total_cmp(&seen).is_ne() {
        Read::As(number, Used::Nearest)
    } else if value.is_number() {
        Read::AsIs(number)
    } else {
        Read::As(number, Used::Converted)
    }
}

fn bounded(value: &Value, min: u64, max: u64) -> Read {
    let Some(seen) = number(value) else { return Read::Invalid };
    // Halves go up, and what is not exact any more is far beyond every bound.
    let rounded = whole((seen + 0.5).floor());
    let used = match rounded {
        Some(rounded) => u64::try_from(rounded).unwrap_or(0).clamp(min, max),
        None if seen < 0.0 => min,
        None => max,
    };
    if number(&json!(used)) != Some(seen) {
        Read::As(json!(used), Used::Nearest)
    } else if value.is_number() {
        Read::AsIs(json!(used))
    } else {
        Read::As(json!(used), Used::Converted)
    }
}

/// Text, or a number or an answer in its usual spelling. An optional field that holds nothing (an
/// empty text, 0 or false) is absent.
fn text(value: &Value, fallback: Fallback, trim: impl Fn(&str) -> &str) -> Read {
    let optional = fallback == Fallback::Absent;
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            Some(zero) if zero == 0.0 && optional => return Read::Invalid,
            // Long integers keep all of their digits.
            Some(seen) if number.is_f64() => number_text(seen),
            _ => number.to_string(),
        },
        Value::Bool(false) if optional => return Read::Invalid,
        Value::Bool(flag) => flag.to_string(),
        _ => return Read::Invalid,
    };
    let used = trim(&text);
    if used.is_empty() && optional {
        Read::Invalid
    } else if value.as_str() == Some(used) {
        Read::AsIs(json!(used))
    } else {
        Read::As(json!(used), Used::Converted)
    }
}

fn flag(value: &Value) -> Read {
    if value.is_boolean() {
        return Read::AsIs(value.clone());
    }
    let word = value.as_str().map(|text| text.trim().to_ascii_lowercase());
    match (word.as_deref(), value.as_f64()) {
        (Some("true" | "1"), _) => Read::As(json!(true), Used::Converted),
        (Some("false" | "0"), _) => Read::As(json!(false), Used::Converted),
        (None, Some(1.0)) => Read::As(json!(true), Used::Converted),
        (None, Some(0.0)) => Read::As(json!(false), Used::Converted),
        _ => Read::Invalid,
    }
}

fn choice(value: &Value, words: &[&str]) -> Read {
    let Some(seen) = value.as_str() else { return Read::Invalid };
    let folded = seen.trim().to_lowercase();
    match words.iter().find(|word| **word == folded) {
        Some(word) if *word == seen => Read::AsIs(json!(word)),
        Some(word) => Read::As(json!(word), Used::Converted),
        None => Read::Invalid,
    }
}

fn object(notes: &mut Notes, path: &str, given: &Map<String, Value>, fields: &[Field]) -> Value {
    let read = notes.object(path, given, fields);
    notes.unlisted(path, given, fields, &[]);
    Value::Object(read)
}

/// The objects of a list; everything else in it is left out.
fn list(notes: &mut Notes, path: &str, items: &[Value], fields: &[Field]) -> Value {
    let mut read = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item.as_object() {
            Some(given) => {
                read.push(object(notes, &format!("{path}[{index}]."), given, fields));
            }
            None => notes.add(&format!("{path}[{index}]"), SeenKind::of(Some(item)), Used::Dropped),
        }
    }
    Value::Array(read)
}
