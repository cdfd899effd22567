//! Asking git.

use clawperator_contract::{ErrorCode, Failure};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A repository, by a folder in it.
#[derive(Clone, Debug)]
pub struct Repository {
    folder: PathBuf,
}

impl Repository {
    /// The repository this folder is in.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The folder it was asked for in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What git prints. Nothing of the environment is taken away: a hook is told by variables
    /// which index is about to be committed.
    pub(super) fn ask<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<Vec<u8>, Failure> {
        let output = self.run(arguments)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        // Outside of a repository git takes some commands for others, and complains of those.
        if !self.agrees(&["rev-parse", "--git-dir"])? {
            let said = format!("{} is in no git repository", self.folder.display());
            return Err(Failure::new(ErrorCode::SkillsHookFailed, said)
                .hint("run it in the repository whose changes are meant"));
        }
        Err(failed(arguments, &output))
    }

    /// Its one line of text.
    pub(super) fn line<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<String, Failure> {
        let text = String::from_utf8_lossy(&self.ask(arguments)?).into_owned();
        Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }

    /// Does git say yes?
    pub(super) fn agrees<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<bool, Failure> {
        Ok(self.run(arguments)?.status.success())
    }

    /// A path inside `.git`, wherever that is: a worktree and core.hooksPath have it elsewhere.
    pub(super) fn path(&self, name: &str) -> Result<PathBuf, Failure> {
        // git answers from the folder it was asked in.
        Ok(self.folder.join(self.line(&["rev-parse", "--git-path", name])?))
    }

    fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Result<Output, Failure> {
        let mut git = Command::new("git");
        git.arg("-C").arg(&self.folder).args(arguments);
        git.stdin(Stdio::null()).env("LC_ALL", "C").output().map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                let failure = Failure::new(ErrorCode::SkillsGitNotFound, "git is not on PATH");
                return failure.hint(ErrorCode::SkillsGitNotFound.remedy());
            }
            Failure::new(ErrorCode::SkillsHookFailed, format!("git could not be run: {error}"))
        })
    }
}

fn failed<A: AsRef<OsStr>>(arguments: &[A], output: &Output) -> Failure {
    let words: Vec<_> = arguments.iter().map(|word| word.as_ref().to_string_lossy()).collect();
    let said = String::from_utf8_lossy(&output.stderr);
    Failure::new(
        ErrorCode::SkillsHookFailed,
        format!("`git {}` failed: {}", words.join(" "), said.trim().lines().next().unwrap_or("")),
    )
}
