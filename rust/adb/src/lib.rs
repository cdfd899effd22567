//! adb's host side: the adb server's protocol, spoken over the server's own socket.
//!
//! No adb process is started for a request: one connection to the server, a few words, and the
//! stream is the phone's. The program `adb` is only needed to start a server that does not run.
//! Everything takes a [`Deadline`]; whatever goes wrong is an [`AdbError`] that says what was seen.
//! This crate knows nothing of executions.

mod address;
mod buffered;
mod deadline;
mod device;
mod error;
mod listed;
mod program;
mod prompt;
mod server;
mod shell;
mod start;
mod stream;
mod sync;
mod track;
mod wire;

pub use deadline::Deadline;
pub use device::Device;
pub use error::AdbError;
pub use listed::{Listed, State};
pub use server::Server;
pub use shell::Output;
pub use stream::Stream;
pub use sync::Stat;
pub use track::Tracker;
