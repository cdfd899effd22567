//! The rules: one list, in the order of their precedence.

mod contact;
mod devices;
mod numbers;
mod people;

use super::Kind;
use regex_lite::Regex;
use std::sync::LazyLock;

/// A pattern and a second look.
pub(super) struct Rule {
    pub(super) kind: Kind,
    /// Could the line hold such a text? It must be cheap: nearly always the answer is no.
    pub(super) hint: fn(&str) -> bool,
    pattern: &'static str,
    /// The second look.
    accept: fn(&Seen<'_>) -> bool,
}

/// A text that fits a pattern, and the line around it.
struct Seen<'a> {
    text: &'a str,
    line: &'a str,
    start: usize,
    end: usize,
}

impl Seen<'_> {
    fn before(&self) -> Option<char> {
        self.line[..self.start].chars().next_back()
    }

    fn after(&self) -> Option<char> {
        self.line[self.end..].chars().next()
    }

    /// Does it stand alone: is no neighbour a letter, a digit or one of these?
    fn alone(&self, but: &str) -> bool {
        let joins = |letter: char| letter.is_alphanumeric() || but.contains(letter);
        !self.before().is_some_and(joins) && !self.after().is_some_and(joins)
    }

    fn digits(&self) -> Vec<u32> {
        self.text.chars().filter_map(|letter| letter.to_digit(10)).collect()
    }

    /// Stands one of these words before it in the line, whatever their case?
    fn labelled(&self, labels: &[&str]) -> bool {
        let before = self.line[..self.start].to_lowercase();
        labels.iter().any(|label| before.contains(label))
    }
}

/// A rule with its pattern ready.
pub(super) struct Ready {
    pub(super) kind: Kind,
    pub(super) hint: fn(&str) -> bool,
    pattern: Regex,
    accept: fn(&Seen<'_>) -> bool,
}

impl Ready {
    /// Where it is found: the pattern's first group, or all of it when it has none.
    pub(super) fn find<'a>(&'a self, line: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
        self.pattern.captures_iter(line).filter_map(|captures| {
            let span = captures.get(1).or_else(|| captures.get(0))?;
            let (start, end) = (span.start(), span.end());
            let seen = Seen { text: &line[start..end], line, start, end };
            (self.accept)(&seen).then_some((start, end))
        })
    }
}

const LISTS: &[&[Rule]] = &[contact::RULES, numbers::RULES, devices::RULES, people::RULES];

/// All rules. Each pattern is compiled by a test, so none is missing here.
pub(super) static RULES: LazyLock<Vec<Ready>> = LazyLock::new(|| {
    let rules = LISTS.iter().copied().flatten();
    rules
        .filter_map(|rule| {
            let pattern = Regex::new(rule.pattern).ok()?;
            Some(Ready { kind: rule.kind, hint: rule.hint, pattern, accept: rule.accept })
        })
        .collect()
});

fn has_digit(line: &str) -> bool {
    line.bytes().any(|byte| byte.is_ascii_digit())
}

/// At least so many digits.
fn has_digits(line: &str, count: usize) -> bool {
    line.bytes().filter(u8::is_ascii_digit).take(count).count() == count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for rule in LISTS.iter().copied().flatten() {
            if let Err(error) = Regex::new(rule.pattern) {
                panic!("{:?} {}: {error}", rule.kind, rule.pattern);
            }
        }
        assert_eq!(RULES.len(), LISTS.iter().map(|list| list.len()).sum::<usize>());
    }
}
