//! The operator: installed, of the right version, enabled, and answering.

use super::repair::Repair;
use super::report::Check;
use crate::device::Device;
use crate::operator::{Census, Installed, Silence, greet, judge, next_command};
use clawperator_contract::message::PROTOCOL;
use clawperator_contract::operator::RELEASE_PACKAGE;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_link::socket::LinkError;
use clawperator_link::station::Identity;
use serde_json::json;

const PRESENCE: &str = "readiness.apk.presence";
const COMPATIBILITY: &str = "readiness.version.compatibility";
const ACCESSIBILITY: &str = "readiness.accessibility";
const HANDSHAKE: &str = "readiness.handshake";

/// The checks of the operator in the report's order, and the operator they are of.
pub(super) struct Readiness {
    pub(super) presence: Check,
    pub(super) compatibility: Check,
    pub(super) accessibility: Check,
    pub(super) handshake: Check,
    pub(super) package: Option<String>,
}

impl Readiness {
    /// What cannot be looked at.
    pub(super) fn skipped(why: &str) -> Self {
        Self {
            presence: Check::skipped(PRESENCE, why),
            compatibility: Check::skipped(COMPATIBILITY, why),
            accessibility: Check::skipped(ACCESSIBILITY, why),
            handshake: Check::skipped(HANDSHAKE, why),
            package: None,
        }
    }

    pub(super) fn of(
        device: &dyn Device,
        census: Result<Census, Failure>,
        named: Option<&str>,
        cli_version: &str,
    ) -> Self {
        let found = census.and_then(|census| {
            let package = census.the_one_meant(named)?;
            census.of(&package)
        });
        let installed = match found {
            Ok(installed) => installed,
            Err(failure) => {
                let presence = absent(device.serial(), named, &failure);
                return Self { presence, ..Self::skipped("there is no operator to ask") };
            }
        };
        let greeting = greet(device, &installed.operator_package, cli_version);
        Self {
            presence: present(&installed),
            compatibility: compatibility(&installed, &greeting, cli_version),
            accessibility: accessibility(&installed),
            handshake: handshake(&installed, &greeting),
            package: Some(installed.operator_package),
        }
    }
}

fn absent(serial: &str, named: Option<&str>, failure: &Failure) -> Check {
    let check = Check::failed(PRESENCE, failure);
    let setup = next_command("operator setup", serial, named.unwrap_or(RELEASE_PACKAGE));
    match failure.code {
        ErrorCode::OperatorNotInstalled => check.shell("Install the operator", &[setup]),
        ErrorCode::OperatorVariantMismatch => {
            let installed = failure.details.get("installed").and_then(|list| list.as_array());
            let installed = installed.into_iter().flatten().filter_map(|one| one.as_str());
            let doctor = |package: &str| {
                format!("clawperator doctor --device {serial} --operator-package {package}")
            };
            let commands: Vec<_> = installed.map(doctor).collect();
            check.shell("Name the one that is installed", &commands)
        }
        _ => check,
    }
}

fn present(installed: &Installed) -> Check {
    let Installed { operator_package, version, version_code, other_variant, .. } = installed;
    let known = version.as_deref().unwrap_or("of an unknown version");
    Check::pass(PRESENCE, format!("{operator_package} {known} is installed"))
        .evidence("version", version.as_deref())
        .evidence("versionCode", *version_code)
        .evidence("otherVariant", other_variant.as_deref())
}

fn compatibility(
    installed: &Installed,
    greeting: &Result<Identity, Silence>,
    cli_version: &str,
) -> Check {
    let verdict = judge(installed, greeting, cli_version);
    let check = match &verdict.error {
        None => {
            let known = installed.version.as_deref().unwrap_or("of an unknown version");
            Check::pass(
                COMPATIBILITY,
                format!("operator {known} fits this program ({cli_version})"),
            )
        }
        Some(failure) => {
            let setup =
                next_command("operator setup", &installed.device_id, &installed.operator_package);
            Check::failed(COMPATIBILITY, failure)
                .shell("Install the operator that belongs here", &[setup])
        }
    };
    check
        .evidence("cliVersion", cli_version)
        .evidence("apkVersion", installed.version.as_deref())
        .evidence("decidedBy", json!(verdict.decided_by))
}

fn accessibility(installed: &Installed) -> Check {
    let check = match installed.service_enabled() {
        Ok(()) => Check::pass(ACCESSIBILITY, "the accessibility service is enabled"),
        Err(failure) => granting(Check::failed(ACCESSIBILITY, &failure), installed),
    };
    check.evidence("settings", json!(installed.accessibility))
}

fn granting(check: Check, installed: &Installed) -> Check {
    let grant =
        next_command("grant-device-permissions", &installed.device_id, &installed.operator_package);
    check.shell("Start the accessibility service", &[grant]).repair(Repair::Grant)
}

fn handshake(installed: &Installed, greeting: &Result<Identity, Silence>) -> Check {
    match greeting {
        Ok(identity) if identity.service_running => {
            Check::pass(HANDSHAKE, format!("operator {} answers", identity.app_version))
                .evidence("appVersion", identity.app_version.as_str())
                .evidence("protocol", PROTOCOL)
                .evidence("bootId", identity.boot_id.as_str())
        }
        Ok(identity) => {
            let code = ErrorCode::DeviceAccessibilityNotRunning;
            let summary = "the operator answers, but its accessibility service does not run";
            let check = Check::fail(HANDSHAKE, code, summary);
            granting(check, installed).evidence("appVersion", identity.app_version.as_str())
        }
        Err(Silence::NobodyListens) => {
            granting(Check::failed(HANDSHAKE, &installed.unreachable()), installed)
        }
        Err(Silence::Phone(failure)) => Check::failed(HANDSHAKE, failure),
        Err(Silence::Link(LinkError::Incompatible { protocol, .. })) => {
            // The check of versions fails for it; here it is a fact.
            Check::skipped(HANDSHAKE, "the operator answers in another protocol")
                .evidence("protocol", *protocol)
        }
        Err(Silence::Link(error)) => {
            let summary = format!("somebody listens at the operator's socket, but {error}");
            granting(Check::fail(HANDSHAKE, ErrorCode::LinkUnavailable, summary), installed)
        }
    }
}
