//! The git hooks and what they ask, with real repositories.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

#[path = "support/folder.rs"]
mod folder;

use clawperator_contract::{ErrorCode, Failure};
use clawperator_skills::literals::denylist::Sources;
use clawperator_skills::literals::guard::{Report, scan_push, scan_staged};
use clawperator_skills::literals::hooks::{self, Change};
use clawperator_skills::literals::{Kind, Repository};
use folder::Folder;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A repository with one commit, and a denylist with `Annabella` and `12 Main`.
struct Repo {
    folder: Folder,
    at: PathBuf,
}

fn git(at: &Path, arguments: &[&str]) -> Output {
    let mut git = Command::new("git");
    // The tests may themselves run in a hook, and nobody's own settings are meant here.
    let mine = std::env::vars_os().map(|(name, _)| name);
    for name in mine.filter(|name| name.to_string_lossy().starts_with("GIT_")) {
        git.env_remove(name);
    }
    git.arg("-C").arg(at).args(arguments);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{who}_NAME"), "A Tester");
        git.env(format!("GIT_{who}_EMAIL"), "tester@example.com");
    }
    git.env("CLAWPERATOR_BIN", at.join("../program")).env("CLAWPERATOR_TEST_HOME", at.join(".."));
    git.output().unwrap()
}

impl Repo {
    fn new() -> Self {
        let folder = Folder::new();
        let at = folder.path().join("repo");
        std::fs::create_dir(&at).unwrap();
        folder.write(".clawperator/blocked-terms.txt", "# mine\nAnnabella\n12 Main\n");
        let repo = Self { folder, at };
        repo.git(&["init", "-q", "-b", "main"]);
        repo.write("README.md", "hello\n");
        repo.git(&["add", "."]);
        repo.git(&["commit", "-qm", "first"]);
        repo
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = git(&self.at, arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        self.folder.write(&format!("repo/{name}"), text);
    }

    fn commit(&self, name: &str, text: &str) -> String {
        self.write(name, text);
        self.git(&["add", "."]);
        self.git(&["commit", "-qm", "more", "--no-verify"]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn repository(&self) -> Repository {
        Repository::at(&self.at)
    }

    fn sources(&self) -> Sources {
        let home = Some(self.folder.path().to_owned());
        Sources { named: None, home, repository: Some(self.repository()) }
    }

    fn staged(&self) -> Result<Report, Failure> {
        self.git(&["add", "-A"]);
        scan_staged(&self.repository(), &self.sources())
    }

    fn pushed(&self, refs: &str) -> Result<Report, Failure> {
        scan_push(&self.repository(), &self.sources(), Some("origin"), refs)
    }
}

/// File, line and kind of all that was found.
fn blocked(failure: &Failure) -> Vec<(String, u64, String)> {
    assert_eq!(failure.code, ErrorCode::BlockedLiteral, "{failure}");
    let list = failure.details["blocked"].as_array().unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    list.iter()
        .map(|found| (text(&found["file"]), found["line"].as_u64().unwrap(), text(&found["kind"])))
        .collect()
}

fn one(file: &str, line: u64, kind: Kind) -> Vec<(String, u64, String)> {
    vec![(file.to_owned(), line, kind.name().to_owned())]
}

#[test]
fn a_clean_change_passes_and_says_how_much_was_looked_at() {
    let repo = Repo::new();
    repo.write("a.txt", "one\ntwo\n");
    let report = repo.staged().unwrap();
    assert_eq!((report.files, report.lines, report.denied_terms), (1, 2, 2));
}

#[test]
fn a_new_line_with_a_denied_text_is_named_and_the_text_is_not() {
    let repo = Repo::new();
    repo.commit("a.txt", "1\n2\n3\n4\n5\n");
    repo.write("a.txt", "1\n2\nfor aNNABELLA here\n3\n4\n5\n");
    let failure = repo.staged().unwrap_err();
    assert_eq!(blocked(&failure), one("a.txt", 3, Kind::Denied));
    assert!(failure.message.contains("a.txt:3:5: denied \"a********\""), "{failure}");
    let all = serde_json::to_string(&failure).unwrap().to_lowercase();
    assert!(!all.contains("annabella"), "{all}");
}

#[test]
fn old_lines_and_deleted_ones_are_not_looked_at() {
    let repo = Repo::new();
    repo.commit("a.txt", "Annabella\nx\ny\nAnnabella\n");
    repo.write("a.txt", "x\nnew\ny\nAnnabella\n");
    assert_eq!(repo.staged().unwrap().lines, 1);
}

#[test]
fn a_serial_is_blocked_in_any_file_and_an_email_only_in_a_recipe() {
    let repo = Repo::new();
    repo.write("a.sh", "adb -s R58M123ABCD shell\n# by anna@gmail.com\n");
    repo.write("b.recipe.md", "ask anna@gmail.com\n");
    let failure = repo.staged().unwrap_err();
    let mut expected = one("a.sh", 1, Kind::Serial);
    expected.extend(one("b.recipe.md", 1, Kind::Email));
    assert_eq!(blocked(&failure), expected);
}

#[test]
fn an_allow_comment_on_an_old_line_before_the_new_one_counts() {
    let repo = Repo::new();
    repo.commit("a.sh", "x\n# clawperator:allow serial of the museum's phone\ny\n");
    repo.write("a.sh", "x\n# clawperator:allow serial of the museum's phone\nR58M123ABCD\ny\n");
    assert_eq!(repo.staged().unwrap().lines, 1);
}

#[test]
fn odd_names_renames_and_binary_files_are_no_obstacle() {
    let repo = Repo::new();
    repo.commit("old name.txt", "same\nsame2\nsame3\nsame4\nsame5\n");
    repo.git(&["mv", "old name.txt", "new\tnäme \"x\".txt"]);
    repo.write("new\tnäme \"x\".txt", "same\nsame2\nsame3\nsame4\nsame5\nAnnabella\n");
    repo.write("picture.bin", b"\0\x01Annabella\0");
    repo.write("-dash --cached", "Annabella\n");
    repo.write("latin1.txt", b"gr\xfc\xdfe\nAnnabella\n");
    let failure = repo.staged().unwrap_err();
    let mut found = blocked(&failure);
    found.sort();
    let mut expected = one("-dash --cached", 1, Kind::Denied);
    expected.extend(one("latin1.txt", 2, Kind::Denied));
    expected.extend(one("new\\tnäme \"x\".txt", 6, Kind::Denied));
    assert_eq!(found, expected);
}

#[test]
fn a_files_name_is_looked_at_too() {
    let repo = Repo::new();
    repo.write("notes/annabella.txt", "x\n");
    let failure = repo.staged().unwrap_err();
    assert_eq!(blocked(&failure), one("notes/a********.txt", 0, Kind::Denied));
    assert!(!failure.to_string().contains("annabella"), "{failure}");
}

#[test]
fn nobodys_settings_change_what_is_seen() {
    let repo = Repo::new();
    for (key, value) in [
        ("diff.noprefix", "true"),
        ("color.ui", "always"),
        ("diff.external", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.context", "9"),
        ("core.quotePath", "false"),
        ("diff.wsErrorHighlight", "all"),
        ("log.showSignature", "true"),
        ("format.pretty", "full"),
    ] {
        repo.git(&["config", key, value]);
    }
    let base = repo.git(&["rev-parse", "HEAD"]);
    repo.write("ä b.txt", "\n\nAnnabella\n");
    assert_eq!(blocked(&repo.staged().unwrap_err()), one("ä b.txt", 3, Kind::Denied));
    let head = repo.commit("c.txt", "x\n");
    let refs = format!("refs/heads/main {head} refs/heads/main {base}\n");
    assert_eq!(blocked(&repo.pushed(&refs).unwrap_err()), one("ä b.txt", 3, Kind::Denied));
}

#[test]
fn commits_to_be_pushed_are_looked_at_even_where_a_later_one_mends_them() {
    let repo = Repo::new();
    let base = repo.git(&["rev-parse", "HEAD"]);
    let bad = repo.commit("a.txt", "Annabella\n");
    let head = repo.commit("a.txt", "mended\n");
    let failure =
        repo.pushed(&format!("refs/heads/main {head} refs/heads/main {base}\n")).unwrap_err();
    assert_eq!(blocked(&failure), one("a.txt", 1, Kind::Denied));
    assert_eq!(failure.details["blocked"][0]["commit"], bad);
    assert!(failure.hint.as_ref().unwrap().contains("git rebase"), "{failure:?}");
    let report = repo.pushed(&format!("refs/heads/main {head} refs/heads/main {bad}\n")).unwrap();
    assert_eq!(report.commits, Some(1));
}

#[test]
fn a_new_branch_is_looked_at_from_what_the_remote_has() {
    let repo = Repo::new();
    let zero = "0".repeat(40);
    repo.commit("a.txt", "Annabella\n");
    let head = repo.git(&["rev-parse", "HEAD"]);
    let refs = format!("refs/heads/new {head} refs/heads/new {zero}\n");
    assert_eq!(blocked(&repo.pushed(&refs).unwrap_err()).len(), 1);
    repo.git(&["update-ref", "refs/remotes/origin/main", &head]);
    assert_eq!(repo.pushed(&refs).unwrap().commits, Some(0));
    // The remote's commit was never fetched: all that is not known to be there is looked at.
    repo.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
    let refs = format!("refs/heads/new {head} refs/heads/new {}\n", "1".repeat(40));
    assert_eq!(blocked(&repo.pushed(&refs).unwrap_err()).len(), 1);
    // A branch that is deleted takes nothing along.
    let refs = format!("(delete) {zero} refs/heads/new {head}\n");
    assert_eq!(repo.pushed(&refs).unwrap().commits, Some(0));
    assert_eq!(repo.pushed("nonsense\n").unwrap_err().code, ErrorCode::SkillsHookFailed);
}

#[test]
fn a_merge_is_looked_at_for_what_it_adds_itself() {
    let repo = Repo::new();
    let base = repo.commit("a.txt", "one\n");
    repo.git(&["checkout", "-qb", "side"]);
    repo.commit("a.txt", "side\n");
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("a.txt", "main\n");
    assert!(!git(&repo.at, &["merge", "side"]).status.success(), "the merge was to conflict");
    let head = repo.commit("a.txt", "both, says Annabella\n");
    let failure =
        repo.pushed(&format!("refs/heads/main {head} refs/heads/main {base}\n")).unwrap_err();
    assert_eq!(blocked(&failure), one("a.txt", 1, Kind::Denied));
}

#[test]
fn a_denylist_in_the_repository_or_by_name_adds_to_the_one_at_home() {
    let repo = Repo::new();
    repo.write(".git/info/clawperator-blocked-terms", "Bedlam\n");
    let named = repo.folder.write("mine.txt", "Cuthbert\n");
    let sources = Sources { named: Some(named), ..repo.sources() };
    let denylist = sources.read().unwrap();
    assert_eq!((denylist.len(), denylist.files.len()), (4, 3));
    // A second worktree has the same one.
    repo.git(&["worktree", "add", "-q", "../second"]);
    let repository = Some(Repository::at(&repo.folder.path().join("second")));
    let denylist = Sources { repository, ..Sources::default() }.read().unwrap();
    assert_eq!(denylist.len(), 1);
}

#[test]
fn a_denylist_that_is_tracked_or_missing_is_refused() {
    let repo = Repo::new();
    repo.commit("terms.txt", "Bedlam\n");
    let named = |name: &str| Sources { named: Some(repo.at.join(name)), ..repo.sources() };
    let failure = named("terms.txt").read().unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillsHookFailed);
    assert!(failure.message.contains("tracked by git"), "{failure}");
    assert!(named("none.txt").read().unwrap_err().message.contains("cannot be read"));
    repo.write("untracked.txt", "Bedlam\n");
    assert_eq!(named("untracked.txt").read().unwrap().len(), 3);
}

#[test]
fn without_a_denylist_serials_are_still_looked_for() {
    let repo = Repo::new();
    repo.write("a.txt", "R58M123ABCD\n");
    repo.git(&["add", "."]);
    let failure = scan_staged(&repo.repository(), &Sources::default()).unwrap_err();
    assert_eq!(blocked(&failure), one("a.txt", 1, Kind::Serial));
}

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
                "CLAWPERATOR_TEST_WORDS=\"$*\" exec {} --exact the_program_of_the_hooks --ignored --nocapture >/dev/null",
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
    assert!(failure.message.contains("not a git repository"), "{failure}");
}
