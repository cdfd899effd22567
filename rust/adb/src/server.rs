//! The adb server.

use crate::{AdbError, Deadline, Device};
use std::path::{Path, PathBuf};

/// An adb server, running or to be started.
#[derive(Clone, Debug)]
pub struct Server {
    host: String,
    port: u16,
    program: Option<PathBuf>,
}

/// A phone as the server lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// What names it.
    pub serial: String,
    /// Whether it can be used.
    pub state: State,
    /// `product:`, where the server tells it.
    pub product: Option<String>,
    /// `model:`, where the server tells it.
    pub model: Option<String>,
    /// `device:`, where the server tells it.
    pub device: Option<String>,
    /// `transport_id:`, where the server tells it.
    pub transport_id: Option<u64>,
}

/// Whether a phone can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Yes.
    Device,
    /// Connected, but it does not answer.
    Offline,
    /// It has not allowed this computer.
    Unauthorized,
    /// This user may not open its USB device.
    NoPermissions,
    /// Another word of the server: `recovery`, `sideload`, `authorizing` and so on.
    Other(String),
}

/// The list of phones, each time it changes.
pub struct Tracker {}

impl Server {
    /// The server the environment names, and the adb that could start it.
    pub fn from_environment(adb: Option<&Path>) -> Result<Self, AdbError> {
        Ok(Self { host: "127.0.0.1".into(), port: 5037, program: adb.map(Path::to_owned) })
    }

    /// The phones it knows.
    pub fn devices(&self, _deadline: Deadline) -> Result<Vec<Listed>, AdbError> {
        Err(AdbError::ServerFailed {
            message: format!("{}:{} {:?}", self.host, self.port, self.program),
        })
    }

    /// A phone of it. Nothing is asked yet.
    #[must_use]
    pub fn device(&self, serial: &str) -> Device {
        Device::new(self.clone(), serial)
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Device => "device",
            Self::Offline => "offline",
            Self::Unauthorized => "unauthorized",
            Self::NoPermissions => "no permissions",
            Self::Other(word) => word,
        })
    }
}
