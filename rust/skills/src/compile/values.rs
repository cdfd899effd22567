//! The values of inputs. What a value is never stands in a message: it may be a person's.

use crate::problem::{Place, Problems};
use crate::recipe::words::{ValueType, Word};
use crate::recipe::{Input, Recipe, Rule};
use clawperator_contract::{ErrorCode, suggest};
use std::collections::BTreeMap;

/// What the recipe's inputs stand for: what was given, else their defaults.
pub(super) fn values(
    recipe: &Recipe,
    given: &BTreeMap<String, String>,
    problems: &mut Problems<'_>,
) -> BTreeMap<String, String> {
    let rule = Rule::Inputs.name();
    for name in given.keys() {
        if recipe.inputs.iter().any(|input| input.name == *name) {
            continue;
        }
        let said = format!("the recipe has no input \"{name}\"");
        let names: Vec<&str> = recipe.inputs.iter().map(|input| input.name.as_str()).collect();
        problems.error(ErrorCode::RecipeInputUnknown, rule, Place::default(), said).hint =
            Some(match suggest::nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None if names.is_empty() => "it takes none".to_owned(),
                None => format!("it takes: {}", names.join(", ")),
            });
    }
    let mut values = BTreeMap::new();
    for input in &recipe.inputs {
        let own = given.get(&input.name).filter(|value| !(input.required && value.is_empty()));
        match own.or(input.default.as_ref()) {
            Some(value) => match wrong(input, value) {
                None => {
                    values.insert(input.name.clone(), value.clone());
                }
                Some(why) => {
                    let said = format!("the value of \"{}\" {why}", input.name);
                    problems.error(ErrorCode::RecipeInputInvalid, rule, input.place, said);
                }
            },
            None if input.required => {
                let said = format!("the required input \"{}\" has no value", input.name);
                problems.error(ErrorCode::RecipeInputMissing, rule, input.place, said).hint =
                    Some(format!("give it with --var {}=…", input.name));
            }
            None => {}
        }
    }
    values
}

/// The end of a sentence on what is wrong with a value.
fn wrong(input: &Input, value: &str) -> Option<String> {
    let number = match input.kind {
        ValueType::String => None,
        ValueType::Boolean if matches!(value, "true" | "false") => None,
        ValueType::Integer if value.parse::<i64>().is_ok() => value.parse().ok(),
        ValueType::Number => match value.parse::<f64>() {
            Ok(number) if number.is_finite() => Some(number),
            _ => return Some("is not a number".into()),
        },
        ValueType::Boolean => return Some("is neither true nor false".into()),
        ValueType::Integer => return Some("is not a whole number".into()),
    };
    if let (Some(number), Some(min)) = (number, input.min)
        && number < min
    {
        return Some(format!("is less than {min}"));
    }
    if let (Some(number), Some(max)) = (number, input.max)
        && number > max
    {
        return Some(format!("is more than {max}"));
    }
    if !input.choices.is_empty() && !input.choices.iter().any(|choice| choice == value) {
        return Some(format!("is none of {}", input.choices.join(", ")));
    }
    value
        .chars()
        .any(|letter| letter.is_control())
        .then(|| format!("holds a control character, which no {} does", input.kind.word()))
}
