//! A result too long for one line of the phone's log, cut into numbered lines and put together
//! again.
//!
//! ```text
//! [Clawperator-Slice] <id> <seq>/<total> <crc of the whole> <crc of the slice> <text>|
//! ```
//!
//! `seq` counts from one, checksums are CRC-32 in eight hex digits. The bar at the end shows that
//! the line is whole, and keeps spaces and the carriage returns some transports add apart from the
//! text. Lines may come in any order and more than once.

use crate::limits::MAX_SLICE_BYTES;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// What every line begins with.
pub const MARKER: &str = "[Clawperator-Slice]";
const END: char = '|';
/// Longest id: a dispatch id or a command id, which are at most this long.
const MAX_ID_BYTES: usize = 512;
/// Slices of one result: 7,000 of them would be 20 MB, more than a phone's log holds.
const MAX_TOTAL: usize = 7_000;

/// A text that cannot be sent as slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceError {
    /// It holds a line break or a NUL, which the log would cut at. JSON escapes both.
    LineBreak,
    /// The id is empty, too long, or holds white space.
    BadId,
    /// It would take more slices than the log holds.
    TooLong,
}

impl fmt::Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LineBreak => "a text with line breaks cannot be logged as slices",
            Self::BadId => "the id of a sliced text must be short and without spaces",
            Self::TooLong => "the text is longer than the phone's log holds",
        })
    }
}

impl std::error::Error for SliceError {}

/// Cuts `text` into lines of at most [`MAX_SLICE_BYTES`] bytes, between characters.
pub fn slice(id: &str, text: &str) -> Result<Vec<String>, SliceError> {
    if id.is_empty() || id.len() > MAX_ID_BYTES || id.contains(breaks_line_or_space) {
        return Err(SliceError::BadId);
    }
    if text.contains(['\n', '\r', '\0']) {
        return Err(SliceError::LineBreak);
    }
    let longest_head = format!("{MARKER} {id} {MAX_TOTAL}/{MAX_TOTAL} 00000000 00000000 |").len();
    let pieces = cut(text, MAX_SLICE_BYTES - longest_head);
    if pieces.len() > MAX_TOTAL {
        return Err(SliceError::TooLong);
    }
    let whole = crc32fast::hash(text.as_bytes());
    let total = pieces.len();
    let lines = pieces.iter().enumerate().map(|(index, piece)| {
        let own = crc32fast::hash(piece.as_bytes());
        format!("{MARKER} {id} {}/{total} {whole:08x} {own:08x} {piece}{END}", index + 1)
    });
    Ok(lines.collect())
}

fn breaks_line_or_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

fn cut(text: &str, size: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > size {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(size));
        pieces.push(piece);
        rest = more;
    }
    pieces.push(rest);
    pieces
}

/// One line, taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Slice<'a> {
    id: &'a str,
    seq: usize,
    total: usize,
    whole: u32,
    text: &'a str,
}

/// A line is a slice only if all of it is there and its checksum holds.
fn parse(line: &str) -> Option<Slice<'_>> {
    let rest = line.trim_end().strip_suffix(END)?;
    let rest = rest.trim_start().strip_prefix(MARKER)?.strip_prefix(' ')?;
    let (id, rest) = rest.split_once(' ')?;
    let (position, rest) = rest.split_once(' ')?;
    let (seq, total) = position.split_once('/')?;
    let (whole, rest) = rest.split_once(' ')?;
    let (own, text) = rest.split_once(' ')?;
    let (seq, total) = (decimal(seq)?, decimal(total)?);
    let (whole, own) = (hex(whole)?, hex(own)?);
    let plausible =
        !id.is_empty() && (1..=MAX_TOTAL).contains(&total) && (1..=total).contains(&seq);
    let sound = crc32fast::hash(text.as_bytes()) == own;
    (plausible && sound).then_some(Slice { id, seq, total, whole, text })
}

/// Digits only: the standard parsers would also take a plus sign.
fn decimal(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn hex(text: &str) -> Option<u32> {
    let eight = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    eight.then(|| u32::from_str_radix(text, 16).ok()).flatten()
}

/// What a line brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrived {
    /// It was no slice, or a damaged one.
    Nothing,
    /// A slice; others of its text are still missing.
    Part,
    /// The last missing slice.
    Whole {
        /// Id the text was sent under.
        id: String,
        /// The text.
        text: String,
    },
}

/// Puts texts together from lines.
#[derive(Debug, Default)]
pub struct Reassembly {
    texts: HashMap<String, Open>,
}

#[derive(Debug)]
struct Open {
    whole: u32,
    total: usize,
    pieces: BTreeMap<usize, String>,
}

impl Reassembly {
    /// Takes one line of the log.
    pub fn push(&mut self, line: &str) -> Arrived {
        let Some(slice) = parse(line) else { return Arrived::Nothing };
        let fresh = || Open { whole: slice.whole, total: slice.total, pieces: BTreeMap::new() };
        let open = self.texts.entry(slice.id.to_owned()).or_insert_with(fresh);
        if (open.whole, open.total) != (slice.whole, slice.total) {
            // The same id was used for another text; the newer one counts.
            *open = fresh();
        }
        open.pieces.insert(slice.seq, slice.text.to_owned());
        if open.pieces.len() < open.total {
            return Arrived::Part;
        }
        let text: String = open.pieces.values().map(String::as_str).collect();
        let sound = crc32fast::hash(text.as_bytes()) == open.whole;
        self.texts.remove(slice.id);
        // Sound pieces that make an unsound whole were never one text.
        if sound { Arrived::Whole { id: slice.id.to_owned(), text } } else { Arrived::Nothing }
    }

    /// The numbers still missing of the text sent under `id`; `None` when nothing of it is open.
    #[must_use]
    pub fn missing(&self, id: &str) -> Option<Vec<usize>> {
        let open = self.texts.get(id)?;
        Some((1..=open.total).filter(|seq| !open.pieces.contains_key(seq)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_reads_as_documented() {
        let lines = slice("d1", "abc").unwrap();
        assert_eq!(lines, ["[Clawperator-Slice] d1 1/1 352441c2 352441c2 abc|"]);
    }

    #[test]
    fn lines_are_cut_between_characters_and_never_too_long() {
        let text = "é🎉a".repeat(3_000);
        let lines = slice("d1", &text).unwrap();
        assert!(lines.len() > 5);
        assert!(lines.iter().all(|line| line.len() <= MAX_SLICE_BYTES));
        let mut reassembly = Reassembly::default();
        let last = lines.iter().map(|line| reassembly.push(line)).last();
        assert_eq!(last, Some(Arrived::Whole { id: "d1".into(), text }));
    }

    #[test]
    fn a_line_that_was_cut_or_changed_counts_as_missing() {
        let text = "x".repeat(10_000);
        let lines = slice("d1", &text).unwrap();
        let mut reassembly = Reassembly::default();
        reassembly.push(&lines[0]);
        assert_eq!(reassembly.push(&lines[1][..3_000]), Arrived::Nothing);
        assert_eq!(reassembly.push(&lines[1].replace("xxxx", "xyxx")), Arrived::Nothing);
        assert_eq!(reassembly.missing("d1"), Some((2..=lines.len()).collect()));
        assert_eq!(reassembly.missing("d2"), None);
    }

    #[test]
    fn the_line_end_of_another_system_does_no_harm() {
        let lines = slice("d1", "ends in a space ").unwrap();
        let whole = Arrived::Whole { id: "d1".into(), text: "ends in a space ".into() };
        assert_eq!(Reassembly::default().push(&format!("{}\r\n", lines[0])), whole);
    }

    #[test]
    fn the_same_id_may_carry_another_text() {
        let (old, new) = ("o".repeat(8_000), "n".repeat(8_000));
        let mut reassembly = Reassembly::default();
        reassembly.push(&slice("d1", &old).unwrap()[0]);
        let lines = slice("d1", &new).unwrap();
        let last = lines.iter().map(|line| reassembly.push(line)).last();
        assert_eq!(last, Some(Arrived::Whole { id: "d1".into(), text: new }));
    }

    #[test]
    fn what_the_log_would_break_is_refused() {
        assert_eq!(slice("d1", "a\nb"), Err(SliceError::LineBreak));
        assert_eq!(slice("d 1", "a"), Err(SliceError::BadId));
        assert_eq!(slice("", "a"), Err(SliceError::BadId));
    }
}
