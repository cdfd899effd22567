//! Command lines that could not be understood, and cries for help.

use crate::args::Args;
use crate::output::{DONE, Format, WRONG_USAGE, print};
use clap::CommandFactory;
use clap::error::{ContextKind, ErrorKind};
use clawperator_contract::{ErrorCode, Failure, suggest};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Answers a command line that could not be understood: for people as they are used to it, for
/// programs as every other failure.
pub(crate) fn answer(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            print(&error.render().to_string(), DONE)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if std::env::args_os().len() == 1 => {
            print(&error.render().to_string(), DONE)
        }
        _ if io::stdout().is_terminal() && !std::env::args_os().any(|arg| arg == "--json") => {
            let _ = error.print();
            ExitCode::from(WRONG_USAGE)
        }
        _ => Format::Compact.failure(&usage_failure(error)),
    }
}

fn usage_failure(error: &clap::Error) -> Failure {
    let context = |kind| error.get(kind).map(ToString::to_string);
    let rendered = error.render().to_string();
    let first = rendered.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    let message = first.split_whitespace().collect::<Vec<_>>().join(" ");
    if error.kind() == ErrorKind::InvalidSubcommand {
        return unknown_command(&message, context(ContextKind::InvalidSubcommand));
    }
    let hint = match context(ContextKind::SuggestedArg) {
        Some(flag) => format!("did you mean {flag}?"),
        None => "`clawperator help <command>` lists what the command takes".into(),
    };
    Failure::new(ErrorCode::Usage, message).hint(hint)
}

fn unknown_command(message: &str, typed: Option<String>) -> Failure {
    let failure = Failure::new(ErrorCode::UnknownCommand, message);
    let commands = Args::command();
    let names = commands.get_subcommands().map(clap::Command::get_name);
    match typed.and_then(|typed| suggest::nearest(&typed, names)) {
        Some(name) => {
            failure.hint(format!("did you mean `clawperator {name}`?")).detail("suggestion", name)
        }
        None => failure.hint("`clawperator help` lists the commands"),
    }
}
