//! `recording`: starting and stopping on the phone, and what becomes of the file.

mod capture;
mod draft;

use crate::args::Globals;
use crate::args::act::Check;
use crate::args::host::{RecordingWhat, Snapshots};
use crate::commands::act::SOURCE;
use crate::commands::execution;
use crate::human::say;
use crate::output::{DONE, Format};
use clawperator_contract::{Execution, Failure};
use clawperator_host::build;
use clawperator_host::recording::{self, SnapshotMode, StepLogWritten};
use serde_json::Map;
use std::process::ExitCode;

/// Starting is quick; stopping writes the file out.
const START_MS: f64 = 10_000.0;
const STOP_MS: f64 = 15_000.0;

const NO_CHECK: Check = Check { validate_only: false, dry_run: false };

pub(crate) fn run(what: &RecordingWhat, globals: &Globals, format: Format) -> ExitCode {
    match what {
        RecordingWhat::Start { session_id } => {
            let made = session("start_recording", session_id.as_deref(), globals, START_MS);
            execution::run(made, NO_CHECK, globals, format)
        }
        RecordingWhat::Stop { session_id } => {
            let made = session("stop_recording", session_id.as_deref(), globals, STOP_MS);
            execution::run(made, NO_CHECK, globals, format)
        }
        RecordingWhat::List => {
            let listed = globals
                .phone()
                .and_then(|phone| recording::list(phone.as_ref(), &globals.package()));
            format.result(listed)
        }
        RecordingWhat::Pull { session_id, out } => {
            let pulled = globals.phone().and_then(|phone| {
                recording::pull(phone.as_ref(), &globals.package(), session_id.as_deref(), out)
            });
            format.result(pulled)
        }
        RecordingWhat::Capture { during, session_id, out } => {
            format.result(capture::run(during, session_id.as_deref(), out, globals))
        }
        RecordingWhat::Parse { input, recipe: true, out } => {
            draft::run(input, out.as_deref(), format)
        }
        RecordingWhat::Parse { input, recipe: false, out } => {
            let written = recording::write_step_log(input, out.as_deref());
            if let (Ok(written), Format::Human) = (&written, format) {
                return show(written);
            }
            format.result(written)
        }
        RecordingWhat::Export { input, out, snapshots } => {
            let mode = match snapshots {
                Snapshots::Omit => SnapshotMode::Omit,
                Snapshots::Include => SnapshotMode::Include,
            };
            format.result(recording::export(input, out.as_deref(), mode))
        }
    }
}

fn session(
    kind: &str,
    session_id: Option<&str>,
    globals: &Globals,
    usual_ms: f64,
) -> Result<Execution, Failure> {
    let params = session_id.map(|id| ("sessionId".to_owned(), id.into()));
    let params: Map<_, _> = params.into_iter().collect();
    let timeout = globals.timeout.unwrap_or(usual_ms);
    build::single(kind, SOURCE, ("a1", kind), params, timeout)
}

/// The steps, one line each, and where they went.
fn show(written: &StepLogWritten) -> ExitCode {
    let mut text = String::new();
    for step in &written.log.steps {
        text += &step.line();
        text.push('\n');
    }
    for warning in &written.warnings {
        text += &format!("warning: {warning}\n");
    }
    text += &format!("{} steps in {}\n", written.step_count, written.output_file);
    say(&text);
    ExitCode::from(DONE)
}
