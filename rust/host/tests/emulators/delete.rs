//! `emulator delete`.

use crate::world::{SHORT, World, contains, failed};
use clawperator_contract::ErrorCode;
use serde_json::json;

const AVDMANAGER: &str = "sdk/cmdline-tools/latest/bin/avdmanager";

#[test]
fn a_device_is_deleted() {
    let world = World::with_tools();
    world.avd("pixel", 35, "x86_64");
    let deleted = serde_json::to_value(world.emulators().delete("pixel").unwrap()).unwrap();
    assert_eq!(deleted, json!({ "ok": true, "avdName": "pixel", "deleted": true }));
    assert_eq!(world.read("avdmanager.calls"), "delete avd --name pixel\n");
    failed(world.emulators().delete("pixel"), ErrorCode::EmulatorNotFound);
}

#[test]
fn a_running_device_is_not_deleted() {
    let world = World::with_tools();
    world.avd("pixel", 35, "x86_64");
    world.running("emulator-5556", "pixel");
    let failure = failed(world.emulators().delete("pixel"), ErrorCode::EmulatorAlreadyRunning);
    assert_eq!(failure.details["serial"], "emulator-5556");
    assert_eq!(world.read("avdmanager.calls"), "");
}

#[test]
fn nothing_is_deleted_while_adb_cannot_say_whether_it_runs() {
    let world = World::with_tools();
    world.avd("pixel", 35, "x86_64");
    world.phones.broken(true);
    let failure = world.emulators().delete("pixel").unwrap_err();
    assert_eq!(failure.code, ErrorCode::AdbServerFailed);
    assert_eq!(world.read("avdmanager.calls"), "");
}

#[test]
fn a_deletion_that_fails_hangs_or_lies_is_told() {
    let world = World::with_tools();
    world.avd("pixel", 35, "x86_64");
    let mut emulators = world.emulators();
    for (body, message) in [
        ("echo 'Error: could not delete' >&2; exit 1", "exit status: 1: Error: could not delete"),
        ("sleep 600", "was stopped"),
        ("exit 0", "is still in"),
    ] {
        world.program(AVDMANAGER, body);
        emulators.limits.delete = if body.starts_with("sleep") { SHORT } else { SHORT * 200 };
        let failure = failed(emulators.delete("pixel"), ErrorCode::EmulatorDeleteFailed);
        contains(&failure.message, message);
    }
    std::fs::remove_file(world.path(AVDMANAGER)).unwrap();
    failed(emulators.delete("pixel"), ErrorCode::AndroidSdkToolMissing);
}
