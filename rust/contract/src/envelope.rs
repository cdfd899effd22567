//! The one result of an execution.

use crate::codes::{Area, ErrorCode};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a step has to say. Texts only: every reader of the contract can count on that.
pub type StepData = BTreeMap<String, String>;

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Every step succeeded.
    Success,
    /// A step failed, or the execution as a whole did.
    Failed,
}

/// The result of one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StepResult {
    /// The action's id.
    pub id: String,
    /// The action's canonical type.
    pub action_type: String,
    /// Did it do what it was asked?
    pub success: bool,
    /// What it has to say; on failure `error` holds a code and `message` a sentence.
    #[serde(default, deserialize_with = "texts")]
    pub data: StepData,
}

/// The one result of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    /// The execution's `commandId`.
    pub command_id: String,
    /// The execution's `taskId`.
    pub task_id: String,
    /// How it ended.
    pub status: Status,
    /// The steps that ran, in order.
    pub step_results: Vec<StepResult>,
    /// A sentence for people when it failed, else null.
    #[serde(default)]
    pub error: Option<String>,
    /// A stable code when it failed as a whole, else null.
    #[serde(default)]
    pub error_code: Option<String>,
    /// What to do about the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl StepResult {
    /// A step that did what it was asked.
    #[must_use]
    pub fn success(id: &str, action_type: &str, data: StepData) -> Self {
        Self { id: id.into(), action_type: action_type.into(), success: true, data }
    }

    /// A step that did not.
    #[must_use]
    pub fn failure(id: &str, action_type: &str, code: ErrorCode, message: &str) -> Self {
        let data = [("error", code.name()), ("message", message)];
        let data = data.map(|(key, text)| (key.to_owned(), text.to_owned())).into();
        Self { id: id.into(), action_type: action_type.into(), success: false, data }
    }

    /// The code it failed with.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.data.get("error").map(String::as_str)
    }
}

impl Envelope {
    /// An envelope for these steps; its status follows from them.
    #[must_use]
    pub fn of_steps(command_id: &str, task_id: &str, step_results: Vec<StepResult>) -> Self {
        let mut envelope = Self {
            command_id: command_id.into(),
            task_id: task_id.into(),
            status: Status::Success,
            step_results,
            error: None,
            error_code: None,
            hint: None,
        };
        envelope.reconcile();
        envelope
    }

    /// An envelope for an execution that failed as a whole, with the steps that ran before.
    #[must_use]
    pub fn failed(
        command_id: &str,
        task_id: &str,
        step_results: Vec<StepResult>,
        code: ErrorCode,
        error: &str,
    ) -> Self {
        Self {
            command_id: command_id.into(),
            task_id: task_id.into(),
            status: Status::Failed,
            step_results,
            error: Some(error.into()),
            error_code: Some(code.name().into()),
            hint: None,
        }
    }

    /// The same without its steps.
    #[must_use]
    pub fn without_steps(&self) -> Self {
        Self {
            command_id: self.command_id.clone(),
            task_id: self.task_id.clone(),
            status: self.status,
            step_results: Vec::new(),
            error: self.error.clone(),
            error_code: self.error_code.clone(),
            hint: self.hint.clone(),
        }
    }

    /// The first step that failed.
    #[must_use]
    pub fn first_failure(&self) -> Option<&StepResult> {
        self.step_results.iter().find(|step| !step.success)
    }

    /// Brings the status in line with the steps, after something changed them: a failed step makes
    /// a failed execution, steps that all succeeded make a successful one. An envelope without
    /// steps keeps what it says, and so does one that failed as a whole with its steps all well:
    /// time ran out between two of them.
    pub fn reconcile(&mut self) {
        if let Some(step) = self.first_failure() {
            let code = step.error().unwrap_or(ErrorCode::ActionFailed.name());
            let error = format!("Step {} ({}) failed: {code}", step.id, step.action_type);
            self.status = Status::Failed;
            self.error = Some(error);
        } else if !self.step_results.is_empty() && !self.failed_as_a_whole() {
            self.status = Status::Success;
            self.error = None;
            self.error_code = None;
            self.hint = None;
        }
    }
}

impl Envelope {
    /// Did the execution fail by itself, not through one of its steps?
    fn failed_as_a_whole(&self) -> bool {
        let code = self.error_code.as_deref().and_then(|code| code.parse::<ErrorCode>().ok());
        code.is_some_and(|code| code.area() == Area::Execution)
    }
}

/// Other runtimes have been seen to answer with numbers and flags where texts belong.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<StepData, D::Error> {
    let loose = Option::<BTreeMap<String, Value>>::deserialize(deserializer)?;
    let texts = loose.unwrap_or_default().into_iter().filter_map(|(key, value)| match value {
        Value::Null => None,
        Value::String(text) => Some((key, text)),
        other => Some((key, other.to_string())),
    });
    Ok(texts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn step(id: &str, success: bool) -> StepResult {
        if success {
            StepResult::success(id, "click", StepData::new())
        } else {
            StepResult::failure(id, "click", ErrorCode::NodeNotFound, "nothing fits")
        }
    }

    #[test]
    fn keys_stand_in_the_order_of_the_contract_and_error_is_always_there() {
        let envelope = Envelope::of_steps("c", "t", vec![step("a", true)]);
        assert_eq!(
            json::compact(&envelope),
            r#"{"commandId":"c","taskId":"t","status":"success","stepResults":[{"id":"a","actionType":"click","success":true,"data":{}}],"error":null,"errorCode":null}"#
        );
    }

    #[test]
    fn a_failed_step_makes_a_failed_execution() {
        let envelope = Envelope::of_steps("c", "t", vec![step("a", true), step("b", false)]);
        assert_eq!(envelope.status, Status::Failed);
        assert_eq!(envelope.error.as_deref(), Some("Step b (click) failed: NODE_NOT_FOUND"));
    }

    #[test]
    fn steps_that_were_mended_make_a_successful_execution() {
        let mut envelope = Envelope::of_steps("c", "t", vec![step("a", false)]);
        envelope.hint = Some("look".into());
        envelope.step_results[0].success = true;
        envelope.reconcile();
        assert_eq!((envelope.status, envelope.error, envelope.hint), (Status::Success, None, None));
    }

    #[test]
    fn a_failure_as_a_whole_stays_one() {
        let code = ErrorCode::ServiceUnavailable;
        let mut none = Envelope::failed("c", "t", vec![], code, "no service");
        none.reconcile();
        assert_eq!(none.status, Status::Failed);
        let code = ErrorCode::ExecutionTimeout;
        let mut late = Envelope::failed("c", "t", vec![step("a", true)], code, "too late");
        late.reconcile();
        assert_eq!(late.status, Status::Failed);
    }

    #[test]
    fn an_envelope_of_another_runtime_is_read() {
        let text = r#"{"commandId":"c","taskId":"t","status":"failed","stepResults":[
            {"id":"a","actionType":"click","success":true,"data":{"n":3,"ok":true,"gone":null}},
            {"id":"b","actionType":"click","success":true,"data":null},
            {"id":"c","actionType":"click","success":true}],"later":1}"#;
        let envelope: Envelope = serde_json::from_str(text).unwrap();
        let data = &envelope.step_results[0].data;
        assert_eq!((data["n"].as_str(), data["ok"].as_str(), data.len()), ("3", "true", 2));
        assert_eq!(envelope.error, None);
    }
}
