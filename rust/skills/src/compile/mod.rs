//! From a recipe and its inputs to an execution: pure, and always the same for the same inputs.

mod lower;
mod parts;
mod values;

use crate::problem::{Place, Problem, Problems};
use crate::recipe::words::SessionPolicy;
use crate::recipe::{Confirm, Recipe, Rule, Selector, Step};
use clawperator_contract::action::ActionType;
use clawperator_contract::limits::MAX_ACTIONS;
use clawperator_contract::{ErrorCode, Execution, Invalid, json};
pub use parts::Part;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Who the phone is told to be working for.
pub const SOURCE: &str = "clawperator-recipe";

/// An execution, and which step each of its actions comes from.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// All of the recipe as one execution.
    pub execution: Execution,
    /// Where its actions come from, one for each.
    pub origins: Vec<Origin>,
    /// The executions a run consists of: one, unless the recipe asks to look in between.
    pub parts: Vec<Part>,
}

/// The step an action was made for, and what it does for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Place of the step in the recipe; `None` for what the session policy put in.
    pub step: Option<usize>,
    /// What the action does for it.
    pub role: Role,
}

/// What an action does for its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Starts the app anew.
    Session,
    /// Counts the targets before the step.
    Count,
    /// Is the step.
    Act,
    /// Rests after it.
    Rest,
    /// Proves that it worked.
    Confirm,
}

/// Compiles a recipe that was read from this file. The failures are in the order of its lines.
pub fn compile(
    recipe: &Recipe,
    (file, text): (&str, &str),
    given: &BTreeMap<String, String>,
) -> Result<Compiled, Vec<Problem>> {
    let mut compiler =
        Compiler { recipe, problems: Problems::new(file, text), actions: Vec::new() };
    let values = values::values(recipe, given, &mut compiler.problems);
    if compiler.problems.has_errors() {
        return Err(compiler.problems.into_sorted());
    }
    compiler.session();
    for (index, step) in recipe.steps.iter().enumerate() {
        compiler.step(index, step, &values);
    }
    compiler.finish(&ids(recipe, &values))
}

struct Compiler<'a> {
    recipe: &'a Recipe,
    problems: Problems<'a>,
    actions: Vec<(Value, Origin)>,
}

impl Compiler<'_> {
    fn put(&mut self, id: &str, kind: ActionType, params: Map<String, Value>, origin: Origin) {
        let mut action = Map::new();
        action.insert("id".into(), id.into());
        action.insert("type".into(), kind.spec().name.into());
        if !params.is_empty() {
            action.insert("params".into(), params.into());
        }
        self.actions.push((action.into(), origin));
    }

    /// Closes and opens the app. No step can have these ids: a step's has no dot.
    fn session(&mut self) {
        let recipe = self.recipe;
        if recipe.session != SessionPolicy::Fresh || !recipe.fresh_start_injected {
            return;
        }
        let origin = Origin { step: None, role: Role::Session };
        for (id, kind) in
            [("session.close", ActionType::CloseApp), ("session.open", ActionType::OpenApp)]
        {
            self.put(id, kind, application(&recipe.application_id), origin);
        }
    }

    fn step(&mut self, index: usize, step: &Step, values: &BTreeMap<String, String>) {
        let origin = |role| Origin { step: Some(index), role };
        let target = self.node("matcher", "where", step.selector.as_ref(), values);
        let scope = self.node("container", "containerWhere", step.container.as_ref(), values);
        if step.expect_count.is_some() {
            let mut params: Map<_, _> = target.clone().into_iter().chain(scope.clone()).collect();
            params.insert("all".into(), true.into());
            self.put(
                &format!("{}.count", step.id),
                ActionType::ReadText,
                params,
                origin(Role::Count),
            );
        }
        let mut params: Map<_, _> = target.into_iter().chain(scope).collect();
        params.extend(step.params.clone());
        if matches!(step.kind, ActionType::OpenApp | ActionType::CloseApp) {
            params
                .entry("applicationId")
                .or_insert_with(|| self.recipe.application_id.as_str().into());
        }
        if let Some(policy) = &step.retries {
            let keys: &[&str] = match step.kind {
                ActionType::ScrollAndClick => &["scrollRetry", "clickRetry"],
                _ => &["retry"],
            };
            params.extend(keys.iter().map(|key| ((*key).to_owned(), policy.clone().into())));
        }
        self.put(&step.id, step.kind, params, origin(Role::Act));
        if let Some(ms) = step.after_ms {
            let params = [("durationMs".to_owned(), ms.into())].into_iter().collect();
            self.put(&format!("{}.rest", step.id), ActionType::Sleep, params, origin(Role::Rest));
        }
        if let Some(confirm) = &step.confirm {
            let (kind, params) = self.confirm(confirm, values);
            self.put(&format!("{}.confirm", step.id), kind, params, origin(Role::Confirm));
        }
    }

    fn confirm(
        &mut self,
        confirm: &Confirm,
        values: &BTreeMap<String, String>,
    ) -> (ActionType, Map<String, Value>) {
        let target = self.node("matcher", "where", Some(&confirm.selector), values);
        let scope = self.node("container", "containerWhere", confirm.container.as_ref(), values);
        let mut params: Map<_, _> = target.into_iter().chain(scope).collect();
        match &confirm.text_matches {
            Some(pattern) => {
                params.insert("validator".into(), "regex".into());
                params.insert("validatorPattern".into(), pattern.as_str().into());
                (ActionType::ReadText, params)
            }
            None => {
                params.extend(confirm.timeout_ms.map(|ms| ("timeoutMs".to_owned(), ms.into())));
                (ActionType::WaitForNode, params)
            }
        }
    }

    /// A selector under the key that takes it: the short form where that can say it.
    fn node(
        &mut self,
        short: &str,
        full: &str,
        selector: Option<&Selector>,
        values: &BTreeMap<String, String>,
    ) -> Option<(String, Value)> {
        let selector = selector?;
        let key = if lower::is_matcher(selector) { short } else { full };
        match lower::lower(selector, values) {
            Ok(value) => Some((key.to_owned(), value)),
            Err((name, place)) => {
                let said = format!("the input \"{name}\" has no value, and this selector needs it");
                let code = ErrorCode::RecipeInputMissing;
                self.problems.error(code, Rule::Inputs.name(), place, said).hint =
                    Some(format!("give it with --var {name}=…"));
                None
            }
        }
    }

    fn finish(
        mut self,
        (command_id, task_id): &(String, String),
    ) -> Result<Compiled, Vec<Problem>> {
        if self.actions.len() > MAX_ACTIONS {
            let place = self.place_of(MAX_ACTIONS);
            let said = format!(
                "the recipe compiles to {} actions; a phone takes {MAX_ACTIONS}, and this step is past that",
                self.actions.len()
            );
            self.broken(place, said, Some("make two recipes of it".into()));
        }
        if self.problems.has_errors() {
            return Err(self.problems.into_sorted());
        }
        let execution = |id: String, actions: Vec<Value>| {
            Execution::from_value(json!({
                "commandId": id,
                "taskId": task_id,
                "source": SOURCE,
                "expectedFormat": clawperator_contract::execution::EXPECTED_FORMAT,
                "timeoutMs": self.recipe.timeout_ms,
                "actions": actions,
                "mode": "artifact_compiled",
            }))
        };
        let all = self.actions.iter().map(|(action, _)| action.clone()).collect();
        let origins: Vec<Origin> = self.actions.iter().map(|(_, origin)| *origin).collect();
        let made = execution(command_id.clone(), all).and_then(|whole| {
            let cuts = parts::cuts(self.recipe, &origins);
            let several = cuts.len() > 1;
            let parts = cuts.into_iter().enumerate().map(|(number, cut)| {
                let id = match several {
                    true => format!("{command_id}-{}", number + 1),
                    false => command_id.clone(),
                };
                let actions = &self.actions[cut.range.clone()];
                let actions = actions.iter().map(|(action, _)| action.clone()).collect();
                Ok(Part { execution: execution(id, actions)?, cut })
            });
            Ok((whole, parts.collect::<Result<Vec<_>, _>>()?))
        });
        match made {
            Ok((execution, parts)) => Ok(Compiled { execution, origins, parts }),
            Err(invalid) => {
                self.refused(invalid);
                Err(self.problems.into_sorted())
            }
        }
    }

    /// The contract refuses what was made: said at the step it was made of.
    fn refused(&mut self, invalid: Invalid) {
        let index = invalid.path.split('.').nth(1).and_then(|index| index.parse().ok());
        let place = index.map_or(Place { line: 1, column: 1 }, |index| self.place_of(index));
        self.broken(place, invalid.message, invalid.hint);
    }

    fn place_of(&self, action: usize) -> Place {
        let step = self.actions.get(action).and_then(|(_, origin)| origin.step);
        step.map_or(Place { line: 1, column: 1 }, |step| self.recipe.steps[step].place)
    }

    fn broken(&mut self, place: Place, message: String, hint: Option<String>) {
        let rule = Rule::StepBlock.name();
        self.problems.error(ErrorCode::RecipeInvalid, rule, place, message).hint = hint;
    }
}

fn application(package: &str) -> Map<String, Value> {
    [("applicationId".to_owned(), package.into())].into_iter().collect()
}

/// Ids that tell two recipes, versions or inputs apart, and nothing of the inputs themselves.
fn ids(recipe: &Recipe, values: &BTreeMap<String, String>) -> (String, String) {
    let seed = json::compact(&json!({
        "recipe": recipe.id,
        "version": recipe.version.to_string(),
        "inputs": values,
    }));
    let hash = Sha256::digest(seed.as_bytes());
    let hex: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    (format!("cmd-{hex}"), format!("task-{hex}"))
}
