//! An execution at the desk, on behalf of an agent that may listen and may change its mind.

use super::Server;
use crate::desk::{Desk, Ended, Order, Outcome, STEP};
use crate::news::{Event, Heard};
use clawperator_contract::envelope::StepResult;
use clawperator_contract::{ErrorCode, Execution, Failure};
use clawperator_host::dispatch::Done;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;

/// Events that are read at once.
const BATCH: usize = 64;

impl Server {
    /// Runs it, and tells the agent of each step where it listens.
    pub(super) async fn done(
        &self,
        device: &str,
        execution: Execution,
        context: &RequestContext<RoleServer>,
    ) -> Result<Done, Failure> {
        let desk = &self.office.desk;
        let total = execution.actions().len();
        // The place in the news, for who listens.
        let from = desk.news().newest();
        let mut place = context.meta.get_progress_token().map(|_| from);
        let ticket = desk.submit(Order {
            execution,
            device: device.to_owned(),
            package: None,
            client: self.client.clone(),
            dispatch_id: None,
            wait: self.office.wait,
        })?;
        let id = ticket.dispatch_id();
        let ended = loop {
            tokio::select! {
                ended = ticket.ended() => break ended,
                () = context.ct.cancelled() => {
                    desk.cancel(id);
                    // The phone stops between two steps at the latest, and says so.
                    break ticket.ended().await;
                }
                heard = hear(desk, place) => {
                    place = Some(self.tell(context, &heard, id, total).await);
                }
            }
        };
        // Steps that ended with the execution itself are told before its answer.
        while let Some(from) = place {
            let heard = desk.news().now_after(from, BATCH);
            let Some(heard @ Heard::Events(_)) = heard else { break };
            place = Some(self.tell(context, &heard, id, total).await);
        }
        outcome(&ended)
    }

    /// Tells of the steps of a dispatch among what was heard, and where to go on.
    async fn tell(
        &self,
        context: &RequestContext<RoleServer>,
        heard: &Heard,
        dispatch_id: &str,
        total: usize,
    ) -> u64 {
        let events = match heard {
            Heard::Events(events) => events,
            Heard::Missed { oldest } => return oldest.saturating_sub(1),
        };
        let mut place = 0;
        for event in events {
            place = event.id;
            if let Some((index, step)) = step_of(event, dispatch_id) {
                self.tell_step(context, index + 1, Some(total), &step).await;
            }
        }
        place
    }

    /// Tells an agent that listens that a step has ended; nothing of what it saw.
    pub(super) async fn tell_step(
        &self,
        context: &RequestContext<RoleServer>,
        number: usize,
        total: Option<usize>,
        step: &StepResult,
    ) {
        let Some(token) = context.meta.get_progress_token() else { return };
        let how = if step.success { "done" } else { "failed" };
        let of = total.map(|total| format!(" of {total}")).unwrap_or_default();
        let mut told = ProgressNotificationParam::new(token, small(number))
            .with_message(format!("step {number}{of}: {} {how}", step.action_type));
        told.total = total.map(small);
        if let Err(error) = context.peer.notify_progress(told).await {
            log::debug!("an agent did not hear of a step: {error}");
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "an execution has at most 50 actions")]
fn small(number: usize) -> f64 {
    number as f64
}

async fn hear(desk: &Desk, place: Option<u64>) -> Heard {
    match place {
        Some(place) => desk.news().after(place, BATCH).await,
        None => std::future::pending().await,
    }
}

/// The step an event tells of, where it is one of this dispatch.
fn step_of(event: &Event, dispatch_id: &str) -> Option<(usize, StepResult)> {
    // Most events are of other dispatches; those are not even read.
    if event.kind != STEP || !event.data.contains(dispatch_id) {
        return None;
    }
    let mut news: Value = serde_json::from_str(&event.data).ok()?;
    if news["dispatchId"] != dispatch_id {
        return None;
    }
    let index = usize::try_from(news["index"].as_u64()?).ok()?;
    Some((index, serde_json::from_value(news["result"].take()).ok()?))
}

fn outcome(ended: &Ended) -> Result<Done, Failure> {
    match &ended.result {
        Ok(Outcome::Executed(done)) => Ok(done.as_ref().clone()),
        Ok(Outcome::Answered(_)) => {
            let code = ErrorCode::InternalServerError;
            Err(Failure::new(code, "an execution was answered with something else"))
        }
        Err(failure) => Err(failure.clone()),
    }
}
