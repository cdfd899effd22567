//! The doctor and the operator's setup on a simulated phone behind a stock adb.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

#[path = "support/phone.rs"]
mod support;

use clawperator_adb::Server;
use clawperator_contract::ErrorCode;
use clawperator_contract::operator::RELEASE_PACKAGE;
use clawperator_host::device::AdbDevice;
use clawperator_host::doctor::{Examination, Host, Report, Status, examine};
use clawperator_host::operator::{SetupOptions, grant, setup, why_unreachable};
use clawperator_host::packages;
use clawperator_lab::{Adb, Lab, options};
use clawperator_simphone::system::OperatorPackage;
use std::sync::Arc;
use support::{File, VERSION, operator_apk, run};

fn server(adb: &Adb) -> Server {
    Server::at("127.0.0.1", adb.port, Some(adb.program()))
}

fn device(lab: &Lab) -> AdbDevice {
    AdbDevice::new(server(&lab.host).device(&lab.serial))
}

fn examined(server: &Server, serial: Option<&str>, fix: bool) -> Report {
    examine(&Examination {
        host: Host::Adb(server),
        device: serial,
        operator_package: None,
        cli_version: VERSION,
        full: false,
        fix,
        run: &run,
    })
}

fn stands(report: &Report, id: &str) -> (Status, Option<ErrorCode>) {
    let check = report.checks.iter().find(|check| check.id == id).unwrap();
    (check.status, check.code)
}

#[test]
fn a_sound_phone_passes_every_check() {
    let lab = Lab::new();
    let report = examined(&server(&lab.host), Some(&lab.serial), false);
    assert!(report.ok, "{report:#?}");
    assert!(report.checks.iter().all(|check| check.status == Status::Pass), "{report:#?}");
    assert!(packages::list(&device(&lab), true).unwrap().contains(&RELEASE_PACKAGE.to_owned()));
}

#[test]
fn a_sick_phone_is_mended() {
    let off = OperatorPackage { enabled: false, ..OperatorPackage::current() };
    let lab = Lab::with(options(), vec![off]);
    lab.phone.system().device.sleep();
    let failure = why_unreachable(&device(&lab), RELEASE_PACKAGE);
    assert_eq!(failure.code, ErrorCode::DeviceAccessibilityNotRunning);
    let report = examined(&server(&lab.host), Some(&lab.serial), true);
    assert!(report.ok, "{report:#?}");
    assert!(report.fixed.unwrap().iter().all(|fixed| fixed.ok));
    assert!(grant(&device(&lab), None).unwrap().accessibility.already_enabled);
}

#[test]
fn an_operator_is_streamed_to_a_phone_and_answers() {
    let lab = Lab::with(options(), vec![]);
    let apk = File::new("over-adb.apk", &operator_apk(RELEASE_PACKAGE, "0.1.0", 3));
    let options = SetupOptions { apk: Some(apk.0.clone()), ..SetupOptions::default() };
    let done = setup(&device(&lab), &options).unwrap();
    assert!(done.verification.ok, "{done:?}");
    assert!(examined(&server(&lab.host), Some(&lab.serial), false).ok);
}

#[test]
fn without_phones_the_server_is_started_and_says_so() {
    let adb: Arc<Adb> = Adb::stopped();
    let server = server(&adb);
    let report = examined(&server, None, false);
    assert_eq!(stands(&report, "host.adb.server"), (Status::Pass, None));
    let started =
        &report.checks.iter().find(|check| check.id == "host.adb.server").unwrap().evidence;
    assert_eq!(started["startedNow"], true);
    assert_eq!(stands(&report, "device.discovery"), (Status::Fail, Some(ErrorCode::NoDevices)));
    assert!(!report.ok);
    adb.run(&["kill-server"]);
}

#[test]
fn a_phone_that_is_not_there_is_told() {
    let lab = Lab::new();
    let report = examined(&server(&lab.host), Some("127.0.0.1:1"), false);
    assert_eq!(
        stands(&report, "device.discovery"),
        (Status::Fail, Some(ErrorCode::DeviceNotFound))
    );
    assert_eq!(stands(&report, "device.capability"), (Status::Skipped, None));
}
