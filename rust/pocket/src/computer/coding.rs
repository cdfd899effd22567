//! `read`, `write`, `edit` and `apply_patch`, answered in the schema's words.

use crate::outcome::{Done, Outcome};
use crate::workspace::{FileFailure, Workspace};
use clawperator_contract::Failure;

pub(super) fn read(files: &Workspace, path: &str, from: u64, lines: u64) -> Done {
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let read = files.read(path, size(from), size(lines)).map_err(of("read"))?;
    Ok(Outcome::new(read.to_string())
        .with("path", read.path)
        .with("from", read.from)
        .with("to", read.to)
        .with("totalLines", read.total)
        .with("cut", read.cut)
        .with("text", read.text))
}

pub(super) fn write(files: &Workspace, path: &str, content: &str, append: bool) -> Done {
    let written = files.write(path, content, append).map_err(of("write"))?;
    Ok(Outcome::new(written.to_string())
        .with("path", written.path)
        .with("bytes", written.bytes)
        .with("append", written.append))
}

pub(super) fn edit(
    files: &Workspace,
    path: &str,
    find: &str,
    replace: &str,
    replace_all: bool,
) -> Done {
    let edited = files.edit(path, find, replace, replace_all).map_err(of("edit"))?;
    Ok(Outcome::new(edited.to_string())
        .with("path", edited.path)
        .with("replacements", edited.replacements))
}

pub(super) fn apply_patch(files: &Workspace, input: &str) -> Done {
    let patched = files.apply_patch(input).map_err(of("apply_patch"))?;
    let list =
        |paths: &std::collections::BTreeSet<String>| paths.iter().cloned().collect::<Vec<_>>();
    Ok(Outcome::new(patched.to_string())
        .with("added", list(&patched.added))
        .with("modified", list(&patched.modified))
        .with("deleted", list(&patched.deleted)))
}

/// A failure that says which action it is of.
pub(super) fn of(action: &'static str) -> impl Fn(FileFailure) -> Failure {
    move |failure| {
        let mut failure = Failure::from(failure);
        failure.message = format!("{action}: {}", failure.message);
        failure
    }
}
