//! What is changed must be looked at afterwards.

use crate::problem::Problems;
use crate::recipe::{Recipe, Rule};
use clawperator_contract::ErrorCode;

/// A change is proved by its own confirm block, by a later step that names it, or by a step that
/// looks before anything else is changed.
pub(super) fn check(recipe: &Recipe, problems: &mut Problems<'_>) {
    for (index, step) in recipe.steps.iter().enumerate() {
        if !recipe.changes(step) {
            continue;
        }
        if step.optional {
            let said = format!("\"{}\" changes something, so it cannot be optional", step.id);
            let rule = Rule::Verification.name();
            problems.error(ErrorCode::RecipeInvalid, rule, step.place, said).hint = Some(
                "write `effect: navigate` if it only leads somewhere, or leave optional out".into(),
            );
        }
        let later = &recipe.steps[index + 1..];
        let named = later.iter().any(|other| {
            other.looks() && other.verifies.as_ref().is_some_and(|(name, _)| *name == step.id)
        });
        let before_next = later
            .iter()
            .take_while(|other| !recipe.changes(other))
            .any(|other| other.looks() && !other.optional && other.verifies.is_none());
        if step.confirm.is_some() || named || before_next {
            continue;
        }
        let said = format!("\"{}\" changes something, and nothing checks that it did", step.id);
        let rule = Rule::Verification.name();
        problems.error(ErrorCode::RecipeUnverified, rule, step.place, said).hint = Some(
            "add a confirm block or a read_text step after it; `effect: navigate` says that it only leads somewhere"
                .into(),
        );
    }
}
