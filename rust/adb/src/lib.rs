//! adb's host side: the adb server's protocol, spoken over the server's own socket.
//!
//! No adb process is started for a request: one connection to the server, a few words, and the
//! stream is the phone's. The program `adb` is only needed to start a server that does not run.
//! Everything takes a [`Deadline`]; whatever goes wrong is an [`AdbError`] that says what was seen.
//! This crate knows nothing of executions.

mod deadline;
mod device;
mod error;
mod program;
mod server;
mod shell;
mod stream;
mod sync;

pub use deadline::Deadline;
pub use device::Device;
pub use error::AdbError;
pub use server::{Listed, Server, State, Tracker};
pub use shell::Output;
pub use stream::Stream;
pub use sync::Stat;
