//! The git hooks and what they ask, with real repositories.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

mod denylists;
#[path = "../support/folder.rs"]
mod folder;
mod hooks;
mod pushed;
mod repo;
mod staged;
