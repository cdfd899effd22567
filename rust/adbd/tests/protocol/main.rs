//! The protocol, packet by packet, against a host in this process.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod features;
mod files;
mod handshake;
mod host;
mod links;
mod malformed;
mod packets;
mod shells;
mod streams;
#[path = "../support/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test binary uses its part")]
mod support;
mod syncs;
