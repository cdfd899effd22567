//! What a recipe tells, read from the results of its steps.

use super::redact::Redactor;
use crate::recipe::words::ValueType;
use crate::recipe::{Output, Recipe};
use clawperator_contract::{ErrorCode, StepResult};
use serde::Serialize;
use serde_json::{Map, Value};

/// An output that could not be read, and why. What was seen instead is not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingOutput {
    /// Always `RECIPE_OUTPUT_MISSING`: a stable name for programs.
    pub code: ErrorCode,
    /// The output.
    pub name: String,
    /// Why it is not there.
    pub reason: String,
}

/// Reads all outputs, covered as each asks.
pub(super) fn read(
    recipe: &Recipe,
    results: &[StepResult],
    redactor: &Redactor,
) -> (Map<String, Value>, Vec<MissingOutput>) {
    let mut outputs = Map::new();
    let mut missing = Vec::new();
    for output in &recipe.outputs {
        match value(recipe, output, results) {
            Ok(value) => {
                let seen = redactor.redact(value, output.redaction);
                outputs.extend(seen.map(|value| (output.name.clone(), value)));
            }
            Err(reason) => missing.push(MissingOutput {
                code: ErrorCode::RecipeOutputMissing,
                name: output.name.clone(),
                reason,
            }),
        }
    }
    (outputs, missing)
}

fn value(recipe: &Recipe, output: &Output, results: &[StepResult]) -> Result<Value, String> {
    let (step, field) = recipe.source_of(output).ok_or("nothing says where it comes from")?;
    let result = results
        .iter()
        .rfind(|result| result.id == step)
        .ok_or_else(|| format!("the step \"{step}\" did not run"))?;
    if !result.success {
        return Err(format!("the step \"{step}\" failed"));
    }
    let text = result
        .data
        .get(field)
        .ok_or_else(|| format!("the result of \"{step}\" has no \"{field}\""))?;
    let found = output.pattern.as_ref().map(|pattern| pattern.captures(text));
    if output.kind == ValueType::Boolean {
        return Ok(matches!(found, Some(Some(_))).into());
    }
    let part = match found {
        None => text.as_str(),
        // The group that is marked, or all that fits.
        Some(Some(captures)) => {
            captures.get(1).or_else(|| captures.get(0)).map_or("", |part| part.as_str())
        }
        Some(None) => return Err(format!("the pattern does not fit what \"{step}\" read")),
    };
    typed(output.kind, part).ok_or_else(|| format!("what \"{step}\" read is no {}", output.kind))
}

fn typed(kind: ValueType, text: &str) -> Option<Value> {
    let text = text.trim();
    match kind {
        ValueType::String | ValueType::Boolean => Some(text.into()),
        ValueType::Integer => text.parse::<i64>().ok().map(Value::from),
        // 21 stays 21, not 21.0.
        ValueType::Number if text.parse::<i64>().is_ok() => {
            text.parse().ok().map(|n: i64| n.into())
        }
        ValueType::Number => {
            text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from)
        }
    }
}
