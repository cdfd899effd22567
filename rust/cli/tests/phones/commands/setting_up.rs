//! Getting a phone ready: what stands in the way, and what takes it away.

use crate::support::{Answer, Desk, Program};
use clawperator_apk::writer::{signed, tag, xml, zip};
use clawperator_contract::operator::{DEV_PACKAGE, RELEASE_PACKAGE};
use clawperator_lab::{Adb, options};
use clawperator_simphone::system::OperatorPackage;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Scheme 2 of an APK's signature.
const SIGNATURE_V2: u32 = 0x7109_871a;

/// Writes an operator's APK into the program's home and gives its name.
fn apk(desk: &Desk, package: &'static str, version: &'static str, code: u32) -> String {
    let service = tag("service")
        .text("name", "com.clawperator.operator.OperatorService")
        .text("permission", "android.permission.BIND_ACCESSIBILITY_SERVICE");
    let manifest = tag("manifest")
        .attr("versionCode", 0x10, code)
        .text("versionName", version)
        .plain("package", package)
        .has(tag("uses-sdk").attr("minSdkVersion", 0x10, 26).attr("targetSdkVersion", 0x10, 35))
        .has(tag("application").text("label", "Operator").has(service));
    let bytes = zip(&[("AndroidManifest.xml", xml(&manifest, true))], true);
    let path = desk.program.path(&format!("{version}.apk"));
    fs::write(&path, signed(&bytes, &[SIGNATURE_V2])).unwrap();
    path
}

fn service_off() -> OperatorPackage {
    OperatorPackage { enabled: false, ..OperatorPackage::current() }
}

/// How a check of the doctor stands, with its code.
#[track_caller]
fn check(report: &Answer, id: &str) -> (String, String) {
    let checks = report.json["checks"].as_array().unwrap_or_else(|| panic!("{}", report.out));
    let check = checks.iter().find(|check| check["id"] == id);
    let check = check.unwrap_or_else(|| panic!("no {id}: {}", report.out));
    let text = |key: &str| check[key].as_str().unwrap_or_default().to_owned();
    (text("status"), text("code"))
}

fn stands(status: &str, code: &str) -> (String, String) {
    (status.to_owned(), code.to_owned())
}

#[test]
fn a_bare_phone_is_set_up_and_takes_executions() {
    let desk = Desk::with(options(), vec![]);
    let file = apk(&desk, RELEASE_PACKAGE, env!("CARGO_PKG_VERSION"), 7);
    desk.run(&["snapshot"]).failed("OPERATOR_NOT_INSTALLED");
    let answer = desk.run(&["operator", "setup", "--apk", &file]).went_well();
    assert_eq!(answer.json["operatorPackage"], RELEASE_PACKAGE);
    assert_eq!(answer.json["apk"]["versionCode"], 7);
    assert_eq!(answer.json["verification"]["ok"], true);
    assert!(desk.lab.shell("pm list packages operator").contains(RELEASE_PACKAGE));
    assert!(desk.system().service_enabled(RELEASE_PACKAGE));
    desk.run(&["snapshot"]).succeeded();
}

#[test]
fn an_older_operator_takes_the_place_of_a_newer_one_only_by_force() {
    let desk = Desk::with(options(), vec![]);
    let newer = apk(&desk, RELEASE_PACKAGE, "0.1.9", 9);
    let older = apk(&desk, RELEASE_PACKAGE, "0.1.8", 8);
    desk.run(&["operator", "setup", "--apk", &newer]).went_well();
    desk.run(&["operator", "install", "--apk", &older]).failed("OPERATOR_INSTALL_FAILED");
    let version = || desk.lab.shell(&format!("dumpsys package {RELEASE_PACKAGE}"));
    assert!(version().contains("versionName=0.1.9"), "{}", version());
    desk.run(&["operator", "setup", "--apk", &older, "--force"]).went_well();
    assert!(version().contains("versionName=0.1.8"), "{}", version());
}

#[test]
fn what_is_no_operator_is_not_installed() {
    let desk = Desk::with(options(), vec![]);
    let other = apk(&desk, "com.example.other", "1.0", 1);
    let answer = desk.run(&["operator", "setup", "--apk", &other]);
    assert_eq!(answer.code, Some(1), "{}", answer.out);
    assert!(answer.message().contains("com.example.other"), "{}", answer.out);
    let missing = desk.run(&["operator", "setup", "--apk", "none.apk"]);
    missing.failed("OPERATOR_APK_NOT_FOUND");
    assert!(!desk.lab.shell("pm list packages").contains("com.example.other"));
}

#[test]
fn a_service_that_is_off_is_switched_on_and_proven() {
    let desk = Desk::with(options(), vec![service_off()]);
    // Others stay as they are.
    let reader = "com.google.android.marvin.talkback/.TalkBackService";
    desk.lab.shell(&format!("settings put secure enabled_accessibility_services {reader}"));
    let answer = desk.run(&["grant-device-permissions"]).went_well();
    assert_eq!(answer.json["accessibility"]["alreadyEnabled"], false);
    assert_eq!(answer.json["handshake"]["serviceRunning"], true);
    let services = desk.lab.shell("settings get secure enabled_accessibility_services");
    assert!(services.starts_with(&format!("{reader}:{RELEASE_PACKAGE}/")), "{services}");
    desk.run(&["snapshot"]).succeeded();
    let again = desk.run(&["grant-device-permissions"]).went_well();
    assert_eq!(again.json["accessibility"]["alreadyEnabled"], true);
    let bare = Desk::with(options(), vec![]);
    bare.run(&["grant-device-permissions"]).failed("OPERATOR_NOT_INSTALLED");
}

#[test]
fn the_packages_of_the_phone_are_listed() {
    let desk = Desk::new();
    let all = desk.run(&["packages", "list"]).went_well();
    let names = |answer: &Answer| -> Vec<String> {
        serde_json::from_value(answer.json["packages"].clone()).unwrap()
    };
    for package in ["com.android.settings", "com.example.news", RELEASE_PACKAGE] {
        assert!(names(&all).iter().any(|name| name == package), "{package}: {}", all.out);
    }
    let listed = desk.lab.shell("pm list packages -3");
    let own = desk.run(&["packages", "list", "--third-party"]).went_well();
    let expected: Vec<_> = listed.lines().filter_map(|one| one.strip_prefix("package:")).collect();
    assert_eq!(names(&own), expected);
    assert!(names(&own).len() < names(&all).len());
}

#[test]
fn an_operator_is_asked_whether_it_fits() {
    let desk = Desk::new();
    let fits = desk.run(&["version", "--check-compat"]).went_well();
    assert_eq!(
        (&fits.json["compatible"], &fits.json["decidedBy"]),
        (&json!(true), &json!("protocol"))
    );
    assert_eq!(fits.json["apkVersion"], env!("CARGO_PKG_VERSION"));
    // Who cannot be asked is judged by its version.
    let old = OperatorPackage { version: "0.0.1".into(), ..service_off() };
    let desk = Desk::with(options(), vec![old]);
    let answer = desk.run(&["version", "--check-compat"]);
    assert_eq!((answer.code, &answer.json["compatible"]), (Some(1), &json!(false)));
    assert_eq!(answer.json["error"]["code"], "VERSION_INCOMPATIBLE", "{}", answer.out);
    let bare = Desk::with(options(), vec![]);
    let answer = bare.run(&["version", "--check-compat"]);
    assert_eq!(answer.code, Some(1), "{}", answer.out);
    assert!(answer.out.contains("OPERATOR_NOT_INSTALLED"), "{}", answer.out);
}

#[test]
fn the_doctor_finds_nothing_wrong_with_a_phone_that_works() {
    let desk = Desk::new();
    let report = desk.run(&["doctor"]).went_well();
    assert_eq!((&report.json["ok"], &report.json["criticalOk"]), (&json!(true), &json!(true)));
    assert_eq!(report.json["deviceId"], desk.lab.serial.as_str());
    for id in ["host.adb.presence", "host.adb.server", "device.discovery", "readiness.handshake"] {
        assert_eq!(check(&report, id), stands("pass", ""), "{id}");
    }
    let full = desk.run(&["doctor", "--full"]).went_well();
    let count = |report: &Answer| report.json["checks"].as_array().unwrap().len();
    assert!(count(&full) > count(&report), "{}", full.out);
    assert_eq!(full.json["ok"], true, "{}", full.out);
}

#[test]
fn the_doctor_says_what_is_wrong_and_mends_it() {
    let desk = Desk::with(options(), vec![service_off()]);
    let sick = desk.run(&["doctor"]);
    assert_eq!((sick.code, &sick.json["ok"]), (Some(1), &json!(false)), "{}", sick.out);
    let off = stands("fail", "DEVICE_ACCESSIBILITY_NOT_RUNNING");
    assert_eq!(check(&sick, "readiness.accessibility"), off);
    assert!(!desk.system().service_enabled(RELEASE_PACKAGE));
    let looked = desk.run(&["doctor", "--check-only"]);
    assert_eq!((looked.code, &looked.json["ok"]), (Some(0), &json!(false)));
    let mended = desk.run(&["doctor", "--fix"]).went_well();
    assert_eq!(check(&mended, "readiness.accessibility"), stands("pass", ""));
    assert_eq!(mended.json["fixed"][0]["ok"], true, "{}", mended.out);
    assert!(desk.system().service_enabled(RELEASE_PACKAGE));
    desk.run(&["snapshot"]).succeeded();
}

#[test]
fn the_doctor_needs_neither_phone_nor_adb_to_say_what_is_missing() {
    let host = Adb::start();
    let alone = Program::at(host.port, &host.program()).run(&["doctor"]);
    assert_eq!(alone.code, Some(1), "{}", alone.out);
    assert_eq!(check(&alone, "device.discovery"), stands("fail", "NO_DEVICES"));
    let nothing = Adb::stopped();
    let program = Program::at(nothing.port, Path::new("/nowhere/adb"));
    let report = program.run(&["doctor"]);
    assert_eq!(report.code, Some(1), "{}", report.out);
    assert_eq!(check(&report, "host.adb.presence"), stands("fail", "ADB_NOT_FOUND"));
    let bare = Desk::with(options(), vec![]);
    let report = bare.run(&["doctor"]);
    let missing = stands("fail", "OPERATOR_NOT_INSTALLED");
    assert_eq!(check(&report, "readiness.apk.presence"), missing);
    assert!(report.json["nextActions"][0].as_str().unwrap().contains("operator setup"));
}

#[test]
fn the_doctor_speaks_to_people() {
    let desk = Desk::with(options(), vec![service_off()]);
    let report = desk.run(&["doctor", "--output", "human"]);
    assert_eq!((report.code, report.err.as_str()), (Some(1), ""));
    let lines: Vec<&str> = report.out.lines().collect();
    assert!(lines.iter().any(|line| line.starts_with("✓ device.discovery ")), "{}", report.out);
    assert!(lines.iter().any(|line| line.starts_with("✗ readiness.accessibility ")));
    assert!(lines.contains(&"not ready") && !report.out.contains('\x1b'), "{}", report.out);
}

#[test]
fn of_two_operators_one_has_to_be_named() {
    let developers = OperatorPackage { package: DEV_PACKAGE.into(), ..OperatorPackage::current() };
    let desk = Desk::with(options(), vec![OperatorPackage::current(), developers]);
    let answer = desk.run(&["version", "--check-compat"]).failed("OPERATOR_VARIANT_MISMATCH");
    assert_eq!(*answer.detail("installed"), json!([RELEASE_PACKAGE, DEV_PACKAGE]));
    let named = ["version", "--check-compat", "--operator-package", DEV_PACKAGE];
    assert_eq!(desk.run(&named).went_well().json["operatorPackage"], DEV_PACKAGE);
}
