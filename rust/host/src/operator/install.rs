//! Hands an APK to the phone's installer.

use super::apk::Checked;
use crate::device::{Device, Output};
use clawperator_contract::{ErrorCode, Failure};
use std::time::Duration;

/// Some megabytes over the air, and a phone that compiles them.
const INSTALLING: Duration = Duration::from_secs(120);

/// Streams it: nothing is left behind on the phone when it is refused.
pub(super) fn install(device: &dyn Device, checked: &Checked, force: bool) -> Result<(), Failure> {
    let downgrade = if force { " -d" } else { "" };
    let test_only = if checked.apk.test_only { " -t" } else { "" };
    let size = checked.bytes.len();
    let line = format!("cmd package install -r{downgrade}{test_only} -S {size}");
    let mut input = checked.bytes.as_slice();
    let output = device.shell_with_input(&line, &mut input, INSTALLING)?;
    let text = output.text();
    if output.ok() && text.lines().any(|line| line.trim() == "Success") {
        return Ok(());
    }
    Err(refused(device.serial(), checked, &output))
}

/// What helps against the commonest refusals.
const REMEDIES: [(&str, &str); 8] = [
    (
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE",
        "The one on the phone is signed with another key. Remove it, with its recordings, then try again: `adb -s {serial} uninstall {package}`.",
    ),
    (
        "INSTALL_FAILED_VERSION_DOWNGRADE",
        "The phone takes no older version over a newer one. Remove it first: `adb -s {serial} uninstall {package}`.",
    ),
    (
        "INSTALL_FAILED_USER_RESTRICTED",
        "The phone asked and nobody agreed: allow \"Install via USB\" in the developer options, or accept the question on its screen.",
    ),
    ("INSTALL_FAILED_INSUFFICIENT_STORAGE", "Free some space on the phone."),
    (
        "INSTALL_FAILED_NO_MATCHING_ABIS",
        "The APK holds {abis}; build it for the phone's processor (`adb -s {serial} shell getprop ro.product.cpu.abilist`).",
    ),
    ("INSTALL_FAILED_OLDER_SDK", "The operator needs a newer Android than this phone has."),
    (
        "INSTALL_FAILED_VERIFICATION_FAILURE",
        "Play Protect refused it: answer its question on the phone's screen, then try again.",
    ),
    ("INSTALL_PARSE_FAILED_NO_CERTIFICATES", "Sign the APK with `apksigner sign`."),
];

/// The phone's own words, with what helps.
fn refused(serial: &str, checked: &Checked, output: &Output) -> Failure {
    let said = output.said();
    let inside = said.split_once("Failure [").map(|(_, rest)| rest.trim_end_matches(']'));
    let words = match inside {
        Some(words) => words,
        None if said.is_empty() => "it said nothing",
        None => &said,
    };
    let reason = words.split([':', ' ']).next().unwrap_or_default();
    let code = ErrorCode::OperatorInstallFailed;
    let remedy = REMEDIES.iter().find(|(own, _)| *own == reason);
    let hint = remedy.map_or(code.remedy(), |(_, text)| *text);
    let hint = hint
        .replace("{serial}", serial)
        .replace("{package}", &checked.apk.package)
        .replace("{abis}", &checked.apk.native_abis.join(", "));
    let failure =
        Failure::new(code, format!("{serial} refused {}: {words}", checked.path.display()))
            .detail("exitCode", output.code)
            .hint(hint);
    if reason.starts_with("INSTALL_") { failure.detail("reason", reason) } else { failure }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clawperator_apk::Apk;

    fn checked() -> Checked {
        let apk = Apk {
            package: "com.clawperator.operator".into(),
            native_abis: vec!["arm64-v8a".into()],
            ..Apk::default()
        };
        Checked { path: "operator.apk".into(), bytes: Vec::new(), apk, version: "0.1.0".into() }
    }

    fn said(out: &str, err: &str) -> Failure {
        let output = Output { stdout: out.into(), stderr: err.into(), code: 1 };
        refused("FAKE01", &checked(), &output)
    }

    #[test]
    fn a_refusal_has_the_phones_words_and_what_helps() {
        let failure = said(
            "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package com.clawperator.operator signatures do not match newer version; ignoring!]\n",
            "",
        );
        assert_eq!(failure.code, ErrorCode::OperatorInstallFailed);
        assert!(failure.message.ends_with("do not match newer version; ignoring!"), "{failure}");
        assert_eq!(failure.details["reason"], "INSTALL_FAILED_UPDATE_INCOMPATIBLE");
        let hint = failure.hint.unwrap();
        assert!(hint.contains("adb -s FAKE01 uninstall com.clawperator.operator"), "{hint}");
        let abis = said(
            "Failure [INSTALL_FAILED_NO_MATCHING_ABIS: Failed to extract native libraries, res=-113]",
            "",
        );
        assert!(abis.hint.unwrap().contains("holds arm64-v8a"));
    }

    #[test]
    fn a_phone_that_answers_otherwise_is_quoted() {
        let failure = said("", "cmd: Can't find service: package\n");
        assert!(failure.message.contains("Can't find service: package"), "{failure}");
        assert!(!failure.details.contains_key("reason"));
        assert!(said("", "").message.contains("said nothing"));
    }
}
