//! The files behind `sync:`.

mod memory;
mod paths;

use std::fmt;
use std::sync::Arc;

pub use memory::MemoryFiles;

/// `S_IFMT`: the bits of a mode that say what a thing is.
pub const TYPE_BITS: u32 = 0o170_000;
/// `S_IFREG`.
pub const REGULAR_FILE: u32 = 0o100_000;
/// `S_IFDIR`.
pub const DIRECTORY: u32 = 0o040_000;
/// `S_IFLNK`.
pub const SYMBOLIC_LINK: u32 = 0o120_000;
/// The bits of a mode that say who may do what.
pub const PERMISSION_BITS: u32 = 0o7_777;

/// What is known of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// What it is and who may do what, as `st_mode`.
    pub mode: u32,
    /// Bytes in it.
    pub size: u64,
    /// When it was last written, in seconds since 1970: as wide as the protocol's first version.
    pub mtime: u32,
}

impl Stat {
    /// Whether it is a directory.
    #[must_use]
    pub fn is_directory(&self) -> bool {
        self.mode & TYPE_BITS == DIRECTORY
    }

    /// Whether it is a symbolic link.
    #[must_use]
    pub fn is_link(&self) -> bool {
        self.mode & TYPE_BITS == SYMBOLIC_LINK
    }
}

/// What a device keeps in files. Paths are absolute, or from the root.
pub trait Files: Send + Sync {
    /// What is at `path`, or at the end of its links.
    ///
    /// # Errors
    /// When there is nothing.
    fn stat(&self, path: &str) -> Result<Stat, FileError>;

    /// What is at `path`, be it a link.
    ///
    /// # Errors
    /// When there is nothing.
    fn lstat(&self, path: &str) -> Result<Stat, FileError>;

    /// Names and stats of what is in a directory, without `.` and `..`, links not followed.
    ///
    /// # Errors
    /// When there is no such directory.
    fn list(&self, path: &str) -> Result<Vec<(String, Stat)>, FileError>;

    /// All of a file.
    ///
    /// # Errors
    /// When there is no such file, or it may not be read.
    fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, FileError>;

    /// Writes a file whole, or a link whose target is `content` where `mode` says so, with the
    /// directories above it.
    ///
    /// # Errors
    /// When it may not be written, or there is no room.
    fn write(&self, path: &str, mode: u32, mtime: u32, content: Vec<u8>) -> Result<(), FileError>;

    /// How many bytes a new file at `path` could have: what is received beyond is not kept.
    fn room(&self, path: &str) -> u64;
}

/// Why a file operation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileError {
    /// ENOENT.
    NotFound,
    /// EACCES.
    PermissionDenied,
    /// EEXIST.
    Exists,
    /// ENOTDIR.
    NotADirectory,
    /// EISDIR.
    IsADirectory,
    /// EINVAL.
    Invalid,
    /// ENOSPC.
    NoSpace,
    /// EROFS.
    ReadOnly,
    /// ENOTEMPTY.
    NotEmpty,
    /// ELOOP.
    TooManyLinks,
}

impl FileError {
    /// Its number on Linux, which is also what it is on the wire.
    #[must_use]
    pub const fn errno(self) -> u32 {
        match self {
            Self::NotFound => 2,
            Self::PermissionDenied => 13,
            Self::Exists => 17,
            Self::NotADirectory => 20,
            Self::IsADirectory => 21,
            Self::Invalid => 22,
            Self::NoSpace => 28,
            Self::ReadOnly => 30,
            Self::NotEmpty => 39,
            Self::TooManyLinks => 40,
        }
    }
}

impl fmt::Display for FileError {
    /// In the words of `strerror`, which people and scripts know.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFound => "No such file or directory",
            Self::PermissionDenied => "Permission denied",
            Self::Exists => "File exists",
            Self::NotADirectory => "Not a directory",
            Self::IsADirectory => "Is a directory",
            Self::Invalid => "Invalid argument",
            Self::NoSpace => "No space left on device",
            Self::ReadOnly => "Read-only file system",
            Self::NotEmpty => "Directory not empty",
            Self::TooManyLinks => "Too many symbolic links encountered",
        })
    }
}

impl std::error::Error for FileError {}
