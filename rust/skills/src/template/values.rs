//! Values for the names in a template.

use super::sha256;
use clawperator_contract::{ErrorCode, Failure, kind_of};
use serde_json::{Map, Number, Value, json};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

const COMMAND_ID: &str = "COMMAND_ID";
const TASK_ID: &str = "TASK_ID";
/// Digits of the hash in an id.
const HASH_DIGITS: usize = 12;
/// Shorter values occur in any sentence by chance; they are only hidden where they are quoted.
const TELLING: usize = 4;

/// Names and what goes in for them. Not to be printed: they may be anybody's.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Values(Vec<(String, String)>);

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl Values {
    /// Of a JSON object; no text at all is an empty one. Texts, numbers, true and false are values.
    pub fn read(text: Option<&str>) -> Result<Self, Failure> {
        let text = text.unwrap_or_default();
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let wrong = |why: String| Failure::new(ErrorCode::CompileVarsParseFailed, why);
        // The parser's words name the place and the kind of the fault, never what stands there.
        let value: Value = serde_json::from_str(text).map_err(|error| {
            wrong(format!(
                "the variables are no JSON: a fault at line {}, column {}",
                error.line(),
                error.column()
            ))
        })?;
        let Value::Object(map) = value else {
            return Err(wrong(format!(
                "the variables must be a JSON object, not {}",
                kind_of(&value)
            )));
        };
        let mut values = Vec::with_capacity(map.len());
        for (name, value) in map {
            let text = match &value {
                Value::String(text) => text.clone(),
                Value::Bool(yes) => yes.to_string(),
                Value::Number(number) => number_text(number),
                other => {
                    let message = format!(
                        "the variable {name:?} must be a text, a number, true or false, not {}",
                        kind_of(other)
                    );
                    return Err(wrong(message).detail("variable", name));
                }
            };
            values.push((name, text));
        }
        Ok(Self(values))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As the recipe language takes them.
    pub(super) fn by_name(&self) -> BTreeMap<String, String> {
        self.0.iter().cloned().collect()
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The same with a command id and a task id, made of all that makes the execution what it is.
    pub(super) fn with_ids(self, skill: &str, artifact: &str) -> Self {
        let hash = self.hash(skill, artifact);
        let mut values = self;
        for (name, id) in [(COMMAND_ID, "cmd"), (TASK_ID, "task")] {
            if values.get(name).is_none_or(str::is_empty) {
                values.0.retain(|(known, _)| known != name);
                values.0.push((name.to_owned(), format!("{id}-{hash}")));
            }
        }
        values
    }

    fn hash(&self, skill: &str, artifact: &str) -> String {
        let mut sorted = self.0.clone();
        sorted.sort_by(|(a, _), (b, _)| name_order(a, b));
        let vars: Map<String, Value> =
            sorted.into_iter().map(|(name, value)| (name, value.into())).collect();
        let seed = json!({"skillId": skill, "artifactName": artifact, "vars": vars}).to_string();
        sha256(seed.as_bytes())[..HASH_DIGITS].to_owned()
    }

    /// A message in which no value can be read.
    pub(super) fn hidden_in(&self, message: &str) -> String {
        let own = [COMMAND_ID, TASK_ID];
        let mut values: Vec<_> =
            self.0.iter().filter(|(name, _)| !own.contains(&name.as_str())).collect();
        // The longest first: one may be a part of another.
        values.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        values.iter().filter(|(_, value)| !value.is_empty()).fold(
            message.to_owned(),
            |message, (name, value)| {
                let shown = format!("{{{{{name}}}}}");
                let message = message.replace(&json!(value).to_string(), &format!("\"{shown}\""));
                let telling = value.chars().count() >= TELLING;
                if telling { message.replace(value.as_str(), &shown) } else { message }
            },
        )
    }
}

/// Names that are whole numbers come first, by size; all others by their UTF-16 units. So it is
/// with the keys of an object in JavaScript, whose order the ids of older tools are made of.
fn name_order(a: &str, b: &str) -> Ordering {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.encode_utf16().cmp(b.encode_utf16()),
    }
}

fn whole(name: &str) -> Option<u32> {
    let number: u32 = name.parse().ok()?;
    (number < u32::MAX && number.to_string() == name).then_some(number)
}

/// A number as JavaScript writes it: so the ids are those of older tools.
fn number_text(number: &Number) -> String {
    let Some(value) = number.as_f64().filter(|value| *value != 0.0) else { return "0".into() };
    // The shortest digits that mean this number, and where the point is.
    let written = format!("{value:e}");
    let (digits, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-7..21).contains(&exponent) {
        return value.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(skill: &str, artifact: &str, vars: &str) -> String {
        Values::read(Some(vars)).unwrap().hash(skill, artifact)
    }

    #[test]
    fn ids_are_those_of_other_tools() {
        let climate = "com.google.android.apps.chromecast.app.get-climate";
        let vars = r#"{"CLIMATE_TILE_NAME":"Master"}"#;
        assert_eq!(hash(climate, "climate-status", vars), "34f46423f545");
        assert_eq!(hash("com.solaxcloud.starter.get-battery", "battery", "{}"), "43e1b2cf4595");
        let numbers = r#"{"b":"2","a":"1","10":"x","9":"y"}"#;
        assert_eq!(hash("a.b", "c", numbers), "56973d60351f");
        assert_eq!(hash("a.b", "c", r#"{"b":2,"a":1,"10":"x","9":"y"}"#), "56973d60351f");
    }

    #[test]
    fn numbers_are_written_as_javascript_does() {
        for (written, text) in [
            ("1", "1"),
            ("-0", "0"),
            ("1.50", "1.5"),
            ("1e21", "1e+21"),
            ("1e20", "100000000000000000000"),
            ("0.000001", "0.000001"),
            ("1e-8", "1e-8"),
            ("-2.5e-9", "-2.5e-9"),
            ("12345678901234567890", "12345678901234567000"),
        ] {
            let number: Number = serde_json::from_str(written).unwrap();
            assert_eq!(number_text(&number), text, "{written}");
        }
    }

    #[test]
    fn what_is_no_value_is_refused_without_being_shown() {
        for text in [r#"{"A":{"secret":1}}"#, r#"["secret"]"#, r#"{"A":null}"#, r#"{"A":"secret"#] {
            let failure = Values::read(Some(text)).unwrap_err();
            assert_eq!(failure.code, ErrorCode::CompileVarsParseFailed);
            assert!(!format!("{failure:?}").contains("secret"), "{failure:?}");
        }
        assert!(Values::read(Some("  ")).unwrap().is_empty());
        assert!(
            !format!("{:?}", Values::read(Some(r#"{"A":"secret"}"#)).unwrap()).contains("secret")
        );
    }
}
