//! Regular expressions: one engine on both sides, linear in the text whatever the pattern.

use regex_lite::Regex;
use std::fmt;

/// A pattern that does not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern(String);

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "is not a valid regular expression: {}", self.0)
    }
}

impl std::error::Error for BadPattern {}

/// Compiles `pattern` so that it matches a text only as a whole.
pub fn compile(pattern: &str) -> Result<Regex, BadPattern> {
    let bad = |error: regex_lite::Error| BadPattern(error.to_string());
    // By itself first: `a)|(b` must not become valid by what is put around it.
    Regex::new(pattern).map_err(bad)?;
    // A pattern may end in a comment (`(?x)`), which a line break ends.
    Regex::new(&format!(r"\A(?:{pattern})\z"))
        .or_else(|_| Regex::new(&format!("\\A(?:{pattern}\n)\\z")))
        .map_err(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, text: &str) -> bool {
        compile(pattern).unwrap().is_match(text)
    }

    #[test]
    fn a_pattern_matches_the_whole_text() {
        assert!(fits("^ORD-[0-9]{6}$", "ORD-123456"));
        assert!(!fits("ORD", "ORD-123456"));
        assert!(fits("a|ab", "ab"), "a later branch may be the one that fits");
        assert!(fits("(?x) a b # letters", "ab"));
    }

    #[test]
    fn a_broken_pattern_says_why() {
        assert!(compile("a)|(b").is_err());
        assert!(compile("(unclosed").unwrap_err().to_string().contains("not a valid regular"));
        assert!(compile(r"(?=look)").is_err());
    }

    #[test]
    fn a_hostile_pattern_stays_linear_or_is_refused() {
        let text = "a".repeat(512);
        assert!(!fits("(a*)*b", &text));
        assert!(compile("((a{1000}){1000}){1000}").is_err());
    }
}
