//! The strings of a binary XML file or of a table of resources.

use crate::bytes::{Chunk, size_at, slice, u16_at, u32_at};
use std::borrow::Cow;

const KIND: u16 = 0x0001;
const UTF8: u32 = 1 << 8;

/// The longest text that is read, in bytes of UTF-8; names have about a hundred. It keeps a
/// manifest from naming one huge string for each of its components.
const MAX_TEXT: usize = 1024;

/// Strings are decoded when they are asked for: most never are.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pool<'a> {
    offsets: &'a [u8],
    strings: &'a [u8],
    utf8: bool,
}

impl<'a> Pool<'a> {
    /// `None` where the chunk is no pool, or a broken one.
    pub(crate) fn read(chunk: &Chunk<'a>) -> Option<Self> {
        if chunk.kind != KIND || chunk.header < 28 {
            return None;
        }
        let count = size_at(chunk.bytes, 8)?;
        let flags = u32_at(chunk.bytes, 16)?;
        let start = size_at(chunk.bytes, 20)?;
        Some(Self {
            offsets: chunk.body.get(..count.checked_mul(4)?)?,
            strings: chunk.bytes.get(start..)?,
            utf8: flags & UTF8 != 0,
        })
    }

    /// A string by its number. `None` where there is none, or one that is too long.
    pub(crate) fn get(&self, index: u32) -> Option<Cow<'a, str>> {
        let index = usize::try_from(index).ok()?;
        let at = size_at(self.offsets, index.checked_mul(4)?)?;
        let string = self.strings.get(at..)?;
        let text = if self.utf8 { utf8(string)? } else { utf16(string)?.into() };
        (text.len() <= MAX_TEXT).then_some(text)
    }
}

/// Two lengths, in units of UTF-16 and in bytes, each of one or two bytes; then the text.
fn utf8(string: &[u8]) -> Option<Cow<'_, str>> {
    let (_, string) = short_length(string)?;
    let (size, string) = short_length(string)?;
    let text = string.get(..size).filter(|text| text.len() <= MAX_TEXT * 2)?;
    match std::str::from_utf8(text) {
        Ok(text) => Some(text.into()),
        Err(_) => surrogates(text).map(Cow::Owned),
    }
}

fn short_length(string: &[u8]) -> Option<(usize, &[u8])> {
    match string {
        [high, low, rest @ ..] if high & 0x80 != 0 => {
            Some((usize::from(high & 0x7f) << 8 | usize::from(*low), rest))
        }
        [length, rest @ ..] => Some((usize::from(*length), rest)),
        [] => None,
    }
}

/// The packager writes what lies beyond 16 bits, emoji say, as two surrogates of three bytes each,
/// which is not UTF-8.
fn surrogates(text: &[u8]) -> Option<String> {
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        rest = match rest {
            [] => return Some(String::from_utf16_lossy(&units)),
            [a @ 0..=0x7f, rest @ ..] => {
                units.push(u16::from(*a));
                rest
            }
            [a @ 0xc0..=0xdf, b, rest @ ..] => {
                units.push(u16::from(a & 0x1f) << 6 | u16::from(b & 0x3f));
                rest
            }
            [a @ 0xe0..=0xef, b, c, rest @ ..] => {
                let high = u16::from(a & 0x0f) << 12 | u16::from(b & 0x3f) << 6;
                units.push(high | u16::from(c & 0x3f));
                rest
            }
            _ => return None,
        };
    }
}

/// A length of one or two units, then the text.
fn utf16(string: &[u8]) -> Option<String> {
    let first = u16_at(string, 0)?;
    // A length of two units is more than is ever read.
    let units = Some(usize::from(first)).filter(|units| *units <= MAX_TEXT)?;
    let (text, _) = slice(string, 2, units * 2)?.as_chunks::<2>();
    let text = text.iter().map(|unit| u16::from_le_bytes(*unit));
    Some(char::decode_utf16(text).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}
