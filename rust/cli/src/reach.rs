//! From what was typed to a phone.

use crate::args::{Globals, LinkName};
use crate::commands::VERSION;
use crate::embedded;
use clawperator_adb::Server;
use clawperator_contract::{Failure, operator};
use clawperator_embedded::NAME;
use clawperator_host::device::{self, AdbDevice, Device};
use clawperator_host::dispatch::{Link, Route, Stop};
use clawperator_host::flight::{self, Flight};
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A variable of the environment; an empty one counts as none.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// The adb server; this program starts one where none runs.
pub(crate) fn server(program: Option<&Path>) -> Result<Server, Failure> {
    Server::from_environment(program).map_err(|error| device::failure(&error))
}

impl Globals {
    /// The phone that was named.
    pub(crate) fn named_device(&self) -> Option<String> {
        self.device.clone().or_else(|| variable("ANDROID_SERIAL"))
    }

    /// Is it the one inside this process?
    pub(crate) fn is_embedded(&self) -> bool {
        self.named_device().as_deref() == Some(NAME)
    }

    /// The adb server.
    pub(crate) fn server(&self) -> Result<Server, Failure> {
        server(self.adb.as_deref())
    }

    /// The phone that is meant. A name is believed until the phone is asked for something.
    pub(crate) fn phone(&self) -> Result<Box<dyn Device>, Failure> {
        self.phone_or(None)
    }

    /// The same, with a phone that is meant where none was named.
    pub(crate) fn phone_or(&self, meant: Option<&str>) -> Result<Box<dyn Device>, Failure> {
        let named = self.named_device().or_else(|| meant.map(ToOwned::to_owned));
        if named.as_deref() == Some(NAME) {
            return Ok(Box::new(embedded::boot()?));
        }
        let server = self.server()?;
        let serial = match named {
            Some(serial) => serial,
            None => device::choose(&server, None)?,
        };
        Ok(Box::new(AdbDevice::new(server.device(&serial))))
    }

    /// The phone alone, for an execution of this name; waits for it where that was asked for.
    pub(crate) fn claim(&self, phone: &dyn Device, name: &str) -> Result<Option<Flight>, Failure> {
        if phone.serial() == NAME {
            // Nobody else can reach the phone inside this process.
            return Ok(None);
        }
        let wait = self.wait.map_or(Duration::ZERO, Duration::from_millis);
        flight::claim(&flight::folder(), phone.serial(), name, wait).map(Some)
    }

    /// Package of the operator: named, or the released one.
    pub(crate) fn package(&self) -> String {
        self.named_package().unwrap_or_else(|| operator::RELEASE_PACKAGE.to_owned())
    }

    /// Package of the operator, when it was named.
    pub(crate) fn named_package(&self) -> Option<String> {
        self.operator_package.clone().or_else(|| variable("CLAWPERATOR_OPERATOR_PACKAGE"))
    }

    pub(crate) fn evidence_folder(&self) -> Option<PathBuf> {
        self.evidence.clone().or_else(|| variable("CLAWPERATOR_EVIDENCE").map(PathBuf::from))
    }

    /// The way to the operator on a phone, without evidence of failures.
    pub(crate) fn route<'a>(
        &self,
        device: &'a dyn Device,
        package: &'a str,
        stop: &'a Stop,
    ) -> Route<'a> {
        let link = self.wanted_link();
        Route { device, package, host_version: VERSION, link, evidence: None, stop }
    }

    /// The link that was asked for.
    pub(crate) fn wanted_link(&self) -> Option<Link> {
        self.link.map(|link| match link {
            LinkName::Socket => Link::Socket,
            LinkName::Broadcast => Link::Broadcast,
        })
    }
}
