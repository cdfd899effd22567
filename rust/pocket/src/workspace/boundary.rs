//! The walk from the root to a file, one name at a time.
//!
//! Each name is opened relative to the directory held open before it and never through a symlink;
//! symlinks are read and walked by us. `..` goes back to a directory that is already held. So no
//! rename or symlink that another process makes meanwhile can lead out of the root, and it needs
//! no system call that only some systems have.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::FileFailure;

/// As many as Linux follows.
const MAX_SYMLINKS: usize = 40;

const DIRECTORY: OFlags =
    OFlags::DIRECTORY.union(OFlags::RDONLY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A directory that files may be read from and written to, and nothing outside of it.
#[derive(Debug)]
pub struct Workspace {
    /// The root, held open: a later rename of its path changes nothing.
    dir: OwnedFd,
    path: PathBuf,
}

/// The directory of a file, held open, and the file's name in it.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) dir: OwnedFd,
    pub(super) name: OsString,
    /// The path below the root with every symlink resolved: the identity of the file.
    pub(super) inside: PathBuf,
    /// Directories the walk made, outermost first, for an undo.
    pub(super) made: Vec<PathBuf>,
}

/// What to do when a directory on the way is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parents {
    Make,
    Require,
}

impl Workspace {
    /// Opens the workspace at `path`, which must be a directory.
    pub fn open(path: &Path) -> Result<Self, FileFailure> {
        let shown = path.display().to_string();
        let failed =
            |error: &dyn std::fmt::Display| FileFailure::system(&shown, "open workspace", error);
        let path = path.canonicalize().map_err(|error| failed(&error))?;
        let dir = rustix::fs::openat(CWD, &path, DIRECTORY, Mode::empty())
            .map_err(|error| failed(&error))?;
        Ok(Self { dir, path })
    }

    /// Where the workspace is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path below the root of a path as a model writes it.
    fn below_root<'a>(&self, raw: &'a str) -> Result<&'a Path, FileFailure> {
        let raw = raw.trim();
        if raw.is_empty() {
            return Err(FileFailure::PathMissing);
        }
        if raw.contains('\0') {
            return Err(FileFailure::escapes(raw, "a NUL character"));
        }
        let path = Path::new(raw);
        if path.is_absolute() {
            return path
                .strip_prefix(&self.path)
                .map_err(|_| FileFailure::escapes(raw, "an absolute path"));
        }
        Ok(path)
    }

    /// Walks to the file `raw` names. The file itself need not exist; it is not a symlink.
    pub(super) fn place(&self, raw: &str, parents: Parents) -> Result<Place, FileFailure> {
        let mut made = Vec::new();
        match self.walk(raw, parents, &mut made) {
            Ok((dir, name, inside)) => Ok(Place { dir, name, inside, made }),
            Err(failure) => {
                self.remove_directories(&made);
                Err(failure)
            }
        }
    }

    fn walk(
        &self,
        raw: &str,
        parents: Parents,
        made: &mut Vec<PathBuf>,
    ) -> Result<(OwnedFd, OsString, PathBuf), FileFailure> {
        let mut todo: VecDeque<OsString> = names(self.below_root(raw)?);
        let raw = raw.trim();
        let system = |doing| move |error: Errno| FileFailure::system(raw, doing, &error);
        // A path that ends in a slash names a directory.
        if raw.ends_with('/') {
            return Err(FileFailure::NotAFile { path: raw.to_owned() });
        }
        let mut walked: Vec<(OsString, OwnedFd)> = Vec::new();
        let mut symlinks = 0;
        while let Some(name) = todo.pop_front() {
            if name == ".." {
                if walked.pop().is_none() {
                    return Err(FileFailure::escapes(raw, "`..`"));
                }
                continue;
            }
            let dir = walked.last().map_or(&self.dir, |(_, dir)| dir);
            let kind = match rustix::fs::statat(dir, &name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => Some(FileType::from_raw_mode(stat.st_mode)),
                Err(Errno::NOENT) => None,
                Err(error) => return Err(system("look")(error)),
            };
            if kind == Some(FileType::Symlink) {
                symlinks += 1;
                if symlinks > MAX_SYMLINKS {
                    return Err(FileFailure::SymlinkLoop { path: raw.to_owned() });
                }
                let target = rustix::fs::readlinkat(dir, &name, Vec::new())
                    .map_err(system("read symlink"))?;
                let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
                let target = if target.is_absolute() {
                    walked.clear();
                    target.strip_prefix(&self.path).map(Path::to_path_buf).map_err(|_| {
                        FileFailure::escapes(raw, format!("the symlink {}", name.display()))
                    })?
                } else {
                    target
                };
                for name in names(&target).into_iter().rev() {
                    todo.push_front(name);
                }
                continue;
            }
            if todo.is_empty() {
                let dir = dir.try_clone().map_err(|e| FileFailure::system(raw, "open", &e))?;
                let inside = inside(&walked, &name);
                return Ok((dir, name, inside));
            }
            if kind.is_none() {
                if parents == Parents::Require {
                    return Err(FileFailure::NotFound { path: raw.to_owned() });
                }
                match rustix::fs::mkdirat(dir, &name, Mode::from_raw_mode(0o777)) {
                    Ok(()) => made.push(inside(&walked, &name)),
                    Err(Errno::EXIST) => {}
                    Err(error) => return Err(system("make directory")(error)),
                }
            }
            let next =
                rustix::fs::openat(dir, &name, DIRECTORY, Mode::empty()).map_err(|error| {
                    match error {
                        // It became a symlink since we looked: somebody is playing with us.
                        Errno::LOOP => {
                            FileFailure::escapes(raw, format!("{}, just replaced,", name.display()))
                        }
                        Errno::NOTDIR => FileFailure::NotAFile { path: raw.to_owned() },
                        error => FileFailure::system(raw, "open directory", &error),
                    }
                })?;
            walked.push((name, next));
        }
        // The path ended on a directory we stand in: `.`, `a/..`, or the root itself.
        Err(FileFailure::NotAFile { path: raw.to_owned() })
    }

    /// The path below the root of a file whose directory does not exist yet.
    pub(super) fn future(&self, raw: &str) -> Result<PathBuf, FileFailure> {
        let mut path = PathBuf::new();
        for name in names(self.below_root(raw)?) {
            if name != ".." {
                path.push(name);
            } else if !path.pop() {
                return Err(FileFailure::escapes(raw, "`..`"));
            }
        }
        Ok(path)
    }

    /// Removes directories that a walk made, innermost first. One that is in use by somebody else
    /// by now stays.
    pub(super) fn remove_directories(&self, made: &[PathBuf]) {
        for inside in made.iter().rev() {
            let place = inside.to_str().map(|path| self.place(path, Parents::Require));
            if let Some(Ok(place)) = place {
                let _ = rustix::fs::unlinkat(&place.dir, &place.name, AtFlags::REMOVEDIR);
            }
        }
    }
}

fn inside(walked: &[(OsString, OwnedFd)], name: &OsStr) -> PathBuf {
    walked.iter().map(|(name, _)| name.as_os_str()).chain([name]).collect()
}

fn names(path: &Path) -> VecDeque<OsString> {
    path.components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some(OsString::from("..")),
            // Absolute paths were cut to below the root before.
            Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
        })
        .collect()
}
