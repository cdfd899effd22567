//! The recipe language: documents read into a model, with every fault named by its line.

mod document;
mod front;
mod model;
mod reader;
mod selector;
mod step;
mod text;
pub mod words;

use crate::problem::Problem;
pub use model::{AppBuild, Compatibility, Confirm, Input, Output, Recipe, Selector, Step};
pub(crate) use reader::{Keys, Reader, Rule};
pub(crate) use selector::{FLAG_KEYS, TEXT_KEYS};
use std::collections::BTreeMap;
pub(crate) use step::ACTIONS;
pub use text::Text;
pub(crate) use text::is_name;

/// Longer files are no recipes.
const MAX_BYTES: usize = 1_000_000;

/// What came of reading a document.
#[derive(Debug)]
pub struct Read {
    /// The recipe, where the document is well formed.
    pub recipe: Option<Recipe>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// Reads a document: Markdown, or JSON where the file's name ends so.
#[must_use]
pub fn read(file: &str, text: &str) -> Read {
    let mut reader = Reader::new(file, text);
    let recipe = whole(file, text, &mut reader);
    let recipe = recipe.filter(|_| !reader.problems.has_errors());
    Read { recipe, problems: reader.problems.into_sorted() }
}

/// Is it a recipe of this language, and not a template of an execution?
#[must_use]
pub fn is_recipe(file: &str, text: &str) -> bool {
    if file.ends_with(".json") {
        let parsed = serde_json::from_str::<BTreeMap<String, serde_json::Value>>(text);
        return parsed.is_ok_and(|map| map.contains_key("recipe_id"));
    }
    file.ends_with(".recipe.md")
}

fn whole(file: &str, text: &str, reader: &mut Reader<'_>) -> Option<Recipe> {
    let start = crate::problem::Place { line: 1, column: 1 };
    if text.len() > MAX_BYTES {
        let said = format!("the file has {} bytes; a recipe has at most {MAX_BYTES}", text.len());
        reader.error(Rule::Frontmatter, start, said);
        return None;
    }
    let document = match file.ends_with(".json") {
        true => document::json(text, reader),
        false => document::markdown(text, reader),
    }?;
    let recipe = front::read(&document.front, reader);
    let blocks = document.steps.len();
    let steps: Vec<Step> =
        document.steps.into_iter().filter_map(|block| step::read(block, reader)).collect();
    if blocks == 0 {
        reader.error(Rule::StepBlock, start, "the recipe has no steps");
    }
    let mut seen = BTreeMap::new();
    for step in &steps {
        if let Some(first) = seen.insert(&step.id, step.place.line) {
            let said = format!("the id \"{}\" is taken by the step at line {first}", step.id);
            reader.error(Rule::StepBlock, step.place, said);
        }
    }
    let mut recipe = recipe?;
    recipe.steps = steps;
    names(&recipe, reader);
    Some(recipe)
}

/// Does every name lead somewhere?
fn names(recipe: &Recipe, reader: &mut Reader<'_>) {
    for (position, step) in recipe.steps.iter().enumerate() {
        for selector in step.selectors() {
            for (_, text, place) in &selector.texts {
                for name in text.inputs() {
                    if recipe.inputs.iter().all(|input| input.name != name) {
                        let said = format!("\"{name}\" is not declared in inputs");
                        reader.error(Rule::Inputs, *place, said);
                        let names = recipe.inputs.iter().map(|input| input.name.as_str());
                        if let Some(near) = clawperator_contract::suggest::nearest(name, names) {
                            reader.hint(format!("did you mean \"{near}\"?"));
                        }
                    }
                }
            }
        }
        if let Some((name, place)) = &step.verifies {
            let earlier = recipe.steps[..position].iter().any(|other| other.id == *name);
            if !earlier || !step.looks() {
                let said = match earlier {
                    false => format!("there is no step \"{name}\" before this one"),
                    true => format!("{} cannot verify anything", step.kind),
                };
                reader.error(Rule::Verification, *place, said);
            }
        }
    }
    for output in &recipe.outputs {
        let Some((step, _)) = &output.from else { continue };
        if recipe.steps.iter().all(|other| other.id != *step) {
            let said =
                format!("the output \"{}\" is from \"{step}\", which is no step", output.name);
            reader.error(Rule::Outputs, output.place, said);
        }
    }
    if recipe.session == words::SessionPolicy::Fresh && !recipe.fresh_start_injected {
        let starts = recipe.steps.iter().map(|step| step.kind).take(2);
        use clawperator_contract::action::ActionType::{CloseApp, OpenApp};
        let other_app = recipe.steps.iter().take(2).find(|step| {
            step.params
                .get("applicationId")
                .is_some_and(|app| *app != recipe.application_id.as_str())
        });
        if !starts.eq([CloseApp, OpenApp]) || other_app.is_some() {
            let place =
                other_app.or(recipe.steps.first()).map_or(recipe.capabilities_place, |s| s.place);
            let said = "fresh_start_injected is false, but the recipe does not begin with close_app and open_app of its app";
            reader.error(Rule::SessionPolicy, place, said);
        }
    }
}
