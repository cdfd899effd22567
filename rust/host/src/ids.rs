//! Names that are never given twice.

use crate::journal::date::Moment;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// An id for one sending.
#[must_use]
pub fn dispatch() -> String {
    let bytes = random();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("d-{hex}")
}

/// An id for a command a person typed: what it is, when, and which of that moment.
#[must_use]
pub fn command(name: &str) -> String {
    let [a, b, c, d, ..] = random();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let tail = u32::from_be_bytes([a, b, c, d]) & 0x0fff_ffff;
    format!("{name}-{}-{tail:07x}", now.as_millis())
}

/// A name for a run or a file: when, in UTC, and which of that moment, as in
/// `20260102-030405-0a1b2c`.
#[must_use]
pub fn stamped() -> String {
    format!("{}-{}", Moment::at(SystemTime::now()).stamp(), suffix())
}

/// Six hexadecimal digits that tell names of one moment apart.
#[must_use]
pub fn suffix() -> String {
    let [a, b, c, ..] = random();
    format!("{a:02x}{b:02x}{c:02x}")
}

/// Where the system has no randomness to give, time, process and a count still differ.
fn random() -> [u8; 10] {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut bytes = [0; 10];
    if getrandom::fill(&mut bytes).is_err() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mixed = now.as_nanos() ^ (u128::from(std::process::id()) << 48);
        bytes[..6].copy_from_slice(&mixed.to_be_bytes()[10..]);
        bytes[6..].copy_from_slice(&count.to_be_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_say_what_they_are_and_differ() {
        let (one, two) = (command("snapshot"), command("snapshot"));
        assert_ne!(one, two);
        let parts: Vec<_> = one.split('-').collect();
        assert_eq!((parts[0], parts[1].len(), parts[2].len()), ("snapshot", 13, 7));
        assert_ne!(dispatch(), dispatch());
        let run = stamped();
        let parts: Vec<_> = run.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 6, 6], "{run}");
    }
}
