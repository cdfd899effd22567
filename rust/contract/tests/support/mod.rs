//! What the tests of payloads share: one execution around one action, read by either side.

#![allow(dead_code, reason = "each test file uses a part of it")]

use clawperator_contract::runnable::{Act, Unrunnable};
use clawperator_contract::{Execution, Failure, Runnable};
use serde_json::{Value, json};

/// An execution that is right but for its actions.
pub(crate) fn execution(actions: Value) -> Value {
    json!({
        "commandId": "cmd-001",
        "taskId": "task-001",
        "source": "agent-loop",
        "expectedFormat": "android-ui-automator",
        "timeoutMs": 30000,
        "actions": actions
    })
}

/// An action of that type and those parameters.
pub(crate) fn action(kind: &str, params: &Value) -> Value {
    json!({ "id": "a1", "type": kind, "params": params })
}

fn around(kind: &str, params: &Value) -> Value {
    execution(json!([action(kind, params)]))
}

/// What the host makes of a payload.
pub(crate) fn host(payload: &Value) -> Result<Execution, Failure> {
    Execution::from_text(payload.to_string().as_bytes())
}

/// The canonical payload the host sends for this one.
pub(crate) fn canonical(payload: &Value) -> Value {
    match host(payload) {
        Ok(execution) => serde_json::from_str(&execution.to_json()).unwrap(),
        Err(failure) => panic!("the host refuses {payload}: {failure} {:?}", failure.details),
    }
}

/// The canonical action the host sends for this one.
pub(crate) fn canonical_action(kind: &str, params: &Value) -> Value {
    canonical(&around(kind, params))["actions"][0].take()
}

/// The host's refusal of a payload.
pub(crate) fn refusal(payload: &Value) -> Failure {
    match host(payload) {
        Ok(_) => panic!("the host accepts {payload}"),
        Err(failure) => failure,
    }
}

/// The host's refusal of one action.
pub(crate) fn refused(kind: &str, params: &Value) -> Failure {
    refusal(&around(kind, params))
}

/// Where in the payload a refusal points.
pub(crate) fn path(failure: &Failure) -> &str {
    failure.details["path"].as_str().unwrap()
}

/// What the phone makes of a payload.
pub(crate) fn phone(payload: &Value) -> Result<Runnable, Unrunnable> {
    Runnable::from_text(payload.to_string().as_bytes())
}

/// The one thing the phone will do for this action.
pub(crate) fn act(kind: &str, params: &Value) -> Act {
    match phone(&around(kind, params)) {
        Ok(mut runnable) => runnable.actions.remove(0).act,
        Err(unrunnable) => panic!("the phone cannot read {kind} {params}: {unrunnable:?}"),
    }
}

/// Why the phone cannot do this action.
pub(crate) fn unreadable(kind: &str, params: &Value) -> Unrunnable {
    match phone(&around(kind, params)) {
        Ok(runnable) => panic!("the phone reads {kind} {params} as {runnable:?}"),
        Err(unrunnable) => unrunnable,
    }
}
