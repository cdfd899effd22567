//! The local denylist: texts its owner never wants to see in a commit. It is never committed itself.

use super::git::Repository;
use clawperator_contract::{ErrorCode, Failure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The variable that names a denylist.
pub const VARIABLE: &str = "CLAWPERATOR_BLOCKED_TERMS_FILE";
/// The denylist of one repository, in its `.git` folder.
pub const IN_REPOSITORY: &str = "info/clawperator-blocked-terms";
/// The denylist of one person, in the home folder.
pub const IN_HOME: &str = ".clawperator/blocked-terms.txt";

/// Where denylists are looked for.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Named by the caller; it has to exist.
    pub named: Option<PathBuf>,
    /// The home folder.
    pub home: Option<PathBuf>,
    /// The repository.
    pub repository: Option<Repository>,
}

impl Sources {
    /// From the environment, for this repository.
    #[must_use]
    pub fn of_the_environment(repository: &Repository) -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        Self {
            named: variable(VARIABLE).map(PathBuf::from),
            home: variable("HOME").map(PathBuf::from),
            repository: Some(repository.clone()),
        }
    }

    /// All denylists there are, as one.
    ///
    /// # Errors
    ///
    /// `SKILLS_HOOK_FAILED` when one cannot be read, is tracked by git, or when the one that was
    /// named is not there: a guard that silently does not look would be worse than none.
    pub fn read(&self) -> Result<Denylist, Failure> {
        let mut denylist = Denylist::default();
        if let Some(path) = &self.named {
            denylist.read(path)?;
        }
        let in_repository =
            self.repository.as_ref().and_then(|repository| repository.path(IN_REPOSITORY).ok());
        let in_home = self.home.as_ref().map(|home| home.join(IN_HOME));
        for path in [in_repository, in_home].into_iter().flatten() {
            if path.exists() && self.named.as_ref() != Some(&path) {
                denylist.read(&path)?;
            }
        }
        Ok(denylist)
    }
}

/// Texts that are not allowed.
#[derive(Clone, Debug, Default)]
pub struct Denylist {
    terms: Vec<Term>,
    /// The files it came from.
    pub files: Vec<PathBuf>,
}

#[derive(Clone, Debug)]
struct Term {
    /// In small letters.
    text: String,
    /// Only as a word of its own?
    whole_word: bool,
}

impl Denylist {
    /// From its text: one literal a line; empty lines and lines that begin with `#` say nothing.
    ///
    /// # Errors
    ///
    /// The number of a line that has a single character: it would block nearly every line.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut terms = Vec::new();
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line.chars().nth(1).is_none() {
                return Err(number);
            }
            terms.push(Term { text: small_letters(line), whole_word: is_word(line) });
        }
        Ok(Self { terms, files: Vec::new() })
    }

    /// Is there nothing on it?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// How many texts are on it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    fn read(&mut self, path: &Path) -> Result<(), Failure> {
        let failed = |reason: String| {
            Failure::new(ErrorCode::SkillsHookFailed, format!("{}: {reason}", path.display()))
                .detail("path", path.display().to_string())
        };
        let text = std::fs::read_to_string(path).map_err(|error| {
            failed(format!("the denylist cannot be read: {error}")).hint(format!(
                "Check {VARIABLE} and the file's permissions; the file is UTF-8, one text a line."
            ))
        })?;
        if is_tracked(path) {
            return Err(failed("the denylist is tracked by git, so all it hides is shared".into())
                .hint("Take it out with `git rm --cached`, and out of the history; keep it outside the repository."));
        }
        let more = Self::parse(&text).map_err(|line| {
            failed(format!(
                "line {line} has a single character, which would block nearly every line"
            ))
            .hint("Write the whole text that must not be committed.")
        })?;
        self.terms.extend(more.terms);
        self.files.push(path.to_owned());
        Ok(())
    }

    /// Where its texts stand in a line, as bytes from and to.
    pub(super) fn find(&self, line: &str) -> Vec<(usize, usize)> {
        if self.terms.is_empty() {
            return Vec::new();
        }
        let small = small_letters(line);
        let hits = self.terms.iter().flat_map(|term| term.find(&small));
        let mut hits: Vec<(usize, usize)> = hits.collect();
        if hits.is_empty() || small.len() == line.len() && small.is_ascii() {
            return hits;
        }
        // A small letter may be longer than its capital, so places have to be found again.
        let mut places = vec![0; small.len() + 1];
        let mut at = 0;
        for (start, letter) in line.char_indices() {
            for _ in small_letter(letter).flat_map(|small| 0..small.len_utf8()) {
                if let Some(place) = places.get_mut(at) {
                    *place = start;
                }
                at += 1;
            }
        }
        if let Some(end) = places.last_mut() {
            *end = line.len();
        }
        for (start, end) in &mut hits {
            let from = places.get(*start).copied().unwrap_or(0);
            let to = places.get(*end).copied().unwrap_or(line.len());
            // Inside a letter that became two: all of it.
            let to = if to > from { to } else { line.ceil_char_boundary(from + 1) };
            (*start, *end) = (from, to);
        }
        hits
    }
}

/// Letter by letter, so that each has its place; a sigma at the end of a word is a sigma.
fn small_letter(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().map(|small| if small == 'ς' { 'σ' } else { small })
}

fn small_letters(text: &str) -> String {
    text.chars().flat_map(small_letter).collect()
}

impl Term {
    fn find<'a>(&'a self, small: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
        let hits = small.match_indices(&self.text).map(|(start, text)| (start, start + text.len()));
        hits.filter(|&(start, end)| {
            let joins = |letter: char| letter.is_alphanumeric() || letter == '_';
            !self.whole_word || !small[..start].ends_with(joins) && !small[end..].starts_with(joins)
        })
    }
}

/// Begins with a letter and has only letters, digits, `_` and `-`.
fn is_word(term: &str) -> bool {
    term.starts_with(char::is_alphabetic)
        && term.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter))
}

/// Does a repository hold this file?
fn is_tracked(path: &Path) -> bool {
    // A link to a tracked file is as bad as the file.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(["--literal-pathspecs", "ls-files", "--error-unmatch", "--"]);
    git.arg(name).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // A hook's variables name the repository that is committed to; this asks the folder's own.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(variable);
    }
    git.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(denylist: &str, line: &str) -> Vec<String> {
        let hits = Denylist::parse(denylist).unwrap().find(line);
        hits.into_iter().map(|(start, end)| line[start..end].to_owned()).collect()
    }

    #[test]
    fn a_word_is_found_as_a_word_and_anything_else_wherever_it_stands() {
        assert_eq!(
            found("Anna", "anna, ANNA and Annabel, _anna, x-anna"),
            ["anna", "ANNA", "anna"]
        );
        assert_eq!(found("12 Main", "at 12 Mainstreet"), ["12 Main"]);
        assert_eq!(found("8bmx", "ID8BMX1"), ["8BMX"]);
        assert_eq!(found("ac-unit", "my ac-unit ac-units"), ["ac-unit"]);
    }

    #[test]
    fn comments_and_empty_lines_say_nothing() {
        let denylist = Denylist::parse("\u{feff}# mine\r\n\r\n  Anna \r\n#x\n").unwrap();
        assert_eq!((denylist.len(), denylist.is_empty()), (1, false));
        assert_eq!(Denylist::parse("ok\nx\n").unwrap_err(), 2);
    }

    #[test]
    fn every_script_has_its_own_small_letters() {
        assert_eq!(found("Jörg", "JÖRG jörgen"), ["JÖRG"]);
        assert_eq!(found("ÉCOLE", "l'école"), ["école"]);
        assert_eq!(found("анна", "АННА"), ["АННА"]);
        // One capital that becomes two letters: the place is still right.
        assert_eq!(found("anna", "İİİ anna İ"), ["anna"]);
        assert_eq!(found("σοφος", "ΣΟΦΟΣ, Σοφος"), ["ΣΟΦΟΣ", "Σοφος"]);
    }
}
