//! A sink for tests.

use super::{Recorder, RecordingFile, RecordingSink, SinkError};
use clawperator_contract::operator;
use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Mutex};

/// A sink in memory, which fails where it is told to.
#[derive(Clone, Default)]
pub(super) struct Memory(Arc<Mutex<Inner>>);

#[derive(Default)]
pub(super) struct Inner {
    /// One entry for each call of the writer.
    writes: Vec<Vec<u8>>,
    latest: Vec<String>,
    pub(super) fail_create: Option<ErrorKind>,
    pub(super) fail_latest: Option<ErrorKind>,
    /// The write that fails; the header is number zero.
    pub(super) fail_write: Option<usize>,
}

impl Memory {
    pub(super) fn recorder(&self) -> Recorder {
        let own = operator::PACKAGES.map(str::to_owned).to_vec();
        Recorder::new(Box::new(self.clone()), own, 1)
    }

    /// The file.
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().writes.concat()).unwrap()
    }

    /// All ids it was told, in order.
    pub(super) fn latest(&self) -> Vec<String> {
        self.0.lock().unwrap().latest.clone()
    }

    pub(super) fn writes(&self) -> Vec<Vec<u8>> {
        self.0.lock().unwrap().writes.clone()
    }

    pub(super) fn set(&self, change: impl FnOnce(&mut Inner)) {
        change(&mut self.0.lock().unwrap());
    }
}

impl RecordingSink for Memory {
    fn create(&mut self, session_id: &str) -> Result<RecordingFile, SinkError> {
        let mut inner = self.0.lock().unwrap();
        inner.writes.clear();
        match inner.fail_create {
            Some(kind) => Err(io::Error::from(kind).into()),
            None => Ok(RecordingFile {
                writer: Box::new(self.clone()),
                path: format!("mem/{session_id}.ndjson"),
            }),
        }
    }

    fn set_latest(&mut self, session_id: &str) -> io::Result<()> {
        let mut inner = self.0.lock().unwrap();
        inner.latest.push(session_id.to_owned());
        inner.fail_latest.map_or(Ok(()), |kind| Err(kind.into()))
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut inner = self.0.lock().unwrap();
        if inner.fail_write == Some(inner.writes.len()) {
            return Err(ErrorKind::StorageFull.into());
        }
        inner.writes.push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
