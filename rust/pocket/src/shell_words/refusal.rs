//! Why shell text is not run, and where in it the reason stands.

use std::fmt;

/// A verdict against a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub why: Why,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

/// The reason of a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// No shell would read this.
    Syntax(String),
    /// What it runs is known only when it runs, or we do not read this part of the language.
    Undecidable(String),
    /// The program is not on the list.
    NotAllowed(String),
    /// A safety rule forbids it even for a program on the list.
    Denied(String),
    /// There is no command.
    Empty,
    /// The text is longer than this many characters.
    TooLong(usize),
}

/// A reason with the index of the character it stands at.
pub(super) type Found = (Why, usize);

impl Refusal {
    pub(super) fn at((why, at): Found, text: &str) -> Self {
        let (mut line, mut column) = (1, 1);
        for c in text.chars().take(at) {
            if c == '\n' {
                line += 1;
                column = 1;
            } else {
                column += 1;
            }
        }
        Self { why, line, column }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = format!("line {}, column {}", self.line, self.column);
        match &self.why {
            Why::Syntax(what) => write!(f, "{place}: not a shell command: {what}"),
            Why::Undecidable(what) => write!(
                f,
                "{place}: cannot be judged before it runs: {what}; write the command out plainly"
            ),
            Why::NotAllowed(name) => {
                write!(f, "{place}: command '{name}' is not on the list of allowed commands")
            }
            Why::Denied(rule) => write!(f, "{place}: command blocked by safety rule: {rule}"),
            Why::Empty => f.write_str("command is empty"),
            Why::TooLong(limit) => write!(f, "script exceeds max length ({limit} characters)"),
        }
    }
}

impl std::error::Error for Refusal {}
