//! Every parser of bytes from outside, over a kept corpus and some thousands of damaged copies.
//!
//! The seed is fixed, so a run here is the run there; `fuzz/` goes on where this ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]
#![allow(clippy::print_stderr, reason = "a failure says which bytes broke it")]

mod checks;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use std::path::Path;
use std::{fs, panic};

const SEED: u64 = 0x000C_1A39;
const ROUNDS: u64 = 3_000;

/// Bytes on which parsers have been seen to stumble.
const TROUBLE: &[&[u8]] = &[
    b"\0",
    b"\xFF",
    b"\xEF\xBB\xBF",
    b"\xED\xA0\x80",
    b"\\ud800",
    b"\\u0000",
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"null",
    b"-0.0",
    b"1e308",
    b"1e999",
    b"0.19844004278856286",
    b"18446744073709551615",
    b"-9223372036854775808",
    b"\xF0\x9F\x8E\x89",
    b"\n",
    b"\r\n",
    b"|",
    b" 7000/7000 ",
    b"\x00\x00\x00\x01\x01",
    b"\x00\x00\x00\x05\x02",
    b"\xFF\xFF\xFF\xFF",
];

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // Folders have no order of their own, and the seed counts on one.
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

fn place(bytes: &[u8], rng: &mut SmallRng) -> usize {
    rng.random_range(0..=bytes.len())
}

fn range(bytes: &[u8], rng: &mut SmallRng) -> std::ops::Range<usize> {
    let start = place(bytes, rng);
    // Mostly a few bytes, sometimes a whole part.
    let longest = if rng.random_bool(0.8) { 8 } else { 200 };
    start..bytes.len().min(start + rng.random_range(0..=longest))
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], rng: &mut SmallRng) {
    let at = place(bytes, rng);
    match rng.random_range(0..8) {
        0 if at < bytes.len() => bytes[at] ^= 1 << rng.random_range(0..8),
        1 if at < bytes.len() => bytes[at] = rng.random(),
        2 => drop(bytes.drain(range(bytes, rng))),
        3 => {
            let copy = bytes[range(bytes, rng)].to_vec();
            bytes.splice(at..at, copy);
        }
        4 => {
            let trouble = *TROUBLE.choose(rng).unwrap();
            bytes.splice(at..at, trouble.iter().copied());
        }
        5 => {
            let trouble = *TROUBLE.choose(rng).unwrap();
            bytes.splice(range(bytes, rng), trouble.iter().copied());
        }
        6 => {
            let part = other[range(other, rng)].to_vec();
            bytes.splice(range(bytes, rng), part);
        }
        _ => bytes.truncate(at),
    }
}

/// Runs `check` over the corpus as it is, then over damaged copies of it.
fn survives(name: &str, check: fn(&[u8])) {
    let corpus = corpus(name);
    assert!(corpus.len() >= 3, "the corpus of {name} is gone");
    for bytes in &corpus {
        check(bytes);
    }
    for round in 0..ROUNDS {
        // Each round has its own seed, so that it can be run alone.
        let rng = &mut SmallRng::seed_from_u64(SEED + round);
        let mut bytes = corpus.choose(rng).unwrap().clone();
        for _ in 0..rng.random_range(1..=3) {
            damage(&mut bytes, corpus.choose(rng).unwrap(), rng);
        }
        if let Err(panic) = panic::catch_unwind(|| check(&bytes)) {
            eprintln!(
                "{name}, round {round}, seed {}: {:?}",
                SEED + round,
                String::from_utf8_lossy(&bytes)
            );
            panic::resume_unwind(panic);
        }
    }
}

#[test]
fn the_hosts_reading_survives_damaged_payloads() {
    survives("execution", checks::execution);
}

#[test]
fn the_phones_reading_survives_damaged_payloads() {
    survives("runnable", checks::runnable);
}

#[test]
fn the_frame_reader_survives_damaged_streams() {
    survives("frames", checks::frames);
}

#[test]
fn messages_survive_damaged_texts() {
    survives("message", checks::message);
}

#[test]
fn reassembly_survives_damaged_lines() {
    survives("slices", checks::slices);
}

#[test]
fn envelopes_survive_damaged_json() {
    survives("envelope", checks::envelope);
}

#[test]
fn each_payload_of_the_corpus_is_read_as_its_name_says() {
    for (folder, accepts) in [
        (
            "execution",
            (|bytes| clawperator_contract::Execution::from_text(bytes).is_ok())
                as fn(&[u8]) -> bool,
        ),
        ("runnable", |bytes| clawperator_contract::Runnable::from_text(bytes).is_ok()),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
        for entry in fs::read_dir(path).unwrap() {
            let file = entry.unwrap().path();
            let refused = file.file_name().unwrap().to_str().unwrap().starts_with("refused-");
            assert_eq!(accepts(&fs::read(&file).unwrap()), !refused, "{}", file.display());
        }
    }
}
