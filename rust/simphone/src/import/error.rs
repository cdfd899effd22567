//! What is wrong with a dump, and where.

use super::{MOST_BYTES, MOST_DEPTH, MOST_FILES, MOST_NODES};
use std::fmt;

/// Why a dump cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// The file, as the caller named it.
    pub file: String,
    /// Line and column, from 1; zero where the whole file is meant.
    pub place: (u32, u32),
    /// What is wrong.
    pub problem: ImportProblem,
}

/// What can be wrong with a dump.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages below say what they are")]
pub enum ImportProblem {
    Unreadable(String),
    TooLarge,
    TooManyNodes,
    TooDeep,
    TooManyFiles,
    DocumentType,
    NotXml(String),
    NoHierarchy,
    NoNodes,
    BadBounds(String),
    NoFiles,
}

impl fmt::Display for ImportProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "it cannot be read: {why}"),
            Self::TooLarge => write!(f, "it is larger than {MOST_BYTES} bytes"),
            Self::TooManyNodes => write!(f, "it has more than {MOST_NODES} nodes"),
            Self::TooDeep => write!(f, "nodes are nested deeper than {MOST_DEPTH}"),
            Self::TooManyFiles => write!(f, "there are more than {MOST_FILES} dumps"),
            Self::DocumentType => f.write_str("it has a document type, which no dump has"),
            Self::NotXml(why) => write!(f, "not XML: {why}"),
            Self::NoHierarchy => f.write_str("its root is not <hierarchy>"),
            Self::NoNodes => f.write_str("it has no <node>"),
            Self::BadBounds(bounds) => write!(f, "\"{bounds}\" are no bounds like [0,0][10,10]"),
            Self::NoFiles => f.write_str("there is no *.xml in it"),
        }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            (0, _) => write!(f, "{}: {}", self.file, self.problem),
            (line, column) => write!(f, "{}:{line}:{column}: {}", self.file, self.problem),
        }
    }
}

impl std::error::Error for ImportError {}
