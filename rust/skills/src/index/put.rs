//! Putting generated files in place, all or none.
//!
//! Everything is written beside first and brought to the disk. Then two renames: the folder of the
//! indexes changes places with the new one, and the registry is replaced. What fails is taken
//! back. Should the machine stop between the two, the old registry is still whole, its manifest
//! tells that the indexes are another's, and the next generation puts it right.

use super::files::{Files, GENERATED, SHARDS};
use crate::registry::REGISTRY_FILE;
use nix::sys::signal::kill;
use nix::unistd::Pid;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

/// How many files are brought to the disk at a time: each waits for the disk, and those that wait
/// together are written together.
const AT_A_TIME: usize = 16;

/// A folder of ours in `skills/`, hidden from everybody who looks for skills.
fn staging(root: &Path) -> PathBuf {
    root.join(format!("skills/.generating-{}", std::process::id()))
}

/// Puts the files in place. Stops before step `steps`, for tests: 0 writes, 1 swaps, 2 replaces.
pub(super) fn put(root: &Path, files: &Files, steps: usize) -> io::Result<()> {
    let staging = staging(root);
    clear_leftovers(root);
    let put = put_through(root, &staging, files, steps);
    if put.is_err() || steps > 2 {
        // After the swap this is where the old indexes are. What cannot be removed now is a
        // leftover for the next run.
        let _ = fs::remove_dir_all(&staging);
    }
    put
}

fn put_through(root: &Path, staging: &Path, files: &Files, steps: usize) -> io::Result<()> {
    let new = staging.join("generated");
    let new_registry = staging.join("skills-registry.json");
    for folder in SHARDS {
        fs::create_dir_all(new.join(folder))?;
    }
    let mut written = Vec::with_capacity(files.generated.len() + 1);
    let generated = files.generated.iter().map(|(name, bytes)| (new.join(name), bytes));
    for (path, bytes) in generated.chain([(new_registry.clone(), &files.registry)]) {
        fs::write(&path, bytes)?;
        written.push(path);
    }
    written.extend(SHARDS.map(|folder| new.join(folder)));
    written.extend([new.clone(), staging.to_owned()]);
    bring_to_disk(&written)?;
    let (old, registry) = (root.join(GENERATED), root.join(REGISTRY_FILE));
    if steps == 1 {
        return Ok(());
    }
    swap(&new, &old)?;
    if steps == 2 {
        return Ok(());
    }
    if let Err(error) = fs::rename(&new_registry, &registry) {
        swap(&new, &old)?;
        return Err(error);
    }
    sync(&root.join("skills"))
}

/// Makes two folders change places; the second need not be there.
fn swap(new: &Path, old: &Path) -> io::Result<()> {
    if !old.exists() {
        return fs::rename(new, old);
    }
    if renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    // A file system that cannot do it at once.
    let aside = new.with_extension("old");
    fs::rename(old, &aside)?;
    if let Err(error) = fs::rename(new, old) {
        fs::rename(&aside, old)?;
        return Err(error);
    }
    fs::rename(&aside, new)
}

fn bring_to_disk(paths: &[PathBuf]) -> io::Result<()> {
    let share = paths.len().div_ceil(AT_A_TIME).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = paths
            .chunks(share)
            .map(|paths| scope.spawn(move || paths.iter().try_for_each(|path| sync(path))))
            .collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(io::Error::other("a thread that writes failed")))
        })
    })
}

fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// What a run that was stopped left behind.
fn clear_leftovers(root: &Path) {
    let Ok(entries) = fs::read_dir(root.join("skills")) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.strip_prefix(".generating-")) else {
            continue;
        };
        // One that still runs is not ours to disturb.
        let process: Option<i32> = process.parse().ok();
        let running = process.is_some_and(|id| kill(Pid::from_raw(id), None).is_ok());
        if !running || process == i32::try_from(std::process::id()).ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Replaces a file at once.
pub(crate) fn put_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}-{}", std::process::id()));
    fs::write(&new, bytes)?;
    sync(&new)?;
    fs::rename(&new, path).inspect_err(|_| {
        let _ = fs::remove_file(&new);
    })
}
