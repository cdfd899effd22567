//! What a well-formed recipe must still show before it may act: that it proves what it changes,
//! that it says what it does, and that nothing in it belongs to one person.

mod capabilities;
mod selectors;
mod verification;

use crate::literals::denylist::{Denylist, Sources};
use crate::literals::{self, Repository};
use crate::problem::{self, Problem, Problems, Severity};
use crate::recipe::words::{RecipeType, ValueType};
use crate::recipe::{self, Recipe, Rule};
use clawperator_contract::{ErrorCode, Failure};
use std::path::Path;

/// A document with everything that is to be said about it.
#[derive(Debug)]
pub struct Checked {
    /// The recipe, where the document is well formed: it can be compiled, not yet be run.
    pub recipe: Option<Recipe>,
    /// What is wrong with it, in the order of its lines.
    pub problems: Vec<Problem>,
}

impl Checked {
    /// Has it no errors?
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.recipe.is_some() && self.problems.iter().all(|p| p.severity != Severity::Error)
    }

    /// The recipe, if it may act.
    pub fn sound(&self) -> Result<&Recipe, Failure> {
        match problem::failure(&self.problems) {
            Some(failure) => Err(failure),
            None => self.well_formed(),
        }
    }

    /// The recipe, if it can be compiled: what only stops a run does not matter.
    pub fn well_formed(&self) -> Result<&Recipe, Failure> {
        self.recipe.as_ref().ok_or_else(|| problem::refusal(&self.problems))
    }
}

/// The same as [`check`], with the denylist that holds in a folder: the user's and its repository's.
pub fn check_in(folder: &Path, file: &str, text: &str) -> Result<Checked, Failure> {
    let denylist = Sources::of_the_environment(&Repository::at(folder)).read()?;
    Ok(check(file, text, Some(&denylist)))
}

/// Reads a document and holds it to every rule. The denylist holds texts that are never to be in
/// it, beside those the detector finds by their form.
#[must_use]
pub fn check(file: &str, text: &str, denylist: Option<&Denylist>) -> Checked {
    let read = recipe::read(file, text);
    let mut found = read.problems;
    found.extend(literals(file, text, denylist));
    if let Some(recipe) = &read.recipe {
        let mut problems = Problems::new(file, text);
        verification::check(recipe, &mut problems);
        capabilities::check(recipe, &mut problems);
        selectors::check(recipe, &mut problems);
        outputs(recipe, &mut problems);
        probe(recipe, &mut problems);
        found.extend(problems.into_sorted());
    }
    found.sort_by_key(|problem| (problem.line, problem.column));
    Checked { recipe: read.recipe, problems: found }
}

/// Texts that belong to one person, phone or home, anywhere in the document: it is shared as a
/// whole. The lines themselves are not repeated.
fn literals(file: &str, text: &str, denylist: Option<&Denylist>) -> Vec<Problem> {
    let findings = literals::scan(text, literals::Options { denylist, only: None });
    findings.into_iter().map(|finding| literal(file, finding)).collect()
}

/// A finding of the detector, without the line it is on: that is what must not go about.
pub(crate) fn literal(file: &str, finding: literals::Finding) -> Problem {
    Problem {
        severity: finding.severity,
        code: ErrorCode::RecipeLiteralFound,
        rule: Rule::Literals.name(),
        file: file.to_owned(),
        line: finding.line,
        column: finding.column,
        length: finding.length,
        message: finding.message(),
        hint: Some(finding.suggestion.to_owned()),
        excerpt: None,
    }
}

/// A probe looks, and nothing else.
fn probe(recipe: &Recipe, problems: &mut Problems<'_>) {
    if recipe.kind != RecipeType::Probe {
        return;
    }
    for step in recipe.steps.iter().filter(|step| step.clicks()) {
        let said = format!("a probe changes nothing, but \"{}\" clicks", step.id);
        problems
            .error(ErrorCode::RecipeInvalid, Rule::Verification.name(), step.place, said)
            .hint = Some("make it a flow, or an action if something is changed".into());
    }
}

/// Outputs that come from nowhere, and steps whose result is no text for them.
fn outputs(recipe: &Recipe, problems: &mut Problems<'_>) {
    for output in &recipe.outputs {
        if recipe.source_of(output).is_none() {
            let said = format!("nothing says where the output \"{}\" comes from", output.name);
            problems
                .warning(ErrorCode::RecipeInvalid, Rule::Outputs.name(), output.place, said)
                .hint = Some("add `from: <step id>`, or give a read_text step that id".into());
        }
        if output.kind == ValueType::String && output.redaction == recipe::words::Redaction::None {
            let said = format!("the output \"{}\" is a text and is shown as it is", output.name);
            problems
                .warning(ErrorCode::RecipeInvalid, Rule::Outputs.name(), output.place, said)
                .hint =
                Some("leave redaction out, or make sure it can hold nothing of a person".into());
        }
    }
}
