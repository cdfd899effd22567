//! How two texts are alike, in the ways in which people and apps get them wrong.

use crate::fold::{Folded, fold};
use std::fmt;

/// Characters that are compared at all: a matcher has no more.
const COMPARED: usize = 512;
/// Characters that are compared for spelling; the work grows with their square.
const SPELLED: usize = 40;
/// Least share of letters in place for a slip of spelling.
const SLIP: f32 = 0.6;

/// A text that is looked for, made ready for comparing.
pub(super) struct Wanted<'a> {
    text: &'a str,
    /// Is a part of the other text enough? Then case does not matter either.
    part: bool,
    folded: Folded,
    /// With look-alikes made one.
    plain: String,
    /// That, folded.
    bare: String,
}

/// What tells two texts apart, the least first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Likeness {
    Same,
    Case,
    /// A character that looks like the one wanted.
    LookAlike(char),
    /// Spaces around it, or more of them in it.
    Spaces,
    CaseAndLookAlike,
    /// It is there, but as another text of the same node.
    ElsewhereOnNode,
    /// The text seen goes on. How much of it is wanted?
    Longer(f32),
    /// The text seen is only a part. How much of what is wanted is it?
    Shorter(f32),
    /// So much of it is in place.
    Spelling(f32),
    /// Several things together come to so much.
    Alike(f32),
    Different,
}

impl Likeness {
    /// From one, the same, to zero.
    pub(super) fn closeness(self) -> f32 {
        match self {
            Self::Same => 1.0,
            Self::Case | Self::LookAlike(_) | Self::Spaces => 0.95,
            Self::CaseAndLookAlike | Self::ElsewhereOnNode => 0.9,
            Self::Longer(share) => 0.6 + 0.2 * share,
            Self::Shorter(share) => 0.5 + 0.2 * share,
            Self::Spelling(share) => 0.9 * share,
            Self::Alike(share) => 0.95 * share,
            Self::Different => 0.0,
        }
    }
}

/// What follows the name of the field: `text differs in case`.
impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.write_str("is the same"),
            Self::Case => f.write_str("differs in case"),
            Self::LookAlike(c) => {
                write!(f, "differs in a look-alike character, U+{:04X}", u32::from(*c))
            }
            Self::Spaces => f.write_str("differs in spaces"),
            Self::CaseAndLookAlike => f.write_str("differs in case and in look-alike characters"),
            Self::Longer(_) => f.write_str("is longer"),
            Self::Shorter(_) => f.write_str("is shorter"),
            Self::Spelling(_) => f.write_str("is spelled differently"),
            Self::ElsewhereOnNode | Self::Alike(_) | Self::Different => f.write_str("differs"),
        }
    }
}

impl<'a> Wanted<'a> {
    /// It must be the whole text.
    pub(super) fn all(text: &'a str) -> Self {
        let plain = plain(text);
        let bare = fold(&plain).collect();
        Self { text, part: false, folded: Folded::new(text), plain, bare }
    }

    /// It must be in the text.
    pub(super) fn part(text: &'a str) -> Self {
        Self { part: true, ..Self::all(text) }
    }

    /// Is `seen` what is wanted?
    pub(super) fn is_same(&self, seen: &str) -> bool {
        if self.part { self.folded.is_in(seen) } else { seen == self.text }
    }

    /// How far is `seen` from it?
    pub(super) fn compare(&self, seen: &str) -> Likeness {
        if self.is_same(seen) {
            return Likeness::Same;
        }
        let seen = seen.char_indices().nth(COMPARED).map_or(seen, |(end, _)| &seen[..end]);
        let seen_plain = plain(seen);
        if seen_plain.is_empty() || self.bare.is_empty() {
            return Likeness::Different;
        }
        if self.part && seen_plain.contains(&self.plain) || !self.part && seen_plain == self.plain {
            return strange(seen, self.text).map_or(Likeness::Spaces, Likeness::LookAlike);
        }
        if self.folded.equals(seen) {
            return Likeness::Case;
        }
        let seen_bare: String = fold(&seen_plain).collect();
        if seen_bare == self.bare || self.part && seen_bare.contains(&self.bare) {
            return Likeness::CaseAndLookAlike;
        }
        if holds(&seen_bare, &self.bare) {
            return Likeness::Longer(share(&self.bare, &seen_bare));
        }
        let part = share(&seen_bare, &self.bare);
        if part >= 0.3 && holds(&self.bare, &seen_bare) {
            return Likeness::Shorter(part);
        }
        match spelling(&seen_bare, &self.bare) {
            share if share >= SLIP => Likeness::Spelling(share),
            _ => Likeness::Different,
        }
    }
}

/// With characters that look alike made one, invisible ones left out, and spaces made single.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match look_alike(c) {
            None => {}
            Some(' ') if plain.is_empty() || plain.ends_with(' ') => {}
            Some('…') => plain.push_str("..."),
            Some(c) => plain.push(c),
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// The usual character for one that looks like it; `None` for what cannot be seen.
fn look_alike(c: char) -> Option<char> {
    Some(match c {
        // Hyphens, dashes, minus. Android writes "Wi‑Fi" with one that does not break.
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{02BC}' | '\u{2032}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{2033}' => '"',
        // Soft hyphen, joiners, direction marks, byte order mark.
        '\u{00AD}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'
        | '\u{2066}'..='\u{2069}'
        | '\u{FEFF}' => return None,
        // Also the space that does not break, and its many relatives.
        c if c.is_whitespace() => ' ',
        c => c,
    })
}

/// The first character of `seen` that only looks like one of `wanted`, if that is the difference.
fn strange(seen: &str, wanted: &str) -> Option<char> {
    let odd = |c: &char| look_alike(*c) != Some(*c) || *c == '…';
    let in_seen = seen.chars().filter(|c| odd(c) && !wanted.contains(*c)).find(|c| *c != '\n');
    in_seen.or_else(|| wanted.chars().find(|c| odd(c) && !seen.contains(*c)))
}

/// Is `part` in `whole`? Of a few plain letters, "ok" say, only as a word: they are in many.
fn holds(whole: &str, part: &str) -> bool {
    let is_short = part.len() < 4 && part.is_ascii();
    whole.match_indices(part).any(|(at, found)| {
        let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let before = joins(whole[..at].chars().next_back());
        let after = joins(whole[at + found.len()..].chars().next());
        !is_short || !before && !after
    })
}

/// How much of `whole` is `part`?
#[allow(clippy::cast_precision_loss, reason = "texts are far shorter than a float is precise")]
fn share(part: &str, whole: &str) -> f32 {
    part.chars().count() as f32 / whole.chars().count().max(1) as f32
}

/// The share of letters in place, by the number of letters to put in, take out or change.
#[allow(clippy::cast_precision_loss, reason = "at most forty")]
fn spelling(a: &str, b: &str) -> f32 {
    let letters = |text: &str| -> Vec<char> { text.chars().take(SPELLED).collect() };
    let (a, b) = (letters(a), letters(b));
    let longest = a.len().max(b.len()).max(1);
    // So different in length that no order of letters could help.
    if a.len().abs_diff(b.len()) as f32 > longest as f32 * (1.0 - SLIP) {
        return 0.0;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (done, from) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], done + 1);
        for (at, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(diagonal + 1);
        }
    }
    1.0 - row[b.len()] as f32 / longest as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_is_named_as_a_person_would_name_it() {
        for (wanted, seen, difference) in [
            ("Wi-Fi", "Wi-Fi", "is the same"),
            ("Wi-fi", "Wi-Fi", "differs in case"),
            ("Wi-Fi", "Wi\u{2011}Fi", "differs in a look-alike character, U+2011"),
            ("Wi\u{2011}Fi", "Wi-Fi", "differs in a look-alike character, U+2011"),
            ("10 %", "10\u{A0}%", "differs in a look-alike character, U+00A0"),
            ("More...", "More…", "differs in a look-alike character, U+2026"),
            ("Settings", "Set\u{AD}tings", "differs in a look-alike character, U+00AD"),
            ("Sign in", " Sign  in\n", "differs in spaces"),
            ("wi-fi", "Wi\u{2011}Fi", "differs in case and in look-alike characters"),
            ("Wi-fi", "Wi-Fi calling", "is longer"),
            ("Wi-Fi calling", "Wi-Fi", "is shorter"),
            ("Bluetooth", "Bluetoth", "is spelled differently"),
            ("Bluetooth", "Battery", "differs"),
            ("OK", "Facebook", "differs"),
            ("Anything", "", "differs"),
        ] {
            assert_eq!(
                Wanted::all(wanted).compare(seen).to_string(),
                difference,
                "{wanted} {seen}"
            );
        }
    }

    #[test]
    fn where_a_part_is_wanted_case_is_no_difference() {
        assert_eq!(Wanted::part("wi-fi").compare("Use Wi-Fi"), Likeness::Same);
        assert_eq!(
            Wanted::part("Wi-Fi").compare("Use Wi\u{2011}Fi"),
            Likeness::LookAlike('\u{2011}')
        );
    }

    #[test]
    fn long_texts_are_compared_by_their_beginning() {
        let long = "a".repeat(100_000);
        let other = format!("{}b", "a".repeat(99_999));
        assert_eq!(Wanted::all(&long).compare(&other), Likeness::Spelling(1.0));
    }
}
