//! What is installed on a phone.

use crate::device::Device;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_link::broadcast::shell_quoted;
use std::time::Duration;

/// A phone with hundreds of apps takes some tenths of a second.
const PATIENCE: Duration = Duration::from_secs(15);

/// The packages of a phone, in its own order; on request only those that did not come with it.
pub fn list(device: &dyn Device, third_party: bool) -> Result<Vec<String>, Failure> {
    let line = if third_party { "pm list packages -3" } else { "pm list packages" };
    let output = device.shell(line, PATIENCE)?;
    let text = output.text();
    let packages: Vec<String> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("package:"))
        .map(str::to_owned)
        .collect();
    // Only a phone that says nothing at all may have nothing: every other answer is a complaint.
    if output.ok() && (!packages.is_empty() || third_party && text.is_empty()) {
        return Ok(packages);
    }
    let said = output.said();
    let said = if said.is_empty() { "it said nothing" } else { &said };
    let message =
        format!("`{line}` failed on {} with exit code {}: {said}", device.serial(), output.code);
    let code = ErrorCode::DeviceShellUnavailable;
    Err(Failure::new(code, message).detail("exitCode", output.code).hint(code.remedy()))
}

/// Version code of an app; `None` where it is not installed or the phone does not say.
pub fn version_code(device: &dyn Device, package: &str) -> Result<Option<u64>, Failure> {
    let word = shell_quoted(&[package.to_owned()]);
    // The whole dump has thousands of lines; the phone picks the one that matters.
    let line = format!("dumpsys package {word} | grep -m1 versionCode=");
    let text = device.shell(&line, PATIENCE)?.text();
    let code = text.split("versionCode=").nth(1).and_then(|rest| rest.split_whitespace().next());
    Ok(code.and_then(|code| code.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::fake::Fake;

    #[test]
    fn packages_come_in_the_phones_order() {
        let fake = Fake::saying(&[
            ("pm list packages", "package:com.b\r\npackage:com.a\r\n", 0),
            ("pm list packages -3", "package:com.a\n", 0),
        ]);
        assert_eq!(list(&fake, false).unwrap(), ["com.b", "com.a"]);
        assert_eq!(list(&fake, true).unwrap(), ["com.a"]);
    }

    #[test]
    fn the_version_of_an_app_is_a_number_or_nothing() {
        let line = "dumpsys package com.a | grep -m1 versionCode=";
        let fake = Fake::saying(&[(line, "    versionCode=24 minSdk=26 targetSdk=35\n", 0)]);
        assert_eq!(version_code(&fake, "com.a").unwrap(), Some(24));
        assert_eq!(version_code(&Fake::saying(&[(line, "", 1)]), "com.a").unwrap(), None);
    }

    #[test]
    fn a_phone_that_fails_is_not_a_phone_without_apps() {
        for (said, code) in [
            ("cmd: Can't find service: package\n", 20),
            ("package:com.a\nException occurred while executing 'list'\n", 255),
            ("", 0),
            ("Error: Could not access the Package Manager.  Is the system running?\n", 0),
        ] {
            let failure =
                list(&Fake::saying(&[("pm list packages", said, code)]), false).unwrap_err();
            assert_eq!(failure.code, ErrorCode::DeviceShellUnavailable, "{said}");
        }
        assert_eq!(list(&Fake::saying(&[("pm list packages -3", "", 0)]), true).unwrap(), [""; 0]);
    }
}
