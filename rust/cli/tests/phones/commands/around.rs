//! What is around executions: phones, the log, versions, emulators, codes and schemas.

use crate::support::{CONFORMANCE, Desk, Program, id};
use clawperator_lab::{Adb, Lab, options};
use clawperator_simphone::system::OperatorPackage;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn the_phones_of_the_server_are_listed() {
    let host = Adb::start();
    let program = Program::at(host.port, &host.program());
    let none = program.run(&["devices"]).went_well();
    assert_eq!(none.json, json!({ "devices": [] }));
    let labs = [(); 2].map(|()| Lab::at(&host, options(), vec![]));
    let both = program.run(&["devices"]).went_well();
    let listed = both.json["devices"].as_array().unwrap();
    assert_eq!(listed.len(), 2);
    for lab in &labs {
        let row = listed.iter().find(|row| row["serial"] == lab.serial.as_str()).unwrap();
        assert_eq!((&row["state"], &row["model"]), (&json!("device"), &json!("Sim_Phone")));
    }
}

#[test]
fn one_phone_need_not_be_named() {
    let host = Adb::start();
    let desk = Desk::at(&host, options(), vec![OperatorPackage::current()]);
    let program = Program::at(host.port, &host.program());
    let answer = program.run(&["press", "home"]).succeeded();
    assert_eq!(answer.json["deviceId"], desk.lab.serial.as_str());
}

#[test]
fn a_phone_is_named_by_the_environment_too() {
    let desk = Desk::new();
    let mut program = Program::at(desk.program.port, &desk.program.adb);
    program.setting("ANDROID_SERIAL", &desk.lab.serial);
    let answer = program.run(&["press", "home"]).succeeded();
    assert_eq!(answer.json["deviceId"], desk.lab.serial.as_str());
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found
}

#[test]
fn the_log_says_what_was_run_and_never_what_was_typed() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let secret = "correct-horse-battery-staple";
    let flags = ["--id", &id("text_field"), "--log-level", "debug"];
    let typed = desk.run(&[&["type", secret], &flags[..]].concat()).succeeded();
    assert_eq!(desk.state("text"), secret);
    let failed = desk.run(&["click", "--ref", "n1@1", "--log-level", "debug"]);
    let failed = failed.step_failed("NODE_STALE");

    let logs = desk.run(&["logs"]);
    assert_eq!((logs.code, logs.err.as_str()), (Some(0), ""));
    let records: Vec<Value> =
        logs.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let record_of = |answer: &crate::support::Answer| {
        let id = &answer.envelope()["commandId"];
        let record = records.iter().find(|record| record["commandId"] == *id);
        record.unwrap_or_else(|| panic!("no record of {id}: {}", logs.out)).clone()
    };
    let good = record_of(&typed);
    assert_eq!((&good["event"], &good["status"]), (&json!("execution.ended"), &json!("success")));
    assert_eq!((&good["link"], &good["level"]), (&json!("socket"), &json!("info")));
    assert_eq!(good["deviceId"], desk.lab.serial.as_str());
    let bad = record_of(&failed);
    assert_eq!((&bad["status"], &bad["code"]), (&json!("failed"), &json!("NODE_STALE")));

    let kept = files(&desk.program.home);
    assert!(kept.iter().any(|file| file.starts_with(desk.program.home.join(".clawperator/logs"))));
    for file in kept {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        assert!(!text.contains(secret), "{}: {text}", file.display());
    }
}

#[test]
fn the_log_is_shown_in_part() {
    let desk = Desk::new();
    desk.run(&["press", "home"]).succeeded();
    desk.run(&["click", "--ref", "n1@1"]).step_failed("NODE_STALE");
    let lines = |args: &[&str]| {
        let answer = desk.run(&[&["logs"], args].concat());
        assert_eq!(answer.code, Some(0), "{}", answer.out);
        answer.out.lines().count()
    };
    assert_eq!(lines(&[]), 2);
    assert_eq!(lines(&["-n", "1"]), 1);
    assert_eq!(lines(&["--level", "warn"]), 1);
    assert_eq!(lines(&["--event", "execution."]), 2);
    assert_eq!(lines(&["--event", "nothing."]), 0);
    assert_eq!(lines(&["--since", "1h"]), 2);
    let wrong = desk.run(&["logs", "--since", "whenever"]);
    assert_eq!((wrong.code, &wrong.json["code"]), (Some(2), &json!("USAGE")));
}

#[test]
fn the_version_is_told_without_a_phone() {
    let program = Program::at(1, Path::new("/nowhere/adb"));
    let answer = program.run(&["version"]).went_well();
    assert_eq!(answer.json, json!({ "cliVersion": env!("CARGO_PKG_VERSION") }));
}

#[test]
fn codes_and_schemas_are_told_without_a_phone() {
    let program = Program::at(1, Path::new("/nowhere/adb"));
    let explained = program.run(&["explain", "NODE_STALE"]).went_well();
    assert!(explained.out.contains("NODE_STALE"), "{}", explained.out);
    for of in ["execution", "envelope"] {
        let schema = program.run(&["schema", of]).went_well();
        assert!(schema.json["properties"].is_object(), "{}", schema.out);
    }
}

#[test]
fn without_an_sdk_emulators_say_what_is_missing() {
    let host = Adb::start();
    let program = Program::at(host.port, &host.program());
    let listed = program.run(&["emulator", "list"]).went_well();
    assert_eq!(listed.json, json!({ "avds": [] }));
    let one = program.run(&["emulator", "inspect", "nobody"]).failed("EMULATOR_NOT_FOUND");
    assert_eq!(one.detail("avdName"), "nobody");
    program.run(&["emulator", "start", "nobody"]).failed("EMULATOR_NOT_FOUND");
    let made = program.run(&["emulator", "create", "--name", "somebody"]);
    let made = made.failed("ANDROID_SDK_TOOL_MISSING");
    assert!(made.message().contains("avdmanager") || made.message().contains("sdkmanager"));
}
