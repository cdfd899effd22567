//! A repository to try things in.

use crate::folder::Folder;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_skills::literals::denylist::Sources;
use clawperator_skills::literals::guard::{Report, scan_push, scan_staged};
use clawperator_skills::literals::{Kind, Repository};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A repository with one commit, and a denylist with `Annabella` and `12 Main`.
pub(crate) struct Repo {
    pub(crate) folder: Folder,
    pub(crate) at: PathBuf,
}

pub(crate) fn git(at: &Path, arguments: &[&str]) -> Output {
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
    pub(crate) fn new() -> Self {
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

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = git(&self.at, arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        self.folder.write(&format!("repo/{name}"), text);
    }

    pub(crate) fn commit(&self, name: &str, text: &str) -> String {
        self.write(name, text);
        self.git(&["add", "."]);
        self.git(&["commit", "-qm", "more", "--no-verify"]);
        self.git(&["rev-parse", "HEAD"])
    }

    pub(crate) fn repository(&self) -> Repository {
        Repository::at(&self.at)
    }

    pub(crate) fn sources(&self) -> Sources {
        let home = Some(self.folder.path().to_owned());
        Sources { named: None, home, repository: Some(self.repository()) }
    }

    pub(crate) fn staged(&self) -> Result<Report, Failure> {
        self.git(&["add", "-A"]);
        scan_staged(&self.repository(), &self.sources())
    }

    pub(crate) fn pushed(&self, refs: &str) -> Result<Report, Failure> {
        scan_push(&self.repository(), &self.sources(), Some("origin"), refs)
    }
}

/// File, line and kind of all that was found.
pub(crate) fn blocked(failure: &Failure) -> Vec<(String, u64, String)> {
    assert_eq!(failure.code, ErrorCode::BlockedLiteral, "{failure}");
    let list = failure.details["blocked"].as_array().unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    list.iter()
        .map(|found| (text(&found["file"]), found["line"].as_u64().unwrap(), text(&found["kind"])))
        .collect()
}

pub(crate) fn one(file: &str, line: u64, kind: Kind) -> Vec<(String, u64, String)> {
    vec![(file.to_owned(), line, kind.name().to_owned())]
}
