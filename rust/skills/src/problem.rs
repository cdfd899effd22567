//! What is wrong with a document, where, and what to do.

use clawperator_contract::{ErrorCode, Failure};
pub use clawperator_tree::Place;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;

/// Does it stop the document from being used?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It must be mended.
    Error,
    /// It should be.
    Warning,
}

impl Severity {
    const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One thing wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Must it be mended?
    pub severity: Severity,
    /// The stable name to branch on.
    pub code: ErrorCode,
    /// The rule it breaks, as `docs/recipes.md` names it.
    pub rule: &'static str,
    /// The file, as the caller named it.
    pub file: String,
    /// From 1; 0 where the whole file is meant.
    pub line: u64,
    /// From 1, in characters.
    pub column: u64,
    /// Characters of the line it is about.
    pub length: u64,
    /// What was seen, and what is wanted instead.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The line itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
}

impl Problem {
    /// As people see it: what, where, the line, and a mark under the place.
    #[must_use]
    pub fn shown(&self) -> String {
        let mut text = format!("{}[{}]: {}\n", self.severity.name(), self.code, self.message);
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let _ = match self.line {
            0 => writeln!(text, "{margin}--> {}", self.file),
            _ => writeln!(text, "{margin}--> {}:{}:{}", self.file, self.line, self.column),
        };
        if let Some(excerpt) = &self.excerpt {
            let before = usize::try_from(self.column.saturating_sub(1)).unwrap_or(0);
            // A tab stays one: so the mark stands under its word whatever a tab's width.
            let blank: String = excerpt
                .chars()
                .take(before)
                .map(|letter| if letter == '\t' { '\t' } else { ' ' })
                .collect();
            let mark = "^".repeat(usize::try_from(self.length).unwrap_or(1).max(1));
            let _ = writeln!(text, "{margin} |\n{number} | {excerpt}\n{margin} | {blank}{mark}");
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(text, "{margin} = {hint}");
        }
        text
    }
}

/// The problems of one document, in the order of its lines.
#[derive(Clone, Debug)]
pub struct Problems<'a> {
    file: &'a str,
    lines: Vec<&'a str>,
    found: Vec<Problem>,
}

impl<'a> Problems<'a> {
    /// None yet.
    #[must_use]
    pub fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, lines: text.lines().collect(), found: Vec::new() }
    }

    /// A line of the document, from 1.
    #[must_use]
    pub fn line(&self, number: u64) -> Option<&'a str> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.lines.get(index).copied()
    }

    /// Adds an error; what is returned takes a hint.
    pub fn error(
        &mut self,
        code: ErrorCode,
        rule: &'static str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Problem {
        self.add(Severity::Error, code, rule, place, message.into())
    }

    /// Adds a warning.
    pub fn warning(
        &mut self,
        code: ErrorCode,
        rule: &'static str,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Problem {
        self.add(Severity::Warning, code, rule, place, message.into())
    }

    fn add(
        &mut self,
        severity: Severity,
        code: ErrorCode,
        rule: &'static str,
        place: Place,
        message: String,
    ) -> &mut Problem {
        // A block that a file breaks off before has its place past the end.
        let lines = u64::try_from(self.lines.len()).unwrap_or(u64::MAX).max(1);
        let place = match place.line > lines {
            true => Place { line: lines, column: 1 },
            false => place,
        };
        let line = self.line(place.line);
        let index = self.found.len();
        self.found.push(Problem {
            severity,
            code,
            rule,
            file: self.file.to_owned(),
            line: place.line,
            column: place.column,
            length: line.map_or(0, |line| word_length(line, place.column)),
            message,
            hint: None,
            excerpt: line.map(str::to_owned),
        });
        &mut self.found[index]
    }

    /// The one noted last.
    pub fn last(&mut self) -> Option<&mut Problem> {
        self.found.last_mut()
    }

    /// Has it an error among them?
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// All of them, by line.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|problem| (problem.line, problem.column, problem.severity));
        self.found
    }
}

/// Characters of the word, key or value that begins there.
fn word_length(line: &str, column: u64) -> u64 {
    let start = usize::try_from(column.saturating_sub(1)).unwrap_or(0);
    let rest: Vec<char> = line.chars().skip(start).collect();
    let end = match rest.first() {
        Some(quote @ ('"' | '\'')) => {
            rest.iter().skip(1).position(|letter| letter == quote).map(|at| at + 2)
        }
        // A heading, all of it.
        Some('#') => None,
        _ => rest.iter().position(|letter| matches!(letter, ':' | ',' | '}' | ']' | '#')),
    };
    let word = &rest[..end.unwrap_or(rest.len())];
    let trimmed = word.iter().rposition(|letter| !letter.is_whitespace()).map_or(1, |at| at + 1);
    u64::try_from(trimmed).unwrap_or(1)
}

/// The first error as the failure of a command, with all problems in its details.
#[must_use]
pub fn failure(problems: &[Problem]) -> Option<Failure> {
    let first = problems.iter().find(|problem| problem.severity == Severity::Error)?;
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let place = match first.line {
        0 => first.file.clone(),
        line => format!("{}:{line}:{}", first.file, first.column),
    };
    let more = match errors {
        1 => String::new(),
        _ => format!(" (and {} more)", errors - 1),
    };
    let mut failure = Failure::new(first.code, format!("{place}: {}{more}", first.message));
    let list: Vec<Value> = problems
        .iter()
        .map(|problem| {
            let mut value = serde_json::to_value(problem).unwrap_or_default();
            value["shown"] = problem.shown().into();
            value
        })
        .collect();
    failure = failure.detail("problems", list);
    failure.hint = first.hint.clone();
    Some(failure)
}

/// Why something was refused: its first error, as [`failure`] tells it.
#[must_use]
pub fn refusal(problems: &[Problem]) -> Failure {
    // Whatever refuses says why; if it does not, that is no reason to go on.
    failure(problems).unwrap_or_else(|| {
        let code = ErrorCode::RecipeInvalid;
        Failure::new(code, "it is no recipe").hint(code.remedy())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_points_at_its_word() {
        let text = "steps:\n\ttxt_contains: Devices\n";
        let mut problems = Problems::new("a.recipe.md", text);
        let place = Place { line: 2, column: 2 };
        problems.error(ErrorCode::RecipeInputMissing, "inputs", place, "no such key").hint =
            Some("did you mean \"text_contains\"?".into());
        let found = problems.into_sorted();
        assert_eq!(
            found[0].shown(),
            "error[RECIPE_INPUT_MISSING]: no such key\n --> a.recipe.md:2:2\n  |\n2 | \ttxt_contains: Devices\n  | \t^^^^^^^^^^^^\n  = did you mean \"text_contains\"?\n"
        );
    }

    #[test]
    fn a_word_ends_where_a_reader_ends_it() {
        assert_eq!(word_length("id: scroll_devices # here", 5), 14);
        assert_eq!(word_length("text: \"a: b\" # x", 7), 6);
        assert_eq!(word_length("[a, bc]", 5), 2);
        assert_eq!(word_length("## Step 1: Go", 1), 13);
        assert_eq!(word_length("", 1), 1);
    }
}
