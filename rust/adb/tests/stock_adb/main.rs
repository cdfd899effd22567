//! Simulated phones behind the stock adb server, spoken to without the program adb. Needs an adb:
//! `ADB_PATH`, or one in `PATH`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod commands;
mod dying;
mod files;
mod old_phone;
mod phones;

use clawperator_adb::{Deadline, Device, Server};
use clawperator_lab::{Adb, Lab};
use std::time::Duration;

/// For what happens; nothing waits so long when all is well.
fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

/// For what does not happen.
fn short() -> Deadline {
    Deadline::after(Duration::from_millis(50))
}

fn server(adb: &Adb) -> Server {
    Server::at("127.0.0.1", adb.port, Some(adb.program()))
}

fn device(lab: &Lab) -> Device {
    server(&lab.host).device(&lab.serial)
}
