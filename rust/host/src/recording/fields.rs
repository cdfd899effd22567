//! The fields of one line: each is taken out by name, and what is wrong with it is said.

use super::event::{Edges, Event, Other, Scrolled, Touched, What, Window};
use serde_json::{Map, Value};

/// What is wrong with a line.
pub(super) type Problem = String;

/// The fields of one line that were not taken yet.
pub(super) struct Fields {
    map: Map<String, Value>,
    /// What the line is, for messages.
    owner: String,
}

impl Fields {
    pub(super) fn new(map: Map<String, Value>, owner: &str) -> Self {
        Self { map, owner: owner.to_owned() }
    }

    pub(super) fn text(&mut self, key: &str) -> Result<String, Problem> {
        match self.map.remove(key) {
            Some(Value::String(text)) => Ok(text),
            other => Err(self.wrong(key, "a text", other.as_ref())),
        }
    }

    /// The key must be there, so that a line that was shortened is not taken for one of nulls.
    fn text_or_null(&mut self, key: &str) -> Result<Option<String>, Problem> {
        match self.map.remove(key) {
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Null) => Ok(None),
            other => Err(self.wrong(key, "a text or null", other.as_ref())),
        }
    }

    fn optional_text(&mut self, key: &str) -> Result<Option<String>, Problem> {
        if self.map.contains_key(key) { self.text_or_null(key) } else { Ok(None) }
    }

    fn flag(&mut self, key: &str) -> Result<bool, Problem> {
        match self.map.remove(key) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            other => Err(self.wrong(key, "true or false", other.as_ref())),
        }
    }

    pub(super) fn whole(&mut self, key: &str) -> Result<i64, Problem> {
        let value = self.map.remove(key);
        value
            .as_ref()
            .and_then(whole)
            .ok_or_else(|| self.wrong(key, "a whole number", value.as_ref()))
    }

    fn edges(&mut self, key: &str) -> Result<Edges, Problem> {
        let value = match self.map.remove(key) {
            Some(Value::Object(map)) => map,
            other => return Err(self.wrong(key, "an object", other.as_ref())),
        };
        let mut edges = Self::new(value, &format!("{key} of {}", self.owner));
        Ok(Edges {
            left: edges.whole("left")?,
            top: edges.whole("top")?,
            right: edges.whole("right")?,
            bottom: edges.whole("bottom")?,
        })
    }

    /// Says the kind of what was found, never the thing itself: it may be private.
    fn wrong(&self, key: &str, needed: &str, found: Option<&Value>) -> Problem {
        let found = match found {
            None => "is missing",
            Some(Value::Null) => "is null",
            Some(Value::Bool(_)) => "is true or false",
            Some(Value::Number(_)) => "is another number",
            Some(Value::String(_)) => "is a text",
            Some(Value::Array(_)) => "is a list",
            Some(Value::Object(_)) => "is an object",
        };
        format!("\"{key}\" of {} must be {needed}, but it {found}", self.owner)
    }
}

/// Some writers know only floating point, so `12.0` is whole as well.
pub(super) fn whole(value: &Value) -> Option<i64> {
    let exact = 2f64.powi(53);
    value.as_i64().or_else(|| {
        let float = value.as_f64()?;
        #[allow(clippy::cast_possible_truncation, reason = "it has no fraction and is in range")]
        (float.fract() == 0.0 && float.abs() <= exact).then_some(float as i64)
    })
}

/// The event of a line.
pub(super) fn event(map: Map<String, Value>, line: usize) -> Result<Event, Problem> {
    let mut common = Fields::new(map, "an event");
    let kind = common.text("type")?;
    if kind == "recording_header" {
        return Err("a second header stands here: two recordings are in one file".to_owned());
    }
    let seq = common.whole("seq")?;
    let ts = common.whole("ts")?;
    let snapshot = common.optional_text("snapshot")?;
    let mut fields = Fields { owner: kind.clone(), ..common };
    let what = match kind.as_str() {
        "window_change" => What::WindowChange(Window {
            package_name: fields.text("packageName")?,
            class_name: fields.optional_text("className")?,
            title: fields.optional_text("title")?,
        }),
        "click" => What::Click(touched(&mut fields)?),
        "long_click" => What::LongClick(touched(&mut fields)?),
        "scroll" => What::Scroll(Scrolled {
            package_name: fields.text("packageName")?,
            resource_id: fields.text_or_null("resourceId")?,
            scroll_x: fields.whole("scrollX")?,
            scroll_y: fields.whole("scrollY")?,
            max_scroll_x: fields.whole("maxScrollX")?,
            max_scroll_y: fields.whole("maxScrollY")?,
        }),
        "text_change" => What::TextChange {
            package_name: fields.text("packageName")?,
            resource_id: fields.text_or_null("resourceId")?,
            text: fields.text("text")?,
            password: fields.flag("password")?,
        },
        "press_key" => What::PressKey { key: fields.text("key")? },
        _ => What::Other(Other { kind, fields: fields.map }),
    };
    Ok(Event { line, seq, ts, snapshot, what })
}

fn touched(fields: &mut Fields) -> Result<Touched, Problem> {
    Ok(Touched {
        package_name: fields.text("packageName")?,
        resource_id: fields.text_or_null("resourceId")?,
        text: fields.text_or_null("text")?,
        content_desc: fields.text_or_null("contentDesc")?,
        bounds: fields.edges("bounds")?,
        password: fields.flag("password")?,
    })
}
