//! Android emulators of this computer: list, inspect, create, start, stop, delete, provision.
//!
//! What there is comes from the files of the virtual devices and from adb; the tools of the SDK
//! are only needed for what they alone can do. Answers are plain data; whatever goes wrong is a
//! [`clawperator_contract::Failure`] with the tool's own words in it.

mod avd;
pub mod console;
mod create;
mod environment;
mod lifecycle;
mod provision;
mod running;
mod sdk;
mod tools;

pub use avd::{ConfiguredAvd, LOWEST_API, Reason, host_abi};
pub use create::{Create, Deleted};
pub use environment::Environment;
pub use lifecycle::{Start, Started, Stopped};
pub use provision::{Provision, Provisioned};
pub use running::{AdbPhones, Phones, RunningEmulator, RunningEmulators};
pub use sdk::{Sdk, Tool};

use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use serde_json::json;
use std::time::Duration;

/// The virtual device that is created when nobody names one.
pub const DEFAULT_NAME: &str = "clawperator-pixel";

/// The emulators of this computer.
pub struct Emulators<'a> {
    /// The SDK.
    pub sdk: Sdk,
    /// The phones adb knows.
    pub phones: &'a dyn Phones,
    /// How long things may take.
    pub limits: Limits,
    /// The kind of processor this computer has.
    pub host_abi: String,
}

/// How long things may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// sdkmanager's list of what is installed.
    pub list_packages: Duration,
    /// The download of a system image: one to two gigabytes, over whatever line there is.
    pub install_image: Duration,
    /// avdmanager's creation of a device.
    pub create: Duration,
    /// avdmanager's deletion of a device.
    pub delete: Duration,
    /// From the start of the emulator to its appearance on adb.
    pub registration: Duration,
    /// From there to the end of Android's start.
    pub boot: Duration,
    /// From the order to stop to its end; it may save its state on the way.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            list_packages: Duration::from_secs(30),
            install_image: Duration::from_secs(30 * 60),
            create: Duration::from_secs(120),
            delete: Duration::from_secs(60),
            registration: Duration::from_secs(60),
            boot: Duration::from_secs(180),
            stop: Duration::from_secs(60),
        }
    }
}

/// The answer to `emulator list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Avds {
    /// The virtual devices, by name.
    pub avds: Vec<ConfiguredAvd>,
    /// Why it is not known which of them run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

impl<'a> Emulators<'a> {
    /// The emulators of this computer, as its environment describes it.
    #[must_use]
    pub fn new(sdk: Sdk, phones: &'a dyn Phones) -> Self {
        Self { sdk, phones, limits: Limits::default(), host_abi: host_abi().to_owned() }
    }

    /// The virtual devices. They are told even where there is no adb to say which of them run.
    pub fn list(&self) -> Result<Avds, Failure> {
        let mut avds = avd::read_all(&self.sdk, &self.host_abi)?;
        let names = match running::names(self.phones) {
            Ok(names) => names,
            Err(failure) => {
                let warning = format!("it is not known which of them run: {}", failure.message);
                return Ok(Avds { avds, warning: Some(warning) });
            }
        };
        for avd in &mut avds {
            let found = names.iter().find(|(_, name)| name.as_deref() == Some(&*avd.name));
            avd.serial = found.map(|(serial, _)| serial.clone());
            avd.running = Some(avd.serial.is_some());
        }
        Ok(Avds { avds, warning: None })
    }

    /// One virtual device.
    pub fn inspect(&self, name: &str) -> Result<ConfiguredAvd, Failure> {
        let avds = self.list()?.avds;
        let known: Vec<&str> = avds.iter().map(|avd| avd.name.as_str()).collect();
        if let Some(at) = known.iter().position(|known| *known == name) {
            return Ok(avds[at].clone());
        }
        let home = self.sdk.environment().avd_home();
        let seen = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let message =
            format!("no virtual device is called {name}; in {} there is {seen}", home.display());
        let code = ErrorCode::EmulatorNotFound;
        Err(Failure::new(code, message)
            .detail("avdName", name)
            .detail("known", json!(known))
            .hint(code.remedy()))
    }

    /// The emulators that run.
    pub fn status(&self) -> Result<RunningEmulators, Failure> {
        running::all(self.phones, &self.host_abi).map(|devices| RunningEmulators { devices })
    }
}

fn already_running(name: &str, serial: &str) -> Failure {
    let message = format!("the virtual device {name} is running as {serial}");
    let hint = format!("use it with `--device {serial}`, or `clawperator emulator stop {name}`");
    Failure::new(ErrorCode::EmulatorAlreadyRunning, message)
        .detail("avdName", name)
        .detail("serial", serial)
        .hint(hint)
}
