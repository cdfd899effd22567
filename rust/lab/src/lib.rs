//! The stock adb with a server of its own, simulated phones at it, and a real browser, for tests and
//! benches.
//!
//! Nothing here touches the adb server a person works with: every [`Adb`] has its own port, home
//! and keys, and ends with the process that started it, however that one ends. Needs an adb:
//! `ADB_PATH`, or one in `PATH`. What goes wrong panics, as a test does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod adb;
#[cfg(feature = "browser")]
mod browser;
#[cfg(feature = "phones")]
mod compare;
#[cfg(feature = "phones")]
mod phones;
#[cfg(feature = "phones")]
mod screen;

pub use adb::{Adb, Ran, adb, finish};
#[cfg(feature = "browser")]
pub use browser::Browser;
#[cfg(feature = "phones")]
pub use compare::differences;
#[cfg(feature = "phones")]
pub use phones::{Following, Lab, execution, options, payload};
#[cfg(feature = "phones")]
pub use screen::Screen;
