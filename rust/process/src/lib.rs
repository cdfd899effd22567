//! Programs of others, run as the head of their own group of processes.
//!
//! Such a program may print without end, ignore a request to end, leave processes behind, or die of
//! a signal. None of that delays the answer, makes it untrue or fills the memory. This crate knows
//! neither skills nor agents, and judges no command: whoever calls it has decided to run it.

mod group;
mod output;
mod run;

pub use output::Printed;
pub use run::{Ended, Input, Limits, Outputs, Run, Running, Sink, Stream, run, signal_name};
