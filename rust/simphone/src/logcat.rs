//! The phone's log: a ring of entries that many write and many read.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A log entry holds this many bytes: priority, tag and both NULs included.
const MAX_ENTRY_BYTES: usize = 4_068;

/// Bytes of text the ring holds; a phone's main buffer is 256 kB and more.
const MAX_RING_BYTES: usize = 1 << 20;

/// How important an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "Android's own names")]
pub enum Level {
    Verbose,
    Debug,
    Info,
    Warn,
    Error,
    Fatal,
    /// Nothing passes this.
    Silent,
}

impl Level {
    /// Its letter.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Verbose => 'V',
            Self::Debug => 'D',
            Self::Info => 'I',
            Self::Warn => 'W',
            Self::Error => 'E',
            Self::Fatal => 'F',
            Self::Silent => 'S',
        }
    }

    /// The level of a letter, in any case; `*` means all.
    #[must_use]
    pub fn of(letter: &str) -> Option<Self> {
        Some(match letter.to_ascii_uppercase().as_str() {
            "V" | "*" => Self::Verbose,
            "D" => Self::Debug,
            "I" => Self::Info,
            "W" => Self::Warn,
            "E" => Self::Error,
            "F" => Self::Fatal,
            "S" => Self::Silent,
            _ => return None,
        })
    }
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of the entry since the phone's start.
    pub number: u64,
    /// Milliseconds since 1970.
    pub epoch_ms: u64,
    /// Process that wrote it.
    pub pid: u32,
    /// How important.
    pub level: Level,
    /// Who.
    pub tag: String,
    /// What. Cut where a real log would cut it.
    pub message: String,
}

/// The log.
#[derive(Debug, Default)]
pub struct Logcat {
    ring: Mutex<Ring>,
    written: Condvar,
}

#[derive(Debug, Default)]
struct Ring {
    entries: VecDeque<Entry>,
    bytes: usize,
    next: u64,
    closed: bool,
}

impl Logcat {
    /// Writes an entry; what does not fit is cut silently, as the platform does.
    pub fn write(&self, epoch_ms: u64, pid: u32, level: Level, tag: &str, message: &str) {
        let room = MAX_ENTRY_BYTES.saturating_sub(tag.len() + 3);
        let message = message[..message.floor_char_boundary(room)].to_owned();
        let mut ring = self.lock();
        let number = ring.next;
        ring.next += 1;
        ring.bytes += message.len();
        ring.entries.push_back(Entry { number, epoch_ms, pid, level, tag: tag.into(), message });
        while ring.bytes > MAX_RING_BYTES {
            let Some(oldest) = ring.entries.pop_front() else { break };
            ring.bytes -= oldest.message.len();
        }
        drop(ring);
        self.written.notify_all();
    }

    /// Forgets everything.
    pub fn clear(&self) {
        let mut ring = self.lock();
        ring.entries.clear();
        ring.bytes = 0;
    }

    /// Number the next entry will have.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.lock().next
    }

    /// Entries from `number` on that are still there.
    #[must_use]
    pub fn since(&self, number: u64) -> Vec<Entry> {
        self.lock().entries.iter().filter(|entry| entry.number >= number).cloned().collect()
    }

    /// Waits for an entry from `number` on, at most so long. `false` when the log was closed.
    pub fn wait(&self, number: u64, at_most: Duration) -> bool {
        let ring = self.lock();
        let nothing = |ring: &mut Ring| ring.next <= number && !ring.closed;
        let waited = self.written.wait_timeout_while(ring, at_most, nothing);
        !waited.unwrap_or_else(PoisonError::into_inner).0.closed
    }

    /// Ends all waits: the phone is going away.
    pub fn close(&self) {
        self.lock().closed = true;
        self.written.notify_all();
    }

    /// A thread that panicked left the ring as whole as it found it.
    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(log: &Logcat, message: &str) {
        log.write(0, 1, Level::Info, "tag", message);
    }

    #[test]
    fn a_long_message_is_cut_where_the_platform_cuts_it() {
        let log = Logcat::default();
        write(&log, &"é".repeat(3_000));
        let entry = &log.since(0)[0];
        assert_eq!(entry.message.len(), 4_062);
    }

    #[test]
    fn the_oldest_entries_make_room_and_numbers_go_on() {
        let log = Logcat::default();
        for _ in 0..1_000 {
            write(&log, &"x".repeat(4_000));
        }
        let entries = log.since(0);
        assert!(entries.len() < 300);
        assert_eq!(entries.last().map(|entry| entry.number), Some(999));
        log.clear();
        assert!(log.since(0).is_empty());
        assert_eq!(log.next_number(), 1_000);
    }

    #[test]
    fn a_reader_is_woken_by_the_next_entry_and_by_the_end() {
        let log = std::sync::Arc::new(Logcat::default());
        let reader = std::sync::Arc::clone(&log);
        let waiting = std::thread::spawn(move || reader.wait(0, Duration::from_secs(60)));
        write(&log, "hello");
        assert!(waiting.join().unwrap());
        let reader = std::sync::Arc::clone(&log);
        let waiting = std::thread::spawn(move || reader.wait(1, Duration::from_secs(60)));
        log.close();
        assert!(!waiting.join().unwrap());
    }
}
