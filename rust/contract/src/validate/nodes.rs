//! Values that point at the screen: matchers, selectors, references, points, strokes.

use super::problems::{fail, known_keys, text_problem};
use crate::aliases;
use crate::invalid::{Invalid, Path, kind_of};
use crate::limits::{
    MAX_GESTURE_MS, MAX_MATCHER_VALUE_LENGTH, MAX_SELECTOR_DEPTH, MAX_SELECTOR_PARTS,
    MAX_STROKE_POINTS, MAX_STROKES,
};
use crate::node_ref::NodeRef;
use serde_json::{Map, Value};

/// Checks a NodeMatcher.
pub(super) fn matcher(value: &Value, action: &str, path: &Path<'_>) -> Result<(), Invalid> {
    let object = object(value, action, path, "a matcher object")?;
    let keys: Vec<_> = aliases::MATCHER.iter().map(|(key, _)| *key).collect();
    let what = format!("{action} {}", path.local());
    known_keys(object, &keys, aliases::MATCHER, path, &what).map_err(|invalid| {
        let belongs = |key: &String| {
            aliases::SELECTOR
                .iter()
                .any(|(own, others)| own == key || others.contains(&key.as_str()))
        };
        match invalid.invalid_keys.first().filter(|key| belongs(key)).cloned() {
            Some(key) => {
                invalid.hint(format!("\"{key}\" belongs to the full selector: use \"where\""))
            }
            None => invalid,
        }
    })?;
    not_empty(object, action, path)?;
    texts(object, &keys, action, path)
}

/// Checks a `where`.
pub(super) fn selector(value: &Value, action: &str, path: &Path<'_>) -> Result<(), Invalid> {
    let mut parts = 0;
    selector_part(value, action, path, 1, &mut parts)
}

fn selector_part(
    value: &Value,
    action: &str,
    path: &Path<'_>,
    depth: usize,
    parts: &mut usize,
) -> Result<(), Invalid> {
    *parts += 1;
    if depth > MAX_SELECTOR_DEPTH || *parts > MAX_SELECTOR_PARTS {
        let message = format!(
            "{action} {} is too large a selector: at most {MAX_SELECTOR_PARTS} parts, {MAX_SELECTOR_DEPTH} deep",
            path.local()
        );
        return Err(fail(path, message));
    }
    let object = object(value, action, path, "a selector object")?;
    let table = || aliases::MATCHER.iter().chain(aliases::SELECTOR);
    let keys: Vec<_> = table().map(|(key, _)| *key).collect();
    let spellings: Vec<_> = table().copied().collect();
    let what = format!("{action} {}", path.local());
    known_keys(object, &keys, &spellings, path, &what)?;
    not_empty(object, action, path)?;
    let text_keys: Vec<_> = aliases::MATCHER.iter().map(|(key, _)| *key).chain(["class"]).collect();
    texts(object, &text_keys, action, path)?;
    for key in ["clickable", "enabled", "selected"] {
        if let Some(other) = object.get(key).filter(|value| !value.is_boolean()) {
            return Err(wrong_kind("true or false", other, action, &path.key(key)));
        }
    }
    if let Some(index) = object.get("indexInParent") {
        natural(index, action, &path.key("indexInParent"))?;
    }
    for key in ["anyOf", "allOf"] {
        let Some(list) = object.get(key) else { continue };
        let path = path.key(key);
        let Some(list) = list.as_array().filter(|list| !list.is_empty()) else {
            return Err(fail(
                &path,
                format!("{action} {} must be a non-empty array", path.local()),
            ));
        };
        for (index, part) in list.iter().enumerate() {
            selector_part(part, action, &path.index(index), depth + 1, parts)?;
        }
    }
    Ok(())
}

/// Checks a node reference.
pub(super) fn node_ref(value: &Value, action: &str, path: &Path<'_>) -> Result<(), Invalid> {
    let Some(text) = value.as_str() else {
        return Err(wrong_kind("a string", value, action, path));
    };
    if text.parse::<NodeRef>().is_ok() {
        return Ok(());
    }
    let message = format!("{action} {} must look like n12@57, not \"{text}\"", path.local());
    Err(fail(path, message).hint("take references from snapshot_ui with view \"text\""))
}

/// Checks a point.
pub(super) fn coordinate(value: &Value, action: &str, path: &Path<'_>) -> Result<(), Invalid> {
    point(value, &["x", "y"], action, path).map(drop)
}

/// Checks the strokes of a gesture.
pub(super) fn strokes(value: &Value, action: &str, path: &Path<'_>) -> Result<(), Invalid> {
    let strokes = list(value, "strokes", MAX_STROKES, action, path)?;
    for (index, stroke) in strokes.iter().enumerate() {
        let path = path.index(index);
        let mut last = 0;
        for (index, value) in
            list(stroke, "points", MAX_STROKE_POINTS, action, &path)?.iter().enumerate()
        {
            let path = path.index(index);
            point(value, &["x", "y", "t"], action, &path)?;
            let at = value["t"].as_u64().unwrap_or(0);
            let path = path.key("t");
            if at < last {
                let message =
                    format!("{action} {} goes back in time, from {last} to {at}", path.local());
                return Err(fail(&path, message));
            }
            if at > MAX_GESTURE_MS {
                let message =
                    format!("{action} {} may be at most {MAX_GESTURE_MS}, not {at}", path.local());
                return Err(fail(&path, message));
            }
            last = at;
        }
    }
    Ok(())
}

fn list<'v>(
    value: &'v Value,
    things: &str,
    max: usize,
    action: &str,
    path: &Path<'_>,
) -> Result<&'v [Value], Invalid> {
    match value.as_array() {
        Some(list) if (1..=max).contains(&list.len()) => Ok(list),
        Some(list) => {
            let message = format!(
                "{action} {} must hold 1 to {max} {things}, not {}",
                path.local(),
                list.len()
            );
            Err(fail(path, message))
        }
        None => Err(wrong_kind(&format!("an array of {things}"), value, action, path)),
    }
}

fn point(value: &Value, keys: &[&str], action: &str, path: &Path<'_>) -> Result<(), Invalid> {
    let object = object(value, action, path, "a point object")?;
    let what = format!("{action} {}", path.local());
    known_keys(object, keys, &[], path, &what)?;
    for key in keys {
        let path = path.key(key);
        match object.get(*key) {
            Some(number) => natural(number, action, &path)?,
            None => return Err(fail(&path, format!("{action} requires {}", path.local()))),
        }
    }
    Ok(())
}

fn natural(value: &Value, action: &str, path: &Path<'_>) -> Result<(), Invalid> {
    if value.as_u64().is_some() {
        return Ok(());
    }
    let message = format!("{action} {} must be a whole number >= 0, not {value}", path.local());
    Err(fail(path, message))
}

fn object<'v>(
    value: &'v Value,
    action: &str,
    path: &Path<'_>,
    wanted: &str,
) -> Result<&'v Map<String, Value>, Invalid> {
    value.as_object().ok_or_else(|| wrong_kind(wanted, value, action, path))
}

fn not_empty(object: &Map<String, Value>, action: &str, path: &Path<'_>) -> Result<(), Invalid> {
    if !object.is_empty() {
        return Ok(());
    }
    Err(fail(path, format!("{action} {} must name at least one field", path.local())))
}

fn texts(
    object: &Map<String, Value>,
    keys: &[&str],
    action: &str,
    path: &Path<'_>,
) -> Result<(), Invalid> {
    for key in keys {
        let Some(value) = object.get(*key) else { continue };
        let path = path.key(key);
        let Some(text) = value.as_str() else {
            return Err(wrong_kind("a string", value, action, &path));
        };
        if let Some(problem) = text_problem(text, Some(MAX_MATCHER_VALUE_LENGTH)) {
            return Err(fail(&path, format!("{action} {} {problem}", path.local())));
        }
    }
    Ok(())
}

fn wrong_kind(wanted: &str, seen: &Value, action: &str, path: &Path<'_>) -> Invalid {
    fail(path, format!("{action} {} must be {wanted}, not {}", path.local(), kind_of(seen)))
}
