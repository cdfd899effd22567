//! `GET /events`: what happens, as server-sent events.
//!
//! A listener that comes back with the id of the last event it saw goes on there. What it missed
//! and is gone is told as `gap`. One that reads too slowly is told so and let go: it has no queue
//! of its own that could grow.

use super::App;
use super::answer::{Answer, broken};
use super::call::{Call, invalid};
use crate::news::{Event, Heard};
use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, Response};
use clawperator_contract::{ErrorCode, Failure};
use futures_util::stream;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A line that says nothing keeps the connection open through whatever lies between.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Listeners at once.
const LISTENERS: usize = 256;
/// Events that are put into one piece.
const TOGETHER: usize = 64;

/// Counts a listener until it goes.
struct Place(Arc<App>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.listeners.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Where a listener is.
struct Listener {
    place: Place,
    /// It has seen everything up to here.
    seen: u64,
    /// What it is told first.
    hello: Option<String>,
    over: bool,
}

pub(super) async fn listen(app: Arc<App>, call: Call) -> Answer {
    if app.listeners.fetch_add(1, Ordering::SeqCst) >= LISTENERS {
        app.listeners.fetch_sub(1, Ordering::SeqCst);
        let message = format!("{LISTENERS} listen already");
        return Err(Failure::new(ErrorCode::QueueFull, message).hint(ErrorCode::QueueFull.remedy()));
    }
    let place = Place(Arc::clone(&app));
    let news = app.desk().news();
    let (last, oldest) = (last_seen(&call)?, news.oldest());
    let mut hello =
        written(None, "heartbeat", &json!({ "code": "CONNECTED", "message": "connected" }));
    let seen = match last {
        None => news.newest(),
        Some(last) if (oldest..=news.newest()).contains(&last) => last,
        Some(last) => {
            let gap =
                json!({ "lastEventId": last.to_string(), "oldest": (oldest + 1).to_string() });
            hello += &written(None, "gap", &gap);
            oldest
        }
    };
    let listener = Listener { place, seen, hello: Some(hello), over: false };
    let pieces = stream::unfold(listener, |listener| async move {
        if listener.over { None } else { next(listener).await }
    });
    let mut response = Response::new(Body::from_stream(pieces));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let _ = headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

type Piece = Result<Bytes, Infallible>;

async fn next(mut listener: Listener) -> Option<(Piece, Listener)> {
    if let Some(hello) = listener.hello.take() {
        return Some((Ok(hello.into()), listener));
    }
    let app = Arc::clone(&listener.place.0);
    let mut closing = app.closing.subscribe();
    let heard = tokio::select! {
        heard = app.desk().news().after(listener.seen, TOGETHER) => heard,
        _ = closing.wait_for(|closing| *closing) => return None,
        () = tokio::time::sleep(KEEP_ALIVE) => {
            return Some((Ok(Bytes::from_static(b": still here\n\n")), listener));
        }
    };
    let text = match heard {
        Heard::Events(events) => {
            listener.seen = events.last().map_or(listener.seen, |event| event.id);
            events.iter().map(|event| shown(event)).collect()
        }
        Heard::Missed { oldest } => {
            listener.over = true;
            let why = json!({
                "lastEventId": listener.seen.to_string(),
                "oldest": oldest.to_string(),
                "message": "you read too slowly; connect again",
            });
            written(None, "dropped", &why)
        }
    };
    Some((Ok(Bytes::from(text)), listener))
}

fn last_seen(call: &Call) -> Result<Option<u64>, Failure> {
    let header = match call.headers.get("last-event-id") {
        Some(value) => Some(value.to_str().map_err(|_| broken("unreadable")).unwrap_or("?")),
        None => None,
    };
    let Some(text) = call.asked("lastEventId")?.or(header).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let wrong = || invalid("lastEventId", &format!("no event has the id {text:?}"));
    text.parse().map_err(|_| wrong()).map(Some)
}

fn shown(event: &Event) -> String {
    framed(Some(event.id), event.kind, &event.data)
}

fn written(id: Option<u64>, kind: &str, data: &Value) -> String {
    framed(id, kind, &data.to_string())
}

/// JSON has no line ends in it, so one line of data is always enough.
fn framed(id: Option<u64>, kind: &str, data: &str) -> String {
    let mut text = String::with_capacity(data.len() + 64);
    if let Some(id) = id {
        let _ = writeln!(text, "id: {id}");
    }
    let _ = write!(text, "event: {kind}\ndata: {data}\n\n");
    text
}
