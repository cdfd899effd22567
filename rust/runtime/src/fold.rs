//! Comparing texts without regard to case, in any script.
//!
//! A text is folded by taking each character to upper case and the result to lower case: that way
//! `ß` meets `SS` and `ς` meets `Σ`. What is searched for is folded once; what is searched through
//! is folded on the fly, so that looking at a node never allocates.

use std::str::Chars;

/// A text to look for, folded once.
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    text: String,
    ascii: bool,
}

impl Folded {
    pub(crate) fn new(text: &str) -> Self {
        let text: String = fold(text).collect();
        let ascii = text.is_ascii();
        Self { text, ascii }
    }

    /// Is it a part of `haystack`? The empty text is a part of everything.
    pub(crate) fn is_in(&self, haystack: &str) -> bool {
        if haystack.is_ascii() {
            // ASCII folds to ASCII, so anything else cannot be in it.
            return self.ascii && ascii_contains(haystack.as_bytes(), self.text.as_bytes());
        }
        let mut needle = self.text.chars();
        let Some(first) = needle.next() else { return true };
        let mut rest = fold(haystack);
        while let Some(next) = rest.next() {
            if next == first && begins(rest.clone(), needle.clone()) {
                return true;
            }
        }
        false
    }

    /// Is it all of `other`?
    pub(crate) fn equals(&self, other: &str) -> bool {
        if other.is_ascii() {
            return self.text.eq_ignore_ascii_case(other);
        }
        fold(other).eq(self.text.chars())
    }
}

/// Does `haystack` contain `needle`, ignoring the case of ASCII letters?
pub(crate) fn ascii_contains(haystack: &[u8], needle: &[u8]) -> bool {
    let Some(first) = needle.first() else { return true };
    haystack
        .windows(needle.len())
        .any(|part| part[0].eq_ignore_ascii_case(first) && part.eq_ignore_ascii_case(needle))
}

fn begins(mut text: Fold<'_>, mut with: Chars<'_>) -> bool {
    with.all(|wanted| text.next() == Some(wanted))
}

/// The characters of a text, folded.
pub(crate) fn fold(text: &str) -> Fold<'_> {
    Fold { chars: text.chars(), rest: [None; 2] }
}

/// See [`fold`].
#[derive(Clone)]
pub(crate) struct Fold<'a> {
    chars: Chars<'a>,
    /// What is left of a character that folds to several; no character folds to more than three.
    rest: [Option<char>; 2],
}

impl Iterator for Fold<'_> {
    type Item = char;

    #[inline]
    fn next(&mut self) -> Option<char> {
        if let Some(next) = self.rest[0] {
            self.rest = [self.rest[1], None];
            return Some(next);
        }
        let next = self.chars.next()?;
        if next.is_ascii() {
            return Some(next.to_ascii_lowercase());
        }
        if is_caseless(next) {
            return Some(next);
        }
        // The Turkish capital would fold to an i and a loose dot above. People who look for
        // "internet" mean "İnternet" too, and Java's own comparison says so.
        if next == 'İ' {
            return Some('i');
        }
        let mut all = next.to_uppercase().flat_map(char::to_lowercase);
        let first = all.next();
        self.rest = [all.next(), all.next()];
        first
    }
}

/// Scripts that know no case: Hebrew to Myanmar, Chinese and Japanese, Korean, emoji. Looking
/// their characters up in the case tables, only to find nothing, costs several times the search.
fn is_caseless(c: char) -> bool {
    matches!(c,
        '\u{0590}'..='\u{109F}'
        | '\u{3000}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7FF}'
        | '\u{1F000}'..='\u{1FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(needle: &str, haystack: &str) -> bool {
        Folded::new(needle).is_in(haystack)
    }

    #[test]
    fn case_makes_no_difference_in_any_script() {
        assert!(found("wi-fi", "Use Wi-Fi calling"));
        assert!(found("НАСТРОЙКИ", "Все настройки"));
        assert!(found("ΟΔΟΣ", "η οδος"));
        assert!(found("οδος", "Η ΟΔΟΣ"), "a final sigma is a sigma");
        assert!(found("k", "300 \u{212A}"), "the Kelvin sign is a k");
        assert!(!found("Wi-Fi", "Bluetooth"));
        assert!(!found("ä", "a"), "an umlaut is another letter, not another case");
    }

    #[test]
    fn a_sharp_s_is_two_letters_long() {
        assert!(found("STRASSE", "Große Straße 7"));
        assert!(found("straße", "HAUPTSTRASSE"));
        assert!(found("sx", "ßx"), "a match may begin inside of it");
        assert!(Folded::new("Fuß").equals("FUSS"));
        assert!(!Folded::new("Fu").equals("Fuß"));
    }

    #[test]
    fn turkish_letters_are_found_the_way_people_type_them() {
        assert!(found("internet", "İnternet ayarları"));
        assert!(found("İNTERNET", "internet"));
        assert!(found("ayarlari", "AYARLARI"));
        assert!(found("ISI", "ısı"), "a dotless i has the plain capital");
    }

    #[test]
    fn emoji_and_caseless_scripts_are_found_as_they_are() {
        assert!(found("🔋 90", "🔋 90 %"));
        assert!(found("网络", "更多网络设置"));
        assert!(!found("🔋", "🔌"));
    }

    #[test]
    fn the_empty_text_is_in_everything_and_equals_only_itself() {
        assert!(found("", "") && found("", "x") && found("", "ß"));
        assert!(!found("x", "") && !found("ß", "s"));
        assert!(Folded::new("").equals("") && !Folded::new("").equals("x"));
    }

    #[test]
    fn the_shortcuts_agree_with_the_tables_for_every_character() {
        for c in (char::MIN..=char::MAX).filter(|c| *c != 'İ') {
            let by_table = c.to_uppercase().flat_map(char::to_lowercase);
            let mut buffer = [0; 4];
            assert!(fold(c.encode_utf8(&mut buffer)).eq(by_table), "{c:?}");
        }
    }
}
