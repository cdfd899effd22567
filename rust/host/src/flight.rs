//! One execution at a time on each phone, across all processes of this user.
//!
//! The claim is a locked file. The system lets go of the lock when its owner ends, however it
//! ends, so there is nothing to clean up after a crash.

use clawperator_contract::{ErrorCode, Failure};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Bytes of the longest name: a command's id has 128 characters, each of which may take six.
const NAME_BYTES: usize = 1_024;

/// Who has a phone to itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// Its process.
    pub pid: u32,
    /// The execution it runs.
    pub command_id: String,
    /// Since when, in milliseconds since 1970.
    pub since_ms: u64,
}

/// The right to run an execution on a phone, until it is dropped. The name in the file stays, but
/// nobody reads it while the file is not locked.
#[derive(Debug)]
pub struct Flight {
    file: File,
}

impl Drop for Flight {
    /// Closing alone lets go too late where another thread is just starting a process: that one
    /// holds the file a moment longer.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Where the claims of this user are.
#[must_use]
pub fn folder() -> PathBuf {
    match std::env::var_os("HOME").filter(|home| !home.is_empty()) {
        Some(home) => Path::new(&home).join(".clawperator/locks"),
        None => std::env::temp_dir().join("clawperator-locks"),
    }
}

/// Claims a phone. When another has it, waits for at most so long.
pub fn claim(
    folder: &Path,
    serial: &str,
    command_id: &str,
    wait: Duration,
) -> Result<Flight, Failure> {
    let path = folder.join(format!("{}.lock", file_name(serial)));
    let unwritable = |error: io::Error| {
        let code = ErrorCode::OutputUnwritable;
        let message = format!("the phone cannot be claimed: {}: {error}", path.display());
        Failure::new(code, message).hint(code.remedy())
    };
    let mut file = open(folder, &path).map_err(unwritable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::Error(error)) => return Err(unwritable(error)),
        Err(TryLockError::WouldBlock) => {
            let holder = holder(&mut file);
            let conflict = || conflict(serial, holder.as_ref(), wait);
            file = wait_for(file, wait).map_err(unwritable)?.ok_or_else(conflict)?;
        }
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let own = Holder {
        pid: std::process::id(),
        command_id: command_id.to_owned(),
        since_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
    };
    // Only for whoever is turned away: a claim counts without it.
    let _ = write(&mut file, &own);
    Ok(Flight { file })
}

fn open(folder: &Path, path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path).or_else(|error| {
        if error.kind() != io::ErrorKind::NotFound {
            return Err(error);
        }
        fs::create_dir_all(folder)?;
        options.open(path)
    })
}

/// Locks have no time limit, so another thread waits for it. When time is up, that thread is left
/// behind: it gets the lock some day and lets go of it at once.
fn wait_for(file: File, wait: Duration) -> io::Result<Option<File>> {
    if wait.is_zero() {
        return Ok(None);
    }
    let (send, receive) = mpsc::channel();
    thread::Builder::new().name("turn".into()).spawn(move || {
        let locked = file.lock();
        let _ = send.send(locked.map(|()| file));
    })?;
    receive.recv_timeout(wait).ok().transpose()
}

fn conflict(serial: &str, holder: Option<&Holder>, waited: Duration) -> Failure {
    let code = ErrorCode::ExecutionConflictInFlight;
    let who = holder.map_or_else(
        || "another process".to_owned(),
        |holder| format!("process {} with {}", holder.pid, holder.command_id),
    );
    let waited = match waited.as_millis() {
        0 => String::new(),
        ms => format!(", still after {ms} ms"),
    };
    let failure = Failure::new(code, format!("{who} runs an execution on {serial}{waited}"));
    failure
        .detail("deviceId", serial)
        .detail("holder", serde_json::to_value(holder).unwrap_or_default())
        .hint(code.remedy())
}

fn holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.take(4_096).read_to_string(&mut text).ok()?;
    serde_json::from_str(text.trim_end()).ok()
}

/// Always as long, so that it covers the name before: one write, no cutting.
fn write(file: &mut File, holder: &Holder) -> io::Result<()> {
    let text = format!("{:NAME_BYTES$}", serde_json::to_string(holder)?);
    file.rewind()?;
    file.write_all(text.as_bytes())
}

/// Serials hold colons and, over the network, anything else.
fn file_name(serial: &str) -> String {
    let mut name = String::new();
    for byte in serial.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_".contains(&byte) {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02x}"));
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("flight-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn the_second_is_turned_away_and_told_by_whom() {
        let folder = scratch("second");
        let first = claim(&folder, "127.0.0.1:5555", "first", Duration::ZERO).unwrap();
        let failure = claim(&folder, "127.0.0.1:5555", "second", Duration::ZERO).unwrap_err();
        assert_eq!(failure.code, ErrorCode::ExecutionConflictInFlight);
        assert_eq!(failure.details["holder"]["commandId"], "first");
        assert_eq!(failure.details["holder"]["pid"], std::process::id());
        claim(&folder, "another", "third", Duration::ZERO).unwrap();
        drop(first);
        claim(&folder, "127.0.0.1:5555", "second", Duration::ZERO).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn whoever_waits_gets_its_turn() {
        let folder = scratch("turn");
        let first = claim(&folder, "a", "first", Duration::ZERO).unwrap();
        let theirs = folder.clone();
        let second =
            thread::spawn(move || claim(&theirs, "a", "second", Duration::from_secs(60)).is_ok());
        drop(first);
        assert!(second.join().unwrap());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn waiting_ends() {
        let folder = scratch("ends");
        let _first = claim(&folder, "a", "first", Duration::ZERO).unwrap();
        let failure = claim(&folder, "a", "second", Duration::from_millis(20)).unwrap_err();
        assert!(failure.message.ends_with("still after 20 ms"), "{}", failure.message);
    }

    #[test]
    fn serials_become_names_of_their_own() {
        assert_eq!(file_name("R5CT-1_x"), "R5CT-1_x");
        assert_eq!(file_name("127.0.0.1:5555"), "127%2e0%2e0%2e1%3a5555");
        assert_eq!(file_name("../x"), "%2e%2e%2fx");
    }
}
