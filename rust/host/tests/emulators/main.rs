//! Emulators, with tools of the SDK that are shell scripts and an adb that is a folder.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod adb;
mod create;
mod delete;
mod listing;
mod provision;
mod sdk;
mod start;
mod stop;
mod world;
