//! `clawperator`: takes an execution from an agent or a person and answers with one result.
//!
//! This crate knows flags and output; what things mean stands in the crates it calls.

mod args;
mod commands;
mod deferred;
mod embedded;
mod human;
mod input;
mod output;
mod reach;
mod usage;

use std::process::ExitCode;

fn main() -> ExitCode {
    // A fault of ours is answered like any other failure: in JSON, with a code.
    std::panic::set_hook(Box::new(output::remember_fault));
    let answered = std::panic::catch_unwind(|| match args::parse() {
        Ok(args) => commands::run(&args),
        Err(error) => usage::answer(&error),
    });
    answered.unwrap_or_else(|_| output::fault())
}
