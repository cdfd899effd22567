//! `pocket`: OpenPocket's actions on a phone.

use super::VERSION;
use super::execution::stop_on_signals;
use crate::args::Globals;
use crate::args::pocket::{PocketWhat, Run};
use crate::output::{DONE, FAILED, Format, STOPPED};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_host::ids;
use clawperator_pocket::config::Config;
use clawperator_pocket::human::Opened;
use clawperator_pocket::session::{Ending, Phone, Session};
use clawperator_pocket::tools;
use serde_json::json;
use std::fs::{DirBuilder, File};
use std::io::{self, IsTerminal, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// A phone that is there answers at once; one that was just plugged in takes a moment.
const FIRST_WORD: Duration = Duration::from_secs(10);

pub(crate) fn run(what: &PocketWhat, globals: &Globals, format: Format) -> ExitCode {
    match what {
        PocketWhat::Run(args) => match session(args, globals) {
            Ok(code) => ExitCode::from(code),
            Err(failure) => format.failure(&failure),
        },
        PocketWhat::Tools => format.answer(&tools::definitions(), DONE),
    }
}

fn session(args: &Run, globals: &Globals) -> Result<u8, Failure> {
    let mut config = match &args.config {
        Some(file) => Config::of_file(file)?,
        None => Config::default(),
    };
    if let Some(most) = args.max_steps {
        config.agent.max_steps = most;
    }
    let input: Box<dyn Read + Send> = if args.steps == "-" {
        Box::new(io::stdin())
    } else {
        let path = Path::new(&args.steps);
        Box::new(File::open(path).map_err(|error| {
            let code = ErrorCode::InputUnreadable;
            Failure::new(code, format!("{}: {error}", path.display())).hint(code.remedy())
        })?)
    };
    let name = ids::command("session");
    let device = globals.phone_or(config.agent.device_id.as_deref())?;
    let alone = globals.claim(device.as_ref(), &name)?;
    // A phone that is not there is told now, and not to the agent with every step.
    device.shell("true", FIRST_WORD)?;
    // Only now, so that a session that cannot begin leaves nothing behind.
    make(&args.workspace)?;
    let folder =
        args.session.clone().unwrap_or_else(|| args.workspace.join("sessions").join(&name));
    let stop = Stop::default();
    stop_on_signals(&stop);
    let phone = Phone {
        device: Arc::from(device),
        package: globals.package(),
        host_version: VERSION,
        link: globals.wanted_link(),
    };
    let session = Session::begin(phone, config, &args.workspace, &folder, &args.model, &stop)?;
    if io::stderr().is_terminal() {
        let _ = writeln!(io::stderr(), "the session is written down in {}", folder.display());
    }
    let mut tell = |opened: &Opened| tell(opened, args.events);
    let ending = session.run(input, &mut io::stdout(), &mut tell)?;
    drop(alone);
    Ok(match ending {
        Ending::Finished(_) | Ending::Ran => DONE,
        Ending::Failed(ErrorCode::PocketStopped) => STOPPED,
        Ending::Failed(_) => FAILED,
    })
}

fn make(workspace: &Path) -> Result<(), Failure> {
    DirBuilder::new().recursive(true).mode(0o700).create(workspace).map_err(|error| {
        let code = ErrorCode::OutputUnwritable;
        Failure::new(code, format!("{}: {error}", workspace.display())).hint(code.remedy())
    })
}

/// Where a person can answer. The page's address holds the right to decide, so it goes to whoever
/// started the session and nowhere else.
fn tell(opened: &Opened, events: bool) {
    if events {
        let _ = writeln!(io::stdout(), "{}", json!({"event": "human_auth", "opened": opened}));
        let _ = io::stdout().flush();
        return;
    }
    let mut err = io::stderr();
    let until = &opened.expires_at;
    let _ = match &opened.open_url {
        Some(url) => writeln!(err, "a person is asked, until {until}: {url}"),
        None => writeln!(err, "a person is asked, until {until}; no page shows it"),
    };
    if let Some(problem) = &opened.relay_problem {
        let _ = writeln!(err, "the relay does not show it: {problem}");
    }
    let id = &opened.request_id;
    let line = json!({"request": "decide", "requestId": id, "approved": true});
    let _ = writeln!(err, "or send the line {line}");
}
