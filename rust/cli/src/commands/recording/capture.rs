//! `recording capture`: a recording of what an execution does, from start to copy in one command.
//!
//! A phone inside this process goes away with it, so there a recording cannot wait for the next
//! command; and elsewhere it is one command instead of four.

use super::{START_MS, STOP_MS, session};
use crate::args::Globals;
use crate::commands::execution::stop_on_signals;
use crate::input;
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure, Status, StepResult};
use clawperator_host::dispatch::Stop;
use clawperator_host::recording::{self, Pulled};
use clawperator_serve::hand::PhoneHand;
use clawperator_skills::run::Hand as _;
use std::ffi::OsStr;
use std::path::Path;

pub(super) fn run(
    during: &OsStr,
    session_id: Option<&str>,
    out: &Path,
    globals: &Globals,
) -> Result<Pulled, Failure> {
    let execution = Execution::from_text(&input::payload(during)?)?;
    let begin = session("start_recording", session_id, globals, START_MS)?;
    let end = session("stop_recording", None, globals, STOP_MS)?;
    let phone = globals.phone()?;
    let _alone = globals.claim(phone.as_ref(), execution.command_id())?;
    let stop = Stop::default();
    stop_on_signals(&stop);
    let package = globals.package();
    let mut hand = PhoneHand::new(globals.route(phone.as_ref(), &package, &stop));
    went_well(&hand.execute(&begin)?)?;
    let ran = hand.execute(&execution);
    // Also if that failed: a recording that nobody stops goes on and on.
    let ended = hand.execute(&end)?;
    went_well(&ended)?;
    let id = ended.step_results.first().and_then(|step| step.data.get("sessionId"));
    let pulled = recording::pull(phone.as_ref(), &globals.package(), id.map(String::as_str), out)?;
    let at = |failure: Failure| failure.detail("localPath", pulled.local_path.as_str());
    went_well(&ran.map_err(at)?).map_err(at)?;
    Ok(pulled)
}

fn went_well(envelope: &Envelope) -> Result<(), Failure> {
    if envelope.status == Status::Success {
        return Ok(());
    }
    let step = envelope.first_failure();
    let name = envelope.error_code.as_deref().or_else(|| step.and_then(StepResult::error));
    let code = name.and_then(|name| name.parse().ok()).unwrap_or(ErrorCode::Unknown);
    let told = step.and_then(|step| step.data.get("message")).or(envelope.error.as_ref());
    let told = told.map_or_else(|| code.meaning().to_owned(), Clone::clone);
    let said =
        step.map_or_else(|| told.clone(), |step| format!("the step \"{}\": {told}", step.id));
    Err(Failure::new(code, said).hint(code.remedy()))
}
