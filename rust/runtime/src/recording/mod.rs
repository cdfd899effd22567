//! Recording what a person does, for a recipe to be made of it.
//!
//! One session at a time. Its file is NDJSON: a header, then one line for each event, each written
//! the moment it happens. A process that is killed leaves every line but perhaps the last one
//! whole, and `latest` already names the session.

mod error;
mod event;
mod line;
#[cfg(test)]
mod memory_sink;
mod recorder;
mod session;
mod sink;
#[cfg(test)]
mod tests;

pub use error::RecordingError;
pub use event::{Key, RecordedEvent, Scrolled, TextChange, Touched, WindowChange};
pub use recorder::{Recorder, Started, Stopped};
pub use sink::{DirectorySink, RecordingFile, RecordingSink, SinkError};

/// Version of the file format. Readers refuse another one, so only additions keep it.
pub const SCHEMA_VERSION: u32 = 1;
