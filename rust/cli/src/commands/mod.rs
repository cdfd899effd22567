//! The commands, one file each where there is something to say.

mod exec;
mod explain;
mod sim;

use crate::args::{Args, Command, SchemaOf};
use crate::output::{DONE, print};
use clap::CommandFactory;
use clawperator_contract::schema;
use serde_json::json;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Runs what was typed.
pub(crate) fn run(args: Args) -> ExitCode {
    let format = args.output.format(io::stdout().is_terminal());
    match args.command {
        Command::Exec(exec) => exec::run(&exec, args.device.as_deref(), format),
        Command::Sim(sim) => sim::run(&sim, format),
        Command::Schema { of: SchemaOf::Execution } => format.answer(&schema::execution(), DONE),
        Command::Schema { of: SchemaOf::Envelope } => format.answer(&schema::envelope(), DONE),
        Command::Explain { code } => explain::run(code.as_deref(), format),
        Command::Version => {
            format.answer(&json!({ "cliVersion": env!("CARGO_PKG_VERSION") }), DONE)
        }
        Command::Completions { shell } => completions(shell),
    }
}

/// A script is for the shell: it is never wrapped in JSON.
fn completions(shell: clap_complete::Shell) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "clawperator", &mut script);
    print(&String::from_utf8_lossy(&script), DONE)
}
