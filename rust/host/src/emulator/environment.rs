//! The environment variables that matter to emulators.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// All that is ever asked for.
const NAMES: [&str; 13] = [
    "HOME",
    "PATH",
    "ANDROID_HOME",
    "ANDROID_SDK_ROOT",
    "ANDROID_AVD_HOME",
    "ANDROID_EMULATOR_HOME",
    "ANDROID_USER_HOME",
    "EMULATOR_PATH",
    "SDKMANAGER_PATH",
    "AVDMANAGER_PATH",
    "CLAWPERATOR_LOG_DIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
];

/// Environment variables, read once; a test brings its own.
#[derive(Clone, Debug, Default)]
pub struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// Those of this process.
    #[must_use]
    pub fn of_this_process() -> Self {
        let value = |name: &str| Some((name.to_owned(), std::env::var_os(name)?));
        Self(NAMES.into_iter().filter_map(value).collect())
    }

    /// The same with one variable more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// A variable as a path. An empty one counts as not set, as in any shell script.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        self.0.get(name).filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    /// The folders of PATH.
    pub(super) fn search_path(&self) -> Vec<PathBuf> {
        self.0.get("PATH").map(|value| std::env::split_paths(value).collect()).unwrap_or_default()
    }

    /// Where the virtual devices are, in the order of the emulator itself.
    pub(super) fn avd_home(&self) -> PathBuf {
        let below = |name, folder| self.path(name).map(|path| path.join(folder));
        self.path("ANDROID_AVD_HOME")
            .or_else(|| below("ANDROID_EMULATOR_HOME", "avd"))
            .or_else(|| below("ANDROID_USER_HOME", "avd"))
            .or_else(|| below("HOME", ".android/avd"))
            .unwrap_or_else(|| PathBuf::from(".android/avd"))
    }

    /// Where the output of an emulator is kept.
    pub(super) fn log_folder(&self) -> PathBuf {
        self.path("CLAWPERATOR_LOG_DIR")
            .or_else(|| self.path("HOME").map(|home| home.join(".clawperator/logs")))
            .unwrap_or_else(std::env::temp_dir)
    }

    /// Can a window be shown? macOS always can; on Linux a display server is named here.
    pub(super) fn has_display(&self) -> bool {
        !cfg!(target_os = "linux")
            || self.path("DISPLAY").is_some()
            || self.path("WAYLAND_DISPLAY").is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_particular_variable_says_where_the_virtual_devices_are() {
        let mut environment = Environment::default().with("HOME", "/home/me");
        assert_eq!(environment.avd_home(), PathBuf::from("/home/me/.android/avd"));
        for (name, value, expected) in [
            ("ANDROID_USER_HOME", "/user", "/user/avd"),
            ("ANDROID_EMULATOR_HOME", "/emulator", "/emulator/avd"),
            ("ANDROID_AVD_HOME", "/avds", "/avds"),
        ] {
            environment = environment.with(name, value);
            assert_eq!(environment.avd_home(), PathBuf::from(expected), "{name}");
        }
        environment = environment.with("ANDROID_AVD_HOME", "");
        assert_eq!(environment.avd_home(), PathBuf::from("/emulator/avd"), "empty is not set");
    }

    #[test]
    fn logs_go_where_the_other_logs_go() {
        let environment = Environment::default().with("HOME", "/home/me");
        assert_eq!(environment.log_folder(), PathBuf::from("/home/me/.clawperator/logs"));
        let environment = environment.with("CLAWPERATOR_LOG_DIR", "/logs");
        assert_eq!(environment.log_folder(), PathBuf::from("/logs"));
    }
}
