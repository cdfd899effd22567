//! Before any route: is this request for us? And on every answer: what browsers must not do.

use super::Shared;
use super::read::decoded;
use super::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use clawperator_contract::ErrorCode;
use std::sync::Arc;

const HEADERS: [(&str, &str); 6] = [
    ("cache-control", "no-store"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    // A name looked up ahead of time would carry data out of the agent's frame.
    ("x-dns-prefetch-control", "off"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(self), microphone=(self)"),
];
/// For answers that are no page.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let mut answer = match admitted(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) if request.uri().path().starts_with("/human-auth/") => refusal.page(),
        Err(refusal) => refusal.into_response(),
    };
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NOTHING));
    answer
}

fn admitted(shared: &Shared, request: &Request) -> Result<(), Refusal> {
    let uri = request.uri();
    let parts = [uri.path(), uri.query().unwrap_or_default()];
    if parts.iter().any(|part| decoded(part, false).is_none()) {
        return Err(Refusal::parameter("The address has a percent sign that encodes nothing."));
    }
    let host = host(request.headers()).unwrap_or_default();
    if !shared.knows(host) {
        return Err(Refusal::new(
            StatusCode::MISDIRECTED_REQUEST,
            ErrorCode::OriginRefused,
            "The relay does not go by that host name.",
        ));
    }
    Ok(())
}

/// The host name of a request, without its port.
pub(super) fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok().map(without_port)
}

pub(super) fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    }
}
