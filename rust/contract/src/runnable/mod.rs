//! The phone's reading of a payload: lenient. Unknown keys are passed over, numbers are clamped,
//! defaults are filled in; what comes out can run as it stands.

mod acts;
mod reader;
mod values;

pub use acts::{
    Act, App, Click, EnterText, NavigationWait, NodeWait, OpenUri, ReadKeyValuePair, ReadText,
    Recording, Screenshot, Scroll, ScrollAndClick, ScrollUntil, Snapshot, Swipe, TypeText,
};
pub use values::{
    ClickTarget, ClickType, Direction, Key, Point, Scope, StrokePoint, Target, Validator, View,
};

use crate::action::ActionType;
use crate::codes::ErrorCode;
use crate::invalid::{Invalid, Path, kind_of};
use crate::limits::{
    DEFAULT_TIMEOUT_MS, MAX_ACTIONS_ON_PHONE, MAX_ID_LENGTH, MAX_PAYLOAD_BYTES, MAX_SOURCE_LENGTH,
    TIMEOUT_MS,
};
use crate::{json, normalise};
use reader::{Reader, clamped, fail, required_text};
use serde_json::{Map, Value};
use std::time::Duration;

/// An execution the phone can run.
#[derive(Clone, Debug, PartialEq)]
pub struct Runnable {
    /// The caller's correlation id.
    pub command_id: String,
    /// The caller's task id.
    pub task_id: String,
    /// The caller's name.
    pub source: String,
    /// Time for the whole execution, waiting in the queue included.
    pub timeout: Duration,
    /// What to do, in order.
    pub actions: Vec<RunnableAction>,
}

/// One action of it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunnableAction {
    /// The step's correlation id.
    pub id: String,
    /// What to do.
    pub act: Act,
}

/// A payload the phone cannot run, with what is needed to answer it all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrunnable {
    /// The caller's correlation id, when it can be read.
    pub command_id: Option<String>,
    /// The caller's task id, when it can be read.
    pub task_id: Option<String>,
    /// What is wrong, with code `PAYLOAD_INVALID`.
    pub invalid: Invalid,
}

impl Runnable {
    /// Reads the text of a payload.
    pub fn from_text(payload: &[u8]) -> Result<Self, Unrunnable> {
        let value = json::parse(payload).map_err(|failure| Unrunnable {
            command_id: None,
            task_id: None,
            invalid: fail(&Path::ROOT, failure.message),
        })?;
        // Parsed first all the same: who is told its name can be answered.
        if payload.len() > MAX_PAYLOAD_BYTES {
            let size = payload.len();
            let message = format!(
                "the payload is {size} bytes, more than the {MAX_PAYLOAD_BYTES} a phone takes"
            );
            return Err(Unrunnable::of(&normalise::execution(value), fail(&Path::ROOT, message)));
        }
        Self::from_value(value)
    }

    /// Reads a payload.
    pub fn from_value(mut payload: Value) -> Result<Self, Unrunnable> {
        lower_case_types(&mut payload);
        let payload = normalise::execution(payload);
        read(&payload).map_err(|invalid| Unrunnable::of(&payload, invalid))
    }
}

/// The phone takes types in any case, and the aliases it has to know are lower case.
fn lower_case_types(payload: &mut Value) {
    let Some(actions) = payload.get_mut("actions").and_then(Value::as_array_mut) else { return };
    for action in actions {
        if let Some(Value::String(kind)) = action.get_mut("type") {
            *kind = kind.trim().to_ascii_lowercase();
        }
    }
}

fn read(payload: &Value) -> Result<Runnable, Invalid> {
    let root = Path::ROOT;
    let Some(top) = payload.as_object() else {
        let message = format!("an execution must be a JSON object, not {}", kind_of(payload));
        return Err(fail(&root, message));
    };
    Ok(Runnable {
        command_id: required_text(top, "commandId", MAX_ID_LENGTH, &root)?,
        task_id: required_text(top, "taskId", MAX_ID_LENGTH, &root)?,
        source: required_text(top, "source", MAX_SOURCE_LENGTH, &root)?,
        timeout: timeout(top)?,
        actions: actions(top)?,
    })
}

fn timeout(top: &Map<String, Value>) -> Result<Duration, Invalid> {
    let path = Path::ROOT.key("timeoutMs");
    let given = clamped(top.get("timeoutMs"), TIMEOUT_MS, &path)?;
    Ok(crate::retry::millis(given.unwrap_or(DEFAULT_TIMEOUT_MS)))
}

fn actions(top: &Map<String, Value>) -> Result<Vec<RunnableAction>, Invalid> {
    let path = Path::ROOT.key("actions");
    let actions = top.get("actions").and_then(Value::as_array);
    let Some(actions) = actions.filter(|list| (1..=MAX_ACTIONS_ON_PHONE).contains(&list.len()))
    else {
        let message = format!("actions must be an array of 1 to {MAX_ACTIONS_ON_PHONE} actions");
        return Err(fail(&path, message));
    };
    let each = actions.iter().enumerate();
    each.map(|(index, value)| action(value, &path.index(index))).collect()
}

fn action(value: &Value, path: &Path<'_>) -> Result<RunnableAction, Invalid> {
    let Some(object) = value.as_object() else {
        return Err(fail(path, format!("an action must be an object, not {}", kind_of(value))));
    };
    let id = object.get("id").and_then(Value::as_str).map(str::to_owned);
    let kind = object.get("type").and_then(Value::as_str).map(str::to_owned);
    let name = Some((id, kind));
    read_action(object, path).map_err(|invalid| Invalid { action: name, ..invalid })
}

fn read_action(object: &Map<String, Value>, path: &Path<'_>) -> Result<RunnableAction, Invalid> {
    let id = required_text(object, "id", MAX_ID_LENGTH, path)?;
    let type_path = path.key("type");
    let Some(name) = object.get("type").and_then(Value::as_str) else {
        return Err(fail(&type_path, "an action needs a type"));
    };
    let Some(kind) = ActionType::from_name(name) else {
        return Err(fail(&type_path, format!("unsupported action type \"{name}\"")));
    };
    let nothing = Map::new();
    let path = path.key("params");
    let params = match object.get("params") {
        None | Some(Value::Null) => &nothing,
        Some(Value::Object(params)) => params,
        Some(other) => {
            return Err(fail(&path, format!("params must be an object, not {}", kind_of(other))));
        }
    };
    let act = acts::read(&Reader { spec: kind.spec(), params, path: &path })?;
    Ok(RunnableAction { id, act })
}

impl Unrunnable {
    /// The code it is answered with.
    pub const CODE: ErrorCode = ErrorCode::PayloadInvalid;

    fn of(payload: &Value, invalid: Invalid) -> Self {
        let named = |key| payload.get(key).and_then(Value::as_str).map(str::to_owned);
        Self { command_id: named("commandId"), task_id: named("taskId"), invalid }
    }
}
