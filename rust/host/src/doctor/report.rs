//! What the doctor says.

use super::repair::Repair;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use serde_json::{Map, Value};

/// The whole examination.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Every critical check passed that could be made: executions will work.
    pub ok: bool,
    /// No critical check failed.
    pub critical_ok: bool,
    /// The phone that was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<String>,
    /// The operator that was looked at.
    pub operator_package: String,
    /// What was looked at, in order.
    pub checks: Vec<Check>,
    /// What was done to mend it, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<Vec<Fixed>>,
    /// What to do next, most urgent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_actions: Vec<String>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// Its stable name.
    pub id: &'static str,
    /// How it stands.
    pub status: Status,
    /// What is wrong, by a code of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    /// The same in a sentence.
    pub summary: String,
    /// More of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// The facts it rests on.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub evidence: Map<String, Value>,
    /// What the doctor itself can do about it.
    #[serde(skip)]
    pub(super) repair: Option<Repair>,
}

/// How a check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All is well.
    Pass,
    /// Executions work, but something is not as it should be.
    Warn,
    /// Executions will not work, or cannot be trusted to.
    Fail,
    /// It could not be looked at, or there is nothing to look at.
    Skipped,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fix {
    /// In a few words.
    pub title: String,
    /// Where the steps work; `any` where it makes no difference.
    pub platform: &'static str,
    /// One after the other.
    pub steps: Vec<Step>,
}

/// One step of a fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Who does it.
    pub kind: StepKind,
    /// A command line, or a sentence.
    pub value: String,
}

/// Who does a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    /// A command of the computer.
    Shell,
    /// A person.
    Manual,
}

/// Something the doctor did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fixed {
    /// The check it was done for.
    pub id: &'static str,
    /// What was done.
    pub action: String,
    /// Does that check pass now?
    pub ok: bool,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
}

/// What executions do not need. Everything else is critical.
const ADVISORY: [&str; 3] =
    ["host.java.version", "readiness.settings.dev_options", "readiness.settings.usb_debugging"];

impl Check {
    fn new(id: &'static str, status: Status, summary: impl Into<String>) -> Self {
        Self {
            id,
            status,
            code: None,
            summary: summary.into(),
            detail: None,
            fix: None,
            evidence: Map::new(),
            repair: None,
        }
    }

    pub(super) fn pass(id: &'static str, summary: impl Into<String>) -> Self {
        Self::new(id, Status::Pass, summary)
    }

    pub(super) fn warn(id: &'static str, code: ErrorCode, summary: impl Into<String>) -> Self {
        Self { code: Some(code), ..Self::new(id, Status::Warn, summary) }
    }

    pub(super) fn fail(id: &'static str, code: ErrorCode, summary: impl Into<String>) -> Self {
        Self { code: Some(code), ..Self::new(id, Status::Fail, summary) }
    }

    pub(super) fn skipped(id: &'static str, why: impl Into<String>) -> Self {
        Self::new(id, Status::Skipped, why)
    }

    /// A failure as it came, with its facts and its hint.
    pub(super) fn failed(id: &'static str, failure: &Failure) -> Self {
        let mut check = Self::fail(id, failure.code, failure.message.as_str());
        check.evidence = failure.details.clone();
        check.detail = failure.hint.clone();
        check
    }

    pub(super) fn evidence(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.evidence.insert(key.into(), value.into());
        self
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Commands that mend it.
    pub(super) fn shell(self, title: &str, commands: &[String]) -> Self {
        self.steps(title, StepKind::Shell, commands)
    }

    /// What a person must do.
    pub(super) fn manual(self, title: &str, steps: &[&str]) -> Self {
        let steps: Vec<_> = steps.iter().map(|step| (*step).to_owned()).collect();
        self.steps(title, StepKind::Manual, &steps)
    }

    fn steps(mut self, title: &str, kind: StepKind, values: &[String]) -> Self {
        let new = || Fix { title: title.to_owned(), platform: "any", steps: Vec::new() };
        let fix = self.fix.get_or_insert_with(new);
        fix.steps.extend(values.iter().map(|value| Step { kind, value: value.clone() }));
        self
    }

    pub(super) fn repair(mut self, repair: Repair) -> Self {
        self.repair = Some(repair);
        self
    }

    fn is_critical(&self) -> bool {
        !ADVISORY.contains(&self.id)
    }
}

impl Report {
    pub(super) fn of(
        checks: Vec<Check>,
        device_id: Option<String>,
        operator_package: &str,
        fixed: Option<Vec<Fixed>>,
    ) -> Self {
        let failed = |check: &Check| check.is_critical() && check.status == Status::Fail;
        let critical_ok = !checks.iter().any(failed);
        // A phone that nobody looked at is not a healthy one.
        let ok = critical_ok && device_id.is_some();
        let next_actions = next_actions(&checks, device_id.as_deref(), fixed.is_some());
        let operator_package = operator_package.to_owned();
        Self { ok, critical_ok, device_id, operator_package, checks, fixed, next_actions }
    }
}

fn next_actions(checks: &[Check], serial: Option<&str>, mended: bool) -> Vec<String> {
    let open = |status: Status| checks.iter().filter(move |check| check.status == status);
    let mut actions: Vec<String> = Vec::new();
    let device = serial.map(|serial| format!(" --device {serial}")).unwrap_or_default();
    if !mended && checks.iter().any(|check| check.repair.is_some()) {
        actions.push(format!("clawperator doctor --fix{device}"));
    }
    let fixes = open(Status::Fail).chain(open(Status::Warn)).filter_map(|check| check.fix.as_ref());
    for step in fixes.flat_map(|fix| &fix.steps) {
        if !actions.contains(&step.value) {
            actions.push(step.value.clone());
        }
    }
    if actions.is_empty() && open(Status::Fail).next().is_none() {
        actions.push(format!("clawperator snapshot{device}"));
    }
    actions
}
