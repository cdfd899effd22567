//! What an agent may send on one line.

use super::record::discreet;
use crate::human::Secret;
use crate::normalise::{Note, SeenKind, normalise};
use crate::{Action, Step};
use clawperator_contract::{ErrorCode, Failure};
use serde::Deserialize;
use serde_json::Value;
use std::fmt;

/// A line that was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// What the agent calls it; the answer carries it too.
    pub id: Option<Value>,
    /// What it asks for.
    pub request: Request,
}

/// A line that was not, with its name if at least that could be read.
#[derive(Debug, Clone, PartialEq)]
pub struct BadLine {
    /// What the agent calls it.
    pub id: Option<Value>,
    /// What is wrong with it.
    pub failure: Failure,
}

/// What a line asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// One action.
    Act(Box<Act>),
    /// A look at the screen.
    Snapshot(Wish),
    /// The tools a model is offered.
    Tools,
    /// A person's decision, told here instead of on the page.
    Decide(Decide),
    /// The end, without having finished.
    Stop,
}

/// An action with what came around it.
#[derive(Clone, PartialEq)]
pub struct Act {
    /// What the model thought.
    pub thought: String,
    /// What is to be done.
    pub action: Action,
    /// What of it was not taken as it came.
    pub notes: Vec<Note>,
    /// The element of the last snapshot that a `tap` names instead of a point.
    pub element: Option<String>,
    /// What a person gave under this name, which a `type` types instead of a text.
    pub secret: Option<String>,
}

/// How a snapshot is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Wish {
    /// The model that will see it decides how large it is; the session's if it is not named.
    pub model: Option<String>,
    /// Where the pictures go.
    pub pictures: Pictures,
}

/// Where the pictures of a snapshot go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pictures {
    /// Into the answer, in base64.
    #[default]
    Inline,
    /// Into the session's folder; the answer names the files.
    Files,
}

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Decide {
    /// The request for a person's leave.
    pub request_id: String,
    /// Yes or no.
    pub approved: bool,
    /// What the person says about it, which may be a code.
    #[serde(default)]
    pub note: Secret,
}

/// A line that was not understood, and why.
pub(super) fn bad(number: usize, id: Option<Value>, message: &str) -> BadLine {
    let code = ErrorCode::PocketRequestInvalid;
    let failure = Failure::new(code, format!("line {number}: {message}")).detail("line", number);
    BadLine { id, failure: failure.hint(code.remedy()) }
}

const REQUESTS: [&str; 4] = ["snapshot", "tools", "decide", "stop"];

/// Reads one line. What is an object with a `type` is an action, whatever its type: an unknown one
/// is a `wait`, as the schema says.
///
/// # Errors
/// It is no JSON object, or none of the forms.
pub(super) fn read(line: &str, number: usize) -> Result<Line, BadLine> {
    let bad = |id: Option<Value>, message: String| bad(number, id, &message);
    let value: Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(error) => return Err(bad(None, format!("not JSON: {error}"))),
    };
    let Some(object) = value.as_object() else {
        return Err(bad(None, "not a JSON object".into()));
    };
    let id = object.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
    let request = if let Some(name) = object.get("request") {
        let rest: Value = object
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "id" | "request"))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        named(name, rest)
    } else {
        act(&value).map(|act| Request::Act(Box::new(act)))
    };
    match request {
        Ok(request) => Ok(Line { id, request }),
        Err(message) => Err(bad(id, message)),
    }
}

fn named(name: &Value, rest: Value) -> Result<Request, String> {
    fn keys<T: for<'a> Deserialize<'a>>(name: &str, rest: Value) -> Result<T, String> {
        serde_json::from_value(rest).map_err(|error| format!("{name}: {error}"))
    }
    let name = name.as_str().unwrap_or_default();
    match name {
        "snapshot" => keys(name, rest).map(Request::Snapshot),
        "decide" => keys(name, rest).map(Request::Decide),
        "tools" => Ok(Request::Tools),
        "stop" => Ok(Request::Stop),
        _ => Err(format!("there is no request {name:?}; requests are {}", REQUESTS.join(", "))),
    }
}

fn act(value: &Value) -> Result<Act, String> {
    let calls = value.get("tool").is_some()
        || value.get("tool_calls").is_some()
        || value.get("content").is_some_and(Value::is_array);
    if calls {
        let step = Step::of_message(value).map_err(|error| error.to_string())?;
        let raw: Value = serde_json::from_str(&step.output.raw).unwrap_or_default();
        let args = &raw["args"];
        let (thought, action) = (step.output.thought, step.output.action);
        return Ok(Act::of(thought, action, step.notes, args));
    }
    let (thought, given) = match value.get("action") {
        // `process` has a field of that name too.
        Some(action) if value.get("type").is_none() => {
            (value.get("thought").and_then(Value::as_str).unwrap_or_default(), action)
        }
        _ if value.get("type").is_some() => ("", value),
        _ => return Err("neither `request`, `type`, `action` nor a tool call".into()),
    };
    let normalised = normalise(given);
    Ok(Act::of(thought.to_owned(), normalised.action, normalised.notes, given))
}

/// What a session takes beside the fields of the schema.
const OURS: [&str; 3] = ["id", "element", "secret"];

/// Without what is typed, which may be a person's.
impl fmt::Debug for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Act")
            .field("action", &discreet(&self.action))
            .field("notes", &self.notes)
            .field("element", &self.element)
            .field("secret", &self.secret)
            .finish_non_exhaustive()
    }
}

impl Act {
    fn of(thought: String, action: Action, mut notes: Vec<Note>, given: &Value) -> Self {
        notes.retain(|note| !OURS.contains(&note.field.as_str()));
        Self {
            thought,
            action,
            notes,
            element: name(given, "element"),
            secret: name(given, "secret"),
        }
    }

    /// What was not taken as it came and was not merely left out: the defaults stand in the action.
    pub(super) fn surprises(&self) -> Option<Value> {
        let odd = |note: &&Note| note.seen_kind != SeenKind::Missing;
        let notes: Vec<&Note> = self.notes.iter().filter(odd).collect();
        (!notes.is_empty()).then(|| serde_json::json!(notes))
    }
}

fn name(given: &Value, key: &str) -> Option<String> {
    match given.get(key)? {
        Value::String(name) => Some(name.trim().to_owned()),
        Value::Number(name) => Some(name.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn act_of(line: &Value) -> Act {
        match read(&line.to_string(), 1).unwrap().request {
            Request::Act(act) => *act,
            other => panic!("{other:?}"),
        }
    }

    fn why(line: &str) -> String {
        let bad = read(line, 7).unwrap_err();
        assert_eq!(bad.failure.code, ErrorCode::PocketRequestInvalid);
        bad.failure.message
    }

    #[test]
    fn an_action_a_step_and_a_tool_call_are_the_same_thing() {
        let action = json!({"type": "tap", "x": 1, "y": 2});
        let bare = act_of(&action);
        let step = act_of(&json!({"thought": "there", "action": action, "raw": "…"}));
        let call = act_of(&json!({"tool": "tap", "args": {"thought": "there", "x": 1, "y": 2}}));
        assert_eq!(bare.action, step.action);
        assert_eq!(step, call);
        assert_eq!(step.thought, "there");
        assert!(step.notes.is_empty(), "{:?}", step.notes);
    }

    #[test]
    fn the_field_action_of_process_makes_no_step_of_it() {
        let act = act_of(&json!({"type": "process", "action": "list"}));
        assert!(matches!(act.action, Action::Process { .. }));
    }

    #[test]
    fn a_tap_may_name_an_element_in_every_form() {
        for line in [
            json!({"type": "tap", "element": "4"}),
            json!({"action": {"type": "tap", "element": 4}}),
            json!({"tool": "tap", "args": {"element": " 4 "}}),
        ] {
            assert_eq!(act_of(&line).element.as_deref(), Some("4"), "{line}");
        }
    }

    #[test]
    fn what_is_typed_is_not_in_what_is_printed_for_a_log() {
        let shown = format!("{:?}", act_of(&json!({"type": "type", "text": "hunter2"})));
        assert!(shown.contains("7 characters") && !shown.contains("hunter2"), "{shown}");
    }

    #[test]
    fn what_names_the_line_comes_back_even_if_the_line_is_bad() {
        assert_eq!(read(r#"{"id":"a","type":"wait"}"#, 1).unwrap().id, Some(json!("a")));
        assert_eq!(read(r#"{"id":9,"request":"nap"}"#, 1).unwrap_err().id, Some(json!(9)));
    }

    #[test]
    fn an_unknown_type_waits_as_the_schema_says() {
        assert!(matches!(act_of(&json!({"type": "dance"})).action, Action::Wait { .. }));
    }

    #[test]
    fn what_is_no_request_says_why_and_where() {
        assert!(why("{").starts_with("line 7: not JSON"));
        assert_eq!(why("[]"), "line 7: not a JSON object");
        assert_eq!(why("{}"), "line 7: neither `request`, `type`, `action` nor a tool call");
        assert!(why(r#"{"request":"nap"}"#).contains("snapshot, tools, decide, stop"));
        assert!(why(r#"{"request":"snapshot","mdoel":"x"}"#).contains("mdoel"));
        assert!(
            why(r#"{"request":"decide","requestId":"r","approved":"yes"}"#).contains("boolean")
        );
        assert!(why(r#"{"tool":"tap","args":[1]}"#).contains("not a JSON object"));
    }
}
