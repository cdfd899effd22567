//! Dispatches that were sent before: how they ended, and stopping them.

use super::blocking;
use super::executions::{answered, taken};
use crate::http::App;
use crate::http::answer::{Answer, with_status};
use crate::http::call::Call;
use axum::http::StatusCode;
use clawperator_contract::{ErrorCode, Failure};
use std::sync::Arc;
use std::time::Duration;

/// The longest a question waits for an answer.
pub(in crate::http) const LONGEST_WAIT: u64 = 130_000;
/// And where nothing is said.
const USUAL_WAIT: u64 = 30_000;

/// From memory, else from the phone. Never executes anything.
pub(in crate::http) async fn get(app: Arc<App>, call: Call) -> Answer {
    let wait = call.millis("waitMs", LONGEST_WAIT)?.unwrap_or(USUAL_WAIT);
    let device = call.asked("deviceId")?.map(str::to_owned);
    let package = call.asked("operatorPackage")?.map(str::to_owned);
    let id = call.part("dispatchId").to_owned();
    let desk = app.desk().clone();
    let ticket = blocking(move || desk.find(&id, device.as_deref(), package.as_deref())).await?;
    match tokio::time::timeout(Duration::from_millis(wait), ticket.ended()).await {
        Ok(ended) => answered(&ticket, &ended),
        Err(_) => Ok(with_status(StatusCode::ACCEPTED, taken(&ticket))),
    }
}

pub(in crate::http) async fn cancel(app: Arc<App>, call: Call) -> Answer {
    let id = call.part("dispatchId");
    match app.desk().cancel(id) {
        Some(ticket) => Ok(with_status(StatusCode::ACCEPTED, taken(&ticket))),
        None => {
            let code = ErrorCode::DispatchUnknown;
            let message = format!("no dispatch {id:?} waits or runs here");
            Err(Failure::new(code, message).detail("dispatchId", id))
        }
    }
}
