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

pub(super) const DIRECTORY: OFlags =
    OFlags::DIRECTORY.union(OFlags::RDONLY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A directory that files are read from and written to, and nothing outside of it unless it was
/// opened so.
#[derive(Debug)]
pub struct Workspace {
    /// The root, which nothing leads out of, held open: a later rename of its path changes nothing.
    dir: OwnedFd,
    root: PathBuf,
    /// The workspace below the root, where relative paths begin. It is the root itself unless
    /// paths may leave the workspace; then the root is that of the system.
    base: PathBuf,
}

/// The directory of a file, held open, and the file's name in it.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) dir: OwnedFd,
    pub(super) name: OsString,
    /// The path below the root with every symlink resolved: the identity of the file.
    pub(super) inside: PathBuf,
    /// The path as messages show it.
    pub(super) shown: String,
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
    /// Opens the workspace at `path`, which must be a directory. No path leads out of it.
    pub fn open(path: &Path) -> Result<Self, FileFailure> {
        let root = real(path)?;
        Ok(Self { dir: held(&root)?, root, base: PathBuf::new() })
    }

    /// The same, but paths may lead anywhere: `workspaceOnly` is switched off.
    pub fn open_unbounded(path: &Path) -> Result<Self, FileFailure> {
        let path = real(path)?;
        // A workspace must be a directory here too.
        held(&path)?;
        let root = PathBuf::from("/");
        let base = path.strip_prefix(&root).unwrap_or(&path).to_path_buf();
        Ok(Self { dir: held(&root)?, root, base })
    }

    /// Where the workspace is.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.below_root(&self.base)
    }

    /// The names from the root to what a path as a model writes it stands for.
    fn names_to(&self, raw: &str) -> Result<VecDeque<OsString>, FileFailure> {
        let raw = raw.trim();
        if raw.is_empty() {
            return Err(FileFailure::PathMissing);
        }
        if raw.contains('\0') {
            return Err(FileFailure::escapes(raw, "a NUL character"));
        }
        let path = Path::new(raw);
        if path.is_absolute() {
            let inside = path.strip_prefix(&self.root);
            return inside.map(names).map_err(|_| FileFailure::escapes(raw, "an absolute path"));
        }
        Ok(names(&self.base.join(path)))
    }

    /// Walks to the file `raw` names. The file itself need not exist; it is not a symlink.
    pub(super) fn place(&self, raw: &str, parents: Parents) -> Result<Place, FileFailure> {
        let todo = self.names_to(raw)?;
        // A path that ends in a slash names a directory.
        if raw.trim().ends_with('/') {
            return Err(FileFailure::NotAFile { path: raw.trim().to_owned() });
        }
        self.place_of(raw.trim(), todo, parents)
    }

    /// Walks to a file by its path below the root.
    pub(super) fn place_inside(
        &self,
        inside: &Path,
        parents: Parents,
    ) -> Result<Place, FileFailure> {
        self.place_of(&self.shown(inside), names(inside), parents)
    }

    fn place_of(
        &self,
        raw: &str,
        todo: VecDeque<OsString>,
        parents: Parents,
    ) -> Result<Place, FileFailure> {
        let mut made = Vec::new();
        let walked =
            self.walk(raw, todo, parents, &mut made).and_then(|walked| match walked.name {
                Some(name) => Ok((walked.dir, name, walked.inside)),
                None => Err(FileFailure::NotAFile { path: raw.to_owned() }),
            });
        match walked {
            Ok((dir, name, inside)) => {
                let shown = self.shown(&inside);
                Ok(Place { dir, name, inside, shown, made })
            }
            Err(failure) => {
                self.remove_directories(&made);
                Err(failure)
            }
        }
    }

    /// The directory `raw` names, held open, and its path below the root without symlinks.
    pub(super) fn directory(&self, raw: &str) -> Result<(OwnedFd, PathBuf), FileFailure> {
        let mut todo = self.names_to(raw)?;
        // Whatever stands before a dot is walked into.
        todo.push_back(".".into());
        let walked = self.walk(raw.trim(), todo, Parents::Require, &mut Vec::new());
        match walked {
            Ok(walked) => Ok((walked.dir, walked.inside)),
            Err(FileFailure::NotAFile { path }) => Err(FileFailure::NotADirectory { path }),
            Err(failure) => Err(failure),
        }
    }

    /// The real path of the directory `raw` names.
    pub fn directory_path(&self, raw: &str) -> Result<PathBuf, FileFailure> {
        Ok(self.below_root(&self.directory(raw)?.1))
    }

    pub(super) fn real_path(&self, place: &Place) -> PathBuf {
        self.below_root(&place.inside)
    }

    fn below_root(&self, inside: &Path) -> PathBuf {
        // Joined with nothing, a path would end in a slash.
        if inside.as_os_str().is_empty() { self.root.clone() } else { self.root.join(inside) }
    }

    /// A path below the root as messages show it: from the workspace, or absolute when outside.
    pub(super) fn shown(&self, inside: &Path) -> String {
        match inside.strip_prefix(&self.base) {
            Ok(path) => path.display().to_string(),
            Err(_) => self.root.join(inside).display().to_string(),
        }
    }

    fn walk(
        &self,
        raw: &str,
        mut todo: VecDeque<OsString>,
        parents: Parents,
        made: &mut Vec<PathBuf>,
    ) -> Result<Walked, FileFailure> {
        let system = |doing| move |error: Errno| FileFailure::system(raw, doing, &error);
        let copy = |dir: &OwnedFd| {
            dir.try_clone().map_err(|error| FileFailure::system(raw, "open", &error))
        };
        let mut walked: Vec<(OsString, OwnedFd)> = Vec::new();
        let mut symlinks = 0;
        while let Some(name) = todo.pop_front() {
            if name == "." {
                continue;
            }
            if name == ".." {
                // Above the root of the system is that root again.
                if walked.pop().is_none() && self.base.as_os_str().is_empty() {
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
                    target.strip_prefix(&self.root).map(Path::to_path_buf).map_err(|_| {
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
                let inside = inside(&walked, Some(name.as_os_str()));
                return Ok(Walked { dir: copy(dir)?, name: Some(name), inside });
            }
            if kind.is_none() {
                if parents == Parents::Require {
                    return Err(FileFailure::NotFound { path: raw.to_owned() });
                }
                match rustix::fs::mkdirat(dir, &name, Mode::from_raw_mode(0o777)) {
                    Ok(()) => made.push(inside(&walked, Some(name.as_os_str()))),
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
        let dir = copy(walked.last().map_or(&self.dir, |(_, dir)| dir))?;
        Ok(Walked { dir, name: None, inside: inside(&walked, None) })
    }

    /// The path below the root of a file whose directory does not exist yet.
    pub(super) fn future(&self, raw: &str) -> Result<PathBuf, FileFailure> {
        let mut path = PathBuf::new();
        for name in self.names_to(raw)? {
            if name != ".." {
                path.push(name);
            } else if !path.pop() && self.base.as_os_str().is_empty() {
                return Err(FileFailure::escapes(raw, "`..`"));
            }
        }
        Ok(path)
    }

    /// Removes directories that a walk made, innermost first. One that is in use by somebody else
    /// by now stays.
    pub(super) fn remove_directories(&self, made: &[PathBuf]) {
        for inside in made.iter().rev() {
            if let Ok(place) = self.place_inside(inside, Parents::Require) {
                let _ = rustix::fs::unlinkat(&place.dir, &place.name, AtFlags::REMOVEDIR);
            }
        }
    }
}

/// Where a walk ended: in a directory, and at a name in it unless it ended on the directory.
struct Walked {
    dir: OwnedFd,
    name: Option<OsString>,
    inside: PathBuf,
}

fn real(path: &Path) -> Result<PathBuf, FileFailure> {
    path.canonicalize().map_err(|error| not_opened(path, &error))
}

fn held(path: &Path) -> Result<OwnedFd, FileFailure> {
    rustix::fs::openat(CWD, path, DIRECTORY, Mode::empty())
        .map_err(|error| not_opened(path, &error))
}

fn not_opened(path: &Path, error: &dyn std::fmt::Display) -> FileFailure {
    FileFailure::system(&path.display().to_string(), "open workspace", error)
}

fn inside(walked: &[(OsString, OwnedFd)], name: Option<&OsStr>) -> PathBuf {
    walked.iter().map(|(name, _)| name.as_os_str()).chain(name).collect()
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
