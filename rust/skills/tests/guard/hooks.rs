//! Hooks: installed, called by git, and taken away.

use crate::folder::Folder;
use crate::repo::{Repo, git};
use clawperator_contract::ErrorCode;
use clawperator_skills::literals::Repository;
use clawperator_skills::literals::denylist::Sources;
use clawperator_skills::literals::guard::{scan_push, scan_staged};
use clawperator_skills::literals::hooks::{self, Change};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the hooks call in these tests: this very program, which answers as `skills hook scan`.
#[test]
#[ignore = "it is the program of the hooks, not a test"]
fn the_program_of_the_hooks() {
    let words = std::env::var("CLAWPERATOR_TEST_WORDS").unwrap();
    let repository = Repository::at(Path::new("."));
    let home = std::env::var_os("CLAWPERATOR_TEST_HOME").map(PathBuf::from);
    let sources = Sources { named: None, home, repository: Some(repository.clone()) };
    let answer = match words.split(' ').collect::<Vec<_>>()[..] {
        ["skills", "hook", "scan", "--staged"] => scan_staged(&repository, &sources),
        ["skills", "hook", "scan", "--push", "--remote", remote] => {
            let mut refs = String::new();
            std::io::stdin().read_to_string(&mut refs).unwrap();
            scan_push(&repository, &sources, Some(remote), &refs)
        }
        _ => panic!("the hook called {words}"),
    };
    if let Err(failure) = answer {
        eprintln!("{failure}");
        std::process::exit(1);
    }
}

impl Repo {
    fn with_hooks() -> Self {
        let repo = Self::new();
        let this = std::env::current_exe().unwrap();
        repo.script(
            "program",
            &format!(
                "CLAWPERATOR_TEST_WORDS=\"$*\" exec {} --exact hooks::the_program_of_the_hooks --ignored --nocapture >/dev/null",
                this.display()
            ),
        );
        repo
    }

    /// A shell script beside the repository. Another process writes it: one that is open for
    /// writing while a test starts a process could not be run.
    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$2\" && chmod +x \"$2\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", write, "-", text]).arg(&path);
        assert!(shell.status().unwrap().success());
        path
    }

    fn changes(&self) -> Vec<Change> {
        hooks::install(&self.repository()).unwrap().iter().map(|hook| hook.change).collect()
    }

    fn removals(&self) -> Vec<Change> {
        hooks::uninstall(&self.repository()).unwrap().iter().map(|hook| hook.change).collect()
    }
}

#[test]
fn an_installed_hook_stops_the_commit_and_lets_a_clean_one_through() {
    let repo = Repo::with_hooks();
    assert_eq!(repo.changes(), [Change::Created; 2]);
    assert_eq!(repo.changes(), [Change::Unchanged; 2]);
    repo.write("a.txt", "Annabella\n");
    repo.git(&["add", "."]);
    let output = git(&repo.at, &["commit", "-m", "bad"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("BLOCKED_LITERAL") && said.contains("a.txt:1:1"), "{said}");
    assert!(!said.contains("Annabella"), "{said}");
    repo.write("a.txt", "someone\n");
    repo.git(&["add", "."]);
    repo.git(&["commit", "-m", "good"]);
    // A partial commit has an index of its own; the hook sees that one.
    repo.write("b.txt", "fine\n");
    repo.write("a.txt", "Annabella\n");
    repo.git(&["add", "."]);
    repo.git(&["commit", "-m", "only b", "b.txt"]);
    assert!(!git(&repo.at, &["commit", "-m", "only a", "a.txt"]).status.success());
}

#[test]
fn an_installed_hook_stops_the_push() {
    let repo = Repo::with_hooks();
    repo.git(&["init", "-q", "--bare", "../there.git"]);
    repo.git(&["remote", "add", "origin", "../there.git"]);
    repo.changes();
    repo.git(&["push", "-q", "origin", "main"]);
    repo.commit("a.txt", "Annabella\n");
    let output = git(&repo.at, &["push", "origin", "main"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("BLOCKED_LITERAL"), "{said}");
    assert!(said.contains("a.txt:1:1"), "{said}");
}

#[test]
fn a_missing_program_stops_the_commit_and_is_named() {
    let repo = Repo::new();
    repo.changes();
    repo.write("a.txt", "fine\n");
    repo.git(&["add", "."]);
    let output = git(&repo.at, &["commit", "-m", "good"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("this hook needs the program"), "{said}");
}

#[test]
fn a_hook_that_was_there_is_called_and_comes_back() {
    let repo = Repo::with_hooks();
    repo.git(&["init", "-q", "--bare", "../there.git"]);
    let path =
        repo.script("repo/.git/hooks/pre-push", "cat > ../seen; echo \"$1 $2\" >> ../seen; exit 0");
    let text = std::fs::read(&path).unwrap();
    assert_eq!(repo.changes(), [Change::Created, Change::Chained]);
    assert_eq!(repo.changes(), [Change::Unchanged; 2]);
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["push", "-q", "../there.git", "main"]);
    let seen = std::fs::read_to_string(repo.folder.path().join("seen")).unwrap();
    assert_eq!(
        seen,
        format!(
            "refs/heads/main {head} refs/heads/main {}\n../there.git ../there.git\n",
            "0".repeat(40)
        )
    );
    assert_eq!(repo.removals(), [Change::Removed, Change::Restored]);
    assert_eq!(std::fs::read(&path).unwrap(), text);
    assert_eq!(repo.removals(), [Change::Unchanged; 2]);
    assert!(!repo.at.join(".git/hooks/pre-commit").exists());
}

#[test]
fn the_answer_of_a_hook_that_was_there_still_counts() {
    let repo = Repo::with_hooks();
    repo.script("repo/.git/hooks/pre-commit", "echo no >&2; exit 3");
    repo.changes();
    repo.write("a.txt", "fine\n");
    repo.git(&["add", "."]);
    assert!(!git(&repo.at, &["commit", "-m", "good"]).status.success());
}

#[test]
fn lines_somebody_added_to_our_hook_stay() {
    let repo = Repo::new();
    repo.changes();
    let path = repo.at.join(".git/hooks/pre-commit");
    let ours = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, ours.replace("--staged", "--older") + "echo theirs\n").unwrap();
    assert_eq!(repo.changes(), [Change::Updated, Change::Unchanged]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), ours + "echo theirs\n");
    assert_eq!(repo.removals(), [Change::Removed; 2]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "#!/bin/sh\necho theirs\n");
}

#[test]
fn two_hooks_from_before_are_not_lost() {
    let repo = Repo::new();
    repo.script("repo/.git/hooks/pre-commit", "echo one");
    repo.changes();
    repo.script("repo/.git/hooks/pre-commit", "echo two");
    let failure = hooks::install(&repo.repository()).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillsHookFailed);
    assert!(failure.message.contains("before-clawperator"), "{failure}");
}

#[test]
fn the_hooks_go_where_git_looks_for_them() {
    let repo = Repo::new();
    repo.git(&["worktree", "add", "-q", "../second"]);
    let second = Repository::at(&repo.folder.path().join("second"));
    hooks::install(&second).unwrap();
    let path = repo.at.join(".git/hooks/pre-commit");
    assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o111, 0o111);
    repo.git(&["config", "core.hooksPath", "my hooks"]);
    hooks::install(&repo.repository()).unwrap();
    assert!(repo.at.join("my hooks/pre-push").exists());
}

#[test]
fn outside_of_a_repository_git_says_so() {
    let folder = Folder::new();
    let failure = hooks::install(&Repository::at(folder.path())).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillsHookFailed);
    assert!(failure.message.contains("in no git repository"), "{failure}");
}
