//! `adb install`: of an APK written here, byte by byte, and of what is none.

use clawperator_apk::writer::{tag, xml, zip};
use clawperator_lab::{Lab, adb, options};

/// Writes an APK to a file and gives its name.
fn apk(name: &str, package: &'static str) -> String {
    let filter = tag("intent-filter")
        .has(tag("action").text("name", "android.intent.action.MAIN"))
        .has(tag("category").text("name", "android.intent.category.LAUNCHER"));
    let main = tag("activity").text("name", ".Main").has(filter);
    let manifest = tag("manifest")
        .attr("versionCode", 0x10, 42)
        .text("versionName", "4.2")
        .plain("package", package)
        .has(tag("uses-sdk").attr("minSdkVersion", 0x10, 26).attr("targetSdkVersion", 0x10, 35))
        .has(tag("application").text("label", "Notes: \"mine\"").has(main));
    file(name, &zip(&[("AndroidManifest.xml", xml(&manifest, true))], true))
}

fn file(name: &str, bytes: &[u8]) -> String {
    let path = adb().home.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn an_app_is_installed_started_and_removed() {
    let lab = Lab::new();
    let apk = apk("notes.apk", "com.example.notes");
    let said = lab.does(&["install", "-r", &apk]).text();
    assert!(said.contains("Success"), "{said}");
    assert_eq!(lab.shell("pm list packages -3 notes"), "package:com.example.notes\n");
    assert!(lab.shell("dumpsys package com.example.notes").contains("versionName=4.2\n"));
    lab.shell("am start -W -n com.example.notes/.Main");
    lab.until_shows("Notes: \"mine\"");
    assert!(lab.does(&["uninstall", "com.example.notes"]).out().contains("Success"));
    assert_eq!(lab.shell("pm list packages notes"), "");
    let ran = lab.adb(&["uninstall", "com.example.notes"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.text().contains("Failure ["), "{ran:?}");
}

#[test]
fn an_app_that_the_phone_knows_by_heart_gets_another_version_of_itself() {
    let lab = Lab::new();
    let package = "com.clawperator.conformance";
    let apk = apk("conformance.apk", package);
    let gets_it = || {
        lab.does(&["install", "-r", &apk]);
        assert!(lab.shell(&format!("dumpsys package {package}")).contains("versionName=4.2\n"));
        lab.shell(&format!("am start -W -n {package}/.Main"));
        lab.until_shows("Count: 0");
    };
    gets_it();
    lab.does(&["uninstall", package]);
    gets_it();
}

#[test]
fn an_app_is_installed_from_a_file_of_the_phone() {
    let lab = Lab::new();
    lab.does(&["push", &apk("pushed.apk", "com.example.notes"), "/data/local/tmp/notes.apk"]);
    assert_eq!(lab.shell("pm install -r -t /data/local/tmp/notes.apk"), "Success\n");
    let said = lab.does(&["install", "--no-streaming", &apk("again.apk", "com.example.more")]);
    assert!(said.text().contains("Success"), "{said:?}");
    let listed = lab.shell("pm list packages -3 com.example");
    assert!(listed.contains("com.example.notes") && listed.contains("com.example.more"));
}

#[test]
fn what_is_no_apk_is_refused_in_the_installers_words() {
    let lab = Lab::new();
    let ran = lab.adb(&["install", &file("garbage.apk", &[7; 10_000])]);
    assert_eq!(ran.code, Some(1));
    let said = "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse ";
    assert!(ran.text().contains(said), "{}", ran.text());
    assert_eq!(lab.adb(&["shell", "pm install /nowhere.apk"]).code, Some(1));
}

#[test]
fn an_operator_that_is_installed_must_still_be_enabled() {
    let lab = Lab::with(options(), vec![]);
    lab.does(&["install", &apk("operator.apk", "com.clawperator.operator")]);
    let dump = lab.shell("dumpsys package com.clawperator.operator");
    assert!(dump.contains("versionCode=42 ") && dump.contains("versionName=4.2\n"), "{dump}");
    assert_eq!(lab.shell("settings get secure enabled_accessibility_services"), "null\n");
}
