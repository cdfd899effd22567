//! `logs`: this program's own log, which is NDJSON and printed as it is.

use crate::args::Globals;
use crate::args::host::Logs;
use crate::output::{DONE, Format};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::journal::{Settings, read};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::thread;
use std::time::SystemTime;

pub(crate) fn run(args: &Logs, globals: &Globals, format: Format) -> ExitCode {
    match show(args, globals) {
        Ok(()) => ExitCode::from(DONE),
        Err(failure) => format.failure(&failure),
    }
}

fn show(args: &Logs, globals: &Globals) -> Result<(), Failure> {
    let Some(folder) = Settings::from_environment(None).dir else {
        let message = "there is no log: neither HOME nor CLAWPERATOR_LOG_DIR is set";
        return Err(Failure::new(ErrorCode::InputUnreadable, message));
    };
    let since = args.since.as_deref().map(|text| {
        read::Since::parse(text, SystemTime::now()).ok_or_else(|| {
            let message = format!("{text} is no time: say 10m, 2h, or 2026-03-01T12:30");
            Failure::new(ErrorCode::Usage, message)
        })
    });
    let filter = read::Filter {
        level: args.level.map(Into::into),
        event_prefix: args.event.clone(),
        command_id: args.command_id.clone(),
        device_id: globals.device.clone(),
        since: since.transpose()?,
    };
    let mut out = io::stdout().lock();
    let mut print = |line: &str| match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Ok(()) => ControlFlow::Continue(()),
        // Whoever read has seen enough.
        Err(_) => ControlFlow::Break(()),
    };
    if args.follow {
        // Ctrl-C ends the program, as a reader of a log expects.
        let mut wait = |pause| {
            thread::sleep(pause);
            false
        };
        return read::follow(&folder, args.lines, &filter, &mut print, &mut wait);
    }
    for line in read::tail(&folder, args.lines, &filter)? {
        if print(&line).is_break() {
            break;
        }
    }
    Ok(())
}
