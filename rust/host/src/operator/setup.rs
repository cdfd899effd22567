//! Puts the operator on a phone: checks the APK, installs it, gives it its permissions, and proves
//! that the one that answers is the one that was installed.

use super::apk::{Checked, Places, check};
use super::install::install;
use super::packages::next_command;
use super::permissions::{Granted, NotificationGrant, Refused, ServiceGrant, give};
use super::presence::{Census, Installed};
use super::versions::bare;
use crate::device::Device;
use clawperator_contract::message::PROTOCOL;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::path::PathBuf;

/// What to install, and how firmly.
#[derive(Clone, Debug, Default)]
pub struct SetupOptions {
    /// The APK; without one it is looked for beside this program and in the checkout.
    pub apk: Option<PathBuf>,
    /// The operator that is wanted; without one that of the APK.
    pub package: Option<String>,
    /// Install even an older version than the one on the phone.
    pub force: bool,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetUp {
    /// The operator.
    pub operator_package: String,
    /// What was installed.
    pub apk: ApkFile,
    /// That it was.
    pub install: Install,
    /// What it was given.
    pub permissions: Permissions,
    /// The proof.
    pub verification: Verification,
    /// The other variant, where that is on the phone too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_variant: Option<String>,
    /// The same for people.
    pub message: String,
}

/// An APK on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApkFile {
    /// Where it is.
    pub path: String,
    /// Its version.
    pub version: String,
    /// The same for the installer.
    pub version_code: u64,
}

/// What the installer did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Install {
    /// Did the phone take it?
    pub ok: bool,
    /// The version it took the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<String>,
}

/// What the operator was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Permissions {
    /// Its accessibility service.
    pub accessibility: ServiceGrant,
    /// Its notification.
    pub notification: NotificationGrant,
}

/// The proof that it is there and runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// All of it.
    pub ok: bool,
    /// The phone lists the package in this version.
    pub package_installed: bool,
    /// The version that answered.
    pub app_version: String,
    /// The protocol it speaks.
    pub protocol: u32,
}

/// Installs the operator and sees to it that it answers.
pub fn setup(device: &dyn Device, options: &SetupOptions) -> Result<SetUp, Failure> {
    let wanted = options.package.as_deref();
    let path = match &options.apk {
        Some(path) => path.clone(),
        None => Places::here().find(wanted)?,
    };
    let checked = check(&path, wanted, device.serial())?;
    let package = checked.apk.package.as_str();
    let before = Census::take(device, None)?.of(package).ok();
    if let Some(before) = &before {
        no_step_back(&checked, before, options.force)?;
    }
    install(device, &checked, options.force)?;
    let census = Census::take(device, None)?;
    let installed = census.of(package).map_err(|failure| {
        let message = format!("the phone took the APK, but {}", failure.message);
        Failure { code: ErrorCode::OperatorVerifyFailed, message, ..failure }
    })?;
    if installed.version_code != Some(checked.apk.version_code) {
        return Err(another_answers(&installed, &checked, installed.version.as_deref()));
    }
    let granted = give(device, &census, &installed).map_err(after_install)?;
    if bare(&granted.handshake.app_version) != bare(&checked.version) {
        return Err(another_answers(&installed, &checked, Some(&granted.handshake.app_version)));
    }
    Ok(told(&checked, before, installed, granted))
}

fn told(
    checked: &Checked,
    before: Option<Installed>,
    installed: Installed,
    granted: Granted,
) -> SetUp {
    let app_version = granted.handshake.app_version;
    let replaced = before.map(|before| before.version.unwrap_or_else(|| "unknown".into()));
    let instead = replaced.as_ref().map(|old| format!(" in place of {old}")).unwrap_or_default();
    let other = match &installed.other_variant {
        Some(other) => format!("; {other} is on the phone too"),
        None => String::new(),
    };
    SetUp {
        message: format!(
            "operator {app_version} ({}) is installed on {}{instead} and answers{other}",
            installed.operator_package, installed.device_id
        ),
        operator_package: installed.operator_package,
        apk: ApkFile {
            path: checked.path.display().to_string(),
            version: checked.version.clone(),
            version_code: checked.apk.version_code,
        },
        install: Install { ok: true, replaced },
        permissions: Permissions {
            accessibility: granted.accessibility,
            notification: granted.notification,
        },
        verification: Verification {
            ok: true,
            package_installed: true,
            app_version,
            protocol: PROTOCOL,
        },
        other_variant: installed.other_variant,
    }
}

fn no_step_back(checked: &Checked, before: &Installed, force: bool) -> Result<(), Failure> {
    let new = checked.apk.version_code;
    match before.version_code {
        Some(old) if new < old && !force => {
            let message = format!(
                "{} is {} ({new}), older than {} ({old}) on {}; nothing was sent to the phone",
                checked.path.display(),
                checked.version,
                before.version.as_deref().unwrap_or("the one"),
                before.device_id
            );
            Err(Failure::new(ErrorCode::OperatorInstallFailed, message)
                .detail("versionCode", new)
                .detail("installedVersionCode", old)
                .hint("add --force to install the older one"))
        }
        _ => Ok(()),
    }
}

fn after_install(refused: Refused) -> Failure {
    let (code, failure) = match refused {
        Refused::Setting(failure) => (ErrorCode::OperatorGrantFailed, failure),
        Refused::Silent(failure) => (ErrorCode::OperatorVerifyFailed, failure),
    };
    // Another code says more than that something is missing: a phone that went away stays one.
    match failure.code {
        ErrorCode::GrantDevicePermissionsFailed => {
            let message = format!("the operator was installed, but {}", failure.message);
            Failure { code, message, ..failure }
        }
        _ => failure,
    }
}

fn another_answers(installed: &Installed, checked: &Checked, seen: Option<&str>) -> Failure {
    let message = format!(
        "{} was installed on {}, but {} is what is there",
        checked.version,
        installed.device_id,
        seen.unwrap_or("an unknown version")
    );
    let next = next_command("doctor", &installed.device_id, &installed.operator_package);
    Failure::new(ErrorCode::OperatorVerifyFailed, message)
        .detail("expected", checked.version.as_str())
        .detail("seen", seen)
        .hint(format!("`{next}`; restarting the phone helps where an old process lives on"))
}
