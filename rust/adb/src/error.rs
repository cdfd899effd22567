//! What can go wrong between this computer and a phone.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// What went wrong, as far as it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdbError {
    /// There is no adb to start a server with.
    ProgramNotFound {
        /// Where it was looked for. A name without a folder was looked for in `PATH`.
        tried: Vec<PathBuf>,
    },
    /// The server cannot be reached or started, or something else answers at its port.
    ServerFailed {
        /// What was seen.
        message: String,
    },
    /// The server, or the connection to it, ended in the middle. When a phone goes away the server
    /// ends what is open to it in the same way.
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

impl AdbError {
    /// What the server means by a `FAIL`. It has no codes, only sentences.
    pub(crate) fn from_fail(service: &str, serial: Option<&str>, text: String) -> Self {
        if let Some(serial) = serial {
            let serial = serial.to_owned();
            let not_found = text.starts_with("device ") && text.ends_with("not found");
            if not_found || text.starts_with("no devices") {
                return Self::DeviceNotFound { serial };
            }
            // Still connecting: it is plugged in and has not said hello yet.
            if text.starts_with("device offline") || text.starts_with("device still connecting") {
                return Self::DeviceOffline { serial };
            }
            let unauthorized = ["device unauthorized", "device still authorizing"];
            if unauthorized.iter().any(|start| text.starts_with(start)) {
                return Self::DeviceUnauthorized { serial };
            }
        }
        if text.contains("insufficient permissions") || text.starts_with("no permissions") {
            return Self::NoPermissions { message: text };
        }
        Self::Refused { service: brief(service), message: text }
    }
}

/// A service for a message: its beginning, as it may be long. Of a line for the phone's shell only
/// the command is told: what follows may be a text that is typed, and so a password.
pub(crate) fn brief(service: &str) -> String {
    let (kind, line) = service.split_once(':').unwrap_or_default();
    let is_shell = kind == "exec" || kind.split(',').next() == Some("shell");
    match line.split_once(char::is_whitespace) {
        Some((command, _)) if is_shell => beginning(&format!("{kind}:{command} …")),
        _ => beginning(service),
    }
}

fn beginning(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl fmt::Display for AdbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProgramNotFound { tried } if tried.is_empty() => {
                f.write_str("there is no adb in PATH")
            }
            Self::ProgramNotFound { tried } => {
                let tried: Vec<_> = tried.iter().map(|path| place(path)).collect();
                write!(f, "there is no adb {}", tried.join(" or "))
            }
            Self::ServerFailed { message } => f.write_str(message),
            Self::ServerDied { during } => {
                write!(f, "the adb server or the phone ended the connection during {during}")
            }
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

fn place(path: &std::path::Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(_) => format!("at {}", path.display()),
        None => "in PATH".into(),
    }
}

impl std::error::Error for AdbError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(text: &str) -> AdbError {
        AdbError::from_fail("shell:id", Some("X1"), text.into())
    }

    #[test]
    fn a_message_names_a_command_and_never_what_it_was_given() {
        for (service, told) in [
            ("shell,v2,raw:input text hunter2", "shell,v2,raw:input …"),
            ("shell:cmd clipboard set text hunter2", "shell:cmd …"),
            ("exec:screencap", "exec:screencap"),
            ("localabstract:a b", "localabstract:a b"),
        ] {
            assert_eq!(brief(service), told);
        }
    }

    #[test]
    fn the_servers_sentences_become_kinds_of_failure() {
        let serial = || "X1".to_owned();
        let message = |text: &str| text.to_owned();
        let no_usb = "insufficient permissions for device: missing udev rules?";
        let unauthorized = "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set";
        for (text, kind) in [
            ("device 'X1' not found", AdbError::DeviceNotFound { serial: serial() }),
            ("device not found", AdbError::DeviceNotFound { serial: serial() }),
            ("no devices/emulators found", AdbError::DeviceNotFound { serial: serial() }),
            ("device offline", AdbError::DeviceOffline { serial: serial() }),
            ("device offline (no transport)", AdbError::DeviceOffline { serial: serial() }),
            ("device still connecting", AdbError::DeviceOffline { serial: serial() }),
            (unauthorized, AdbError::DeviceUnauthorized { serial: serial() }),
            ("device still authorizing", AdbError::DeviceUnauthorized { serial: serial() }),
            (no_usb, AdbError::NoPermissions { message: message(no_usb) }),
            (
                "no permissions (user in plugdev group)",
                AdbError::NoPermissions {
                    message: message("no permissions (user in plugdev group)"),
                },
            ),
            (
                "closed",
                AdbError::Refused { service: "shell:id".into(), message: message("closed") },
            ),
        ] {
            assert_eq!(meant(text), kind, "{text}");
        }
    }

    #[test]
    fn a_long_service_is_named_by_its_beginning() {
        let service = "shell:".to_owned() + &"é".repeat(70_000);
        let AdbError::Refused { service, .. } =
            AdbError::from_fail(&service, None, "closed".into())
        else {
            panic!("it is refused");
        };
        assert_eq!(service.chars().count(), 81);
        assert!(service.starts_with("shell:éé") && service.ends_with("é…"));
    }

    #[test]
    fn a_missing_adb_is_told_with_every_place() {
        let tried = vec!["/sdk/platform-tools/adb".into(), "adb".into()];
        let said = AdbError::ProgramNotFound { tried }.to_string();
        assert_eq!(said, "there is no adb at /sdk/platform-tools/adb or in PATH");
    }
}
