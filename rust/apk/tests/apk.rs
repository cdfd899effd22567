//! An installer's view of an APK, which may hold anything. The APKs are written here, byte by byte.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use clawperator_apk::writer::{Tag, table, tag, xml, zip};
use clawperator_apk::{Apk, ApkError, Component};
use rand::{Rng as _, SeedableRng as _, rngs::SmallRng};
use std::slice::from_ref;

const MANIFEST: &str = "AndroidManifest.xml";

#[test]
fn a_manifest_is_read_in_each_encoding_and_compression() {
    for utf8 in [true, false] {
        for deflated in [true, false] {
            assert_eq!(Apk::read(&apk(&notes(), utf8, deflated)).unwrap(), expected());
        }
    }
}

#[test]
fn a_text_beyond_16_bits_is_read_in_both_ways_of_writing_it() {
    for utf8 in [true, false] {
        let root = tag("manifest").plain("package", "a.b");
        let root = root.has(tag("application").text("label", "Nötizen 😀"));
        assert_eq!(
            Apk::read(&apk(&root, utf8, true)).unwrap().label.as_deref(),
            Some("Nötizen 😀")
        );
    }
}

#[test]
fn a_label_is_looked_up_in_the_table_of_resources() {
    // 0 refers to 1, which is a text; 2 refers to itself.
    let table = table(&[(1, 0x7f01_0001), (3, 0), (1, 0x7f01_0002)], "Notes");
    for (id, label) in [(0, Some("Notes")), (1, Some("Notes")), (2, None), (3, None)] {
        let label_of = tag("application").attr("label", 1, 0x7f01_0000 + id);
        let root = tag("manifest").plain("package", "a.b").has(label_of);
        let files = [(MANIFEST, xml(&root, true)), ("resources.arsc", table.clone())];
        assert_eq!(Apk::read(&zip(&files, false)).unwrap().label.as_deref(), label, "{id}");
    }
}

#[test]
fn each_refusal_has_the_installers_words() {
    let path = "/data/app/vmdl1.tmp/base.apk";
    let failure = |bytes: &[u8]| Apk::read(bytes).unwrap_err().failure(path);
    let of = |root: &Tag| failure(&apk(root, true, true));
    let no_apk = format!("INSTALL_PARSE_FAILED_NOT_APK: Failed to parse {path}");
    assert_eq!(failure(b""), no_apk);
    assert_eq!(failure(b"not a zip, but long enough to be one"), no_apk);
    let unexpected = "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION: Failed to parse";
    let file = |name, content: &[u8]| zip(&[(name, content.to_vec())], true);
    assert_eq!(failure(&file("a.txt", b"a")), format!("{unexpected} {path}: {MANIFEST}"));
    assert_eq!(
        failure(&file(MANIFEST, b"<manifest package='a.b'/>")),
        format!("{unexpected} {path}: Corrupt XML binary file")
    );
    assert_eq!(
        failure(&file(MANIFEST, &vec![0; (8 << 20) + 1])),
        format!(
            "INSTALL_PARSE_FAILED_BAD_MANIFEST: Failed to parse {path}: {MANIFEST} is too large"
        )
    );
    assert_eq!(
        of(&tag("manifest").plain("package", "notes")),
        "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME: Invalid manifest package: must have at least one \
         '.' separator"
    );
    assert_eq!(
        of(&tag("manifest").plain("package", "a.1b")),
        "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME: Invalid manifest package: bad character '1'"
    );
    assert_eq!(
        of(&tag("manifest").plain("package", "a.b").plain("split", "config.de")),
        "INSTALL_FAILED_INVALID_APK: Full install must include a base package"
    );
    let malformed =
        "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED: Failed parse during installPackageLI:";
    assert_eq!(of(&tag("resources")), format!("{malformed} No <manifest> tag"));
    let root = tag("manifest").plain("package", "a.b").has(tag("application").has(tag("service")));
    assert_eq!(
        of(&root),
        format!(
            "{malformed} {path} (at Binary XML file line #3): <service> does not have valid \
             android:name"
        )
    );
    let root = tag("manifest").plain("package", "a.b");
    let preview = root.has(tag("uses-sdk").text("minSdkVersion", "Zebra"));
    assert!(of(&preview).starts_with("INSTALL_FAILED_OLDER_SDK: "));
}

#[test]
fn an_apk_that_is_cut_off_anywhere_is_no_apk() {
    let whole = apk(&notes(), true, true);
    for end in 0..whole.len() {
        assert!(matches!(Apk::read(&whole[..end]), Err(ApkError::NotZip(_))), "{end}");
    }
}

#[test]
fn a_manifest_that_is_cut_off_anywhere_is_corrupt() {
    for utf8 in [true, false] {
        let whole = xml(&notes(), utf8);
        for end in 0..whole.len() {
            // Once as it is, once with a size that fits.
            let mut cut = whole[..end].to_vec();
            let as_it_is = Apk::read(&zip(&[(MANIFEST, cut.clone())], false));
            assert!(matches!(as_it_is, Err(ApkError::CorruptXml(_))), "{end}");
            if let Some(size) = cut.get_mut(4..8) {
                size.copy_from_slice(&u32::try_from(end).unwrap().to_le_bytes());
            }
            assert!(Apk::read(&zip(&[(MANIFEST, cut)], false)).is_err(), "{end}");
        }
    }
}

#[test]
fn a_wrong_bit_in_the_manifest_is_found_by_its_check_sum() {
    let mut bytes = apk(&notes(), true, false);
    bytes[30 + MANIFEST.len() + 100] ^= 1;
    assert!(matches!(Apk::read(&bytes), Err(ApkError::ManifestDamaged(_))));
}

#[test]
fn a_name_twice_and_bytes_after_the_end_are_refused() {
    let manifest = (MANIFEST, xml(&notes(), true));
    let twice = zip(&[manifest.clone(), manifest.clone()], false);
    assert_eq!(Apk::read(&twice), Err(ApkError::NotZip("two entries have the same name")));
    let mut longer = zip(from_ref(&manifest), false);
    longer.push(0);
    assert!(matches!(Apk::read(&longer), Err(ApkError::NotZip(_))));
}

#[test]
fn a_hundred_thousand_wrong_bytes_never_panic() {
    let mut random = SmallRng::seed_from_u64(7);
    let label = tag("application").attr("label", 1, 0x7f01_0000).attr("permission", 1, 0x7f01_0001);
    let linked = tag("manifest").plain("package", "a.b").has(label);
    let table = table(&[(1, 0x7f01_0001), (3, 0)], "Notes");
    let manifests = [&notes(), &linked].map(|root| [xml(root, true), xml(root, false)]);
    for round in 0..14_000 {
        let mut manifest = manifests[round / 2 % 2][round % 2].clone();
        let mut table = table.clone();
        // Inside, with sums that are right; and outside, where the zip itself is wrong.
        if round % 5 > 0 {
            spoil(&mut manifest, &mut random);
            spoil(&mut table, &mut random);
        }
        let mut bytes = zip(&[(MANIFEST, manifest), ("resources.arsc", table)], round % 7 == 0);
        if round % 5 == 0 {
            spoil(&mut bytes, &mut random);
        }
        let _ = Apk::read(&bytes);
    }
}

/// Four bytes become others: any, or those that sizes are made of.
fn spoil(bytes: &mut [u8], random: &mut SmallRng) {
    for _ in 0..4 {
        let at = random.random_range(0..bytes.len());
        bytes[at] = match random.random_range(0..4) {
            0 => 0,
            1 => 0xff,
            2 => bytes[at] ^ 1 << random.random_range(0..8),
            _ => random.random(),
        };
    }
}

fn notes() -> Tag {
    let filter = |category| {
        tag("intent-filter")
            .has(tag("action").text("name", "android.intent.action.MAIN"))
            .has(tag("category").text("name", category))
    };
    let launcher = || filter("android.intent.category.LAUNCHER");
    let application = tag("application")
        .text("label", "Notes")
        .text("permission", "com.example.USE")
        .attr("testOnly", 0x12, u32::MAX)
        .has(tag("activity").text("name", ".Other").has(filter("android.intent.category.HOME")))
        .has(tag("activity").text("name", ".Off").attr("enabled", 0x12, 0).has(launcher()))
        .has(tag("activity-alias").text("name", "Main").has(launcher()))
        .has(tag("activity").text("name", ".Second").has(launcher()))
        .has(tag("service").text("name", ".Sync").text("permission", "android.permission.BIND"))
        .has(tag("receiver").text("name", "org.other.Boot"));
    tag("manifest")
        .attr("versionCode", 0x10, 42)
        .attr("versionCodeMajor", 0x10, 1)
        .text("versionName", "4.2")
        .plain("package", "com.example.notes")
        .has(tag("uses-sdk").attr("minSdkVersion", 0x10, 26).attr("targetSdkVersion", 0x10, 35))
        .has(application)
}

fn expected() -> Apk {
    let component = |name: &str, permission: &str| Component {
        name: name.to_owned(),
        permission: Some(permission.to_owned()),
    };
    Apk {
        package: "com.example.notes".to_owned(),
        version_name: Some("4.2".to_owned()),
        version_code: 1 << 32 | 42,
        min_sdk: Some(26),
        target_sdk: Some(35),
        label: Some("Notes".to_owned()),
        launcher_activity: Some("com.example.notes.Main".to_owned()),
        native_abis: vec!["arm64-v8a".to_owned(), "x86_64".to_owned()],
        services: vec![component("com.example.notes.Sync", "android.permission.BIND")],
        receivers: vec![component("org.other.Boot", "com.example.USE")],
        test_only: true,
    }
}

fn apk(root: &Tag, utf8: bool, deflated: bool) -> Vec<u8> {
    let libraries = ["lib/x86_64/liba.so", "lib/arm64-v8a/liba.so", "lib/arm64-v8a/libb.so"];
    let others = ["lib/none/readme.txt", "lib/a/b/liba.so", "assets/lib/mips/liba.so"];
    let mut files = vec![(MANIFEST, xml(root, utf8))];
    files.extend(libraries.into_iter().chain(others).map(|name| (name, b"ELF".to_vec())));
    zip(&files, deflated)
}
