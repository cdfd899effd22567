//! What is looked for in all that a script prints, kept or not.

use super::frame::MARKER;

/// Looks for a text in all that is printed, also in the part that is not kept.
#[derive(Debug)]
pub(super) struct Search<'a> {
    wanted: &'a str,
    /// The end of what came before: the text may have begun there.
    end: String,
    found: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(wanted: &'a str) -> Self {
        Self { wanted, end: String::new(), found: wanted.is_empty() }
    }

    pub(super) fn push(&mut self, text: &str) {
        if self.found {
            return;
        }
        self.end.push_str(text);
        self.found = self.end.contains(self.wanted);
        let keep_from = self.end.len().saturating_sub(self.wanted.len());
        self.end.drain(..self.end.floor_char_boundary(keep_from));
    }

    pub(super) const fn found(&self) -> bool {
        self.found
    }
}

/// Counts the lines that are the marker of a result, also in the part that is not kept.
#[derive(Debug, Default)]
pub(super) struct MarkerCount {
    line: Vec<u8>,
    count: u64,
}

impl MarkerCount {
    /// A line may be endless; no more of it than this decides.
    const ENOUGH: usize = MARKER.len() + 2;

    pub(super) fn push(&mut self, text: &str) {
        let mut parts = text.as_bytes().split(|&byte| byte == b'\n');
        if let Some(first) = parts.next() {
            self.add(first);
        }
        for part in parts {
            self.end_line();
            self.add(part);
        }
    }

    fn add(&mut self, part: &[u8]) {
        let room = Self::ENOUGH.saturating_sub(self.line.len()).min(part.len());
        self.line.extend_from_slice(&part[..room]);
    }

    fn end_line(&mut self) {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        self.count += u64::from(line == MARKER.as_bytes());
        self.line.clear();
    }

    pub(super) fn finish(&mut self) -> u64 {
        self.end_line();
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markers_are_counted_however_they_come() {
        let text = format!("{MARKER}\n{}\n{MARKER}x\n x{MARKER}\n{MARKER}\r\n", "y".repeat(900));
        let letters: Vec<char> = text.chars().collect();
        for size in [1, 7, 4096] {
            let mut markers = MarkerCount::default();
            letters.chunks(size).for_each(|part| markers.push(&part.iter().collect::<String>()));
            assert_eq!(markers.finish(), 2, "in chunks of {size}");
        }
    }

    proptest! {
        #[test]
        fn a_text_is_found_however_it_comes(
            text in "[aä€]{0,30}", wanted in "[aä€]{0,4}", size in 1_usize..6,
        ) {
            let mut search = Search::new(&wanted);
            let letters: Vec<char> = text.chars().collect();
            letters.chunks(size).for_each(|part| search.push(&part.iter().collect::<String>()));
            prop_assert_eq!(search.found(), text.contains(&wanted));
        }
    }
}
