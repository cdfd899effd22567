//! Fetching a repository of skills and keeping it up to date.
//!
//! What was fetched is looked at before it takes the place of what is there: its registry can be
//! read and every file the manifest names has the manifest's hash. Until then, and whenever
//! anything fails, the copy that is there stays as it is.

mod git;

use crate::index::check_manifest;
use crate::problem::Problem;
use crate::registry::{INSTALLED, REGISTRY_FILE, Registry};
use clawperator_contract::{ErrorCode, Failure};
use git::Git;
use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the public skills come from.
pub const DEFAULT_REMOTE: &str = "https://github.com/clawperator/clawperator-skills";
/// Names another place.
pub const REMOTE_VARIABLE: &str = "CLAWPERATOR_SKILLS_REMOTE";
/// The branch that is followed where none is named.
pub const DEFAULT_REF: &str = "main";
/// Time for one call of git: a slow line and a large repository.
pub const GIT_LIMIT: Duration = Duration::from_secs(120);
/// The commit that was put in place last, in the copy's own git folder.
const MARK: &str = "clawperator-synced";

/// From where to where.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The copy.
    pub target: PathBuf,
    /// The repository it is a copy of; without one that of the copy, else the public one.
    pub remote: Option<String>,
    /// The program.
    pub git: PathBuf,
    /// Time for one call of it.
    pub limit: Duration,
}

impl Settings {
    /// Into the home folder, from what was named or what the environment names.
    pub fn from_environment(
        remote: Option<String>,
        limit: Option<Duration>,
    ) -> Result<Self, Failure> {
        let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
        let Some(home) = home else {
            let message = "there is no home folder to put the skills into";
            return Err(Failure::new(ErrorCode::SkillsSyncFailed, message).hint("set HOME"));
        };
        let named = |text: &String| !text.trim().is_empty();
        let variable = std::env::var(REMOTE_VARIABLE).ok();
        Ok(Self {
            target: home.join(INSTALLED),
            remote: remote.or(variable).filter(named),
            git: "git".into(),
            limit: limit.unwrap_or(GIT_LIMIT),
        })
    }
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Synced {
    synced: bool,
    /// It in a sentence.
    pub message: String,
    /// The registry of the copy.
    pub registry_path: String,
    /// The branch, tag or commit that was asked for.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The commit that is there now.
    pub commit: String,
    /// Is it another than before?
    pub changed: bool,
    /// Did the repository have a manifest, and did every hash fit?
    pub verified: bool,
    /// How many skills there are.
    pub total_skills: usize,
    /// What should be mended there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Problem>,
}

/// Fetches the skills, or brings the copy to a branch, tag or commit.
pub fn sync(settings: &Settings, reference: &str) -> Result<Synced, Failure> {
    if reference.is_empty() || reference.starts_with('-') || reference.contains(char::is_whitespace)
    {
        let message = format!("{reference:?} is no branch, tag or commit");
        return Err(Failure::new(ErrorCode::Usage, message).hint("name one, such as --ref main"));
    }
    let parent = settings.target.parent().unwrap_or(Path::new("."));
    let unwritable = |error: io::Error| {
        sync_failed(format!("{}: {error}", parent.display())).hint("check the folder's rights")
    };
    fs::create_dir_all(parent).map_err(unwritable)?;
    let _turn = claim(&settings.target)?;
    let git = Git { program: &settings.git, limit: settings.limit };
    git.is_there()?;
    let copy = Copy { git, settings, reference };
    match settings.target.join(".git").exists() {
        true => copy.update(),
        false => copy.install(parent),
    }
}

fn sync_failed(message: String) -> Failure {
    Failure::new(ErrorCode::SkillsSyncFailed, message)
}

/// The right to fetch, until it is dropped. The system lets go of the lock when its owner ends,
/// however it ends.
#[derive(Debug)]
struct Turn(File);

impl Drop for Turn {
    fn drop(&mut self) {
        // Closing is not enough: a process that is just being started still has the file open.
        let _ = self.0.unlock();
    }
}

/// One at a time.
fn claim(target: &Path) -> Result<Turn, Failure> {
    let path = target.with_extension("lock");
    let wrong = |error: io::Error| sync_failed(format!("{}: {error}", path.display()));
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(wrong)?;
    match file.try_lock() {
        Ok(()) => Ok(Turn(file)),
        Err(TryLockError::WouldBlock) => {
            let message = format!("another process is fetching into {}", target.display());
            Err(sync_failed(message).hint("wait until it is done, then try again"))
        }
        Err(TryLockError::Error(error)) => Err(wrong(error)),
    }
}

/// A folder that is gone when this is.
struct Passing(PathBuf);

impl Drop for Passing {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Copy<'a> {
    git: Git<'a>,
    settings: &'a Settings,
    reference: &'a str,
}

impl Copy<'_> {
    /// Clones beside the target, looks at it, and moves it there.
    fn install(&self, parent: &Path) -> Result<Synced, Failure> {
        let target = &self.settings.target;
        let taken = fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_some());
        if taken {
            let message = format!("{} holds something that is no git repository", target.display());
            return Err(sync_failed(message).hint("move it away, then try again"));
        }
        let remote = self.settings.remote.as_deref().unwrap_or(DEFAULT_REMOTE);
        let new = Passing(parent.join(format!(".skills-new-{}", std::process::id())));
        let folder = new.0.display().to_string();
        self.git.run(None, &["clone", "--quiet", "--no-checkout", "--", remote, &folder])?;
        let commit = self.resolve(&new.0)?;
        self.switch(&new.0, &commit)?;
        let seen = look(&new.0)?;
        self.mark(&new.0, &commit);
        let moved = |error: io::Error| sync_failed(format!("{}: {error}", target.display()));
        if target.exists() {
            fs::remove_dir(target).map_err(moved)?;
        }
        fs::rename(&new.0, target).map_err(moved)?;
        Ok(self.answer(&commit, true, seen))
    }

    /// Fetches into the copy, looks at the new commit in a folder of its own, and switches to it.
    fn update(&self) -> Result<Synced, Failure> {
        let target = self.settings.target.as_path();
        let kept = |failure: Failure| {
            let usable = "the copy that is there is untouched";
            let hint =
                failure.hint.clone().map_or(usable.into(), |hint| format!("{hint}; {usable}"));
            failure.hint(hint)
        };
        self.local_changes(target)?;
        let before = self.git.run(Some(target), &["rev-parse", "HEAD"]).unwrap_or_default();
        let own = self.git.run(Some(target), &["remote", "get-url", "origin"]).ok();
        let named = self.settings.remote.clone().or(own);
        let remote = named.unwrap_or_else(|| DEFAULT_REMOTE.to_owned());
        let branches = "+refs/heads/*:refs/remotes/origin/*";
        let fetch = ["fetch", "--quiet", "--prune", "--tags", "--force", "--", &remote, branches];
        self.git.run(Some(target), &fetch).map_err(kept)?;
        let commit = self.resolve(target).map_err(kept)?;
        let parent = target.parent().unwrap_or(Path::new("."));
        let look_at = Passing(parent.join(format!(".skills-look-{}", std::process::id())));
        let folder = look_at.0.display().to_string();
        self.git.run(Some(target), &["worktree", "prune"])?;
        let add = ["worktree", "add", "--quiet", "--detach", "--force", &folder, &commit];
        self.git.run(Some(target), &add).map_err(kept)?;
        let seen = look(&look_at.0).map_err(kept);
        drop(look_at);
        self.git.run(Some(target), &["worktree", "prune"])?;
        let seen = seen?;
        self.switch(target, &commit).map_err(kept)?;
        self.mark(target, &commit);
        Ok(self.answer(&commit, before != commit, seen))
    }

    /// Work of the owner's that switching would lose.
    fn local_changes(&self, target: &Path) -> Result<(), Failure> {
        let status = ["status", "--porcelain", "--untracked-files=no"];
        let changed = self.git.run(Some(target), &status)?;
        if !changed.is_empty() {
            let files: Vec<String> =
                changed.lines().map(|line| line.get(3..).unwrap_or(line).to_owned()).collect();
            let message =
                format!("{} has changes of its own: {}", target.display(), files.join(", "));
            return Err(sync_failed(message).detail("localChanges", files).hint(format!(
                "commit them elsewhere, or drop them: git -C {} checkout -- .",
                target.display()
            )));
        }
        let head = self.git.run(Some(target), &["rev-parse", "--verify", "--quiet", "HEAD"]);
        let Ok(head) = head else { return Ok(()) };
        let mark = fs::read_to_string(target.join(".git").join(MARK)).unwrap_or_default();
        if mark.trim() == head {
            return Ok(());
        }
        let own = ["log", "--oneline", "HEAD", "--not", "--remotes", "--tags"];
        let commits = self.git.run(Some(target), &own)?;
        if commits.is_empty() {
            return Ok(());
        }
        let commits: Vec<String> = commits.lines().map(str::to_owned).collect();
        let message =
            format!("{} has commits of its own: {}", target.display(), commits.join(", "));
        Err(sync_failed(message)
            .detail("localCommits", commits)
            .hint("push them to a repository of yours and name it with --registry"))
    }

    /// The commit a branch, a tag or a commit's own name means.
    fn resolve(&self, folder: &Path) -> Result<String, Failure> {
        let name = self.reference;
        let ways =
            [format!("refs/remotes/origin/{name}"), format!("refs/tags/{name}"), name.into()];
        for way in &ways {
            let commit = format!("{way}^{{commit}}");
            let ask = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
            if let Ok(commit) = self.git.run(Some(folder), &ask) {
                return Ok(commit);
            }
        }
        let message = format!("the repository has no branch, tag or commit {name:?}");
        Err(sync_failed(message).detail("ref", name).hint("check --ref"))
    }

    fn switch(&self, folder: &Path, commit: &str) -> Result<String, Failure> {
        let branch = format!("refs/remotes/origin/{}", self.reference);
        let known = self.git.run(Some(folder), &["show-ref", "--verify", "--quiet", &branch]);
        match known {
            Ok(_) => {
                self.git.run(Some(folder), &["checkout", "--quiet", "-B", self.reference, commit])
            }
            Err(_) => self.git.run(Some(folder), &["checkout", "--quiet", "--detach", commit]),
        }
    }

    /// Remembers what was put in place, so that it is not taken for the owner's work when the
    /// other side's history is written anew.
    fn mark(&self, folder: &Path, commit: &str) {
        let _ = fs::write(folder.join(".git").join(MARK), commit);
    }

    fn answer(&self, commit: &str, changed: bool, seen: Seen) -> Synced {
        let target = self.settings.target.display();
        let short = commit.get(..12).unwrap_or(commit);
        let message = match changed {
            true => format!("{} skills at {short} in {target}", seen.total),
            false => format!("{target} is at {short} already"),
        };
        Synced {
            synced: true,
            message,
            registry_path: self.settings.target.join(REGISTRY_FILE).display().to_string(),
            reference: self.reference.to_owned(),
            commit: commit.to_owned(),
            changed,
            verified: seen.verified,
            total_skills: seen.total,
            warnings: seen.warnings,
        }
    }
}

/// What a fetched repository holds.
struct Seen {
    total: usize,
    verified: bool,
    warnings: Vec<Problem>,
}

/// Can it be used, and is it what its manifest says?
fn look(root: &Path) -> Result<Seen, Failure> {
    let registry = Registry::load(&root.join(REGISTRY_FILE)).map_err(|failure| {
        sync_failed(format!("what was fetched has no usable registry: {}", failure.message))
    })?;
    let manifest = check_manifest(root);
    if let Some(failure) = manifest.as_ref().and_then(|problems| crate::problem::failure(problems))
    {
        let message =
            format!("what was fetched is not what its manifest says: {}", failure.message);
        return Err(Failure { message, ..failure }
            .hint("somebody changed a generated file, or the fetch was disturbed; tell the repository's owner"));
    }
    Ok(Seen {
        total: registry.skills.len(),
        verified: manifest.is_some(),
        warnings: registry.problems,
    })
}

#[cfg(test)]
mod tests;
