//! What must be seen of a step.

use clawperator_contract::StepResult;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// What must be seen of a step; without `error` it must have succeeded.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expectation {
    error: Option<String>,
    #[serde(default)]
    data: BTreeMap<String, Wanted>,
}

/// What a text of a step must be.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Wanted {
    Exactly(String),
    Contains { contains: String },
    Lacks { lacks: String },
}

impl Wanted {
    fn fits(&self, seen: Option<&str>) -> bool {
        match (self, seen) {
            (Self::Exactly(text), Some(seen)) => seen == text,
            (Self::Contains { contains }, Some(seen)) => seen.contains(contains.as_str()),
            (Self::Lacks { lacks }, Some(seen)) => !seen.contains(lacks.as_str()),
            (_, None) => false,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(text) => write!(f, "{text:?}"),
            Self::Contains { contains } => write!(f, "something with {contains:?} in it"),
            Self::Lacks { lacks } => write!(f, "something without {lacks:?}"),
        }
    }
}

/// What is wrong with these steps, if anything is.
pub(super) fn compare(steps: &[StepResult], wanted: &[Expectation]) -> Option<String> {
    for (step, wanted) in steps.iter().zip(wanted) {
        let problem = wanted.problem(step);
        if problem.is_some() {
            return problem;
        }
    }
    let (ran, expected) = (steps.len(), wanted.len());
    (ran != expected).then(|| format!("{ran} steps ran, {expected} were expected"))
}

impl Expectation {
    fn problem(&self, step: &StepResult) -> Option<String> {
        let outcome = match (&self.error, step.error()) {
            (None, _) if step.success => None,
            (None, _) => Some("success".to_owned()),
            (Some(code), Some(seen)) if seen == code => None,
            (Some(code), _) => Some(code.clone()),
        };
        if let Some(expected) = outcome {
            return Some(format!("expected {expected}, saw {}", told(step)));
        }
        self.data.iter().find_map(|(key, wanted)| {
            let seen = step.data.get(key).map(String::as_str);
            (!wanted.fits(seen)).then(|| {
                let seen = seen.map_or("nothing".to_owned(), short);
                format!("{}: {key} is {seen}, expected {wanted}", step.id)
            })
        })
    }
}

/// A step in a few words.
pub(super) fn told(step: &StepResult) -> String {
    let StepResult { id, action_type, success, data } = step;
    if *success {
        return format!("{id} ({action_type}) succeed");
    }
    let text = |key: &str| data.get(key).map_or("", String::as_str);
    format!("{id} ({action_type}) fail with {}: {}", text("error"), text("message"))
}

/// The beginning of a text: a snapshot fills pages.
fn short(text: &str) -> String {
    let most = text.floor_char_boundary(200);
    let dots = if most < text.len() { "…" } else { "" };
    format!("{:?}{dots}", &text[..most])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The conformance app compares too, from inside; it is held against the same samples.
    const SAMPLES: &str = include_str!("samples.json");

    #[derive(Deserialize)]
    struct Sample {
        steps: Vec<StepResult>,
        expect: Vec<Expectation>,
        problem: Option<String>,
    }

    #[test]
    fn what_was_seen_is_held_against_what_is_wanted() {
        let samples: Vec<Sample> = serde_json::from_str(SAMPLES).unwrap();
        assert!(samples.len() > 10);
        for Sample { steps, expect, problem } in samples {
            assert_eq!(compare(&steps, &expect), problem, "{expect:?}");
        }
    }
}
