//! `write`: a whole file, or more at its end.

use std::fmt;
use std::path::PathBuf;

use rustix::fs::Mode;

use super::boundary::{Parents, Place};
use super::{FileFailure, Workspace};

/// What was written. Its `Display` is the answer for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The file, below the workspace.
    pub path: String,
    /// Bytes of the content that was given.
    pub bytes: usize,
    /// It was added to the end.
    pub append: bool,
}

impl Workspace {
    /// Writes a new file that only its owner may read, and run if `runs`; gives its real path.
    pub fn write_private(
        &self,
        path: &str,
        content: &[u8],
        runs: bool,
    ) -> Result<PathBuf, FileFailure> {
        let place = self.place(path, Parents::Make)?;
        let mode = Mode::from_raw_mode(if runs { 0o700 } else { 0o600 });
        place
            .stage(content, Some(mode))
            .and_then(|staged| place.promote(&staged).inspect_err(|_| place.forget(&staged)))
            .inspect_err(|_| self.remove_directories(&place.made))?;
        Ok(self.real_path(&place))
    }

    /// Writes `content` to `path`, making the directories on the way.
    pub fn write(&self, path: &str, content: &str, append: bool) -> Result<Written, FileFailure> {
        let place = self.place(path, Parents::Make)?;
        put(&place, content, append).inspect_err(|_| self.remove_directories(&place.made))?;
        Ok(Written { path: place.shown(), bytes: content.len(), append })
    }
}

fn put(place: &Place, content: &str, append: bool) -> Result<(), FileFailure> {
    let old = place.content()?;
    let mode = old.as_ref().map(|old| old.mode);
    let mut bytes = old.filter(|_| append).map(|old| old.bytes).unwrap_or_default();
    bytes.extend_from_slice(content.as_bytes());
    let staged = place.stage(&bytes, mode)?;
    place.promote(&staged).inspect_err(|_| place.forget(&staged))
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, bytes, append } = self;
        write!(f, "write path={path} bytes={bytes} append={append}")
    }
}
