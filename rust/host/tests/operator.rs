//! The operator on a simulated phone: looked at, enabled, installed, proved.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

#[path = "support/phone.rs"]
mod support;

use clawperator_contract::ErrorCode;
use clawperator_contract::operator::{DEV_PACKAGE, RELEASE_PACKAGE, service_component};
use clawperator_host::operator::{
    DecidedBy, compatibility, grant, inspect, the_one_meant, why_unreachable,
};
use clawperator_host::packages;
use clawperator_simphone::device::Lock;
use clawperator_simphone::system::{Namespace, OperatorPackage};
use std::sync::atomic::Ordering;
use support::{Phone, SERVICES, SWITCH, VERSION};

const READER: &str = "com.google.android.marvin.talkback/.TalkBackService";

fn operator(package: &str, version: &str, enabled: bool) -> OperatorPackage {
    OperatorPackage { package: package.into(), version: version.into(), version_code: 5, enabled }
}

#[test]
fn a_healthy_operator_is_seen_as_it_is_in_one_trip() {
    let phone = Phone::healthy();
    let installed = inspect(&phone, RELEASE_PACKAGE).unwrap();
    assert_eq!(installed.version.as_deref(), Some(VERSION));
    assert_eq!((installed.version_code, installed.process_running), (Some(1), true));
    assert_eq!(installed.service_enabled(), Ok(()));
    assert_eq!(phone.heard().len(), 1);
}

#[test]
fn why_it_cannot_be_reached_is_told_for_each_state() {
    let why = |phone: &Phone| why_unreachable(phone, RELEASE_PACKAGE).code;
    assert_eq!(why(&Phone::bare()), ErrorCode::OperatorNotInstalled);
    assert_eq!(why(&Phone::service_off()), ErrorCode::DeviceAccessibilityNotRunning);
    let dev = Phone::with(vec![operator(DEV_PACKAGE, "0.1.0-d", true)], Lock::None);
    assert_eq!(why(&dev), ErrorCode::OperatorVariantMismatch);
    let crashed = Phone::healthy();
    crashed.crash();
    assert_eq!(why(&crashed), ErrorCode::LinkUnavailable);
}

#[test]
fn an_operator_that_runs_is_left_alone() {
    let phone = Phone::healthy();
    let before = phone.setting(SERVICES);
    let granted = grant(&phone, None).unwrap();
    assert!(granted.accessibility.already_enabled && !granted.accessibility.rebound);
    assert!(granted.handshake.ok && granted.handshake.service_running);
    assert_eq!(granted.handshake.app_version, VERSION);
    assert_eq!(phone.setting(SERVICES), before);
    assert!(!phone.was_told("settings put"), "{:?}", phone.heard());
    let granted = phone.system().granted(RELEASE_PACKAGE);
    assert_eq!(granted, ["android.permission.POST_NOTIFICATIONS"]);
}

#[test]
fn a_service_that_is_off_is_enabled_beside_the_others() {
    let phone = Phone::service_off();
    phone.put(Namespace::Secure, SERVICES, READER);
    let granted = grant(&phone, Some(RELEASE_PACKAGE)).unwrap();
    assert!(!granted.accessibility.already_enabled && granted.handshake.ok);
    let expected = format!("{READER}:{}", service_component(RELEASE_PACKAGE));
    assert_eq!(phone.setting(SERVICES), expected);
    assert_eq!(phone.setting(SWITCH), "1");
}

#[test]
fn a_switch_that_is_off_is_turned_on() {
    let phone = Phone::healthy();
    phone.put(Namespace::Secure, SWITCH, "0");
    let granted = grant(&phone, None).unwrap();
    assert!(!granted.accessibility.already_enabled && granted.handshake.ok);
    assert_eq!(phone.setting(SWITCH), "1");
}

#[test]
fn a_service_that_is_listed_but_dead_is_taken_out_and_put_in_again() {
    let phone = Phone::healthy();
    let both = format!("{}:{READER}", service_component(RELEASE_PACKAGE));
    phone.put(Namespace::Secure, SERVICES, &both);
    phone.crash();
    let granted = grant(&phone, None).unwrap();
    assert!(granted.accessibility.already_enabled && granted.accessibility.rebound);
    assert!(granted.handshake.ok, "{granted:?}");
    let expected = format!("{READER}:{}", service_component(RELEASE_PACKAGE));
    assert_eq!(phone.setting(SERVICES), expected);
}

#[test]
fn the_only_variant_is_meant_when_none_is_named() {
    let phone = Phone::with(vec![operator(DEV_PACKAGE, "0.1.0-d", false)], Lock::None);
    assert_eq!(the_one_meant(&phone, None).unwrap(), DEV_PACKAGE);
    let granted = grant(&phone, None).unwrap();
    assert_eq!(granted.operator_package, DEV_PACKAGE);
    assert_eq!(phone.setting(SERVICES), service_component(DEV_PACKAGE));
    let failure = grant(&phone, Some(RELEASE_PACKAGE)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorVariantMismatch);
    assert_eq!(grant(&Phone::bare(), None).unwrap_err().code, ErrorCode::OperatorNotInstalled);
}

#[test]
fn a_phone_that_does_not_let_its_settings_be_written_is_quoted() {
    let phone = Phone::service_off();
    phone.answer(
        "settings put",
        "@@services\nException occurred while executing 'put':\njava.lang.SecurityException: requires:android.permission.WRITE_SECURE_SETTINGS\n@@=255\n@@switch\n@@=0\n@@notification\n@@=0\n",
        0,
    );
    let failure = grant(&phone, None).unwrap_err();
    assert_eq!(failure.code, ErrorCode::GrantDevicePermissionsFailed);
    assert!(failure.message.contains("WRITE_SECURE_SETTINGS"), "{failure}");
    assert_eq!(phone.greeted.load(Ordering::Relaxed), 0);
}

#[test]
fn an_operator_that_answers_is_compatible_whatever_its_version() {
    let phone = Phone::with(vec![operator(RELEASE_PACKAGE, "9.9.9", true)], Lock::None);
    let verdict = compatibility(&phone, RELEASE_PACKAGE, VERSION);
    assert!(verdict.compatible, "{verdict:?}");
    assert_eq!(verdict.decided_by, Some(DecidedBy::Protocol));
    assert_eq!(
        (verdict.apk_version.as_deref(), verdict.apk_version_code),
        (Some("9.9.9"), Some(5))
    );
}

#[test]
fn an_operator_that_cannot_be_asked_is_judged_by_its_version() {
    let judge = |version: &str| {
        let phone = Phone::with(vec![operator(RELEASE_PACKAGE, version, false)], Lock::None);
        compatibility(&phone, RELEASE_PACKAGE, "0.1.0").error.map(|error| error.code)
    };
    assert_eq!(judge("0.1.7-d"), None);
    assert_eq!(judge("0.2.0"), Some(ErrorCode::VersionIncompatible));
    assert_eq!(judge("nightly"), Some(ErrorCode::ApkVersionInvalid));
    let bare = compatibility(&Phone::bare(), RELEASE_PACKAGE, "0.1.0");
    assert_eq!(bare.error.unwrap().code, ErrorCode::OperatorNotInstalled);
    assert!(bare.remediation[0].contains("operator setup"));
}

#[test]
fn packages_are_listed_all_or_only_those_of_the_owner() {
    let phone = Phone::healthy();
    let all = packages::list(&phone, false).unwrap();
    let own = packages::list(&phone, true).unwrap();
    assert!(all.contains(&"com.android.settings".to_owned()));
    assert!(own.contains(&RELEASE_PACKAGE.to_owned()) && own.len() < all.len());
    assert!(!own.iter().any(|package| package.starts_with("com.android.")), "{own:?}");
}
