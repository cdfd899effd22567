//! Reading labels.

use super::click::described;
use crate::context::Run;
use crate::screen::Node;
use crate::search::Search;
use crate::step::{Outcome, StepFailure, Tries, Try};
use crate::wait::Patience;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::json;
use clawperator_contract::runnable::{ReadText, Target, Validator};

pub(super) fn perform(run: &mut Run<'_>, read: &ReadText) -> Outcome<StepData> {
    let (mut told, tries) = match (&read.target, read.all) {
        (Target::Search(selector), true) => {
            every(run, read, &Search::new(selector, read.scope.as_ref()))?
        }
        _ => first(run, read)?,
    };
    let validator = match &read.validator {
        None => "none",
        Some(Validator::Temperature) => "temperature",
        Some(Validator::Version) => "version",
        Some(Validator::Regex(_)) => "regex",
    };
    told.insert("validator".into(), validator.into());
    if let Some(scope) = &read.scope {
        told.insert("container".into(), scope.to_string());
    }
    tries.tell(&mut told);
    Ok(told)
}

fn first(run: &mut Run<'_>, read: &ReadText) -> Outcome<(StepData, Tries)> {
    let patience = Patience::Policy(read.retry);
    let (text, tries) =
        run.seek_target(patience, &read.target, read.scope.as_ref(), |_, _, node| {
            Ok(match checked(node, read.validator.as_ref()) {
                Ok(text) => Try::Done(text.to_owned()),
                Err(failure) => Try::NotYet(failure),
            })
        })?;
    Ok((StepData::from([("text".to_owned(), text)]), tries))
}

fn every(run: &mut Run<'_>, read: &ReadText, search: &Search<'_>) -> Outcome<(StepData, Tries)> {
    let outcome = run.patiently(Patience::Policy(read.retry), |run| {
        let screen = match run.look_or()? {
            Ok(screen) => screen,
            Err(attempt) => return Ok(attempt),
        };
        let labels = search.all(&screen).and_then(|nodes| {
            let labelled = nodes.iter().filter(|node| node.has_label());
            let labels: Result<Vec<_>, _> = labelled
                .map(|node| checked(*node, read.validator.as_ref()).map(str::to_owned))
                .collect();
            match labels {
                Ok(labels) if labels.is_empty() => Err(no_text(nodes[0])),
                other => other,
            }
        });
        Ok(match labels {
            Ok(labels) => Try::Done(labels),
            Err(failure) => Try::NotYet(failure),
        })
    });
    let (labels, tries) = outcome.map_err(|stop| run.explain(stop, search))?;
    let told = [
        ("text", json::compact(&labels)),
        ("all", "true".to_owned()),
        ("count", labels.len().to_string()),
    ];
    Ok((told.map(|(key, value)| (key.to_owned(), value)).into(), tries))
}

/// The label, if it says something and has the form asked for.
fn checked<'s>(node: Node<'s>, validator: Option<&Validator>) -> Result<&'s str, StepFailure> {
    let label = node.label();
    if label.trim().is_empty() {
        return Err(no_text(node));
    }
    match validator {
        Some(validator) if !has_form(validator, label) => {
            let message = format!("{} does not have the form asked for", described(node));
            Err(StepFailure::new(ErrorCode::ValidatorMismatch, message).with("raw_text", label))
        }
        _ => Ok(label),
    }
}

fn no_text(node: Node<'_>) -> StepFailure {
    let message = format!("{} is there but has no text", described(node));
    StepFailure::new(ErrorCode::NodeNotFound, message)
}

fn has_form(validator: &Validator, text: &str) -> bool {
    match validator {
        Validator::Temperature => is_temperature(text),
        Validator::Version => is_version(text),
        Validator::Regex(regex) => regex.is_match(text),
    }
}

/// A number with an optional unit: `21`, `-3.5 °C`, `70F`.
fn is_temperature(text: &str) -> bool {
    let text = text.trim();
    let number = text.strip_suffix(['C', 'c', 'F', 'f']).unwrap_or(text);
    let number = number.strip_suffix('°').unwrap_or(number).trim_end();
    let digits = number.strip_prefix(['-', '+', '−']).unwrap_or(number);
    let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    all_digits(whole) && all_digits(fraction)
}

/// Digits, with dots between them.
fn is_version(text: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.trim().split('.').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperatures_are_numbers_with_an_optional_unit() {
        for text in ["21", " 21.5°C ", "-3 °F", "70F", "20c", "19,5 °C"] {
            assert!(is_temperature(text), "{text}");
        }
        for text in ["", "--", "warm", "°C", "21 degrees", "2 1", "21K"] {
            assert!(!is_temperature(text), "{text}");
        }
    }

    #[test]
    fn versions_are_digits_with_dots() {
        assert!(is_version("15") && is_version("1.2.3") && is_version(" 10.0 "));
        assert!(!is_version("1.") && !is_version("v1") && !is_version("") && !is_version("1..2"));
    }
}
