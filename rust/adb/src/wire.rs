//! A connection to the server, and the words both ends use on it.
//!
//! A request is four hexadecimal digits of length and a name. The answer is `OKAY`, or `FAIL` and
//! a text; some requests have a text after `OKAY` too. A text has its length before it in the same
//! four digits, so none is longer than 65535 bytes.

use crate::error::brief;
use crate::{AdbError, Deadline, Stream, prompt};
use std::io::{self, ErrorKind, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

/// A connection whose every wait ends at the deadline.
#[derive(Debug)]
pub(crate) struct Wire {
    socket: TcpStream,
    deadline: Deadline,
    started: Instant,
    /// What it is used for, for messages.
    during: String,
}

impl Wire {
    pub(crate) fn new(socket: TcpStream, started: Instant, deadline: Deadline) -> Self {
        Self { socket, deadline, started, during: String::new() }
    }

    /// Another handle on the same connection, for another thread.
    pub(crate) fn try_clone(&self) -> Result<Self, AdbError> {
        let socket = self.socket.try_clone().map_err(|error| self.broken(&error))?;
        Ok(Self { socket, during: self.during.clone(), ..*self })
    }

    /// From now on waits end at this deadline.
    pub(crate) fn renew(&mut self, deadline: Deadline) {
        self.deadline = deadline;
        self.started = Instant::now();
    }

    /// The connection for somebody else, who sets the limits.
    pub(crate) fn into_stream(self) -> Result<Stream, AdbError> {
        let unlimited = self.socket.set_read_timeout(None).and(self.socket.set_write_timeout(None));
        unlimited.map_err(|error| self.broken(&error))?;
        Ok(Stream::new(self.socket))
    }

    /// Ends it for all handles, whatever they wait for.
    pub(crate) fn shut(&self) {
        // It may have ended by itself.
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    /// Asks for something. `Ok(Err(text))` is the server's `FAIL`.
    pub(crate) fn ask(&mut self, request: &str) -> Result<Result<(), String>, AdbError> {
        self.during = brief(request);
        let Ok(length) = u16::try_from(request.len()) else {
            let message = format!("it has {} bytes, and adb takes 65535", request.len());
            return Ok(Err(message));
        };
        self.write(format!("{length:04x}{request}").as_bytes())?;
        let mut status = [0; 4];
        self.read_exact(&mut status)?;
        match &status {
            b"OKAY" => Ok(Ok(())),
            b"FAIL" => Ok(Err(self.text()?.trim_end().to_owned())),
            _ => Err(self.nonsense(format_args!("{:?}", status.escape_ascii().to_string()))),
        }
    }

    /// A text with its length.
    pub(crate) fn text(&mut self) -> Result<String, AdbError> {
        let mut digits = [0; 4];
        self.read_exact(&mut digits)?;
        let Some(length) = length(digits) else {
            let seen = digits.escape_ascii();
            return Err(self.nonsense(format_args!("\"{seen}\" where a length should be")));
        };
        let mut text = vec![0; length.into()];
        self.read_exact(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    pub(crate) fn read_exact(&mut self, mut buffer: &mut [u8]) -> Result<(), AdbError> {
        while !buffer.is_empty() {
            match self.read(buffer)? {
                0 => return Err(self.died()),
                count => buffer = buffer.get_mut(count..).unwrap_or_default(),
            }
        }
        Ok(())
    }

    /// Some bytes; 0 is the end.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, AdbError> {
        loop {
            let left = self.deadline.left().ok_or_else(|| self.timed_out())?;
            let read = self
                .socket
                .set_read_timeout(Some(left))
                .and_then(|()| prompt::read(&self.socket, buffer));
            match read {
                Ok(count) => return Ok(count),
                Err(error) if is_early(&error) => {}
                Err(error) => return Err(self.broken(&error)),
            }
        }
    }

    /// Writes it all.
    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> Result<(), AdbError> {
        while !bytes.is_empty() {
            let left = self.deadline.left().ok_or_else(|| self.timed_out())?;
            let written =
                self.socket.set_write_timeout(Some(left)).and_then(|()| self.socket.write(bytes));
            match written {
                Ok(0) => return Err(self.died()),
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if is_early(&error) => {}
                Err(error) => return Err(self.broken(&error)),
            }
        }
        Ok(())
    }

    /// The other end broke the rules.
    pub(crate) fn nonsense(&self, seen: std::fmt::Arguments<'_>) -> AdbError {
        AdbError::Nonsense { message: format!("{seen}, as an answer to {}", self.during) }
    }

    /// The other end is gone.
    pub(crate) fn died(&self) -> AdbError {
        AdbError::ServerDied { during: self.during.clone() }
    }

    fn timed_out(&self) -> AdbError {
        AdbError::TimedOut { during: self.during.clone(), after: self.started.elapsed() }
    }

    fn broken(&self, error: &io::Error) -> AdbError {
        match error.kind() {
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::NotConnected => self.died(),
            _ => AdbError::ServerFailed {
                message: format!("the connection to the adb server failed: {error}"),
            },
        }
    }
}

/// Nothing happened yet; whether the deadline has passed is looked at again.
fn is_early(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Four hexadecimal digits.
pub(crate) fn length(digits: [u8; 4]) -> Option<u16> {
    let text = std::str::from_utf8(&digits).ok()?;
    // A sign would be read too.
    if text.starts_with('+') { None } else { u16::from_str_radix(text, 16).ok() }
}
