//! `emulator create`.

use crate::world::{SHORT, World, contains, failed, hint};
use clawperator_contract::ErrorCode;
use clawperator_host::emulator::{Create, Environment};
use serde_json::json;

const IMAGE: &str = "system-images;android-35;google_apis_playstore;x86_64";
const AVDMANAGER: &str = "sdk/cmdline-tools/latest/bin/avdmanager";
const SDKMANAGER: &str = "sdk/cmdline-tools/latest/bin/sdkmanager";

fn named(name: &str) -> Create {
    Create { name: name.into(), ..Create::default() }
}

fn consenting() -> Create {
    Create { accept_licenses: true, ..Create::default() }
}

#[test]
fn the_default_device_is_created_with_its_image() {
    let world = World::with_tools();
    let avd = world.emulators().create(&consenting()).unwrap();
    assert_eq!(avd.name, "clawperator-pixel");
    assert_eq!(avd.system_image.as_deref(), Some(IMAGE));
    assert_eq!(avd.device_profile.as_deref(), Some("pixel_7"));
    assert!(avd.supported && avd.play_store && avd.running == Some(false), "{avd:?}");
    let root = world.path("sdk");
    assert_eq!(
        world.read("sdkmanager.calls"),
        format!("--install {IMAGE} --sdk_root={}\n", root.display())
    );
    assert_eq!(
        world.read("avdmanager.calls"),
        format!("create avd --name clawperator-pixel --package {IMAGE} --device pixel_7\n")
    );
    assert_eq!(world.read("avdmanager.answer"), "no\n", "no hardware profile by hand");
}

#[test]
fn every_choice_reaches_the_tools() {
    let world = World::with_tools();
    let mut emulators = world.emulators();
    emulators.host_abi = "arm64-v8a".into();
    let wanted = Create {
        name: "tablet".into(),
        api_level: 33,
        device_profile: "pixel_tablet".into(),
        play_store: false,
        ..consenting()
    };
    let avd = emulators.create(&wanted).unwrap();
    let image = "system-images;android-33;google_apis;arm64-v8a";
    assert_eq!(avd.system_image.as_deref(), Some(image), "the computer's own kind");
    assert!(avd.supported && !avd.play_store);
    assert_eq!(
        world.read("avdmanager.calls"),
        format!("create avd --name tablet --package {image} --device pixel_tablet\n")
    );
}

#[test]
fn an_image_that_is_there_is_not_installed_again() {
    let world = World::with_tools();
    world.write(&format!("sdk/{}/package.xml", IMAGE.replace(';', "/")), "");
    std::fs::remove_file(world.path(SDKMANAGER)).unwrap();
    world.emulators().create(&Create::default()).expect("sdkmanager is not even needed");
}

#[test]
fn licences_are_accepted_only_when_the_caller_says_so() {
    let world = World::with_tools();
    let emulators = world.emulators();
    let code = ErrorCode::AndroidSystemImageInstallFailed;
    let failure = failed(emulators.create(&Create::default()), code);
    contains(&failure.message, "licences not accepted yet: android-sdk-license");
    assert_eq!(failure.details["licenses"], json!(["android-sdk-license"]));
    contains(hint(&failure), "sdkmanager --licenses`");
    contains(hint(&failure), "--accept-licenses");
    assert!(!world.path("licence").exists());
    assert_eq!(world.read("avdmanager.calls"), "", "nothing was created");
    emulators.create(&consenting()).unwrap();
    assert!(world.path("licence").exists());
}

#[test]
fn a_tool_in_the_search_path_is_asked_what_is_installed() {
    let mut world = World::with_tools();
    // Tools without an SDK around them: what is installed only sdkmanager knows.
    world.program(
        "bin/sdkmanager",
        r#"echo "$1" >> "$world/sdkmanager.calls"
if [ "$1" = --list_installed ]; then
  printf 'Installed packages:\n  Path | Version | Description\n  ------- | ------- | -------\n'
  [ -e "$world/done" ] && echo "  system-images;android-35;google_apis_playstore;x86_64 | 9 | Image"
  echo "  emulator | 35.2.10 | Android Emulator"
  exit 0
fi
touch "$world/done""#,
    );
    world.program("bin/avdmanager", crate::world::AVDMANAGER);
    world.environment =
        Environment::default().with("HOME", world.path("home")).with("PATH", world.path("bin"));
    world.emulators().create(&named("one")).unwrap();
    assert_eq!(world.read("sdkmanager.calls"), "--list_installed\n--install\n--list_installed\n");
    world.emulators().create(&named("two")).unwrap();
    assert_eq!(world.read("sdkmanager.calls").lines().count(), 4, "only asked this time");
}

#[test]
fn what_sdkmanager_says_is_told() {
    let world = World::with_tools();
    for (body, message, help) in [
        ("echo 'Warning: Failed to find package x'; exit 1", "Failed to find package", "--list"),
        (
            "echo 'java.io.IOException: No space left on device' >&2; exit 1",
            "exit status: 1",
            "room",
        ),
        ("echo 'ERROR: JAVA_HOME is not set'; exit 1", "JAVA_HOME is not set", "Java 17"),
        ("exit 0", "said nothing", "room"),
    ] {
        world.program(SDKMANAGER, body);
        let code = ErrorCode::AndroidSystemImageInstallFailed;
        let failure = failed(world.emulators().create(&consenting()), code);
        contains(&failure.message, message);
        contains(hint(&failure), help);
        assert_eq!(failure.details["image"], IMAGE);
    }
}

#[test]
fn an_sdkmanager_that_hangs_is_ended() {
    let mut world = World::with_tools();
    world.program(SDKMANAGER, "sleep 600");
    let code = ErrorCode::AndroidSystemImageInstallFailed;
    let mut emulators = world.emulators();
    emulators.limits.install_image = SHORT;
    let failure = failed(emulators.create(&consenting()), code);
    contains(&failure.message, "had not ended after 0.3 s and was stopped");
    world.program("bin/sdkmanager", "sleep 600");
    world.program("bin/avdmanager", "");
    world.environment = Environment::default().with("PATH", world.path("bin"));
    let mut emulators = world.emulators();
    emulators.limits.list_packages = SHORT;
    contains(&failed(emulators.create(&consenting()), code).message, "and was stopped");
}

#[test]
fn a_name_in_use_is_refused_unless_forced() {
    let world = World::with_tools();
    world.avd("pixel", 35, "x86_64");
    let failure =
        failed(world.emulators().create(&named("pixel")), ErrorCode::EmulatorCreateFailed);
    contains(hint(&failure), "--force");
    assert_eq!(world.read("avdmanager.calls"), "");
    let forced = Create { force: true, ..named("pixel") };
    world.emulators().create(&forced).unwrap();
    contains(&world.read("avdmanager.calls"), "--device pixel_7 --force");
    world.running("emulator-5554", "pixel");
    failed(world.emulators().create(&forced), ErrorCode::EmulatorAlreadyRunning);
}

#[test]
fn names_that_avdmanager_would_refuse_are_refused_before_any_download() {
    let world = World::new();
    for name in ["", "my phone", "../x", "-x", "größe", ".hidden"] {
        failed(world.emulators().create(&named(name)), ErrorCode::EmulatorCreateFailed);
    }
}

#[test]
fn a_device_the_operator_would_not_run_on_is_not_created() {
    let world = World::with_tools();
    let old = Create { api_level: 29, ..consenting() };
    let failure = failed(world.emulators().create(&old), ErrorCode::EmulatorUnsupported);
    assert_eq!(failure.details["unsupportedReasons"], json!(["unsupported_api_level"]));
    let other = Create { abi: Some("arm64-v8a".into()), ..consenting() };
    let failure = failed(world.emulators().create(&other), ErrorCode::EmulatorUnsupported);
    assert_eq!(failure.details["unsupportedReasons"], json!(["unsupported_abi"]));
    assert_eq!(world.read("sdkmanager.calls"), "");
}

#[test]
fn missing_tools_are_told() {
    let world = World::new();
    let missing = |code| failed(world.emulators().create(&consenting()), code).details;
    let code = ErrorCode::AndroidSdkToolMissing;
    assert_eq!(missing(code)["missingTools"], json!(["avdmanager"]));
    world.program(AVDMANAGER, "");
    assert_eq!(missing(code)["missingTools"], json!(["sdkmanager"]));
}

#[test]
fn what_avdmanager_says_is_told() {
    let world = World::with_tools();
    let code = ErrorCode::AndroidAvdCreateFailed;
    world.program(AVDMANAGER, "echo 'Error: No device found matching --device x.' >&2; exit 1");
    let failure = failed(world.emulators().create(&consenting()), code);
    contains(&failure.message, "No device found matching");
    contains(hint(&failure), "avdmanager list device");
    world.program(AVDMANAGER, "exit 0");
    let failure = failed(world.emulators().create(&consenting()), code);
    contains(&failure.message, "reported success, but no virtual device is called");
    world.program(AVDMANAGER, "sleep 600");
    let mut emulators = world.emulators();
    emulators.limits.create = SHORT;
    contains(&failed(emulators.create(&consenting()), code).message, "was stopped");
}

#[test]
fn devices_are_created_where_the_environment_says() {
    let mut world = World::with_tools();
    world.environment = world.environment.clone().with("ANDROID_USER_HOME", world.path("user"));
    world.emulators().create(&Create { accept_licenses: true, ..named("pixel") }).unwrap();
    assert!(world.path("user/avd/pixel.ini").is_file());
}

#[test]
fn a_home_that_cannot_be_made_is_told() {
    let mut world = World::with_tools();
    world.write("file", "");
    world.environment =
        world.environment.clone().with("ANDROID_AVD_HOME", world.path("file/below"));
    let result = world.emulators().create(&consenting());
    // Whether reading or making fails first depends on the system's word for it.
    let failure = result.unwrap_err();
    contains(&failure.message, "file/below");
}
