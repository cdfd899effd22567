//! What can go wrong with a file of the workspace.

use clawperator_contract::{ErrorCode, Failure};
use std::fmt;

/// Why a file action was not done. Nothing was changed, unless the failure says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileFailure {
    /// The path was empty.
    PathMissing,
    /// The path, or a symlink on it, leads out of the workspace.
    Escapes {
        /// The path as it was given.
        path: String,
        /// What led out.
        by: String,
    },
    /// More symlinks than a sane path has: a loop.
    SymlinkLoop {
        /// The path as it was given.
        path: String,
    },
    /// There is no such file.
    NotFound {
        /// The path as it was given.
        path: String,
    },
    /// A directory, a device, a pipe or a socket stands there.
    NotAFile {
        /// The path as it was given.
        path: String,
    },
    /// A directory was wanted and something else stands there.
    NotADirectory {
        /// The path as it was given.
        path: String,
    },
    /// The file is larger than what is read or written at once.
    TooLarge {
        /// The path as it was given.
        path: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// The file is not text.
    Binary {
        /// The path as it was given.
        path: String,
    },
    /// `find` was empty.
    FindMissing,
    /// `find` is not in the file.
    FindNotPresent {
        /// The path as it was given.
        path: String,
    },
    /// `find` is in the file more than once and `replaceAll` was not set.
    FindNotUnique {
        /// The path as it was given.
        path: String,
        /// How many places match.
        matches: usize,
    },
    /// The text is not a patch.
    PatchSyntax {
        /// The line of the patch, from 1; 0 when it concerns the whole.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// A hunk of the patch does not fit its file.
    PatchMismatch {
        /// The file of the hunk.
        path: String,
        /// What was looked for.
        message: String,
    },
    /// A file changed between the check of the patch and its application.
    Changed {
        /// The file.
        path: String,
    },
    /// The system refused.
    System {
        /// The path as it was given.
        path: String,
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        error: String,
    },
    /// A patch failed half way and something of it could not be undone.
    RollbackIncomplete {
        /// Why the patch failed.
        cause: Box<FileFailure>,
        /// What is left behind.
        left: Vec<String>,
    },
}

impl FileFailure {
    pub(super) fn system(path: &str, doing: &'static str, error: &dyn fmt::Display) -> Self {
        Self::System { path: path.to_owned(), doing, error: error.to_string() }
    }

    pub(super) fn escapes(path: &str, by: impl Into<String>) -> Self {
        Self::Escapes { path: path.to_owned(), by: by.into() }
    }
}

impl fmt::Display for FileFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PathMissing => f.write_str("path is required: name a file of the workspace"),
            Self::Escapes { path, by } => write!(
                f,
                "path escapes workspace ({path}): {by} leads out; name a file inside the workspace"
            ),
            Self::SymlinkLoop { path } => {
                write!(f, "{path}: too many symlinks, probably a loop; name the file itself")
            }
            Self::NotFound { path } => write!(f, "{path}: no such file in the workspace"),
            Self::NotAFile { path } => write!(f, "{path}: not a regular file"),
            Self::NotADirectory { path } => write!(f, "{path}: not a directory"),
            Self::TooLarge { path, limit } => {
                write!(f, "{path}: larger than {limit} bytes, the most that is handled at once")
            }
            Self::Binary { path } => write!(f, "{path}: not a text file"),
            Self::FindMissing => f.write_str("find must be non-empty"),
            Self::FindNotPresent { path } => {
                write!(f, "{path}: find text not present; read the file and copy it exactly")
            }
            Self::FindNotUnique { path, matches } => write!(
                f,
                "{path}: find text matches {matches} places; give more of the text around the \
                 one you mean, or set replaceAll"
            ),
            Self::PatchSyntax { line: 0, message } => write!(f, "invalid patch: {message}"),
            Self::PatchSyntax { line, message } => {
                write!(f, "invalid patch at line {line}: {message}")
            }
            Self::PatchMismatch { path, message } => {
                write!(f, "patch does not fit {path}: {message}; read the file and make it anew")
            }
            Self::Changed { path } => {
                write!(f, "{path} changed while the patch was being applied; read it again")
            }
            Self::System { path, doing, error } => write!(f, "{path}: {doing} failed: {error}"),
            Self::RollbackIncomplete { cause, left } => {
                write!(f, "{cause}; undoing it was not complete, see {}", left.join(", "))
            }
        }
    }
}

impl std::error::Error for FileFailure {}

impl FileFailure {
    /// The code a program branches on.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::PathMissing | Self::Escapes { .. } | Self::SymlinkLoop { .. } => {
                ErrorCode::PocketPathRefused
            }
            Self::FindMissing
            | Self::FindNotPresent { .. }
            | Self::FindNotUnique { .. }
            | Self::PatchSyntax { .. }
            | Self::PatchMismatch { .. }
            | Self::Changed { .. } => ErrorCode::PocketPatchRefused,
            Self::NotFound { .. }
            | Self::NotAFile { .. }
            | Self::NotADirectory { .. }
            | Self::TooLarge { .. }
            | Self::Binary { .. }
            | Self::System { .. }
            | Self::RollbackIncomplete { .. } => ErrorCode::PocketFileFailed,
        }
    }
}

impl From<FileFailure> for Failure {
    fn from(failure: FileFailure) -> Self {
        let code = failure.code();
        Self::new(code, failure.to_string()).hint(code.remedy())
    }
}
