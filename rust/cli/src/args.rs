//! What can be typed. Help, completions and the checks of the shell line come from here.

use crate::deferred::Deferred;
use crate::output::Format;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// A deterministic hand on an Android phone, for agents
#[derive(Debug, Parser)]
#[command(
    name = "clawperator",
    version,
    disable_help_subcommand = false,
    after_help = "Exit codes: 0 done, 1 it failed (the answer says why), 2 the command line is wrong."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Serial of the phone; `sim` is a simulated one inside this process
    #[arg(long, global = true, value_name = "SERIAL", alias = "device-id")]
    pub(crate) device: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OutputArgs {
    /// Answer with JSON on one line (the default when the answer is piped)
    #[arg(long, global = true)]
    json: bool,
    /// Form of the answer
    #[arg(long, global = true, value_enum, value_name = "FORM", alias = "format")]
    output: Option<OutputForm>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OutputForm {
    /// On one line
    Json,
    /// Indented
    Pretty,
}

impl OutputArgs {
    pub(crate) fn format(&self, terminal: bool) -> Format {
        match self.output {
            Some(OutputForm::Pretty) => Format::Pretty,
            Some(OutputForm::Json) => Format::Compact,
            None if terminal && !self.json => Format::Pretty,
            None => Format::Compact,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run an execution, check it, or show what would be sent
    #[command(visible_alias = "execute")]
    Exec(Deferred<Exec>),
    /// Start simulated phones that adb can connect to
    Sim(Deferred<Sim>),
    /// Print a JSON Schema of the contract
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
    Version,
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
    /// Check it and print the canonical execution
    #[arg(long, alias = "validate", conflicts_with = "dry_run")]
    pub(crate) validate_only: bool,
    /// Check it and print what would be sent
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl Exec {
    /// Where the payload comes from; one of the two is always given.
    pub(crate) fn source(&self) -> OsString {
        self.payload.clone().or_else(|| self.source.clone()).unwrap_or_default()
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Sim {
    /// How many phones
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(crate) count: u16,
    /// Port of the first phone, the others take the next ones; 0 takes any that are free
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Folder with app models of your own
    #[arg(long, value_name = "DIR")]
    pub(crate) apps: Option<PathBuf>,
    /// Folder with uiautomator dumps to play as screens
    #[arg(long, value_name = "DIR")]
    pub(crate) screens: Option<PathBuf>,
    /// Size of the screen in pixels
    #[arg(long, value_name = "WxH", default_value = "1080x2400", value_parser = size)]
    pub(crate) size: (i32, i32),
    /// Density of the screen in dpi
    #[arg(long, default_value_t = 420, value_parser = clap::value_parser!(i32).range(80..=800))]
    pub(crate) density: i32,
    /// What keeps others out when the screen goes off
    #[arg(long, value_enum, default_value_t = LockKind::Swipe)]
    pub(crate) lock: LockKind,
    /// Let something go wrong, with a probability: late_nodes=0.1 (repeatable; `all=0.05` for everything)
    #[arg(long = "fault", value_name = "NAME=P", value_parser = fault)]
    pub(crate) faults: Vec<(String, f64)>,
    /// Kill the operator's service after so many operations
    #[arg(long, value_name = "N")]
    pub(crate) kill_service_after: Option<u64>,
    /// Cut the connection to adb once, after so many bytes
    #[arg(long, value_name = "BYTES")]
    pub(crate) cut_after: Option<u64>,
    /// Decides when things go wrong; the same seed goes wrong the same way
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Version of the operator that is installed; `none` for no operator
    #[arg(long, value_name = "VERSION", default_value = env!("CARGO_PKG_VERSION"))]
    pub(crate) operator: String,
    /// Install the operator's developer variant instead
    #[arg(long)]
    pub(crate) dev_operator: bool,
    /// Leave the operator's accessibility service off
    #[arg(long)]
    pub(crate) service_off: bool,
    /// Ask hosts for their key, as a phone does; new keys are accepted and shown
    #[arg(long)]
    pub(crate) auth: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LockKind {
    /// Nothing
    None,
    /// A screen to swipe away
    Swipe,
    /// A screen that asks for a PIN
    Secure,
}

fn size(text: &str) -> Result<(i32, i32), String> {
    let sides = text.split_once('x').map(|(w, h)| (w.parse::<i32>(), h.parse::<i32>()));
    match sides {
        Some((Ok(width @ 200..=8_000), Ok(height @ 200..=8_000))) => Ok((width, height)),
        _ => Err("a size looks like 1080x2400, each side from 200 to 8000".into()),
    }
}

fn fault(text: &str) -> Result<(String, f64), String> {
    let (name, probability) = text.split_once('=').ok_or("a fault looks like late_nodes=0.1")?;
    match probability.parse::<f64>() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok((name.to_owned(), p)),
        _ => Err(format!("{probability} is not a probability from 0 to 1")),
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SchemaOf {
    /// What is sent
    Execution,
    /// What comes back
    Envelope,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_do_not_contradict_each_other() {
        Args::command().debug_assert();
    }
}
