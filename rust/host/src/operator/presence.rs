//! Is the operator there, and does it run?

use super::ask::{Answer, Answers, ask};
use super::packages::next_command;
use super::services::{ACCESSIBILITY, ENABLED_SERVICES, Services};
use crate::device::Device;
use clawperator_contract::operator::{PACKAGES, service_component};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_link::broadcast::shell_quoted;
use serde::Serialize;
use serde_json::json;
use std::time::Duration;

/// A phone answers in a tenth of a second, a busy one in some seconds.
const PATIENCE: Duration = Duration::from_secs(15);

/// An operator on a phone, as the phone's package manager and settings describe it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Installed {
    /// The phone.
    pub device_id: String,
    /// Its package.
    pub operator_package: String,
    /// Its version for people, where the phone tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its version for the installer, where the phone tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_code: Option<u64>,
    /// The other variant, where that is installed too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_variant: Option<String>,
    /// What the settings say of its accessibility service.
    pub accessibility: Accessibility,
    /// Has it a process?
    pub process_running: bool,
}

/// What the settings say of the operator's accessibility service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessibility {
    /// The switch over all accessibility services.
    pub switched_on: bool,
    /// Is ours among the enabled ones?
    pub listed: bool,
}

impl Accessibility {
    /// Is the service to run? Whether it does, only the operator itself can tell.
    #[must_use]
    pub fn enabled(self) -> bool {
        self.switched_on && self.listed
    }
}

/// Looks at an operator in one round trip. That it is not installed is a failure; that its service
/// is off or its version unknown is in the answer.
pub fn inspect(device: &dyn Device, package: &str) -> Result<Installed, Failure> {
    Census::take(device, Some(package))?.of(package)
}

/// Why the operator's socket could not be opened, by the truest code.
#[must_use]
pub fn why_unreachable(device: &dyn Device, package: &str) -> Failure {
    match inspect(device, package) {
        Ok(installed) => installed.unreachable(),
        Err(failure) => failure,
    }
}

impl Installed {
    /// Its version, or that the phone does not tell it.
    pub fn readable_version(&self) -> Result<&str, Failure> {
        self.version.as_deref().ok_or_else(|| {
            let message = format!(
                "{} on {} has no version name that the phone tells",
                self.operator_package, self.device_id
            );
            self.failure(ErrorCode::ApkVersionUnreadable, message, "operator setup")
        })
    }

    /// Nothing if the settings enable its service, else what is off.
    pub fn service_enabled(&self) -> Result<(), Failure> {
        let Accessibility { switched_on, listed } = self.accessibility;
        let off = match (switched_on, listed) {
            (true, true) => return Ok(()),
            (true, false) => "its accessibility service is not enabled",
            (false, true) => "the phone's switch for accessibility services is off",
            (false, false) => "its accessibility service is off",
        };
        let message =
            format!("{} is installed on {}, but {off}", self.operator_package, self.device_id);
        let code = ErrorCode::DeviceAccessibilityNotRunning;
        Err(self
            .failure(code, message, "grant-device-permissions")
            .detail("service", service_component(&self.operator_package)))
    }

    /// Why nobody listens at its socket.
    pub(crate) fn unreachable(&self) -> Failure {
        if let Err(failure) = self.service_enabled() {
            return failure;
        }
        let process = if self.process_running {
            "its process runs"
        } else {
            "it has no process: it crashed, or the phone has not started it yet"
        };
        let message = format!(
            "the service of {} is enabled on {}, but nobody listens at its socket; {process}",
            self.operator_package, self.device_id
        );
        self.failure(ErrorCode::LinkUnavailable, message, "grant-device-permissions")
            .detail("processRunning", self.process_running)
    }

    pub(crate) fn failure(&self, code: ErrorCode, message: String, next: &str) -> Failure {
        let next = next_command(next, &self.device_id, &self.operator_package);
        Failure::new(code, message)
            .detail("deviceId", self.device_id.as_str())
            .detail("operatorPackage", self.operator_package.as_str())
            .hint(format!("`{next}`"))
    }
}

/// The operators on a phone and the settings they hang on.
#[derive(Debug)]
pub(crate) struct Census {
    serial: String,
    found: Vec<Found>,
    switched_on: bool,
    pub(crate) services: Services,
}

#[derive(Debug)]
struct Found {
    package: String,
    version: Option<String>,
    version_code: Option<u64>,
    process_running: bool,
}

/// What to ask for a census: of both variants, and of another package where one is named.
pub(crate) fn questions(named: Option<&str>) -> Vec<(String, String)> {
    let mut questions = Vec::new();
    for (index, package) in candidates(named).into_iter().enumerate() {
        let word = shell_quoted(&[package.to_owned()]);
        // The whole dump has thousands of lines; the phone picks the few that matter.
        let version = format!("dumpsys package {word} | grep -E 'versionName=|versionCode='");
        questions.push((format!("app{index}"), format!("pm path {word} 2>&1 && {version}")));
        questions.push((format!("process{index}"), format!("pidof {word}")));
    }
    for key in [ACCESSIBILITY, ENABLED_SERVICES] {
        questions.push((key.to_owned(), format!("settings get secure {key}")));
    }
    questions
}

fn candidates(named: Option<&str>) -> Vec<&str> {
    let other = named.filter(|named| !PACKAGES.contains(named));
    PACKAGES.into_iter().chain(other).collect()
}

impl Census {
    /// Asks the phone, once.
    pub(crate) fn take(device: &dyn Device, named: Option<&str>) -> Result<Self, Failure> {
        Self::read(device.serial(), named, &ask(device, &questions(named), PATIENCE)?)
    }

    /// From the answers to [`questions`].
    pub(crate) fn read(
        serial: &str,
        named: Option<&str>,
        answers: &Answers,
    ) -> Result<Self, Failure> {
        let mut found = Vec::new();
        for (index, package) in candidates(named).into_iter().enumerate() {
            let app = answers.get(&format!("app{index}"));
            if !is_installed(&app, serial)? {
                continue;
            }
            let process = answers.get(&format!("process{index}"));
            found.push(Found {
                package: package.to_owned(),
                version: version_name(&app.text),
                version_code: app.value("versionCode").and_then(|code| code.parse().ok()),
                process_running: process.code == 0 && !process.text.is_empty(),
            });
        }
        Ok(Self {
            serial: serial.to_owned(),
            found,
            switched_on: answers.get(ACCESSIBILITY).text == "1",
            services: Services::read(&answers.get(ENABLED_SERVICES).text),
        })
    }

    pub(crate) fn serial(&self) -> &str {
        &self.serial
    }

    /// The packages that are installed.
    pub(crate) fn packages(&self) -> Vec<&str> {
        self.found.iter().map(|found| found.package.as_str()).collect()
    }

    /// What is known of one; a failure where it is not installed.
    pub(crate) fn of(&self, package: &str) -> Result<Installed, Failure> {
        let other = self.packages().into_iter().find(|own| *own != package);
        let Some(found) = self.found.iter().find(|found| found.package == package) else {
            return Err(match other {
                Some(other) => mismatch(&self.serial, package, other),
                None => missing(&self.serial, package),
            });
        };
        Ok(Installed {
            device_id: self.serial.clone(),
            operator_package: package.to_owned(),
            version: found.version.clone(),
            version_code: found.version_code,
            other_variant: other.map(str::to_owned),
            accessibility: Accessibility {
                switched_on: self.switched_on,
                listed: self.services.has(package),
            },
            process_running: found.process_running,
        })
    }
}

/// Of the package itself; one that came with the phone is named after it, if there is one.
fn version_name(dump: &str) -> Option<String> {
    let name = dump.lines().find_map(|line| line.trim().strip_prefix("versionName="))?.trim();
    (!matches!(name, "" | "null")).then(|| name.to_owned())
}

/// What a package manager says that is not up, or not to be asked.
const TROUBLE: [&str; 3] = ["Can't find service", "Exception", "Error"];

/// `pm path` says where the APK is, or fails with 1. Anything else is no answer: a phone whose
/// package manager is not up yet has not lost its apps.
fn is_installed(app: &Answer, serial: &str) -> Result<bool, Failure> {
    if app.text.lines().any(|line| line.starts_with("package:")) {
        return Ok(true);
    }
    let trouble = app.text.lines().find(|line| TROUBLE.iter().any(|word| line.contains(word)));
    match (app.code, trouble) {
        (0 | 1, None) => Ok(false),
        (code, said) => {
            let said = said.map_or(format!("exit code {code}"), str::to_owned);
            let message = format!("the package manager of {serial} does not answer: {said}");
            Err(Failure::new(ErrorCode::DeviceShellUnavailable, message)
                .detail("deviceId", serial)
                .hint("Wait until the phone has booted, then try again."))
        }
    }
}

pub(super) fn missing(serial: &str, package: &str) -> Failure {
    Failure::new(ErrorCode::OperatorNotInstalled, format!("{package} is not installed on {serial}"))
        .detail("deviceId", serial)
        .detail("operatorPackage", package)
        .hint(format!("`{}`", next_command("operator setup", serial, package)))
}

fn mismatch(serial: &str, package: &str, other: &str) -> Failure {
    let message = format!("{package} is not installed on {serial}, but {other} is");
    Failure::new(ErrorCode::OperatorVariantMismatch, message)
        .detail("deviceId", serial)
        .detail("operatorPackage", package)
        .detail("installed", json!([other]))
        .hint(format!(
            "add --operator-package {other}, or `{}`",
            next_command("operator setup", serial, package)
        ))
}
