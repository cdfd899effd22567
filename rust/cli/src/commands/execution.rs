//! An execution, checked, planned or run.

use crate::args::Globals;
use crate::args::act::Check;
use crate::human::Progress;
use crate::output::{DONE, FAILED, Format, STOPPED};
use clawperator_contract::wrapper::{DryRun, Executed, Validated};
use clawperator_contract::{Execution, Failure, Status, StepResult};
use clawperator_host::dispatch::{self, Done, Route, Stop, Watcher};
use clawperator_host::journal::{Fields, Journal, Level, Settings};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// This program's version, as the phone is told it.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Answers a command that is an execution.
pub(crate) fn run(
    execution: Result<Execution, Failure>,
    check: Check,
    globals: &Globals,
    format: Format,
) -> ExitCode {
    let execution = match execution {
        Ok(execution) => execution,
        Err(failure) => return format.failure(&failure),
    };
    if check.validate_only {
        return format.answer(&Validated::new(&execution), DONE);
    }
    if check.dry_run {
        return format.answer(&DryRun::new(&execution), DONE);
    }
    let stop = Stop::default();
    let mut progress = (format == Format::Human).then(|| Progress::new(&execution));
    let ran = match &mut progress {
        Some(progress) => on_phone(&execution, globals, &stop, progress),
        None => on_phone(&execution, globals, &stop, &mut ()),
    };
    let code = |done: &Done| match done.envelope.status {
        Status::Success => DONE,
        Status::Failed if stop.is_asked() => STOPPED,
        Status::Failed => FAILED,
    };
    match (ran, progress) {
        (Ok((done, serial)), None) => format.answer(&executed(&done, &serial), code(&done)),
        (Ok((done, serial)), Some(progress)) => progress.end(&done, &serial, code(&done)),
        (Err(failure), progress) => {
            drop(progress);
            format.failure(&failure)
        }
    }
}

/// The answer for programs.
pub(crate) fn executed<'a>(done: &'a Done, serial: &'a str) -> Executed<'a> {
    let evidence = done.evidence.as_ref().and_then(|kept| serde_json::to_value(kept).ok());
    Executed::new(&done.envelope, serial)
        .over(done.link.name(), done.replayed)
        .with_evidence(evidence)
}

/// Runs an execution on the phone that is meant, alone.
pub(crate) fn on_phone(
    execution: &Execution,
    globals: &Globals,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<(Done, String), Failure> {
    let phone = globals.phone()?;
    let package = globals.package();
    let alone = globals.claim(phone.as_ref(), execution.command_id())?;
    stop_on_signals(stop);
    let route = Route {
        evidence: globals.evidence_folder(),
        ..globals.route(phone.as_ref(), &package, stop)
    };
    let started = Instant::now();
    let done = dispatch::execute(&route, execution, watcher);
    drop(alone);
    let level = globals.log_level.map(Into::into);
    note(&done, execution, phone.serial(), started.elapsed(), level);
    Ok((done?, phone.serial().to_owned()))
}

/// Leaves a record of how it ended: names, codes and times, nothing of the screen.
pub(crate) fn note(
    done: &Result<Done, Failure>,
    execution: &Execution,
    serial: &str,
    took: Duration,
    level: Option<Level>,
) {
    let journal = Journal::open(Settings::from_environment(level));
    let mut fields = Fields {
        command_id: Some(execution.command_id()),
        task_id: Some(execution.task_id()),
        device_id: Some(serial),
        duration_ms: u64::try_from(took.as_millis()).ok(),
        ..Fields::default()
    };
    let count = execution.actions().len();
    let (level, event, message) = match done {
        Ok(done) => {
            fields.dispatch_id = Some(&done.dispatch_id);
            fields.link = Some(done.link.name());
            let ran = format!("{} of {count} steps", done.envelope.step_results.len());
            if done.envelope.status == Status::Success {
                fields.status = Some("success");
                (Level::Info, "execution.ended", ran)
            } else {
                fields.status = Some("failed");
                let step = done.envelope.first_failure().and_then(StepResult::error);
                let code = done.envelope.error_code.as_deref().or(step);
                fields.code = code.and_then(|code| code.parse().ok());
                (Level::Warn, "execution.ended", ran)
            }
        }
        Err(failure) => {
            fields.code = Some(failure.code);
            (Level::Error, "execution.failed", failure.code.meaning().to_owned())
        }
    };
    if let Some(warning) = journal.write(level, event, &message, &fields) {
        let _ = writeln!(io::stderr(), "{warning}");
    }
}

/// The first Ctrl-C stops the execution on the phone, whose answer is still waited for; the second
/// one ends this program. Without these handlers the first one would, and the phone would go on.
pub(crate) fn stop_on_signals(stop: &Stop) {
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds the flag down and only raises it.
        let ends = flag::register_conditional_shutdown(signal, i32::from(STOPPED), stop.flag());
        let asks = flag::register(signal, stop.flag());
        if let Err(error) = ends.and(asks) {
            log::warn!("Ctrl-C will not reach the phone: {error}");
        }
    }
}
