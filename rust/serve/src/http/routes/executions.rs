//! Executions: run, checked, planned; and the two that have names.

use super::blocking;
use crate::desk::{Ended, Order, Outcome, Ticket, checked, looks};
use crate::http::App;
use crate::http::answer::{Answer, ok, with_status};
use crate::http::bodies::{self, Phone, View};
use crate::http::call::Call;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Response, StatusCode};
use clawperator_contract::wrapper::{DryRun, Served, Validated};
use clawperator_contract::{ErrorCode, Execution, Failure};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// Who asks, as executions of this surface say it.
pub(super) const SOURCE: &str = "serve-api";

pub(in crate::http) async fn execute(app: Arc<App>, call: Call) -> Answer {
    let body: bodies::Execute = call.body()?;
    let sending = Sending { id: body.dispatch_id.clone(), background: body.background };
    let phone = body.phone();
    run(&app, &call, Execution::from_value(body.execution)?, phone, sending).await
}

pub(in crate::http) async fn validate(_: Arc<App>, call: Call) -> Answer {
    let execution = Execution::from_value(call.body::<bodies::Check>()?.execution)?;
    ok(Validated::new(&execution))
}

pub(in crate::http) async fn dry_run(_: Arc<App>, call: Call) -> Answer {
    let execution = Execution::from_value(call.body::<bodies::Check>()?.execution)?;
    ok(DryRun::new(&execution))
}

pub(in crate::http) async fn snapshot(app: Arc<App>, call: Call) -> Answer {
    let body: bodies::Snapshot = call.body_or_none()?;
    let phone = body.phone();
    let view = body.view.map(|view| match view {
        View::Xml => "xml",
        View::Text => "text",
    });
    let execution = looks::snapshot(SOURCE, view, body.timeout_ms.map(f64::from)).map_err(time)?;
    run(&app, &call, execution, phone, Sending::default()).await
}

pub(in crate::http) async fn screenshot(app: Arc<App>, call: Call) -> Answer {
    let body: bodies::Screenshot = call.body_or_none()?;
    let phone = body.phone();
    let path = body.path.map(|path| PathBuf::from(path.0));
    let timeout = body.timeout_ms.map(f64::from);
    let execution = looks::screenshot(SOURCE, path.as_deref(), timeout).map_err(time)?;
    run(&app, &call, execution, phone, Sending::default()).await
}

/// A time out of range has its own code here.
fn time(failure: Failure) -> Failure {
    let of_time = failure.details.get("path").is_some_and(|path| path == "timeoutMs");
    if of_time { Failure { code: ErrorCode::InvalidTimeoutMs, ..failure } } else { failure }
}

pub(in crate::http) async fn picture(app: Arc<App>, call: Call) -> Answer {
    let (files, name) = (app.setup.files.clone(), call.part("name").to_owned());
    let png = blocking(move || files.picture(&name)).await?;
    let mut response = Response::new(Body::from(png));
    let kind = HeaderValue::from_static("image/png");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    Ok(response)
}

/// How an order is sent.
#[derive(Default)]
pub(super) struct Sending {
    /// The caller's own id for it.
    id: Option<String>,
    /// Answer without waiting for the end.
    background: bool,
}

/// Orders an execution and waits for its end, unless that is not wanted.
pub(super) async fn run(
    app: &Arc<App>,
    call: &Call,
    execution: Execution,
    phone: Phone,
    sending: Sending,
) -> Answer {
    let (desk, files) = (app.desk().clone(), app.setup.files.clone());
    let client = call.client.clone();
    let ticket = blocking(move || {
        // Before it becomes part of the name of a file.
        let mut dispatch_id = sending.id.map(checked).transpose()?;
        let execution = files.confine(execution, &mut dispatch_id)?;
        desk.submit(Order {
            execution,
            device: desk.device(phone.serial.as_deref())?,
            package: phone.package,
            client,
            dispatch_id,
            wait: phone.wait,
        })
    })
    .await?;
    if sending.background {
        return Ok(with_status(StatusCode::ACCEPTED, taken(&ticket)));
    }
    let ended = ticket.ended().await;
    answered(&ticket, &ended)
}

/// An order that is not over.
pub(super) fn taken(ticket: &Ticket) -> Value {
    json!({
        "dispatchId": ticket.dispatch_id(),
        "deviceId": ticket.device(),
        "state": ticket.phase().name(),
    })
}

/// An order that is over. A failed step is an answer like any other.
pub(super) fn answered(ticket: &Ticket, ended: &Ended) -> Answer {
    match &ended.result {
        Ok(Outcome::Executed(done)) => {
            let (id, link) = (ticket.dispatch_id(), done.link.name());
            ok(Served::new(&done.envelope, ticket.device()).over(id, link, done.replayed))
        }
        Ok(Outcome::Answered(value)) => ok(value),
        Err(failure) => Err(failure.clone()),
    }
}
