//! Answers, all in one shape: `{"ok":true,…}` or `{"ok":false,"error":{"code","message",…}}`.

use super::status;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, Response, StatusCode};
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use serde_json::{Value, json};

/// A phone that is busy is worth another try after so many seconds.
const SOON: &str = "1";
/// A server that goes down is back after so many, if at all.
const LATER: &str = "5";

/// What a route answers.
pub(crate) type Answer = Result<Response<Body>, Failure>;

/// 200, with this and `ok` in front.
pub(crate) fn ok(answer: impl Serialize) -> Answer {
    Ok(with_status(StatusCode::OK, answer))
}

/// Another status, with this and `ok` in front.
pub(crate) fn with_status(status: StatusCode, answer: impl Serialize) -> Response<Body> {
    let mut whole = json!({ "ok": true });
    match (serde_json::to_value(answer), &mut whole) {
        (Ok(Value::Object(answer)), Value::Object(whole)) => {
            whole.extend(answer);
            // One that is there already is not replaced by what the answer says of itself.
            whole.insert("ok".into(), true.into());
        }
        (Ok(other), whole) => whole["answer"] = other,
        (Err(error), _) => return failure(&broken(&error.to_string())),
    }
    json_response(status, &whole)
}

/// A failure, with the status of its code.
pub(crate) fn failure(failure: &Failure) -> Response<Body> {
    let code = failure.code;
    let status =
        StatusCode::from_u16(status::of(code)).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json_response(status, &json!({ "ok": false, "error": failure }));
    let retry = match code {
        ErrorCode::QueueFull | ErrorCode::ExecutionConflictInFlight => Some(SOON),
        ErrorCode::ShuttingDown => Some(LATER),
        _ => None,
    };
    if let Some(seconds) = retry {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(seconds));
    }
    response
}

/// A fault of the server.
pub(crate) fn broken(why: &str) -> Failure {
    let code = ErrorCode::InternalServerError;
    Failure::new(code, why).hint(code.remedy())
}

fn json_response(status: StatusCode, value: &Value) -> Response<Body> {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}
