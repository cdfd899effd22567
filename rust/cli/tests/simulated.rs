//! The simulated phone from the command line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn clawperator(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clawperator"));
    command.args(args).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command
}

fn answer(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("clawperator-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_first_command_of_the_readme_opens_settings_each_time_it_is_run() {
    for _ in 0..2 {
        let output = clawperator(&["--device", "sim", "exec", "examples/open-settings.json"])
            .output()
            .unwrap();
        let answer = answer(&output);
        assert!(output.status.success(), "{answer}");
        assert_eq!(answer["deviceId"], "sim");
        let snapshot = answer["envelope"]["stepResults"][2]["data"]["text"].as_str().unwrap();
        assert!(snapshot.contains("Network &amp; internet"), "{snapshot}");
    }
}

#[test]
fn a_picture_is_saved_where_it_was_asked_for() {
    let folder = Folder::new("picture");
    let path = folder.path("wifi.png");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/wifi-off.json");
    let payload = std::fs::read_to_string(example).unwrap().replace("wifi-off.png", &path);
    let output = clawperator(&["--device", "sim", "exec", &payload]).output().unwrap();
    let answer = answer(&output);
    assert_eq!(answer["envelope"]["status"], "success", "{answer}");
    assert_eq!(answer["envelope"]["stepResults"][3]["data"]["path"], path.as_str());
    assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_failed_step_is_exit_code_1_and_says_what_was_near() {
    let payload = r#"{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator",
        "timeoutMs":10000,"actions":[{"id":"a","type":"click","params":{
        "matcher":{"textEquals":"Setings"},"retry":{"maxAttempts":1}}}]}"#;
    let output = clawperator(&["--device", "sim", "exec", payload]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = answer(&output)["envelope"]["stepResults"][0]["data"]["message"].clone();
    assert!(message.as_str().unwrap().contains("\"Settings\""), "{message}");
}

#[test]
fn each_phone_is_told_in_a_line_of_json_when_it_can_be_reached() {
    let mut phones =
        clawperator(&["sim", "--json", "--count", "3"]).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(phones.stdout.take().unwrap()).lines();
    for line in lines.take(3) {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let reached = TcpStream::connect(line["serial"].as_str().unwrap());
        assert!(reached.is_ok(), "{line}");
    }
    phones.kill().unwrap();
    phones.wait().unwrap();
}

#[test]
fn a_model_that_is_wrong_is_told_by_file_and_line() {
    let folder = Folder::new("apps");
    let text = "package: a.b\nlabel: X\nversion: \"1\"\nentry: main\nscreens:\n  main:\n    title: X\n    widgets:\n      - buton: Go\n";
    std::fs::write(folder.path("bad.yaml"), text).unwrap();
    let apps = folder.0.display().to_string();
    let output = clawperator(&["sim", "--json", "--apps", &apps]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let answer = answer(&output);
    assert_eq!(answer["code"], "SIMULATOR_FAILED");
    assert!(answer["message"].as_str().unwrap().contains("bad.yaml:9:"), "{answer}");
}

#[test]
fn faults_are_named_with_a_probability() {
    for (fault, complaint) in [("nope=0.5", "no fault"), ("late_nodes=7", "not a probability")] {
        let output = clawperator(&["sim", "--json", "--fault", fault]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let answer = answer(&output);
        assert!(answer["message"].as_str().unwrap().contains(complaint), "{answer}");
    }
}
