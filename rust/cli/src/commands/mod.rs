//! The commands, one file each where there is something to say.

mod act;
mod conformance;
mod doctor;
mod emulator;
mod exec;
mod execution;
mod explain;
mod logs;
mod mcp;
mod operator;
mod phones;
mod pocket;
mod recipe;
mod recording;
mod serve;
mod sim;
mod skills;

use crate::args::act::Check;
use crate::args::{self, Args, Command, Globals, SchemaOf};
use crate::deferred::Deferred;
use crate::output::{DONE, Format, print};
use act::Act;
use clap::CommandFactory;
use clawperator_contract::schema;
use clawperator_skills::schema as recipes;
pub(crate) use execution::VERSION;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Runs what was typed.
pub(crate) fn run(args: &Args) -> ExitCode {
    let globals = &args.globals;
    let format = globals.format(io::stdout().is_terminal());
    match &args.command {
        Command::Act(command) => on_the_phone(command, globals, format),
        Command::Host(command) => around_phones(command, globals, format),
        Command::Skills(args::Skills::Skills(args)) => skills::run(&args.what, globals, format),
        Command::Own(command) => without_phones(command, globals, format),
    }
}

fn on_the_phone(command: &args::Act, globals: &Globals, format: Format) -> ExitCode {
    use args::Act;
    match command {
        Act::Exec(exec) => exec::run(exec, globals, format),
        Act::Snapshot(args) => acts(args, args.check, globals, format),
        Act::Screenshot(args) => acts(args, args.check, globals, format),
        Act::Click(args) => acts(args, args.check, globals, format),
        Act::Type(args) => acts(args, args.check, globals, format),
        Act::Read(args) => acts(args, args.check, globals, format),
        Act::ReadValue(args) => acts(args, args.check, globals, format),
        Act::Wait(args) => acts(args, args.check, globals, format),
        Act::WaitForNav(args) => acts(args, args.check, globals, format),
        Act::Open(args) => acts(args, args.check, globals, format),
        Act::Press(args) => acts(args, args.check, globals, format),
        Act::Back(args) => acts(args, args.check, globals, format),
        Act::Close(args) => acts(args, args.check, globals, format),
        Act::Sleep(args) => acts(args, args.check, globals, format),
        Act::Scroll(args) => acts(args, args.check, globals, format),
        Act::ScrollUntil(args) => acts(args, args.check, globals, format),
        Act::ScrollAndClick(args) => acts(args, args.check, globals, format),
    }
}

fn around_phones(command: &args::Host, globals: &Globals, format: Format) -> ExitCode {
    use args::Host;
    match command {
        Host::Devices => phones::devices(globals, format),
        Host::Packages(args) => operator::list(&args.what, globals, format),
        Host::Doctor(args) => doctor::run(args, globals, format),
        Host::Operator(args) => operator::run(&args.what, globals, format),
        Host::GrantDevicePermissions => operator::grant(globals, format),
        Host::Conformance(args) => conformance::run(args.steps, globals, format),
        Host::Recipe(args) => recipe::run(&args.what, globals, format),
        Host::Recording(args) => recording::run(&args.what, globals, format),
        Host::Pocket(args) => pocket::run(&args.what, globals, format),
        Host::Emulator(args) => emulator::run(&args.what, globals, format),
        Host::Serve(args) => serve::run(args, globals, format),
        Host::Mcp => mcp::run(globals),
        Host::Logs(args) => logs::run(args, globals, format),
    }
}

fn without_phones(command: &args::Own, globals: &Globals, format: Format) -> ExitCode {
    use args::Own;
    match command {
        Own::Sim(sim) => sim::run(sim, format),
        Own::Schema { of } => {
            let schema = match of {
                SchemaOf::Execution => schema::execution(),
                SchemaOf::Envelope => schema::envelope(),
                SchemaOf::Recipe => recipes::recipe(),
                SchemaOf::RecipeFrontmatter => recipes::frontmatter(),
                SchemaOf::RecipeStep => recipes::step(),
                SchemaOf::PocketAction => clawperator_pocket::tools::action_schema(),
                SchemaOf::PocketStep => clawperator_pocket::tools::step_schema(),
            };
            format.answer(&schema, DONE)
        }
        Own::Explain { code } => explain::run(code.as_deref(), format),
        Own::Version { check_compat } => phones::version(*check_compat, globals, format),
        Own::Completions { shell } => completions(*shell),
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
