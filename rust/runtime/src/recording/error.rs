//! Why a recording could not be started or stopped.

use super::session::Identity;
use super::sink::SinkError;
use clawperator_contract::ErrorCode;
use clawperator_contract::limits::MAX_ID_LENGTH;
use std::error::Error;
use std::{fmt, io};

/// Why a recording could not be started or stopped.
#[derive(Debug)]
#[allow(missing_docs, reason = "the fields are those of the step's data")]
pub enum RecordingError {
    /// There is one already.
    AlreadyInProgress { session_id: String, file_path: String },
    /// The id would not make a safe file name.
    BadSessionId { session_id: String },
    /// There is no place for the file.
    StorageUnavailable { session_id: String, cause: io::Error },
    /// There is a place, but the file could not be begun.
    StartFailed { session_id: String, cause: io::Error },
    /// There is none to stop.
    NotInProgress,
    /// It is stopped, but not all of it was written: the first failure is the cause.
    StopFailed { session_id: String, file_path: String, event_count: u64, cause: io::Error },
}

impl RecordingError {
    pub(super) fn already(active: &Identity) -> Self {
        let Identity { session_id, file_path } = active.clone();
        Self::AlreadyInProgress { session_id, file_path }
    }

    pub(super) fn not_begun(session_id: String, error: SinkError) -> Self {
        match error {
            SinkError::NoStorage(cause) => Self::StorageUnavailable { session_id, cause },
            SinkError::NotOpened(cause) => Self::StartFailed { session_id, cause },
        }
    }

    /// Its code.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::AlreadyInProgress { .. } => ErrorCode::RecordingAlreadyInProgress,
            Self::BadSessionId { .. } | Self::StartFailed { .. } => ErrorCode::RecordingStartFailed,
            Self::StorageUnavailable { .. } => ErrorCode::RecordingStorageUnavailable,
            Self::NotInProgress => ErrorCode::RecordingNotInProgress,
            Self::StopFailed { .. } => ErrorCode::RecordingStopFailed,
        }
    }

    /// A sentence for people.
    #[must_use]
    pub fn message(&self) -> String {
        self.to_string()
    }

    /// What a step says of it beside code and message: `sessionId`, `filePath` and `eventCount`,
    /// where they are known.
    #[must_use]
    pub fn data(&self) -> Vec<(String, String)> {
        let entry = |key: &str, text: &dyn fmt::Display| (key.to_owned(), text.to_string());
        match self {
            Self::NotInProgress | Self::BadSessionId { .. } => Vec::new(),
            Self::StorageUnavailable { session_id, .. } | Self::StartFailed { session_id, .. } => {
                vec![entry("sessionId", session_id)]
            }
            Self::AlreadyInProgress { session_id, file_path } => {
                vec![entry("sessionId", session_id), entry("filePath", file_path)]
            }
            Self::StopFailed { session_id, file_path, event_count, .. } => vec![
                entry("sessionId", session_id),
                entry("filePath", file_path),
                entry("eventCount", event_count),
            ],
        }
    }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyInProgress { session_id, .. } => {
                write!(f, "the recording {session_id} is running already; stop it first")
            }
            Self::BadSessionId { session_id } => {
                // It may be anything of any length: its start is enough to know it again.
                let shown = session_id.chars().take(MAX_ID_LENGTH).collect::<String>();
                write!(
                    f,
                    "the session id {shown:?} cannot name a recording: \
                     use up to {MAX_ID_LENGTH} letters (a-z), digits, _ and -"
                )
            }
            Self::StorageUnavailable { session_id, cause } => {
                write!(f, "there is no place to write the recording {session_id}: {cause}")
            }
            Self::StartFailed { session_id, cause } => {
                write!(f, "the recording {session_id} could not be begun: {cause}")
            }
            Self::NotInProgress => f.write_str("no recording is running; start one first"),
            Self::StopFailed { session_id, event_count, cause, .. } => write!(
                f,
                "the recording {session_id} is stopped but not complete: {cause}; \
                 its file holds the {event_count} events before that"
            ),
        }
    }
}

impl Error for RecordingError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::StorageUnavailable { cause, .. }
            | Self::StartFailed { cause, .. }
            | Self::StopFailed { cause, .. } => Some(cause),
            Self::AlreadyInProgress { .. } | Self::BadSessionId { .. } | Self::NotInProgress => {
                None
            }
        }
    }
}
