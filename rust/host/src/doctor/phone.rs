//! The phone itself: what it is, and the settings that concern it.

use super::bridge::Host;
use super::repair::Repair;
use super::report::Check;
use crate::operator::Answers;
use clawperator_contract::ErrorCode;
use serde_json::json;

const CAPABILITY: &str = "device.capability";

/// Android 8, the oldest the operator is built for.
const OLDEST_API: u32 = 26;
/// Processors the operator's library is built for.
const ABIS: [&str; 2] = ["arm64-v8a", "x86_64"];

pub(super) const DEVELOPER_OPTIONS: &str = "development_settings_enabled";
pub(super) const USB_DEBUGGING: &str = "adb_enabled";

pub(super) fn questions() -> Vec<(String, String)> {
    let properties = [
        ("api", "ro.build.version.sdk"),
        ("abis", "ro.product.cpu.abilist"),
        ("model", "ro.product.model"),
    ];
    let properties = properties.map(|(name, key)| (name.to_owned(), format!("getprop {key}")));
    let others = [("size", "wm size"), ("density", "wm density")];
    let others = others.map(|(name, line)| (name.to_owned(), line.to_owned()));
    let settings = [DEVELOPER_OPTIONS, USB_DEBUGGING];
    let settings = settings.map(|key| (key.to_owned(), format!("settings get global {key}")));
    properties.into_iter().chain(others).chain(settings).collect()
}

/// Can the operator live here?
pub(super) fn capability(answers: &Answers) -> Check {
    let text = |name: &str| answers.get(name).text;
    let (api, abis, model) = (text("api"), text("abis"), text("model"));
    let size = last_value(&text("size"), "size:");
    let density = last_value(&text("density"), "density:");
    let supported = abis.split(',').any(|abi| ABIS.contains(&abi.trim()));
    let check = match (api.parse::<u32>(), &size) {
        (Err(_), _) => {
            let summary = format!("the phone does not tell its API level: \"{api}\"");
            Check::fail(CAPABILITY, ErrorCode::DeviceShellUnavailable, summary).shell(
                "Try its shell by hand",
                &["adb shell getprop ro.build.version.sdk".to_owned()],
            )
        }
        (_, None) => {
            let summary =
                format!("the phone does not tell the size of its screen: \"{}\"", text("size"));
            Check::fail(CAPABILITY, ErrorCode::DeviceShellUnavailable, summary)
                .shell("Try its shell by hand", &["adb shell wm size".to_owned()])
        }
        (Ok(level), _) if level < OLDEST_API => {
            let summary = format!(
                "Android API {level} is too old: the operator needs {OLDEST_API} (Android 8)"
            );
            unsupported(summary)
        }
        (Ok(_), _) if !abis.is_empty() && !supported => {
            let summary =
                format!("the operator is built for {}, not for {abis}", ABIS.join(" and "));
            unsupported(summary)
        }
        (Ok(level), Some(size)) => {
            Check::pass(CAPABILITY, format!("{model}, Android API {level}, {size}"))
        }
    };
    check
        .evidence("model", model)
        .evidence("api", api)
        .evidence("abis", abis)
        .evidence("size", size)
        .evidence("density", density)
}

fn unsupported(summary: String) -> Check {
    let code = ErrorCode::DeviceUnsupported;
    Check::fail(CAPABILITY, code, summary).manual("Use another phone", &[code.remedy()])
}

/// `Physical size: 1080x2400`, and what overrides it in the next line.
fn last_value(text: &str, key: &str) -> Option<String> {
    let mut values = text.lines().filter_map(|line| line.split_once(key));
    values.next_back().map(|(_, value)| value.trim().to_owned())
}

/// Whoever reaches the phone at all has debugging on in some way; these two still matter when it
/// is plugged in again.
pub(super) fn settings(answers: &Answers, host: Host<'_>, serial: &str) -> [Check; 2] {
    let check = |id: &'static str, key: &'static str, code: ErrorCode, name: &str| {
        let value = answers.get(key).text;
        let check = match value.as_str() {
            "1" => Check::pass(id, format!("{name} on")),
            "0" | "null" | "" => {
                let put = format!("settings put global {key} 1");
                let command = match host {
                    Host::Adb(_) => format!("adb -s {serial} shell {put}"),
                    Host::Embedded(_) => format!("clawperator doctor --fix --device {serial}"),
                };
                Check::warn(id, code, format!("{name} off"))
                    .shell("Turn it on", &[command])
                    .repair(Repair::Setting(key))
            }
            other => Check::skipped(id, format!("the phone says \"{other}\"")),
        };
        check.evidence("setting", json!({ key: value }))
    };
    [
        check(
            "readiness.settings.dev_options",
            DEVELOPER_OPTIONS,
            ErrorCode::DeviceDevOptionsDisabled,
            "developer options are",
        ),
        check(
            "readiness.settings.usb_debugging",
            USB_DEBUGGING,
            ErrorCode::DeviceUsbDebuggingDisabled,
            "USB debugging is",
        ),
    ]
}
