//! The adb server.

use crate::address::{Address, Unconnected};
use crate::wire::Wire;
use crate::{AdbError, Deadline, Device, Listed, Tracker, program, start};
use std::env;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// An adb server, running or to be started.
#[derive(Clone, Debug)]
pub struct Server {
    address: Address,
    /// The adb that was named; without one it is looked for when a server must be started.
    program: Option<PathBuf>,
}

impl Server {
    /// The server the environment names, and the adb that could start it.
    pub fn from_environment(adb: Option<&Path>) -> Result<Self, AdbError> {
        let address = Address::from_variables(|name| env::var_os(name))?;
        Ok(Self { address, program: adb.map(Path::to_owned) })
    }

    /// The server at this place, and the adb that could start it if it is this computer.
    #[must_use]
    pub fn at(host: &str, port: u16, program: Option<PathBuf>) -> Self {
        Self { address: Address::new(host, port), program }
    }

    /// Where it listens, as `host:port`.
    #[must_use]
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// The adb that can start it: the one given, else `ADB_PATH`, the Android SDK's, the one in
    /// `PATH`.
    pub fn program(&self) -> Result<PathBuf, AdbError> {
        program::find(self.program.as_deref(), |name| env::var_os(name))
    }

    /// A phone of it. Nothing is asked yet.
    #[must_use]
    pub fn device(&self, serial: &str) -> Device {
        Device::new(self.clone(), serial)
    }

    /// The phones it knows.
    pub fn devices(&self, deadline: Deadline) -> Result<Vec<Listed>, AdbError> {
        let text = self.query("host:devices-l", None, deadline)?;
        Ok(Listed::all(&text))
    }

    /// The phones it knows, each time that changes.
    pub fn track(&self, deadline: Deadline) -> Result<Tracker, AdbError> {
        self.ask("host:track-devices-l", None, deadline).map(Tracker::new)
    }

    /// The version of its protocol: 41 for every adb since 2019.
    pub fn version(&self, deadline: Deadline) -> Result<u32, AdbError> {
        let wire = self.ask("host:version", None, deadline)?;
        self.read_version(wire)
    }

    /// Does it run? It is not started for the question.
    pub fn is_running(&self, deadline: Deadline) -> bool {
        let Ok(wire) = self.connection(deadline) else { return false };
        let wire = self.request(wire, "host:version", None);
        wire.and_then(|wire| self.read_version(wire)).is_ok()
    }

    /// Connects a phone over the network; answers with the server's words.
    pub fn connect(&self, address: &str, deadline: Deadline) -> Result<String, AdbError> {
        let request = format!("host:connect:{address}");
        // `OKAY` only says that it tried.
        let said = self.query(&request, None, deadline)?.trim_end().to_owned();
        if said.starts_with("connected to") || said.starts_with("already connected to") {
            Ok(said)
        } else if said.starts_with("failed to authenticate") {
            Err(AdbError::DeviceUnauthorized { serial: address.to_owned() })
        } else {
            Err(AdbError::Refused { service: request, message: said })
        }
    }

    /// Forgets a phone on the network; answers with the server's words.
    pub fn disconnect(&self, address: &str, deadline: Deadline) -> Result<String, AdbError> {
        let said = self.query(&format!("host:disconnect:{address}"), None, deadline)?;
        // The server answers before it has forgotten it. Who connects in between hears that it is
        // connected already, and a moment later it is gone.
        let mut tracker = self.track(deadline)?;
        while tracker.next(deadline)?.iter().any(|one| one.serial == address) {}
        Ok(said)
    }

    /// Starts it with the program adb, unless it runs. One on another computer is not started.
    pub fn start(&self, deadline: Deadline) -> Result<(), AdbError> {
        if !self.address.is_local() {
            let message = format!(
                "the adb server at {} is on another computer: start it there",
                self.address
            );
            return Err(AdbError::ServerFailed { message });
        }
        start::start(&self.program()?, &self.address, deadline)
    }

    /// Asks for something that is answered with a text.
    pub(crate) fn query(
        &self,
        request: &str,
        serial: Option<&str>,
        deadline: Deadline,
    ) -> Result<String, AdbError> {
        self.ask(request, serial, deadline)?.text()
    }

    /// Asks for something on a connection of its own, which is then used for it. A server that
    /// does not run is started first.
    pub(crate) fn ask(
        &self,
        request: &str,
        serial: Option<&str>,
        deadline: Deadline,
    ) -> Result<Wire, AdbError> {
        let wire = match self.connection(deadline) {
            Ok(wire) => wire,
            Err(Unconnected::Refused(_)) if self.address.is_local() => self.revive(deadline)?,
            Err(Unconnected::Refused(error)) => return Err(self.address.unreachable(&error)),
            Err(Unconnected::Failed(error)) => return Err(error),
        };
        self.request(wire, request, serial)
    }

    fn request(
        &self,
        mut wire: Wire,
        request: &str,
        serial: Option<&str>,
    ) -> Result<Wire, AdbError> {
        match wire.ask(request) {
            Ok(Ok(())) => Ok(wire),
            Ok(Err(text)) => Err(AdbError::from_fail(request, serial, text)),
            // Its first words already are not those of an adb server.
            Err(AdbError::Nonsense { message }) => Err(AdbError::ServerFailed {
                message: format!(
                    "what listens at {} is not an adb server: it said {message}",
                    self.address
                ),
            }),
            Err(error) => Err(error),
        }
    }

    fn connection(&self, deadline: Deadline) -> Result<Wire, Unconnected> {
        let started = Instant::now();
        Ok(Wire::new(self.address.connect(deadline)?, started, deadline))
    }

    /// Starts it and connects. Somebody else may start it at the same time: when one of the two
    /// fails for that, the server is there all the same.
    fn revive(&self, deadline: Deadline) -> Result<Wire, AdbError> {
        let started = self.start(deadline);
        self.connection(deadline).map_err(|unconnected| match (started, unconnected) {
            (Err(error), _) | (Ok(()), Unconnected::Failed(error)) => error,
            (Ok(()), Unconnected::Refused(error)) => self.address.unreachable(&error),
        })
    }

    fn read_version(&self, mut wire: Wire) -> Result<u32, AdbError> {
        let text = wire.text()?;
        u32::from_str_radix(text.trim(), 16)
            .map_err(|_| wire.nonsense(format_args!("{text:?} where a version should be")))
    }
}
