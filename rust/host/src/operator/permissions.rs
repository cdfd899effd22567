//! Gives the operator what it needs on a phone, and proves that it runs.

use super::ask::{Answer, ask};
use super::greet::{Silence, greet, greet_until};
use super::presence::{Census, Installed};
use super::services::{ACCESSIBILITY, Services};
use crate::device::Device;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_link::broadcast::shell_quoted;
use clawperator_link::socket::LinkError;
use clawperator_link::station::Identity;
use serde::Serialize;
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

/// This program, as it introduces itself to an operator.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A phone answers in a tenth of a second, a busy one in some seconds.
const PATIENCE: Duration = Duration::from_secs(15);
/// Android binds a service within half a second; a phone that was just set up is busy.
const BINDING: Duration = Duration::from_secs(5);
/// Android lets go of a service as soon as it reads its settings.
const LETTING_GO: Duration = Duration::from_secs(2);

const NOTIFICATIONS: &str = "android.permission.POST_NOTIFICATIONS";
/// What phones say that do not know the permission, or where there is nothing to grant.
const NOTHING_TO_GRANT: [&str; 3] =
    ["Unknown permission", "has not requested permission", "not a changeable permission type"];

/// What was given, and the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Granted {
    /// The operator.
    pub operator_package: String,
    /// Its accessibility service.
    pub accessibility: ServiceGrant,
    /// Its notification.
    pub notification: NotificationGrant,
    /// Its own answer.
    pub handshake: Handshake,
    /// The same for people.
    pub message: String,
}

/// The accessibility service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceGrant {
    /// Is it enabled?
    pub ok: bool,
    /// Was it before?
    pub already_enabled: bool,
    /// Was it enabled but dead, and taken out and put in again?
    pub rebound: bool,
}

/// The permission to show a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NotificationGrant {
    /// Granted, or not needed.
    pub ok: bool,
    /// Not needed: this phone or this operator has no such permission.
    pub skipped: bool,
}

/// What the operator said of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Handshake {
    /// Did it answer, with its service running?
    pub ok: bool,
    /// Its version.
    pub app_version: String,
    /// Does its accessibility service run?
    pub service_running: bool,
}

/// Enables the operator's service and permissions, and waits until it answers.
///
/// Without a package the only operator installed is meant.
pub fn grant(device: &dyn Device, package: Option<&str>) -> Result<Granted, Failure> {
    let census = Census::take(device, package)?;
    let installed = census.of(&census.the_one_meant(package)?)?;
    give(device, &census, &installed).map_err(|refused| match refused {
        Refused::Setting(failure) | Refused::Silent(failure) => failure,
    })
}

/// At which point it failed.
pub(super) enum Refused {
    /// A setting or a permission could not be set.
    Setting(Failure),
    /// All is set, but the operator does not answer.
    Silent(Failure),
}

pub(super) fn give(
    device: &dyn Device,
    census: &Census,
    installed: &Installed,
) -> Result<Granted, Refused> {
    let package = installed.operator_package.as_str();
    let enabled = installed.accessibility.enabled();
    let mut alive = None;
    if enabled {
        alive = match greet(device, package, VERSION) {
            Ok(identity) => Some(identity).filter(|identity| identity.service_running),
            Err(Silence::Phone(failure)) => return Err(Refused::Setting(failure)),
            // It lives; starting it again would not teach it another protocol.
            Err(Silence::Link(error @ LinkError::Incompatible { .. })) => {
                return Err(Refused::Silent(incompatible(installed, &error)));
            }
            Err(_) => None,
        };
    }
    let rebound = enabled && alive.is_none();
    if rebound {
        let_go(device, installed, &census.services.without(package)).map_err(Refused::Setting)?;
    }
    let wanted = alive.is_none().then(|| census.services.with(package));
    let notification = set(device, installed, wanted).map_err(Refused::Setting)?;
    let identity = match alive {
        Some(identity) => identity,
        None => prove(device, installed, BINDING).map_err(Refused::Silent)?,
    };
    let service = match (enabled, rebound) {
        (_, true) => "was dead and has been started again",
        (true, false) => "ran already",
        (false, _) => "has been enabled",
    };
    Ok(Granted {
        operator_package: package.to_owned(),
        accessibility: ServiceGrant { ok: true, already_enabled: enabled, rebound },
        notification,
        message: format!(
            "the accessibility service of {package} {service}; operator {} answers",
            identity.app_version
        ),
        handshake: Handshake {
            ok: true,
            app_version: identity.app_version,
            service_running: identity.service_running,
        },
    })
}

/// Takes a dead service out of the settings and waits until Android has noticed: two changes in a
/// row may look like none to it.
fn let_go(device: &dyn Device, installed: &Installed, others: &Services) -> Result<(), Failure> {
    let enabled = "dumpsys accessibility | grep -E 'Enabled services'";
    let ours = format!("{{{}/", installed.operator_package);
    let end = Instant::now() + LETTING_GO;
    let mut pause = Duration::from_millis(10);
    let mut questions =
        vec![("services".to_owned(), others.command()), ("enabled".to_owned(), enabled.to_owned())];
    loop {
        let answers = ask(device, &questions, PATIENCE)?;
        written(installed, "services", &answers.get("services"))?;
        let left = end.saturating_duration_since(Instant::now());
        if !answers.get("enabled").text.contains(&ours) || left.is_zero() {
            return Ok(());
        }
        // Written once; from now on only looked at.
        questions.retain(|(name, _)| name != "services");
        thread::sleep(pause.min(left));
        pause *= 2;
    }
}

/// Writes the settings that are to change and grants the permission, in one round trip.
fn set(
    device: &dyn Device,
    installed: &Installed,
    services: Option<Services>,
) -> Result<NotificationGrant, Failure> {
    let package = shell_quoted(std::slice::from_ref(&installed.operator_package));
    let mut questions = Vec::new();
    if let Some(services) = services {
        questions.push(("services".to_owned(), services.command()));
        // After the list: with an empty one Android may switch it off again by itself.
        questions.push(("switch".to_owned(), format!("settings put secure {ACCESSIBILITY} 1")));
    }
    questions.push(("notification".to_owned(), format!("pm grant {package} {NOTIFICATIONS}")));
    let answers = ask(device, &questions, PATIENCE)?;
    for name in ["services", "switch"] {
        written(installed, name, &answers.get(name))?;
    }
    notified(installed, &answers.get("notification"))
}

/// Some phones print why they refuse and call it a success.
fn refused(answer: &Answer) -> bool {
    answer.code != 0 || answer.text.contains("Exception")
}

pub(super) fn written(installed: &Installed, name: &str, answer: &Answer) -> Result<(), Failure> {
    if !refused(answer) {
        return Ok(());
    }
    let said = telling_line(&answer.text);
    let message = format!(
        "{} does not let its accessibility settings be written: {said}",
        installed.device_id
    );
    let failure = failed(installed, message)
        .detail("setting", name)
        .detail("accessibility", json!({ "ok": false, "alreadyEnabled": false }));
    Err(if answer.text.contains("WRITE_SECURE_SETTINGS") {
        failure.hint(
            "On this phone turn on \"USB debugging (Security settings)\" in the developer \
             options, or enable the service by hand in Settings, Accessibility.",
        )
    } else {
        failure.hint(
            "Enable the service by hand in Settings, Accessibility, then `clawperator doctor`.",
        )
    })
}

pub(super) fn notified(
    installed: &Installed,
    answer: &Answer,
) -> Result<NotificationGrant, Failure> {
    if !refused(answer) {
        return Ok(NotificationGrant { ok: true, skipped: false });
    }
    if NOTHING_TO_GRANT.iter().any(|words| answer.text.contains(words)) {
        return Ok(NotificationGrant { ok: true, skipped: true });
    }
    let message = format!(
        "{} does not let {NOTIFICATIONS} be granted: {}",
        installed.device_id,
        telling_line(&answer.text)
    );
    Err(failed(installed, message)
        .detail("notification", json!({ "ok": false, "skipped": false }))
        .hint("Allow the operator's notifications by hand in the phone's settings."))
}

/// Waits for the operator's own answer.
pub(super) fn prove(
    device: &dyn Device,
    installed: &Installed,
    within: Duration,
) -> Result<Identity, Failure> {
    let package = installed.operator_package.as_str();
    let why = match greet_until(device, package, VERSION, within) {
        Ok(identity) if identity.service_running => return Ok(identity),
        Ok(_) => "it answers, but says that its service does not run".to_owned(),
        Err(Silence::Phone(failure)) => return Err(failure),
        Err(Silence::Link(error @ LinkError::Incompatible { .. })) => {
            return Err(incompatible(installed, &error));
        }
        Err(Silence::NobodyListens) => "nobody listens at its socket".to_owned(),
        Err(Silence::Link(error)) => error.to_string(),
    };
    let message = format!(
        "the service of {package} is enabled on {}, but it did not come up within {} s: {why}",
        installed.device_id,
        within.as_secs()
    );
    Err(failed(installed, message)
        .detail("accessibility", json!({ "ok": true }))
        .detail("handshake", json!({ "ok": false }))
        .hint(
            "Read why in `adb logcat -b crash`; switching the service off and on by hand in \
             Settings, Accessibility helps against a phone that gave up on it.",
        ))
}

fn incompatible(installed: &Installed, error: &LinkError) -> Failure {
    installed.failure(ErrorCode::VersionIncompatible, error.to_string(), "operator setup")
}

fn failed(installed: &Installed, message: String) -> Failure {
    Failure::new(ErrorCode::GrantDevicePermissionsFailed, message)
        .detail("deviceId", installed.device_id.as_str())
        .detail("operatorPackage", installed.operator_package.as_str())
}

/// The line of an exception that says something.
fn telling_line(text: &str) -> &str {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines()
        .find(|line| line.contains("Exception:"))
        .or_else(|| lines().next())
        .unwrap_or("nothing said")
}
