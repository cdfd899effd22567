//! Phones inside this program.

use crate::support::{Phone, SERVICES};
use crate::{PASS, check, examination, fails, looked_at, mended, stands, warns};
use clawperator_contract::operator::{DEV_PACKAGE, RELEASE_PACKAGE, service_component};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::device::Device;
use clawperator_host::doctor::{Examination, Host, Status, examine};
use clawperator_simphone::device::Lock;
use clawperator_simphone::system::{Namespace, OperatorPackage};
use std::sync::atomic::Ordering;

#[test]
fn a_sound_phone_passes_everything_in_one_trip_and_one_handshake() {
    let phone = Phone::healthy();
    let report = looked_at(&phone);
    assert!(report.ok && report.critical_ok, "{report:#?}");
    assert_eq!(report.device_id.as_deref(), Some("sim"));
    assert_eq!(report.operator_package, RELEASE_PACKAGE);
    for check in &report.checks {
        let wanted = if check.id.starts_with("host.") { Status::Skipped } else { Status::Pass };
        assert_eq!(check.status, wanted, "{check:?}");
    }
    let ids: Vec<_> = report.checks.iter().map(|check| check.id).collect();
    let expected = [
        "host.adb.presence",
        "host.adb.server",
        "device.discovery",
        "device.capability",
        "device.interactive",
        "readiness.apk.presence",
        "readiness.version.compatibility",
        "readiness.settings.dev_options",
        "readiness.settings.usb_debugging",
        "readiness.accessibility",
        "readiness.handshake",
    ];
    assert_eq!(ids, expected);
    assert_eq!(phone.heard().len(), 1);
    assert_eq!(phone.greeted.load(Ordering::Relaxed), 1);
    assert_eq!(report.next_actions, ["clawperator snapshot --device sim"]);
    assert_eq!(report.fixed, None);
}

#[test]
fn a_report_has_the_promised_keys() {
    let phone = Phone::service_off();
    let value = serde_json::to_value(looked_at(&phone)).unwrap();
    assert_eq!((&value["ok"], &value["criticalOk"]), (&false.into(), &false.into()));
    let checks = value["checks"].as_array().unwrap();
    let off = checks.iter().find(|check| check["id"] == "readiness.accessibility").unwrap();
    assert_eq!(off["status"], "fail");
    assert_eq!(off["code"], "DEVICE_ACCESSIBILITY_NOT_RUNNING");
    assert_eq!(off["fix"]["platform"], "any");
    let step = &off["fix"]["steps"][0];
    assert_eq!(step["kind"], "shell");
    assert_eq!(step["value"], "clawperator grant-device-permissions --device sim");
    assert_eq!(off["evidence"]["settings"]["listed"], false);
    assert!(off.get("repair").is_none());
}

#[test]
fn an_operator_that_is_missing_is_a_failure_and_what_hangs_on_it_is_skipped() {
    let report = looked_at(&Phone::bare());
    assert!(!report.ok && !report.critical_ok);
    assert_eq!(stands(&report, "readiness.apk.presence"), fails(ErrorCode::OperatorNotInstalled));
    for id in ["readiness.version.compatibility", "readiness.accessibility", "readiness.handshake"]
    {
        assert_eq!(stands(&report, id), (Status::Skipped, None), "{id}");
    }
    assert_eq!(report.next_actions, ["clawperator operator setup --device sim"]);
}

#[test]
fn another_variant_than_the_one_asked_for_does_not_count_as_ready() {
    let dev = OperatorPackage { package: DEV_PACKAGE.into(), ..OperatorPackage::current() };
    let phone = Phone::with(vec![dev], Lock::None);
    let asked = Examination {
        operator_package: Some(RELEASE_PACKAGE),
        ..examination(Host::Embedded(&phone))
    };
    let report = examine(&asked);
    assert!(!report.critical_ok);
    assert_eq!(
        stands(&report, "readiness.apk.presence"),
        fails(ErrorCode::OperatorVariantMismatch)
    );
    assert!(report.next_actions[0].ends_with("--operator-package com.clawperator.operator.dev"));
    // Without a name the only one is meant.
    let report = looked_at(&phone);
    assert!(report.ok, "{report:#?}");
    assert_eq!(report.operator_package, DEV_PACKAGE);
}

#[test]
fn a_service_that_is_off_is_enabled_and_looked_at_again() {
    let phone = Phone::service_off();
    let code = ErrorCode::DeviceAccessibilityNotRunning;
    let before = looked_at(&phone);
    assert_eq!(stands(&before, "readiness.accessibility"), fails(code));
    assert_eq!(stands(&before, "readiness.handshake"), fails(code));
    assert_eq!(before.next_actions[0], "clawperator doctor --fix --device sim");
    let after = mended(&phone);
    assert!(after.ok, "{after:#?}");
    let [fixed] = after.fixed.as_deref().unwrap() else { panic!("{after:#?}") };
    assert!(fixed.ok && fixed.error.is_none(), "{fixed:?}");
    assert_eq!(fixed.id, "readiness.accessibility");
    assert!(looked_at(&phone).ok);
}

#[test]
fn a_service_that_is_enabled_but_dead_is_found_and_revived() {
    let phone = Phone::healthy();
    phone.crash();
    let before = looked_at(&phone);
    assert_eq!(stands(&before, "readiness.accessibility"), PASS);
    assert_eq!(stands(&before, "readiness.handshake"), fails(ErrorCode::LinkUnavailable));
    assert!(!before.ok);
    let after = mended(&phone);
    assert!(after.ok, "{after:#?}");
    assert_eq!(phone.setting(SERVICES), service_component(RELEASE_PACKAGE));
}

#[test]
fn a_phone_that_sleeps_is_woken() {
    let phone = Phone::healthy();
    phone.system().device.sleep();
    let before = looked_at(&phone);
    assert_eq!(stands(&before, "device.interactive"), warns(ErrorCode::DeviceNotInteractive));
    assert!(check(&before, "device.interactive").summary.contains("sleeps"));
    assert!(before.ok, "an execution wakes it by itself");
    let after = mended(&phone);
    assert_eq!(stands(&after, "device.interactive"), PASS);
    assert!(after.fixed.unwrap()[0].ok);
}

#[test]
fn a_lock_without_a_secret_is_sent_away() {
    let phone = Phone::healthy();
    phone.system().device.sleep();
    phone.system().device.wake();
    let before = looked_at(&phone);
    assert_eq!(stands(&before, "device.interactive"), warns(ErrorCode::DeviceNotInteractive));
    assert!(check(&before, "device.interactive").summary.contains("is locked"));
    assert_eq!(stands(&mended(&phone), "device.interactive"), PASS);
}

#[test]
fn a_lock_with_a_secret_is_left_to_its_owner() {
    let phone = Phone::with(vec![OperatorPackage::current()], Lock::Secure);
    phone.system().device.sleep();
    for awake in [false, true] {
        if awake {
            phone.system().device.wake();
        }
        let report = mended(&phone);
        assert!(!report.ok && !report.critical_ok);
        assert_eq!(stands(&report, "device.interactive"), fails(ErrorCode::DeviceNotInteractive));
        assert_eq!(report.fixed.as_deref(), Some(&[][..]));
        assert!(report.next_actions[0].contains("by hand"), "{:?}", report.next_actions);
    }
    phone.system().device.unlock();
    assert!(looked_at(&phone).ok);
}

#[test]
fn settings_are_turned_on_and_never_decide() {
    let phone = Phone::healthy();
    phone.put(Namespace::Global, "development_settings_enabled", "0");
    phone.put(Namespace::Global, "adb_enabled", "0");
    let before = looked_at(&phone);
    assert!(before.ok);
    let id = "readiness.settings.dev_options";
    assert_eq!(stands(&before, id), warns(ErrorCode::DeviceDevOptionsDisabled));
    let id = "readiness.settings.usb_debugging";
    assert_eq!(stands(&before, id), warns(ErrorCode::DeviceUsbDebuggingDisabled));
    let after = mended(&phone);
    assert!(after.checks.iter().all(|check| check.status != Status::Warn), "{after:#?}");
    assert_eq!(after.fixed.unwrap().len(), 2);
}

#[test]
fn everything_wrong_at_once_is_mended_at_once() {
    let phone = Phone::service_off();
    phone.system().device.sleep();
    phone.put(Namespace::Global, "development_settings_enabled", "0");
    let after = mended(&phone);
    assert!(after.ok, "{after:#?}");
    let fixed = after.fixed.unwrap();
    let ids: Vec<_> = fixed.iter().map(|fixed| fixed.id).collect();
    assert_eq!(
        ids,
        ["device.interactive", "readiness.settings.dev_options", "readiness.accessibility"]
    );
    assert!(fixed.iter().all(|fixed| fixed.ok), "{fixed:?}");
}

#[test]
fn what_was_tried_in_vain_is_told_as_that() {
    let phone = Phone::service_off();
    phone.answer(
        "settings put secure",
        "@@services\njava.lang.SecurityException: no\n@@=255\n@@switch\n@@=0\n@@notification\n@@=0\n",
        0,
    );
    let report = mended(&phone);
    assert!(!report.ok);
    let [fixed] = report.fixed.as_deref().unwrap() else { panic!("{report:#?}") };
    assert!(!fixed.ok && fixed.action.starts_with("tried:"), "{fixed:?}");
    let error = fixed.error.as_ref().unwrap();
    assert_eq!(error.code, ErrorCode::GrantDevicePermissionsFailed);
}

#[test]
fn an_operator_of_another_release_that_is_off_does_not_fit() {
    let old =
        OperatorPackage { version: "9.0.0".into(), enabled: false, ..OperatorPackage::current() };
    let phone = Phone::with(vec![old], Lock::None);
    let report = looked_at(&phone);
    let id = "readiness.version.compatibility";
    assert_eq!(stands(&report, id), fails(ErrorCode::VersionIncompatible));
    assert!(!report.critical_ok);
    // Once it answers, its protocol decides.
    assert_eq!(stands(&mended(&phone), id), PASS);
}

#[test]
fn a_full_examination_makes_a_trial_run_and_looks_at_the_screen() {
    let phone = Phone::healthy();
    let full = Examination { full: true, ..examination(Host::Embedded(&phone)) };
    let report = examine(&full);
    assert_eq!(stands(&report, "readiness.smoke"), PASS, "{report:#?}");
    assert!(check(&report, "readiness.smoke").evidence["nodesOfSettings"].as_u64() > Some(3));
    assert_ne!(check(&report, "host.java.version").status, Status::Fail);
    let broken = |_: &dyn Device, _: &str, _: &_| {
        Err(Failure::new(ErrorCode::ResultEnvelopeTimeout, "no envelope came"))
    };
    let report = examine(&Examination { run: &broken, ..full });
    assert_eq!(stands(&report, "readiness.smoke"), fails(ErrorCode::SmokeOpenSettingsFailed));
    assert!(!report.ok);
    let off = Phone::service_off();
    let report = examine(&Examination { host: Host::Embedded(&off), ..full });
    assert_eq!(stands(&report, "readiness.smoke"), (Status::Skipped, None));
}

#[test]
fn a_shell_that_does_not_answer_is_the_one_failure() {
    let phone = Phone::healthy();
    phone.answer("getprop", "error: closed\n", 1);
    let report = looked_at(&phone);
    assert_eq!(stands(&report, "device.capability"), fails(ErrorCode::DeviceShellUnavailable));
    let failed = report.checks.iter().filter(|check| check.status == Status::Fail).count();
    assert_eq!((failed, report.ok), (1, false));
}
