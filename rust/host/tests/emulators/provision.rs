//! `provision emulator`.

use crate::world::{SHORT, World, contains, failed};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::emulator::{Create, Provision, Provisioned};
use serde_json::{Value, json};

fn provision(world: &World, preferred: Option<&str>) -> Result<Provisioned, Failure> {
    let preferred = preferred.map(str::to_owned);
    world.emulators().provision(&Provision { preferred, ..consenting() })
}

fn consenting() -> Provision {
    let create = Create { accept_licenses: true, ..Create::default() };
    Provision { create, ..Provision::default() }
}

fn story(provisioned: &Provisioned) -> (Option<&str>, [bool; 3]) {
    let Provisioned { created, started, reused, .. } = *provisioned;
    assert!(provisioned.booted);
    (provisioned.avd_name.as_deref(), [created, started, reused])
}

#[test]
fn an_emulator_that_runs_is_taken_and_no_tool_is_needed() {
    let world = World::new();
    world.running("emulator-5554", "pixel");
    let answer = serde_json::to_value(provision(&world, None).unwrap()).unwrap();
    assert_eq!(
        answer,
        json!({
            "type": "emulator", "avdName": "pixel", "serial": "emulator-5554", "booted": true,
            "created": false, "started": false, "reused": true,
        })
    );
}

#[test]
fn of_several_that_run_the_preferred_one_is_taken() {
    let world = World::new();
    world.running("emulator-5554", "one");
    world.running("emulator-5556", "two");
    assert_eq!(provision(&world, Some("two")).unwrap().serial, "emulator-5556");
    assert_eq!(provision(&world, Some("three")).unwrap().serial, "emulator-5554");
    assert_eq!(provision(&world, None).unwrap().serial, "emulator-5554");
}

#[test]
fn one_that_is_still_booting_is_waited_for() {
    let world = World::new();
    let booting = "ro.boot.qemu.avd_name=p\nro.build.version.sdk=35\nro.product.cpu.abi=x86_64\n";
    world.phones.put("emulator-5554", booting);
    let mut emulators = world.emulators();
    emulators.limits.boot = SHORT;
    failed(emulators.provision(&consenting()), ErrorCode::EmulatorBootTimeout);
    let booted = format!("{booting}sys.boot_completed=1\ndev.bootcomplete=1\n");
    world.phones.then(move |adb| adb.put("emulator-5554", &booted));
    assert_eq!(story(&provision(&world, None).unwrap()), (Some("p"), [false, false, true]));
}

#[test]
fn one_that_runs_but_would_not_do_is_passed_over() {
    let world = World::with_tools();
    world.avd("pixel", 35, "x86_64");
    let old = "ro.boot.qemu.avd_name=old\nro.build.version.sdk=28\nro.product.cpu.abi=x86_64\n";
    world.phones.put("emulator-5552", old);
    let answer = provision(&world, None).unwrap();
    assert_eq!(story(&answer), (Some("pixel"), [false, true, true]));
    assert!(answer.log_file.is_some());
}

#[test]
fn the_preferred_device_is_started_or_the_first_that_would_do() {
    for (preferred, expected) in [(Some("two"), "two"), (None, "one"), (Some("nobody"), "one")] {
        let world = World::with_tools();
        world.avd("ancient", 28, "x86_64");
        world.avd("two", 35, "x86_64");
        world.avd("one", 34, "x86_64");
        let answer = provision(&world, preferred).unwrap();
        assert_eq!(story(&answer), (Some(expected), [false, true, true]), "{preferred:?}");
        assert_eq!(world.read("avdmanager.calls"), "");
    }
}

#[test]
fn where_there_is_none_one_is_created_and_started() {
    for (preferred, expected) in [(None, "clawperator-pixel"), (Some("mine"), "mine")] {
        let world = World::with_tools();
        let answer = provision(&world, preferred).unwrap();
        assert_eq!(story(&answer), (Some(expected), [true, true, false]));
        contains(&world.read("emulator.calls"), &format!("-avd {expected} "));
    }
}

#[test]
fn a_device_in_the_way_that_would_not_do_is_a_failure_with_reasons() {
    let world = World::with_tools();
    world.avd("clawperator-pixel", 28, "arm64-v8a");
    let failure = failed(provision(&world, None), ErrorCode::EmulatorUnsupported);
    let reasons: Value = json!(["unsupported_api_level", "unsupported_abi"]);
    assert_eq!(failure.details["unsupportedReasons"], reasons);
    contains(&failure.message, "API level 28, arm64-v8a");
    world.avd("good", 35, "x86_64");
    let preferred = Some("clawperator-pixel");
    failed(provision(&world, preferred), ErrorCode::EmulatorUnsupported);
}

#[test]
fn all_tools_are_asked_for_before_anything_is_loaded() {
    let world = World::with_tools();
    std::fs::remove_file(world.path("sdk/emulator/emulator")).unwrap();
    let failure = failed(provision(&world, None), ErrorCode::AndroidSdkToolMissing);
    assert_eq!(failure.details["missingTools"], json!(["emulator"]));
    assert_eq!(world.read("sdkmanager.calls"), "");
}

#[test]
fn what_fails_on_the_way_is_told() {
    let world = World::with_tools();
    failed(
        world.emulators().provision(&Provision::default()),
        ErrorCode::AndroidSystemImageInstallFailed,
    );
    world.program("sdk/emulator/emulator", "echo 'PANIC: broken'; exit 1");
    contains(&failed(provision(&world, None), ErrorCode::EmulatorStartFailed).message, "PANIC");
    world.phones.broken(true);
    assert_eq!(provision(&world, None).unwrap_err().code, ErrorCode::AdbServerFailed);
}
