//! Which address leads where.

use super::refusal::Refusal;
use super::{Shared, events, guard, page, requests, takeover};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use clawperator_contract::ErrorCode;
use std::sync::Arc;

pub(super) fn all(shared: Arc<Shared>) -> Router {
    let one = "/v1/human-auth/requests/{id}";
    Router::new()
        .route("/healthz", get(requests::health))
        .route("/v1/human-auth/requests", post(requests::create))
        .route(one, get(requests::poll).delete(requests::withdraw))
        .route(&format!("{one}/events"), get(events::events))
        .route(&format!("{one}/resolve"), post(requests::resolve))
        .route(&format!("{one}/client-event"), post(requests::client_event))
        .route(&format!("{one}/takeover/snapshot"), get(takeover::snapshot))
        .route(&format!("{one}/takeover/action"), post(takeover::action))
        .route(&format!("{one}/takeover/stream"), get(takeover::stream))
        .route("/human-auth/{id}", get(page::page))
        .route("/human-auth/assets/{name}", get(page::asset))
        .fallback(nowhere)
        .method_not_allowed_fallback(other_method)
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

async fn nowhere() -> Response {
    Refusal::new(StatusCode::NOT_FOUND, ErrorCode::RouteNotFound, "Not found.").into_response()
}

async fn other_method() -> Response {
    let code = ErrorCode::MethodNotAllowed;
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, code, "Method not allowed.").into_response()
}
