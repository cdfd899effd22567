//! `clawperator skills` as a person or a program meets it, on folders and repositories of its own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BINARY: &str = env!("CARGO_BIN_EXE_clawperator");
const ID: &str = "com.android.settings.show-overview";

/// A working folder and a home, both empty.
struct Desk {
    folder: PathBuf,
}

impl Desk {
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("skills-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("home")).unwrap();
        fs::create_dir_all(folder.join("work")).unwrap();
        Self { folder }
    }

    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.work()).env("HOME", self.folder.join("home"));
        for name in ["CLAWPERATOR_SKILLS_REGISTRY", "CLAWPERATOR_SKILLS_REMOTE", "ANDROID_SERIAL"] {
            command.env_remove(name);
        }
        command.env("SOURCE_DATE_EPOCH", "1767225600").env("CLAWPERATOR_BIN", BINARY);
        command
    }

    fn run(&self, args: &[&str]) -> (i32, Value) {
        answer(&self.command(BINARY).arg("skills").args(args).output().unwrap())
    }

    #[track_caller]
    fn must(&self, args: &[&str]) -> Value {
        let (status, answer) = self.run(args);
        assert_eq!(status, 0, "{args:?}: {answer}");
        answer
    }

    #[track_caller]
    fn fails(&self, args: &[&str], status: i32, code: &str) -> Value {
        let (seen, answer) = self.run(args);
        assert_eq!((seen, answer["code"].as_str()), (status, Some(code)), "{args:?}: {answer}");
        assert!(answer["hint"].is_string(), "{answer}");
        answer
    }
}

fn answer(output: &Output) -> (i32, Value) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let answer = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{output:?}"));
    (output.status.code().unwrap(), answer)
}

fn git(folder: &Path, args: &[&str]) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let output = Command::new("git").current_dir(folder).args(who).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

#[test]
fn a_skill_is_made_found_checked_and_compiled() {
    let desk = Desk::new("made");
    let made = desk.must(&["new", ID, "--summary", "Shows the battery."]);
    assert_eq!((&made["created"], &made["skillId"]), (&json!(true), &json!(ID)));
    let listed = desk.must(&["list"]);
    assert_eq!((&listed["count"], &listed["skills"][0]["id"]), (&json!(1), &json!(ID)));
    assert_eq!(desk.must(&["get", ID])["skill"]["intent"], "show-overview");
    assert_eq!(desk.must(&["search", "battery"])["count"], 1);
    assert_eq!(desk.must(&["search", "batery"])["guessed"], true);
    assert_eq!(desk.must(&["search", "--app", "com.other"])["count"], 0);
    assert_eq!(desk.must(&["validate", "--all", "--dry-run"])["valid"], true);
    assert_eq!(desk.must(&["validate", "--dry-run", ID])["dryRun"]["templates"], 1);
    let compiled = desk.must(&["compile-artifact", "--artifact", "show-overview", ID]);
    assert_eq!(compiled["execution"]["mode"], "artifact_compiled");
    assert_eq!(desk.must(&["index"])["changed"], false);
    assert_eq!(desk.must(&["index", "--check"])["fresh"], true);
}

#[test]
fn a_command_line_that_is_wrong_ends_with_2() {
    let desk = Desk::new("usage");
    desk.must(&["new", ID]);
    for wrong in [
        &["search"][..],
        &["validate"],
        &["validate", ID, "--all"],
        &["get"],
        &["compile-artifact", ID],
        &["compile-artifact", "--artifact", "x"],
        &["sync"],
        &["search", "--app"],
        &["list", "--apk", "x"],
        &["sync", "--ref", "-x"],
        &["index", "--registry", "elsewhere.json"],
    ] {
        let (status, answer) = desk.run(wrong);
        assert_eq!((status, answer["code"].as_str()), (2, Some("USAGE")), "{wrong:?}: {answer}");
    }
}

#[test]
fn failures_have_codes_of_their_own() {
    let desk = Desk::new("failures");
    let failure = desk.fails(&["list"], 1, "REGISTRY_READ_FAILED");
    assert!(failure["message"].as_str().unwrap().contains(".clawperator/skills"), "{failure}");
    desk.fails(&["new", "../evil.x"], 1, "SKILL_ID_INVALID");
    desk.must(&["new", ID]);
    desk.fails(&["new", ID], 1, "SKILL_ALREADY_EXISTS");
    let failure = desk.fails(&["get", "com.android.settings.show-overvew"], 1, "SKILL_NOT_FOUND");
    assert_eq!(failure["details"]["suggestion"], ID);
    desk.fails(&["compile-artifact", ID, "--artifact", "x"], 1, "ARTIFACT_NOT_FOUND");
    let vars = ["compile-artifact", ID, "--artifact", "show-overview", "--vars", "nope"];
    desk.fails(&vars, 1, "COMPILE_VARS_PARSE_FAILED");
    fs::remove_file(desk.work().join("skills").join(ID).join("SKILL.md")).unwrap();
    desk.fails(&["validate", ID], 1, "SKILL_VALIDATION_FAILED");
    desk.fails(&["validate", "--all"], 1, "SKILL_VALIDATION_FAILED");
    desk.fails(&["index"], 1, "SKILL_VALIDATION_FAILED");
    assert!(!desk.work().join("evil.x").exists() && !desk.folder.join("evil.x").exists());
}

#[test]
fn the_variable_names_registries_and_an_empty_one_names_none() {
    let desk = Desk::new("variable");
    let other = Desk::new("variable-other");
    desk.must(&["new", ID]);
    other.must(&["new", ID]);
    other.must(&["new", "a.other"]);
    let registry =
        |desk: &Desk| desk.work().join("skills/skills-registry.json").display().to_string();
    let listed = |value: &str| {
        let mut command = desk.command(BINARY);
        command.args(["skills", "list"]).env("CLAWPERATOR_SKILLS_REGISTRY", value);
        let (status, answer) = answer(&command.output().unwrap());
        assert_eq!(status, 0, "{answer}");
        answer
    };
    assert_eq!(listed("")["count"], 1);
    let both = listed(&format!("{}:{}", registry(&other), registry(&desk)));
    assert_eq!(both["count"], 2);
    assert_eq!(both["skills"][1]["shadows"], json!([registry(&desk)]));
    let one =
        desk.must(&["get", ID, "--registry", &registry(&desk), "--registry", &registry(&other)]);
    assert_eq!(one["shadows"], json!([registry(&other)]));
}

#[test]
fn values_can_come_from_a_file_and_are_not_shown() {
    let desk = Desk::new("values");
    desk.must(&["new", ID]);
    let template = desk.work().join(format!("skills/{ID}/artifacts/show-overview.recipe.json"));
    let text = fs::read_to_string(&template).unwrap();
    fs::write(&template, text.replace("\"snapshot_ui\"", "\"{{KIND}}\"")).unwrap();
    fs::write(desk.work().join("vars.json"), r#"{"KIND":"my-secret"}"#).unwrap();
    let args = ["compile-artifact", ID, "--artifact", "show-overview", "--vars-file", "vars.json"];
    let failure = desk.fails(&args, 1, "COMPILE_VALIDATION_FAILED");
    assert_eq!(failure["details"]["path"], "actions.3.type");
    assert!(!failure.to_string().contains("my-secret"), "{failure}");
    fs::write(desk.work().join("vars.json"), r#"{"KIND":"snapshot"}"#).unwrap();
    assert_eq!(desk.must(&args)["execution"]["actions"][3]["type"], "snapshot_ui");
}

#[test]
fn people_get_a_table() {
    let desk = Desk::new("table");
    desk.must(&["new", ID, "--summary", "Shows it."]);
    let human = |args: &[&str]| {
        let output =
            desk.command(BINARY).arg("skills").args(args).args(["--output", "human"]).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    assert_eq!(human(&["list"]), format!("{ID}  Shows it.\n1 skill\n"));
    assert_eq!(human(&["validate", "--all"]), format!("✓ {ID}\n"));
    fs::write(desk.work().join("skills").join(ID).join("SKILL.md"), "no head\n").unwrap();
    let text = human(&["validate", "--all"]);
    assert!(
        text.contains(&format!("✗ {ID}\n  error ./skills/{ID}/SKILL.md:1: it must begin")),
        "{text}"
    );
}

#[test]
fn the_repositorys_own_tool_generates_the_indexes() {
    let desk = Desk::new("tool");
    desk.must(&["new", ID]);
    let tool = desk.work().join("skills/tools/generate_skill_indexes.sh");
    let run =
        |args: &[&str]| answer(&desk.command(tool.to_str().unwrap()).args(args).output().unwrap());
    assert_eq!(run(&["--check"]).0, 0);
    fs::remove_dir_all(desk.work().join("skills/generated")).unwrap();
    assert_eq!(run(&["--check"]).0, 1);
    let (status, made) = run(&[]);
    assert_eq!((status, &made["changed"]), (0, &json!(true)));
    assert_eq!(made["generatedAt"], "2026-01-01T00:00:00Z");
    assert_eq!(run(&["--check"]).0, 0);
}

#[test]
fn a_new_skills_script_runs_on_a_phone_and_hides_no_failure() {
    if Command::new("node").arg("--version").output().is_err() {
        return; // Nothing to run it with on this machine.
    }
    let desk = Desk::new("script");
    desk.must(&["new", ID]);
    desk.must(&["new", "com.nowhere.app.open-it"]);
    let run = |id: &str, args: &[&str]| {
        let script = desk.work().join(format!("skills/{id}/scripts/run.ts"));
        desk.command("node").arg(script).args(args).output().unwrap()
    };
    let (status, ran) = answer(&run(ID, &["sim"]));
    assert_eq!((status, &ran["envelope"]["status"]), (0, &json!("success")), "{ran}");
    assert_eq!(ran["envelope"]["stepResults"].as_array().unwrap().len(), 4);
    let (status, ran) = answer(&run("com.nowhere.app.open-it", &["sim"]));
    assert_eq!(status, 1, "{ran}");
    assert_eq!(run(ID, &[]).status.code(), Some(2));
}

#[test]
fn skills_are_installed_from_a_repository_and_used_without_being_named() {
    let desk = Desk::new("installed");
    let theirs = Desk::new("installed-theirs");
    theirs.must(&["new", ID]);
    git(&theirs.work(), &["init", "--quiet", "--initial-branch=main"]);
    git(&theirs.work(), &["add", "--all"]);
    git(&theirs.work(), &["commit", "--quiet", "-m", "first"]);
    let remote = theirs.work().display().to_string();
    let installed = desk.must(&["install", "--remote", &remote]);
    assert_eq!((&installed["synced"], &installed["verified"]), (&json!(true), &json!(true)));
    let instruction = installed["envInstruction"].as_str().unwrap();
    assert!(instruction.contains("/home/.clawperator/skills/skills/skills-registry.json"));
    assert_eq!(desk.must(&["list"])["count"], 1);
    theirs.must(&["new", "a.second"]);
    git(&theirs.work(), &["add", "--all"]);
    git(&theirs.work(), &["commit", "--quiet", "-m", "second"]);
    // The copy knows where it came from.
    assert_eq!(desk.must(&["update"])["totalSkills"], 2);
    desk.fails(&["sync", "--ref", "nowhere"], 1, "SKILLS_SYNC_FAILED");
    assert_eq!(desk.must(&["list"])["count"], 2);
}
