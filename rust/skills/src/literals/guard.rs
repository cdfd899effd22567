//! What the git hooks ask: does the change hold a text that must not leave this computer?

use super::denylist::Sources;
use super::diff::{self, COMMIT, Hunk, OPTIONS, Patch, SETTINGS};
use super::git::Repository;
use super::{Denylist, Finding, Kind, Options, mask, scan};
use crate::problem::Severity;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;

const ALLOW: &str = "Replace each text, or allow it with `clawperator:allow KIND REASON` in a comment on its line or the one before; a text of the denylist cannot be allowed.";

/// A finding and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blocked {
    /// The commit, when commits were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The file, from the top of the repository.
    pub file: String,
    /// What was found; line 0 is the file's own name.
    #[serde(flatten)]
    pub finding: Finding,
}

/// What a look at a change gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Files that were changed and are still there.
    pub files: usize,
    /// New lines in them.
    pub lines: usize,
    /// Commits that were looked at; none for the staged change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<usize>,
    /// Texts on the denylist; 0 says that only patterns were looked for.
    pub denied_terms: usize,
    /// What was found.
    pub blocked: Vec<Blocked>,
}

/// Looks at what is about to be committed.
///
/// # Errors
///
/// `BLOCKED_LITERAL` when it holds what it must not, `SKILLS_HOOK_FAILED` when git or the denylist
/// cannot be read: a change that could not be looked at does not pass.
pub fn scan_staged(repository: &Repository, sources: &Sources) -> Result<Report, Failure> {
    let denylist = sources.read()?;
    let arguments = [SETTINGS, &["diff", "--cached"], OPTIONS].concat();
    look(&diff::read(&repository.ask(&arguments)?), &denylist, None).verdict()
}

/// Looks at the commits that are about to be pushed. `refs` is what git tells a pre-push hook: a
/// line for each ref with its local name and hash, and its remote name and hash.
///
/// # Errors
///
/// As [`scan_staged`].
pub fn scan_push(
    repository: &Repository,
    sources: &Sources,
    remote: Option<&str>,
    refs: &str,
) -> Result<Report, Failure> {
    let denylist = sources.read()?;
    let (mut wanted, mut known) = (Vec::new(), Vec::new());
    for line in refs.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, local, _, there] = words[..] else {
            return Err(Failure::new(
                ErrorCode::SkillsHookFailed,
                format!("\"{line}\" is not what git tells a pre-push hook"),
            )
            .hint("A line has a local ref, its hash, a remote ref and its hash."));
        };
        if is_hash(local) {
            wanted.push(local.to_owned());
        }
        // The remote may be at a commit that was never fetched.
        if is_hash(there)
            && repository.agrees(&["cat-file", "-e", &format!("{there}^{{commit}}")])?
        {
            known.push(format!("^{there}"));
        }
    }
    if wanted.is_empty() {
        return Report { commits: Some(0), denied_terms: denylist.len(), ..Report::default() }
            .verdict();
    }
    let remotes = match remote {
        // A push to an address has no name, and git gives the address instead.
        Some(name) if !name.contains(['/', ':', '*', '?', '[']) => format!("--remotes={name}"),
        _ => "--remotes".to_owned(),
    };
    let format = format!("--format={COMMIT}%H");
    let mut arguments: Vec<&str> = [SETTINGS, &["log"], OPTIONS].concat();
    arguments.extend(["--cc", "--no-show-signature", "--no-decorate", "--no-notes", &format]);
    arguments.extend(wanted.iter().chain(&known).map(String::as_str));
    arguments.extend(["--not", &remotes, "--"]);
    let printed = repository.ask(&arguments)?;
    let patch = diff::read(&printed);
    let commits = printed.split(|&byte| byte == b'\n').filter(|line| is_commit(line)).count();
    look(&patch, &denylist, Some(commits)).verdict()
}

fn is_hash(text: &str) -> bool {
    text.len() >= 40
        && text.bytes().all(|b| b.is_ascii_hexdigit())
        && text.bytes().any(|b| b != b'0')
}

fn is_commit(line: &[u8]) -> bool {
    line.strip_prefix(COMMIT.as_bytes()).is_some_and(|hash| is_hash(&String::from_utf8_lossy(hash)))
}

fn look(patch: &Patch, denylist: &Denylist, commits: Option<usize>) -> Report {
    let mut blocked = Vec::new();
    let options = Options { denylist: Some(denylist), only: Some(&[]) };
    for (commit, file) in &patch.files {
        // A name of several lines is still one name.
        for mut finding in scan(&file.replace(['\n', '\r'], " "), options) {
            finding.line = 0;
            let file = shown_name(file, denylist);
            blocked.push(Blocked { commit: commit.clone(), file, finding });
        }
    }
    blocked.extend(patch.hunks.iter().flat_map(|hunk| look_at(hunk, denylist)));
    let new = |hunk: &Hunk| hunk.lines.iter().filter(|line| line.is_new).count();
    Report {
        files: patch.files.len(),
        lines: patch.hunks.iter().map(new).sum(),
        commits,
        denied_terms: denylist.len(),
        blocked,
    }
}

/// Only recipes have to be free of everything: elsewhere an author's email may well stand.
fn look_at(hunk: &Hunk, denylist: &Denylist) -> Vec<Blocked> {
    let only = (!is_recipe_file(&hunk.file)).then_some(Kind::DEVICES);
    let options = Options { denylist: Some(denylist), only };
    let lines: Vec<String> = hunk.lines.iter().map(|line| line.text.replace('\r', " ")).collect();
    let mut blocked = Vec::new();
    for mut finding in scan(&lines.join("\n"), options) {
        let index = usize::try_from(finding.line - 1).unwrap_or(usize::MAX);
        let is_new = hunk.lines.get(index).is_some_and(|line| line.is_new);
        // What an unused comment allowed may stand in a part of the file that is not shown here.
        if is_new && finding.severity == Severity::Error {
            finding.line += hunk.first - 1;
            let (commit, file) = (hunk.commit.clone(), shown_name(&hunk.file, denylist));
            blocked.push(Blocked { commit, file, finding });
        }
    }
    blocked
}

/// By its name alone: a template of an execution is shared just as a recipe is.
fn is_recipe_file(file: &str) -> bool {
    file.ends_with(".recipe.md") || file.ends_with(".recipe.json")
}

impl Report {
    /// Itself, or the failure it is.
    fn verdict(self) -> Result<Self, Failure> {
        if self.blocked.is_empty() {
            return Ok(self);
        }
        let list: Vec<Value> =
            self.blocked.iter().filter_map(|found| serde_json::to_value(found).ok()).collect();
        Err(Failure::new(ErrorCode::BlockedLiteral, self.shown())
            .detail("blocked", list)
            .hint(match self.commits {
                None => ALLOW.to_owned(),
                Some(_) => format!("{ALLOW} A commit takes its texts along even when a later one removes them: change the commit itself, with `git rebase -i`."),
            }))
    }

    /// A line for each finding; no text that was found is in it.
    #[must_use]
    pub fn shown(&self) -> String {
        let count = self.blocked.len();
        let mut text = match count {
            1 => "a text that must not be shared is in this change:".to_owned(),
            _ => format!("{count} texts that must not be shared are in this change:"),
        };
        for found in &self.blocked {
            let Blocked { commit, file, finding } = found;
            let short =
                commit.as_ref().map(|hash| format!(" (in {})", hash.get(..10).unwrap_or(hash)));
            let place = match finding.line {
                0 => format!("{file} (its name)"),
                line => format!("{file}:{line}:{}", finding.column),
            };
            let _ = write!(
                text,
                "\n  {place}: {} {}{}. {}",
                finding.kind.name(),
                finding.message(),
                short.unwrap_or_default(),
                finding.suggestion
            );
        }
        text
    }
}

/// The name as it may be shown: without texts of the denylist and on one line.
fn shown_name(file: &str, denylist: &Denylist) -> String {
    let mut shown = file.to_owned();
    let mut hits = denylist.find(file);
    hits.sort_unstable();
    for (start, end) in hits.into_iter().rev() {
        // Hits may overlap; what is behind the last one is masked already.
        let end = end.min(shown.len());
        if shown.is_char_boundary(end) && start < end {
            shown.replace_range(start..end, &mask(&file[start..end]));
        }
    }
    shown
        .chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
        .collect()
}
