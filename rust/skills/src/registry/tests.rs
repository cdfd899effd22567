//! Registries on real folders.

use super::*;
use crate::scratch::{folder, skill};
use clawperator_contract::ErrorCode;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A repository with these skills.
fn repository(root: &Path, ids: &[&str]) -> PathBuf {
    for id in ids {
        skill(root, id, id);
    }
    crate::index::generate(root).unwrap();
    root.join(REGISTRY_FILE)
}

fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, serde_json::to_string_pretty(&value).unwrap()).unwrap();
}

#[test]
fn what_is_named_wins_over_the_variable_and_both_over_the_usual_places() {
    let named = [PathBuf::from("/n")];
    let variable = Some(OsStr::new("/v:/w"));
    let home = Some(Path::new("/home/a"));
    let places = |named: &[PathBuf], variable| Places::resolve(named, variable, home);
    assert_eq!(
        places(&named, variable),
        Places::Named { paths: vec!["/n".into()], by: "--registry" }
    );
    let both = vec!["/v".into(), "/w".into()];
    assert_eq!(places(&[], variable), Places::Named { paths: both, by: VARIABLE });
    let usual = Places::Usual(vec![
        "skills/skills-registry.json".into(),
        "/home/a/.clawperator/skills/skills/skills-registry.json".into(),
    ]);
    for empty in [None, Some(OsStr::new("")), Some(OsStr::new(" ")), Some(OsStr::new(":"))] {
        assert_eq!(places(&[], empty), usual);
    }
}

#[test]
fn a_registry_that_is_missing_is_named_with_what_to_do() {
    let places = Places::Usual(vec!["/nowhere/a.json".into(), "/nowhere/b.json".into()]);
    let failure = places.load().unwrap_err();
    assert_eq!(failure.code, ErrorCode::RegistryReadFailed);
    assert!(failure.message.contains("/nowhere/a.json and /nowhere/b.json"), "{failure}");
    assert!(failure.hint.unwrap().contains("skills install"));
    let named = Places::resolve(&["/nowhere/x.json".into()], None, None);
    let failure = named.load().unwrap_err();
    assert!(failure.message.contains("/nowhere/x.json"), "{failure}");
    assert_eq!(failure.details["namedBy"], "--registry");
}

#[test]
fn the_earlier_of_two_registries_wins_and_says_what_it_hides() {
    let (ours, theirs) = (folder("ours"), folder("theirs"));
    let first = repository(&ours, &["a.b"]);
    let second = repository(&theirs, &["a.b", "a.c"]);
    let registries = Places::resolve(&[first.clone(), second.clone(), first.clone()], None, None);
    let registries = registries.load().unwrap();
    assert_eq!(registries.all().len(), 2, "the same file twice is one registry");
    let found = registries.skill("a.b").unwrap();
    assert_eq!(found.registry.path, first);
    assert_eq!(registries.shown(&found)["shadows"], json!([second.display().to_string()]));
    let ids: Vec<_> = registries.skills().iter().map(|found| found.skill.id().to_owned()).collect();
    assert_eq!(ids, ["a.b", "a.c"]);
    assert!(registries.shown(&registries.skill("a.c").unwrap()).get("shadows").is_none());
    let failure = registries.skill("a.d").unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillNotFound);
}

#[test]
fn one_entry_that_is_wrong_does_not_take_the_others_away() {
    let root = folder("entry");
    let path = repository(&root, &["a.b", "a.c", "a.d"]);
    edit(&path, |registry| {
        registry["skills"][1]["scripts"][0] = "skills/a.c/scripts/../../../evil.sh".into();
        registry["skills"][2]["id"] = "a.b".into();
    });
    let registry = Registry::load(&path).unwrap();
    assert_eq!(registry.skills.len(), 1);
    let rules: Vec<_> = registry.problems.iter().map(|p| (p.rule, p.line > 0)).collect();
    assert_eq!(
        rules,
        [("skill-entry", true), ("skill-entry", true), ("skill-entry", true), ("manifest", false)]
    );
    let registries = Places::resolve(&[path], None, None).load().unwrap();
    let failure = registries.skill("a.c").unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillValidationFailed);
    assert!(failure.message.contains("evil.sh"), "{failure}");
    assert_eq!(registries.skill("a.b").unwrap().skill.path(), "skills/a.b");
}

#[test]
fn an_entry_that_is_wrong_is_not_replaced_by_a_later_registrys() {
    let (ours, theirs) = (folder("wrong-first"), folder("right-later"));
    let first = repository(&ours, &["a.b"]);
    let second = repository(&theirs, &["a.b"]);
    edit(&first, |registry| registry["skills"][0]["intent"] = "Not This".into());
    let registries = Places::resolve(&[first, second], None, None).load().unwrap();
    assert_eq!(registries.skill("a.b").unwrap_err().code, ErrorCode::SkillValidationFailed);
}

#[test]
fn a_file_that_is_no_registry_is_told_with_its_line() {
    let root = folder("no-registry");
    let path = repository(&root, &["a.b"]);
    for (text, part) in [
        ("{\n\"skills\": nope}", "(line 2)"),
        ("[]", "must be an object, not an array"),
        (
            "{\"schemaVersion\": \"1.0\", \"generatedAt\": \"2026-01-01T00:00:00Z\"}",
            "\"skills\" is missing",
        ),
        (
            "{\n \"schemaVersion\": \"2.0\", \"generatedAt\": \"2026-01-01T00:00:00Z\", \"skills\": [{}]}",
            ":2:",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let failure = Registry::load(&path).unwrap_err();
        assert_eq!(failure.code, ErrorCode::RegistryReadFailed, "{text}");
        assert!(failure.message.contains(part), "{failure}");
        assert!(failure.hint.is_some());
    }
}

#[test]
fn a_registry_nobody_generated_is_warned_of() {
    let root = folder("by-hand");
    let path = repository(&root, &["a.b"]);
    assert!(Registry::load(&path).unwrap().problems.is_empty());
    edit(&path, |registry| registry["skills"][0]["summary"] = "By hand.".into());
    let registry = Registry::load(&path).unwrap();
    assert_eq!(registry.problems[0].rule, "manifest");
    assert_eq!(registry.skills.len(), 1);
}
