//! A real git on repositories of the test's own.

use super::*;
use crate::scratch::{self, Scratch};
use std::process::Command;

/// A repository others fetch from, and a place to fetch it into.
struct Sides {
    base: Scratch,
}

impl Sides {
    fn new() -> Self {
        let sides = Self { base: scratch::folder("sync") };
        let work = sides.work();
        fs::create_dir_all(&work).unwrap();
        run(&work, &["init", "--quiet", "--initial-branch=main"]);
        scratch::skill(&work, "a.b", "a.b");
        sides.commit("first");
        let remote = sides.base.join("remote.git").display().to_string();
        run(&work, &["clone", "--quiet", "--bare", ".", &remote]);
        run(&work, &["remote", "add", "origin", &remote]);
        sides
    }

    fn work(&self) -> PathBuf {
        self.base.join("work")
    }

    /// Generates and commits.
    fn commit(&self, message: &str) {
        crate::index::generate(&self.work()).unwrap();
        self.commit_as_it_is(message);
    }

    fn commit_as_it_is(&self, message: &str) {
        run(&self.work(), &["add", "--all"]);
        run(&self.work(), &["commit", "--quiet", "-m", message]);
    }

    fn push(&self) {
        run(&self.work(), &["push", "--quiet", "--force", "--tags", "origin", "main"]);
    }

    fn settings(&self) -> Settings {
        Settings {
            target: self.base.join("home/.clawperator/skills"),
            remote: Some(self.base.join("remote.git").display().to_string()),
            git: "git".into(),
            limit: GIT_LIMIT,
        }
    }

    fn sync(&self, reference: &str) -> Result<Synced, Failure> {
        sync(&self.settings(), reference)
    }

    fn ids(&self) -> Vec<String> {
        let registry = Registry::load(&self.settings().target.join(REGISTRY_FILE)).unwrap();
        registry.skills.iter().map(|skill| skill.id().to_owned()).collect()
    }

    /// What lies beside the copy.
    fn beside(&self) -> Vec<String> {
        let parent = self.settings().target.parent().unwrap().to_owned();
        let entries = fs::read_dir(parent).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn run(folder: &Path, args: &[&str]) -> String {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let output = Command::new("git").current_dir(folder).args(who).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn skills_are_installed_and_kept_up_to_date() {
    let sides = Sides::new();
    let first = sides.sync(DEFAULT_REF).unwrap();
    assert!(first.changed && first.verified, "{first:?}");
    assert_eq!(sides.ids(), ["a.b"]);
    assert!(!sides.sync(DEFAULT_REF).unwrap().changed);
    scratch::skill(&sides.work(), "a.c", "a.c");
    sides.commit("second");
    run(&sides.work(), &["tag", "v2"]);
    sides.push();
    let second = sides.sync(DEFAULT_REF).unwrap();
    assert!(second.changed && second.total_skills == 2, "{second:?}");
    assert_eq!(sides.ids(), ["a.b", "a.c"]);
    // Back to a commit, and on to a tag.
    assert_eq!(sides.sync(&first.commit).unwrap().commit, first.commit);
    assert_eq!(sides.ids(), ["a.b"]);
    assert_eq!(sides.sync("v2").unwrap().commit, second.commit);
    assert_eq!(sides.beside(), ["skills", "skills.lock"]);
}

#[test]
fn what_is_not_as_its_manifest_says_is_never_put_in_place() {
    let sides = Sides::new();
    let first = sides.sync(DEFAULT_REF).unwrap();
    let registry = sides.work().join(REGISTRY_FILE);
    let text = fs::read_to_string(&registry).unwrap();
    fs::write(&registry, text.replace("Does b.", "Does evil.")).unwrap();
    sides.commit_as_it_is("by hand");
    sides.push();
    let failure = sides.sync(DEFAULT_REF).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillsSyncFailed);
    assert!(failure.message.contains("not what its manifest says"), "{failure}");
    assert!(failure.hint.unwrap().contains("untouched"));
    let target = sides.settings().target;
    assert_eq!(run(&target, &["rev-parse", "HEAD"]), first.commit);
    assert_eq!(run(&target, &["status", "--porcelain"]), "");
    assert_eq!(run(&target, &["worktree", "list"]).lines().count(), 1);
    // A new copy of it is not made either.
    fs::remove_dir_all(&target).unwrap();
    sides.sync(DEFAULT_REF).unwrap_err();
    assert_eq!(sides.beside(), ["skills.lock"]);
}

#[test]
fn a_repository_without_a_manifest_is_taken_but_not_called_verified() {
    let sides = Sides::new();
    fs::remove_dir_all(sides.work().join("skills/generated")).unwrap();
    sides.commit_as_it_is("no manifest");
    sides.push();
    assert!(!sides.sync(DEFAULT_REF).unwrap().verified);
}

#[test]
fn without_the_network_the_copy_stays_usable() {
    let sides = Sides::new();
    sides.sync(DEFAULT_REF).unwrap();
    fs::rename(sides.base.join("remote.git"), sides.base.join("gone.git")).unwrap();
    let failure = sides.sync(DEFAULT_REF).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillsSyncFailed);
    assert!(failure.hint.unwrap().contains("untouched"));
    assert_eq!(sides.ids(), ["a.b"]);
}

#[test]
fn changes_of_the_owners_are_named_and_kept() {
    let sides = Sides::new();
    sides.sync(DEFAULT_REF).unwrap();
    let target = sides.settings().target;
    let page = target.join("skills/a.b/SKILL.md");
    fs::write(&page, "mine").unwrap();
    let failure = sides.sync(DEFAULT_REF).unwrap_err();
    assert_eq!(failure.details["localChanges"][0], "skills/a.b/SKILL.md");
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
    run(&target, &["commit", "--quiet", "--all", "-m", "my own"]);
    let failure = sides.sync(DEFAULT_REF).unwrap_err();
    assert!(failure.details["localCommits"][0].as_str().unwrap().ends_with("my own"));
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
}

#[test]
fn a_history_that_was_written_anew_is_followed() {
    let sides = Sides::new();
    scratch::skill(&sides.work(), "a.c", "a.c");
    sides.commit("second");
    sides.push();
    sides.sync(DEFAULT_REF).unwrap();
    run(&sides.work(), &["commit", "--quiet", "--amend", "-m", "second, better"]);
    sides.push();
    assert!(sides.sync(DEFAULT_REF).unwrap().changed);
}

#[test]
fn two_at_once_do_not_meet() {
    let sides = Sides::new();
    let target = sides.settings().target;
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    let turn = claim(&target).unwrap();
    let failure = sides.sync(DEFAULT_REF).unwrap_err();
    assert!(failure.message.contains("another process"), "{failure}");
    drop(turn);
    sides.sync(DEFAULT_REF).unwrap();
}

#[test]
fn names_that_are_no_refs_are_told() {
    let sides = Sides::new();
    for wrong in ["", "--upload-pack=x", "a b"] {
        assert_eq!(sides.sync(wrong).unwrap_err().code, ErrorCode::Usage, "{wrong:?}");
    }
    let failure = sides.sync("nowhere").unwrap_err();
    assert_eq!(
        (failure.code, &failure.details["ref"]),
        (ErrorCode::SkillsSyncFailed, &"nowhere".into())
    );
    assert_eq!(sides.beside(), ["skills.lock"]);
}

#[test]
fn a_folder_with_something_else_in_it_is_left_alone() {
    let sides = Sides::new();
    let target = sides.settings().target;
    fs::create_dir_all(&target).unwrap();
    fs::write(target.join("mine"), "").unwrap();
    let failure = sides.sync(DEFAULT_REF).unwrap_err();
    assert!(failure.message.contains("no git repository"), "{failure}");
    assert!(target.join("mine").exists());
}
