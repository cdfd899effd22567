//! `emulator list`, `inspect` and `status`.

use crate::world::{World, contains, failed};
use clawperator_contract::ErrorCode;
use clawperator_host::emulator::Reason;
use serde_json::json;

#[test]
fn devices_are_listed_by_name_without_any_tool() {
    let world = World::new();
    world.avd("zebra", 35, "x86_64");
    world.avd("ant", 34, "x86_64");
    world.write("home/.android/avd/notes.txt", "not a device");
    world.running("emulator-5556", "zebra");
    let listed = world.emulators().list().unwrap();
    let seen: Vec<_> =
        listed.avds.iter().map(|avd| (&*avd.name, avd.running, avd.serial.as_deref())).collect();
    assert_eq!(seen, [("ant", Some(false), None), ("zebra", Some(true), Some("emulator-5556"))]);
    assert_eq!(listed.warning, None);
}

#[test]
fn a_device_is_described_in_full() {
    let world = World::new();
    world.avd("pixel", 35, "x86_64");
    let avd = serde_json::to_value(world.emulators().inspect("pixel").unwrap()).unwrap();
    assert_eq!(
        avd,
        json!({
            "name": "pixel",
            "exists": true,
            "running": false,
            "apiLevel": 35,
            "abi": "x86_64",
            "playStore": true,
            "deviceProfile": "pixel_7",
            "systemImage": "system-images;android-35;google_apis_playstore;x86_64",
            "supported": true,
            "unsupportedReasons": [],
        })
    );
}

#[test]
fn devices_are_listed_without_adb_and_the_answer_says_so() {
    let world = World::new();
    world.avd("pixel", 35, "x86_64");
    world.phones.broken(true);
    let listed = serde_json::to_value(world.emulators().list().unwrap()).unwrap();
    assert_eq!(listed["avds"][0]["running"], json!(null));
    contains(listed["warning"].as_str().unwrap(), "nobody listens at port 5037");
}

#[test]
fn a_computer_without_devices_has_an_empty_list() {
    let mut world = World::new();
    assert_eq!(world.emulators().list().unwrap().avds, []);
    world.environment = world.environment.clone().with("ANDROID_AVD_HOME", world.path("nowhere"));
    assert_eq!(world.emulators().list().unwrap().avds, []);
}

#[test]
fn a_home_that_is_no_folder_is_a_failure() {
    let mut world = World::new();
    world.write("file", "");
    world.environment = world.environment.clone().with("ANDROID_AVD_HOME", world.path("file"));
    contains(
        &failed(world.emulators().list(), ErrorCode::EmulatorNotFound).message,
        "cannot be read",
    );
}

#[test]
fn devices_elsewhere_are_found_by_their_absolute_or_relative_path() {
    let world = World::new();
    let config = |abi: &str| format!("abi.type={abi}\nimage.sysdir.1=\n");
    world.write("elsewhere/a/config.ini", &config("absolute"));
    let pointer = format!("path={}\n", world.path("elsewhere/a").display());
    world.write("home/.android/avd/a.ini", &pointer);
    world.write("home/.android/moved/b/config.ini", &config("relative"));
    world.write("home/.android/avd/b.ini", "path=/old/home/b.avd\npath.rel=moved/b\n");
    world.write("home/.android/avd/c.avd/config.ini", &config("beside"));
    world.write("home/.android/avd/c.ini", "path=/old/home/c.avd\n");
    let avds = world.emulators().list().unwrap().avds;
    let abis: Vec<_> = avds.iter().map(|avd| avd.abi.as_deref().unwrap()).collect();
    assert_eq!(abis, ["absolute", "relative", "beside"]);
}

#[test]
fn what_speaks_against_a_device_is_told() {
    let world = World::new();
    world.avd("good", 30, "x86_64");
    world.avd("old", 29, "x86_64");
    world.avd("other", 35, "arm64-v8a");
    world.avd("imageless", 33, "x86_64");
    std::fs::remove_dir_all(world.path("sdk/system-images/android-33")).unwrap();
    world.avd("gone", 35, "x86_64");
    std::fs::remove_dir_all(world.path("home/.android/avd/gone.avd")).unwrap();
    let mut emulators = world.emulators();
    let reasons = |name: &str| emulators.inspect(name).unwrap().unsupported_reasons;
    assert_eq!(reasons("good"), []);
    assert_eq!(reasons("old"), [Reason::UnsupportedApiLevel]);
    assert_eq!(reasons("other"), [Reason::UnsupportedAbi]);
    assert_eq!(reasons("imageless"), [Reason::MissingSystemImage]);
    assert_eq!(reasons("gone"), [Reason::MissingConfiguration]);
    assert_eq!(serde_json::to_value(reasons("old")).unwrap(), json!(["unsupported_api_level"]));
    emulators.host_abi = "arm64-v8a".into();
    assert!(emulators.inspect("other").unwrap().supported);
    assert!(!emulators.inspect("good").unwrap().supported);
}

#[test]
fn an_unknown_device_is_a_failure_that_names_the_known_ones() {
    let world = World::new();
    world.avd("pixel", 35, "x86_64");
    for name in ["pixle", "../avd/pixel", ""] {
        let failure = failed(world.emulators().inspect(name), ErrorCode::EmulatorNotFound);
        assert_eq!(failure.details["known"], json!(["pixel"]));
        assert_eq!(failure.details["avdName"], name);
    }
}

#[test]
fn running_emulators_speak_for_themselves() {
    let world = World::new();
    world.running("emulator-5554", "from-another-home");
    world.phones.put(
        "emulator-5556",
        "ro.kernel.qemu.avd_name=old one\nro.build.version.sdk=28\nro.product.cpu.abi=x86_64\n\
         sys.boot_completed=1\n",
    );
    world.phones.put("emulator-5558", "");
    let status = serde_json::to_value(world.emulators().status().unwrap()).unwrap();
    assert_eq!(
        status,
        json!({ "devices": [
            {
                "type": "emulator", "avdName": "from-another-home", "serial": "emulator-5554",
                "booted": true, "apiLevel": 35, "abi": "x86_64",
                "supported": true, "unsupportedReasons": [],
            },
            {
                "type": "emulator", "avdName": "old one", "serial": "emulator-5556",
                "booted": false, "apiLevel": 28, "abi": "x86_64",
                "supported": false, "unsupportedReasons": ["unsupported_api_level"],
            },
            {
                "type": "emulator", "avdName": null, "serial": "emulator-5558",
                "booted": false, "apiLevel": null, "abi": null,
                "supported": false, "unsupportedReasons": ["not_answering"],
            },
        ] })
    );
    world.phones.broken(true);
    let failure = world.emulators().status().unwrap_err();
    assert_eq!(failure.code, ErrorCode::AdbServerFailed);
}
