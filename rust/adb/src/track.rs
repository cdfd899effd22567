//! The list of phones, each time it changes.

use crate::wire::{Wire, length};
use crate::{AdbError, Deadline, Listed};

/// The list of phones, each time it changes.
#[derive(Debug)]
pub struct Tracker {
    wire: Wire,
    /// What has come of a list that is not complete yet: the next call goes on with it.
    got: Vec<u8>,
}

impl Tracker {
    pub(crate) fn new(wire: Wire) -> Self {
        Self { wire, got: Vec::new() }
    }

    /// Waits for the next list. The first one comes at once and tells how things are.
    pub fn next(&mut self, deadline: Deadline) -> Result<Vec<Listed>, AdbError> {
        self.wire.renew(deadline);
        let end = 4 + self.fill(4)?;
        self.fill(end)?;
        let text = String::from_utf8_lossy(self.got.get(4..end).unwrap_or_default()).into_owned();
        self.got.clear();
        Ok(Listed::all(&text))
    }

    /// Reads until there are so many bytes, and tells the length that the first four give.
    fn fill(&mut self, wanted: usize) -> Result<usize, AdbError> {
        let mut buffer = [0; 4096];
        while let Some(missing) = wanted.checked_sub(self.got.len()).filter(|more| *more > 0) {
            let most = missing.min(buffer.len());
            let count = self.wire.read(&mut buffer[..most])?;
            if count == 0 {
                return Err(self.wire.died());
            }
            self.got.extend_from_slice(&buffer[..count]);
        }
        let digits = self.got.first_chunk().copied().unwrap_or_default();
        let length = length(digits).ok_or_else(|| {
            let seen = digits.escape_ascii();
            self.wire.nonsense(format_args!("\"{seen}\" where a length should be"))
        })?;
        Ok(length.into())
    }
}
