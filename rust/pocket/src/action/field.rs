//! How the table describes a field.

use serde_json::{Value, json};

/// What a field holds, and between which bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Any finite number: a coordinate, which is fitted to the screen when it is used.
    Number,
    /// A whole number; others become the nearest one within the bounds.
    Whole {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// A number from 0 to 1; others become the nearest of them.
    Ratio,
    /// Text, as it is.
    Text,
    /// Text without the blanks around it.
    Trimmed,
    /// True or false.
    Flag,
    /// One of these words, in any case.
    Choice(&'static [&'static str]),
    /// An object with these fields.
    Object(&'static [Field]),
    /// A list of objects with these fields.
    List(&'static [Field]),
}

/// What stands for a value that is missing or invalid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fallback {
    /// Nothing: the field is absent.
    Absent,
    /// This text.
    Text(&'static str),
    /// This whole number.
    Whole(u64),
    /// This number.
    Ratio(f64),
    /// This answer.
    Flag(bool),
}

impl Fallback {
    /// The value on the wire.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        match self {
            Self::Absent => None,
            Self::Text(text) => Some(json!(text)),
            Self::Whole(number) => Some(json!(number)),
            Self::Ratio(number) => Some(json!(number)),
            Self::Flag(flag) => Some(json!(flag)),
        }
    }
}

/// A field of an action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    /// Fields that are read in its place when it is missing.
    pub aliases: &'static [&'static str],
    /// What it holds.
    pub kind: Kind,
    /// What stands for it when it is missing or invalid.
    pub fallback: Fallback,
    /// Whether the schema asks for it.
    pub required: bool,
    /// What it is, for the model and the documentation.
    pub about: &'static str,
}

impl Field {
    const fn new(name: &'static str, kind: Kind, fallback: Fallback, about: &'static str) -> Self {
        Self { name, aliases: &[], kind, fallback, required: false, about }
    }

    pub(super) const fn number(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Number, Fallback::Whole(0), about).required()
    }

    pub(super) const fn whole(
        name: &'static str,
        (min, default, max): (u64, u64, u64),
        about: &'static str,
    ) -> Self {
        Self::new(name, Kind::Whole { min, max }, Fallback::Whole(default), about)
    }

    pub(super) const fn ratio(name: &'static str, default: f64, about: &'static str) -> Self {
        Self::new(name, Kind::Ratio, Fallback::Ratio(default), about)
    }

    /// Text the schema asks for.
    pub(super) const fn text(
        name: &'static str,
        default: &'static str,
        about: &'static str,
    ) -> Self {
        Self::new(name, Kind::Text, Fallback::Text(default), about).required()
    }

    pub(super) const fn optional_text(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Text, Fallback::Absent, about)
    }

    pub(super) const fn trimmed(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Trimmed, Fallback::Absent, about)
    }

    pub(super) const fn flag(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Flag, Fallback::Flag(false), about)
    }

    pub(super) const fn optional_flag(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Flag, Fallback::Absent, about)
    }

    pub(super) const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        default: &'static str,
        about: &'static str,
    ) -> Self {
        Self::new(name, Kind::Choice(words), Fallback::Text(default), about).required()
    }

    pub(super) const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self::new(name, kind, Fallback::Absent, about)
    }

    pub(super) const fn or(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    const fn required(mut self) -> Self {
        self.required = true;
        self
    }
}
