//! What phones say to somebody who sets permissions, and what an operator says that was started.

use super::ask::Answer;
use super::fake::{Fake, Listener, OURS};
use super::permissions::{NotificationGrant, notified, prove, written};
use super::presence::{Accessibility, Installed};
use clawperator_contract::ErrorCode;
use clawperator_contract::message::PROTOCOL;
use std::time::Duration;

fn answer(text: &str, code: u8) -> Answer {
    Answer { text: text.into(), code }
}

fn installed() -> Installed {
    let accessibility = Accessibility { switched_on: false, listed: false };
    Installed {
        device_id: "FAKE01".into(),
        operator_package: "com.clawperator.operator".into(),
        version: None,
        version_code: None,
        other_variant: None,
        accessibility,
        process_running: false,
    }
}

#[test]
fn a_phone_without_the_permission_needs_no_grant() {
    // Android 11, an operator that does not ask for it, and one that may not be changed.
    for text in [
        "Exception occurred while executing 'grant':\njava.lang.IllegalArgumentException: Unknown permission: android.permission.POST_NOTIFICATIONS",
        "Exception occurred while executing 'grant':\njava.lang.SecurityException: Package com.clawperator.operator has not requested permission android.permission.POST_NOTIFICATIONS",
        "Operation not allowed: java.lang.SecurityException: Permission android.permission.POST_NOTIFICATIONS requested by com.clawperator.operator is not a changeable permission type",
    ] {
        let granted = notified(&installed(), &answer(text, 255)).unwrap();
        assert_eq!(granted, NotificationGrant { ok: true, skipped: true }, "{text}");
    }
    let granted = notified(&installed(), &answer("", 0)).unwrap();
    assert_eq!(granted, NotificationGrant { ok: true, skipped: false });
}

#[test]
fn a_refusal_is_told_in_the_phones_words_with_what_helps() {
    let text = "Exception occurred while executing 'put':\njava.lang.SecurityException: Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS\n\tat com.android.providers.settings.SettingsProvider";
    // Some phones end with 0 all the same.
    for code in [0, 255] {
        let failure = written(&installed(), "services", &answer(text, code)).unwrap_err();
        assert_eq!(failure.code, ErrorCode::GrantDevicePermissionsFailed);
        assert!(failure.message.contains("java.lang.SecurityException: Permission denial"));
        assert!(failure.hint.unwrap().contains("Security settings"));
    }
    let text = "Operation not allowed: java.lang.SecurityException: grantRuntimePermission: Neither user 2000 nor current process has android.permission.GRANT_RUNTIME_PERMISSIONS.";
    let failure = notified(&installed(), &answer(text, 255)).unwrap_err();
    assert_eq!(failure.details["notification"]["ok"], false);
}

#[test]
fn only_an_operator_whose_service_runs_is_proof() {
    let proof = |operator: Listener| {
        let fake = Fake::saying(&[]).with(operator);
        // One try and no waiting.
        prove(&fake, &installed(), Duration::ZERO)
    };
    assert_eq!(proof(OURS).unwrap().app_version, "0.1.0");
    for (operator, why) in [
        (Listener::Nobody, "nobody listens"),
        (Listener::Mute, "the link broke"),
        (Listener::Operator(PROTOCOL, "0.1.0", false), "its service does not run"),
    ] {
        let failure = proof(operator).unwrap_err();
        assert_eq!(failure.code, ErrorCode::GrantDevicePermissionsFailed);
        assert!(failure.message.contains(why), "{failure}");
        assert_eq!(failure.details["handshake"]["ok"], false);
    }
    let failure = proof(Listener::Operator(PROTOCOL + 1, "0.9.0", true)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::VersionIncompatible);
}
