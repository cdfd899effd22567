//! What a program prints: any amount of it, kept within a limit and never cut inside a character.

use serde::Serialize;

/// A text that was printed, perhaps without its middle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Printed {
    /// The beginning and the end of it; bytes that are no UTF-8 are `\u{fffd}`.
    pub text: String,
    /// Is a part in the middle left out?
    pub truncated: bool,
    /// So many bytes were printed in all.
    pub bytes: u64,
}

/// Keeps the beginning and the end of a stream of bytes.
///
/// The end gets three quarters: that is where a result frame and the reason of a failure stand.
#[derive(Debug)]
pub(crate) struct Keeper {
    head_limit: usize,
    tail_limit: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
    bytes: u64,
}

impl Keeper {
    pub(crate) fn new(limit: usize) -> Self {
        let head_limit = limit / 4;
        Self {
            head_limit,
            tail_limit: limit - head_limit,
            head: Vec::new(),
            tail: Vec::new(),
            bytes: 0,
        }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.bytes += u64::try_from(chunk.len()).unwrap_or(0);
        let room = self.head_limit.saturating_sub(self.head.len()).min(chunk.len());
        let (head, rest) = chunk.split_at(room);
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        // At twice the limit, so that every byte is moved once at most.
        if self.tail.len() > 2 * self.tail_limit {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        let excess = self.tail.len().saturating_sub(self.tail_limit);
        self.tail.drain(..excess);
    }

    pub(crate) fn finish(mut self) -> Printed {
        self.shorten();
        let bytes = self.bytes;
        let kept = u64::try_from(self.head.len() + self.tail.len()).unwrap_or(u64::MAX);
        if kept >= bytes {
            self.head.append(&mut self.tail);
            let text = String::from_utf8_lossy(&self.head).into_owned();
            return Printed { text, truncated: false, bytes };
        }
        let head = &self.head[..whole_characters(&self.head)];
        let tail = &self.tail[character_start(&self.tail)..];
        let shown = u64::try_from(head.len() + tail.len()).unwrap_or(u64::MAX);
        let text = format!(
            "{}\n[... {} bytes left out ...]\n{}",
            String::from_utf8_lossy(head),
            bytes.saturating_sub(shown),
            String::from_utf8_lossy(tail)
        );
        Printed { text, truncated: true, bytes }
    }
}

/// So many of these bytes are whole characters (or bytes that will never become one).
pub(crate) fn whole_characters(bytes: &[u8]) -> usize {
    // A character has four bytes at most, so an unfinished one begins in the last three.
    for back in 1..=bytes.len().min(3) {
        let at = bytes.len() - back;
        let wanted = match bytes[at] {
            0b1100_0000..=0b1101_1111 => 2,
            0b1110_0000..=0b1110_1111 => 3,
            0b1111_0000..=0b1111_0111 => 4,
            0b1000_0000..=0b1011_1111 => continue,
            _ => return bytes.len(),
        };
        return if wanted > back { at } else { bytes.len() };
    }
    bytes.len()
}

/// Where the first character begins: before it is the rest of one that was cut.
fn character_start(bytes: &[u8]) -> usize {
    let rest = bytes.iter().take(3).take_while(|&&byte| byte & 0b1100_0000 == 0b1000_0000);
    rest.count()
}

/// Makes whole characters of chunks that may end inside one.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    unfinished: Vec<u8>,
}

impl Decoder {
    /// All whole characters up to here.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> String {
        self.unfinished.extend_from_slice(chunk);
        let whole = whole_characters(&self.unfinished);
        let text = String::from_utf8_lossy(&self.unfinished[..whole]).into_owned();
        self.unfinished.drain(..whole);
        text
    }

    /// What is left when nothing more comes.
    pub(crate) fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.unfinished)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kept(limit: usize, chunks: &[&[u8]]) -> Printed {
        let mut keeper = Keeper::new(limit);
        chunks.iter().for_each(|chunk| keeper.push(chunk));
        keeper.finish()
    }

    #[test]
    fn a_character_may_come_in_pieces() {
        let euro = "€".as_bytes();
        let printed = kept(100, &[&euro[..1], &euro[1..2], &euro[2..]]);
        assert_eq!((printed.text.as_str(), printed.bytes, printed.truncated), ("€", 3, false));
        let mut decoder = Decoder::default();
        assert_eq!(decoder.push(&euro[..2]), "");
        assert_eq!(decoder.push(&euro[2..]), "€");
        assert_eq!(decoder.push(&euro[..2]) + &decoder.finish(), "\u{fffd}");
    }

    #[test]
    fn the_cut_leaves_whole_characters_on_both_sides() {
        for limit in 8..24 {
            let text = "€".repeat(100);
            let printed = kept(limit, &[text.as_bytes()]);
            assert!(printed.truncated && printed.bytes == 300);
            assert!(!printed.text.contains('\u{fffd}'), "{limit}: {}", printed.text);
            let euros = printed.text.matches('€').count();
            let left_out = format!("[... {} bytes left out ...]", 300 - 3 * euros);
            assert!(printed.text.contains(&left_out), "{limit}: {}", printed.text);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_and_harm_nothing_else() {
        assert_eq!(kept(100, &[b"a\xff\xfeb\xc3"]).text, "a\u{fffd}\u{fffd}b\u{fffd}");
    }

    proptest! {
        #[test]
        fn pieces_decode_as_the_whole_does(
            bytes in prop::collection::vec(any::<u8>(), 0..64), size in 1_usize..9,
        ) {
            let mut decoder = Decoder::default();
            let mut text: String = bytes.chunks(size).map(|chunk| decoder.push(chunk)).collect();
            text.push_str(&decoder.finish());
            prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn what_fits_is_kept_as_it_is(text in "\\PC{0,40}") {
            prop_assert_eq!(kept(400, &[text.as_bytes()]).text, text);
        }
    }
}
