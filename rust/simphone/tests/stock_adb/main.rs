//! A stock adb believes that this is a phone: every command tools send one, through an adb nobody
//! here wrote. Needs an adb: `ADB_PATH`, or one in `PATH`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod apps;
mod broadcasts;
mod connecting;
mod installing;
mod logs;
mod settings;
mod shells;
mod sockets;
mod touching;
