//! What host and operator say to each other over the socket link, one JSON frame each.

use crate::envelope::{Envelope, StepData, StepResult};
use crate::execution::Execution;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::json;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of this protocol. Both ends say theirs first; they go on when the numbers are equal.
pub const PROTOCOL: u32 = 1;

/// Every message of the link. Keys a reader does not know are passed over, so that a newer end
/// may say more; a type it does not know is an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Message {
    /// Host: first message.
    Hello {
        /// Protocol the host speaks.
        protocol: u32,
        /// Version of the host's program.
        host_version: String,
    },
    /// Operator: answer to `Hello`.
    Welcome {
        /// Protocol the operator speaks.
        protocol: u32,
        /// Version of the app.
        app_version: String,
        /// Package of the app.
        package: String,
        /// Minted when the operator's process starts: another one means the memory of dispatches
        /// is gone.
        boot_id: String,
        /// Is the accessibility service running?
        service_running: bool,
        /// How long the operator's process has run: one that is older than a request has not
        /// forgotten it.
        #[serde(default)]
        uptime_ms: u64,
    },
    /// Host: run this, under this dispatch id.
    Request {
        /// Minted by the host, once per sending.
        dispatch_id: String,
        /// The canonical payload; the phone reads it with its own rules.
        execution: Value,
    },
    /// Operator: the request was understood and stands in the queue.
    Accepted {
        /// Which dispatch.
        dispatch_id: String,
    },
    /// Operator: a step has ended.
    Step {
        /// Which dispatch.
        dispatch_id: String,
        /// Position of the step, from zero.
        index: u32,
        /// Its result.
        result: StepResult,
        /// Binary frames that belong to it and were sent before this message.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<Attachment>,
    },
    /// Operator: do this for me, it is this step's turn.
    HostCall {
        /// Which dispatch.
        dispatch_id: String,
        /// Chosen by the operator, unique in the dispatch.
        call_id: u32,
        /// What is asked.
        call: HostCall,
    },
    /// Host: answer to `HostCall`.
    HostAnswer {
        /// Which dispatch.
        dispatch_id: String,
        /// Which call.
        call_id: u32,
        /// How it went.
        answer: HostAnswer,
    },
    /// Operator: the dispatch has ended.
    Result {
        /// Which dispatch.
        dispatch_id: String,
        /// Its envelope, without the first `told` steps.
        envelope: Envelope,
        /// Was it stored, and is told again?
        replayed: bool,
        /// So many steps were told on this connection already, and a snapshot is long.
        #[serde(default, skip_serializing_if = "is_zero")]
        told: u32,
    },
    /// Host: what became of this dispatch? Never executes anything.
    Resume {
        /// Which dispatch.
        dispatch_id: String,
    },
    /// Host: stop this dispatch at its next wait.
    Cancel {
        /// Which dispatch.
        dispatch_id: String,
    },
    /// Either: a message could not be honoured.
    Refused {
        /// Which dispatch, when it was about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dispatch_id: Option<String>,
        /// Why, by a code of the table.
        code: String,
        /// Why, in a sentence.
        message: String,
    },
}

/// A binary frame that belongs to a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Id of the frame.
    pub id: u32,
    /// Such as `image/png`.
    pub media_type: String,
}

/// What only the host can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum HostCall {
    /// Force-stop a package.
    CloseApp {
        /// The package.
        application_id: String,
    },
    /// Take a picture.
    Screenshot,
    /// Press a key by Android's own code.
    KeyEvent {
        /// The code.
        code: u32,
    },
}

/// How a host call went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HostAnswer {
    /// It was done.
    Done {
        /// What the step's data gains by it.
        data: StepData,
    },
    /// It was not.
    Failed {
        /// Why, by a code of the table.
        code: String,
        /// Why, in a sentence.
        message: String,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Message {
    /// The frame of a [`Message::Request`], straight from the execution.
    #[must_use]
    pub fn request(dispatch_id: &str, execution: &Execution) -> Frame {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Request<'a> {
            r#type: &'static str,
            dispatch_id: &'a str,
            execution: &'a Execution,
        }
        Frame::Json(json::compact(&Request { r#type: "request", dispatch_id, execution }))
    }

    /// The frame that carries it.
    #[must_use]
    pub fn to_frame(&self) -> Frame {
        Frame::Json(json::compact(self))
    }

    /// Reads the text of a JSON frame.
    pub fn from_text(text: &str) -> Result<Self, Failure> {
        serde_json::from_str(text).map_err(|error| {
            let message = format!("not a message of this protocol: {error}");
            Failure::new(crate::ErrorCode::LinkProtocolError, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survives(message: &Message, text: &str) {
        assert_eq!(message.to_frame(), Frame::Json(text.into()));
        assert_eq!(Message::from_text(text).as_ref(), Ok(message));
    }

    #[test]
    fn a_request_is_the_same_either_way() {
        let execution = Execution::from_value(serde_json::json!({
            "commandId": "c", "taskId": "t", "source": "s",
            "expectedFormat": "android-ui-automator", "timeoutMs": 1_000,
            "actions": [{ "id": "a", "type": "snapshot_ui" }],
        }))
        .unwrap();
        let value = serde_json::to_value(&execution).unwrap();
        let message = Message::Request { dispatch_id: "d".into(), execution: value };
        assert_eq!(Message::request("d", &execution), message.to_frame());
    }

    #[test]
    fn every_message_is_written_and_read_back_exactly() {
        let id = || "d1".to_owned();
        let step = StepResult::success("a", "click", StepData::new());
        survives(
            &Message::Hello { protocol: 1, host_version: "0.1.0".into() },
            r#"{"type":"hello","protocol":1,"hostVersion":"0.1.0"}"#,
        );
        survives(
            &Message::Welcome {
                protocol: 1,
                app_version: "0.1.0".into(),
                package: "com.clawperator.operator".into(),
                boot_id: "b".into(),
                service_running: true,
                uptime_ms: 7,
            },
            r#"{"type":"welcome","protocol":1,"appVersion":"0.1.0","package":"com.clawperator.operator","bootId":"b","serviceRunning":true,"uptimeMs":7}"#,
        );
        survives(
            &Message::Request { dispatch_id: id(), execution: serde_json::json!({}) },
            r#"{"type":"request","dispatchId":"d1","execution":{}}"#,
        );
        survives(
            &Message::Accepted { dispatch_id: id() },
            r#"{"type":"accepted","dispatchId":"d1"}"#,
        );
        survives(
            &Message::Step {
                dispatch_id: id(),
                index: 0,
                result: step.clone(),
                attachments: vec![Attachment { id: 7, media_type: "image/png".into() }],
            },
            r#"{"type":"step","dispatchId":"d1","index":0,"result":{"id":"a","actionType":"click","success":true,"data":{}},"attachments":[{"id":7,"mediaType":"image/png"}]}"#,
        );
        survives(
            &Message::HostCall {
                dispatch_id: id(),
                call_id: 1,
                call: HostCall::CloseApp { application_id: "a.b".into() },
            },
            r#"{"type":"hostCall","dispatchId":"d1","callId":1,"call":{"what":"closeApp","applicationId":"a.b"}}"#,
        );
        survives(
            &Message::HostAnswer {
                dispatch_id: id(),
                call_id: 1,
                answer: HostAnswer::Done { data: StepData::new() },
            },
            r#"{"type":"hostAnswer","dispatchId":"d1","callId":1,"answer":{"data":{}}}"#,
        );
        survives(
            &Message::HostAnswer {
                dispatch_id: id(),
                call_id: 1,
                answer: HostAnswer::Failed { code: "X".into(), message: "no".into() },
            },
            r#"{"type":"hostAnswer","dispatchId":"d1","callId":1,"answer":{"code":"X","message":"no"}}"#,
        );
        survives(
            &Message::Result {
                dispatch_id: id(),
                envelope: Envelope::of_steps("c", "t", vec![]),
                replayed: true,
                told: 0,
            },
            r#"{"type":"result","dispatchId":"d1","envelope":{"commandId":"c","taskId":"t","status":"success","stepResults":[],"error":null,"errorCode":null},"replayed":true}"#,
        );
        survives(&Message::Resume { dispatch_id: id() }, r#"{"type":"resume","dispatchId":"d1"}"#);
        survives(&Message::Cancel { dispatch_id: id() }, r#"{"type":"cancel","dispatchId":"d1"}"#);
        survives(
            &Message::Refused { dispatch_id: None, code: "X".into(), message: "no".into() },
            r#"{"type":"refused","code":"X","message":"no"}"#,
        );
    }

    #[test]
    fn a_newer_end_may_say_more_but_not_something_else() {
        let more = r#"{"type":"cancel","dispatchId":"d1","reason":"later"}"#;
        assert!(Message::from_text(more).is_ok());
        let unknown = Message::from_text(r#"{"type":"dance"}"#).unwrap_err();
        assert_eq!(unknown.code, crate::ErrorCode::LinkProtocolError);
    }
}
