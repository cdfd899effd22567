//! Signatures are found where a phone looks for them.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use clawperator_apk::writer::{signed, tag, xml, zip};
use clawperator_apk::{Apk, Signatures};

const V2: u32 = 0x7109_871a;
const V3: u32 = 0xf053_68c0;
const PADDING: u32 = 0x4272_6577;

fn apk(others: &[&str]) -> Vec<u8> {
    let manifest = tag("manifest").plain("package", "a.b").has(tag("application"));
    let mut files = vec![("AndroidManifest.xml", xml(&manifest, true))];
    files.extend(others.iter().map(|name| (*name, b"x".to_vec())));
    zip(&files, true)
}

#[test]
fn each_scheme_is_told() {
    let read = |bytes: &[u8]| Signatures::read(bytes).unwrap();
    assert_eq!(read(&apk(&[])), Signatures::default());
    let v1 = Signatures { v1: true, ..Signatures::default() };
    assert_eq!(read(&apk(&["META-INF/CERT.SF", "META-INF/CERT.RSA"])), v1);
    let both = Signatures { v1: false, v2: true, v3: true };
    let bytes = signed(&apk(&[]), &[PADDING, V2, V3]);
    assert_eq!(read(&bytes), both);
    assert_eq!(Apk::read(&bytes).unwrap().package, "a.b");
}

#[test]
fn what_only_looks_like_a_signature_is_none() {
    let none = Signatures::default();
    let names = ["META-INF/services/x.RSA", "assets/CERT.RSA", "META-INF/MANIFEST.MF"];
    assert_eq!(Signatures::read(&apk(&names)).unwrap(), none);
    assert_eq!(Signatures::read(&signed(&apk(&[]), &[PADDING])).unwrap(), none);
    // The two sizes of the block do not agree.
    let mut bytes = signed(&apk(&[]), &[V2]);
    let magic = bytes.windows(16).position(|window| window == b"APK Sig Block 42").unwrap();
    bytes[magic - 8] += 1;
    assert_eq!(Signatures::read(&bytes).unwrap(), none);
    assert!(Signatures::read(b"no zip").is_err());
}

#[test]
fn no_damage_to_the_block_is_more_than_a_missing_signature() {
    let whole = signed(&apk(&[]), &[V2, V3]);
    let magic = whole.windows(16).position(|window| window == b"APK Sig Block 42").unwrap();
    for at in magic - 48..magic + 16 {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            let _ = Signatures::read(&bytes).unwrap();
        }
    }
}

#[test]
fn the_first_scheme_alone_is_too_little_for_a_modern_app() {
    let v1 = Signatures { v1: true, ..Signatures::default() };
    assert!(v1.suffice_for(29) && !v1.suffice_for(30));
    assert!(Signatures { v2: true, ..Signatures::default() }.suffice_for(35));
    assert!(!Signatures::default().suffice_for(21));
}
