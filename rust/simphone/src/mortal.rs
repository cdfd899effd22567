//! A connection to the operator's socket: it dies with the process behind it.

use crate::system::lock;
use clawperator_adbd::{StreamReader, StreamWriter};
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long an idle connection takes to notice that its process has gone.
const LOOK: Duration = Duration::from_millis(250);

/// Does the process still run?
pub(crate) type Alive = Arc<dyn Fn() -> bool + Send + Sync>;

/// The writing half, which is closed by taking it out: an execution that still runs holds on to
/// its end of the connection, and the host must not wait for that.
type Slot = Arc<Mutex<Option<StreamWriter>>>;

/// What the host sends, for as long as the process runs.
pub(crate) struct MortalReader {
    reader: StreamReader,
    slot: Slot,
    alive: Alive,
}

/// What the host receives, for as long as the process runs.
pub(crate) struct MortalWriter {
    slot: Slot,
    alive: Alive,
}

/// Both halves of a connection.
pub(crate) fn halves(
    mut reader: StreamReader,
    writer: StreamWriter,
    alive: Alive,
) -> (MortalReader, MortalWriter) {
    reader.set_timeout(Some(LOOK));
    let slot = Arc::new(Mutex::new(Some(writer)));
    let writer = MortalWriter { slot: Arc::clone(&slot), alive: Arc::clone(&alive) };
    (MortalReader { reader, slot, alive }, writer)
}

impl Read for MortalReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.reader.read(buffer);
            if !(self.alive)() {
                lock(&self.slot).take();
                return Ok(0);
            }
            match read {
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {}
                other => return other,
            }
        }
    }
}

impl Write for MortalWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match lock(&self.slot).as_mut().filter(|_| (self.alive)()) {
            Some(writer) => writer.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
