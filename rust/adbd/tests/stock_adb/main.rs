//! A stock adb believes that it talks to a phone. Needs an adb: `ADB_PATH`, or one in `PATH`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod connecting;
mod files;
mod services;
#[path = "../support/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test binary uses its part")]
mod support;
