//! Which dispatch went to which phone, in a file: after a crash the phone still knows how it ended,
//! and this tells whom to ask.

use clawperator_contract::ErrorCode;
use clawperator_contract::Failure;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Lines that are kept when the file is made shorter. An operator remembers 64 dispatches.
const KEPT: usize = 500;
/// Bytes at which it is. A line has at most 1.3 kB, so that those kept leave room for others.
const LONG: u64 = 1 << 20;

/// One sending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sending {
    /// Its id.
    pub dispatch_id: String,
    /// Serial of the phone.
    pub device_id: String,
    /// Package of the operator.
    pub package: String,
    /// The caller's own id.
    pub command_id: String,
    /// Hash of the execution.
    pub content: String,
}

/// The file. Several servers of one user may share it.
#[derive(Debug)]
pub struct Sendings {
    path: PathBuf,
    /// One writer at a time in this process; the lock of the file is for other processes.
    turn: Mutex<()>,
}

impl Sendings {
    /// The file in this folder, which is made where it is missing.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join("dispatches.ndjson");
        private_folder(folder)
            .and_then(|()| appending(&path))
            .map_err(|error| unwritable(&path, &error))?;
        Ok(Self { path, turn: Mutex::new(()) })
    }

    /// Notes a sending, before it is sent.
    pub(super) fn note(&self, sending: &Sending) -> Result<(), Failure> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(sending).map_err(|error| unwritable(&self.path, &error))
    }

    fn write(&self, sending: &Sending) -> io::Result<()> {
        let mut file = locked(&self.path)?;
        if file.metadata()?.len() > LONG {
            self.shorten()?;
            file = locked(&self.path)?;
        }
        let mut line = serde_json::to_vec(sending)?;
        line.push(b'\n');
        file.write_all(&line)
    }

    /// Writes the newest lines to a file that takes this one's place.
    fn shorten(&self) -> io::Result<()> {
        let lines: Vec<String> =
            BufReader::new(File::open(&self.path)?).lines().collect::<io::Result<_>>()?;
        let kept = lines.len().saturating_sub(KEPT);
        let beside = self.path.with_extension(format!("{}.tmp", std::process::id()));
        let mut file = private().truncate(true).write(true).open(&beside)?;
        for line in &lines[kept..] {
            file.write_all(line.as_bytes())?;
            file.write_all(b"\n")?;
        }
        fs::rename(&beside, &self.path)
    }

    /// The sending of this id; `None` where the file knows none.
    pub(super) fn find(&self, dispatch_id: &str) -> Option<Sending> {
        let file = File::open(&self.path).ok()?;
        // A line that a crash cut off is no sending.
        let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
        lines
            .filter_map(|line| serde_json::from_slice::<Sending>(&line).ok())
            .filter(|sending| sending.dispatch_id == dispatch_id)
            .last()
    }
}

/// The file, locked. Another process may have put a shorter one in its place meanwhile.
fn locked(path: &Path) -> io::Result<File> {
    loop {
        let file = appending(path)?;
        file.lock()?;
        if is_at(&file, path)? {
            return Ok(file);
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(path)
        .is_ok_and(|there| Some(there.ino()) == file.metadata().map(|m| m.ino()).ok()))
}

#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

fn appending(path: &Path) -> io::Result<File> {
    private().append(true).open(path)
}

/// For this user's eyes only.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// A folder for this user's eyes only.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let code = ErrorCode::OutputUnwritable;
    Failure::new(code, format!("{}: {error}", path.display())).hint(code.remedy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("sendings-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn sending(id: &str) -> Sending {
        Sending {
            dispatch_id: id.into(),
            device_id: "a".into(),
            package: "p".into(),
            command_id: "c".into(),
            content: "h".into(),
        }
    }

    #[test]
    fn another_process_finds_what_was_noted() {
        let folder = scratch("found");
        Sendings::open(&folder).unwrap().note(&sending("d-1")).unwrap();
        let later = Sendings::open(&folder).unwrap();
        assert_eq!(later.find("d-1"), Some(sending("d-1")));
        assert_eq!(later.find("d-2"), None);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&later.path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_file_stays_short_and_keeps_the_newest() {
        let folder = scratch("short");
        let sendings = Sendings::open(&folder).unwrap();
        let mut long = sending("d");
        long.command_id = "x".repeat(1_000);
        for number in 0..1_500 {
            long.dispatch_id = format!("d-{number}");
            sendings.note(&long).unwrap();
        }
        assert!(fs::metadata(&sendings.path).unwrap().len() < 2 * LONG);
        assert!(sendings.find("d-1499").is_some());
        assert!(sendings.find("d-0").is_none());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_line_that_was_cut_off_spoils_no_other() {
        let folder = scratch("cut");
        let sendings = Sendings::open(&folder).unwrap();
        sendings.note(&sending("d-1")).unwrap();
        appending(&sendings.path).unwrap().write_all(b"{\"dispatchId\":\"d-2\n").unwrap();
        sendings.note(&sending("d-3")).unwrap();
        assert!(sendings.find("d-1").is_some() && sendings.find("d-3").is_some());
        fs::remove_dir_all(folder).unwrap();
    }
}
