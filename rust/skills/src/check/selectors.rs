//! What selectors say of themselves must be so.

use crate::problem::Problems;
use crate::recipe::words::Annotation;
use crate::recipe::{Recipe, Rule, Selector};
use clawperator_contract::ErrorCode;

pub(super) fn check(recipe: &Recipe, problems: &mut Problems<'_>) {
    for selector in recipe.steps.iter().flat_map(|step| step.selectors()) {
        annotation(selector, problems);
        if selector.index_in_parent.is_some() {
            let said = "a place among siblings is not the same on every account";
            let (code, rule) = (ErrorCode::RecipeInvalid, Rule::SelectorKeys.name());
            problems.warning(code, rule, selector.place, said).hint =
                Some("name the target by what it says, and the place only in any_of".into());
        }
    }
}

fn annotation(selector: &Selector, problems: &mut Problems<'_>) {
    let Some((annotation, place)) = selector.annotation else { return };
    let rule = Rule::Literals.name();
    let own_or_parts =
        selector.walk().any(|part| part.texts.iter().any(|(_, t, _)| t.has_inputs()));
    match annotation {
        Annotation::UserSpecific | Annotation::Variable if !own_or_parts => {
            let said = format!("the selector is {annotation}, but its text is written out");
            problems.error(ErrorCode::RecipeLiteralFound, rule, place, said).hint =
                Some("declare an input and write ${inputs.name} in its place".into());
        }
        Annotation::Structural if own_or_parts => {
            let said = "the selector is STRUCTURAL, but its text comes from an input";
            problems.error(ErrorCode::RecipeInvalid, rule, place, said).hint =
                Some("write VARIABLE or USER_SPECIFIC".into());
        }
        _ => {}
    }
}
