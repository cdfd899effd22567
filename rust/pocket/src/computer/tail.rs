//! The end of what a command prints, with the numbers its lines have in the whole.

/// Keeps the end of a text that grows.
#[derive(Debug)]
pub(super) struct Tail {
    /// At most twice the limit, so that each byte is moved once at most.
    text: String,
    limit: usize,
    dropped_lines: u64,
    dropped: bool,
}

/// Some lines of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lines {
    /// The first, from 0.
    pub(super) from: u64,
    /// The one after the last.
    pub(super) to: u64,
    /// How many were printed in all.
    pub(super) total: u64,
    pub(super) text: String,
}

impl Tail {
    pub(super) fn new(limit: usize) -> Self {
        Self { text: String::new(), limit, dropped_lines: 0, dropped: false }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() <= 2 * self.limit {
            return;
        }
        let cut = self.text.floor_char_boundary(self.text.len() - self.limit);
        // Whole lines, unless that would cost half of what is kept.
        let line_end = self.text[cut..].find('\n').filter(|end| 2 * end < self.limit);
        let cut = line_end.map_or(cut, |end| cut + end + 1);
        let lines = self.text[..cut].bytes().filter(|&byte| byte == b'\n').count();
        self.dropped_lines += u64::try_from(lines).unwrap_or(0);
        self.dropped = true;
        self.text.drain(..cut);
    }

    /// All that is kept, marked when it is not all there was.
    pub(super) fn text(&self) -> String {
        let mark = if self.dropped { "...[trimmed]\n" } else { "" };
        format!("{mark}{}", self.text)
    }

    pub(super) fn total_lines(&self) -> u64 {
        self.dropped_lines + u64::try_from(self.text.lines().count()).unwrap_or(0)
    }

    /// At most `limit` lines beginning with line `from`, or the last ones. Lines that are not kept
    /// any more are passed over.
    pub(super) fn lines(&self, from: Option<u64>, limit: u64) -> Lines {
        let total = self.total_lines();
        let from = from.unwrap_or_else(|| total.saturating_sub(limit));
        let from = from.max(self.dropped_lines).min(total);
        let to = from.saturating_add(limit).min(total);
        let skip = usize::try_from(from - self.dropped_lines).unwrap_or(usize::MAX);
        let take = usize::try_from(to - from).unwrap_or(usize::MAX);
        let lines: Vec<&str> = self.text.lines().skip(skip).take(take).collect();
        Lines { from, to, total, text: lines.join("\n") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers_when_earlier_ones_are_gone() {
        let mut tail = Tail::new(100);
        (0..1000).for_each(|number| tail.push(&format!("line {number}\n")));
        assert_eq!(tail.total_lines(), 1000);
        let last = tail.lines(None, 2);
        let expected = "line 998\nline 999".to_owned();
        assert_eq!(last, Lines { from: 998, to: 1000, total: 1000, text: expected });
        let first = tail.lines(Some(0), 1);
        assert!(first.from > 900 && first.text == format!("line {}", first.from), "{first:?}");
        assert_eq!(tail.lines(Some(2000), 5).text, "");
        assert!(tail.text().starts_with("...[trimmed]\nline 9"), "{}", tail.text());
        assert!(tail.text.capacity() < 1000);
    }

    #[test]
    fn a_line_without_an_end_is_cut_between_characters() {
        let mut tail = Tail::new(10);
        (0..100).for_each(|_| tail.push("€uro"));
        assert_eq!(tail.total_lines(), 1);
        assert!(tail.text().ends_with("€uro") && tail.text.len() <= 20);
    }
}
