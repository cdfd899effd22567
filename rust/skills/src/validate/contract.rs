//! What a skill says it takes and proves: the parts of it fit each other.

use crate::problem::{Problem, Problems};
use crate::registry::Skill;
use clawperator_contract::ErrorCode;
use clawperator_tree::Place;
use serde_json::Value;

const RULE: &str = "contract";
const CODE: ErrorCode = ErrorCode::SkillValidationFailed;

/// Everything that does not fit. The form of each part was checked with the entry.
pub(super) fn check(file: &str, skill: &Skill) -> Vec<Problem> {
    let mut problems = Problems::new(file, "");
    let Some(contract) = skill.contract() else { return Vec::new() };
    let inputs = contract.get("inputs").and_then(Value::as_object);
    for (name, kind) in inputs.into_iter().flatten() {
        let bounds = kind.as_str().and_then(|kind| {
            let (min, max) = kind.strip_prefix("integer[")?.strip_suffix(']')?.split_once(',')?;
            Some((min.parse::<i64>().ok(), max.parse::<i64>().ok()))
        });
        let message = match bounds {
            Some((Some(min), Some(max))) if min <= max => continue,
            Some((Some(min), Some(max))) => {
                format!("the input {name:?} is at least {min} and at most {max}, so nothing fits")
            }
            Some(_) => format!("a bound of the input {name:?} is too large"),
            None => continue,
        };
        problems.error(CODE, RULE, Place::default(), message);
    }
    let matcher = contract.get("verification").and_then(|proof| proof.get("matcher"));
    for name in matcher.and_then(Value::as_str).map(names).unwrap_or_default() {
        if !inputs.is_some_and(|inputs| inputs.contains_key(name)) {
            let message = format!("the verification speaks of {{{name}}}, which is no input");
            problems.error(CODE, RULE, Place::default(), message);
        }
    }
    problems.into_sorted()
}

/// The names in braces.
fn names(text: &str) -> Vec<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(contract: Value) -> Vec<String> {
        let Value::Object(entry) = json!({ "contract": contract }) else { panic!() };
        check("skill.json", &Skill::of(entry)).into_iter().map(|p| p.message).collect()
    }

    #[test]
    fn bounds_hold_something_and_proofs_speak_of_inputs() {
        let proof = |text: &str| json!({"kind": "node_text_matches", "matcher": text});
        let good = json!({"inputs": {"a": "integer[-5,5]", "b": "string"}, "verification": proof("{a} of {b}")});
        assert!(told(good).is_empty());
        let none = told(json!({"inputs": {"a": "integer[5,-5]"}, "verification": null}));
        assert!(none[0].contains("so nothing fits"), "{none:?}");
        let large = told(json!({"inputs": {"a": "integer[0,99999999999999999999]"}}));
        assert!(large[0].contains("too large"), "{large:?}");
        let stranger = told(json!({"inputs": {}, "verification": proof("{a}%")}));
        assert_eq!(stranger, ["the verification speaks of {a}, which is no input"]);
    }
}
