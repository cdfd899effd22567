//! Reads single parameters by the rules of the action table.

use super::values::{ClickTarget, Point, Scope, StrokePoint, Target};
use crate::action::{ActionSpec, Kind};
use crate::codes::ErrorCode;
use crate::invalid::{Invalid, Path, kind_of};
use crate::limits::{
    Bounds, MAX_GESTURE_MS, MAX_MATCHER_VALUE_LENGTH, MAX_SELECTOR_DEPTH, MAX_SELECTOR_PARTS,
    MAX_STROKE_POINTS, MAX_STROKES,
};
use crate::retry::{RetryNumbers, RetryPolicy, millis, whole};
use crate::selector::Selector;
use serde_json::{Map, Value};
use std::time::Duration;

pub(super) fn fail(path: &Path<'_>, message: impl Into<String>) -> Invalid {
    Invalid::new(ErrorCode::PayloadInvalid, path, message)
}

/// A required, non-blank text of at most `max` characters.
pub(super) fn required_text(
    object: &Map<String, Value>,
    key: &str,
    max: usize,
    path: &Path<'_>,
) -> Result<String, Invalid> {
    let path = path.key(key);
    optional_text(object.get(key), Some(max), &path)?
        .ok_or_else(|| fail(&path, format!("{key} is required")))
}

/// A text; blank and null count as absent.
fn optional_text(
    value: Option<&Value>,
    max: Option<usize>,
    path: &Path<'_>,
) -> Result<Option<String>, Invalid> {
    let text = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(Value::String(text)) => text,
        Some(other) => return Err(wrong_kind("a string", other, path)),
    };
    match max.map(|max| (max, text.chars().count())) {
        Some((max, length)) if length > max => {
            let name = path.local();
            Err(fail(path, format!("{name} may be at most {max} characters long, not {length}")))
        }
        _ => Ok(Some(text.clone())),
    }
}

/// A number, brought inside `bounds`.
pub(super) fn clamped(
    value: Option<&Value>,
    bounds: Bounds,
    path: &Path<'_>,
) -> Result<Option<f64>, Invalid> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64() {
            Some(number) => Ok(Some(bounds.clamp(number))),
            None => Err(wrong_kind("a number", value, path)),
        },
    }
}

fn wrong_kind(wanted: &str, seen: &Value, path: &Path<'_>) -> Invalid {
    fail(path, format!("{} must be {wanted}, not {}", path.local(), kind_of(seen)))
}

/// The parameters of one action.
pub(super) struct Reader<'a> {
    pub(super) spec: &'static ActionSpec,
    pub(super) params: &'a Map<String, Value>,
    pub(super) path: &'a Path<'a>,
}

impl Reader<'_> {
    fn kind(&self, key: &str) -> Option<Kind> {
        self.spec.field(key).map(|field| field.kind)
    }

    /// Null counts as absent.
    fn get(&self, key: &str) -> Option<&Value> {
        self.params.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn missing(&self, key: &str) -> Invalid {
        fail(&self.path.key(key), format!("{} requires params.{key}", self.spec.name))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>, Invalid> {
        let max = match self.kind(key) {
            Some(Kind::Text { phone_max, .. }) => phone_max,
            _ => Some(MAX_MATCHER_VALUE_LENGTH),
        };
        optional_text(self.get(key), max, &self.path.key(key))
    }

    pub(super) fn required_text(&self, key: &str) -> Result<String, Invalid> {
        self.text(key)?.ok_or_else(|| self.missing(key))
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, Invalid> {
        let default = matches!(self.kind(key), Some(Kind::Flag(true)));
        match self.get(key) {
            None => Ok(default),
            Some(Value::Bool(on)) => Ok(*on),
            Some(other) => Err(wrong_kind("true or false", other, &self.path.key(key))),
        }
    }

    /// One of the words of the table, in any case.
    pub(super) fn word(&self, key: &str) -> Result<Option<&'static str>, Invalid> {
        let Some(Kind::Word { values } | Kind::Choice { values, .. }) = self.kind(key) else {
            return Ok(None);
        };
        let Some(text) = self.text(key)? else { return Ok(None) };
        let known = values.iter().find(|word| word.eq_ignore_ascii_case(text.trim()));
        known.copied().map(Some).ok_or_else(|| {
            let path = self.path.key(key);
            let words = values.join(", ");
            fail(&path, format!("{} must be one of {words}, not \"{text}\"", path.local()))
        })
    }

    pub(super) fn number(&self, key: &str) -> Result<Option<f64>, Invalid> {
        let Some(Kind::Number { phone, default, .. }) = self.kind(key) else { return Ok(None) };
        Ok(clamped(self.get(key), phone, &self.path.key(key))?.or(default))
    }

    pub(super) fn required_number(&self, key: &str) -> Result<f64, Invalid> {
        self.number(key)?.ok_or_else(|| self.missing(key))
    }

    pub(super) fn required_millis(&self, key: &str) -> Result<Duration, Invalid> {
        self.required_number(key).map(millis)
    }

    pub(super) fn required_count(&self, key: &str) -> Result<u32, Invalid> {
        self.required_number(key).map(whole)
    }

    pub(super) fn retry(&self, key: &str) -> Result<RetryPolicy, Invalid> {
        let Some(Kind::Retry(preset)) = self.kind(key) else { return Ok(RetryPolicy::ONCE) };
        let path = self.path.key(key);
        let object = match self.get(key) {
            None => return Ok(preset.policy()),
            Some(Value::Object(object)) => object,
            Some(other) => return Err(wrong_kind("a retry object", other, &path)),
        };
        let any = Bounds { min: f64::MIN, max: f64::MAX };
        let number = |key| clamped(object.get(key), any, &path.key(key));
        Ok(RetryPolicy::from_numbers(RetryNumbers {
            max_attempts: number("maxAttempts")?,
            initial_delay_ms: number("initialDelayMs")?,
            max_delay_ms: number("maxDelayMs")?,
            backoff_multiplier: number("backoffMultiplier")?,
            jitter_ratio: number("jitterRatio")?,
        }))
    }

    pub(super) fn selector(&self, key: &str) -> Result<Option<Selector>, Invalid> {
        let full = matches!(self.kind(key), Some(Kind::Selector));
        match self.get(key) {
            None => Ok(None),
            Some(value) => selector(value, full, 1, &mut 0, &self.path.key(key)).map(Some),
        }
    }

    /// The node a search looks for, by matcher or `where`.
    pub(super) fn search(&self) -> Result<Option<Selector>, Invalid> {
        Ok(self.selector("matcher")?.or(self.selector("where")?))
    }

    pub(super) fn required_search(&self) -> Result<Selector, Invalid> {
        self.search()?.ok_or_else(|| self.missing("matcher"))
    }

    /// The same, or a reference.
    pub(super) fn target(&self) -> Result<Target, Invalid> {
        if let Some(selector) = self.search()? {
            return Ok(Target::Search(selector));
        }
        let path = self.path.key("ref");
        let text = self.text("ref")?.ok_or_else(|| self.missing("matcher"))?;
        text.parse().map(Target::Ref).map_err(|_| {
            fail(&path, format!("{} must look like n12@57, not \"{text}\"", path.local()))
        })
    }

    /// The same, or a point.
    pub(super) fn click_target(&self) -> Result<ClickTarget, Invalid> {
        let path = self.path.key("coordinate");
        let Some(value) = self.get("coordinate") else {
            return self.target().map(ClickTarget::Node);
        };
        if self.get("matcher").is_some() {
            let message =
                format!("{} takes params.matcher or params.coordinate, not both", self.spec.name);
            return Err(fail(self.path, message));
        }
        point(value, &path).map(ClickTarget::Point)
    }

    pub(super) fn scope(&self) -> Result<Option<Scope>, Invalid> {
        Ok(self.selector("container")?.or(self.selector("containerWhere")?))
    }

    pub(super) fn strokes(&self, key: &str) -> Result<Vec<Vec<StrokePoint>>, Invalid> {
        let path = self.path.key(key);
        let value = self.get(key).ok_or_else(|| self.missing(key))?;
        let strokes = list(value, MAX_STROKES, &path)?.iter().enumerate();
        strokes
            .map(|(index, stroke)| {
                let path = path.index(index);
                let mut last = Duration::ZERO;
                let points = list(stroke, MAX_STROKE_POINTS, &path)?.iter().enumerate();
                points
                    .map(|(index, value)| {
                        let path = path.index(index);
                        let at = Duration::from_millis(
                            natural(&value["t"], &path.key("t"))?.min(MAX_GESTURE_MS),
                        );
                        // Time never runs backwards: a point too early is a point at once.
                        last = last.max(at);
                        Ok(StrokePoint { at: last, point: point(value, &path)? })
                    })
                    .collect()
            })
            .collect()
    }
}

fn list<'v>(value: &'v Value, max: usize, path: &Path<'_>) -> Result<&'v [Value], Invalid> {
    let list = value.as_array().filter(|list| (1..=max).contains(&list.len()));
    list.map(Vec::as_slice).ok_or_else(|| {
        fail(path, format!("{} must be an array of 1 to {max} entries", path.local()))
    })
}

fn natural(value: &Value, path: &Path<'_>) -> Result<u64, Invalid> {
    let message =
        || fail(path, format!("{} must be a whole number >= 0, not {value}", path.local()));
    value.as_u64().ok_or_else(message)
}

fn point(value: &Value, path: &Path<'_>) -> Result<Point, Invalid> {
    let axis = |key: &'static str| {
        let pixels = natural(&value[key], &path.key(key))?;
        Ok(i32::try_from(pixels).unwrap_or(i32::MAX))
    };
    Ok(Point { x: axis("x")?, y: axis("y")? })
}

fn selector(
    value: &Value,
    full: bool,
    depth: usize,
    parts: &mut usize,
    path: &Path<'_>,
) -> Result<Selector, Invalid> {
    let Some(object) = value.as_object() else {
        return Err(wrong_kind("an object", value, path));
    };
    *parts += 1;
    if depth > MAX_SELECTOR_DEPTH || *parts > MAX_SELECTOR_PARTS {
        return Err(fail(path, format!("{} is too large a selector", path.local())));
    }
    let text = |key| optional_text(object.get(key), Some(MAX_MATCHER_VALUE_LENGTH), &path.key(key));
    let mut read = Selector {
        resource_id: text("resourceId")?,
        role: text("role")?,
        text_equals: text("textEquals")?,
        text_contains: text("textContains")?,
        content_desc_equals: text("contentDescEquals")?,
        content_desc_contains: text("contentDescContains")?,
        ..Selector::default()
    };
    if full {
        let flag = |key| match object.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(on)) => Ok(Some(*on)),
            Some(other) => Err(wrong_kind("true or false", other, &path.key(key))),
        };
        read.class = text("class")?;
        read.clickable = flag("clickable")?;
        read.enabled = flag("enabled")?;
        read.selected = flag("selected")?;
        if let Some(index) = object.get("indexInParent").filter(|value| !value.is_null()) {
            let index = natural(index, &path.key("indexInParent"))?;
            read.index_in_parent = Some(u32::try_from(index).unwrap_or(u32::MAX));
        }
        let mut group = |key| {
            let path = path.key(key);
            let Some(list) = object.get(key).filter(|value| !value.is_null()) else {
                return Ok(Vec::new());
            };
            let list = self::list(list, MAX_SELECTOR_PARTS, &path)?.iter().enumerate();
            list.map(|(index, part)| selector(part, true, depth + 1, parts, &path.index(index)))
                .collect()
        };
        read.any_of = group("anyOf")?;
        read.all_of = group("allOf")?;
    }
    if read.is_empty() {
        return Err(fail(path, format!("{} must name at least one field", path.local())));
    }
    Ok(read)
}
