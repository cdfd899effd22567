//! The commands, one file each where there is something to say.

mod act;
mod doctor;
mod emulator;
mod exec;
mod execution;
mod explain;
mod logs;
mod operator;
mod phones;
mod recording;

mod sim;

use crate::args::act::Check;
use crate::args::{Args, Command, Globals, SchemaOf};
use crate::deferred::Deferred;
use crate::output::{DONE, Format, print};
use act::Act;
use clap::CommandFactory;
use clawperator_contract::schema;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Runs what was typed.
pub(crate) fn run(args: Args) -> ExitCode {
    let globals = &args.globals;
    let format = globals.format(io::stdout().is_terminal());
    match &args.command {
        Command::Exec(exec) => exec::run(exec, globals, format),
        Command::Snapshot(args) => acts(args, args.check, globals, format),
        Command::Screenshot(args) => acts(args, args.check, globals, format),
        Command::Click(args) => acts(args, args.check, globals, format),
        Command::Type(args) => acts(args, args.check, globals, format),
        Command::Read(args) => acts(args, args.check, globals, format),
        Command::ReadValue(args) => acts(args, args.check, globals, format),
        Command::Wait(args) => acts(args, args.check, globals, format),
        Command::WaitForNav(args) => acts(args, args.check, globals, format),
        Command::Open(args) => acts(args, args.check, globals, format),
        Command::Press(args) => acts(args, args.check, globals, format),
        Command::Back(args) => acts(args, args.check, globals, format),
        Command::Close(args) => acts(args, args.check, globals, format),
        Command::Sleep(args) => acts(args, args.check, globals, format),
        Command::Scroll(args) => acts(args, args.check, globals, format),
        Command::ScrollUntil(args) => acts(args, args.check, globals, format),
        Command::ScrollAndClick(args) => acts(args, args.check, globals, format),
        Command::Devices => phones::devices(globals, format),
        Command::Packages(args) => operator::list(&args.what, globals, format),
        Command::Doctor(args) => doctor::run(args, globals, format),
        Command::Operator(args) => operator::run(&args.what, globals, format),
        Command::GrantDevicePermissions => operator::grant(globals, format),
        Command::Emulator(args) => emulator::run(&args.what, globals, format),
        Command::Recording(args) => recording::run(&args.what, globals, format),
        Command::Logs(args) => logs::run(args, globals, format),
        Command::Sim(sim) => sim::run(sim, format),
        Command::Schema { of: SchemaOf::Execution } => format.answer(&schema::execution(), DONE),
        Command::Schema { of: SchemaOf::Envelope } => format.answer(&schema::envelope(), DONE),
        Command::Explain { code } => explain::run(code.as_deref(), format),
        Command::Version { check_compat } => phones::version(*check_compat, globals, format),
        Command::Completions { shell } => completions(*shell),
    }
}

fn acts<T: Act>(args: &Deferred<T>, check: Check, globals: &Globals, format: Format) -> ExitCode {
    execution::run(args.execution(globals.timeout), check, globals, format)
}

/// A script is for the shell: it is never wrapped in JSON.
fn completions(shell: clap_complete::Shell) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "clawperator", &mut script);
    print(&String::from_utf8_lossy(&script), DONE)
}
