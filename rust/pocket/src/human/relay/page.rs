//! The page a person sees, and its parts.

use super::Shared;
use super::guard::host;
use super::read::parameter;
use super::refusal::{Refusal, escaped};
use crate::human::clock::written;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use clawperator_contract::ErrorCode;
use serde_json::{Value, json};
use std::sync::Arc;

/// Scripts and styles only from files of ours, nothing inline, and nothing from anywhere else.
const PAGE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; \
     media-src blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";
/// The frame the agent's code runs in. The sandbox takes its origin away, so it reaches neither the
/// page around it nor us; the rest takes the network away.
const STAGE: &str = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; \
     style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self'; webrtc 'block'";

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file of the page: its name, its type, its content.
macro_rules! assets {
    ($($name:literal $kind:expr),* $(,)?) => {
        [$(($name, $kind, include_str!(concat!("../../../assets/human/", $name)))),*]
    };
}

const ASSETS: [(&str, &str, &str); 10] = assets![
    "page.css" "text/css; charset=utf-8",
    "page.js" SCRIPT,
    "build.js" SCRIPT,
    "fields.js" SCRIPT,
    "attach.js" SCRIPT,
    "photo.js" SCRIPT,
    "record.js" SCRIPT,
    "middle.js" SCRIPT,
    "takeover.js" SCRIPT,
    "stage.html" HTML,
];

pub(super) async fn page(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let token = parameter(query.as_deref(), "token");
    let data = shared.book.opened(&id, &token, |record, _| {
        let asked = &record.asked;
        Ok(json!({
            "requestId": id,
            "host": host(&headers),
            "capability": asked.capability,
            "task": asked.task,
            "instruction": asked.instruction,
            "reason": asked.reason,
            "currentApp": asked.current_app,
            "createdAt": written(record.created_ms),
            "expiresAt": written(record.expires_ms),
            "takeover": shared.takeover.is_some(),
            "form": record.form,
        }))
    });
    match data {
        Ok(data) => {
            let title = data["form"]["title"].as_str().map(escaped).unwrap_or_default();
            // Each mark once, in the order of the file: what is put in is not looked at again.
            let shell = include_str!("../../../assets/human/page.html");
            let parts = shell.split_once("{title}").and_then(|(head, rest)| {
                rest.split_once("{data}").map(|(middle, foot)| (head, middle, foot))
            });
            let Some((head, middle, foot)) = parts else {
                return Refusal::internal("The page has lost its marks.").page();
            };
            let body = format!("{head}{title}{middle}{}{foot}", inside_script(&data));
            let headers = [(header::CONTENT_TYPE, HTML), (header::CONTENT_SECURITY_POLICY, PAGE)];
            (headers, body).into_response()
        }
        Err(refusal) => refusal.page(),
    }
}

/// JSON that can stand inside a script element: no letter of it can end the element or begin a
/// comment.
fn inside_script(data: &Value) -> String {
    let mut text = String::new();
    for c in data.to_string().chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => text.push(c),
        }
    }
    text
}

pub(super) async fn asset(Path(name): Path<String>) -> Response {
    let Some((name, kind, content)) = ASSETS.into_iter().find(|(known, ..)| *known == name) else {
        let code = ErrorCode::RouteNotFound;
        return Refusal::new(StatusCode::NOT_FOUND, code, "Not found.").into_response();
    };
    let mut answer = ([(header::CONTENT_TYPE, kind)], content).into_response();
    if name == "stage.html" {
        let policy = axum::http::HeaderValue::from_static(STAGE);
        answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    answer
}
