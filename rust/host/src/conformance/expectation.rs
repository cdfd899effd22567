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
    use clawperator_contract::ErrorCode;

    fn wanted(text: &str) -> Vec<Expectation> {
        serde_json::from_str(text).unwrap()
    }

    fn read(text: &str) -> StepResult {
        let data = [("text".to_owned(), text.to_owned())].into();
        StepResult::success("s1", "read_text", data)
    }

    #[test]
    fn what_was_seen_is_held_against_what_is_wanted() {
        let failed = StepResult::failure("s1", "click", ErrorCode::NodeNotFound, "none");
        let table: &[(&[StepResult], &str, Option<&str>)] = &[
            (&[read("a")], r#"[{"data":{"text":"a"}}]"#, None),
            (&[read("abc")], r#"[{"data":{"text":{"contains":"b"}}}]"#, None),
            (&[read("abc")], r#"[{"data":{"text":{"lacks":"x"}}}]"#, None),
            (std::slice::from_ref(&failed), r#"[{"error":"NODE_NOT_FOUND"}]"#, None),
            (&[read("a")], r#"[{"data":{"text":"b"}}]"#, Some(r#"s1: text is "a", expected "b""#)),
            (
                &[read("a")],
                r#"[{"data":{"value":"b"}}]"#,
                Some(r#"s1: value is nothing, expected "b""#),
            ),
            (
                &[read("ab")],
                r#"[{"data":{"text":{"lacks":"b"}}}]"#,
                Some(r#"s1: text is "ab", expected something without "b""#),
            ),
            (
                &[read("a")],
                r#"[{"error":"NODE_NOT_FOUND"}]"#,
                Some("expected NODE_NOT_FOUND, saw s1 (read_text) succeed"),
            ),
            (
                std::slice::from_ref(&failed),
                "[{}]",
                Some("expected success, saw s1 (click) fail with NODE_NOT_FOUND: none"),
            ),
            (&[read("a")], "[{},{}]", Some("1 steps ran, 2 were expected")),
        ];
        for (steps, text, problem) in table {
            assert_eq!(compare(steps, &wanted(text)).as_deref(), *problem, "{text}");
        }
    }
}
