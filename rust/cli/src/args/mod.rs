//! What can be typed. Help, completions and the checks of the shell line come from here.

pub(crate) mod act;
pub(crate) mod host;
pub(crate) mod pocket;
pub(crate) mod recipe;
pub(crate) mod selectors;
pub(crate) mod serve;
pub(crate) mod sim;
pub(crate) mod skills;

use crate::deferred::Deferred;
use crate::output::Format;
use act::Check;
use clap::{Args as ClapArgs, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clawperator_host::journal::Level;
use std::ffi::OsString;
use std::path::PathBuf;

/// A deterministic hand on an Android phone, for agents
#[derive(Debug, Parser)]
#[command(
    name = "clawperator",
    version,
    disable_help_subcommand = false,
    after_help = "Exit codes: 0 done, 1 it failed (the answer says why), 2 the command line is wrong, 130 stopped by Ctrl-C."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) globals: Globals,
}

/// Reads the command line.
///
/// clap copies the flags every command takes into each command before it reads a word: with thirty
/// commands that is a third of the time this program takes to start. So it is first given only the
/// commands that are named on the line. Whatever it then objects to is said by the whole.
pub(crate) fn parse() -> Result<Args, clap::Error> {
    let line: Vec<OsString> = std::env::args_os().collect();
    let names = |known: fn(&str) -> bool| line.iter().filter_map(|w| w.to_str()).any(known);
    let mut commands = clap::Command::new("clawperator");
    if names(Act::has_subcommand) {
        commands = Act::augment_subcommands(commands);
    }
    if names(Host::has_subcommand) {
        commands = Host::augment_subcommands(commands);
    }
    if names(Skills::has_subcommand) {
        commands = Skills::augment_subcommands(commands);
    }
    if names(Own::has_subcommand) {
        commands = Own::augment_subcommands(commands);
    }
    let named = |command: &&clap::Command| line.iter().any(|word| word == command.get_name());
    let small = Globals::augment_args(clap::Command::new("clawperator"))
        .subcommands(commands.get_subcommands().filter(named).cloned());
    match small.try_get_matches_from(&line) {
        Ok(matches) if matches.subcommand_name().is_some() => Args::from_arg_matches(&matches),
        _ => Args::from_arg_matches(&Args::command().try_get_matches_from(&line)?),
    }
}

/// Flags every command takes.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Every command")]
pub(crate) struct Globals {
    /// Serial of the phone; `sim` is a simulated one inside this process [env: ANDROID_SERIAL]
    #[arg(long, global = true, value_name = "SERIAL", alias = "device-id")]
    pub(crate) device: Option<String>,
    /// Package of the operator on the phone [env: CLAWPERATOR_OPERATOR_PACKAGE]
    #[arg(long, global = true, value_name = "PACKAGE", alias = "receiver-package")]
    pub(crate) operator_package: Option<String>,
    /// Time for the command, in milliseconds
    #[arg(long, global = true, value_name = "MS", alias = "timeout-ms", value_parser = milliseconds)]
    pub(crate) timeout: Option<f64>,
    /// How to talk to the operator, instead of the best way there is
    #[arg(long, global = true, value_enum)]
    pub(crate) link: Option<LinkName>,
    /// Wait for another execution on the phone to end (at most MS, without it two minutes)
    #[arg(
        long = "wait",
        id = "wait_for_turn",
        global = true,
        value_name = "MS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "120000"
    )]
    pub(crate) wait: Option<u64>,
    /// Keep snapshot, screenshot and envelope of a failure in this folder
    /// [env: CLAWPERATOR_EVIDENCE]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) evidence: Option<PathBuf>,
    /// The adb program, where a server has to be started
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) adb: Option<PathBuf>,
    /// What goes into the log file
    #[arg(long, global = true, value_enum, ignore_case = true, value_name = "LEVEL")]
    pub(crate) log_level: Option<LogLevel>,
    /// Answer with JSON on one line (the default when the answer is piped)
    #[arg(long, global = true)]
    json: bool,
    /// Form of the answer
    #[arg(long, global = true, value_enum, value_name = "FORM", alias = "format")]
    output: Option<OutputForm>,
}

fn milliseconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(ms) if ms.is_finite() => Ok(ms),
        _ => Err("a time is a number of milliseconds, such as 5000".into()),
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LinkName {
    /// The operator's socket
    Socket,
    /// An intent, and the phone's log
    Broadcast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Everything
    Debug,
    /// What was done
    Info,
    /// What was odd
    Warn,
    /// What failed
    Error,
}

impl From<LogLevel> for Level {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Debug => Self::Debug,
            LogLevel::Info => Self::Info,
            LogLevel::Warn => Self::Warn,
            LogLevel::Error => Self::Error,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OutputForm {
    /// On one line
    Json,
    /// Indented
    Pretty,
    /// For people
    Human,
}

impl Globals {
    pub(crate) fn format(&self, terminal: bool) -> Format {
        match self.output {
            Some(OutputForm::Pretty) => Format::Pretty,
            Some(OutputForm::Json) => Format::Compact,
            Some(OutputForm::Human) => Format::Human,
            None if terminal && !self.json => Format::Human,
            None => Format::Compact,
        }
    }
}

/// Every command, in the order help shows them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Act(Act),
    #[command(flatten)]
    Host(Host),
    #[command(flatten)]
    Skills(Skills),
    #[command(flatten)]
    Own(Own),
}

/// What a phone is asked to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Act {
    /// Run an execution, check it, or show what would be sent
    #[command(visible_alias = "execute")]
    Exec(Deferred<Exec>),
    /// Tell what is on the screen
    Snapshot(Deferred<act::Snapshot>),
    /// Take a picture of the screen
    Screenshot(Deferred<act::Screenshot>),
    /// Click a node or a point
    #[command(visible_alias = "tap")]
    Click(Deferred<act::Click>),
    /// Type into a field
    Type(Deferred<act::Type>),
    /// Read the text of a node
    Read(Deferred<act::Read>),
    /// Read the value beside a label
    ReadValue(Deferred<act::ReadValue>),
    /// Wait until a node is there
    Wait(Deferred<act::Wait>),
    /// Wait until an app or a node is in front
    WaitForNav(Deferred<act::WaitForNav>),
    /// Open an app or a URI
    Open(Deferred<act::Open>),
    /// Press back, home or recents
    Press(Deferred<act::Press>),
    /// Press back
    Back(Deferred<act::Back>),
    /// Force-stop an app
    #[command(visible_alias = "close-app")]
    Close(Deferred<act::Close>),
    /// Do nothing for a while, on the phone
    Sleep(Deferred<act::Sleep>),
    /// Scroll once
    Scroll(Deferred<act::Scroll>),
    /// Scroll until a node is there
    ScrollUntil(Deferred<act::ScrollUntil>),
    /// Scroll until a node is there, and click it
    ScrollAndClick(Deferred<act::ScrollAndClick>),
}

/// What is around phones.
#[derive(Debug, Subcommand)]
pub(crate) enum Host {
    /// List the phones adb knows
    Devices,
    /// List the apps on the phone
    Packages(Deferred<host::Packages>),
    /// Say what stands between this computer and a working phone
    Doctor(Deferred<host::Doctor>),
    /// Install the operator and switch it on
    Operator(Deferred<host::Operator>),
    /// Switch the operator's accessibility service on, and prove it
    GrantDevicePermissions,
    /// Hold the phone against the contract, on the conformance app
    Conformance(Deferred<host::Conformance>),
    /// Check, compile, run and test recipes
    Recipe(Deferred<recipe::Recipe>),
    /// Record what a person does on the phone
    #[command(visible_alias = "record")]
    Recording(Deferred<host::Recording>),
    /// Let an agent drive the phone with OpenPocket's actions
    Pocket(Deferred<pocket::Pocket>),
    /// Android emulators on this computer
    Emulator(Deferred<host::Emulator>),
    /// Answer HTTP requests, for many clients at many phones
    Serve(Deferred<serve::Serve>),
    /// Serve an agent by the Model Context Protocol, on standard input and output
    Mcp,
    /// Show this program's own log
    Logs(Deferred<host::Logs>),
}

/// What people wrote so that agents need not find the way again.
#[derive(Debug, Subcommand)]
pub(crate) enum Skills {
    /// Find, check, make and fetch skills
    Skills(Deferred<skills::Skills>),
}

/// What needs no phone.
#[derive(Debug, Subcommand)]
pub(crate) enum Own {
    /// Start simulated phones that adb can connect to
    Sim(Deferred<sim::Sim>),
    /// Print a JSON Schema of the contract, of recipes or of OpenPocket's actions
    Schema {
        /// Of what
        #[arg(value_enum)]
        of: SchemaOf,
    },
    /// Say what an error code means and what to do about it
    Explain {
        /// The code; all of them without it
        code: Option<String>,
    },
    /// Print the version
    Version {
        /// Ask the phone whether its operator fits
        #[arg(long)]
        check_compat: bool,
    },
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Exec {
    /// The execution: JSON text, the path of a file, or - for standard input
    #[arg(
        value_name = "JSON|FILE|-",
        required_unless_present = "payload",
        conflicts_with = "payload"
    )]
    source: Option<OsString>,
    /// The same, as a flag
    #[arg(
        long,
        value_name = "JSON|FILE|-",
        allow_hyphen_values = true,
        aliases = ["execution", "input", "file"]
    )]
    payload: Option<OsString>,
    #[command(flatten)]
    pub(crate) check: Check,
}

impl Exec {
    /// Where the payload comes from; one of the two is always given.
    pub(crate) fn source(&self) -> OsString {
        self.payload.clone().or_else(|| self.source.clone()).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SchemaOf {
    /// What is sent
    Execution,
    /// What comes back
    Envelope,
    /// A recipe in JSON
    Recipe,
    /// The frontmatter of a recipe in Markdown
    RecipeFrontmatter,
    /// The block of a step of a recipe in Markdown
    RecipeStep,
    /// An action of OpenPocket's
    PocketAction,
    /// A step of an agent: its thought and its action
    PocketStep,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_do_not_contradict_each_other() {
        Args::command().debug_assert();
    }
}
