//! An execution at the desk, on behalf of an agent that may listen and may change its mind.

use super::Server;
use crate::desk::{Ended, Order, Outcome, STEP};
use crate::news::Heard;
use clawperator_contract::{ErrorCode, Execution, Failure};
use clawperator_host::dispatch::Done;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::Value;
use std::sync::Arc;

impl Server {
    /// Runs it, and tells the agent of each step where it listens.
    pub(super) async fn done(
        &self,
        device: &str,
        execution: Execution,
        context: &RequestContext<RoleServer>,
    ) -> Result<Done, Failure> {
        let desk = &self.office.desk;
        let steps = execution.actions().len();
        let from = desk.news().newest();
        let ticket = desk.submit(Order {
            execution,
            device: device.to_owned(),
            package: None,
            client: self.client.clone(),
            dispatch_id: None,
            wait: self.office.wait,
        })?;
        let mut progress = context.meta.get_progress_token().map(|token| Progress {
            peer: &context.peer,
            token,
            dispatch_id: ticket.dispatch_id(),
            steps,
            place: from,
        });
        let ended = loop {
            tokio::select! {
                ended = ticket.ended() => break ended,
                () = context.ct.cancelled() => {
                    desk.cancel(ticket.dispatch_id());
                    // The phone stops between two steps at the latest, and says so.
                    break ticket.ended().await;
                }
                heard = hear(self, progress.as_ref()) => {
                    if let Some(progress) = &mut progress {
                        progress.tell(heard).await;
                    }
                }
            }
        };
        if let Some(progress) = &mut progress {
            // Steps that ended with the execution itself are told before its answer.
            while let Some(Heard::Events(events)) = desk.news().now_after(progress.place, BATCH) {
                progress.tell(Heard::Events(events)).await;
            }
        }
        outcome(&ended)
    }
}

/// Events that are read at once.
const BATCH: usize = 64;

async fn hear(server: &Server, progress: Option<&Progress<'_>>) -> Heard {
    match progress {
        Some(progress) => server.office.desk.news().after(progress.place, BATCH).await,
        None => std::future::pending().await,
    }
}

fn outcome(ended: &Arc<Ended>) -> Result<Done, Failure> {
    match &ended.result {
        Ok(Outcome::Executed(done)) => Ok(done.as_ref().clone()),
        Ok(Outcome::Answered(_)) => {
            let code = ErrorCode::InternalServerError;
            Err(Failure::new(code, "an execution was answered with something else"))
        }
        Err(failure) => Err(failure.clone()),
    }
}

/// Tells an agent how far its execution is.
struct Progress<'a> {
    peer: &'a Peer<RoleServer>,
    token: ProgressToken,
    dispatch_id: &'a str,
    steps: usize,
    /// The last event it heard of.
    place: u64,
}

impl Progress<'_> {
    async fn tell(&mut self, heard: Heard) {
        let events = match heard {
            Heard::Events(events) => events,
            Heard::Missed { oldest } => {
                self.place = oldest.saturating_sub(1);
                return;
            }
        };
        for event in events {
            self.place = event.id;
            // Most events are of other dispatches; those are not even read.
            if event.kind == STEP && event.data.contains(self.dispatch_id) {
                self.step(&event.data).await;
            }
        }
    }

    async fn step(&self, news: &str) {
        let Ok(news) = serde_json::from_str::<Value>(news) else { return };
        if news["dispatchId"] != self.dispatch_id {
            return;
        }
        let result = &news["result"];
        let how = if result["success"] == true { "done" } else { "failed" };
        let kind = result["actionType"].as_str().unwrap_or_default();
        let number = news["index"].as_u64().unwrap_or_default() + 1;
        #[allow(clippy::cast_precision_loss, reason = "an execution has at most 50 actions")]
        let (progress, total) = (number as f64, self.steps as f64);
        let told = ProgressNotificationParam::new(self.token.clone(), progress)
            .with_total(total)
            .with_message(format!("step {number} of {}: {kind} {how}", self.steps));
        if let Err(error) = self.peer.notify_progress(told).await {
            log::debug!("an agent did not hear of a step: {error}");
        }
    }
}
