//! Actions as executions of the operator.

use crate::outcome::{Done, Outcome};
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure, Status, StepResult};
use clawperator_host::build::number;
use clawperator_host::dispatch::{self, Route, execute};
use clawperator_host::ids;
use serde_json::{Value, json};

/// Who sends it.
pub(crate) const SOURCE: &str = "clawperator-pocket";

/// What became of an execution.
pub(crate) enum Sent {
    /// It ran.
    Done(Box<dispatch::Done>),
    /// There is no operator to run it, and nothing was done.
    Unreachable(Failure),
}

/// An execution of these actions.
pub(crate) fn execution(name: &str, actions: &Value, timeout: f64) -> Result<Execution, Failure> {
    let id = ids::command(name);
    Ok(Execution::from_value(json!({
        "commandId": id, "taskId": id, "source": SOURCE,
        "expectedFormat": "android-ui-automator", "timeoutMs": number(timeout),
        "actions": actions, "mode": "direct",
    }))?)
}

/// Sends actions and waits for their end.
pub(crate) fn send(
    route: &Route<'_>,
    name: &str,
    actions: &Value,
    timeout: f64,
) -> Result<Sent, Failure> {
    let execution = execution(name, actions, timeout)?;
    match execute(route, &execution, &mut ()) {
        Ok(done) => Ok(Sent::Done(Box::new(done))),
        Err(why) if is_absent(&why) => Ok(Sent::Unreachable(why)),
        Err(failure) => Err(failure),
    }
}

/// Is there surely no operator? One that is deaf, or of the other variant, is not absent: what was
/// sent to it may still be done, and it is for a person to mend.
pub(crate) fn is_absent(why: &Failure) -> bool {
    matches!(why.code, ErrorCode::OperatorNotInstalled | ErrorCode::DeviceAccessibilityNotRunning)
}

/// What is told of an execution that succeeded.
pub(super) fn outcome(done: &dispatch::Done) -> Done {
    if done.envelope.status == Status::Failed {
        let failure = failure_of(&done.envelope);
        return Err(match &done.evidence {
            Some(kept) => failure.detail("evidence", kept.folder.display().to_string()),
            None => failure,
        });
    }
    Ok(Outcome::default().with("via", "operator").with("link", done.link.name()))
}

/// What is told of an action that was done without the operator.
pub(super) fn without(why: &Failure) -> Outcome {
    Outcome::default().with("via", "adb").with("operator", why.code.name())
}

/// Why an execution failed.
pub(crate) fn failure_of(envelope: &Envelope) -> Failure {
    let step = envelope.first_failure();
    let code = step.and_then(StepResult::error).or(envelope.error_code.as_deref());
    let code = code.and_then(|code| code.parse().ok()).unwrap_or(ErrorCode::ActionFailed);
    let message = step.and_then(|step| step.data.get("message").cloned());
    let message = message.or_else(|| envelope.error.clone());
    let message = message.unwrap_or_else(|| "the phone did not say what went wrong".into());
    Failure::new(code, message).hint(code.remedy())
}
