//! The server itself.

use crate::http::answer::{Answer, ok};
use crate::http::call::Call;
use crate::http::{App, openapi};
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Response};
use serde_json::json;
use std::sync::Arc;

pub(in crate::http) async fn health(app: Arc<App>, _: Call) -> Answer {
    ok(json!({ "uptimeMs": u64::try_from(app.started.elapsed().as_millis()).unwrap_or(u64::MAX) }))
}

pub(in crate::http) async fn version(app: Arc<App>, _: Call) -> Answer {
    ok(json!({ "version": app.setup.version }))
}

/// The document as it is: generators of clients know no `ok` in it, and it may have one.
pub(in crate::http) async fn openapi(app: Arc<App>, _: Call) -> Answer {
    let mut document = openapi::document(&app.setup.version);
    document["ok"] = true.into();
    let mut response = Response::new(Body::from(document.to_string()));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    Ok(response)
}
