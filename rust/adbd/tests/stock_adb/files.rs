//! `adb push`, `adb pull`, `adb ls`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clawperator_adbd::Files;

use crate::support::phone::TestPhone;
use clawperator_lab::Adb;

/// Five megabytes that are the same nowhere.
fn content() -> Vec<u8> {
    (0..1_250_000_u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_file_comes_back_as_it_was_pushed() {
    let adb = Adb::start();
    let (phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    let (here, back) = (adb.home.join("here.bin"), adb.home.join("back.bin"));
    fs::write(&here, content()).unwrap();
    fs::set_permissions(&here, fs::Permissions::from_mode(0o755)).unwrap();
    adb.on(&serial, &["push", text(&here), "/data/local/tmp/there.bin"]);
    assert!(*phone.files.read("/data/local/tmp/there.bin").unwrap() == content());
    assert_eq!(phone.files.stat("/data/local/tmp/there.bin").unwrap().mode & 0o777, 0o755);
    adb.on(&serial, &["pull", "-a", "/data/local/tmp/there.bin", text(&back)]);
    assert!(fs::read(&back).unwrap() == content());
    let modified = |path| fs::metadata(path).unwrap().modified().unwrap();
    let apart = modified(&here).duration_since(modified(&back)).unwrap();
    assert!(apart.as_secs() == 0, "the time was not kept");
    // Into a directory: it keeps its name.
    adb.on(&serial, &["push", text(&here), "/data/local/tmp"]);
    assert!(phone.files.stat("/data/local/tmp/here.bin").is_ok());
}

#[test]
fn a_directory_comes_back_as_it_was_pushed() {
    let adb = Adb::start();
    let (phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    let tree = adb.home.join("tree");
    for (name, said) in
        [("a.txt", "a"), ("deep/er/b.txt", "b"), ("deep/empty", ""), ("ü/ß.txt", "c")]
    {
        fs::create_dir_all(tree.join(name).parent().unwrap()).unwrap();
        fs::write(tree.join(name), said).unwrap();
    }
    std::os::unix::fs::symlink("a.txt", tree.join("link")).unwrap();
    for i in 0..200 {
        fs::write(tree.join(format!("deep/{i}")), format!("{i}").repeat(i)).unwrap();
    }
    phone.files.make_directory("/sdcard", 0o770, 0).unwrap();
    adb.on(&serial, &["push", text(&tree), "/sdcard/"]);
    assert_eq!(*phone.files.read("/sdcard/tree/deep/er/b.txt").unwrap(), b"b");
    assert_eq!(*phone.files.read("/sdcard/tree/link").unwrap(), b"a");
    let listing = adb.on(&serial, &["ls", "/sdcard/tree"]).text();
    for name in [".", "..", "a.txt", "deep", "link", "ü"] {
        assert!(listing.lines().any(|line| line.ends_with(&format!(" {name}"))), "{listing}");
    }
    let back = adb.home.join("back");
    adb.on(&serial, &["pull", "/sdcard/tree", text(&back)]);
    for (name, said) in
        [("a.txt", "a"), ("deep/er/b.txt", "b"), ("deep/empty", ""), ("ü/ß.txt", "c")]
    {
        assert_eq!(fs::read_to_string(back.join(name)).unwrap(), said, "{name}");
    }
    for i in 0..200 {
        assert_eq!(
            fs::read_to_string(back.join(format!("deep/{i}"))).unwrap(),
            format!("{i}").repeat(i)
        );
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let adb = Adb::start();
    let (phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    let ran = adb.run(&["-s", &serial, "pull", "/nothing", text(&adb.home.join("x"))]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.text().contains("No such file or directory"), "{}", ran.text());
    let big = adb.home.join("big");
    fs::write(&big, vec![0; 40 << 20]).unwrap();
    let ran = adb.run(&["-s", &serial, "push", text(&big), "/big"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.text().contains("No space left on device"), "{}", ran.text());
    phone.files.write("/file", 0o644, 0, vec![]).unwrap();
    let ran = adb.run(&["-s", &serial, "push", text(&big), "/file/below"]);
    assert_eq!(ran.code, Some(1), "{}", ran.text());
}

#[test]
fn a_push_that_is_cut_in_the_middle_leaves_no_file() {
    let adb = Adb::start();
    let (phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    let here = adb.home.join("here.bin");
    fs::write(&here, content()).unwrap();
    server.cut_after(1_000_000);
    let ran = adb.run(&["-s", &serial, "push", text(&here), "/there.bin"]);
    assert_ne!(ran.code, Some(0), "{}", ran.text());
    assert!(phone.files.stat("/there.bin").is_err());
    adb.run(&["disconnect", &serial]);
    adb.connect(server.port());
    adb.on(&serial, &["push", text(&here), "/there.bin"]);
}
