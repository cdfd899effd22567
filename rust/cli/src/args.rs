//! What can be typed. Help, completions and the checks of the shell line come from here.

use crate::output::Format;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;

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
    /// Check an execution, or show what would be sent
    #[command(visible_alias = "execute")]
    Exec(Exec),
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
