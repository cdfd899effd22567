//! What can go wrong between this computer and a phone.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// What went wrong, as far as it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdbError {
    /// There is no adb to start a server with.
    ProgramNotFound {
        /// Where it was looked for.
        tried: Vec<PathBuf>,
    },
    /// The server cannot be reached or started, or something else answers at its port.
    ServerFailed {
        /// What was seen.
        message: String,
    },
    /// The server, or the connection to it, ended in the middle.
    ServerDied {
        /// During what.
        during: String,
    },
    /// No phone of that serial is connected.
    DeviceNotFound {
        /// The serial.
        serial: String,
    },
    /// The phone is connected but does not answer.
    DeviceOffline {
        /// The serial.
        serial: String,
    },
    /// The phone has not allowed this computer.
    DeviceUnauthorized {
        /// The serial.
        serial: String,
    },
    /// This user may not open the phone's USB device.
    NoPermissions {
        /// The server's words.
        message: String,
    },
    /// The phone, or the server for it, refused a service.
    Refused {
        /// Which one.
        service: String,
        /// In whose words.
        message: String,
    },
    /// A file could not be read or written on the phone.
    RemoteFile {
        /// Which one.
        path: String,
        /// In the phone's words.
        message: String,
    },
    /// A file or stream of this computer failed while it was being copied.
    LocalFile {
        /// Why.
        message: String,
    },
    /// It took too long.
    TimedOut {
        /// What did.
        during: String,
        /// How long was waited.
        after: Duration,
    },
    /// The other end said something the protocol does not know.
    Nonsense {
        /// What.
        message: String,
    },
}

impl fmt::Display for AdbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProgramNotFound { tried } if tried.is_empty() => {
                f.write_str("there is no adb in PATH")
            }
            Self::ProgramNotFound { tried } => {
                let tried: Vec<_> = tried.iter().map(|path| path.display().to_string()).collect();
                write!(f, "there is no adb at {}", tried.join(", "))
            }
            Self::ServerFailed { message } => f.write_str(message),
            Self::ServerDied { during } => write!(f, "the adb server ended during {during}"),
            Self::DeviceNotFound { serial } => write!(f, "no phone {serial} is connected"),
            Self::DeviceOffline { serial } => write!(f, "the phone {serial} is offline"),
            Self::DeviceUnauthorized { serial } => {
                write!(f, "the phone {serial} has not allowed this computer")
            }
            Self::NoPermissions { message } => f.write_str(message),
            Self::Refused { service, message } => write!(f, "{service} was refused: {message}"),
            Self::RemoteFile { path, message } => write!(f, "{path}: {message}"),
            Self::LocalFile { message } => f.write_str(message),
            Self::TimedOut { during, after } => {
                write!(f, "{during} took longer than {} ms", after.as_millis())
            }
            Self::Nonsense { message } => {
                write!(f, "adb said something unknown: {message}")
            }
        }
    }
}

impl std::error::Error for AdbError {}
