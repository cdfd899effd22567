//! The doctor, on phones and computers sound and sick.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests fail loudly")]

mod adb;
mod phones;
#[path = "../support/phone.rs"]
mod support;

use clawperator_contract::ErrorCode;
use clawperator_host::doctor::{Check, Examination, Host, Report, Status, examine};
use support::{Phone, VERSION, run};

pub(crate) fn examination(host: Host<'_>) -> Examination<'_> {
    Examination {
        host,
        device: None,
        operator_package: None,
        cli_version: VERSION,
        full: false,
        fix: false,
        run: &run,
    }
}

pub(crate) fn looked_at(phone: &Phone) -> Report {
    examine(&examination(Host::Embedded(phone)))
}

pub(crate) fn mended(phone: &Phone) -> Report {
    examine(&Examination { fix: true, ..examination(Host::Embedded(phone)) })
}

pub(crate) fn check<'a>(report: &'a Report, id: &str) -> &'a Check {
    report.checks.iter().find(|check| check.id == id).unwrap_or_else(|| panic!("no check {id}"))
}

/// Status and code of a check.
pub(crate) fn stands(report: &Report, id: &str) -> (Status, Option<ErrorCode>) {
    let check = check(report, id);
    (check.status, check.code)
}

pub(crate) const PASS: (Status, Option<ErrorCode>) = (Status::Pass, None);

pub(crate) fn fails(code: ErrorCode) -> (Status, Option<ErrorCode>) {
    (Status::Fail, Some(code))
}

pub(crate) fn warns(code: ErrorCode) -> (Status, Option<ErrorCode>) {
    (Status::Warn, Some(code))
}
