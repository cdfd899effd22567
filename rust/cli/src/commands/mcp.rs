//! `mcp`: an agent at the other end of standard input and output.

use crate::args::Globals;
use crate::commands::execution::{self, VERSION, stop_on_signals};
use crate::commands::recipe;
use crate::commands::serve::fleet::Fleet;
use crate::output::{DONE, FAILED};
use clawperator_contract::Failure;
use clawperator_host::dispatch::Stop;
use clawperator_serve::desk::{DEFAULT_WAITING, Desk, Setup};
use clawperator_serve::mcp::{self, Office, PATIENCE, Skills};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked whether a signal came.
const LOOK: Duration = Duration::from_millis(50);

pub(crate) fn run(globals: &Globals) -> ExitCode {
    let stop = Stop::default();
    stop_on_signals(&stop);
    let told_to_end = async {
        while !stop.is_asked() {
            tokio::time::sleep(LOOK).await;
        }
    };
    match office(globals).and_then(|office| mcp::stdio(office, told_to_end)) {
        Ok(()) => ExitCode::from(DONE),
        Err(failure) => {
            // Standard output is the agent's: only messages of the protocol belong there.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::from(FAILED)
        }
    }
}

fn office(globals: &Globals) -> Result<Office, Failure> {
    let level = globals.log_level;
    let desk = Desk::new(Setup {
        phones: Box::new(Fleet::of_one_client(globals)),
        package: globals.package(),
        version: VERSION.to_owned(),
        link: globals.wanted_link(),
        waiting: DEFAULT_WAITING,
        sendings: None,
        noted: Box::new(move |execution, serial, done, took| {
            execution::note(done, execution, serial, took, level.map(Into::into));
        }),
    });
    Ok(Office {
        desk,
        device: globals.named_device(),
        wait: globals.wait.map_or(PATIENCE, Duration::from_millis),
        skills: Skills {
            registries: Vec::new(),
            policy: Arc::new(recipe::policy_of_the_environment()?),
            redactor: Arc::new(recipe::redactor),
        },
        version: VERSION.to_owned(),
    })
}
