//! The example skills repository: its checks are green, its recipes pass their tests, its scripts
//! run, and `skills ci` finds what is wrong when something is.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const REGISTRY: &str = "skills/skills-registry.json";

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/skills")
}

fn clawperator(folder: &Path, args: &[&str]) -> (i32, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_clawperator"))
        .args(args)
        .current_dir(folder)
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("ANDROID_SERIAL")
        .env_remove("CLAWPERATOR_BIN")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), serde_json::from_str(&said).unwrap_or(Value::String(said)))
}

/// A copy that may be broken.
fn copy(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let copied = Command::new("cp").arg("-r").arg(example()).arg(&folder).status().unwrap();
    assert!(copied.success());
    folder
}

fn recipes() -> Vec<String> {
    let mut found = Vec::new();
    for skill in fs::read_dir(example().join("skills")).unwrap() {
        let artifacts = skill.unwrap().path().join("artifacts");
        for file in fs::read_dir(artifacts).into_iter().flatten() {
            let path = file.unwrap().path();
            if path.to_string_lossy().ends_with(".recipe.md") {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

fn failed(folder: &Path) -> Vec<String> {
    let (code, said) = clawperator(folder, &["skills", "ci", "--registry", REGISTRY]);
    assert_eq!((code, &said["code"]), (1, &json!("SKILLS_CI_FAILED")), "{said}");
    let checks = said["details"]["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 11);
    let wrong = checks.iter().filter(|check| check["ok"] == false);
    wrong.map(|check| check["check"].as_str().unwrap().to_owned()).collect()
}

fn edit(folder: &Path, file: &str, old: &str, new: &str) {
    let path = folder.join("skills").join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{file} has no {old}");
    fs::write(path, text.replacen(old, new, 1)).unwrap();
}

#[test]
fn all_eleven_checks_are_green() {
    let (code, said) = clawperator(&copy("green"), &["skills", "ci", "--registry", REGISTRY]);
    assert_eq!(code, 0, "{said}");
    let checks = said["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 11);
    assert!(checks.iter().all(|check| check.get("problems").is_none()), "{said}");
}

#[test]
fn every_recipe_passes_its_tests_on_a_simulated_phone() {
    let recipes = recipes();
    let args: Vec<&str> =
        ["recipe", "test"].into_iter().chain(recipes.iter().map(String::as_str)).collect();
    let (code, said) = clawperator(&example(), &args);
    assert_eq!((code, recipes.len()), (0, 3), "{said}");
    assert_eq!(said["failed"], 0);
}

#[test]
fn a_skill_runs_its_script_with_the_phone_and_this_program() {
    let args = [
        "skills",
        "run",
        "com.example.climate.read-room",
        "--registry",
        REGISTRY,
        "--device",
        "sim",
        "--expect-contains",
        "\"temperature\":18",
        "--",
        "--var",
        "room=bedroom",
    ];
    let (code, said) = clawperator(&example(), &args);
    assert_eq!((code, &said["exitCode"]), (0, &json!(0)), "{said}");
    let told: Value = serde_json::from_str(said["output"].as_str().unwrap()).unwrap();
    assert_eq!(told["outputs"], json!({"temperature": 18.0}));
}

#[test]
fn a_script_that_fails_is_told_with_its_own_words() {
    let args = [
        "skills",
        "run",
        "com.example.climate.read-room",
        "--registry",
        REGISTRY,
        "--device",
        "sim",
    ];
    let (code, said) = clawperator(&example(), &args);
    assert_eq!((code, &said["code"]), (1, &json!("SKILL_EXECUTION_FAILED")), "{said}");
    assert!(said.to_string().contains("RECIPE_INPUT_MISSING"), "{said}");
}

#[test]
fn each_check_finds_what_is_its_own() {
    let toggle = "com.example.climate.toggle-heating";
    let recipe = format!("{toggle}/artifacts/toggle-heating.recipe.md");
    for (name, file, old, new, check) in [
        (
            "metadata",
            format!("{toggle}/skill.json"),
            "\"intent\": \"",
            "\"intent\": \"NOT ",
            "per-skill metadata",
        ),
        (
            "stale",
            format!("{toggle}/skill.json"),
            "Switch the heating",
            "Turn the heating",
            "index generator",
        ),
        (
            "schema",
            "skills-registry.json".to_owned(),
            "\"schemaVersion\": \"1.0\"",
            "\"schemaVersion\": \"9\"",
            "registry schema",
        ),
        ("front", recipe.clone(), "recipe_type: action", "recipe_type: deed", "frontmatter"),
        ("steps", recipe.clone(), "type: click", "type: swipe_up", "steps"),
        ("unverified", recipe.clone(), "type: read_text\nverifies: toggle", "type: fly", "steps"),
        (
            "personal",
            recipe.clone(),
            "# Switch the heating",
            "# Ask jane.doe@gmail.com",
            "personal texts",
        ),
        (
            "capability",
            recipe.clone(),
            "navigate, click, toggle]",
            "navigate, toggle]",
            "capabilities",
        ),
        (
            "literal",
            recipe.clone(),
            "text_equals: ${inputs.tile_name}",
            "text_equals: Our heater",
            "literals",
        ),
        ("inputs", recipe.clone(), "${inputs.tile_name}", "${inputs.tile}", "inputs"),
    ] {
        let folder = copy(&format!("ci-{name}"));
        edit(&folder, &file, old, new);
        let failed = failed(&folder);
        assert!(failed.iter().any(|failed| failed == check), "{name}: {failed:?}");
    }
}

#[test]
fn a_folder_nobody_registered_is_found() {
    let folder = copy("ci-orphan");
    let (from, to) = ("skills/com.example.climate.read-room", "skills/com.example.climate.copied");
    let copied = Command::new("cp").args(["-r", from, to]).current_dir(&folder).status().unwrap();
    assert!(copied.success());
    let failed = failed(&folder);
    assert!(failed.contains(&"registry and folders".to_owned()), "{failed:?}");
}

#[test]
fn a_forbidden_combination_of_a_profile_is_found() {
    let folder = copy("ci-policy");
    fs::write(
        folder.join("policy.yaml"),
        "profiles:\n  strict:\n    allow: [observe]\n    forbid_together: [[navigate, toggle]]\n",
    )
    .unwrap();
    let args = ["skills", "ci", "--registry", REGISTRY, "--policy", "policy.yaml"];
    let (code, said) = clawperator(&folder, &args);
    assert_eq!(code, 1);
    assert!(
        said["message"].as_str().unwrap().ends_with("1 of 11 checks failed: capabilities"),
        "{said}"
    );
}

#[test]
fn the_hook_keeps_a_denied_text_out_of_a_commit() {
    let folder = copy("hooked");
    let git = |args: &[&str]| {
        Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(args)
            .current_dir(&folder)
            .env("HOME", env!("CARGO_TARGET_TMPDIR"))
            .env("CLAWPERATOR_BIN", env!("CARGO_BIN_EXE_clawperator"))
            .output()
            .unwrap()
    };
    assert!(git(&["init", "-q"]).status.success());
    assert!(git(&["add", "-A"]).status.success());
    let (code, said) = clawperator(&folder, &["skills", "hook", "install"]);
    assert_eq!(code, 0, "{said}");
    fs::write(folder.join(".git/info/clawperator-blocked-terms"), "Casa Grande\n").unwrap();
    assert!(git(&["commit", "-q", "-m", "clean"]).status.success());
    edit(&folder, "com.example.climate.read-room/SKILL.md", "It looks", "In Casa Grande it looks");
    let refused = git(&["commit", "-q", "-a", "-m", "dirty"]);
    assert!(!refused.status.success());
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&refused.stdout),
        String::from_utf8_lossy(&refused.stderr)
    );
    assert!(said.contains("com.example.climate.read-room/SKILL.md"), "{said}");
    assert!(!said.contains("Casa Grande"), "{said}");
}
