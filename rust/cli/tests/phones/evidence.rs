//! What is kept of a failure.

use crate::support::{Answer, CONFORMANCE, Desk};
use clawperator_simphone::system::System;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A click on something that is not there.
const FAILING: [&str; 3] = ["click", "--ref", "n1@1"];

/// The folder an answer names, which must hold everything.
#[track_caller]
fn kept(answer: &Answer, parent: &Path) -> PathBuf {
    let evidence = &answer.json["evidence"];
    let folder = PathBuf::from(evidence["folder"].as_str().unwrap());
    assert_eq!(folder.parent(), Some(parent), "{}", answer.out);
    let files = json!(["envelope.json", "snapshot.xml", "snapshot.txt", "screenshot.png"]);
    assert_eq!(evidence["files"], files, "{}", answer.out);
    assert!(evidence["problems"].is_null(), "{}", answer.out);
    for file in files.as_array().unwrap() {
        assert!(folder.join(file.as_str().unwrap()).is_file(), "{file}");
    }
    folder
}

#[test]
fn a_failed_step_leaves_what_was_on_the_screen() {
    for link in ["socket", "broadcast"] {
        let desk = Desk::new();
        desk.show(CONFORMANCE);
        let parent = desk.program.home.join("evidence");
        let flags = ["--evidence", "evidence", "--link", link];
        let answer = desk.run(&[&FAILING, &flags[..]].concat()).step_failed("NODE_STALE");
        // Named as it was asked for: seen from where the program runs.
        let named = PathBuf::from(answer.json["evidence"]["folder"].as_str().unwrap());
        assert_eq!(named.parent(), Some(Path::new("evidence")), "{link}");
        let folder = desk.program.home.join(named);
        assert_eq!(folder.parent(), Some(parent.as_path()));

        let text = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
        let envelope: Value = serde_json::from_str(&text("envelope.json")).unwrap();
        assert_eq!(envelope, *answer.envelope(), "{link}");
        let xml = text("snapshot.xml");
        let nodes = roxmltree::Document::parse(&xml).unwrap();
        assert!(nodes.descendants().any(|node| node.attribute("text") == Some("Count: 0")));
        assert!(text("snapshot.txt").contains("#counter_button"), "{link}");
        assert!(fs::read(folder.join("screenshot.png")).unwrap().starts_with(b"\x89PNG"));
        // Screens are nobody else's business.
        let mode = fs::metadata(&folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}

#[test]
fn the_environment_asks_for_it_too_and_each_failure_has_its_own_folder() {
    let mut desk = Desk::new();
    let parent = desk.program.home.join("kept/here");
    desk.program.setting("CLAWPERATOR_EVIDENCE", parent.to_str().unwrap());
    let folders = [(); 2].map(|()| {
        let answer = desk.run(&FAILING).step_failed("NODE_STALE");
        kept(&answer, &parent)
    });
    assert_ne!(folders[0], folders[1]);
}

#[test]
fn nothing_is_kept_of_what_went_well_or_was_not_asked_for() {
    let desk = Desk::new();
    let parent = desk.program.home.join("evidence");
    let good = desk.run(&["press", "home", "--evidence", parent.to_str().unwrap()]).succeeded();
    assert!(good.json["evidence"].is_null() && !parent.exists());
    let bad = desk.run(&FAILING).step_failed("NODE_STALE");
    assert!(bad.json["evidence"].is_null());
}

#[test]
fn what_could_not_be_kept_is_told_and_the_rest_is_kept() {
    let desk = Desk::new();
    // A window that forbids pictures.
    desk.show_screen(CONFORMANCE, "inputs", "Inputs");
    let answer = desk.run(&[&FAILING, &["--evidence", "evidence"][..]].concat());
    let answer = answer.step_failed("NODE_STALE");
    let evidence = &answer.json["evidence"];
    assert_eq!(evidence["files"], json!(["envelope.json", "snapshot.xml", "snapshot.txt"]));
    let problems = evidence["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{}", answer.out);
    assert!(problems[0].as_str().unwrap().starts_with("screenshot.png: "), "{}", answer.out);
    // A folder that cannot be made.
    fs::write(desk.program.path("file"), "").unwrap();
    let answer = desk.run(&[&FAILING, &["--evidence", "file"][..]].concat());
    let answer = answer.step_failed("NODE_STALE");
    assert_eq!(answer.json["evidence"]["files"], json!([]));
    assert!(answer.json["evidence"]["problems"][0].is_string(), "{}", answer.out);
}

#[test]
fn looking_for_evidence_touches_nothing() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let before = screen(desk.system());
    let answer = desk.run(&[&FAILING, &["--evidence", "evidence"][..]].concat());
    answer.step_failed("NODE_STALE");
    assert_eq!(screen(desk.system()), before);
}

/// Every label on the screen.
fn screen(system: &Arc<System>) -> Vec<String> {
    let screen = system.device.screen().unwrap();
    screen.nodes().map(|node| node.label().to_owned()).collect()
}
