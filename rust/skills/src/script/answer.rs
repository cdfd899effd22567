//! What a run is answered with.

use super::Request;
use super::frame::{self, SkillResult, Verdict};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_process::{Ended, Printed, Run, signal_name};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// A run that succeeded; the same facts are the details of one that did not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ran {
    /// The skill.
    pub skill_id: String,
    /// The file that ran.
    pub script: String,
    /// The script's exit code; none when a signal ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// Was it ended because its time was over?
    pub timed_out: bool,
    /// How long it ran.
    pub duration_ms: u64,
    /// How long it might have run.
    pub timeout_ms: u64,
    /// What it printed.
    pub stdout: Printed,
    /// What it said about itself.
    pub stderr: Printed,
    /// The result frame it ended with.
    pub skill_result: Option<SkillResult>,
    /// What is odd but no failure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A run on its way to an answer.
pub(super) struct Answer<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) script: &'a Path,
    pub(super) run: Run,
    /// Did it print what it was to print?
    pub(super) as_expected: bool,
    /// How many lines of its output are the marker of a result.
    pub(super) markers: u64,
}

impl Answer<'_> {
    /// The success it is, or the first failure: time, frame, exit, expected text, proof.
    pub(super) fn judged(self) -> Result<Ran, Failure> {
        let (request, ended, status) = (self.request, self.run.ended, self.run.status);
        let mut ran = Ran {
            skill_id: request.skill_id.to_owned(),
            script: self.script.display().to_string(),
            exit_code: status.and_then(|status| status.code()),
            signal: status.and_then(signal_name),
            timed_out: ended == Some(Ended::TimedOut),
            duration_ms: milliseconds(self.run.duration),
            timeout_ms: milliseconds(request.limits.timeout),
            stdout: self.run.stdout,
            stderr: self.run.stderr,
            skill_result: None,
            warnings: Vec::new(),
        };
        if let Some(why) = ended {
            return Err(ran.ended(why));
        }
        match frame::read(&ran.stdout, self.markers, request.skill_id) {
            Ok(result) => {
                ran.warnings = result.iter().flat_map(|found| found.warnings.clone()).collect();
                ran.skill_result = result;
            }
            Err(failure) => return Err(ran.facts(failure)),
        }
        let verdict = frame::judge(request.verification_declared, ran.skill_result.as_ref());
        if ran.exit_code != Some(0) || verdict == Verdict::Failed {
            return Err(ran.failed());
        }
        if !self.as_expected {
            return Err(ran.lacks(request.expect_contains.unwrap_or_default()));
        }
        if let Verdict::Indeterminate(reason) = verdict {
            let message = format!("{} ran, but {reason}", request.skill_id);
            let failure = Failure::new(ErrorCode::SkillVerificationIndeterminate, message)
                .hint(ErrorCode::SkillVerificationIndeterminate.remedy())
                .detail("status", "indeterminate");
            return Err(ran.facts(failure));
        }
        Ok(ran)
    }
}

impl Ran {
    fn ended(&self, why: Ended) -> Failure {
        let (code, message) = match why {
            Ended::TimedOut => (
                ErrorCode::SkillExecutionTimeout,
                format!(
                    "{} had not ended after {} ms and was stopped with all it started",
                    self.script, self.timeout_ms
                ),
            ),
            Ended::Stopped => (
                ErrorCode::SkillExecutionFailed,
                format!("{} was stopped on request after {} ms", self.script, self.duration_ms),
            ),
        };
        let failure = Failure::new(code, message).detail("stopped", why == Ended::Stopped);
        let failure = match why {
            Ended::TimedOut => failure.hint(code.remedy()),
            Ended::Stopped => failure,
        };
        self.facts(failure)
    }

    fn failed(&self) -> Failure {
        let how = match (self.exit_code, &self.signal) {
            (Some(0), _) => "says in its result that it failed".to_owned(),
            (Some(code), _) => format!("ended with exit code {code}"),
            (None, Some(signal)) => format!("was ended by {signal}"),
            (None, None) => "ended in an unknown way".to_owned(),
        };
        let last = [&self.stderr, &self.stdout].into_iter().find_map(last_line);
        let words = last.map(|line| format!(": {line}")).unwrap_or_default();
        let message = format!("{} {how}{words}", self.script);
        let failure = Failure::new(ErrorCode::SkillExecutionFailed, message)
            .hint(ErrorCode::SkillExecutionFailed.remedy());
        self.facts(failure)
    }

    fn lacks(&self, expected: &str) -> Failure {
        let message = format!("{} did not print \"{expected}\"", self.script);
        let failure = Failure::new(ErrorCode::SkillOutputAssertionFailed, message)
            .hint(ErrorCode::SkillOutputAssertionFailed.remedy())
            .detail("expectedSubstring", expected);
        self.facts(failure)
    }

    /// The failure with all that is known of the run.
    fn facts(&self, mut failure: Failure) -> Failure {
        if let Ok(Value::Object(facts)) = serde_json::to_value(self) {
            failure.details.extend(facts);
        }
        failure
    }
}

/// A message has room for one line, not for a page in one line.
const LINE: usize = 200;

fn last_line(printed: &Printed) -> Option<String> {
    let line = printed.text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(LINE).collect())
}

fn milliseconds(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
