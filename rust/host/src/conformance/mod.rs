//! One fixed list of executions on the conformance app, with what must come of each. It is the
//! same for every phone: simulated, in the laboratory, an emulator, on the desk.

mod expectation;

use crate::device::Device;
use crate::dispatch::{self, Route};
use crate::ids;
use clawperator_contract::execution::EXPECTED_FORMAT;
use clawperator_contract::{ErrorCode, Execution, Failure, StepResult};
use expectation::Expectation;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The app the checks are about.
pub const PACKAGE: &str = "com.clawperator.conformance";

const CHECKS: &str = include_str!("../../conformance/checks.json");

/// A command of the phone's shell.
const COMMAND: Duration = Duration::from_secs(20);

/// Every check begins where the app does.
const FRESH: usize = 3;

/// One check, as the list has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Check {
    name: String,
    /// The Android from which on it can hold.
    #[serde(default)]
    since_api: u32,
    actions: Vec<Value>,
    /// One for each step that must have run; fewer than actions where the execution must end.
    expect: Vec<Expectation>,
}

/// What came of the whole list.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Did all pass?
    pub ok: bool,
    /// The phone.
    pub device_id: String,
    /// How many passed.
    pub passed: usize,
    /// How many did not.
    pub failed: usize,
    /// How many this phone is too old for.
    pub skipped: usize,
    /// Each of them, in order.
    pub checks: Vec<Outcome>,
}

/// What came of one check.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// What it holds.
    pub name: String,
    /// Did it pass, or was it skipped?
    pub ok: bool,
    /// Why it was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// The link that carried it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<&'static str>,
    /// How long it took.
    pub duration_ms: u64,
    /// What was seen instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What came of its steps, those that open the app included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepResult>,
}

/// Runs the list; each outcome is told as it comes.
pub fn run(route: &Route<'_>, mut told: impl FnMut(&Outcome)) -> Result<Report, Failure> {
    let checks: Vec<Check> = serde_json::from_str(CHECKS).map_err(|error| {
        Failure::new(ErrorCode::InternalError, format!("the list of checks: {error}"))
    })?;
    let api = api_level(route.device)?;
    let mut outcomes = Vec::new();
    for check in checks {
        if route.stop.is_asked() {
            return Err(Failure::new(ErrorCode::ExecutionCancelled, "the run was stopped"));
        }
        let outcome = if api < check.since_api { too_old(check, api) } else { one(route, check)? };
        told(&outcome);
        outcomes.push(outcome);
    }
    let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|o| wanted(o)).count();
    let failed = count(|outcome| !outcome.ok);
    let skipped = count(|outcome| outcome.skipped.is_some());
    let passed = outcomes.len() - failed - skipped;
    let device_id = route.device.serial().to_owned();
    Ok(Report { ok: failed == 0, device_id, passed, failed, skipped, checks: outcomes })
}

fn api_level(device: &dyn Device) -> Result<u32, Failure> {
    let said = device.shell("getprop ro.build.version.sdk", COMMAND)?;
    said.text().trim().parse().map_err(|_| {
        let code = ErrorCode::DeviceShellUnavailable;
        let message = format!("the phone does not tell its API level; it said: {}", said.said());
        Failure::new(code, message).hint(code.remedy())
    })
}

fn too_old(check: Check, api: u32) -> Outcome {
    let why = format!("Android tells this from API level {} on; this is {api}", check.since_api);
    Outcome {
        name: check.name,
        ok: true,
        skipped: Some(why),
        link: None,
        duration_ms: 0,
        problem: None,
        steps: Vec::new(),
    }
}

fn one(route: &Route<'_>, check: Check) -> Result<Outcome, Failure> {
    let started = Instant::now();
    let execution = execution(&check)?;
    // A phone that cannot be reached fails the run, not the check.
    let done = dispatch::execute(route, &execution, &mut ())?;
    let steps = &done.envelope.step_results;
    let fresh = steps.iter().take(FRESH).find(|step| !step.success);
    if fresh.and_then(StepResult::error) == Some(ErrorCode::AppNotFound.name()) {
        // Every other check would say the same, and slowly.
        let code = ErrorCode::AppNotFound;
        let message = format!("{PACKAGE} is not installed on {}", route.device.serial());
        return Err(Failure::new(code, message).hint("Install the conformance app first."));
    }
    let problem = match fresh {
        Some(step) => Some(format!("the app did not come up: {}", expectation::told(step))),
        None => expectation::compare(steps.get(FRESH..).unwrap_or_default(), &check.expect),
    };
    Ok(Outcome {
        name: check.name,
        ok: problem.is_none(),
        skipped: None,
        link: Some(done.link.name()),
        duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        problem,
        steps: done.envelope.step_results,
    })
}

fn execution(check: &Check) -> Result<Execution, Failure> {
    let fresh = [
        json!({ "id": "close", "type": "close_app", "params": { "applicationId": PACKAGE } }),
        json!({ "id": "open", "type": "open_app", "params": { "applicationId": PACKAGE } }),
        json!({ "id": "up", "type": "wait_for_node", "params": {
            "matcher": { "resourceId": format!("{PACKAGE}:id/counter_button") },
            "timeoutMs": 15_000,
        } }),
    ];
    let own = check.actions.iter().enumerate().map(|(index, action)| {
        let mut action = action.clone();
        action["id"] = format!("s{}", index + 1).into();
        action
    });
    let actions: Vec<Value> = fresh.into_iter().chain(own).collect();
    let id = ids::command("conformance");
    Ok(Execution::from_value(json!({
        "commandId": id, "taskId": "conformance", "source": "clawperator-conformance",
        "expectedFormat": EXPECTED_FORMAT, "timeoutMs": 60_000, "actions": actions,
    }))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_check_is_an_execution_and_says_what_it_expects() {
        let checks: Vec<Check> = serde_json::from_str(CHECKS).unwrap();
        let mut names = BTreeSet::new();
        for check in &checks {
            execution(check).unwrap_or_else(|failure| panic!("{}: {failure}", check.name));
            assert!(!check.expect.is_empty(), "{}", check.name);
            assert!(check.expect.len() <= check.actions.len(), "{}", check.name);
            assert!(names.insert(&check.name), "{} twice", check.name);
        }
        assert!(checks.len() >= 30);
    }

    #[test]
    fn what_a_phone_is_too_old_for_is_skipped_with_the_reason() {
        let checks: Vec<Check> = serde_json::from_str(CHECKS).unwrap();
        let newer = checks.into_iter().find(|check| check.since_api > 0).unwrap();
        let outcome = too_old(newer, 30);
        assert!(outcome.ok && outcome.problem.is_none(), "{outcome:?}");
        let why = "Android tells this from API level 34 on; this is 30";
        assert_eq!(outcome.skipped.as_deref(), Some(why));
    }
}
