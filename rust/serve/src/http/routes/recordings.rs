//! Recordings of what a person does on a phone.

use super::blocking;
use super::executions::{SOURCE, Sending, run};
use crate::http::App;
use crate::http::answer::{Answer, broken, ok};
use crate::http::bodies;
use crate::http::call::Call;
use clawperator_contract::Failure;
use clawperator_host::{build, ids, recording};
use serde_json::{Map, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::{env, fs};

/// Starting is quick; stopping writes the file out.
const START_MS: f64 = 10_000.0;
const STOP_MS: f64 = 15_000.0;

pub(in crate::http) async fn start(app: Arc<App>, call: Call) -> Answer {
    session(&app, &call, "start_recording", START_MS).await
}

pub(in crate::http) async fn stop(app: Arc<App>, call: Call) -> Answer {
    session(&app, &call, "stop_recording", STOP_MS).await
}

async fn session(app: &Arc<App>, call: &Call, kind: &str, timeout_ms: f64) -> Answer {
    let body: bodies::Recording = call.body_or_none()?;
    let phone = body.phone();
    let params: Map<_, _> =
        body.session_id.map(|id| ("sessionId".to_owned(), id.0.into())).into_iter().collect();
    let execution = build::single(kind, SOURCE, ("a1", kind), params, timeout_ms)?;
    run(app, call, execution, phone, Sending::default()).await
}

pub(in crate::http) async fn list(app: Arc<App>, call: Call) -> Answer {
    let (named, package) = asked(&app, &call)?;
    let desk = app.desk().clone();
    let (serial, listed) = blocking(move || {
        let serial = desk.device(named.as_deref())?;
        let phone = desk.phones().open(&serial)?;
        Ok((serial, recording::list(phone.as_ref(), &package)?))
    })
    .await?;
    let mut answer = serde_json::to_value(listed).unwrap_or_default();
    answer["deviceId"] = serial.into();
    ok(answer)
}

/// A recording, whole. It is kept in a file of its own only while it is read.
pub(in crate::http) async fn pull(app: Arc<App>, call: Call) -> Answer {
    let (named, package) = asked(&app, &call)?;
    let id = call.part("sessionId").to_owned();
    let desk = app.desk().clone();
    let (serial, pulled, text) = blocking(move || {
        let serial = desk.device(named.as_deref())?;
        let phone = desk.phones().open(&serial)?;
        let wanted = Some(id.as_str()).filter(|id| *id != "latest");
        let folder = Folder(env::temp_dir().join(ids::command("clawperator-recording")));
        let pulled = recording::pull(phone.as_ref(), &package, wanted, &folder.0)?;
        let text = fs::read_to_string(&pulled.local_path)
            .map_err(|error| broken(&format!("{}: {error}", pulled.local_path)))?;
        Ok((serial, pulled, text))
    })
    .await?;
    let mut answer = json!({ "deviceId": serial, "sessionId": pulled.session_id, "text": text });
    if !pulled.warnings.is_empty() {
        answer["warnings"] = json!(pulled.warnings);
    }
    ok(answer)
}

pub(in crate::http) async fn parse(_: Arc<App>, call: Call) -> Answer {
    let body: bodies::RecordingParse = call.body()?;
    let log = recording::steps(&recording::parse(body.text.0.as_bytes())?);
    ok(log)
}

/// The phone that is named, and the operator on it.
fn asked(app: &App, call: &Call) -> Result<(Option<String>, String), Failure> {
    let named = call.asked("deviceId")?.map(str::to_owned);
    let package = call.asked("operatorPackage")?.unwrap_or(app.desk().package()).to_owned();
    Ok((named, package))
}

/// A folder that goes when nobody needs it any more.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
