//! What the simulated phone promises, asked by the real runtime, in virtual time.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod apps;
mod bench;
mod chaos;
mod conformance;
mod format;
mod imported;
mod layout;
mod monkey;
mod recording;
mod settings;
mod threads;
mod touch;
mod windows;
