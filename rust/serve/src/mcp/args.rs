//! What a tool was called with, checked against the table.

use super::table::{Arg, Kind, Tool};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Map, Value};

/// Arguments the tool takes, each of its kind.
#[derive(Debug)]
pub(super) struct Args(Map<String, Value>);

impl Args {
    /// Checks them. `null` is as good as nothing: some clients send it for what is left out.
    pub(super) fn read(tool: &Tool, given: Map<String, Value>) -> Result<Self, Failure> {
        let mut kept = Map::new();
        for (name, value) in given {
            let Some(arg) = tool.args.iter().find(|arg| arg.name == name) else {
                return Err(unknown(tool, &name));
            };
            if !value.is_null() {
                check(arg, &value)?;
                kept.insert(name, value);
            }
        }
        match tool.args.iter().find(|arg| arg.required && !kept.contains_key(arg.name)) {
            Some(missing) => {
                Err(wrong(missing.name, format!("{} needs {}", tool.name, missing.name)))
            }
            None => Ok(Self(kept)),
        }
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    pub(super) fn whole(&self, name: &str) -> Option<u64> {
        self.0.get(name).and_then(as_whole)
    }

    /// Everything, for a tool whose arguments are a document.
    pub(super) fn into_all(self) -> Map<String, Value> {
        self.0
    }
}

fn check(arg: &Arg, value: &Value) -> Result<(), Failure> {
    let fits = match arg.kind {
        Kind::Text => value.as_str().is_some_and(|text| !text.trim().is_empty()),
        Kind::Flag => value.is_boolean(),
        Kind::Whole(least, most) => {
            as_whole(value).is_some_and(|whole| (least..=most).contains(&whole))
        }
        Kind::OneOf(words) => value.as_str().is_some_and(|text| words.contains(&text)),
        Kind::Objects => value.is_array(),
        Kind::Texts => value.as_object().is_some_and(|object| object.values().all(is_plain)),
    };
    if fits {
        return Ok(());
    }
    let takes = match arg.kind {
        Kind::Text => "text that is not blank".to_owned(),
        Kind::Flag => "true or false".to_owned(),
        Kind::Whole(least, most) => format!("a whole number from {least} to {most}"),
        Kind::OneOf(words) => format!("one of {}", words.join(", ")),
        Kind::Objects => "an array of objects".to_owned(),
        Kind::Texts => "an object of texts, numbers and flags".to_owned(),
    };
    Err(wrong(arg.name, format!("{} takes {takes}, not {value}", arg.name)))
}

fn is_plain(value: &Value) -> bool {
    value.is_string() || value.is_number() || value.is_boolean()
}

/// A model may write 540 as 540.0.
fn as_whole(value: &Value) -> Option<u64> {
    let plain = value.as_u64();
    plain.or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        format!("{number:.0}").parse().ok()
    })
}

/// Arguments that cannot be right.
pub(super) fn wrong(path: &str, message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::ExecutionValidationFailed, message).detail("path", path)
}

fn unknown(tool: &Tool, name: &str) -> Failure {
    let known: Vec<_> = tool.args.iter().map(|arg| arg.name).collect();
    wrong(name, format!("{} takes no {name:?}", tool.name))
        .hint(format!("it takes {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::super::table;
    use super::*;
    use serde_json::json;

    fn read(tool: &str, given: Value) -> Result<Args, Failure> {
        Args::read(table::find(tool).unwrap(), given.as_object().unwrap().clone())
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (tool, given, path) in [
            ("click", json!({"txt": "a"}), "txt"),
            ("click", json!({"text": " "}), "text"),
            ("click", json!({"x": -1, "y": 2}), "x"),
            ("click", json!({"x": 1.5, "y": 2}), "x"),
            ("click", json!({"long": "yes"}), "long"),
            ("press", json!({"key": "power"}), "key"),
            ("press", json!({}), "key"),
            ("execute", json!({"actions": {}}), "actions"),
            ("wait", json!({"text": "a", "timeoutMs": 0}), "timeoutMs"),
        ] {
            let failure = read(tool, given.clone()).unwrap_err();
            assert_eq!(failure.details["path"], path, "{given}");
        }
    }

    #[test]
    fn null_is_nothing_and_a_whole_number_may_have_a_point() {
        let args = read("click", json!({"text": null, "x": 540.0, "y": 307})).unwrap();
        assert_eq!(
            (args.text("text"), args.whole("x"), args.whole("y")),
            (None, Some(540), Some(307))
        );
    }
}
