//! The workspace boundary and the file actions, on real files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use clawperator_pocket::workspace::{FileFailure, MAX_READ_BYTES, Workspace};

/// A workspace with a secret beside it, removed when the test ends.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("workspace-{}-{number}", std::process::id()));
        fs::create_dir_all(path.join("in")).unwrap();
        fs::create_dir_all(path.join("out")).unwrap();
        fs::write(path.join("out/secret"), "secret\n").unwrap();
        Self(path.canonicalize().unwrap())
    }
    fn open(&self) -> Workspace {
        Workspace::open(&self.0.join("in")).unwrap()
    }
    fn put(&self, path: &str, text: &str) {
        fs::write(self.0.join("in").join(path), text).unwrap();
    }
    fn get(&self, path: &str) -> String {
        fs::read_to_string(self.0.join("in").join(path)).unwrap()
    }
    fn link(&self, target: impl AsRef<Path>, path: &str) {
        symlink(target, self.0.join("in").join(path)).unwrap();
    }
    fn list(&self, path: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.join(path))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn escapes<T: std::fmt::Debug>(result: Result<T, FileFailure>) {
    assert!(matches!(result, Err(FileFailure::Escapes { .. })), "{result:?}");
}

#[test]
fn no_path_leads_out() {
    let dir = Dir::new();
    fs::create_dir(dir.0.join("in/sub")).unwrap();
    let workspace = dir.open();
    let absolute = dir.0.join("out/secret");
    let beside = format!("{}side/x", dir.0.join("in").display());
    for path in ["../out/secret", "sub/../../out/secret", absolute.to_str().unwrap(), &beside] {
        escapes(workspace.read(path, 1, 10));
        escapes(workspace.write(path, "x", false));
        escapes(workspace.edit(path, "secret", "x", false));
        escapes(
            workspace
                .apply_patch(&format!("*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch")),
        );
    }
    escapes(workspace.write("missing/../../out/new", "x", false));
    assert_eq!(dir.list("in"), ["sub"], "a refused write made a directory");
    assert_eq!(fs::read_to_string(absolute).unwrap(), "secret\n");
    assert_eq!(dir.list("out"), ["secret"]);
}

#[test]
fn no_symlink_leads_out() {
    let dir = Dir::new();
    dir.link(dir.0.join("out"), "absolute");
    dir.link("../out", "relative");
    dir.link("../out/secret", "file");
    dir.link("relative", "chain");
    dir.link("../out/new", "dangling");
    let workspace = dir.open();
    for path in ["absolute/secret", "relative/secret", "file", "chain/secret", "dangling"] {
        escapes(workspace.read(path, 1, 10));
        escapes(workspace.write(path, "x", false));
        escapes(workspace.edit(path, "secret", "x", false));
    }
    for path in ["absolute/new", "relative/deep/new", "dangling", "dangling/new"] {
        escapes(workspace.write(path, "x", false));
        escapes(
            workspace
                .apply_patch(&format!("*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch")),
        );
    }
    assert_eq!(dir.list("out"), ["secret"]);
}

#[test]
fn a_symlink_that_stays_inside_is_followed() {
    let dir = Dir::new();
    fs::create_dir_all(dir.0.join("in/real/deep")).unwrap();
    dir.link("real/deep", "short");
    dir.link(dir.0.join("in/real"), "absolute");
    dir.link("../real/deep/a", "real/up");
    let workspace = dir.open();
    assert_eq!(workspace.write("short/a", "1", false).unwrap().path, "real/deep/a");
    assert_eq!(workspace.read("absolute/deep/a", 1, 1).unwrap().text, "1");
    workspace.write("real/up", "2", false).unwrap();
    assert_eq!(dir.get("real/deep/a"), "2");
    assert!(dir.0.join("in/real/up").is_symlink());
}

#[test]
fn a_symlink_loop_ends() {
    let dir = Dir::new();
    dir.link("b", "a");
    dir.link("a", "b");
    let result = dir.open().read("a", 1, 1);
    assert!(matches!(result, Err(FileFailure::SymlinkLoop { .. })), "{result:?}");
}

/// Other systems cannot swap two names at once.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_swapped_for_a_symlink_never_leads_out() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let dir = Dir::new();
    let workspace = dir.open();
    let (real, link) = (dir.0.join("in/d"), dir.0.join("in/link"));
    fs::create_dir(&real).unwrap();
    symlink(dir.0.join("out"), &link).unwrap();
    let mut written = 0;
    std::thread::scope(|scope| {
        let swapping = scope.spawn(|| {
            for _ in 0..20_000 {
                renameat_with(CWD, &real, CWD, &link, RenameFlags::EXCHANGE).unwrap();
            }
        });
        while !swapping.is_finished() || written == 0 {
            written += usize::from(workspace.write("d/new", "x", false).is_ok());
        }
    });
    assert_eq!(dir.list("out"), ["secret"]);
}

#[test]
fn names_that_only_look_like_escapes_are_fine() {
    let dir = Dir::new();
    let workspace = dir.open();
    workspace.write("..name", "x", false).unwrap();
    workspace.write("a/../b", "x", false).unwrap();
    workspace.write(dir.0.join("in/abs").to_str().unwrap(), "x", false).unwrap();
    assert_eq!(dir.list("in"), ["..name", "a", "abs", "b"]);
}

#[test]
fn what_is_no_file_is_refused_and_nothing_waits() {
    let dir = Dir::new();
    fs::create_dir(dir.0.join("in/d")).unwrap();
    let pipe = dir.0.join("in/pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let workspace = dir.open();
    for path in ["d", "pipe", ".", "d/", "pipe/x"] {
        let read = workspace.read(path, 1, 1);
        assert!(matches!(read, Err(FileFailure::NotAFile { .. })), "{path}: {read:?}");
        let write = workspace.write(path, "x", false);
        assert!(matches!(write, Err(FileFailure::NotAFile { .. })), "{path}: {write:?}");
    }
    assert_eq!(workspace.read(" ", 1, 1), Err(FileFailure::PathMissing));
}

#[test]
fn read_gives_the_lines_asked_for() {
    let dir = Dir::new();
    dir.put("f", "a\nb\nc\n");
    let workspace = dir.open();
    let show = |from, lines| workspace.read("f", from, lines).unwrap().to_string();
    assert_eq!(show(2, 1), "read path=f\nrange=2-2 totalLines=4\nb");
    assert_eq!(show(0, 200), "read path=f\nrange=1-4 totalLines=4\na\nb\nc\n");
    assert_eq!(show(50, 5), "read path=f\nrange=50-4 totalLines=4\n(empty)");
    assert!(matches!(workspace.read("none", 1, 1), Err(FileFailure::NotFound { .. })));
    assert!(matches!(workspace.read("no/ne", 1, 1), Err(FileFailure::NotFound { .. })));
}

#[test]
fn read_is_cut_at_its_limit_and_says_so() {
    let dir = Dir::new();
    dir.put("f", &format!("{}\nnext", "ä".repeat(MAX_READ_BYTES)));
    dir.put("bin", "a\0b");
    let workspace = dir.open();
    let read = workspace.read("f", 1, 10).unwrap();
    assert!(read.cut && read.text.len() <= MAX_READ_BYTES && read.to == 1);
    assert!(read.to_string().ends_with("go on with from=2]"));
    assert!(matches!(workspace.read("bin", 1, 1), Err(FileFailure::Binary { .. })));
}

#[test]
fn write_replaces_appends_and_keeps_permissions() {
    let dir = Dir::new();
    let workspace = dir.open();
    workspace.write("x/y/f", "one\n", false).unwrap();
    let path = dir.0.join("in/x/y/f");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    let answer = workspace.write("x/y/f", "twö\n", true).unwrap().to_string();
    assert_eq!(answer, "write path=x/y/f bytes=5 append=true");
    assert_eq!(dir.get("x/y/f"), "one\ntwö\n");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(dir.list("in/x/y"), ["f"]);
}

#[test]
fn a_hard_link_to_a_file_outside_keeps_that_file() {
    let dir = Dir::new();
    fs::hard_link(dir.0.join("out/secret"), dir.0.join("in/hard")).unwrap();
    dir.open().write("hard", "mine", false).unwrap();
    assert_eq!(fs::read_to_string(dir.0.join("out/secret")).unwrap(), "secret\n");
}

#[test]
fn edit_is_literal_and_unique() {
    let dir = Dir::new();
    dir.put("f", "one two two aaa");
    dir.put("crlf", "a\r\nb\r\nc\r\n");
    let workspace = dir.open();
    let two = workspace.edit("f", "two", "x", false);
    assert!(matches!(two, Err(FileFailure::FindNotUnique { matches: 2, .. })), "{two:?}");
    let overlap = workspace.edit("f", "aa", "x", false);
    assert!(matches!(overlap, Err(FileFailure::FindNotUnique { matches: 2, .. })), "{overlap:?}");
    assert!(matches!(
        workspace.edit("f", "no", "x", false),
        Err(FileFailure::FindNotPresent { .. })
    ));
    assert_eq!(workspace.edit("f", "", "x", false), Err(FileFailure::FindMissing));
    assert_eq!(workspace.edit("f", "two", "$&-$$", true).unwrap().replacements, 2);
    assert_eq!(dir.get("f"), "one $&-$$ $&-$$ aaa");
    workspace.edit("crlf", "a\nb", "x\ny", false).unwrap();
    assert_eq!(dir.get("crlf"), "x\r\ny\r\nc\r\n");
}
