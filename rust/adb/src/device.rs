//! One phone behind the server.

use crate::{AdbError, Deadline, Output, Server, Stream};
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

    /// Runs a line in its shell.
    pub fn shell(&self, _line: &str, _deadline: Deadline) -> Result<Output, AdbError> {
        Err(AdbError::DeviceNotFound { serial: self.serial.clone() })
    }

    /// The same with input.
    pub fn shell_with_input(
        &self,
        _line: &str,
        _input: &mut (dyn Read + Send),
        _deadline: Deadline,
    ) -> Result<Output, AdbError> {
        Err(AdbError::DeviceNotFound { serial: self.serial.clone() })
    }

    /// Opens a service as a stream of bytes.
    pub fn open(&self, _service: &str, _deadline: Deadline) -> Result<Stream, AdbError> {
        Err(AdbError::DeviceNotFound { serial: self.serial.clone() })
    }

    /// Copies a file from the phone.
    pub fn pull(
        &self,
        _path: &str,
        _into: &mut dyn Write,
        _deadline: Deadline,
    ) -> Result<u64, AdbError> {
        Err(AdbError::DeviceNotFound { serial: self.serial.clone() })
    }
}
