//! Making, asking after and deciding requests.

use super::read::{artifact, asked, object, parameter, text};
use super::record::{Settled, Verdict};
use super::refusal::{Refusal, json_answer};
use super::{Shared, base};
use crate::human::clock::written;
use crate::human::template::flag;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::ErrorCode;
use serde_json::{Map, Value, json};
use std::sync::Arc;

type Answer = Result<Response, Refusal>;

fn ok(body: &Value) -> Answer {
    Ok(json_answer(StatusCode::OK, body))
}

pub(super) async fn health(State(shared): State<Arc<Shared>>) -> Answer {
    let book = &shared.book;
    ok(&json!({"ok": true, "now": written(book.clock.now_ms()), "requests": book.count()}))
}

pub(super) async fn create(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    if shared.api_key.is_some_and(|key| !key.fits(bearer.trim())) {
        let code = ErrorCode::Unauthorized;
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, code, "Unauthorized"));
    }
    let body = object(&headers, body, 2_000_000).await?;
    let base = public_base(&shared, &headers, &body)?;
    let made = shared.book.create(asked(&body)?)?;
    let (id, token) = (&made.request_id, &made.open_token);
    let takeover = format!("/v1/human-auth/requests/{id}/takeover");
    ok(&json!({
        "requestId": id,
        "openUrl": format!("{base}/human-auth/{id}?token={token}"),
        "pollToken": made.poll_token,
        "expiresAt": written(made.expires_ms),
        "takeover": {
            "enabled": shared.takeover.is_some(),
            "snapshotPath": format!("{takeover}/snapshot"),
            "streamUrl": format!("{base}{takeover}/stream?token={token}"),
            "actionPath": format!("{takeover}/action"),
        },
    }))
}

/// How the person will reach us: as the agent says, as the settings say, or as the agent did.
fn public_base(
    shared: &Shared,
    headers: &HeaderMap,
    body: &Map<String, Value>,
) -> Result<String, Refusal> {
    let asked = text(body, "publicBaseUrl");
    if !asked.is_empty() {
        let (url, host) = base(&asked).map_err(|failure| Refusal::parameter(failure.message))?;
        // Such a link would lead to a page that we then refuse to show.
        if !shared.knows(&host) {
            let message = "publicBaseUrl names a host this relay does not go by.";
            return Err(Refusal::parameter(message));
        }
        return Ok(url);
    }
    if let Some(url) = &shared.public_base_url {
        return Ok(url.clone());
    }
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let secure = headers.get("x-forwarded-proto").is_some_and(|value| value == "https");
    let (url, _) = base(&format!("{}://{host}", if secure { "https" } else { "http" }))
        .map_err(|failure| Refusal::parameter(failure.message))?;
    Ok(url)
}

/// How a request stands, as an agent reads it.
pub(super) fn standing(id: &str, settled: Option<&Settled>) -> Value {
    let Some(Settled { status, note, at_ms, artifact }) = settled else {
        return json!({"requestId": id, "status": "pending", "artifact": null});
    };
    let artifact = artifact.as_ref().map(
        |artifact| json!({"mimeType": artifact.mime, "base64": STANDARD.encode(&artifact.bytes)}),
    );
    json!({
        "requestId": id,
        "status": status.word(),
        "note": note,
        "decidedAt": written(*at_ms),
        "artifact": artifact,
    })
}

pub(super) async fn poll(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Answer {
    let settled = shared.book.polled(&id, &parameter(query.as_deref(), "pollToken"))?;
    ok(&standing(&id, settled.as_ref()))
}

/// Not in the original: an agent that needs no answer any more says so, and the page's buttons
/// tell the person instead of taking a decision nobody reads.
pub(super) async fn withdraw(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Answer {
    let ended = shared.book.withdraw(&id, &parameter(query.as_deref(), "pollToken"))?;
    ok(&json!({"requestId": id, "withdrawn": ended}))
}

pub(super) async fn resolve(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    // Nobody uploads a photo to be told that it is too late.
    shared.book.pending(&id)?;
    let mut body = object(&headers, body, 22_000_000).await?;
    let token = text(&body, "token");
    // The token first: without it nobody learns what the request takes.
    shared.book.opened(&id, &token, |_, _| Ok(()))?;
    let approved = body.get("approved").and_then(flag).ok_or_else(|| {
        Refusal::parameter("approved must be true or false; nothing was decided.")
    })?;
    let verdict = Verdict { approved, note: text(&body, "note"), artifact: artifact(&mut body)? };
    let end = shared.book.resolve(&id, &token, verdict)?;
    ok(&json!({"requestId": id, "status": end.status.word(), "decidedAt": written(end.at_ms)}))
}

/// What the page reports of itself. It is checked and not kept: a log of what a person did on a
/// page with secrets helps nobody but a thief.
pub(super) async fn client_event(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    shared.book.pending(&id)?;
    let body = object(&headers, body, 256_000).await?;
    shared.book.opened(&id, &text(&body, "token"), |_, _| Ok(()))?;
    ok(&json!({"ok": true}))
}
