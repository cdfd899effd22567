//! `clawperator mcp`, and `/mcp` of `clawperator serve`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod ends;
mod page;
mod program;
mod sdk;
