//! What is wrong with an app's file, and where.

use std::fmt;

/// Something in an app's file that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppError {
    /// The file, as the caller named it.
    pub file: String,
    /// The line, from 1; 0 where the whole file is meant.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
    /// The way to the value: `screens.main.widgets[3].opens`.
    pub field: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages below say what they are")]
pub enum Problem {
    Unreadable(String),
    NotYaml(String),
    Expected(&'static str),
    Missing(&'static str),
    UnknownKey { key: String, known: Vec<String> },
    UnknownKind { kind: String },
    UnknownAction { action: String },
    Unknown { what: &'static str, name: String, known: Vec<String> },
    WrongState { name: String, needs: &'static str },
    Duplicate { what: &'static str, name: String },
    BadLabel(String),
    BadCondition(String),
    TooMany { what: &'static str, most: usize },
    NoHome,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "the file cannot be read: {why}"),
            Self::NotYaml(why) => write!(f, "not YAML: {why}"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::Missing(key) => write!(f, "the key \"{key}\" is missing"),
            Self::UnknownKey { key, known } => {
                write!(f, "unknown key \"{key}\"; known here: {}", known.join(", "))
            }
            Self::UnknownKind { kind } => {
                write!(f, "\"{kind}\" is no widget; the first key says what a widget is")
            }
            Self::UnknownAction { action } => write!(f, "\"{action}\" is no action"),
            Self::Unknown { what, name, known } => {
                write!(f, "there is no {what} \"{name}\"; there are: {}", known.join(", "))
            }
            Self::WrongState { name, needs } => {
                write!(f, "the state variable \"{name}\" must hold {needs} here")
            }
            Self::Duplicate { what, name } => write!(f, "the {what} \"{name}\" occurs twice"),
            Self::BadLabel(why) | Self::BadCondition(why) => f.write_str(why),
            Self::TooMany { what, most } => write!(f, "too many {what}; at most {most}"),
            Self::NoHome => f.write_str("no app has `home: true`, and a phone needs one"),
        }
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        if !self.field.is_empty() {
            write!(f, ": {}", self.field)?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for AppError {}
