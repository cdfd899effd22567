//! `edit`: literal text replaced by literal text.

use std::fmt;

use super::boundary::Parents;
use super::{FileFailure, Workspace};

/// What was replaced. Its `Display` is the answer for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The file, below the workspace.
    pub path: String,
    /// How many places were replaced.
    pub replacements: usize,
}

impl Workspace {
    /// Replaces `find`, which must be in the file exactly once unless `all` is set.
    pub fn edit(
        &self,
        path: &str,
        find: &str,
        replace: &str,
        all: bool,
    ) -> Result<Edited, FileFailure> {
        if find.is_empty() {
            return Err(FileFailure::FindMissing);
        }
        let place = self.place(path, Parents::Require)?;
        let shown = place.shown();
        let old = place
            .content()?
            .ok_or_else(|| FileFailure::NotFound { path: path.trim().to_owned() })?;
        let text = String::from_utf8(old.bytes)
            .map_err(|_| FileFailure::Binary { path: shown.clone() })?;
        // Models write plain newlines; a file that has others keeps them.
        let (find, replace) = if !text.contains(find) && text.contains("\r\n") {
            (with_crlf(find), with_crlf(replace))
        } else {
            (find.to_owned(), replace.to_owned())
        };
        let replacements = match places(&text, &find) {
            0 => return Err(FileFailure::FindNotPresent { path: shown }),
            1 => 1,
            _ if all => text.matches(&find).count(),
            matches => return Err(FileFailure::FindNotUnique { path: shown, matches }),
        };
        let staged = place.stage(text.replace(&find, &replace).as_bytes(), Some(old.mode))?;
        place.promote(&staged).inspect_err(|_| place.forget(&staged))?;
        Ok(Edited { path: shown, replacements })
    }
}

/// Counting further would say nothing more, and overlapping matches make it slow.
const MAX_COUNTED: usize = 1000;

/// Places that match, also those that overlap: "aa" is at two places of "aaa".
fn places(text: &str, find: &str) -> usize {
    let mut count = 0;
    let mut rest = text;
    while count < MAX_COUNTED
        && let Some(at) = rest.find(find)
    {
        count += 1;
        let mut after = rest[at..].chars();
        after.next();
        rest = after.as_str();
    }
    count
}

fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

impl fmt::Display for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edit path={} replacements={}", self.path, self.replacements)
    }
}
