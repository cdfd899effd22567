//! What the host does with recordings: fetches them from a phone, reads them, and makes of them a
//! log of steps or an export for programs.
//!
//! A recording is the NDJSON file of an operator: a header, then one line for each event. Files of
//! other operators of the same schema are read as well.

mod acts;
mod event;
mod export;
mod fields;
mod files;
mod folder;
mod parse;
mod pull;
mod roles;
mod scrolling;
mod step;
mod step_log;
mod steps;
#[cfg(test)]
mod test_phone;
#[cfg(test)]
mod test_recording;
#[cfg(test)]
mod tests_parse;
#[cfg(test)]
mod tests_pull;
#[cfg(test)]
mod tests_steps;
#[cfg(test)]
mod tests_windows;

pub use event::{Edges, Event, Header, Other, Recording, Scrolled, Touched, What, Window};
pub use export::{Export, Exported, SnapshotMode, export, export_of};
pub use folder::{Listed, Session, list};
pub use parse::{parse, read};
pub use pull::{Pulled, pull};
pub use roles::{Packages, packages};
pub use step::{Act, Cause, Certainty, Direction, Step, StepLog, WindowSeen};
pub use step_log::{StepLogWritten, write_beside, write_step_log};
pub use steps::steps;

/// The version of the file format this program reads.
pub const SCHEMA_VERSION: u32 = 1;
