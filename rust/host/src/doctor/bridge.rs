//! Where phones come from: an adb server, or this program itself.

use crate::device::{self, AdbDevice, Device};
use clawperator_adb::{Deadline, Listed, Server};
use clawperator_contract::Failure;
use std::path::PathBuf;
use std::time::Duration;

/// A server answers at once; starting one takes a second, some USB stacks more.
const PATIENCE: Duration = Duration::from_secs(15);

/// Where phones come from.
#[derive(Clone, Copy)]
pub enum Host<'a> {
    /// An adb server.
    Adb(&'a dyn Adb),
    /// A phone inside this program.
    Embedded(&'a dyn Device),
}

/// What the doctor asks of adb.
pub trait Adb {
    /// The program that can start the server.
    fn program(&self) -> Result<PathBuf, Failure>;

    /// Does the server run? It is not started for the question.
    fn is_running(&self) -> bool;

    /// The version of the server's protocol; starts a server that does not run.
    fn version(&self) -> Result<u32, Failure>;

    /// Starts the server.
    fn start(&self) -> Result<(), Failure>;

    /// The phones it knows.
    fn devices(&self) -> Result<Vec<Listed>, Failure>;

    /// The serial of the phone that is meant: the one named, or the only one.
    fn choose(&self, named: Option<&str>) -> Result<String, Failure>;

    /// A phone of it. Nothing is asked yet.
    fn device(&self, serial: &str) -> Box<dyn Device>;
}

impl Adb for Server {
    fn program(&self) -> Result<PathBuf, Failure> {
        Self::program(self).map_err(|error| device::failure(&error))
    }

    fn is_running(&self) -> bool {
        Self::is_running(self, Deadline::after(PATIENCE))
    }

    fn version(&self) -> Result<u32, Failure> {
        Self::version(self, Deadline::after(PATIENCE)).map_err(|error| device::failure(&error))
    }

    fn start(&self) -> Result<(), Failure> {
        Self::start(self, Deadline::after(PATIENCE)).map_err(|error| device::failure(&error))
    }

    fn devices(&self) -> Result<Vec<Listed>, Failure> {
        device::list(self)
    }

    fn choose(&self, named: Option<&str>) -> Result<String, Failure> {
        device::choose(self, named)
    }

    fn device(&self, serial: &str) -> Box<dyn Device> {
        Box::new(AdbDevice::new(Self::device(self, serial)))
    }
}

/// A phone the doctor holds.
pub(super) enum Held<'a> {
    Own(Box<dyn Device>),
    Lent(&'a dyn Device),
}

impl Held<'_> {
    pub(super) fn device(&self) -> &dyn Device {
        match self {
            Self::Own(device) => device.as_ref(),
            Self::Lent(device) => *device,
        }
    }
}
