//! `apply_patch`: several files changed together, or none.
//!
//! The patch is read, then every hunk is tried on the files in memory, then all new versions are
//! written beside the old ones, and only then do renames put them in place. A failure puts back
//! what was replaced. A power cut between two renames is not covered.

mod commit;
mod fit;
mod parse;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use self::parse::Hunk;
use super::boundary::Parents;
use super::file::Content;
use super::{FileFailure, Workspace};

/// What a patch changed. Its `Display` is the answer for the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patched {
    /// Files that were added.
    pub added: BTreeSet<String>,
    /// Files that were changed, under their new names.
    pub modified: BTreeSet<String>,
    /// Files that were deleted.
    pub deleted: BTreeSet<String>,
}

/// A file before and after the patch.
#[derive(Debug)]
struct Change {
    before: Option<Content>,
    after: Option<Vec<u8>>,
}

/// The files as they are after the hunks so far, by their path without symlinks. A file whose
/// directory does not exist yet is known by its path as given.
#[derive(Debug, Default)]
struct Plan {
    changes: BTreeMap<PathBuf, Change>,
}

impl Workspace {
    /// Applies a patch completely or not at all.
    pub fn apply_patch(&self, input: &str) -> Result<Patched, FileFailure> {
        let hunks = parse::parse(input)?;
        let mut plan = Plan::default();
        let mut patched = Patched::default();
        for hunk in hunks {
            match hunk {
                Hunk::Add { path, content } => {
                    plan.load(self, &path)?.after = Some(content.into_bytes());
                    patched.added.insert(path);
                }
                Hunk::Delete { path } => {
                    let gone = plan.load(self, &path)?.after.take();
                    gone.ok_or_else(|| FileFailure::NotFound { path: path.clone() })?;
                    patched.deleted.insert(path);
                }
                Hunk::Update { path, move_to, chunks } => {
                    let change = plan.load(self, &path)?;
                    let bytes = change
                        .after
                        .take()
                        .ok_or_else(|| FileFailure::NotFound { path: path.clone() })?;
                    let text = String::from_utf8(bytes)
                        .map_err(|_| FileFailure::Binary { path: path.clone() })?;
                    let text = fit::fit(&path, &text, &chunks)?;
                    let to = move_to.unwrap_or(path);
                    plan.load(self, &to)?.after = Some(text.into_bytes());
                    patched.modified.insert(to);
                }
            }
        }
        commit::commit(self, &plan.changes)?;
        Ok(patched)
    }
}

impl Plan {
    fn load(&mut self, workspace: &Workspace, path: &str) -> Result<&mut Change, FileFailure> {
        let (key, before) = match workspace.place(path, Parents::Require) {
            Ok(place) => (place.inside.clone(), place.content()?),
            Err(FileFailure::NotFound { .. }) => (workspace.future(path)?, None),
            Err(failure) => return Err(failure),
        };
        Ok(self.changes.entry(key).or_insert_with(|| {
            let after = before.as_ref().map(|content| content.bytes.clone());
            Change { before, after }
        }))
    }
}

impl fmt::Display for Patched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Success. Updated the following files:")?;
        for (mark, paths) in [('A', &self.added), ('M', &self.modified), ('D', &self.deleted)] {
            for path in paths {
                write!(f, "\n{mark} {path}")?;
            }
        }
        Ok(())
    }
}
