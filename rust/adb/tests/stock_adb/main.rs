//! Simulated phones behind the stock adb server, spoken to without the program adb. Needs an adb:
//! `ADB_PATH`, or one in `PATH`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod commands;
mod dying;
mod files;
mod old_phone;
mod phones;

use clawperator_adb::{AdbError, Deadline, Device, Server};
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

/// Why a phone does not become ready. A busy computer gets more time to see it.
fn not_ready(device: &Device) -> AdbError {
    match device.wait_until_ready(short()).unwrap_err() {
        AdbError::TimedOut { .. } => {
            device.wait_until_ready(Deadline::after(Duration::from_secs(5))).unwrap_err()
        }
        error => error,
    }
}

fn server(adb: &Adb) -> Server {
    Server::at("127.0.0.1", adb.port, Some(adb.program()))
}

fn device(lab: &Lab) -> Device {
    server(&lab.host).device(&lab.serial)
}
