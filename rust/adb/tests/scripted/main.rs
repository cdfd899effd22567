//! An adb server that says exactly what a test wants, right or wrong.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod fake;
mod files;
mod opening;
mod requests;
mod shells;
mod starting;
mod tracking;
