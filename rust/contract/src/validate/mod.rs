//! The host's reading of a payload: strict. What comes out is canonical and may be sent.

mod fields;
mod nodes;
mod problems;

use crate::action::{ACTIONS, ActionType, Origin};
use crate::aliases;
use crate::codes::ErrorCode;
use crate::execution::{Action, EXPECTED_FORMAT, Execution, Mode};
use crate::failure::Failure;
use crate::invalid::{Invalid, Path, kind_of};
use crate::limits::{
    MAX_ACTIONS, MAX_ID_LENGTH, MAX_PAYLOAD_BYTES, MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH, TIMEOUT_MS,
};
use crate::{json, normalise, suggest};
use fields::Context;
use problems::{fail, known_keys, text_problem};
use serde_json::{Map, Value};

const TOP_KEYS: &[&str] =
    &["commandId", "taskId", "source", "expectedFormat", "timeoutMs", "actions", "mode"];
const ACTION_KEYS: &[&str] = &["id", "type", "params"];

impl Execution {
    /// Validates the text of a payload.
    pub fn from_text(payload: &[u8]) -> Result<Self, Failure> {
        Ok(Self::from_value(json::parse(payload)?)?)
    }

    /// Validates a payload.
    pub fn from_value(payload: Value) -> Result<Self, Invalid> {
        execution(payload)
    }
}

/// Normalises a payload, then checks it: the top level first, then the actions in order, the
/// fields of each in the order of the tables. The first failure is returned.
fn execution(payload: Value) -> Result<Execution, Invalid> {
    let mut payload = normalise::execution(payload);
    let Some(top) = payload.as_object_mut() else {
        let message = format!("an execution must be a JSON object, not {}", kind_of(&payload));
        return Err(fail(&Path::ROOT, message));
    };
    known_keys(top, TOP_KEYS, aliases::EXECUTION, &Path::ROOT, "an execution")?;
    let command_id = text(top, "commandId", MAX_ID_LENGTH)?;
    let task_id = text(top, "taskId", MAX_ID_LENGTH)?;
    let source = text(top, "source", MAX_SOURCE_LENGTH)?;
    expected_format(top)?;
    let timeout_ms = timeout(top)?;
    let actions = action_list(top)?;
    let mode = mode(top)?;
    let actions = actions
        .into_iter()
        .enumerate()
        .map(|(index, value)| action(value, &Path::ROOT.key("actions").index(index)))
        .collect::<Result<Vec<_>, _>>()?;
    let execution = Execution::new(command_id, task_id, source, timeout_ms, actions, mode);
    fits(&execution)?;
    Ok(execution)
}

fn text(top: &mut Map<String, Value>, key: &str, max: usize) -> Result<String, Invalid> {
    let path = Path::ROOT.key(key);
    take_text(top, key, max).map_err(|problem| fail(&path, format!("{key} {problem}")))
}

/// Takes a required, non-blank text; a failure is the end of a sentence that begins with its name.
fn take_text(object: &mut Map<String, Value>, key: &str, max: usize) -> Result<String, String> {
    match object.get_mut(key) {
        None => Err("is required".into()),
        Some(Value::String(text)) => match text_problem(text, Some(max)) {
            Some(problem) => Err(problem),
            None => Ok(std::mem::take(text)),
        },
        Some(other) => Err(format!("must be a string, not {}", kind_of(other))),
    }
}

fn expected_format(top: &Map<String, Value>) -> Result<(), Invalid> {
    let path = Path::ROOT.key("expectedFormat");
    match top.get("expectedFormat") {
        Some(Value::String(format)) if format == EXPECTED_FORMAT => Ok(()),
        None => Err(fail(&path, format!("expectedFormat is required: \"{EXPECTED_FORMAT}\""))),
        Some(other) => {
            Err(fail(&path, format!("expectedFormat must be \"{EXPECTED_FORMAT}\", not {other}")))
        }
    }
}

fn timeout(top: &Map<String, Value>) -> Result<serde_json::Number, Invalid> {
    let path = Path::ROOT.key("timeoutMs");
    let range = format!("between {} and {}", TIMEOUT_MS.min, TIMEOUT_MS.max);
    match top.get("timeoutMs") {
        None => Err(fail(&path, format!("timeoutMs is required, {range}"))),
        Some(Value::Number(number)) if TIMEOUT_MS.holds(number.as_f64().unwrap_or(0.0)) => {
            Ok(number.clone())
        }
        Some(Value::Number(number)) => {
            Err(fail(&path, format!("timeoutMs must be {range}, not {number}")))
        }
        Some(other) => {
            Err(fail(&path, format!("timeoutMs must be a number, not {}", kind_of(other))))
        }
    }
}

fn action_list(top: &mut Map<String, Value>) -> Result<Vec<Value>, Invalid> {
    let path = Path::ROOT.key("actions");
    match top.get_mut("actions").map(Value::take) {
        None => Err(fail(&path, "actions is required")),
        Some(Value::Array(actions)) if actions.is_empty() => {
            Err(fail(&path, "actions must hold at least one action"))
        }
        Some(Value::Array(actions)) if actions.len() > MAX_ACTIONS => {
            let message =
                format!("actions may hold at most {MAX_ACTIONS} actions, not {}", actions.len());
            Err(fail(&path, message).hint("split the work into several executions"))
        }
        Some(Value::Array(actions)) => Ok(actions),
        Some(other) => {
            Err(fail(&path, format!("actions must be an array, not {}", kind_of(&other))))
        }
    }
}

fn mode(top: &Map<String, Value>) -> Result<Option<Mode>, Invalid> {
    let Some(value) = top.get("mode") else { return Ok(None) };
    let known = [Mode::ArtifactCompiled, Mode::Direct];
    match known.into_iter().find(|mode| value == mode.name()) {
        Some(mode) => Ok(Some(mode)),
        None => {
            let words = known.map(|mode| format!("\"{}\"", mode.name())).join(" or ");
            Err(fail(&Path::ROOT.key("mode"), format!("mode must be {words}, not {value}")))
        }
    }
}

fn action(mut value: Value, path: &Path<'_>) -> Result<Action, Invalid> {
    let Some(object) = value.as_object_mut() else {
        let message = format!("an action must be an object, not {}", kind_of(&value));
        return Err(fail(path, message));
    };
    let named = |object: &Map<String, Value>, key: &str| {
        object.get(key).and_then(Value::as_str).map(str::to_owned)
    };
    // Read before they are taken: a failure anywhere in the action names it.
    let name = Some((named(object, "id"), named(object, "type")));
    checked_action(object, path).map_err(|invalid| Invalid { action: name, ..invalid })
}

fn checked_action(object: &mut Map<String, Value>, path: &Path<'_>) -> Result<Action, Invalid> {
    known_keys(object, ACTION_KEYS, &[], path, "an action")?;
    let id = take_text(object, "id", MAX_ID_LENGTH)
        .map_err(|problem| fail(&path.key("id"), format!("an action's id {problem}")))?;
    let name = take_text(object, "type", MAX_TYPE_LENGTH)
        .map_err(|problem| fail(&path.key("type"), format!("an action's type {problem}")))?;
    let kind = supported(&name, &path.key("type"))?;
    let path = path.key("params");
    let params = match object.get_mut("params").map(Value::take) {
        None => None,
        Some(Value::Object(params)) => Some(params),
        Some(other) => {
            return Err(fail(
                &path,
                format!("{kind} params must be an object, not {}", kind_of(&other)),
            ));
        }
    };
    let given = params.is_some();
    let params = Context { spec: kind.spec(), path: &path }.check(params.unwrap_or_default())?;
    Ok(Action::new(id, kind, given.then_some(params)))
}

fn supported(name: &str, path: &Path<'_>) -> Result<ActionType, Invalid> {
    let found = ActionType::from_name(name);
    if let Some(kind) = found.filter(|kind| kind.spec().origin != Origin::Internal) {
        return Ok(kind);
    }
    let public = || ACTIONS.iter().filter(|spec| spec.origin != Origin::Internal);
    let near = suggest::nearest(
        name,
        public().flat_map(|spec| spec.aliases.iter().copied().chain([spec.name])),
    );
    let hint = match near {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("supported: {}", public().map(|s| s.name).collect::<Vec<_>>().join(", ")),
    };
    let code = ErrorCode::ExecutionActionUnsupported;
    Err(fail(path, format!("unsupported action type \"{name}\"")).hint(format!("{code}: {hint}")))
}

fn fits(execution: &Execution) -> Result<(), Invalid> {
    let size = execution.to_json().len();
    if size <= MAX_PAYLOAD_BYTES {
        return Ok(());
    }
    let message =
        format!("the execution is {size} bytes, more than the {MAX_PAYLOAD_BYTES} a phone takes");
    Err(Invalid::new(ErrorCode::PayloadTooLarge, &Path::ROOT, message)
        .hint("split the work into several executions, or shorten long texts"))
}
