//! Patches on real files: all of a patch or nothing of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use clawperator_pocket::workspace::{FileFailure, Workspace};

struct Dir(PathBuf);

impl Dir {
    fn with(files: &[(&str, &str)]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("patch-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        for (name, text) in files {
            fs::write(path.join(name), text).unwrap();
        }
        Self(path)
    }
    fn patch(&self, body: &str) -> Result<String, FileFailure> {
        Workspace::open(&self.0)
            .unwrap()
            .apply_patch(&format!("*** Begin Patch\n{body}\n*** End Patch\n"))
            .map(|patched| patched.to_string())
    }
    /// Every file and directory below, also hidden ones.
    fn all(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let mut todo = vec![self.0.clone()];
        while let Some(dir) = todo.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&self.0).unwrap().to_str().unwrap().to_owned();
                if path.is_dir() {
                    found.insert(name + "/", String::new());
                    todo.push(path);
                } else {
                    found.insert(name, fs::read_to_string(&path).unwrap());
                }
            }
        }
        found
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn tree(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn a_patch_adds_updates_moves_and_deletes() {
    let dir = Dir::with(&[("old", "a\nb\nc\n"), ("gone", "x\n"), ("f", "1\n2\n3\n")]);
    let answer = dir.patch(
        "*** Add File: new/deep/n\n+hello\n+\n*** Delete File: gone\n*** Update File: old\n\
         *** Move to: moved\n@@ a\n-b\n+B\n*** Update File: f\n 2\n+2.5\n@@\n-3\n*** End of File",
    );
    assert_eq!(
        answer.unwrap(),
        "Success. Updated the following files:\nA new/deep/n\nM f\nM moved\nD gone"
    );
    let expected = [
        ("new/", ""),
        ("new/deep/", ""),
        ("new/deep/n", "hello\n\n"),
        ("moved", "a\nB\nc\n"),
        ("f", "1\n2\n2.5\n"),
    ];
    assert_eq!(dir.all(), tree(&expected));
}

#[test]
fn a_hunk_that_does_not_fit_leaves_every_file_alone() {
    let files = [("a", "1\n"), ("b", "2\n")];
    let dir = Dir::with(&files);
    for last in [
        "*** Update File: b\n@@\n-nothing\n+x",
        "*** Update File: b\n@@ no context\n-2\n+x",
        "*** Delete File: missing",
        "*** Add File: ../out\n+x",
    ] {
        let result =
            dir.patch(&format!("*** Update File: a\n@@\n-1\n+x\n*** Add File: n/m\n+x\n{last}"));
        assert!(result.is_err(), "{last}: {result:?}");
        assert_eq!(dir.all(), tree(&files), "{last}");
    }
}

#[test]
fn a_failure_among_the_renames_is_rolled_back() {
    let files = [("0first", "1\n"), ("0gone", "2\n")];
    let dir = Dir::with(&files);
    // "a" cannot be a file and a directory: found out only when it is put in place.
    let result = dir.patch(
        "*** Update File: 0first\n@@\n-1\n+x\n*** Delete File: 0gone\n*** Add File: 0new\n+x\n\
         *** Add File: a\n+x\n*** Add File: a/b\n+x",
    );
    assert!(matches!(result, Err(FileFailure::NotAFile { .. })), "{result:?}");
    assert_eq!(dir.all(), tree(&files));
}

#[test]
fn later_hunks_see_what_earlier_ones_did() {
    let dir = Dir::with(&[("a", "1\n")]);
    dir.patch(
        "*** Update File: a\n@@\n-1\n+2\n*** Update File: ./a\n@@\n-2\n+3\n*** Add File: t\n+x\n\
         *** Delete File: t",
    )
    .unwrap();
    assert_eq!(dir.all(), tree(&[("a", "3\n")]));
}

#[test]
fn added_lines_go_after_their_context_and_endings_stay() {
    let dir = Dir::with(&[("a", "1\r\n2\r\n3\r\n"), ("b", "x\n  “q” – z\ny")]);
    dir.patch("*** Update File: a\n@@ 1\n+1.5\n*** Update File: b\n@@\n \"q\" - z\n-y\n+Y\n")
        .unwrap();
    // What the patch only names stays as it is, though the patch writes it otherwise.
    assert_eq!(dir.all(), tree(&[("a", "1\r\n1.5\r\n2\r\n3\r\n"), ("b", "x\n  “q” – z\nY\n")]));
}

#[test]
fn what_is_no_patch_names_the_line() {
    let dir = Dir::with(&[("a", "1\n")]);
    let line = |body: &str| match dir.patch(body) {
        Err(FileFailure::PatchSyntax { line, .. }) => line,
        other => panic!("{body}: {other:?}"),
    };
    assert_eq!(line("*** Rename File: a"), 2);
    assert_eq!(line("*** Update File: a"), 2);
    assert_eq!(line("*** Update File: a\n@@foo\n-1"), 3);
    assert_eq!(line("*** Update File: a\n@@\n-1\n?"), 5);
    assert_eq!(line(""), 0);
    let workspace = Workspace::open(&dir.0).unwrap();
    for text in ["", "x", "*** Begin Patch", "*** End Patch"] {
        assert!(matches!(workspace.apply_patch(text), Err(FileFailure::PatchSyntax { .. })));
    }
    let wrapped = "<<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF";
    workspace.apply_patch(wrapped).unwrap();
    assert_eq!(dir.all(), tree(&[]));
}
