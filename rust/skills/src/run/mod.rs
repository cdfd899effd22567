//! Running a recipe: compile, ask the policy, act, verify, read, cover.
//!
//! What a screen said is in no report, no message and no log of a run, but for outputs whose
//! author says so.

mod outputs;
mod redact;

use crate::compile::{Compiled, Role};
use crate::policy::Profile;
use crate::problem;
use crate::recipe::words::Capability;
use crate::recipe::{Recipe, Step};
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure, Status, StepResult};
pub use outputs::MissingOutput;
pub use redact::{MASK, Redactor};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What a recipe runs on.
pub trait Hand {
    /// Runs one execution and waits for its envelope.
    fn execute(&mut self, execution: &Execution) -> Result<Envelope, Failure>;

    /// Version code of an app, where the phone can tell.
    fn version_code(&mut self, package: &str) -> Result<Option<u64>, Failure>;
}

/// A recipe to be run, and on whose word.
#[derive(Debug)]
pub struct Order<'a> {
    /// The recipe.
    pub recipe: &'a Recipe,
    /// Its file's name and text.
    pub source: (&'a str, &'a str),
    /// Values of its inputs.
    pub inputs: &'a BTreeMap<String, String>,
    /// What lets it through.
    pub profile: &'a Profile,
    /// What somebody said an explicit yes to.
    pub yes: &'a [Capability],
    /// What covers its outputs.
    pub redactor: &'a Redactor,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// As written.
    Success,
    /// To its end, but not all was as the recipe counts on.
    Partial,
    /// It stopped.
    Failed,
}

impl Outcome {
    /// As it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Partial => "partial",
            Self::Failed => "failed",
        }
    }
}

/// What is told of a run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The recipe.
    pub recipe_id: String,
    /// Its version.
    pub recipe_version: String,
    /// How it ended.
    pub status: Outcome,
    /// What it tells, covered.
    pub outputs: Map<String, Value>,
    /// Outputs that are not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_outputs: Vec<MissingOutput>,
    /// Steps whose targets were not as many as the recipe counts on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ambiguities: Vec<Ambiguity>,
    /// Optional steps that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// What should be known beside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What was done, in order.
    pub steps: Vec<StepReport>,
}

/// Targets that were not as many as the recipe counts on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ambiguity {
    /// The step.
    pub step: String,
    /// How many the recipe counts on.
    pub expected: u64,
    /// How many there are.
    pub seen: u64,
    /// Did the run go on all the same?
    pub continued: bool,
}

/// What is told of an action: never what the screen said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// The action's id: the step's, with what it does for it.
    pub id: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Did it work?
    pub success: bool,
    /// The code it failed with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Order<'_> {
    /// What can be said before a phone is asked for: does the policy allow it, and does it compile?
    pub fn prepare(&self) -> Result<Prepared<'_>, Failure> {
        self.profile.admit(self.recipe, self.yes)?;
        let compiled = crate::compile::compile(self.recipe, self.source, self.inputs)
            .map_err(|problems| problem::refusal(&problems))?;
        Ok(Prepared { order: self, compiled })
    }
}

/// Runs a recipe that was found sound.
pub fn run(order: &Order<'_>, hand: &mut dyn Hand) -> Result<Report, Failure> {
    order.prepare()?.run(hand)
}

/// An order that is allowed and compiles.
pub struct Prepared<'a> {
    order: &'a Order<'a>,
    compiled: Compiled,
}

impl Prepared<'_> {
    /// Runs it.
    pub fn run(&self, hand: &mut dyn Hand) -> Result<Report, Failure> {
        let Self { order, compiled } = self;
        let recipe = order.recipe;
        let mut run = Run {
            order,
            compiled,
            results: Vec::new(),
            report: Report {
                recipe_id: recipe.id.clone(),
                recipe_version: recipe.version.to_string(),
                status: Outcome::Success,
                outputs: Map::new(),
                missing_outputs: Vec::new(),
                ambiguities: Vec::new(),
                skipped: Vec::new(),
                warnings: Vec::new(),
                steps: Vec::new(),
            },
        };
        run.compatible(hand)?;
        run.parts(hand)?;
        Ok(run.end())
    }
}

struct Run<'a> {
    order: &'a Order<'a>,
    compiled: &'a Compiled,
    results: Vec<StepResult>,
    report: Report,
}

impl Run<'_> {
    /// Is the app one the recipe was written for?
    fn compatible(&mut self, hand: &mut dyn Hand) -> Result<(), Failure> {
        let recipe = self.order.recipe;
        let limits = recipe.compatibility;
        if limits.min_version_code.is_none() && limits.max_version_code.is_none() {
            return Ok(());
        }
        let package = &recipe.application_id;
        let Some(code) = hand.version_code(package)? else {
            self.report
                .warnings
                .push(format!("the phone does not say which version of {package} it has"));
            return Ok(());
        };
        let below = limits.min_version_code.is_some_and(|min| code < min);
        let above = limits.max_version_code.is_some_and(|max| code > max);
        if !below && !above {
            return Ok(());
        }
        let text = |limit: Option<u64>| limit.map_or("any".into(), |limit| limit.to_string());
        let said = format!(
            "{package} is at version code {code}; the recipe works from {} to {}",
            text(limits.min_version_code),
            text(limits.max_version_code)
        );
        Err(Failure::new(ErrorCode::RecipeAppIncompatible, said)
            .detail("versionCode", code)
            .hint(ErrorCode::RecipeAppIncompatible.remedy()))
    }

    fn parts(&mut self, hand: &mut dyn Hand) -> Result<(), Failure> {
        for part in &self.compiled.parts {
            let envelope = hand.execute(&part.execution)?;
            let ran = part.range().start;
            self.note(&envelope);
            let last = envelope.step_results.len().checked_sub(1);
            let origin = last.and_then(|last| self.compiled.origins.get(ran + last)).copied();
            let counting = origin.filter(|origin| origin.role == Role::Count);
            if let Some(step) = counting.and_then(|origin| origin.step)
                && let Some(result) = envelope.step_results.last()
                && self.counted(step, result)?
            {
                continue;
            }
            if envelope.status == Status::Success {
                continue;
            }
            let step =
                origin.and_then(|origin| origin.step).map(|step| &self.order.recipe.steps[step]);
            match step {
                Some(step) if part.is_optional() => self.report.skipped.push(step.id.clone()),
                _ => return Err(self.failed(&envelope, step, origin.map(|origin| origin.role))),
            }
        }
        Ok(())
    }

    fn note(&mut self, envelope: &Envelope) {
        for result in &envelope.step_results {
            self.report.steps.push(StepReport {
                id: result.id.clone(),
                kind: result.action_type.clone(),
                success: result.success,
                error: result.error().map(str::to_owned),
            });
        }
        self.results.extend(envelope.step_results.iter().cloned());
    }

    /// Compares the targets there are with those the recipe counts on. True if the run may go on;
    /// false if the counting itself failed otherwise.
    fn counted(&mut self, step: usize, result: &StepResult) -> Result<bool, Failure> {
        let recipe = self.order.recipe;
        let step = &recipe.steps[step];
        let expected = step.expect_count.unwrap_or(1);
        let none = result.error() == Some(ErrorCode::NodeNotFound.name());
        if !result.success && !none {
            return Ok(false);
        }
        let seen = result.data.get("count").and_then(|count| count.parse().ok()).unwrap_or(0);
        if seen == expected {
            return Ok(true);
        }
        let continued = !recipe.changes(step) && (seen > 0 || step.optional);
        let ambiguity = Ambiguity { step: step.id.clone(), expected, seen, continued };
        self.report.ambiguities.push(ambiguity);
        if continued {
            return Ok(true);
        }
        let said = format!(
            "\"{}\" counts on {expected} targets and there are {seen}; nothing was changed by it",
            step.id
        );
        Err(self.stopped(ErrorCode::RecipeTargetAmbiguous, said))
    }

    fn failed(&mut self, envelope: &Envelope, step: Option<&Step>, role: Option<Role>) -> Failure {
        let result = envelope.first_failure();
        let name = envelope.error_code.as_deref().or_else(|| result.and_then(StepResult::error));
        let code = name.and_then(|name| name.parse::<ErrorCode>().ok());
        let told = code.map_or("it failed", ErrorCode::meaning).trim_end_matches('.');
        let verifying = role == Some(Role::Confirm) || step.is_some_and(|step| self.verifies(step));
        let whole = envelope.error_code.is_some();
        match step {
            Some(step) if verifying && !whole => {
                let said = format!("\"{}\" did not see what was to be seen: {told}", step.id);
                self.stopped(ErrorCode::VerifyFailed, said)
            }
            Some(step) => {
                let said =
                    format!("the step \"{}\" (line {}) failed: {told}", step.id, step.place.line);
                self.stopped(code.unwrap_or(ErrorCode::Unknown), said)
            }
            None => {
                let said = format!("the app could not be started anew: {told}");
                self.stopped(code.unwrap_or(ErrorCode::Unknown), said)
            }
        }
    }

    /// Does this step look at something that was changed before it?
    fn verifies(&self, step: &Step) -> bool {
        let recipe = self.order.recipe;
        let before = recipe.steps.iter().take_while(|other| other.id != step.id);
        step.looks()
            && (step.verifies.is_some() || before.into_iter().any(|other| recipe.changes(other)))
    }

    fn stopped(&mut self, code: ErrorCode, said: String) -> Failure {
        self.report.status = Outcome::Failed;
        let report = serde_json::to_value(&self.report).unwrap_or_default();
        Failure::new(code, said).detail("report", report).hint(code.remedy())
    }

    fn end(mut self) -> Report {
        let order = self.order;
        let (outputs, missing) = outputs::read(order.recipe, &self.results, order.redactor);
        self.report.outputs = outputs;
        self.report.missing_outputs = missing;
        let whole = self.report.missing_outputs.is_empty()
            && self.report.ambiguities.is_empty()
            && self.report.skipped.is_empty();
        self.report.status = if whole { Outcome::Success } else { Outcome::Partial };
        self.report
    }
}
