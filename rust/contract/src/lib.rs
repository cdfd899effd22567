//! The contract between agent, host and phone.
//!
//! Payloads and their aliases, limits and rules; the two readers of a payload (the strict one of
//! the host, [`Execution`], and the lenient one of the phone, [`Runnable`]); the envelope that
//! answers it; the error codes; the frames and log lines that carry both. Data in, data out: this
//! crate knows no files, no sockets, no clock, no Android and no adb.

pub mod action;
pub mod aliases;
pub mod codes;
pub mod envelope;
pub mod execution;
mod failure;
pub mod frame;
mod invalid;
pub mod json;
pub mod limits;
pub mod message;
pub mod node_ref;
pub mod normalise;
pub mod operator;
pub mod pattern;
pub mod retry;
pub mod runnable;
#[cfg(feature = "schema")]
pub mod schema;
pub mod selector;
pub mod slices;
pub mod suggest;
mod validate;
pub mod wrapper;

pub use codes::ErrorCode;
pub use envelope::{Envelope, Status, StepResult};
pub use execution::Execution;
pub use failure::Failure;
pub use invalid::{Invalid, kind_of};
pub use node_ref::NodeRef;
pub use runnable::Runnable;
