//! Messages and pictures on a byte stream.

use clawperator_contract::frame::{Frame, FrameReader};
use clawperator_contract::message::Message;
use std::io::{self, Read, Write};
use std::time::Duration;

/// A stream whose reads can be given a time limit.
pub trait Transport: Read + Send {
    /// Reads fail with `WouldBlock` or `TimedOut` after so long; never without a limit.
    fn set_read_limit(&mut self, limit: Option<Duration>) -> io::Result<()>;
}

impl Transport for std::net::TcpStream {
    fn set_read_limit(&mut self, limit: Option<Duration>) -> io::Result<()> {
        self.set_read_timeout(limit)
    }
}

#[cfg(unix)]
impl Transport for std::os::unix::net::UnixStream {
    fn set_read_limit(&mut self, limit: Option<Duration>) -> io::Result<()> {
        self.set_read_timeout(limit)
    }
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn set_read_limit(&mut self, limit: Option<Duration>) -> io::Result<()> {
        (**self).set_read_limit(limit)
    }
}

/// What arrives.
#[derive(Debug, PartialEq)]
pub(super) enum Arrival {
    /// A message.
    Message(Box<Message>),
    /// Bytes a later message speaks of.
    Bytes {
        /// Their id.
        id: u32,
        /// They themselves.
        bytes: Vec<u8>,
    },
    /// The other end has closed the connection between two frames.
    End,
}

/// Reads frames from a stream.
pub(super) struct Incoming<R> {
    stream: R,
    frames: FrameReader,
    buffer: Vec<u8>,
}

impl<R: Read> Incoming<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { stream, frames: FrameReader::default(), buffer: vec![0; 64 << 10] }
    }

    pub(super) fn stream(&mut self) -> &mut R {
        &mut self.stream
    }

    /// The next thing to arrive. Bytes that make no sense are `InvalidData`.
    pub(super) fn next(&mut self) -> io::Result<Arrival> {
        let nonsense = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        loop {
            match self.frames.next_frame().map_err(|error| nonsense(error.to_string()))? {
                Some(Frame::Binary { id, bytes }) => return Ok(Arrival::Bytes { id, bytes }),
                Some(Frame::Json(text)) => {
                    let message =
                        Message::from_text(&text).map_err(|failure| nonsense(failure.message))?;
                    return Ok(Arrival::Message(Box::new(message)));
                }
                None => {}
            }
            match self.stream.read(&mut self.buffer) {
                Ok(0) if self.frames.is_mid_frame() => {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                Ok(0) => return Ok(Arrival::End),
                Ok(count) => self.frames.push(&self.buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Writes frames to a stream, each in one write.
pub(super) struct Outgoing<W> {
    stream: W,
}

impl<W: Write> Outgoing<W> {
    pub(super) fn new(stream: W) -> Self {
        Self { stream }
    }

    pub(super) fn send(&mut self, message: &Message) -> io::Result<()> {
        self.frames(&[message.to_frame()])
    }

    /// Several frames that belong together: nothing comes between them.
    pub(super) fn frames(&mut self, frames: &[Frame]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for frame in frames {
            frame
                .write(&mut bytes)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        }
        self.stream.write_all(&bytes)?;
        self.stream.flush()
    }
}
