//! A stream to a service of a phone.

use crate::prompt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// Bytes to and from a service. It ends when the service does, when the phone goes away, and when
/// the server dies: these cannot be told apart.
#[derive(Debug)]
pub struct Stream(TcpStream);

impl Stream {
    pub(crate) fn new(socket: TcpStream) -> Self {
        Self(socket)
    }

    /// Another handle on the same stream.
    pub fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// Reads fail with `WouldBlock` or `TimedOut` after so long. Holds for all handles.
    pub fn set_read_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        self.0.set_read_timeout(limit)
    }

    /// Writes fail with `WouldBlock` or `TimedOut` after so long. Holds for all handles.
    pub fn set_write_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        self.0.set_write_timeout(limit)
    }

    /// Ends the stream for all handles: who reads sees its end.
    pub fn close(&self) -> io::Result<()> {
        self.0.shutdown(Shutdown::Both)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        prompt::read(&self.0, buffer)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
