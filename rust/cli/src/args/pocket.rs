//! What `pocket` takes.

use clap::{Args as ClapArgs, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Pocket {
    #[command(subcommand)]
    pub(crate) what: PocketWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PocketWhat {
    /// Do what an agent sends, one JSON line after another, and answer each with one
    Run(Run),
    /// Print the tools a model is offered, for function calling
    Tools,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Run {
    /// The lines: a file, or - for standard input
    #[arg(long, value_name = "FILE|-", default_value = "-")]
    pub(crate) steps: OsString,
    /// Where the agent's files, scripts and notes are; made if it is not there
    #[arg(long, value_name = "DIR", default_value = "pocket")]
    pub(crate) workspace: PathBuf,
    /// Where the session is written down; without it a new folder in the workspace's `sessions`
    #[arg(long, value_name = "DIR")]
    pub(crate) session: Option<PathBuf>,
    /// Settings of the session
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The model that will see the pictures; it decides how large they are
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) model: String,
    /// The most steps, instead of the settings' number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) max_steps: Option<u64>,
    /// Tell on standard output, in lines with an `event`, where a person is asked
    #[arg(long)]
    pub(crate) events: bool,
}
