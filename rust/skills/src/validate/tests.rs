//! Skills on real folders, with something wrong.

use super::*;
use crate::registry::{Places, REGISTRY_FILE};
use crate::scratch::{self, Scratch};

const PLAIN: bool = false;
const DRY: bool = true;

fn repository(ids: &[&str]) -> Scratch {
    let root = scratch::folder("validate");
    for id in ids {
        scratch::skill(&root, id, id);
    }
    crate::index::generate(&root).unwrap();
    root
}

fn registries(root: &Scratch) -> Registries {
    Places::resolve(&[root.join(REGISTRY_FILE)], None, None).load().unwrap()
}

#[test]
fn a_good_skill_is_told_with_its_files() {
    let root = repository(&["a.b"]);
    let answer = one(&registries(&root), "a.b", DRY).unwrap();
    assert_eq!(answer["valid"], true);
    assert_eq!(answer["skill"]["id"], "a.b");
    assert_eq!(answer["dryRun"]["payloadValidation"], "done");
    let script = root.join("skills/a.b/scripts/run.js").display().to_string();
    assert_eq!(answer["checks"]["scriptPaths"][0], script);
    assert!(answer.get("warnings").is_none(), "{answer}");
    let answer = all(&registries(&root), PLAIN).unwrap();
    assert_eq!(
        (&answer["totalSkills"], &answer["validSkills"][0]["skill"]["id"]),
        (&1.into(), &"a.b".into())
    );
}

#[test]
fn everything_wrong_with_a_skill_is_told_at_once() {
    let root = repository(&["a.b"]);
    let at = root.join("skills/a.b");
    fs::remove_file(at.join("scripts/run.js")).unwrap();
    fs::write(at.join("SKILL.md"), "# no head\n").unwrap();
    let own = fs::read_to_string(at.join("skill.json")).unwrap();
    let own =
        own.replace("Does b.", "Does something else.").replacen('{', "{\"keywords\": [\"x\"],", 1);
    fs::write(at.join("skill.json"), own).unwrap();
    fs::write(at.join("artifacts/b.recipe.json"), "{\"actions\": []}").unwrap();
    let failure = one(&registries(&root), "a.b", DRY).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillValidationFailed);
    assert_eq!(failure.details["mismatchFields"], json!(["summary", "keywords"]));
    assert_eq!(
        failure.details["missingFiles"],
        json!([at.join("scripts/run.js").display().to_string()])
    );
    let rules: HashSet<_> = failure.details["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["rule"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        rules,
        ["missing-file", "mismatch", "skill-md", "artifact"].map(str::to_owned).into()
    );
}

#[test]
fn one_that_cannot_be_read_does_not_stop_the_others() {
    let root = repository(&["a.b", "a.c", "a.d"]);
    fs::write(root.join("skills/a.b/skill.json"), "{").unwrap();
    fs::remove_file(root.join("skills/a.c/SKILL.md")).unwrap();
    let failure = all(&registries(&root), PLAIN).unwrap_err();
    assert_eq!(failure.details["invalidCount"], 2);
    assert_eq!(failure.details["validCount"], 1);
    let failures = failure.details["failures"].as_array().unwrap();
    let ids: Vec<_> = failures.iter().map(|failure| failure["skillId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a.b", "a.c"]);
}

#[test]
fn skills_nobody_registered_and_indexes_that_are_old_are_told() {
    let root = repository(&["a.b"]);
    scratch::skill(&root, "a.new", "a.new");
    let failure = all(&registries(&root), PLAIN).unwrap_err();
    assert_eq!(failure.details["invalidCount"], 0);
    let repository = failure.details["repository"].as_array().unwrap();
    let rules: Vec<_> =
        repository.iter().map(|problem| problem["rule"].as_str().unwrap()).collect();
    assert!(rules.contains(&"orphan") && rules.contains(&"index-fresh"), "{rules:?}");
}

#[test]
fn a_link_that_leads_out_has_a_code_of_its_own() {
    let root = repository(&["a.b"]);
    let script = root.join("skills/a.b/scripts/run.js");
    fs::remove_file(&script).unwrap();
    std::os::unix::fs::symlink("/bin/sh", &script).unwrap();
    let failure = one(&registries(&root), "a.b", PLAIN).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillPathOutside);
}

#[test]
fn a_registry_changed_by_hand_is_an_error_here() {
    let root = repository(&["a.b"]);
    let path = root.join(REGISTRY_FILE);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"$schema\"", " \"$schema\"")).unwrap();
    let failure = one(&registries(&root), "a.b", PLAIN).unwrap_err();
    assert!(failure.message.contains("another registry"), "{failure}");
}

#[test]
fn names_that_break_the_rule_are_warned_of() {
    let root = scratch::folder("names");
    let mut entry = scratch::skill(&root, "a.b", "a.b");
    entry["id"] = "a.b-replay".into();
    fs::write(root.join("skills/a.b/skill.json"), entry.to_string()).unwrap();
    let page = "---\nname: a.b-replay\ndescription: x\n---\n";
    fs::write(root.join("skills/a.b/SKILL.md"), page).unwrap();
    crate::index::generate(&root).unwrap();
    let answer = one(&registries(&root), "a.b-replay", PLAIN).unwrap();
    let rules: Vec<_> = answer["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["rule"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["id-name", "folder-name"]);
}

#[test]
fn two_recipes_of_one_name_are_told() {
    let root = repository(&["a.b", "a.c"]);
    for id in ["b", "c"] {
        let folder = root.join(format!("skills/a.{id}"));
        let manifest = fs::read_to_string(folder.join("skill.json")).unwrap();
        fs::write(folder.join("skill.json"), manifest.replace(".recipe.json", ".recipe.md"))
            .unwrap();
        let recipe = include_str!("../../tests/fixtures/toggle-power.recipe.md");
        fs::write(folder.join(format!("artifacts/{id}.recipe.md")), recipe).unwrap();
    }
    crate::index::generate(&root).unwrap();
    let failure = all(&registries(&root), DRY).unwrap_err();
    let told = failure.details["repository"].as_array().unwrap();
    assert_eq!((told.len(), &told[0]["rule"]), (1, &"recipe-id".into()), "{told:?}");
}
