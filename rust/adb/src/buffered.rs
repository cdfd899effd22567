//! Reading a stream of packets in large pieces.

use crate::AdbError;
use crate::wire::Wire;

/// What one read takes at most: a packet of the phone and what comes with it.
const PIECE: usize = 64 * 1024;

/// A connection that is read in large pieces and used in small ones.
pub(crate) struct Buffered<'a> {
    wire: &'a mut Wire,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl<'a> Buffered<'a> {
    pub(crate) fn new(wire: &'a mut Wire) -> Self {
        Self { wire, buffer: vec![0; PIECE], start: 0, end: 0 }
    }

    /// The next bytes, at most so many and at least one, or nothing at the end.
    pub(crate) fn next(&mut self, most: usize) -> Result<&[u8], AdbError> {
        if self.start == self.end {
            (self.start, self.end) = (0, self.wire.read(&mut self.buffer)?);
        }
        let start = self.start;
        self.start = self.end.min(start.saturating_add(most));
        Ok(self.buffer.get(start..self.start).unwrap_or_default())
    }

    /// The next bytes, which must come.
    pub(crate) fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], AdbError> {
        let mut taken = [0; COUNT];
        let mut at = 0;
        self.each(COUNT, |bytes| {
            taken[at..at + bytes.len()].copy_from_slice(bytes);
            at += bytes.len();
            Ok(())
        })?;
        Ok(taken)
    }

    /// Hands on so many bytes, which must come, as they come.
    pub(crate) fn each(
        &mut self,
        count: usize,
        mut hand: impl FnMut(&[u8]) -> Result<(), AdbError>,
    ) -> Result<(), AdbError> {
        let mut left = count;
        while left > 0 {
            let bytes = self.next(left)?;
            if bytes.is_empty() {
                return Err(self.wire.died());
            }
            left -= bytes.len();
            hand(bytes)?;
        }
        Ok(())
    }

    /// The other end broke the rules.
    pub(crate) fn nonsense(&self, seen: std::fmt::Arguments<'_>) -> AdbError {
        self.wire.nonsense(seen)
    }
}
