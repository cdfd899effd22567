//! Files in memory.

use clawperator_adbd::{FileError, Files, MemoryFiles};

fn files() -> MemoryFiles {
    MemoryFiles::new(64 * 1024)
}

fn names(files: &MemoryFiles, path: &str) -> Vec<String> {
    files.list(path).unwrap().into_iter().map(|(name, _)| name).collect()
}

#[test]
fn writing_makes_the_directories_above() {
    let files = files();
    files.write("/data/local/tmp/x", 0o644, 1, b"x".to_vec()).unwrap();
    assert!(files.stat("/data/local").unwrap().is_directory());
    assert_eq!(names(&files, "/data/local/tmp"), ["x"]);
    assert_eq!(names(&files, "/"), ["data"]);
}

#[test]
fn a_listing_has_only_what_is_directly_inside() {
    let files = files();
    // Names that sort around '/'.
    for path in ["/a/b", "/a/b-c", "/a/b.c/d", "/a0", "/a-", "/a/b0"] {
        files.write(path, 0o644, 0, vec![]).unwrap();
    }
    assert_eq!(names(&files, "/a"), ["b", "b-c", "b.c", "b0"]);
    assert_eq!(names(&files, "/"), ["a", "a-", "a0"]);
}

#[test]
fn paths_may_wander() {
    let files = files();
    files.write("/a/b/c", 0o644, 0, b"c".to_vec()).unwrap();
    for path in ["a/b/c", "//a//b/./c", "/a/b/../b/c", "/../a/b/c"] {
        assert_eq!(*files.read(path).unwrap(), b"c", "{path}");
    }
    assert_eq!(files.stat("/a/b/c/d"), Err(FileError::NotADirectory));
    assert_eq!(files.stat(""), Err(FileError::NotFound));
}

#[test]
fn links_are_followed_and_circles_are_found() {
    let files = files();
    files.make_directory("/storage/emulated/0", 0o770, 0).unwrap();
    files.make_link("/sdcard", "/storage/self/primary", 0).unwrap();
    files.make_link("/storage/self/primary", "../emulated/0", 0).unwrap();
    files.write("/sdcard/Download/x", 0o644, 0, b"x".to_vec()).unwrap();
    assert_eq!(*files.read("/storage/emulated/0/Download/x").unwrap(), b"x");
    assert!(files.lstat("/sdcard").unwrap().is_link());
    assert!(files.stat("/sdcard").unwrap().is_directory());
    assert!(files.lstat("/sdcard/").unwrap().is_directory());
    files.make_link("/circle", "/circle", 0).unwrap();
    assert_eq!(files.stat("/circle/x"), Err(FileError::TooManyLinks));
}

#[test]
fn a_directory_is_never_overwritten() {
    let files = files();
    files.make_directory("/d", 0o755, 0).unwrap();
    assert_eq!(files.write("/d", 0o644, 0, vec![]), Err(FileError::IsADirectory));
    assert_eq!(files.read("/d"), Err(FileError::IsADirectory));
    assert_eq!(files.make_link("/d", "x", 0), Err(FileError::IsADirectory));
}

#[test]
fn the_cap_holds_for_content_and_for_names() {
    let files = MemoryFiles::new(1000);
    assert_eq!(files.write("/x", 0o644, 0, vec![0; 1000]), Err(FileError::NoSpace));
    let mut made = 0;
    while files.write(&format!("/{made}"), 0o644, 0, vec![]).is_ok() {
        made += 1;
    }
    assert_eq!(made, 7);
    assert!(files.used() <= 1000);
}

#[test]
fn what_is_replaced_or_removed_makes_room() {
    let files = MemoryFiles::new(1000);
    for _ in 0..10 {
        files.write("/d/x", 0o644, 0, vec![0; 500]).unwrap();
    }
    files.remove_all("/d").unwrap();
    assert_eq!(files.used(), 0);
    assert_eq!(files.room("/d/x"), 1000);
}

#[test]
fn a_directory_is_removed_when_it_is_empty() {
    let files = files();
    files.write("/d/x", 0o644, 0, vec![]).unwrap();
    assert_eq!(files.remove("/d"), Err(FileError::NotEmpty));
    files.remove("/d/x").unwrap();
    files.remove("/d").unwrap();
    assert_eq!(files.remove("/d"), Err(FileError::NotFound));
    assert_eq!(files.remove("/"), Err(FileError::PermissionDenied));
}

#[test]
fn a_directory_moves_with_all_that_is_in_it() {
    let files = files();
    files.write("/a/b/c", 0o644, 0, b"c".to_vec()).unwrap();
    files.write("/ab", 0o644, 0, b"ab".to_vec()).unwrap();
    let used = files.used();
    files.rename("/a", "/z").unwrap();
    assert_eq!(*files.read("/z/b/c").unwrap(), b"c");
    assert_eq!(names(&files, "/"), ["ab", "z"]);
    assert_eq!(files.used(), used);
    assert_eq!(files.rename("/z", "/z/inside"), Err(FileError::Invalid));
    assert_eq!(files.rename("/z", "/nowhere/z"), Err(FileError::NotFound));
    assert_eq!(files.rename("/gone", "/y"), Err(FileError::NotFound));
    files.rename("/z/b/c", "/ab").unwrap();
    assert_eq!(*files.read("/ab").unwrap(), b"c");
}
