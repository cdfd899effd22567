//! The doctor: looks at everything an execution needs, from adb to the operator's own answer, and
//! says what is wrong and what to do. On request it mends what it can and looks again.
//!
//! It asks the phone as little as possible: one line for its shell and one handshake.

mod bridge;
mod computer;
mod interactive;
mod phone;
mod readiness;
mod repair;
mod report;
mod round;
mod smoke;

pub use bridge::{Adb, Host};
pub use report::{Check, Fix, Fixed, Report, Status, Step, StepKind};

use crate::device::Device;
use clawperator_contract::operator::RELEASE_PACKAGE;
use clawperator_contract::{Envelope, Execution, Failure};
use repair::Repair;
use round::Round;

/// Runs an execution on a phone, at the operator of this package.
pub type Run<'a> = dyn Fn(&dyn Device, &str, &Execution) -> Result<Envelope, Failure> + 'a;

/// What to examine.
#[derive(Clone, Copy)]
pub struct Examination<'a> {
    /// Where phones come from.
    pub host: Host<'a>,
    /// The phone that was named.
    pub device: Option<&'a str>,
    /// The operator that was named; else the only one installed.
    pub operator_package: Option<&'a str>,
    /// This program's version.
    pub cli_version: &'a str,
    /// Look also at what only developers need, and make a trial run.
    pub full: bool,
    /// Mend what can be mended, and look again.
    pub fix: bool,
    /// How a trial run is made.
    pub run: &'a Run<'a>,
}

/// Examines, and with `fix` mends and examines again: the report always shows the last state.
#[must_use]
pub fn examine(examination: &Examination<'_>) -> Report {
    let java = examination.full.then(computer::java);
    let mut tried: Vec<Repair> = Vec::new();
    let mut fixed = Vec::new();
    let round = loop {
        let round = Round::make(examination, java.as_ref());
        let next = round.repairs().into_iter().find(|(_, repair)| !tried.contains(repair));
        match next {
            Some((id, repair)) if examination.fix => {
                fixed.push(repair.make(id, examination, &round));
                tried.push(repair);
            }
            _ => break round,
        }
    };
    let Round { mut checks, device, package, .. } = round;
    if examination.full {
        let ready = device.as_ref().zip(package.as_deref());
        checks.push(smoke::check(
            ready.map(|(held, package)| (held.device(), package)),
            &checks,
            examination.run,
        ));
    }
    for one in &mut fixed {
        // Mended is what passes afterwards, not what was tried.
        one.ok = checks.iter().any(|check| check.id == one.id && check.status == Status::Pass);
    }
    let serial = device.as_ref().map(|held| held.device().serial().to_owned());
    let package = package.as_deref().or(examination.operator_package).unwrap_or(RELEASE_PACKAGE);
    Report::of(checks, serial, package, examination.fix.then_some(fixed))
}
