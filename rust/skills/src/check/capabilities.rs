//! What the steps do must be declared: policies go by what is declared.

use crate::problem::Problems;
use crate::recipe::words::Capability;
use crate::recipe::{Recipe, Rule, Step};
use clawperator_contract::ErrorCode;
use clawperator_contract::action::ActionType;

pub(super) fn check(recipe: &Recipe, problems: &mut Problems<'_>) {
    for step in &recipe.steps {
        for needed in needs(step) {
            if recipe.capabilities.contains(needed) {
                continue;
            }
            let said = format!("\"{}\" needs the capability {needed}", step.id);
            let rule = Rule::Capabilities.name();
            problems.error(ErrorCode::RecipeCapabilityUndeclared, rule, step.place, said).hint =
                Some(format!("add `- {needed}` to capabilities"));
        }
    }
    let risky = recipe.capabilities.contains(&Capability::PurchaseRisk);
    if risky && recipe.risk.is_some_and(|risk| risk == crate::recipe::words::RiskLevel::Low) {
        let said = "a recipe that may cost money is not of low risk";
        let (code, rule) = (ErrorCode::RecipeInvalid, Rule::Capabilities.name());
        problems.error(code, rule, recipe.capabilities_place, said);
    }
}

/// Capabilities a step cannot do without.
fn needs(step: &Step) -> &'static [Capability] {
    use Capability::{Click, LongClick, Navigate, Observe};
    let long = step.params.get("clickType").is_some_and(|kind| kind == "long_click");
    match step.kind {
        ActionType::OpenApp | ActionType::CloseApp => &[Navigate],
        ActionType::WaitForNode | ActionType::ReadText | ActionType::SnapshotUi => &[Observe],
        ActionType::Click if long => &[LongClick],
        ActionType::Click => &[Click],
        ActionType::ScrollAndClick if !step.clicks() => &[Navigate],
        ActionType::ScrollAndClick if long => &[Navigate, LongClick],
        ActionType::ScrollAndClick => &[Navigate, Click],
        _ => &[],
    }
}
