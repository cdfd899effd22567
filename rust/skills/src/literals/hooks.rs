//! Installs the git hooks that call the guard, beside any hook that is there already.

use super::git::Repository;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The hooks, and what each calls.
const HOOKS: &[(&str, &str)] = &[("pre-commit", PRE_COMMIT), ("pre-push", PRE_PUSH)];
const BEGIN: &str = "# >>> clawperator: keeps personal texts out of commits >>>";
const END: &str = "# <<< clawperator <<<";
/// A hook that was there keeps its words in a file of this ending.
const BEFORE: &str = "before-clawperator";

/// A missing program stops the commit: a guard that is silently absent guards nothing.
const FIND: &str = r#"clawperator_bin=${CLAWPERATOR_BIN:-clawperator}
if ! command -v "$clawperator_bin" >/dev/null 2>&1; then
    echo "clawperator: this hook needs the program \"$clawperator_bin\", which is not here." >&2
    echo "Put it on PATH or name it in CLAWPERATOR_BIN; 'clawperator skills hook uninstall' removes the hook." >&2
    exit 1
fi
"#;
const PRE_COMMIT: &str = r#""$clawperator_bin" skills hook scan --staged || exit 1
if [ -x "$0.before-clawperator" ]; then
    "$0.before-clawperator" "$@" || exit $?
fi
"#;
/// Both the guard and the hook that was there read what git tells on standard input.
const PRE_PUSH: &str = r#"clawperator_refs=$(cat)
clawperator_tell() { if [ -n "$clawperator_refs" ]; then printf '%s\n' "$clawperator_refs"; fi; }
clawperator_tell | "$clawperator_bin" skills hook scan --push --remote "$1" || exit 1
if [ -x "$0.before-clawperator" ]; then
    clawperator_tell | "$0.before-clawperator" "$@" || exit $?
fi
"#;

/// What was done to a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It was not there.
    Created,
    /// Another hook was there; it is called after the guard.
    Chained,
    /// An older block of ours was replaced.
    Updated,
    /// All was as it should be.
    Unchanged,
    /// It was taken away.
    Removed,
    /// It was taken away, and the hook that had been there is back.
    Restored,
}

/// One hook and what was done to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hook {
    /// `pre-commit` or `pre-push`.
    pub name: &'static str,
    /// Its file.
    pub path: PathBuf,
    /// What was done.
    pub change: Change,
}

/// Installs both hooks; a second time changes nothing.
///
/// # Errors
///
/// `SKILLS_HOOK_FAILED` with the file that could not be written, or the git command that failed.
pub fn install(repository: &Repository) -> Result<Vec<Hook>, Failure> {
    let folder = repository.path("hooks")?;
    std::fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    let mut hooks = Vec::new();
    for &(name, call) in HOOKS {
        let path = folder.join(name);
        let block = format!("{BEGIN}\n{FIND}{call}{END}\n");
        let change = install_one(&path, &block)?;
        hooks.push(Hook { name, path, change });
    }
    Ok(hooks)
}

fn install_one(path: &Path, block: &str) -> Result<Change, Failure> {
    let before = beside(path);
    let text = read(path)?;
    let Some(text) = text else {
        write(path, &format!("#!/bin/sh\n{block}"))?;
        return Ok(Change::Created);
    };
    if let Some((head, _, tail)) = parts(&text) {
        let wanted = format!("{head}{block}{tail}");
        if wanted.as_bytes() == text && is_executable(path) {
            return Ok(Change::Unchanged);
        }
        write(path, &wanted)?;
        return Ok(Change::Updated);
    }
    if before.symlink_metadata().is_ok() {
        return Err(Failure::new(
            ErrorCode::SkillsHookFailed,
            format!(
                "{} was put in the place of the guard, and {} is there from before",
                path.display(),
                before.display()
            ),
        )
        .hint("Bring the two together in one file and delete the other, then install again."));
    }
    std::fs::rename(path, &before).map_err(|error| unwritable(&before, &error))?;
    write(path, &format!("#!/bin/sh\n{block}"))?;
    Ok(Change::Chained)
}

/// Takes both hooks away again and puts back what was there before.
///
/// # Errors
///
/// As [`install`].
pub fn uninstall(repository: &Repository) -> Result<Vec<Hook>, Failure> {
    let folder = repository.path("hooks")?;
    let mut hooks = Vec::new();
    for &(name, _) in HOOKS {
        let path = folder.join(name);
        let change = uninstall_one(&path)?;
        hooks.push(Hook { name, path, change });
    }
    Ok(hooks)
}

fn uninstall_one(path: &Path) -> Result<Change, Failure> {
    let text = read(path)?.unwrap_or_default();
    let Some((head, _, tail)) = parts(&text) else { return Ok(Change::Unchanged) };
    let rest = format!("{head}{tail}");
    let before = beside(path);
    let has_more = rest.lines().any(|line| !line.trim().is_empty() && !line.starts_with("#!"));
    let has_before = before.symlink_metadata().is_ok();
    match (has_more, has_before) {
        (true, true) => Err(Failure::new(
            ErrorCode::SkillsHookFailed,
            format!(
                "{} has lines of its own, and {} is there from before",
                path.display(),
                before.display()
            ),
        )
        .hint("Bring the two together in the second file and delete those lines, then uninstall.")),
        (true, false) => write(path, &rest).map(|()| Change::Removed),
        (false, true) => {
            std::fs::rename(&before, path).map_err(|error| unwritable(path, &error))?;
            Ok(Change::Restored)
        }
        (false, false) => {
            std::fs::remove_file(path).map_err(|error| unwritable(path, &error))?;
            Ok(Change::Removed)
        }
    }
}

/// What stands before our block, the block, and what stands after it.
fn parts(text: &[u8]) -> Option<(&str, &str, &str)> {
    let text = std::str::from_utf8(text).ok()?;
    let start = text.find(BEGIN)?;
    let end = start + text[start..].find(END)? + END.len();
    let end = if text[end..].starts_with('\n') { end + 1 } else { end };
    Some((&text[..start], &text[start..end], &text[end..]))
}

fn beside(path: &Path) -> PathBuf {
    path.with_extension(BEFORE)
}

/// The file's bytes; a hook may be a program. None when there is no such file, not even a link.
fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        // A link that leads nowhere is still somebody's.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(path.symlink_metadata().is_ok().then(Vec::new))
        }
        Err(error) => Err(unwritable(path, &error)),
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.permissions().mode() & 0o111 == 0o111)
}

/// Whole or not at all: git may run the hook at any moment.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let new = path.with_extension("new-clawperator");
    let written = std::fs::write(&new, text)
        .and_then(|()| std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o755)))
        .and_then(|()| std::fs::rename(&new, path));
    written.map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(
        ErrorCode::SkillsHookFailed,
        format!("the hook {} cannot be changed: {error}", path.display()),
    )
    .detail("path", path.display().to_string())
}
