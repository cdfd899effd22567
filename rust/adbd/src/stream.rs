//! A stream as a service sees it: a blocking reader and a blocking writer, for any thread.
//!
//! adb has no half-close. When the host closes, the reader still gives what had arrived and then
//! ends, and the writer fails with `BrokenPipe`. A service closes by dropping both halves; one
//! that drops only its reader ignores whatever the host goes on sending.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use crate::channel::Channel;
use crate::packet::Command;
use crate::wire::Wire;

/// Both halves of a stream.
#[derive(Debug)]
pub struct Stream {
    reader: StreamReader,
    writer: StreamWriter,
}

impl Stream {
    pub(crate) fn new(wire: Arc<Wire>, channel: Arc<Channel>) -> Self {
        let end = Arc::new(End { wire, channel });
        Self {
            reader: StreamReader {
                end: Arc::clone(&end),
                payload: Vec::new(),
                read: 0,
                timeout: None,
            },
            writer: StreamWriter { end },
        }
    }

    /// The two halves, for two threads.
    #[must_use]
    pub fn split(self) -> (StreamReader, StreamWriter) {
        (self.reader, self.writer)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The service's end of a stream; the last half to go closes it.
struct End {
    wire: Arc<Wire>,
    channel: Arc<Channel>,
}

impl std::fmt::Debug for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("End")
            .field("local", &self.channel.local)
            .field("remote", &self.channel.remote)
            .finish_non_exhaustive()
    }
}

impl End {
    /// Lets the host write again.
    fn acknowledge(&self) -> io::Result<()> {
        self.wire.send(Command::Okay, self.channel.local, self.channel.remote, &[])
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.wire.closed_by_service(&self.channel);
    }
}

/// What the host sends.
#[derive(Debug)]
pub struct StreamReader {
    end: Arc<End>,
    payload: Vec<u8>,
    /// How much of `payload` was read.
    read: usize,
    timeout: Option<Duration>,
}

impl StreamReader {
    /// How long a read may wait before it fails with `TimedOut`; `None`, as at first, for ever.
    pub fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }
}

impl Read for StreamReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.read == self.payload.len() {
            // Not kept while waiting: an idle stream holds no buffer.
            self.payload = Vec::new();
            self.read = 0;
            let Some(payload) = self.end.channel.take(self.timeout)? else {
                return Ok(0);
            };
            self.payload = payload;
            // Now, and not when it is read to its end: the next one travels meanwhile.
            // When the host has gone, what it had sent can still be read.
            let _ = self.end.acknowledge();
        }
        let left = &self.payload[self.read..];
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.read += count;
        Ok(count)
    }
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        if self.end.channel.stop_reading() {
            // A broken link has nobody to acknowledge to.
            let _ = self.end.acknowledge();
        }
    }
}

/// What the host receives. Clones are the same stream; each write goes out whole, up to the
/// payload that was agreed, and waits until the host has taken the one before: many small writes
/// want a [`std::io::BufWriter`].
#[derive(Clone, Debug)]
pub struct StreamWriter {
    end: Arc<End>,
}

impl StreamWriter {
    /// Whether the host has gone.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.end.channel.is_closed()
    }

    /// Calls `tell` once when the stream closes, or now if it has: for a service that waits for
    /// something else than its host. It runs on the connection's thread and must not wait.
    pub fn on_close(&self, tell: impl FnOnce() + Send + 'static) {
        self.end.channel.on_close(Box::new(tell));
    }

    /// The most that one write carries.
    #[must_use]
    pub fn max_write(&self) -> usize {
        self.end.wire.max_payload()
    }
}

impl Write for StreamWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let count = bytes.len().min(self.max_write());
        let End { wire, channel } = &*self.end;
        channel.claim_write()?;
        wire.send(Command::Write, channel.local, channel.remote, &bytes[..count])?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
