//! The scripts of the examples, run as a reader would run them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("clawperator-{name}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_recording_becomes_a_recipe_that_does_the_same_again_and_for_other_rooms() {
    let folder = Folder::new("record-to-recipe");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/record-to-recipe.sh");
    let ran = Command::new("sh")
        .arg(script)
        .arg(&folder.0)
        .env("CLAWPERATOR", env!("CARGO_BIN_EXE_clawperator"))
        .env("HOME", &folder.0)
        .output()
        .unwrap();
    let out = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.status.success(), "{out}{}", String::from_utf8_lossy(&ran.stderr));
    let answers: Vec<Value> =
        out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let [captured, drafted, checked, compiled, bedroom, kitchen] = answers.as_slice() else {
        panic!("six answers: {out}");
    };
    assert_eq!(captured["sessionId"], "warmer");
    assert_eq!(drafted["recipeId"], "com.example.climate.warmer");
    assert_eq!(drafted["vars"], serde_json::json!({ "room": "Bedroom" }));
    assert_eq!(checked["recipes"][0]["problems"], serde_json::json!([]), "{checked}");
    assert_eq!(compiled["execution"]["actions"][2]["params"]["matcher"]["textEquals"], "Bedroom");
    // Each run has a phone of its own, on which the rooms are set to 18 and 20.
    assert_eq!(bedroom["outputs"], serde_json::json!({ "target": 19 }), "{bedroom}");
    assert_eq!(kitchen["outputs"], serde_json::json!({ "target": 21 }), "{kitchen}");
    let recipe = fs::read_to_string(folder.0.join("warmer.recipe.md")).unwrap();
    assert!(!recipe.to_lowercase().contains("bedroom"), "{recipe}");
}
