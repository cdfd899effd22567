//! The driven phone in the person's hands: its picture, and touches on it.

use super::Shared;
use super::read::{object, parameter, text};
use super::refusal::{Refusal, json_answer};
use crate::human::clock::written;
use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::{ErrorCode, Failure};
use futures_util::stream::unfold;
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// Faster than a person taps; slower than a loop that floods the phone.
const BETWEEN_TOUCHES_MS: u64 = 200;
const MOST_STREAMS: usize = 2;
/// Two pictures a second: enough to follow an app, little for a phone's connection.
const BETWEEN_FRAMES: Duration = Duration::from_millis(500);
const MOST_FAILURES: u32 = 5;

/// A phone a person may take over.
pub trait Takeover: Send + Sync {
    /// Its picture now.
    ///
    /// # Errors
    /// No picture can be taken.
    fn frame(&self) -> Result<Frame, Failure>;

    /// Does something to it, and says what was done in a few words without the text that was typed.
    ///
    /// # Errors
    /// It could not be done.
    fn act(&self, touch: &Touch) -> Result<String, Failure>;
}

/// A picture of the phone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Which phone.
    pub device_id: String,
    /// The package in front.
    pub current_app: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The picture as PNG.
    pub png: Vec<u8>,
}

/// What a person does to the phone. Points are pixels of the frame.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Touch {
    Tap { x: u32, y: u32 },
    Swipe { x1: u32, y1: u32, x2: u32, y2: u32, duration_ms: u64 },
    Type { text: crate::human::Secret },
    Keyevent { keycode: String },
}

/// Reads a touch; none when it is not one.
fn touch(action: &Map<String, Value>) -> Option<Touch> {
    // A point has at most as many pixels as an f64 tells apart; screens have some thousands.
    let point = |key: &str| -> Option<u32> {
        let value = action.get(key)?.as_f64().filter(|value| value.is_finite())?;
        let value = value.round().clamp(0.0, 100_000.0);
        format!("{value}").parse().ok()
    };
    match text(action, "type").to_lowercase().as_str() {
        "tap" => Some(Touch::Tap { x: point("x")?, y: point("y")? }),
        "swipe" => Some(Touch::Swipe {
            x1: point("x1")?,
            y1: point("y1")?,
            x2: point("x2")?,
            y2: point("y2")?,
            duration_ms: match action.get("durationMs") {
                None | Some(Value::Null) => 260,
                Some(_) => u64::from(point("durationMs")?).clamp(80, 3000),
            },
        }),
        "type" => {
            let text = action.get("text")?.as_str()?;
            let good = !text.trim().is_empty() && text.chars().count() <= 2000;
            good.then(|| Touch::Type { text: crate::human::Secret::new(text) })
        }
        "keyevent" => {
            let keycode = text(action, "keycode").to_uppercase();
            let name = keycode.strip_prefix("KEYCODE_")?;
            let good = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
            (!name.is_empty() && name.len() <= 40 && name.bytes().all(good))
                .then_some(Touch::Keyevent { keycode })
        }
        _ => None,
    }
}

/// The open token of a request that has no body: in a header, so that it stands in no address.
fn token(headers: &HeaderMap, otherwise: impl FnOnce() -> String) -> String {
    let named = ["x-clawperator-auth", "x-openpocket-auth"];
    let given = named.iter().find_map(|name| headers.get(*name)?.to_str().ok());
    given.map_or_else(otherwise, ToOwned::to_owned)
}

fn phone(shared: &Shared) -> Result<Arc<dyn Takeover>, Refusal> {
    shared.takeover.clone().ok_or_else(|| {
        let message = "There is no phone to take over.";
        Refusal::new(StatusCode::NOT_IMPLEMENTED, ErrorCode::PocketHumanUnavailable, message)
    })
}

/// Asks the phone on a thread that may wait.
async fn ask<T: Send + 'static>(
    phone: Arc<dyn Takeover>,
    what: impl FnOnce(&dyn Takeover) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Refusal> {
    let asked = tokio::task::spawn_blocking(move || what(phone.as_ref())).await;
    asked.map_err(|_| Refusal::internal("The phone's driver broke."))?.map_err(Refusal::from)
}

pub(super) async fn snapshot(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let token = token(&headers, || parameter(query.as_deref(), "token"));
    shared.book.opened(&id, &token, |_, _| Ok(()))?;
    let frame = ask(phone(&shared)?, |phone| phone.frame()).await?;
    let body = json!({
        "requestId": id,
        "status": "pending",
        "frame": {
            "deviceId": frame.device_id,
            "currentApp": frame.current_app,
            "width": frame.width,
            "height": frame.height,
            "screenshotBase64": STANDARD.encode(&frame.png),
            "capturedAt": written(shared.book.clock.now_ms()),
        },
    });
    Ok(json_answer(StatusCode::OK, &body))
}

pub(super) async fn action(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    shared.book.pending(&id)?;
    let body = object(&headers, body, 500_000).await?;
    let token = token(&headers, || text(&body, "token"));
    shared.book.opened(&id, &token, |_, _| Ok(()))?;
    let phone = phone(&shared)?;
    let action = body.get("action").and_then(Value::as_object).unwrap_or(&body);
    let touch = touch(action).ok_or_else(|| Refusal::parameter("Invalid takeover action."))?;
    shared.book.opened(&id, &token, |record, now| {
        if now < record.touched_ms.saturating_add(BETWEEN_TOUCHES_MS) {
            let message = "One touch after the other, please.";
            return Err(Refusal::slow_down(ErrorCode::QueueFull, 1, message));
        }
        record.touched_ms = now;
        Ok(())
    })?;
    let message = ask(phone, move |phone| phone.act(&touch)).await?;
    Ok(json_answer(StatusCode::OK, &json!({"ok": true, "message": message})))
}

/// One open stream; it counts until it is dropped, however it ends.
struct Stream {
    shared: Arc<Shared>,
    id: String,
    token: String,
    phone: Arc<dyn Takeover>,
    begun: bool,
}

impl Drop for Stream {
    fn drop(&mut self) {
        let _ = self.shared.book.opened(&self.id, &self.token, |record, _| {
            record.streams = record.streams.saturating_sub(1);
            Ok(())
        });
    }
}

impl Stream {
    /// The next picture; none when the request is decided or the phone gives none any more.
    async fn part(&mut self) -> Option<Vec<u8>> {
        for _ in 0..MOST_FAILURES {
            if self.begun {
                tokio::time::sleep(BETWEEN_FRAMES).await;
            }
            self.begun = true;
            self.shared.book.opened(&self.id, &self.token, |_, _| Ok(())).ok()?;
            let Ok(frame) = ask(Arc::clone(&self.phone), |phone| phone.frame()).await else {
                continue;
            };
            let app: String = frame.current_app.chars().filter(char::is_ascii_graphic).collect();
            let captured = written(self.shared.book.clock.now_ms());
            let mut part = format!(
                "--frame\r\nContent-Type: image/png\r\nContent-Length: {}\r\n\
                 X-OpenPocket-App: {app}\r\nX-OpenPocket-Captured-At: {captured}\r\n\
                 X-OpenPocket-Resolution: {}x{}\r\n\r\n",
                frame.png.len(),
                frame.width,
                frame.height
            )
            .into_bytes();
            part.extend(frame.png);
            part.extend(b"\r\n");
            return Some(part);
        }
        None
    }
}

pub(super) async fn stream(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let token = parameter(query.as_deref(), "token");
    shared.book.opened(&id, &token, |_, _| Ok(()))?;
    let phone = phone(&shared)?;
    shared.book.opened(&id, &token, |record, _| {
        if record.streams >= MOST_STREAMS {
            let message = "As many streams are open as may be.";
            return Err(Refusal::slow_down(ErrorCode::QueueFull, 1, message));
        }
        record.streams += 1;
        Ok(())
    })?;
    let stream = Stream { shared, id, token, phone, begun: false };
    let body = Body::from_stream(unfold(stream, |mut stream| async move {
        let part = stream.part().await?;
        Some((Ok::<_, Infallible>(Bytes::from(part)), stream))
    }));
    let kind = "multipart/x-mixed-replace; boundary=frame";
    Ok(([(header::CONTENT_TYPE, kind)], body).into_response())
}
