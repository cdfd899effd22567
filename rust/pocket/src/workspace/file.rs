//! Whole files: read within a limit, written beside and renamed into place.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::FileFailure;
use super::boundary::Place;

/// No text that a model works on is larger, and a patch holds its files in memory.
pub const MAX_FILE_BYTES: usize = 16 * 1024 * 1024;

/// The content of a file and the permissions a new version of it keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    pub(super) mode: Mode,
}

impl Place {
    /// The path as messages show it.
    pub(super) fn shown(&self) -> String {
        self.shown.clone()
    }

    /// The file's content, or nothing if there is no file.
    pub(super) fn content(&self) -> Result<Option<Content>, FileFailure> {
        self.content_within(MAX_FILE_BYTES)
    }

    /// The same of a file that has no more than so many bytes.
    pub(super) fn content_within(&self, most: usize) -> Result<Option<Content>, FileFailure> {
        let path = self.shown();
        // Not blocking: opening a pipe that nobody writes to would wait for ever.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = match rustix::fs::openat(&self.dir, &self.name, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP | Errno::NXIO) => return Err(FileFailure::NotAFile { path }),
            Err(error) => return Err(FileFailure::system(&path, "open", &error)),
        };
        let stat =
            rustix::fs::fstat(&fd).map_err(|error| FileFailure::system(&path, "look", &error))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(FileFailure::NotAFile { path });
        }
        let mut bytes = Vec::new();
        let limit = u64::try_from(most).unwrap_or(u64::MAX);
        File::from(fd)
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| FileFailure::system(&path, "read", &error))?;
        if bytes.len() > most {
            return Err(FileFailure::TooLarge { path, limit: most });
        }
        Ok(Some(Content { bytes, mode: Mode::from_raw_mode(stat.st_mode & 0o7777) }))
    }

    /// Writes `bytes` to a new file beside this one and gives its name.
    pub(super) fn stage(&self, bytes: &[u8], mode: Option<Mode>) -> Result<OsString, FileFailure> {
        let path = self.shown();
        if bytes.len() > MAX_FILE_BYTES {
            return Err(FileFailure::TooLarge { path, limit: MAX_FILE_BYTES });
        }
        let name = fresh_name();
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // A file that exists may be private: its new version never is readable for others first.
        let first = Mode::from_raw_mode(if mode.is_some() { 0o600 } else { 0o666 });
        let fd = rustix::fs::openat(&self.dir, &name, flags, first)
            .map_err(|error| FileFailure::system(&path, "create", &error))?;
        let written = (|| {
            if let Some(mode) = mode {
                rustix::fs::fchmod(&fd, mode)?;
            }
            let mut file = File::from(fd);
            file.write_all(bytes)?;
            file.sync_all()
        })();
        match written {
            Ok(()) => Ok(name),
            Err(error) => {
                self.forget(&name);
                Err(FileFailure::system(&path, "write", &error))
            }
        }
    }

    /// Puts a staged file in this one's place.
    pub(super) fn promote(&self, staged: &OsString) -> Result<(), FileFailure> {
        rustix::fs::renameat(&self.dir, staged, &self.dir, &self.name).map_err(
            |error| match error {
                Errno::ISDIR => FileFailure::NotAFile { path: self.shown() },
                error => FileFailure::system(&self.shown(), "replace", &error),
            },
        )
    }

    /// Keeps the present file under a second name, which is given.
    pub(super) fn keep_aside(&self) -> Result<OsString, FileFailure> {
        let aside = fresh_name();
        // A second name leaves no moment without the file. Some file systems have no links; there
        // it is renamed.
        rustix::fs::linkat(&self.dir, &self.name, &self.dir, &aside, AtFlags::empty())
            .or_else(|_| rustix::fs::renameat(&self.dir, &self.name, &self.dir, &aside))
            .map_err(|error| FileFailure::system(&self.shown(), "keep the old version", &error))?;
        Ok(aside)
    }

    /// Removes this file; that it is gone already is fine.
    pub(super) fn remove(&self) -> Result<(), FileFailure> {
        match rustix::fs::unlinkat(&self.dir, &self.name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(FileFailure::system(&self.shown(), "delete", &error)),
        }
    }

    /// Removes a file of ours beside this one. A leftover is harmless, so a failure is too.
    pub(super) fn forget(&self, name: &OsString) {
        let _ = rustix::fs::unlinkat(&self.dir, name, AtFlags::empty());
    }
}

/// A name nobody has: creating it is exclusive, so a guess by somebody else only makes us fail.
fn fresh_name() -> OsString {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos());
    format!(".clawperator-{}-{now:x}-{number}.tmp", std::process::id()).into()
}
