//! The decision as a server-sent event, for agents that do not want to ask again and again.

use super::Shared;
use super::read::parameter;
use super::record::Settled;
use super::refusal::Refusal;
use super::requests::standing;
use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Proxies cut connections that say nothing for a minute or less.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

enum Next {
    Greet,
    Wait,
    End,
}

struct Listener {
    shared: Arc<Shared>,
    id: String,
    token: String,
    changes: watch::Receiver<u64>,
    next: Next,
}

pub(super) async fn events(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let token = parameter(query.as_deref(), "pollToken");
    // Before the look: a decision between the two must not be missed.
    let changes = shared.book.changes();
    shared.book.polled(&id, &token)?;
    let listener = Listener { shared, id, token, changes, next: Next::Greet };
    let body = Body::from_stream(unfold(listener, |mut listener| async move {
        let text = listener.text().await?;
        Some((Ok::<_, Infallible>(Bytes::from(text)), listener))
    }));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}

impl Listener {
    /// What to send next; nothing when all is said.
    async fn text(&mut self) -> Option<String> {
        match self.next {
            Next::Greet => {
                self.next = Next::Wait;
                Some(": connected\n\n".into())
            }
            Next::Wait => loop {
                // A request that was forgotten meanwhile has nothing to tell.
                if let Some(settled) = self.shared.book.polled(&self.id, &self.token).ok()? {
                    return Some(self.decision(&settled));
                }
                let changed = tokio::time::timeout(KEEP_ALIVE, self.changes.changed()).await;
                match changed {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return None,
                    Err(_) => return Some(": keepalive\n\n".into()),
                }
            },
            Next::End => None,
        }
    }

    fn decision(&mut self, settled: &Settled) -> String {
        self.next = Next::End;
        format!("event: decision\ndata: {}\n\n", standing(&self.id, Some(settled)))
    }
}
