//! Virtual devices as their files describe them.
//!
//! `<name>.ini` says where the device is, `config.ini` there says what it is. Reading them needs
//! no tool of the SDK, takes no time and works while the emulator runs.

use super::sdk::Sdk;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The operator needs what Android 11 brought: screenshots and the Enter key of the keyboard
/// through the accessibility service.
pub const LOWEST_API: u32 = 30;

/// Why the operator does not run on a virtual device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Older than Android 11, or of a preview whose level is not a number.
    UnsupportedApiLevel,
    /// For processors of another kind than this computer's.
    UnsupportedAbi,
    /// Its `config.ini` is gone.
    MissingConfiguration,
    /// Its system image is not installed any more.
    MissingSystemImage,
    /// It is on adb but does not say what it is.
    NotAnswering,
}

/// A virtual device of this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfiguredAvd {
    /// What names it.
    pub name: String,
    /// Always true: what does not exist is a failure.
    pub exists: bool,
    /// Whether it runs; nothing when adb could not be asked.
    pub running: Option<bool>,
    /// What names it on adb while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// Android's version as a number.
    pub api_level: Option<u32>,
    /// The kind of its processor.
    pub abi: Option<String>,
    /// Whether it has the Play Store.
    pub play_store: bool,
    /// The phone it looks like.
    pub device_profile: Option<String>,
    /// The package of its system image, as sdkmanager names it.
    pub system_image: Option<String>,
    /// Whether the operator runs on it, on this computer.
    pub supported: bool,
    /// Why not.
    pub unsupported_reasons: Vec<Reason>,
}

/// The kind of processor whose images this computer runs at full speed.
#[must_use]
pub fn host_abi() -> &'static str {
    match std::env::consts::ARCH {
        "aarch64" => "arm64-v8a",
        other => other,
    }
}

/// What speaks against a device of this level and kind on a computer of that kind.
pub(super) fn objections(api: Option<u32>, abi: Option<&str>, host_abi: &str) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if api.is_none_or(|api| api < LOWEST_API) {
        reasons.push(Reason::UnsupportedApiLevel);
    }
    if abi != Some(host_abi) {
        reasons.push(Reason::UnsupportedAbi);
    }
    reasons
}

/// All virtual devices, by name. That nobody asked adb yet is in `running`.
pub(super) fn read_all(sdk: &Sdk, host_abi: &str) -> Result<Vec<ConfiguredAvd>, Failure> {
    let home = sdk.environment().avd_home();
    let entries = match std::fs::read_dir(&home) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            let message = format!("{} cannot be read: {error}", home.display());
            let hint = "check its permissions, or set ANDROID_AVD_HOME";
            return Err(Failure::new(ErrorCode::EmulatorNotFound, message).hint(hint));
        }
    };
    let root = sdk.root();
    let mut avds: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "ini"))
        .filter_map(|path| read(&home, &path, root.as_deref(), host_abi))
        .collect();
    avds.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(avds)
}

fn read(home: &Path, file: &Path, root: Option<&Path>, host_abi: &str) -> Option<ConfiguredAvd> {
    let name = file.file_stem()?.to_str()?.to_owned();
    let pointer = Ini::read(file)?;
    let config = Ini::read(&folder_of(home, &name, &pointer).join("config.ini"));
    let missing = config.is_none();
    let config = config.unwrap_or_default();
    // The emulator on Windows writes backslashes.
    let image = config.get("image.sysdir.1").map(|path| path.replace('\\', "/"));
    let image = image.as_deref().map(|path| path.trim_end_matches('/'));
    let api_level = [pointer.get("target"), config.get("target"), image]
        .into_iter()
        .find_map(|text| api_level_in(text?));
    let abi = config.get("abi.type").or_else(|| config.get("hw.cpu.arch").map(abi_of_arch));
    let mut unsupported_reasons = if missing {
        vec![Reason::MissingConfiguration]
    } else {
        objections(api_level, abi, host_abi)
    };
    if let (Some(root), Some(image)) = (root, image)
        && !root.join(image).is_dir()
    {
        unsupported_reasons.push(Reason::MissingSystemImage);
    }
    Some(ConfiguredAvd {
        name,
        exists: true,
        running: None,
        serial: None,
        api_level,
        abi: abi.map(str::to_owned),
        play_store: has_play_store(&config, image),
        device_profile: config.get("hw.device.name").map(str::to_owned),
        system_image: image.map(|path| path.replace('/', ";")),
        supported: unsupported_reasons.is_empty(),
        unsupported_reasons,
    })
}

/// The device's folder. The absolute path is wrong after a home was moved, the relative one is
/// missing in old files, and both may lie outside the usual place.
fn folder_of(home: &Path, name: &str, pointer: &Ini) -> PathBuf {
    let absolute = pointer.get("path").map(PathBuf::from);
    let relative = pointer.get("path.rel").and_then(|path| Some(home.parent()?.join(path)));
    [absolute, relative]
        .into_iter()
        .flatten()
        .find(|folder| folder.is_dir())
        .unwrap_or_else(|| home.join(format!("{name}.avd")))
}

fn has_play_store(config: &Ini, image: Option<&str>) -> bool {
    match config.get("PlayStore.enabled").map(str::to_ascii_lowercase).as_deref() {
        Some("true" | "yes") => return true,
        // The image has it, but this device does not show it.
        Some("false" | "no") => return false,
        _ => {}
    }
    let said = [config.get("tag.id"), config.get("tag.ids"), image];
    said.into_iter().flatten().any(|text| text.contains("playstore"))
}

/// `android-35`, `android-34-ext12`, `android-36.1`, and of old add-ons `Google Inc.:…:23`.
fn api_level_in(text: &str) -> Option<u32> {
    let number = match text.split_once("android-") {
        Some((_, rest)) => rest,
        None => text.rsplit_once(':')?.1,
    };
    let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number[..digits].parse().ok()
}

/// Old files only name the processor.
fn abi_of_arch(arch: &str) -> &str {
    if arch == "arm64" { "arm64-v8a" } else { arch }
}

/// Lines `key=value`; the emulator itself writes `key = value`.
#[derive(Debug, Default)]
struct Ini(BTreeMap<String, String>);

impl Ini {
    fn read(file: &Path) -> Option<Self> {
        std::fs::read(file).ok().map(|bytes| Self::parse(&String::from_utf8_lossy(&bytes)))
    }

    fn parse(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let line = |line: &str| {
            let line = line.trim();
            let (key, value) = line.split_once('=').filter(|_| !line.starts_with(['#', ';']))?;
            Some((key.trim().to_owned(), value.trim().to_owned()))
        };
        Self(text.lines().filter_map(line).collect())
    }

    /// A value. An empty one counts as missing.
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str).filter(|value| !value.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ini_files_of_both_writers_are_read_alike() {
        let studio = Ini::parse("# made by hand\nabi.type=x86_64\nhw.device.name=pixel_7\r\nx=\n");
        let emulator =
            Ini::parse("\u{feff}abi.type = x86_64\n ; note = x\nhw.device.name = pixel_7");
        for ini in [studio, emulator] {
            assert_eq!(ini.get("abi.type"), Some("x86_64"));
            assert_eq!(ini.get("hw.device.name"), Some("pixel_7"));
            assert_eq!(ini.get("x"), None, "empty is missing");
            assert_eq!(ini.0.keys().filter(|key| key.contains("note")).count(), 0);
        }
        assert_eq!(Ini::parse("a=b=c\nno sign\n").get("a"), Some("b=c"));
    }

    #[test]
    fn the_api_level_is_read_from_every_form_of_target() {
        for (text, level) in [
            ("android-35", Some(35)),
            ("android-34-ext12", Some(34)),
            ("android-36.1", Some(36)),
            ("system-images/android-33/google_apis/x86_64", Some(33)),
            ("Google Inc.:Google APIs:23", Some(23)),
            ("android-Baklava", None),
            ("nonsense", None),
            ("", None),
        ] {
            assert_eq!(api_level_in(text), level, "{text}");
        }
    }

    #[test]
    fn the_play_store_is_known_by_its_switch_its_tag_or_its_image() {
        let of = |text: &str, image| has_play_store(&Ini::parse(text), image);
        assert!(of("PlayStore.enabled=yes", None));
        assert!(of("PlayStore.enabled=true", None));
        assert!(of("tag.id=google_apis_playstore", None));
        assert!(of("tag.ids=page_size_16kb,google_apis_playstore", None));
        assert!(of("", Some("system-images/android-35/google_apis_playstore/x86_64")));
        assert!(!of("PlayStore.enabled=no\ntag.id=google_apis_playstore", None));
        assert!(!of("tag.id=google_apis", Some("system-images/android-35/google_apis/x86_64")));
    }

    #[test]
    fn a_device_is_supported_on_computers_of_its_own_kind_from_android_11_on() {
        assert_eq!(objections(Some(30), Some("x86_64"), "x86_64"), []);
        assert_eq!(objections(Some(36), Some("arm64-v8a"), "arm64-v8a"), []);
        let abi = [Reason::UnsupportedAbi];
        assert_eq!(objections(Some(35), Some("arm64-v8a"), "x86_64"), abi);
        assert_eq!(objections(Some(35), Some("x86_64"), "arm64-v8a"), abi);
        assert_eq!(objections(Some(35), None, "x86_64"), abi);
        let api = [Reason::UnsupportedApiLevel];
        assert_eq!(objections(Some(29), Some("x86_64"), "x86_64"), api);
        assert_eq!(objections(None, Some("x86_64"), "x86_64"), api);
    }
}
