//! A phone behind an adb server.

use super::{Device, Output, Reader, Unreachable, Writer, choose, failure};
use clawperator_adb::{AdbError, Deadline, State, Stream};
use clawperator_contract::Failure;
use clawperator_link::socket::Transport;
use std::io::{self, Read, Write};
use std::time::Duration;

/// A phone behind an adb server.
#[derive(Clone, Debug)]
pub struct AdbDevice {
    device: clawperator_adb::Device,
}

impl AdbDevice {
    /// This phone of this server. Nothing is asked yet.
    #[must_use]
    pub fn new(device: clawperator_adb::Device) -> Self {
        Self { device }
    }

    /// Is it reached by an address, which somebody has to connect to?
    fn is_remote(&self) -> bool {
        self.serial().rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok())
    }

    /// A failure of adb. That the phone is not there is said with those that are.
    fn failure(&self, error: &AdbError) -> Failure {
        let gone = matches!(
            error,
            AdbError::DeviceNotFound { .. }
                | AdbError::DeviceOffline { .. }
                | AdbError::DeviceUnauthorized { .. }
        );
        let looked = gone.then(|| choose(self.device.server(), Some(self.serial())).err());
        looked.flatten().unwrap_or_else(|| failure(error))
    }
}

/// To connect to a phone on the network.
const RECONNECT: Duration = Duration::from_secs(3);
/// From there until it is ready to be used.
const SETTLE: Duration = Duration::from_millis(500);

impl Device for AdbDevice {
    fn serial(&self) -> &str {
        self.device.serial()
    }

    fn shell(&self, line: &str, within: Duration) -> Result<Output, Failure> {
        self.device.shell(line, Deadline::after(within)).map_err(|error| self.failure(&error))
    }

    fn shell_with_input(
        &self,
        line: &str,
        input: &mut (dyn Read + Send),
        within: Duration,
    ) -> Result<Output, Failure> {
        let deadline = Deadline::after(within);
        self.device.shell_with_input(line, input, deadline).map_err(|error| self.failure(&error))
    }

    fn follow(&self, line: &str, within: Duration) -> Result<Reader, Failure> {
        // Raw bytes: neither a terminal's line ends nor the framing of shell v2.
        let opened = self.device.open(&format!("exec:{line}"), Deadline::after(within));
        opened.map(|stream| Box::new(Timed(stream)) as Reader).map_err(|error| self.failure(&error))
    }

    fn connect(&self, socket: &str, within: Duration) -> Result<(Reader, Writer), Unreachable> {
        let service = format!("localabstract:{socket}");
        match self.device.open(&service, Deadline::after(within)) {
            Ok(stream) => {
                let died = |_| failure(&AdbError::ServerDied { during: service });
                let writer = stream.try_clone().map_err(died).map_err(Unreachable::Phone)?;
                Ok((Box::new(Timed(stream)), Box::new(writer)))
            }
            Err(AdbError::Refused { .. }) => Err(Unreachable::NobodyListens),
            Err(error) => Err(Unreachable::Phone(self.failure(&error))),
        }
    }

    fn pull(&self, path: &str, into: &mut dyn Write, within: Duration) -> Result<u64, Failure> {
        self.device.pull(path, into, Deadline::after(within)).map_err(|error| self.failure(&error))
    }

    fn recover(&self, within: Duration) -> Result<(), Failure> {
        let deadline = Deadline::after(within);
        loop {
            if self.device.state(deadline) == Ok(State::Device) {
                return Ok(());
            }
            if self.is_remote() {
                // A server that was restarted has forgotten it. One that lost it keeps it as
                // offline for a minute and calls it connected all the while, unless it is told to
                // forget it.
                let (server, soon) = (self.device.server(), deadline.or_sooner(RECONNECT));
                let _ = server.disconnect(self.serial(), soon);
                let _ = server.connect(self.serial(), soon);
            }
            let patience = if self.is_remote() { deadline.or_sooner(SETTLE) } else { deadline };
            match self.device.wait_until_ready(patience) {
                Ok(()) => return Ok(()),
                // The server may have called it connected while it still let go of it.
                Err(_) if self.is_remote() && deadline.left().is_some() => {}
                // How long was waited is no news; what the server says of the phone now is.
                Err(_) => return choose(self.device.server(), Some(self.serial())).map(drop),
            }
        }
    }
}

/// A stream the link can read with a time limit.
struct Timed(Stream);

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Transport for Timed {
    fn set_read_limit(&mut self, limit: Option<Duration>) -> io::Result<()> {
        self.0.set_read_timeout(limit)
    }
}
