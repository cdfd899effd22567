//! An execution, checked, planned or run.

use crate::args::Globals;
use crate::args::act::Check;
use crate::human::Progress;
use crate::output::{DONE, FAILED, Format, STOPPED};
use clawperator_contract::wrapper::{DryRun, Executed, Validated};
use clawperator_contract::{Execution, Failure, Status};
use clawperator_host::dispatch::{self, Done, Route, Stop, Watcher};
use clawperator_host::flight;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

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
    let stop = Arc::new(Stop::default());
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
    stop: &Arc<Stop>,
    watcher: &mut dyn Watcher,
) -> Result<(Done, String), Failure> {
    let phone = globals.phone()?;
    let package = globals.package();
    let wait = globals.wait.map_or(Duration::ZERO, Duration::from_millis);
    let alone = if globals.is_embedded() {
        // Nobody else can reach the phone inside this process.
        None
    } else {
        let folder = flight::folder();
        Some(flight::claim(&folder, phone.serial(), execution.command_id(), wait)?)
    };
    stop_on_signals(stop);
    let route = Route {
        device: phone.as_ref(),
        package: &package,
        host_version: VERSION,
        link: globals.wanted_link(),
        evidence: globals.evidence_folder(),
        stop,
    };
    let done = dispatch::execute(&route, execution, watcher);
    drop(alone);
    Ok((done?, phone.serial().to_owned()))
}

/// The first Ctrl-C stops the execution on the phone, whose answer is still waited for; the second
/// one ends this program.
fn stop_on_signals(stop: &Arc<Stop>) {
    let stop = Arc::clone(stop);
    // Without a handler Ctrl-C ends the program at once, and the phone goes on to its timeout.
    let _ = ctrlc::set_handler(move || {
        if stop.is_asked() {
            std::process::exit(i32::from(STOPPED));
        }
        stop.ask();
    });
}
