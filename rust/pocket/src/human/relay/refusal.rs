//! What the relay says when it does not do what was asked.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::json;

/// A status for HTTP, a code for programs, a sentence for people.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::human) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) code: ErrorCode,
    pub(super) message: String,
    /// Seconds after which it may be tried again.
    pub(super) retry_after: Option<u64>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: ErrorCode, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), retry_after: None }
    }

    pub(super) fn body(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::InvalidBody, message)
    }

    pub(super) fn parameter(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::InvalidParameter, message)
    }

    pub(super) fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::BodyTooLarge, message)
    }

    pub(super) fn unknown() -> Self {
        Self::new(StatusCode::NOT_FOUND, ErrorCode::PocketHumanUnknown, "Request not found.")
    }

    pub(super) fn token(message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, ErrorCode::PocketHumanToken, message)
    }

    pub(super) fn decided(status: &str) -> Self {
        let message = format!("Request already {status}.");
        Self::new(StatusCode::CONFLICT, ErrorCode::PocketHumanDecided, message)
    }

    pub(super) fn slow_down(code: ErrorCode, seconds: u64, message: &str) -> Self {
        let retry_after = Some(seconds.max(1));
        Self { retry_after, ..Self::new(StatusCode::TOO_MANY_REQUESTS, code, message) }
    }

    pub(super) fn internal(message: impl Into<String>) -> Self {
        let code = ErrorCode::InternalServerError;
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, code, message)
    }

    /// The same for a person: a small page, and what to do.
    pub(super) fn page(&self) -> Response {
        let page = include_str!("../../../assets/human/message.html")
            .replace("{title}", &escaped(&self.message))
            .replace("{hint}", &escaped(self.code.remedy()));
        self.dress((self.status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], page))
    }

    fn dress(&self, answer: impl IntoResponse) -> Response {
        let mut answer = answer.into_response();
        if let Some(seconds) = self.retry_after {
            answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        answer
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({"code": self.code, "message": self.message, "hint": self.code.remedy()});
        self.dress(json_answer(self.status, &body))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.code, refusal.message).hint(refusal.code.remedy())
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, failure.code, failure.message)
    }
}

/// An answer of JSON.
pub(super) fn json_answer(status: StatusCode, body: &serde_json::Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

/// Text as HTML shows it.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            c => shown.push(c),
        }
    }
    shown
}
