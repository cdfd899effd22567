//! From what people write to the canonical payload: aliases become canonical keys and types,
//! whole numbers lose their fraction point, words that may be in any case become lower case.
//!
//! Nothing is judged here: what is of the wrong kind stays as it is, for the reader that follows.

use crate::action::{ActionSpec, ActionType, Kind};
use crate::aliases::{self, Aliases};
use serde_json::{Map, Number, Value};

/// The canonical form of an execution. Applying it twice changes nothing more.
#[must_use]
pub fn execution(mut payload: Value) -> Value {
    if let Some(top) = payload.as_object_mut() {
        rename(top, aliases::EXECUTION, |_| true);
        if let Some(Value::Array(actions)) = top.get_mut("actions") {
            actions.iter_mut().for_each(action);
        }
        for value in top.values_mut() {
            whole_numbers(value);
        }
    }
    payload
}

/// The canonical form of a NodeMatcher, or of a `where` when `selector` is set.
pub fn matcher(value: &mut Value, selector: bool) {
    let Some(object) = value.as_object_mut() else { return };
    rename(object, aliases::MATCHER, |_| true);
    if !selector {
        return;
    }
    rename(object, aliases::SELECTOR, |_| true);
    for key in ["anyOf", "allOf"] {
        if let Some(Value::Array(parts)) = object.get_mut(key) {
            parts.iter_mut().for_each(|part| matcher(part, true));
        }
    }
}

/// The canonical type behind a name. `type_text` is an alias of `enter_text` when the action
/// names a target, and our extension (typing into the focused field) when it does not.
#[must_use]
pub fn action_type(name: &str, params: Option<&Map<String, Value>>) -> Option<ActionType> {
    let kind = ActionType::from_name_or_alias(name)?;
    if kind != ActionType::TypeText {
        return Some(kind);
    }
    let targets = ["matcher", "where", "ref"];
    let spellings = aliases::PARAMS.iter().filter(|(key, _)| targets.contains(key));
    let has_target = params.is_some_and(|params| {
        targets.iter().any(|key| params.contains_key(*key))
            || spellings.flat_map(|(_, others)| *others).any(|key| params.contains_key(*key))
    });
    Some(if has_target { ActionType::EnterText } else { ActionType::TypeText })
}

fn action(action: &mut Value) {
    let Some(object) = action.as_object_mut() else { return };
    let params = object.get("params").and_then(Value::as_object);
    let kind =
        object.get("type").and_then(Value::as_str).and_then(|name| action_type(name, params));
    let Some(spec) = kind.map(ActionType::spec) else { return };
    object.insert("type".into(), spec.name.into());
    if let Some(Value::Object(params)) = object.get_mut("params") {
        self::params(params, spec);
    }
}

fn params(params: &mut Map<String, Value>, spec: &ActionSpec) {
    let takes = |key: &str| spec.field(key).is_some();
    if takes("clickType") {
        long_press(params);
    }
    rename(params, aliases::PARAMS, takes);
    for field in spec.fields {
        let Some(value) = params.get_mut(field.key) else { continue };
        match field.kind {
            Kind::Matcher => matcher(value, false),
            Kind::Selector => matcher(value, true),
            Kind::Retry(_) => {
                if let Some(object) = value.as_object_mut() {
                    rename(object, aliases::RETRY, |_| true);
                }
            }
            Kind::Choice { values, any_case: true } => lower_case(value, values),
            _ => {}
        }
    }
}

/// A boolean alias of `clickType` takes part in "the later one wins" like any other.
fn long_press(params: &mut Map<String, Value>) {
    let is_flag =
        |key: &str, value: &Value| aliases::LONG_PRESS.contains(&key) && value.is_boolean();
    let Some(last) = params.iter().rposition(|(key, value)| is_flag(key, value)) else { return };
    let pressed = params.iter().nth(last).is_some_and(|(_, value)| value == &Value::Bool(true));
    let outranked = params.contains_key("clickType")
        || params.keys().rposition(|key| key == "click_type").is_some_and(|at| at > last);
    params.retain(|key, value| !is_flag(key, value) && (outranked || key != "click_type"));
    if pressed && !outranked {
        params.insert("clickType".into(), "long_click".into());
    }
}

fn lower_case(value: &mut Value, words: &[&str]) {
    let Some(text) = value.as_str() else { return };
    if let Some(word) = words.iter().find(|word| word.eq_ignore_ascii_case(text)) {
        *value = (*word).into();
    }
}

/// Renames aliases in `object`. A canonical key that is there wins; else the last alias does.
fn rename(object: &mut Map<String, Value>, table: &[Aliases], wanted: impl Fn(&str) -> bool) {
    // Most payloads are canonical already; one look over the keys tells.
    let is_alias = |key: &String| table.iter().any(|(_, others)| others.contains(&key.as_str()));
    if !object.keys().any(is_alias) {
        return;
    }
    for (canonical, others) in table {
        if others.is_empty() || !wanted(canonical) {
            continue;
        }
        let Some(last) = object.keys().rfind(|key| others.contains(&key.as_str())).cloned() else {
            continue;
        };
        let value = object.shift_remove(&last);
        object.retain(|key, _| !others.contains(&key.as_str()));
        if let (Some(value), false) = (value, object.contains_key(*canonical)) {
            object.insert((*canonical).into(), value);
        }
    }
}

/// `30000.0` is the same number as `30000`; written back it is the second.
fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(whole) = as_whole(number) {
                *number = whole.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(object) => object.values_mut().for_each(whole_numbers),
        _ => {}
    }
}

/// Beyond 2^53 a float no longer names one whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

#[allow(clippy::cast_possible_truncation, reason = "whole and below 2^53, checked above")]
fn as_whole(number: &Number) -> Option<i64> {
    let float = number.as_f64().filter(|_| number.is_f64())?;
    (float.fract() == 0.0 && float.abs() < EXACT).then_some(float as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn first_action(action: Value) -> Value {
        let mut payload = execution(json!({ "actions": [action] }));
        payload["actions"][0].take()
    }

    #[test]
    fn the_canonical_key_wins_over_its_aliases() {
        let given = json!({"commandId": "a", "command_id": "b"});
        assert_eq!(execution(given), json!({"commandId": "a"}));
    }

    #[test]
    fn of_two_aliases_the_later_one_wins() {
        let action = json!({"type": "open_app", "params": {"package": "one", "app": "two"}});
        assert_eq!(first_action(action)["params"], json!({"applicationId": "two"}));
        let action = json!({"type": "open_app", "params": {"app": "two", "package": "one"}});
        assert_eq!(first_action(action)["params"], json!({"applicationId": "one"}));
    }

    #[test]
    fn an_alias_of_a_key_the_action_does_not_take_stays_as_it_was_typed() {
        let action = json!({"type": "sleep", "params": {"package": "x", "duration_ms": 5.0}});
        assert_eq!(first_action(action)["params"], json!({"package": "x", "durationMs": 5}));
    }

    #[test]
    fn type_text_enters_into_a_target_or_types_into_the_focus() {
        let to_target =
            json!({"type": "type_text", "params": {"selector": {"id": "a"}, "value": "b"}});
        assert_eq!(
            first_action(to_target),
            json!({"type": "enter_text", "params": {"matcher": {"resourceId": "a"}, "text": "b"}})
        );
        let to_focus = json!({"type": "type_text", "params": {"value": "b"}});
        assert_eq!(first_action(to_focus), json!({"type": "type_text", "params": {"text": "b"}}));
    }

    #[test]
    fn long_press_becomes_a_click_type() {
        let long = json!({"type": "tap", "params": {"longPress": true}});
        assert_eq!(first_action(long)["params"], json!({"clickType": "long_click"}));
        let short = json!({"type": "tap", "params": {"longPress": false}});
        assert_eq!(first_action(short)["params"], json!({}));
        let not_a_flag = json!({"type": "tap", "params": {"longPress": "yes"}});
        assert_eq!(first_action(not_a_flag)["params"], json!({"longPress": "yes"}));
    }

    #[test]
    fn selectors_are_renamed_at_every_depth() {
        let mut value = json!({"any_of": [{"text": "a"}, {"all_of": [{"index_in_parent": 1.0}]}]});
        matcher(&mut value, true);
        assert_eq!(
            value,
            json!({"anyOf": [{"textEquals": "a"}, {"allOf": [{"indexInParent": 1.0}]}]})
        );
    }
}
