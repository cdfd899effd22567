//! Do this program and the operator fit together?
//!
//! The protocol decides, and the operator itself says which one it speaks. Only where it cannot be
//! asked are versions compared, and of those only the first two numbers: a mended operator or a
//! mended program is no reason to install anything.

use super::greet::{Silence, greet};
use super::packages::next_command;
use super::presence::{Installed, inspect};
use crate::device::Device;
use clawperator_contract::message::PROTOCOL;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_link::socket::LinkError;
use clawperator_link::station::Identity;
use serde::Serialize;

/// The verdict, with what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compatibility {
    /// This program's version.
    pub cli_version: String,
    /// The installed operator's, where it is known.
    pub apk_version: Option<String>,
    /// The same for the installer.
    pub apk_version_code: Option<u64>,
    /// Its package.
    pub operator_package: String,
    /// The verdict.
    pub compatible: bool,
    /// What decided: the operator's own protocol, or the versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<DecidedBy>,
    /// Why they do not fit, or why nobody can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remediation: Vec<String>,
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DecidedBy {
    /// The operator answered and said which protocol it speaks.
    Protocol,
    /// It did not answer; the versions were compared.
    Version,
}

/// Asks the phone and the operator.
#[must_use]
pub fn compatibility(device: &dyn Device, package: &str, cli_version: &str) -> Compatibility {
    match inspect(device, package) {
        Ok(installed) => judge(&installed, &greet(device, package, cli_version), cli_version),
        Err(error) => Compatibility {
            cli_version: cli_version.into(),
            apk_version: None,
            apk_version_code: None,
            operator_package: package.into(),
            compatible: false,
            decided_by: None,
            remediation: error.hint.iter().cloned().collect(),
            error: Some(error),
        },
    }
}

/// The verdict on an operator that was looked at and greeted.
pub(crate) fn judge(
    installed: &Installed,
    greeting: &Result<Identity, Silence>,
    cli_version: &str,
) -> Compatibility {
    let (decided_by, verdict) = match greeting {
        Ok(_) => (DecidedBy::Protocol, Ok(())),
        Err(Silence::Link(LinkError::Incompatible { protocol, .. })) => {
            (DecidedBy::Protocol, Err(other_protocol(installed, *protocol, cli_version)))
        }
        Err(_) => (DecidedBy::Version, same_release(installed, cli_version)),
    };
    let error = verdict.err();
    let decided = error.as_ref().is_none_or(|error| error.code == ErrorCode::VersionIncompatible);
    Compatibility {
        cli_version: cli_version.into(),
        apk_version: installed.version.clone(),
        apk_version_code: installed.version_code,
        operator_package: installed.operator_package.clone(),
        compatible: error.is_none(),
        decided_by: decided.then_some(decided_by),
        remediation: error.iter().flat_map(|_| remediation(installed)).collect(),
        error,
    }
}

fn other_protocol(installed: &Installed, protocol: u32, cli_version: &str) -> Failure {
    let version = installed.version.as_deref().unwrap_or("of an unknown version");
    let message = format!(
        "operator {version} speaks protocol {protocol}, this program ({cli_version}) {PROTOCOL}"
    );
    installed
        .failure(ErrorCode::VersionIncompatible, message, "operator setup")
        .detail("operatorProtocol", protocol)
        .detail("protocol", PROTOCOL)
}

fn same_release(installed: &Installed, cli_version: &str) -> Result<(), Failure> {
    let Some((major, minor, _)) = numbers(cli_version) else {
        let message =
            format!("this program's version, \"{cli_version}\", is not of the form N.N.N");
        let code = ErrorCode::CliVersionInvalid;
        return Err(Failure::new(code, message).hint(code.remedy()));
    };
    let version = installed.readable_version()?;
    let Some(own) = numbers(version) else {
        let message = format!("the operator's version, \"{version}\", is not of the form N.N.N");
        return Err(installed.failure(ErrorCode::ApkVersionInvalid, message, "operator setup"));
    };
    if (own.0, own.1) == (major, minor) {
        return Ok(());
    }
    let message =
        format!("operator {version} and this program ({cli_version}) are of two releases");
    Err(installed.failure(ErrorCode::VersionIncompatible, message, "operator setup"))
}

fn remediation(installed: &Installed) -> [String; 2] {
    let (serial, package) = (&installed.device_id, &installed.operator_package);
    [
        format!(
            "`{}` installs the operator that belongs here",
            next_command("operator setup", serial, package)
        ),
        "or use the program of the operator's release".into(),
    ]
}

/// The version without the mark of a developers' build.
pub(crate) fn bare(version: &str) -> &str {
    let version = version.trim();
    version.strip_suffix("-d").unwrap_or(version)
}

/// `N.N.N`, and nothing else.
fn numbers(version: &str) -> Option<(u64, u64, u64)> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if digits { text.parse().ok() } else { None }
    };
    let mut parts = bare(version).split('.').map(number);
    let three = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(three)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::presence::Accessibility;
    use clawperator_contract::operator::RELEASE_PACKAGE;

    fn installed(version: Option<&str>) -> Installed {
        Installed {
            device_id: "FAKE01".into(),
            operator_package: RELEASE_PACKAGE.into(),
            version: version.map(str::to_owned),
            version_code: Some(7),
            other_variant: None,
            accessibility: Accessibility { switched_on: true, listed: true },
            process_running: true,
        }
    }

    fn silent(version: &str, cli: &str) -> Compatibility {
        judge(&installed(Some(version)), &Err(Silence::NobodyListens), cli)
    }

    #[test]
    fn without_an_answer_the_release_decides_and_a_patch_does_not() {
        for (apk, cli) in
            [("0.5.3", "0.5.3"), ("0.5.9", "0.5.3"), ("0.5.3-d", "0.5.4"), (" 1.2.3 ", "1.2.0")]
        {
            let verdict = silent(apk, cli);
            assert!(verdict.compatible && verdict.error.is_none(), "{apk} {cli}");
            assert_eq!(verdict.decided_by, Some(DecidedBy::Version));
        }
        for (apk, cli) in [("0.6.0", "0.5.3"), ("1.5.3", "0.5.3"), ("0.15.3", "0.1.5")] {
            let verdict = silent(apk, cli);
            assert!(!verdict.compatible, "{apk} {cli}");
            assert_eq!(verdict.error.unwrap().code, ErrorCode::VersionIncompatible);
            assert!(verdict.remediation[0].contains("operator setup --device FAKE01"));
        }
    }

    #[test]
    fn a_version_that_is_none_has_a_code_of_its_own() {
        for version in
            ["0.5", "1.2.3.4", "1.2.x", "v1.2.3", "1.2.3-d-d", "1.2.3-rc1", "1..3", "+1.2.3"]
        {
            let error = silent(version, "0.5.3").error.unwrap();
            assert_eq!(error.code, ErrorCode::ApkVersionInvalid, "{version}");
        }
        assert_eq!(silent("0.5.3", "dev").error.unwrap().code, ErrorCode::CliVersionInvalid);
        let unknown = judge(&installed(None), &Err(Silence::NobodyListens), "0.5.3");
        assert_eq!(unknown.error.unwrap().code, ErrorCode::ApkVersionUnreadable);
        assert_eq!(unknown.decided_by, None);
    }

    #[test]
    fn an_operator_that_answers_is_judged_by_its_protocol_alone() {
        let identity = Identity {
            app_version: "9.9.9".into(),
            package: RELEASE_PACKAGE.into(),
            boot_id: "1".into(),
            service_running: true,
            uptime: std::time::Duration::ZERO,
        };
        let fits = judge(&installed(Some("9.9.9")), &Ok(identity), "0.5.3");
        assert!(fits.compatible);
        assert_eq!(fits.decided_by, Some(DecidedBy::Protocol));
        let other = LinkError::Incompatible { protocol: 99, app_version: "0.5.3".into() };
        let verdict = judge(&installed(Some("0.5.3")), &Err(Silence::Link(other)), "0.5.3");
        let error = verdict.error.unwrap();
        assert_eq!(error.code, ErrorCode::VersionIncompatible);
        assert_eq!(error.details["operatorProtocol"], 99);
        assert!(!verdict.compatible);
    }

    #[test]
    fn the_answer_has_the_promised_keys() {
        let value = serde_json::to_value(silent("0.5.3-d", "0.5.3")).unwrap();
        let expected = serde_json::json!({
            "cliVersion": "0.5.3", "apkVersion": "0.5.3-d", "apkVersionCode": 7,
            "operatorPackage": RELEASE_PACKAGE, "compatible": true, "decidedBy": "version"
        });
        assert_eq!(value, expected);
    }
}
