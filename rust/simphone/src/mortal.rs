//! A connection to the operator's socket: it dies with the process behind it.

use clawperator_adbd::{StreamReader, StreamWriter};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

/// How long an idle connection takes to notice that its process has gone.
const LOOK: Duration = Duration::from_millis(250);

/// Does the process still run?
pub(crate) type Alive = Arc<dyn Fn() -> bool + Send + Sync>;

/// One half of a connection.
pub(crate) struct Mortal<S> {
    stream: S,
    alive: Alive,
}

/// Both halves.
pub(crate) fn halves(
    mut reader: StreamReader,
    writer: StreamWriter,
    alive: &Alive,
) -> (Mortal<StreamReader>, Mortal<StreamWriter>) {
    reader.set_timeout(Some(LOOK));
    let half = || Arc::clone(alive);
    (Mortal { stream: reader, alive: half() }, Mortal { stream: writer, alive: half() })
}

impl Read for Mortal<StreamReader> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.stream.read(buffer);
            if !(self.alive)() {
                return Ok(0);
            }
            match read {
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {}
                other => return other,
            }
        }
    }
}

impl Write for Mortal<StreamWriter> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !(self.alive)() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
