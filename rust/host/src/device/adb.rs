//! A phone behind an adb server.

use super::{Device, Output, Reader, Unreachable, Writer, failure};
use clawperator_adb::{AdbError, Deadline, Stream};
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
}

impl Device for AdbDevice {
    fn serial(&self) -> &str {
        self.device.serial()
    }

    fn shell(&self, line: &str, within: Duration) -> Result<Output, Failure> {
        self.device.shell(line, Deadline::after(within)).map_err(|error| failure(&error))
    }

    fn shell_with_input(
        &self,
        line: &str,
        input: &mut (dyn Read + Send),
        within: Duration,
    ) -> Result<Output, Failure> {
        let deadline = Deadline::after(within);
        self.device.shell_with_input(line, input, deadline).map_err(|error| failure(&error))
    }

    fn follow(&self, line: &str, within: Duration) -> Result<Reader, Failure> {
        // Raw bytes: neither a terminal's line ends nor the framing of shell v2.
        let opened = self.device.open(&format!("exec:{line}"), Deadline::after(within));
        opened.map(|stream| Box::new(Timed(stream)) as Reader).map_err(|error| failure(&error))
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
            Err(error) => Err(Unreachable::Phone(failure(&error))),
        }
    }

    fn pull(&self, path: &str, into: &mut dyn Write, within: Duration) -> Result<u64, Failure> {
        self.device.pull(path, into, Deadline::after(within)).map_err(|error| failure(&error))
    }

    fn recover(&self, _within: Duration) -> Result<(), Failure> {
        Ok(())
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
