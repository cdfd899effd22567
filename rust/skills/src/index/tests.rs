//! Generating on real folders.

use super::*;
use crate::scratch::{folder, skill};
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::process::Command;

/// Every file below a folder, with its bytes.
fn tree(at: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![at.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(at).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn ids_fall_into_the_shards_other_tools_put_them_in() {
    for (id, shard) in [
        ("com.solaxcloud.starter.get-battery", "33"),
        ("com.life360.android.safetymapd.get-location", "33"),
        ("com.android.settings.capture-overview", "8d"),
        ("com.android.vending.search-app", "2f"),
        ("utils.show-android-device", "ba"),
        ("com.woolworths.search-products", "f8"),
        ("com.globird.energy.get-usage", "be"),
        ("au.com.polyaire.airtouch5.set-mode", "5a"),
    ] {
        assert_eq!(prefix(id), shard, "{id}");
    }
}

#[test]
fn every_index_is_there_and_the_manifest_has_its_hash() {
    let root = folder("index");
    skill(
        &root,
        "com.life360.android.safetymapd.get-location",
        "com.life360.android.safetymapd.get-location",
    );
    skill(&root, "com.solaxcloud.starter.get-battery", "com.solaxcloud.starter.get-battery");
    skill(&root, "utils/show-android-device", "utils.show-android-device");
    fs::write(root.join("skills/utils/common.js"), "// shared\n").unwrap();
    let generated = generate(&root).unwrap();
    assert_eq!((generated.total_skills, generated.changed), (3, true));

    let registry = json(&root.join(REGISTRY_FILE));
    assert_eq!(
        registry.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["$schema", "schemaVersion", "generatedAt", "skills"]
    );
    assert!(jsonschema::is_valid(&schema(), &registry), "its own schema refuses the registry");
    let at = root.join("skills/generated");
    let shard = json(&at.join("by-prefix/33.json"));
    assert_eq!(shard["count"], 2);
    assert_eq!(shard["skills"][0]["id"], "com.life360.android.safetymapd.get-location");
    assert_eq!(json(&at.join("by-app/utils.json"))["applicationId"], "utils");
    let short = json(&at.join("skills-index.min.json"));
    assert_eq!(
        short["skills"][0].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["id", "applicationId", "intent", "summary", "path"]
    );
    let lines = fs::read_to_string(at.join("skills-index.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 3);
    assert_eq!(check_manifest(&root).unwrap(), Vec::<Problem>::new());
    let manifest = json(&at.join("manifest.json"));
    assert_eq!(manifest["shards"]["byApp"].as_array().unwrap().len(), 3);
    assert_eq!(manifest["shards"]["byPrefix"].as_array().unwrap().len(), 2);
    assert!(check(&root).unwrap().problems.is_empty());
}

#[test]
fn the_bytes_are_those_jq_writes() {
    if Command::new("jq").arg("--version").output().is_err() {
        return; // Nothing to compare with on this machine.
    }
    let root = folder("jq");
    let mut entry = skill(&root, "a.b", "a.b");
    entry["summary"] = "Größe \u{7f} \t \"x\" / \u{1} 🎉".into();
    entry["extra"] = serde_json::json!({"empty": [], "none": {}, "null": null, "n": 12});
    let text = serde_json::to_string(&entry).unwrap();
    fs::write(root.join("skills/a.b/skill.json"), text).unwrap();
    generate(&root).unwrap();
    for name in ["skills-registry.json", "generated/manifest.json", "generated/by-app/a.json"] {
        let path = root.join("skills").join(name);
        let output = Command::new("jq").arg(".").arg(&path).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), fs::read_to_string(&path).unwrap());
    }
    let path = root.join("skills/generated/skills-index.jsonl");
    let output = Command::new("jq").args(["-c", "."]).arg(&path).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), fs::read_to_string(&path).unwrap());
}

#[test]
fn generating_again_changes_no_byte() {
    let root = folder("again");
    skill(&root, "a.b", "a.b");
    generate(&root).unwrap();
    let registry = root.join(REGISTRY_FILE);
    // As if it had been long ago.
    let text = fs::read_to_string(&registry).unwrap();
    let (_, moment) = text.split_once("\"generatedAt\": \"").unwrap();
    let old = text.replace(&moment[..20], "2001-02-03T04:05:06Z");
    fs::write(&registry, old).unwrap();
    assert!(generate(&root).unwrap().changed, "the indexes have another moment");
    let before = tree(&root);
    let again = generate(&root).unwrap();
    assert_eq!((again.changed, again.generated_at.as_str()), (false, "2001-02-03T04:05:06Z"));
    assert!(before == tree(&root));
    // Shards that are left out of git come back as they were.
    fs::remove_dir_all(root.join("skills/generated/by-app")).unwrap();
    assert!(check(&root).unwrap().problems.is_empty());
    assert!(generate(&root).unwrap().changed);
    assert!(before == tree(&root));
    // A new skill is a new moment.
    skill(&root, "a.c", "a.c");
    assert_ne!(generate(&root).unwrap().generated_at, "2001-02-03T04:05:06Z");
}

#[test]
fn everything_wrong_is_told_and_nothing_is_written() {
    let root = folder("wrong");
    skill(&root, "a.b", "a.b");
    generate(&root).unwrap();
    let before = tree(&root.join("skills/generated"));
    skill(&root, "a.twin", "a.b");
    skill(&root, "a.gone", "a.gone");
    fs::remove_file(root.join("skills/a.gone/scripts/run.js")).unwrap();
    skill(&root, "a.json", "a.json");
    fs::write(root.join("skills/a.json/skill.json"), "{\n  \"id\": nope\n}").unwrap();
    skill(&root, "a.out", "a.out");
    fs::remove_file(root.join("skills/a.out/scripts/run.js")).unwrap();
    symlink("/bin/sh", root.join("skills/a.out/scripts/run.js")).unwrap();
    fs::create_dir_all(root.join("skills/a.half")).unwrap();
    fs::write(root.join("skills/a.half/SKILL.md"), "").unwrap();
    let failure = generate(&root).unwrap_err();
    let problems = failure.details["problems"].as_array().unwrap();
    let told = |part: &str, rule: &str, code: &str| {
        problems.iter().any(|problem| {
            problem["file"].as_str().unwrap().contains(part)
                && problem["rule"] == rule
                && problem["code"] == code
        })
    };
    assert!(told("a.gone", "missing-file", "SKILL_VALIDATION_FAILED"), "{problems:?}");
    assert!(told("a.json", "skill-json", "SKILL_VALIDATION_FAILED"), "{problems:?}");
    assert!(told("a.out", "path", "SKILL_PATH_OUTSIDE"), "{problems:?}");
    assert!(told("a.half", "skill-folder", "SKILL_VALIDATION_FAILED"), "{problems:?}");
    // The twin says another folder than its own first.
    assert!(
        told("a.twin", "skill-json", "SKILL_VALIDATION_FAILED")
            || told("a.twin", "duplicate-id", "SKILL_VALIDATION_FAILED"),
        "{problems:?}"
    );
    assert!(before == tree(&root.join("skills/generated")));
}

#[test]
fn links_beside_skills_are_no_skills_and_links_to_skills_stay_inside() {
    let (root, elsewhere) = (folder("links"), folder("links-elsewhere"));
    skill(&root, "a.b", "a.b");
    symlink("a.b/SKILL.md", root.join("skills/README.md")).unwrap();
    symlink("nowhere", root.join("skills/dangling")).unwrap();
    assert_eq!(generate(&root).unwrap().total_skills, 1);
    skill(&elsewhere, "a.c", "a.c");
    symlink(elsewhere.join("skills/a.c"), root.join("skills/a.c")).unwrap();
    assert_eq!(generate(&root).unwrap_err().code, ErrorCode::SkillPathOutside);
}

#[test]
fn two_skills_of_one_id_are_refused() {
    let root = folder("twins");
    skill(&root, "a.b", "a.b");
    skill(&root, "other", "a.b");
    let failure = generate(&root).unwrap_err();
    assert!(failure.message.contains("has the id \"a.b\" already"), "{failure}");
}

#[test]
fn a_crash_at_any_step_leaves_a_whole_registry_and_the_next_run_puts_it_right() {
    for step in 1..=2 {
        let root = folder("crash");
        skill(&root, "a.b", "a.b");
        generate(&root).unwrap();
        let before = tree(&root.join("skills"));
        skill(&root, "a.c", "a.c");
        generate_until(&root, step).unwrap();
        let registry = root.join(REGISTRY_FILE);
        assert!(fs::read(&registry).unwrap() == before["skills-registry.json"], "step {step}");
        if step == 1 {
            let index = root.join("skills/generated/manifest.json");
            assert!(fs::read(index).unwrap() == before["generated/manifest.json"]);
        } else {
            let loaded = crate::registry::Registry::load(&registry).unwrap();
            assert_eq!(loaded.problems[0].rule, "manifest");
        }
        assert!(!check(&root).unwrap().problems.is_empty());
        generate(&root).unwrap();
        assert!(check(&root).unwrap().problems.is_empty());
        assert!(!tree(&root.join("skills")).keys().any(|name| name.starts_with('.')), "leftovers");
    }
}

#[test]
fn what_cannot_be_put_in_place_is_taken_back() {
    let root = folder("taken-back");
    skill(&root, "a.b", "a.b");
    generate(&root).unwrap();
    let before = tree(&root.join("skills/generated"));
    skill(&root, "a.c", "a.c");
    // A folder that is not empty cannot be replaced by a file.
    fs::remove_file(root.join(REGISTRY_FILE)).unwrap();
    fs::create_dir_all(root.join(REGISTRY_FILE).join("x")).unwrap();
    let failure = generate(&root).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OutputUnwritable);
    assert!(before == tree(&root.join("skills/generated")));
}

#[test]
fn a_change_after_generating_is_named() {
    let root = folder("stale");
    let entry = skill(&root, "a.b", "a.b");
    skill(&root, "a.c", "a.c");
    generate(&root).unwrap();
    let mut changed = entry;
    changed["summary"] = "Another.".into();
    fs::write(root.join("skills/a.b/skill.json"), changed.to_string()).unwrap();
    fs::write(root.join("skills/generated/notes.txt"), "").unwrap();
    let stale = check(&root).unwrap().problems;
    assert!(stale.iter().any(|problem| problem.message == "changed since: a.b"), "{stale:?}");
    assert!(stale.iter().any(|problem| problem.message == "nothing generates this file"));
    fs::remove_dir_all(root.join("skills/a.c")).unwrap();
    let stale = check(&root).unwrap().problems;
    assert!(stale[0].message.contains("registered without a usable folder: a.c"), "{stale:?}");
}
