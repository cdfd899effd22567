//! One look at everything.

use super::bridge::Held;
use super::interactive::{self, Screen};
use super::readiness::Readiness;
use super::repair::Repair;
use super::report::Check;
use super::{Examination, computer, phone};
use crate::operator::{Census, ask, questions};
use std::time::Duration;

/// A phone answers in a fifth of a second, a busy one in some seconds.
const PATIENCE: Duration = Duration::from_secs(15);

/// What one look has shown.
pub(super) struct Round<'a> {
    pub(super) checks: Vec<Check>,
    /// The phone, where there is one to look at.
    pub(super) device: Option<Held<'a>>,
    /// The operator on it.
    pub(super) package: Option<String>,
}

/// What is asked of a phone, in the report's order.
const OF_A_PHONE: [&str; 2] = ["device.capability", "device.interactive"];
const SETTINGS: [&str; 2] = ["readiness.settings.dev_options", "readiness.settings.usb_debugging"];

impl<'a> Round<'a> {
    pub(super) fn make(examination: &Examination<'a>, java: Option<&Check>) -> Self {
        let mut checks = Vec::new();
        let up = computer::adb(examination.host, &mut checks);
        checks.extend(java.cloned());
        let device = if up {
            computer::discovery(examination.host, examination.device, &mut checks)
        } else {
            checks.push(Check::skipped("device.discovery", "there is no adb server to ask"));
            None
        };
        let package = match &device {
            Some(held) => of_a_phone(examination, held, &mut checks),
            None => none_of_a_phone("there is no phone to ask", &mut checks),
        };
        Self { checks, device, package }
    }

    /// What the doctor could do, with the checks it is for.
    pub(super) fn repairs(&self) -> Vec<(&'static str, Repair)> {
        self.checks.iter().filter_map(|check| Some((check.id, check.repair?))).collect()
    }
}

/// All questions in one round trip, then one handshake.
fn of_a_phone(
    examination: &Examination<'_>,
    held: &Held<'_>,
    checks: &mut Vec<Check>,
) -> Option<String> {
    let device = held.device();
    let named = examination.operator_package;
    let all: Vec<_> = [phone::questions(), interactive::questions(), questions(named)]
        .into_iter()
        .flatten()
        .collect();
    let answers = match ask(device, &all, PATIENCE) {
        Ok(answers) => answers,
        Err(failure) => {
            let from = checks.len();
            let package = none_of_a_phone("the phone's shell does not answer", checks);
            if let Some(first) = checks.get_mut(from) {
                *first = Check::failed(OF_A_PHONE[0], &failure);
            }
            return package;
        }
    };
    checks.push(phone::capability(&answers));
    let screen = Screen::read(&answers);
    checks.push(interactive::check(screen, examination.host, device.serial()));
    let census = Census::read(device.serial(), named, &answers);
    let readiness = Readiness::of(device, census, named, examination.cli_version);
    let settings = phone::settings(&answers, examination.host, device.serial());
    lay_out(readiness, settings, checks)
}

fn none_of_a_phone(why: &str, checks: &mut Vec<Check>) -> Option<String> {
    checks.extend(OF_A_PHONE.map(|id| Check::skipped(id, why)));
    lay_out(Readiness::skipped(why), SETTINGS.map(|id| Check::skipped(id, why)), checks)
}

fn lay_out(readiness: Readiness, settings: [Check; 2], checks: &mut Vec<Check>) -> Option<String> {
    let Readiness { presence, compatibility, accessibility, handshake, package } = readiness;
    checks.extend([presence, compatibility]);
    checks.extend(settings);
    checks.extend([accessibility, handshake]);
    package
}
