//! Artifacts, read as what they become: without a phone and without values.

use crate::problem::{Problem, Problems};
use crate::recipe;
use crate::registry::read_json;
use crate::template::{EXTENSION, slots};
use clawperator_contract::{ErrorCode, Execution};
use clawperator_tree::Place;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// A value where a number would stand: a time that every rule allows.
const NUMBER: &str = "1000";

/// What an artifact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An execution with slots.
    Template,
    /// The same, but a rule depends on a value nobody knows yet.
    Undecided,
    /// A document of the recipe language.
    Recipe,
    /// Something else.
    Other,
}

/// What was read of a skill's artifacts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DryRun {
    payload_validation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    templates: usize,
    recipes: usize,
    others: usize,
}

impl DryRun {
    pub(super) fn skipped() -> Self {
        let reason = Some("the skill has no artifacts");
        Self { payload_validation: "skipped", reason, ..Self::default() }
    }

    pub(super) fn count(&mut self, kind: Kind) {
        if self.payload_validation.is_empty() {
            self.payload_validation = "done";
        }
        match kind {
            Kind::Template => self.templates += 1,
            Kind::Recipe => self.recipes += 1,
            Kind::Other => self.others += 1,
            Kind::Undecided => {
                self.templates += 1;
                self.payload_validation = "partial";
                self.reason = Some("a rule depends on the value of a placeholder");
            }
        }
    }
}

/// What was read of an artifact.
pub(super) struct Artifact {
    pub(super) kind: Kind,
    pub(super) problems: Vec<Problem>,
    /// The name of a recipe, which no other may have.
    pub(super) recipe_id: Option<String>,
}

impl Artifact {
    fn of(kind: Kind, problems: Vec<Problem>) -> Self {
        Self { kind, problems, recipe_id: None }
    }
}

/// What an artifact is, and what is wrong with it.
pub(super) fn check(path: &Path, text: &str) -> Artifact {
    let file = path.display().to_string();
    if recipe::is_recipe(&file, text) {
        let checked = crate::check::check(&file, text, None);
        let recipe_id = checked.recipe.map(|recipe| recipe.id);
        return Artifact { kind: Kind::Recipe, problems: checked.problems, recipe_id };
    }
    if file.ends_with(".md") {
        return Artifact::of(Kind::Other, Vec::new());
    }
    let mut problems = Problems::new(&file, text);
    let code = ErrorCode::SkillValidationFailed;
    let value = match read_json(filled(text).as_bytes()) {
        Ok(value) => value,
        Err((line, why)) => {
            let place = Place { line: u64::try_from(line).unwrap_or(0), column: 1 };
            problems.error(code, "artifact", place, format!("no JSON: {why}"));
            return Artifact::of(Kind::Other, problems.into_sorted());
        }
    };
    if !file.ends_with(EXTENSION) && value.get("actions").is_none() {
        return Artifact::of(Kind::Other, Vec::new());
    }
    let Err(invalid) = Execution::from_value(value.clone()) else {
        return Artifact::of(Kind::Template, Vec::new());
    };
    let pointer = format!("/{}", invalid.path.replace('.', "/"));
    let seen = value.pointer(&pointer).map(Value::to_string).unwrap_or_default();
    if seen.contains("{{") || invalid.message.contains("{{") {
        return Artifact::of(Kind::Undecided, Vec::new());
    }
    let problem = problems.error(code, "artifact", Place::default(), invalid.to_string());
    problem.hint = invalid.hint;
    Artifact::of(Kind::Template, problems.into_sorted())
}

/// The text with a number where one would stand; slots inside of texts stay, they are texts.
fn filled(text: &str) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut done = 0;
    for slot in slots(text).into_iter().filter(|slot| !slot.in_text) {
        filled += &text[done..slot.start];
        filled += NUMBER;
        done = slot.end;
    }
    filled + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(time: &str, kind: &str, params: &str) -> String {
        format!(
            r#"{{"commandId":"{{{{COMMAND_ID}}}}","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":{time},"actions":[{{"id":"a","type":"{kind}","params":{params}}}]}}"#
        )
    }

    fn of(name: &str, text: &str) -> (Kind, Vec<String>) {
        let read = check(Path::new(name), text);
        (read.kind, read.problems.into_iter().map(|problem| problem.message).collect())
    }

    #[test]
    fn templates_are_read_with_their_slots_in() {
        let good = template("{{TIME}}", "open_app", r#"{"applicationId":"{{APP}}"}"#);
        assert_eq!(of("a.recipe.json", &good), (Kind::Template, vec![]));
        let wrong = template("5000", "open_app", r#"{"aplicationId":"x"}"#);
        let (kind, problems) = of("a.recipe.json", &wrong);
        assert_eq!(kind, Kind::Template);
        assert!(problems[0].contains("aplicationId"), "{problems:?}");
        let open = template("5000", "{{KIND}}", "{}");
        assert_eq!(of("a.recipe.json", &open), (Kind::Undecided, vec![]));
        assert!(of("a.recipe.json", "{").1[0].starts_with("no JSON"));
    }

    #[test]
    fn recipes_are_held_to_the_rules_of_their_language() {
        let recipe = include_str!("../../tests/fixtures/toggle-power.recipe.md");
        let read = check(Path::new("a.recipe.md"), recipe);
        assert_eq!((read.kind, read.recipe_id.is_some()), (Kind::Recipe, true));
        let (kind, problems) = of("a.recipe.json", r#"{"recipe_id":"x"}"#);
        assert!(kind == Kind::Recipe && !problems.is_empty());
        assert_eq!(of("notes.md", "# x"), (Kind::Other, vec![]));
        assert_eq!(of("data.json", "[1]"), (Kind::Other, vec![]));
        assert_eq!(of("data.json", "[").1.len(), 1);
    }
}
