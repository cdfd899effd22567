//! The program as it is installed, against simulated phones behind the stock adb.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod commands;
mod conformance;
mod evidence;
mod faults;
mod links;
mod output;
mod serve;
mod support;
#[path = "../pocket/talk.rs"]
mod talk;
