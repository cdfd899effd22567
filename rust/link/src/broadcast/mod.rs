//! The broadcast link: an intent carries the execution in, lines of the phone's log carry the
//! result out.
//!
//! Other programs know this form too, so it stays as it is for them: one line with the marker
//! `[Clawperator-Result]`, and before it each snapshot under its own marker. A host that sends a
//! dispatch id gets the whole envelope in slices that carry the id, so that it takes no other
//! result for its own, and may ask for it again.

mod intent;
mod log_lines;
mod reader;

pub use intent::{
    ACTION, Broadcast, EXTRA_CANCEL, EXTRA_DISPATCH, EXTRA_PAYLOAD, EXTRA_RESUME, shell_quoted,
};
pub use log_lines::{HIERARCHY_MARKER, RESULT_MARKER, lines};
pub use reader::ResultReader;
