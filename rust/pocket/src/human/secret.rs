//! Text that must not be logged.

use serde::Deserialize;
use std::fmt;

/// A text that shows nothing but its length when it is printed for a log.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Secret(String);

impl Secret {
    /// Hides `text`.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the one who uses it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// How many characters it has.
    #[must_use]
    pub fn length(&self) -> usize {
        self.0.chars().count()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({} chars)", self.length())
    }
}
