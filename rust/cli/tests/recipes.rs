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
