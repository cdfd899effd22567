//! The files below a directory, and whole texts, for those who look through many.

use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::{AtFlags, Dir, FileType, Mode};
use rustix::io::Errno;

use super::boundary::{DIRECTORY, Parents};
use super::{FileFailure, Workspace};

/// Deeper folders are no notes of a person or an agent, and each is held open on the way down.
const MAX_DEPTH: usize = 16;

/// Files that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Their paths below the workspace, in order.
    pub files: Vec<String>,
    /// There are more: too many, or too deep.
    pub more: bool,
}

/// A whole file as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Where it is below the workspace when every symlink is resolved.
    pub path: String,
    /// What it holds; bytes that are no UTF-8 are `\u{fffd}`.
    pub text: String,
}

impl Workspace {
    /// The files below `directory` whose names `wanted` takes, at most `most` of them. Symlinks are
    /// passed over: what they lead to has a name of its own. No directory has no files.
    pub fn files_below(
        &self,
        directory: &str,
        wanted: &dyn Fn(&str) -> bool,
        most: usize,
    ) -> Result<Listing, FileFailure> {
        let (dir, inside) = match self.directory(directory) {
            Ok(found) => found,
            Err(FileFailure::NotFound { .. } | FileFailure::NotADirectory { .. }) => {
                return Ok(Listing::default());
            }
            Err(failure) => return Err(failure),
        };
        let mut search = Search { workspace: self, wanted, most, found: Listing::default() };
        search.below(&dir, &inside, 0)?;
        search.found.files.sort();
        Ok(search.found)
    }

    /// The text of a file of at most `most` bytes, or nothing if there is none.
    pub fn text(&self, path: &str, most: usize) -> Result<Option<Text>, FileFailure> {
        let place = match self.place(path, Parents::Require) {
            Ok(place) => place,
            Err(FileFailure::NotFound { .. }) => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let content = place.content_within(most)?;
        Ok(content.map(|content| Text {
            path: place.shown(),
            text: String::from_utf8_lossy(&content.bytes).into_owned(),
        }))
    }
}

struct Search<'a> {
    workspace: &'a Workspace,
    wanted: &'a dyn Fn(&str) -> bool,
    most: usize,
    found: Listing,
}

impl Search<'_> {
    fn below(
        &mut self,
        dir: &OwnedFd,
        inside: &std::path::Path,
        depth: usize,
    ) -> Result<(), FileFailure> {
        let shown = self.workspace.shown(inside);
        let failed = |error: Errno| FileFailure::system(&shown, "list", &error);
        let mut names: Vec<String> = Vec::new();
        for entry in Dir::read_from(dir).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_str().map(str::to_owned);
            // A name that is no text cannot be asked for either.
            names.extend(name.ok().filter(|name| name != "." && name != ".."));
        }
        names.sort();
        for name in names {
            if self.found.files.len() >= self.most {
                self.found.more = true;
                return Ok(());
            }
            let Ok(stat) = rustix::fs::statat(dir, &name, AtFlags::SYMLINK_NOFOLLOW) else {
                continue; // It is gone by now.
            };
            let path: PathBuf = inside.join(&name);
            match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile if (self.wanted)(&name) => {
                    self.found.files.push(self.workspace.shown(&path));
                }
                FileType::Directory if depth >= MAX_DEPTH => self.found.more = true,
                FileType::Directory => {
                    match rustix::fs::openat(dir, &name, DIRECTORY, Mode::empty()) {
                        Ok(next) => self.below(&next, &path, depth + 1)?,
                        // Gone, or just replaced by something that is no directory of its own.
                        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {}
                        Err(error) => return Err(failed(error)),
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
