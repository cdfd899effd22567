//! The parameters of one action, field by field, then the rules between them.

use super::nodes;
use super::problems::{fail, known_keys, text_problem};
use crate::action::{ACTIONS, ActionSpec, ActionType, Field, HostNumber, Kind, Rule};
use crate::aliases;
use crate::invalid::{Invalid, Path, kind_of};
use crate::limits::MAX_MATCHER_VALUE_LENGTH;
use crate::pattern;
use crate::retry::RETRY_KEYS;
use serde_json::{Map, Value};

/// The action whose parameters are being checked, and where they stand.
pub(super) struct Context<'a> {
    pub(super) spec: &'static ActionSpec,
    pub(super) path: &'a Path<'a>,
}

impl Context<'_> {
    /// Checks `params` and puts them into the order of the table.
    pub(super) fn check(
        &self,
        mut params: Map<String, Value>,
    ) -> Result<Map<String, Value>, Invalid> {
        self.known(&params)?;
        for field in self.spec.fields {
            match params.get(field.key) {
                Some(value) => self.field(field, value)?,
                None if field.required => return Err(self.missing(field)),
                None => {}
            }
        }
        for rule in self.spec.rules {
            self.rule(*rule, &params)?;
        }
        let in_order = self.spec.fields.iter();
        Ok(in_order
            .filter_map(|field| Some((field.key.to_owned(), params.remove(field.key)?)))
            .collect())
    }

    fn known(&self, params: &Map<String, Value>) -> Result<(), Invalid> {
        let keys: Vec<_> = self.spec.fields.iter().map(|field| field.key).collect();
        let what = format!("{} params", self.spec.name);
        known_keys(params, &keys, aliases::PARAMS, self.path, &what)
            .map_err(|invalid| self.explain_key(invalid))
    }

    /// A better hint for keys that mean something, only not here.
    fn explain_key(&self, invalid: Invalid) -> Invalid {
        let Some(key) = invalid.invalid_keys.first().cloned() else { return invalid };
        if self.spec.kind == ActionType::SnapshotUi && key == "format" {
            return invalid.hint(
                "\"format\" was removed: a snapshot is always the hierarchy; \
                 use \"view\": \"text\" for the compact listing",
            );
        }
        if aliases::LONG_PRESS.contains(&key.as_str()) && self.spec.field("clickType").is_some() {
            return invalid.hint(format!("\"{key}\" takes true or false"));
        }
        let canonical = aliases::PARAMS
            .iter()
            .find(|(_, others)| others.contains(&key.as_str()))
            .map_or(key.as_str(), |(canonical, _)| canonical);
        let takers: Vec<_> = ACTIONS
            .iter()
            .filter(|spec| spec.field(canonical).is_some())
            .map(|spec| spec.name)
            .collect();
        if takers.is_empty() {
            return invalid;
        }
        let name = self.spec.name;
        invalid.hint(format!("\"{key}\" belongs to {}, not to {name}", takers.join(", ")))
    }

    fn missing(&self, field: &Field) -> Invalid {
        let above_zero =
            matches!(field.kind, Kind::Number { host: HostNumber::AboveZeroTo(_), .. });
        let bound = if above_zero { " > 0" } else { "" };
        let message = format!("{} requires params.{}{bound}", self.spec.name, field.key);
        fail(&self.path.key(field.key), message)
    }

    fn field(&self, field: &Field, value: &Value) -> Result<(), Invalid> {
        let path = self.path.key(field.key);
        match field.kind {
            Kind::Matcher => nodes::matcher(value, self.spec.name, &path),
            Kind::Selector => nodes::selector(value, self.spec.name, &path),
            Kind::NodeRef => nodes::node_ref(value, self.spec.name, &path),
            Kind::Coordinate => nodes::coordinate(value, self.spec.name, &path),
            Kind::Strokes => nodes::strokes(value, self.spec.name, &path),
            Kind::Retry(_) => self.retry(value, &path),
            Kind::Flag(_) => match value {
                Value::Bool(_) => Ok(()),
                other => Err(self.wrong_kind("true or false", other, &path)),
            },
            // A pattern is judged by the rule that makes it count.
            Kind::Word { .. } | Kind::Pattern => self.string(value, &path).map(drop),
            Kind::Text { host_max, .. } => match text_problem(self.string(value, &path)?, host_max)
            {
                None => Ok(()),
                Some(problem) => Err(self.fail(&path, &problem)),
            },
            Kind::Choice { values, .. } => {
                let text = self.string(value, &path)?;
                if values.contains(&text) {
                    return Ok(());
                }
                let words = values.join(", ");
                Err(self.fail(&path, &format!("must be one of {words}, not \"{text}\"")))
            }
            Kind::Number { host, whole, .. } => self.number(value, host, whole, &path),
        }
    }

    fn number(
        &self,
        value: &Value,
        host: HostNumber,
        whole: bool,
        path: &Path<'_>,
    ) -> Result<(), Invalid> {
        let Some(number) = value.as_f64() else {
            return Err(self.wrong_kind("a number", value, path));
        };
        if whole && number.fract() != 0.0 {
            return Err(self.fail(path, &format!("must be a whole number, not {value}")));
        }
        match host {
            HostNumber::Any => Ok(()),
            HostNumber::Within(bounds) if bounds.holds(number) => Ok(()),
            HostNumber::Within(bounds) => {
                let range = format!("between {} and {}", bounds.min, bounds.max);
                Err(self.fail(path, &format!("must be {range}, not {value}")))
            }
            HostNumber::AboveZeroTo(_) if number <= 0.0 => {
                Err(fail(path, format!("{} requires {} > 0", self.spec.name, path.local())))
            }
            HostNumber::AboveZeroTo(max) if number > max => {
                Err(self.fail(path, &format!("must be at most {max}, not {value}")))
            }
            HostNumber::AboveZeroTo(_) => Ok(()),
        }
    }

    fn retry(&self, value: &Value, path: &Path<'_>) -> Result<(), Invalid> {
        let Some(object) = value.as_object() else {
            return Err(self.wrong_kind("a retry object", value, path));
        };
        let what = format!("{} {}", self.spec.name, path.local());
        known_keys(object, RETRY_KEYS, aliases::RETRY, path, &what)?;
        for key in RETRY_KEYS {
            match object.get(*key) {
                None | Some(Value::Number(_)) => {}
                Some(other) => return Err(self.wrong_kind("a number", other, &path.key(key))),
            }
        }
        Ok(())
    }

    fn rule(&self, rule: Rule, params: &Map<String, Value>) -> Result<(), Invalid> {
        let given = |keys: &[&'static str]| -> Vec<&'static str> {
            keys.iter().copied().filter(|key| params.contains_key(*key)).collect()
        };
        let name = self.spec.name;
        match rule {
            Rule::ExactlyOne(keys) => match given(keys).as_slice() {
                [] => Err(self.no_target(keys)),
                [_] => Ok(()),
                both => Err(self.too_many(both)),
            },
            Rule::AtMostOne(keys) => match given(keys).as_slice() {
                [] | [_] => Ok(()),
                both => Err(self.too_many(both)),
            },
            Rule::AtLeastOne(keys) if given(keys).is_empty() => {
                let list = listed(keys);
                Err(fail(self.path, format!("{name} requires at least one of {list}")))
            }
            Rule::ClickAfterNeeds(keys)
                if params.get("clickAfter") == Some(&Value::Bool(true))
                    && given(keys).is_empty() =>
            {
                let message = format!("{name} with clickAfter requires params.{}", keys[0]);
                Err(fail(&self.path.key(keys[0]), message))
            }
            Rule::FocusNeedsNode => {
                let focus = params.get("clickType").is_some_and(|kind| kind == "focus");
                if focus && params.contains_key("coordinate") {
                    let path = self.path.key("clickType");
                    return Err(self.fail(&path, "\"focus\" needs a node, not a coordinate"));
                }
                Ok(())
            }
            Rule::RegexNeedsPattern => match params.get("validator") {
                Some(validator) if validator == "regex" => self.pattern(params),
                _ => Ok(()),
            },
            Rule::AtLeastOne(_) | Rule::ClickAfterNeeds(_) => Ok(()),
        }
    }

    fn pattern(&self, params: &Map<String, Value>) -> Result<(), Invalid> {
        let path = self.path.key("validatorPattern");
        let Some(pattern) = params.get("validatorPattern").and_then(Value::as_str) else {
            let name = self.spec.name;
            let message =
                format!("{name} with validator \"regex\" requires params.validatorPattern");
            return Err(fail(&path, message));
        };
        let problem = text_problem(pattern, Some(MAX_MATCHER_VALUE_LENGTH))
            .or_else(|| pattern::compile(pattern).err().map(|bad| bad.to_string()));
        problem.map_or(Ok(()), |problem| Err(self.fail(&path, &problem)))
    }

    /// The contract's own keys are named in the message, ours in the hint.
    fn no_target(&self, keys: &[&'static str]) -> Invalid {
        let name = self.spec.name;
        let ours = ["where", "ref"];
        let theirs: Vec<_> = keys.iter().copied().filter(|key| !ours.contains(key)).collect();
        let extra: Vec<_> = keys.iter().copied().filter(|key| ours.contains(key)).collect();
        let hint = format!("{} can stand in its place", listed(&extra));
        match theirs.as_slice() {
            [only] => fail(&self.path.key(only), format!("{name} requires params.{only}")),
            several => {
                fail(self.path, format!("{name} requires exactly one of {}", listed(several)))
            }
        }
        .hint(hint)
    }

    fn too_many(&self, keys: &[&'static str]) -> Invalid {
        let name = self.spec.name;
        fail(self.path, format!("{name} takes only one of {}", listed(keys)))
    }

    fn string<'v>(&self, value: &'v Value, path: &Path<'_>) -> Result<&'v str, Invalid> {
        value.as_str().ok_or_else(|| self.wrong_kind("a string", value, path))
    }

    fn wrong_kind(&self, wanted: &str, seen: &Value, path: &Path<'_>) -> Invalid {
        self.fail(path, &format!("must be {wanted}, not {}", kind_of(seen)))
    }

    fn fail(&self, path: &Path<'_>, problem: &str) -> Invalid {
        fail(path, format!("{} {} {problem}", self.spec.name, path.local()))
    }
}

fn listed(keys: &[&str]) -> String {
    let keys: Vec<_> = keys.iter().map(|key| format!("params.{key}")).collect();
    keys.join(" or ")
}
