//! The TCP connection under the packets, and the fuse that can cut it in the middle.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How many more bytes may pass, in both directions together, before the link is cut.
#[derive(Debug)]
pub(crate) struct Fuse(AtomicU64);

/// The value that stands for "as many as you like".
const UNARMED: u64 = u64::MAX;

impl Fuse {
    pub(crate) fn unarmed() -> Self {
        Self(AtomicU64::new(UNARMED))
    }

    pub(crate) fn arm(&self, bytes: u64) {
        self.0.store(bytes.min(UNARMED - 1), Ordering::SeqCst);
    }

    /// How many of `bytes` may pass. Fewer than asked means that the fuse has blown; it is
    /// unarmed then, so that the next connection lives.
    fn pass(&self, bytes: usize) -> usize {
        let wanted = bytes as u64;
        let before = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| match left {
            UNARMED => None,
            left if left < wanted => Some(UNARMED),
            left => Some(left - wanted),
        });
        match before {
            Ok(left) if left < wanted => usize::try_from(left).unwrap_or(bytes),
            _ => bytes,
        }
    }
}

/// One TCP connection; clones are the same connection (and the same file descriptor).
#[derive(Clone, Debug)]
pub(crate) struct Link {
    socket: Arc<TcpStream>,
    fuse: Arc<Fuse>,
}

impl Link {
    pub(crate) fn new(socket: TcpStream, fuse: Arc<Fuse>) -> io::Result<Self> {
        // Every packet is written whole, and most are waited for.
        socket.set_nodelay(true)?;
        Ok(Self { socket: Arc::new(socket), fuse })
    }

    pub(crate) fn set_read_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        self.socket.set_read_timeout(timeout)
    }

    /// Ends the connection under whoever reads or writes it.
    pub(crate) fn cut(&self) {
        // Fails only when the other side was quicker.
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    fn blown(&self) -> io::Error {
        self.cut();
        io::Error::new(io::ErrorKind::ConnectionAborted, "cut, as asked, after so many bytes")
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (&*self.socket).read(buffer)?;
        if self.fuse.pass(count) < count {
            return Err(self.blown());
        }
        Ok(count)
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let allowed = self.fuse.pass(bytes.len());
        if allowed < bytes.len() {
            (&*self.socket).write_all(&bytes[..allowed])?;
            return Err(self.blown());
        }
        // All of it, so that no byte is counted twice.
        (&*self.socket).write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.socket).flush()
    }
}
