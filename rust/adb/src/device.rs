//! One phone behind the server.

use crate::wire::Wire;
use crate::{AdbError, Deadline, Output, Server, Stat, State, Stream, shell, sync};
use std::io::{Read, Write};

/// A phone.
#[derive(Clone, Debug)]
pub struct Device {
    server: Server,
    serial: String,
}

impl Device {
    pub(crate) fn new(server: Server, serial: &str) -> Self {
        Self { server, serial: serial.to_owned() }
    }

    /// What names it.
    #[must_use]
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// The server it is behind.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Whether it can be used, as the server says.
    pub fn state(&self, deadline: Deadline) -> Result<State, AdbError> {
        let request = format!("host-serial:{}:get-state", self.serial);
        match self.server.query(&request, Some(&self.serial), deadline) {
            Ok(word) => Ok(State::from_word(&word)),
            // Some servers refuse to speak of a phone in these states.
            Err(AdbError::DeviceOffline { .. }) => Ok(State::Offline),
            Err(AdbError::DeviceUnauthorized { .. }) => Ok(State::Unauthorized),
            Err(AdbError::NoPermissions { .. }) => Ok(State::NoPermissions),
            Err(error) => Err(error),
        }
    }

    /// Waits until it can be used. When time is up, the error says what stood in the way.
    pub fn wait_until_ready(&self, deadline: Deadline) -> Result<(), AdbError> {
        let serial = || self.serial.clone();
        let mut tracker = self.server.track(deadline)?;
        let mut last = None;
        loop {
            let listed = match (tracker.next(deadline), last) {
                (Ok(listed), _) => listed,
                (Err(AdbError::TimedOut { .. }), Some(last)) => return Err(last),
                (Err(error), _) => return Err(error),
            };
            last = Some(match listed.into_iter().find(|one| one.serial == self.serial) {
                None => AdbError::DeviceNotFound { serial: serial() },
                Some(one) => match one.state {
                    State::Device => return Ok(()),
                    State::Unauthorized => AdbError::DeviceUnauthorized { serial: serial() },
                    State::NoPermissions => AdbError::NoPermissions {
                        message: format!("the phone {} is there: no permissions", self.serial),
                    },
                    State::Offline | State::Other(_) => {
                        AdbError::DeviceOffline { serial: serial() }
                    }
                },
            });
        }
    }

    /// Does it have a feature? Only phones from before 2016 lack the ones asked for here.
    pub(crate) fn has(&self, feature: &str, deadline: Deadline) -> Result<bool, AdbError> {
        let request = format!("host-serial:{}:features", self.serial);
        let features = self.server.query(&request, Some(&self.serial), deadline)?;
        Ok(features.trim().split(',').any(|one| one == feature))
    }

    /// Runs a line in its shell, with nothing to read, and waits for its end.
    pub fn shell(&self, line: &str, deadline: Deadline) -> Result<Output, AdbError> {
        shell::run(self, line, deadline)
    }

    /// The same with input, which must come to an end: it is not waited for less than that.
    pub fn shell_with_input(
        &self,
        line: &str,
        input: &mut (dyn Read + Send),
        deadline: Deadline,
    ) -> Result<Output, AdbError> {
        shell::run_with_input(self, line, input, deadline)
    }

    /// Runs a line and gives the bytes it prints, errors among them. How it ended is not told, nor
    /// whether it came to its end.
    pub fn exec(&self, line: &str, deadline: Deadline) -> Result<Vec<u8>, AdbError> {
        shell::read_all(&mut self.wire(&format!("exec:{line}"), deadline)?)
    }

    /// Opens a service as a stream of bytes. The deadline is for the opening.
    pub fn open(&self, service: &str, deadline: Deadline) -> Result<Stream, AdbError> {
        self.wire(service, deadline)?.into_stream()
    }

    /// Copies a file to the phone; answers with its size. `mode` is its permissions, `modified`
    /// its time in seconds since 1970.
    pub fn push(
        &self,
        from: &mut dyn Read,
        path: &str,
        mode: u32,
        modified: u32,
        deadline: Deadline,
    ) -> Result<u64, AdbError> {
        sync::push(self.wire("sync:", deadline)?, from, path, mode, modified)
    }

    /// Copies a file from the phone; answers with its size.
    pub fn pull(
        &self,
        path: &str,
        into: &mut dyn Write,
        deadline: Deadline,
    ) -> Result<u64, AdbError> {
        sync::pull(self.wire("sync:", deadline)?, path, into)
    }

    /// What is known of a file; `None` where there is none, or none this user may see.
    pub fn stat(&self, path: &str, deadline: Deadline) -> Result<Option<Stat>, AdbError> {
        sync::stat(self.wire("sync:", deadline)?, path)
    }

    /// One connection: first it becomes the phone's, then the service's.
    pub(crate) fn wire(&self, service: &str, deadline: Deadline) -> Result<Wire, AdbError> {
        let transport = format!("host:transport:{}", self.serial);
        let mut wire = self.server.ask(&transport, Some(&self.serial), deadline)?;
        wire.ask(service)?
            .map_err(|text| AdbError::from_fail(service, Some(&self.serial), text))?;
        Ok(wire)
    }
}
