//! Executions of one action, as the flat commands send them.

use crate::ids;
use clawperator_contract::execution::EXPECTED_FORMAT;
use clawperator_contract::limits::{DEFAULT_TIMEOUT_MS, TIMEOUT_MS};
use clawperator_contract::{Execution, Failure};
use serde_json::{Map, Value, json};

/// An action that waits must end before the execution does.
const ROOM_MS: f64 = 5_000.0;

/// An execution of one action, for a caller of this name. The command names it in its ids.
pub fn single(
    command: &str,
    source: &str,
    (id, kind): (&str, &str),
    params: Map<String, Value>,
    timeout_ms: f64,
) -> Result<Execution, Failure> {
    let name = ids::command(command);
    let mut action = json!({ "id": id, "type": kind });
    if !params.is_empty() {
        action["params"] = Value::Object(params);
    }
    Ok(Execution::from_value(json!({
        "commandId": name, "taskId": name, "source": source, "expectedFormat": EXPECTED_FORMAT,
        "timeoutMs": number(timeout_ms), "actions": [action], "mode": "direct",
    }))?)
}

/// The timeout of an execution: what was asked for, or the usual.
#[must_use]
pub fn timeout(asked: Option<f64>) -> f64 {
    asked.unwrap_or(DEFAULT_TIMEOUT_MS)
}

/// The timeout of an execution whose one action may take so long.
#[must_use]
pub fn timeout_around(action_ms: f64, asked: Option<f64>) -> f64 {
    let room = (action_ms + ROOM_MS).max(asked.unwrap_or(0.0)).max(DEFAULT_TIMEOUT_MS);
    room.min(TIMEOUT_MS.max)
}

/// A number without the fraction it does not have.
#[must_use]
pub fn number(value: f64) -> Value {
    #[allow(clippy::cast_possible_truncation, reason = "checked to be a small whole number")]
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_execution_outlives_its_one_action() {
        assert_eq!(timeout_around(1_000.0, None), 30_000.0);
        assert_eq!(timeout_around(40_000.0, None), 45_000.0);
        assert_eq!(timeout_around(1_500.0, Some(60_000.0)), 60_000.0);
        // The contract allows no more; the action is then cut off by the execution's end.
        assert_eq!(timeout_around(120_000.0, None), 120_000.0);
    }

    #[test]
    fn it_is_what_a_caller_would_have_written() {
        let params = Map::from_iter([("key".to_owned(), json!("back"))]);
        let execution = single("back", "test", ("press", "press_key"), params, 30_000.0).unwrap();
        let seen: Value = serde_json::from_str(&execution.to_json()).unwrap();
        assert!(execution.command_id().starts_with("back-"));
        assert_eq!(
            seen["actions"],
            json!([
                { "id": "press", "type": "press_key", "params": { "key": "back" } }
            ])
        );
        assert_eq!(seen["timeoutMs"].to_string(), "30000");
    }
}
