//! How host and operator talk: both ends of both links, over any byte stream and any log.
//!
//! [`socket`] is the usual one: one connection, frames, streamed step results, questions to the
//! host, and a way to ask again after the connection broke. [`broadcast`] is the fallback: an
//! intent in, lines of the phone's log out. This crate knows the contract; it knows no adb, no
//! JNI, no sockets and not what runs the executions: that is the [`station::Station`].

pub mod broadcast;
pub mod socket;
pub mod station;
