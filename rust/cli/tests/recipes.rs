//! `recipe` as it is typed, on a simulated phone; the page on recipes shows what it really says.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program in a folder, with a home of its own; answers with exit code and output.
fn clawperator(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_clawperator"))
        .args(args)
        .current_dir(folder)
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("ANDROID_SERIAL")
        .env_remove("CLAWPERATOR_POLICY")
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

fn examples() -> PathBuf {
    root().join("examples/recipes")
}

fn answer(folder: &Path, args: &[&str]) -> (i32, Value) {
    let (code, said) = clawperator(folder, args);
    (code, serde_json::from_str(&said).unwrap())
}

/// A folder with the example in it, changed in one place.
fn changed(name: &str, old: &str, new: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let text = fs::read_to_string(examples().join("warmer.recipe.md")).unwrap();
    assert!(text.contains(old));
    fs::write(folder.join("warmer.recipe.md"), text.replacen(old, new, 1)).unwrap();
    folder
}

#[test]
fn the_page_on_recipes_shows_the_example_and_what_it_says() {
    let page = fs::read_to_string(root().join("docs/recipes.md")).unwrap();
    for file in ["warmer.recipe.md", "warmer.test.yaml"] {
        let text = fs::read_to_string(examples().join(file)).unwrap();
        assert!(page.contains(&text), "{file} is not the one on the page");
    }
    let console = page.split("```console\n").nth(1).unwrap().split("```").next().unwrap();
    for example in console.split("$ clawperator ").skip(1) {
        let (line, said) = example.split_once('\n').unwrap();
        let args: Vec<&str> = line.split(' ').collect();
        assert_eq!(clawperator(&examples(), &args), (0, said.to_owned()), "{line}");
    }
    let fault = page.split("```text\nerror").nth(1).unwrap().split("```").next().unwrap();
    let folder = changed("fault", "  text_equals: ${", "  txt_equals: ${");
    let args = ["recipe", "validate", "warmer.recipe.md", "--output", "human"];
    let (code, said) = clawperator(&folder, &args);
    assert!(said.contains(&format!("error{fault}")), "{said}");
    assert_eq!(code, 1);
}

#[test]
fn the_example_passes_its_tests() {
    let (code, said) = answer(&examples(), &["recipe", "test", "warmer.recipe.md"]);
    assert_eq!((code, &said["passed"], &said["failed"]), (0, &json!(2), &json!(0)), "{said}");
}

#[test]
fn a_test_that_does_not_hold_says_what_was_different() {
    let folder = changed("differs", "id/warmer", "id/cooler");
    fs::copy(examples().join("warmer.test.yaml"), folder.join("warmer.test.yaml")).unwrap();
    let (code, said) = answer(&folder, &["recipe", "test", "warmer.recipe.md"]);
    assert_eq!((code, &said["code"]), (1, &json!("RECIPE_TEST_FAILED")), "{said}");
    assert_eq!(said["details"]["cases"][0]["differences"], json!(["target is 17, not 19"]));
}

/// The frontmatter of the example, for another app and without inputs.
fn flow(application_id: &str, outputs: &str, steps: &str) -> String {
    format!(
        "---\nrecipe_id: {application_id}.try\nrecipe_version: 1.0.0\nrecipe_type: flow\napplication_id: {application_id}\nsummary: Try it.\nframeworks: [unknown]\nsession_policy: fresh\napp_build: {{version_name: \"1\", version_code: 1}}\ntested_on: {{android_api: 35}}\ncapabilities: [observe, navigate, click]\ninputs: []\noutputs: {outputs}\n---\n{steps}"
    )
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_container_named_by_its_class_is_scrolled() {
    let folder = folder("by-class");
    let steps = "## Step 1: Scroll\n\n```yaml\nid: scroll\ntype: scroll_and_click\nselector:\n  text_contains: About phone\n  annotation: STRUCTURAL\ncontainer:\n  class: androidx.recyclerview.widget.RecyclerView\nwait:\n  after_ms: 500\nretries:\n  count: 3\n```\n\n## Step 2: Read\n\n```yaml\nid: model\ntype: wait_for_node\nselector: {text_equals: Model}\n```\n";
    fs::write(folder.join("scroll.recipe.md"), flow("com.android.settings", "[]", steps)).unwrap();
    let (code, said) = answer(&folder, &["recipe", "run", "scroll.recipe.md", "--device", "sim"]);
    assert_eq!((code, &said["status"]), (0, &json!("success")), "{said}");
}

#[test]
fn a_recipe_is_tested_on_recorded_screens_and_on_models_of_its_own() {
    let folder = folder("recorded");
    let look = "{\"commandId\":\"c\",\"taskId\":\"t\",\"source\":\"t\",\"expectedFormat\":\"android-ui-automator\",\"timeoutMs\":30000,\"actions\":[{\"id\":\"o\",\"type\":\"open_app\",\"params\":{\"applicationId\":\"com.example.climate\"}},{\"id\":\"s\",\"type\":\"snapshot_ui\"}]}";
    let (_, said) = answer(&folder, &["exec", look, "--device", "sim"]);
    let dump = said["envelope"]["stepResults"][1]["data"]["text"].as_str().unwrap();
    fs::create_dir(folder.join("screens")).unwrap();
    fs::write(folder.join("screens/01.xml"), dump).unwrap();
    fs::create_dir(folder.join("apps")).unwrap();
    let model = "package: com.example.own\nlabel: Own\nentry: home\nscreens:\n  home:\n    title: Own\n    widgets:\n      - text: It is 7 degrees\n";
    fs::write(folder.join("apps/own.yaml"), model).unwrap();
    for (name, application_id, text) in
        [("dump", "com.example.dumps", "18.0 °C"), ("own", "com.example.own", "7 degrees")]
    {
        let steps = format!(
            "## Step 1: Read\n\n```yaml\nid: degrees\ntype: read_text\nselector: {{text_contains: \"{text}\"}}\n```\n"
        );
        let outputs = "[{name: degrees, type: number, pattern: '([0-9.]+)'}]";
        fs::write(folder.join(format!("{name}.recipe.md")), flow(application_id, outputs, &steps))
            .unwrap();
    }
    fs::write(
        folder.join("dump.test.yaml"),
        "recipe: dump.recipe.md\ncases:\n  - name: on a recorded screen\n    screens: screens\n    expect: {status: success, outputs: {degrees: 18}}\n",
    )
    .unwrap();
    fs::write(
        folder.join("own.test.yaml"),
        "recipe: own.recipe.md\ncases:\n  - name: on an app of its own\n    apps: apps\n    expect: {status: success, outputs: {degrees: 7}}\n",
    )
    .unwrap();
    let (code, said) = answer(&folder, &["recipe", "test", "dump.recipe.md", "own.recipe.md"]);
    assert_eq!((code, &said["passed"]), (0, &json!(2)), "{said}");
}

#[test]
fn what_validates_is_told_with_its_inputs_and_outputs() {
    let (code, said) = answer(&examples(), &["recipe", "validate", "warmer.recipe.md"]);
    assert_eq!(code, 0);
    let recipe = &said["recipes"][0];
    assert_eq!(recipe["inputs"], json!([{"name": "room", "type": "string", "required": true}]));
    assert_eq!(
        recipe["outputs"],
        json!([{"name": "target", "type": "number", "redaction": "none"}])
    );
}

#[test]
fn a_recipe_compiles_to_what_exec_takes() {
    let line = ["recipe", "compile", "warmer.recipe.md", "--var", "room=Bedroom"];
    let (code, said) = answer(&examples(), &line);
    assert_eq!(code, 0);
    let execution = said["execution"].to_string();
    let (code, said) = answer(&examples(), &["exec", "--validate-only", &execution]);
    assert_eq!((code, &said["ok"]), (0, &json!(true)), "{said}");
}

#[test]
fn wrong_words_are_answered_with_what_to_do() {
    let room = ["--var", "room=Bedroom"];
    for (args, exit, code) in [
        (vec!["compile", "warmer.recipe.md"], 1, "RECIPE_INPUT_MISSING"),
        (vec!["compile", "warmer.recipe.md", "--var", "rom=x"], 1, "RECIPE_INPUT_UNKNOWN"),
        (vec!["compile", "warmer.recipe.md", "--var", "room"], 2, "USAGE"),
        (vec!["compile", "warmer.recipe.md", "--var", "room=a", "--var", "room=b"], 2, "USAGE"),
        (vec!["run", "nothing.recipe.md"], 1, "INPUT_UNREADABLE"),
        (vec!["test", "nothing.recipe.md"], 1, "INPUT_UNREADABLE"),
        (vec!["run", "warmer.recipe.md", room[0], room[1], "--allow", "fly"], 2, "USAGE"),
        (vec!["run", "warmer.recipe.md", room[0], room[1], "--profile", "x"], 1, "POLICY_INVALID"),
        (
            vec!["run", "warmer.recipe.md", room[0], room[1], "--profile", "read-only"],
            1,
            "RECIPE_POLICY_DENIED",
        ),
    ] {
        let line: Vec<&str> =
            ["recipe"].into_iter().chain(args).chain(["--device", "sim"]).collect();
        let (seen, said) = answer(&examples(), &line);
        assert_eq!((seen, said["code"].as_str()), (exit, Some(code)), "{line:?}: {said}");
    }
}

#[test]
fn a_recipe_that_is_not_sound_compiles_and_does_not_run() {
    let folder = changed("unverified", "type: read_text\n", "type: snapshot_ui\n");
    let text = fs::read_to_string(folder.join("warmer.recipe.md")).unwrap();
    let text = text
        .replace("confirm:\n  selector: {text_equals: Target temperature}\n", "")
        .replace("selector:\n  resource_id: com.example.climate:id/target\n", "");
    fs::write(folder.join("warmer.recipe.md"), text).unwrap();
    let line = ["recipe", "compile", "warmer.recipe.md", "--var", "room=Bedroom"];
    let (code, said) = answer(&folder, &line);
    assert_eq!((code, &said["problems"][0]["code"]), (0, &json!("RECIPE_UNVERIFIED")), "{said}");
    let line = ["recipe", "run", "warmer.recipe.md", "--var", "room=Bedroom", "--device", "sim"];
    let (code, said) = answer(&folder, &line);
    assert_eq!((code, &said["code"]), (1, &json!("RECIPE_UNVERIFIED")), "{said}");
}

#[test]
fn the_schemas_of_recipes_are_printed() {
    for of in ["recipe", "recipe-frontmatter", "recipe-step"] {
        let (code, said) = answer(&examples(), &["schema", of]);
        assert_eq!((code, &said["type"]), (0, &json!("object")), "{of}");
    }
}
