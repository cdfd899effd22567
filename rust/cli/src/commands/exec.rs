//! `exec`: an execution somebody wrote.

use crate::args::{Exec, Globals};
use crate::commands::execution as whole;
use crate::input;
use crate::output::Format;
use clawperator_contract::{Execution, Failure};
use clawperator_host::build;
use std::process::ExitCode;

pub(crate) fn run(args: &Exec, globals: &Globals, format: Format) -> ExitCode {
    whole::run(execution(args, globals.timeout), args.check, globals, format)
}

fn execution(args: &Exec, timeout: Option<f64>) -> Result<Execution, Failure> {
    let execution = Execution::from_text(&input::payload(&args.source())?)?;
    let Some(ms) = timeout else { return Ok(execution) };
    let mut payload = serde_json::to_value(&execution).unwrap_or_default();
    payload["timeoutMs"] = build::number(ms);
    Ok(Execution::from_value(payload)?)
}
