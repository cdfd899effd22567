//! An operator is put on a simulated phone, or refused before the phone is touched.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

#[path = "support/phone.rs"]
mod support;

use clawperator_apk::writer::{signed, tag};
use clawperator_contract::operator::{DEV_PACKAGE, RELEASE_PACKAGE};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::operator::{SetUp, SetupOptions, setup};
use clawperator_simphone::device::Lock;
use clawperator_simphone::system::OperatorPackage;
use support::{File, Phone, SERVICES, apk_with, operator_apk, unsigned_apk};

const READER: &str = "com.google.android.marvin.talkback/.TalkBackService";

/// Sets a phone up with an APK of these bytes.
fn set_up(
    phone: &Phone,
    name: &str,
    bytes: &[u8],
    change: impl FnOnce(&mut SetupOptions),
) -> Result<SetUp, Failure> {
    let file = File::new(&format!("{name}.apk"), bytes);
    let mut options = SetupOptions { apk: Some(file.0.clone()), ..SetupOptions::default() };
    change(&mut options);
    setup(phone, &options)
}

fn as_it_is(_: &mut SetupOptions) {}

/// Was anything sent that changes the phone?
fn touched(phone: &Phone) -> bool {
    phone.was_told("install") || phone.was_told("put")
}

fn with_version(code: u64) -> Phone {
    let operator = OperatorPackage { version_code: code, ..OperatorPackage::current() };
    Phone::with(vec![operator], Lock::None)
}

#[test]
fn a_bare_phone_gets_an_operator_that_answers() {
    let phone = Phone::bare();
    phone.put(clawperator_simphone::system::Namespace::Secure, SERVICES, READER);
    let apk = operator_apk(RELEASE_PACKAGE, "0.1.0", 7);
    let done = set_up(&phone, "bare", &apk, as_it_is).unwrap();
    assert_eq!(done.operator_package, RELEASE_PACKAGE);
    assert_eq!((done.apk.version.as_str(), done.apk.version_code), ("0.1.0", 7));
    assert!(done.install.ok && done.install.replaced.is_none());
    assert!(done.permissions.accessibility.ok && done.permissions.notification.ok);
    assert!(done.verification.ok && done.verification.package_installed);
    assert_eq!((done.verification.app_version.as_str(), done.verification.protocol), ("0.1.0", 1));
    assert!(phone.setting(SERVICES).starts_with(&format!("{READER}:{RELEASE_PACKAGE}/")));
    let value = serde_json::to_value(&done).unwrap();
    assert_eq!(value["verification"]["packageInstalled"], true);
    assert_eq!(value["permissions"]["accessibility"]["alreadyEnabled"], false);
}

#[test]
fn a_reinstall_is_enabled_again_because_it_loses_its_service() {
    let phone = Phone::healthy();
    let apk = operator_apk(RELEASE_PACKAGE, "0.1.1", 2);
    let done = set_up(&phone, "again", &apk, as_it_is).unwrap();
    assert_eq!(done.install.replaced.as_deref(), Some("0.1.0"));
    assert_eq!(done.verification.app_version, "0.1.1");
    assert!(!done.permissions.accessibility.already_enabled);
}

#[test]
fn a_developers_build_is_known_by_its_bare_version() {
    let phone = Phone::healthy();
    let apk = operator_apk(DEV_PACKAGE, "0.1.0-d", 1);
    let done = set_up(&phone, "dev", &apk, as_it_is).unwrap();
    assert_eq!(done.other_variant.as_deref(), Some(RELEASE_PACKAGE));
    assert!(done.message.contains("is on the phone too"), "{}", done.message);
}

#[test]
fn an_older_version_needs_force() {
    let phone = with_version(8);
    let apk = operator_apk(RELEASE_PACKAGE, "0.0.9", 7);
    let failure = set_up(&phone, "older", &apk, as_it_is).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorInstallFailed);
    assert!(failure.hint.unwrap().contains("--force"));
    assert!(!touched(&phone), "{:?}", phone.heard());
    let done = set_up(&phone, "older-forced", &apk, |options| options.force = true).unwrap();
    assert_eq!(done.verification.app_version, "0.0.9");
    assert!(phone.was_told("install -r -d "));
}

#[test]
fn what_no_phone_would_take_is_refused_before_it_is_sent() {
    let phone = Phone::healthy();
    let other_service = tag("service").text("name", "org.other.Service");
    let foreign = signed(&apk_with(RELEASE_PACKAGE, "0.1.0", 7, other_service), &[0x7109_871a]);
    let cases: [(&str, Vec<u8>, ErrorCode, &str); 6] = [
        ("garbage", vec![7; 5_000], ErrorCode::OperatorInstallFailed, "not an APK"),
        (
            "unsigned",
            unsigned_apk(RELEASE_PACKAGE, "0.1.0", 7),
            ErrorCode::OperatorInstallFailed,
            "not signed",
        ),
        (
            "notes",
            operator_apk("com.example.notes", "0.1.0", 7),
            ErrorCode::OperatorInstallFailed,
            "not an operator",
        ),
        ("foreign", foreign, ErrorCode::OperatorInstallFailed, "no service"),
        (
            "no-code",
            operator_apk(RELEASE_PACKAGE, "0.1.0", 0),
            ErrorCode::ApkVersionUnreadable,
            "version code",
        ),
        (
            "cut",
            operator_apk(RELEASE_PACKAGE, "0.1.0", 7)[..300].to_vec(),
            ErrorCode::OperatorInstallFailed,
            "not an APK",
        ),
    ];
    for (name, bytes, code, words) in cases {
        let failure = set_up(&phone, name, &bytes, as_it_is).unwrap_err();
        assert_eq!(failure.code, code, "{name}: {failure}");
        assert!(failure.message.contains(words), "{name}: {failure}");
        assert!(failure.message.contains("nothing was sent"), "{name}: {failure}");
    }
    assert!(!touched(&phone), "{:?}", phone.heard());
}

#[test]
fn another_variant_than_the_one_named_is_refused() {
    let phone = Phone::bare();
    let apk = operator_apk(DEV_PACKAGE, "0.1.0", 7);
    let failure =
        set_up(&phone, "variant", &apk, |options| options.package = Some(RELEASE_PACKAGE.into()))
            .unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorVariantMismatch);
    assert!(!touched(&phone));
}

#[test]
fn a_path_without_an_apk_is_told() {
    let phone = Phone::bare();
    for path in ["/nowhere/operator.apk", "/tmp"] {
        let options = SetupOptions { apk: Some(path.into()), ..SetupOptions::default() };
        let failure = setup(&phone, &options).unwrap_err();
        assert_eq!(failure.code, ErrorCode::OperatorApkNotFound);
        assert!(failure.message.starts_with(path), "{failure}");
    }
}

#[test]
fn a_phone_that_refuses_is_quoted() {
    let phone = Phone::healthy();
    phone.answer(
        "cmd package install",
        "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package com.clawperator.operator signatures do not match newer version; ignoring!]\n",
        1,
    );
    let apk = operator_apk(RELEASE_PACKAGE, "0.1.1", 7);
    let failure = set_up(&phone, "refused", &apk, as_it_is).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorInstallFailed);
    assert!(failure.message.contains("signatures do not match"), "{failure}");
    assert!(failure.hint.unwrap().contains("uninstall com.clawperator.operator"));
}

#[test]
fn a_success_that_changed_nothing_is_no_success() {
    let phone = with_version(6);
    phone.answer("cmd package install", "Success\n", 0);
    let apk = operator_apk(RELEASE_PACKAGE, "0.2.0", 7);
    let failure = set_up(&phone, "unchanged", &apk, as_it_is).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorVerifyFailed);
    assert_eq!(failure.details["expected"], "0.2.0");
    let bare = Phone::bare();
    bare.answer("cmd package install", "Success\n", 0);
    let failure = set_up(&bare, "vanished", &apk, as_it_is).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorVerifyFailed);
}

#[test]
fn settings_that_cannot_be_written_are_told_apart_from_a_silent_operator() {
    let phone = Phone::bare();
    phone.answer(
        "settings put",
        "@@services\njava.lang.SecurityException: no\n@@=255\n@@switch\n@@=0\n@@notification\n@@=0\n",
        0,
    );
    let apk = operator_apk(RELEASE_PACKAGE, "0.1.0", 7);
    let failure = set_up(&phone, "ungranted", &apk, as_it_is).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorGrantFailed);
    assert!(failure.message.starts_with("the operator was installed, but"), "{failure}");
}
