//! What phones of several versions of Android say of the operator.

use super::fake::{Fake, Said};
use super::*;
use clawperator_contract::ErrorCode;
use clawperator_contract::operator::{DEV_PACKAGE, RELEASE_PACKAGE};

const PATH: Said = (
    "pm path com.clawperator.operator",
    "package:/data/app/~~8Jw5zQ0pGm1mGq==/com.clawperator.operator-kDq3w==/base.apk\n",
    0,
);
const NO_DEV: Said = ("pm path com.clawperator.operator.dev", "", 1);
const PROCESS: Said = ("pidof com.clawperator.operator", "12873\n", 0);
const NO_DEV_PROCESS: Said = ("pidof com.clawperator.operator.dev", "", 1);
const SWITCH_ON: Said = ("settings get secure accessibility_enabled", "1\n", 0);
const LISTED: Said = (
    "settings get secure enabled_accessibility_services",
    "com.google.android.marvin.talkback/com.google.android.marvin.talkback.TalkBackService:com.clawperator.operator/com.clawperator.operator.OperatorService\n",
    0,
);

/// Android 11: the package, then the one that came with the phone.
const ANDROID_11: &str = "Packages:
  Package [com.clawperator.operator] (c1d2e3f):
    userId=10234
    pkg=Package{6f1c2d3 com.clawperator.operator}
    codePath=/data/app/~~8Jw5zQ0pGm1mGq==/com.clawperator.operator-kDq3w==
    versionCode=1200 minSdk=26 targetSdk=30
    versionName=0.12.0
    splits=[base]
Hidden system packages:
  Package [com.clawperator.operator] (0a1b2c3):
    versionCode=100 minSdk=26 targetSdk=30
    versionName=0.1.0
";
/// Android 14 and 15: more lines, the same two keys.
const ANDROID_14: &str = "Activity Resolver Table:
  Non-Data Actions:
      android.intent.action.MAIN:
        8f7e6d5 com.clawperator.operator/.StatusActivity filter 1c2b3a4
Packages:
  Package [com.clawperator.operator] (5c4d3e2):
    appId=10301
    pkg=Package{1a2b3c4 com.clawperator.operator}
    versionCode=3 minSdk=26 targetSdk=35
    minExtensionVersions=[]
    versionName=0.1.0-d
    hiddenApiEnforcementPolicy=2
";

fn phone(dump: &'static str) -> Vec<Said> {
    let dump = ("dumpsys package com.clawperator.operator", dump, 0);
    vec![PATH, NO_DEV, PROCESS, NO_DEV_PROCESS, SWITCH_ON, LISTED, dump]
}

/// The same with other answers to some commands.
fn but(mut phone: Vec<Said>, others: &[Said]) -> Fake {
    phone.retain(|(own, ..)| others.iter().all(|(other, ..)| own != other));
    phone.extend_from_slice(others);
    Fake::saying(&phone)
}

#[test]
fn everything_is_asked_in_one_round_trip() {
    let fake = Fake::saying(&phone(ANDROID_14));
    let installed = inspect(&fake, RELEASE_PACKAGE).unwrap();
    assert_eq!(fake.heard().len(), 1);
    let expected = Installed {
        device_id: "FAKE01".into(),
        operator_package: RELEASE_PACKAGE.into(),
        version: Some("0.1.0-d".into()),
        version_code: Some(3),
        other_variant: None,
        accessibility: Accessibility { switched_on: true, listed: true },
        process_running: true,
    };
    assert_eq!(installed, expected);
    assert_eq!(installed.service_enabled(), Ok(()));
}

#[test]
fn the_installed_version_is_told_not_the_one_that_came_with_the_phone() {
    let installed = inspect(&Fake::saying(&phone(ANDROID_11)), RELEASE_PACKAGE).unwrap();
    assert_eq!(
        (installed.version.as_deref(), installed.version_code),
        (Some("0.12.0"), Some(1200))
    );
}

#[test]
fn a_version_the_phone_does_not_tell_is_a_failure_of_its_own() {
    for dump in ["", "    versionCode=3 minSdk=26\n    versionName=null\n"] {
        let installed = inspect(&Fake::saying(&phone(dump)), RELEASE_PACKAGE).unwrap();
        let failure = installed.readable_version().unwrap_err();
        assert_eq!(failure.code, ErrorCode::ApkVersionUnreadable);
    }
}

#[test]
fn an_operator_that_is_not_there_is_told_with_the_next_command() {
    let fake = but(phone(""), &[("pm path com.clawperator.operator", "", 1)]);
    let failure = inspect(&fake, RELEASE_PACKAGE).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorNotInstalled);
    assert_eq!(failure.message, "com.clawperator.operator is not installed on FAKE01");
    assert_eq!(failure.hint.as_deref(), Some("`clawperator operator setup --device FAKE01`"));
}

#[test]
fn the_other_variant_is_named() {
    let fake = Fake::saying(&phone(ANDROID_14));
    let failure = inspect(&fake, DEV_PACKAGE).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorVariantMismatch);
    let hint = failure.hint.unwrap();
    assert!(hint.contains("--operator-package com.clawperator.operator,"), "{hint}");
    assert!(hint.contains("operator setup --device FAKE01 --operator-package"), "{hint}");
}

#[test]
fn a_package_manager_that_is_not_up_has_not_lost_the_app() {
    for (said, code) in [
        ("cmd: Can't find service: package\n", 20),
        ("Error: Could not access the Package Manager.  Is the system running?\n", 1),
        ("", 255),
    ] {
        let fake = but(phone(""), &[("pm path com.clawperator.operator", said, code)]);
        let failure = inspect(&fake, RELEASE_PACKAGE).unwrap_err();
        assert_eq!(failure.code, ErrorCode::DeviceShellUnavailable, "{said}");
    }
}

#[test]
fn a_phone_that_complains_of_its_libraries_still_answers() {
    let warning = "WARNING: linker: /vendor/lib/libfoo.so: unused DT entry\n";
    let fake = but(phone(""), &[("pm path com.clawperator.operator", warning, 1)]);
    assert_eq!(inspect(&fake, RELEASE_PACKAGE).unwrap_err().code, ErrorCode::OperatorNotInstalled);
}

#[test]
fn why_it_cannot_be_reached_is_told_by_the_truest_code() {
    let off = ("settings get secure accessibility_enabled", "0\n", 0);
    let unset = ("settings get secure enabled_accessibility_services", "null\n", 0);
    let gone = ("pm path com.clawperator.operator", "", 1);
    let dead = ("pidof com.clawperator.operator", "", 1);
    let why = |others: &[Said]| why_unreachable(&but(phone(ANDROID_14), others), RELEASE_PACKAGE);
    assert_eq!(why(&[gone]).code, ErrorCode::OperatorNotInstalled);
    for (others, word) in [
        (&[off][..], "the phone's switch"),
        (&[unset], "is not enabled"),
        (&[off, unset], "service is off"),
    ] {
        let failure = why(others);
        assert_eq!(failure.code, ErrorCode::DeviceAccessibilityNotRunning);
        assert!(failure.message.contains(word), "{failure}");
        let next = "`clawperator grant-device-permissions --device FAKE01`";
        assert_eq!(failure.hint.as_deref(), Some(next));
    }
    for (others, process) in [(&[][..], true), (&[dead], false)] {
        let failure = why(others);
        assert_eq!(failure.code, ErrorCode::LinkUnavailable);
        assert_eq!(failure.details["processRunning"], process);
    }
}

#[test]
fn without_a_name_the_only_one_is_meant() {
    let only = Fake::saying(&phone(ANDROID_14));
    assert_eq!(the_one_meant(&only, None).unwrap(), RELEASE_PACKAGE);
    assert_eq!(the_one_meant(&only, Some("a.b")).unwrap(), "a.b");
    let dev = ("pm path com.clawperator.operator.dev", "package:/data/app/dev/base.apk\n", 0);
    let both = but(phone(ANDROID_14), &[dev]);
    let failure = the_one_meant(&both, None).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorVariantMismatch);
    let none = but(phone(""), &[("pm path com.clawperator.operator", "", 1)]);
    assert_eq!(the_one_meant(&none, None).unwrap_err().code, ErrorCode::OperatorNotInstalled);
}

#[test]
fn a_name_cannot_smuggle_a_command_into_the_shell() {
    let fake = Fake::saying(&phone(ANDROID_14));
    let _ = inspect(&fake, "a.b; reboot");
    let line = &fake.heard()[0];
    let [bare, quoted] = ["reboot", "'a.b; reboot'"].map(|text| line.matches(text).count());
    assert!(quoted > 0 && bare == quoted, "{line}");
}
