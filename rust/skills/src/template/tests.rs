//! Compiling the artifacts of real folders.

use super::*;
use crate::registry::Places;
use crate::scratch;
use crate::scratch::Scratch;

/// A repository with one skill `a.b` whose artifact is this text.
fn repository(template: &str) -> Scratch {
    let root = scratch::folder("template");
    scratch::skill(&root, "a.b", "a.b");
    fs::write(root.join("skills/a.b/artifacts/b.recipe.json"), template).unwrap();
    crate::index::generate(&root).unwrap();
    root
}

fn compiled(root: &Scratch, name: &str, vars: Option<&str>) -> Result<Execution, Failure> {
    let path = root.join(crate::registry::REGISTRY_FILE);
    let registries = Places::resolve(&[path], None, None).load().unwrap();
    let found = registries.skill("a.b").unwrap();
    compile(&found, name, vars)
}

fn template(actions: &str) -> String {
    format!(
        r#"{{"commandId":"{{{{COMMAND_ID}}}}","taskId":"{{{{TASK_ID}}}}","source":"test",
        "expectedFormat":"android-ui-automator","timeoutMs":{{{{TIME}}}},
        "actions":[{actions}]}}"#
    )
}

fn click(text: &str) -> String {
    template(&format!(
        r#"{{"id":"a","type":"tap","params":{{"matcher":{{"textEquals":"{text}"}}}}}}"#
    ))
}

#[test]
fn values_go_in_and_ids_are_made() {
    let root = repository(&click("{{LABEL}}"));
    let vars = r#"{"LABEL":"A \"b\" \\ \n c","TIME":5000}"#;
    let execution = compiled(&root, "b", Some(vars)).unwrap();
    let json: Value = serde_json::from_str(&execution.to_json()).unwrap();
    assert_eq!(json["actions"][0]["type"], "click");
    assert_eq!(json["actions"][0]["params"]["matcher"]["textEquals"], "A \"b\" \\ \n c");
    assert_eq!(json["timeoutMs"], 5000);
    assert_eq!(json["mode"], "artifact_compiled");
    assert!(execution.command_id().starts_with("cmd-"), "{}", execution.command_id());
    assert_eq!(execution.command_id()[4..], execution.task_id()[5..]);
    // The ending may be typed, in any case, and changes nothing.
    let again = compiled(&root, "b.Recipe.JSON", Some(vars)).unwrap();
    assert_eq!(again.to_json(), execution.to_json());
    let own =
        compiled(&root, "b", Some(r#"{"LABEL":"x","TIME":5000,"COMMAND_ID":"mine"}"#)).unwrap();
    assert_eq!(own.command_id(), "mine");
}

#[test]
fn a_value_is_never_looked_at_again() {
    let root = repository(&click("{{LABEL}}"));
    let execution = compiled(&root, "b", Some(r#"{"LABEL":"{{TASK_ID}}","TIME":5000}"#)).unwrap();
    assert!(execution.to_json().contains(r#""textEquals":"{{TASK_ID}}""#));
}

#[test]
fn names_without_a_value_are_told_all_at_once() {
    let root = repository(&click("{{LABEL}} {{OTHER}} {{LABEL}}"));
    let failure = compiled(&root, "b", None).unwrap_err();
    assert_eq!(failure.code, ErrorCode::CompileVarsRequired);
    let failure = compiled(&root, "b", Some(r#"{"TIME":1}"#)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::CompileVarMissing);
    assert_eq!(failure.details["placeholder"], "LABEL");
    assert_eq!(failure.details["missing"], json!(["LABEL", "OTHER"]));
    assert_eq!(failure.details["skillId"], "a.b");
}

#[test]
fn an_empty_text_is_a_value() {
    let root = repository(&click("x{{LABEL}}"));
    let execution = compiled(&root, "b", Some(r#"{"LABEL":"","TIME":5000}"#)).unwrap();
    assert!(execution.to_json().contains(r#""textEquals":"x""#));
}

#[test]
fn a_rule_that_is_broken_is_told_with_its_place_and_without_the_values() {
    let root = repository(&template(
        r#"{"id":"a","type":"{{KIND}}","params":{"matcher":{"textEquals":"{{LABEL}}"}}}"#,
    ));
    let vars = r#"{"KIND":"private-word","LABEL":"My Street 5","TIME":5000}"#;
    let failure = compiled(&root, "b", Some(vars)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::CompileValidationFailed);
    assert_eq!(failure.details["path"], "actions.0.type");
    let shown = serde_json::to_string(&failure).unwrap();
    assert!(!shown.contains("private-word") && !shown.contains("My Street"), "{shown}");
    let root = repository("{\n  \"commandId\": {{TIME}}oops\n}");
    let failure = compiled(&root, "b", Some(r#"{"TIME":"5 "}"#)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::CompileValidationFailed);
    assert_eq!(failure.details["line"], 2);
}

#[test]
fn an_execution_that_is_too_large_is_refused() {
    let root = repository(&template(
        r#"{"id":"a","type":"enter_text","params":{"matcher":{"role":"textfield"},"text":"{{LABEL}}"}}"#,
    ));
    let vars = json!({"LABEL": "x".repeat(64_000), "TIME": 5000}).to_string();
    let failure = compiled(&root, "b", Some(&vars)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::PayloadTooLarge);
    assert!(failure.message.len() < 1_000);
}

#[test]
fn a_recipe_is_compiled_by_its_own_rules() {
    let root = scratch::folder("template-recipe");
    scratch::skill(&root, "a.b", "a.b");
    let folder = root.join("skills/a.b");
    let manifest = fs::read_to_string(folder.join("skill.json")).unwrap();
    fs::write(folder.join("skill.json"), manifest.replace(".recipe.json", ".recipe.md")).unwrap();
    let recipe = include_str!("../../tests/fixtures/toggle-power.recipe.md");
    fs::write(folder.join("artifacts/b.recipe.md"), recipe).unwrap();
    crate::index::generate(&root).unwrap();
    let failure = compiled(&root, "b.recipe.md", None).unwrap_err();
    assert_eq!(failure.code, ErrorCode::RecipeInputMissing);
    let execution = compiled(&root, "b", Some(r#"{"ac_tile_name":"Hall"}"#)).unwrap();
    assert_eq!(execution.source(), crate::compile::SOURCE);
    assert_eq!(execution.actions()[0].id(), "session.close");
}

#[test]
fn artifacts_that_are_not_there_have_codes_of_their_own() {
    let root = repository(&click("x"));
    let failure = compiled(&root, "c", None).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ArtifactNotFound);
    fs::remove_file(root.join("skills/a.b/artifacts/b.recipe.json")).unwrap();
    assert_eq!(compiled(&root, "b", None).unwrap_err().code, ErrorCode::ArtifactNotFound);
    std::os::unix::fs::symlink("/etc/hostname", root.join("skills/a.b/artifacts/b.recipe.json"))
        .unwrap();
    assert_eq!(compiled(&root, "b", None).unwrap_err().code, ErrorCode::SkillPathOutside);
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_a_template(text in "(\\{|\\}|\"|\\\\|[A-Za-z_ é]|\\{\\{A\\}\\}){0,40}") {
        let found = slots(&text);
        for slot in &found {
            assert_eq!(text[slot.start..slot.end], format!("{{{{{}}}}}", slot.name));
        }
        assert!(found.is_sorted_by(|a, b| a.end <= b.start));
    }
}
