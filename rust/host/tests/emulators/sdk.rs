//! Where tools are found.

use crate::world::{World, contains, display, failed, hint};
use clawperator_contract::ErrorCode;
use clawperator_host::emulator::{Environment, Sdk, Tool};
use serde_json::json;

fn sdk(environment: &Environment) -> Sdk {
    Sdk::new(environment.clone())
}

#[test]
fn the_latest_command_line_tools_come_first_then_the_newest_version() {
    let world = World::new();
    let at = |version: &str| format!("sdk/cmdline-tools/{version}/bin/sdkmanager");
    for (version, expected) in
        [("9.0", "9.0"), ("12.0", "12.0"), ("2.1", "12.0"), ("latest", "latest")]
    {
        world.program(&at(version), "");
        let found = sdk(&world.environment).tool(Tool::SdkManager).unwrap();
        assert_eq!(found, world.path(&at(expected)), "after {version}");
    }
}

#[test]
fn the_older_variable_names_the_sdk_too() {
    let world = World::new();
    world.program("old/emulator/emulator", "");
    let environment = Environment::default().with("ANDROID_SDK_ROOT", world.path("old"));
    let found = sdk(&environment).tool(Tool::Emulator).unwrap();
    assert_eq!(found, world.path("old/emulator/emulator"));
    // A folder that is gone does not hide the one that is there.
    let environment = environment.with("ANDROID_HOME", world.path("gone"));
    assert_eq!(sdk(&environment).tool(Tool::Emulator).unwrap(), found);
    assert_eq!(sdk(&environment).root(), Some(world.path("old")));
}

#[test]
fn a_named_tool_is_taken_and_never_replaced_by_another() {
    let world = World::with_tools();
    world.program("mine/avd", "");
    let environment = world.environment.clone().with("AVDMANAGER_PATH", world.path("mine/avd"));
    assert_eq!(sdk(&environment).tool(Tool::AvdManager).unwrap(), world.path("mine/avd"));
    let environment = environment.with("AVDMANAGER_PATH", world.path("mine/typo"));
    let failure =
        failed(sdk(&environment).tool(Tool::AvdManager), ErrorCode::AndroidSdkToolMissing);
    assert_eq!(failure.details["lookedAt"], json!([display(&world.path("mine/typo"))]));
}

#[test]
fn a_bare_name_is_looked_for_in_the_search_path() {
    let world = World::new();
    world.program("bin/emulator-beta", "");
    let environment = Environment::default()
        .with("PATH", format!("/nowhere:{}", display(&world.path("bin"))))
        .with("EMULATOR_PATH", "emulator-beta");
    let found = sdk(&environment).tool(Tool::Emulator).unwrap();
    assert_eq!(found, world.path("bin/emulator-beta"));
}

#[test]
fn the_search_path_comes_before_the_folder_of_android_studio() {
    let world = World::new();
    world.program("home/Android/Sdk/emulator/emulator", "");
    let environment =
        Environment::default().with("HOME", world.path("home")).with("PATH", world.path("bin"));
    let found = sdk(&environment).tool(Tool::Emulator).unwrap();
    assert_eq!(found, world.path("home/Android/Sdk/emulator/emulator"));
    assert_eq!(sdk(&environment).root(), Some(world.path("home/Android/Sdk")));
    world.program("bin/emulator", "");
    assert_eq!(sdk(&environment).tool(Tool::Emulator).unwrap(), world.path("bin/emulator"));
}

#[test]
fn the_sdk_is_known_by_the_tool_that_the_search_path_leads_to() {
    let world = World::new();
    world.program("opt/sdk/cmdline-tools/latest/bin/sdkmanager", "");
    std::fs::create_dir(world.path("bin")).unwrap();
    let tool = world.path("opt/sdk/cmdline-tools/latest/bin/sdkmanager");
    std::os::unix::fs::symlink(tool, world.path("bin/sdkmanager")).unwrap();
    let environment = Environment::default().with("PATH", world.path("bin"));
    assert_eq!(sdk(&environment).root(), Some(world.path("opt/sdk")));
    assert_eq!(sdk(&Environment::default()).root(), None);
}

#[test]
fn a_file_that_cannot_be_run_is_no_tool() {
    let world = World::new();
    world.write("sdk/emulator/emulator", "#!/bin/sh\n");
    failed(sdk(&world.environment).tool(Tool::Emulator), ErrorCode::AndroidSdkToolMissing);
}

#[test]
fn all_missing_tools_are_told_at_once_with_the_places() {
    let world = World::new();
    world.program("sdk/emulator/emulator", "");
    let all = [Tool::SdkManager, Tool::AvdManager, Tool::Emulator];
    let failure = failed(sdk(&world.environment).need(&all), ErrorCode::AndroidSdkToolMissing);
    assert_eq!(failure.details["missingTools"], json!(["sdkmanager", "avdmanager"]));
    contains(&failure.message, "sdkmanager and avdmanager cannot be found");
    contains(&failure.message, &display(&world.path("sdk/cmdline-tools/latest/bin/avdmanager")));
    contains(hint(&failure), "ANDROID_HOME");
    let failure = failed(sdk(&Environment::default()).need(&all), ErrorCode::AndroidSdkToolMissing);
    contains(&failure.message, "neither ANDROID_HOME nor PATH is set");
    let failure =
        failed(sdk(&Environment::default()).tool(Tool::Emulator), ErrorCode::AndroidSdkToolMissing);
    contains(hint(&failure), "sdkmanager emulator");
}
