//! From whatever a model sent to an action, with a note on everything that was not taken as it came.

mod read;

use crate::action::{Action, ActionType, Fallback, Field, action_type};
use read::{Read, number, read};
use serde::Serialize;
use serde_json::{Map, Value};

/// The most of a name that a note or a reason repeats: names are short, secrets may not be.
const LONGEST_NAME: usize = 64;
/// Where models put a point that they do not give as `x` and `y`.
const POINTS: [&str; 2] = ["coordinate", "position"];
const EXPECTED_OF_TAP: [&str; 4] = ["type", "thought", POINTS[0], POINTS[1]];

/// An action and what was done to get it.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    /// The action.
    pub action: Action,
    /// What was not taken as it came. Empty for the JSON of an action that was normalised before.
    pub notes: Vec<Note>,
}

/// One field that was not taken as it came. It never holds the value, which may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// The field, such as `x` or `uiTemplate.fields[0].type`; empty for the action as a whole.
    pub field: String,
    /// What stood there.
    pub seen_kind: SeenKind,
    /// What was done.
    pub used: Used,
}

/// The kind of a JSON value, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "JSON's own words")]
pub enum SeenKind {
    Missing,
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl SeenKind {
    fn of(value: Option<&Value>) -> Self {
        match value {
            None => Self::Missing,
            Some(Value::Null) => Self::Null,
            Some(Value::Bool(_)) => Self::Boolean,
            Some(Value::Number(_)) => Self::Number,
            Some(Value::String(_)) => Self::String,
            Some(Value::Array(_)) => Self::Array,
            Some(Value::Object(_)) => Self::Object,
        }
    }
}

/// What was done with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Used {
    /// Its default: it was missing or invalid.
    Default,
    /// The same thing in the right form: 12 of `"12"`, `poll` of `" POLL "`.
    Converted,
    /// The nearest value allowed.
    Nearest,
    /// The value of another field that stands for it.
    OtherField,
    /// Nothing: the field is optional or unknown, and is left out.
    Dropped,
}

/// The action that `value` stands for. What is no action is a `wait`.
#[must_use]
pub fn normalise(value: &Value) -> Normalised {
    let Some(given) = value.as_object() else {
        return no_action("", SeenKind::of(Some(value)), "invalid action payload");
    };
    let name = given.get("type").and_then(Value::as_str).unwrap_or_default().trim();
    let Some(of) = action_type(name) else {
        let reason = format!("unknown action type '{}'", cut(name));
        return no_action("type", SeenKind::of(given.get("type")), &reason);
    };
    let mut notes = Notes::default();
    let is_tap = of.name == "tap";
    let pair = if is_tap { pair(given) } else { None };
    let filled = if let Some((field, [x, y])) = pair {
        notes.add(field, SeenKind::Array, Used::OtherField);
        let mut given = given.clone();
        given.insert("x".into(), x.clone());
        given.insert("y".into(), y.clone());
        notes.object("", &given, of.fields)
    } else {
        notes.object("", given, of.fields)
    };
    // A thought is a parameter of every tool and belongs to the step, not to the action.
    let expected: &[&str] = if is_tap { &EXPECTED_OF_TAP } else { &["type", "thought"] };
    notes.unlisted("", given, of.fields, expected);
    match typed(of, filled) {
        Ok(action) => Normalised { action, notes: notes.0 },
        // The table and the enum would have to disagree, which the tests rule out.
        Err(_) => no_action("", SeenKind::Object, "invalid action payload"),
    }
}

fn typed(of: &ActionType, mut filled: Map<String, Value>) -> serde_json::Result<Action> {
    filled.insert("type".into(), of.name.into());
    serde_json::from_value(Value::Object(filled))
}

fn no_action(field: &str, seen_kind: SeenKind, reason: &str) -> Normalised {
    let note = Note { field: field.into(), seen_kind, used: Used::Default };
    let wait = action_type("wait").and_then(|wait| wait.fields.first());
    let duration_ms = match wait.map(|field| field.fallback) {
        Some(Fallback::Whole(default)) => default,
        _ => 0,
    };
    let action = Action::Wait { duration_ms, reason: Some(reason.into()) };
    Normalised { action, notes: vec![note] }
}

/// A point given as a list, which models send when they miss `x` or `y`. It is taken whole: half of
/// one point and half of another would be a third that nobody meant.
fn pair(given: &Map<String, Value>) -> Option<(&'static str, [&Value; 2])> {
    let usable = |name: &str| given.get(name).and_then(number).is_some();
    if usable("x") && usable("y") {
        return None;
    }
    POINTS.into_iter().find_map(|field| match given.get(field)?.as_array()?.as_slice() {
        [x, y, ..] => Some((field, [x, y])),
        _ => None,
    })
}

/// At most [`LONGEST_NAME`] characters of `name`.
fn cut(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}

#[derive(Default)]
struct Notes(Vec<Note>);

impl Notes {
    fn add(&mut self, field: &str, seen_kind: SeenKind, used: Used) {
        self.0.push(Note { field: field.to_owned(), seen_kind, used });
    }

    /// The fields of an object, each as the table wants it.
    fn object(
        &mut self,
        path: &str,
        given: &Map<String, Value>,
        fields: &[Field],
    ) -> Map<String, Value> {
        let read = fields.iter().filter_map(|field| {
            let value = self.field(&format!("{path}{}", field.name), given, field)?;
            Some((field.name.to_owned(), value))
        });
        read.collect()
    }

    fn field(&mut self, path: &str, given: &Map<String, Value>, field: &Field) -> Option<Value> {
        let named = |name: &&str| given.get(*name).filter(|value| !value.is_null());
        let own = named(&field.name);
        let value = own.or_else(|| field.aliases.iter().find_map(named));
        let Some(value) = value else {
            let fallback = field.fallback.value();
            let seen = given.get(field.name);
            if fallback.is_some() || seen.is_some() {
                let used = if fallback.is_some() { Used::Default } else { Used::Dropped };
                self.add(path, SeenKind::of(seen), used);
            }
            return fallback;
        };
        let seen = SeenKind::of(Some(value));
        match read(self, path, value, field) {
            Read::AsIs(value) => {
                if own.is_none() {
                    self.add(path, seen, Used::OtherField);
                }
                Some(value)
            }
            Read::As(value, used) => {
                self.add(path, seen, used);
                Some(value)
            }
            Read::Invalid => {
                let fallback = field.fallback.value();
                let used = if fallback.is_some() { Used::Default } else { Used::Dropped };
                self.add(path, seen, used);
                fallback
            }
        }
    }

    /// Notes on what no field takes.
    fn unlisted(
        &mut self,
        path: &str,
        given: &Map<String, Value>,
        fields: &[Field],
        expected: &[&str],
    ) {
        for (key, value) in given {
            let key = key.as_str();
            let listed = fields.iter().any(|of| of.name == key || of.aliases.contains(&key));
            if !listed && !expected.contains(&key) {
                let field = format!("{path}{}", cut(key));
                self.add(&field, SeenKind::of(Some(value)), Used::Dropped);
            }
        }
    }
}
