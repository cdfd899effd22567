//! Where the log is and what goes into it.

use serde::{Deserialize, Serialize};
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How much a record matters.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Level {
    Debug,
    #[default]
    Info,
    Warn,
    Error,
}

impl Level {
    /// All of them, the least first.
    pub const ALL: [Self; 4] = [Self::Debug, Self::Info, Self::Warn, Self::Error];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that is no level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(pub String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no log level; there are debug, info, warn and error", self.0)
    }
}

impl std::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        let named = |level: &Self| level.name().eq_ignore_ascii_case(text.trim());
        Self::ALL.into_iter().find(named).ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

/// Where the log is and what goes into it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Its folder; without one nothing is logged.
    pub dir: Option<PathBuf>,
    /// The least that is written.
    pub level: Level,
    /// What was not understood; it is told with the first record.
    pub complaint: Option<String>,
}

impl Settings {
    /// From `--log-level`, `CLAWPERATOR_LOG_LEVEL` and `CLAWPERATOR_LOG_DIR`.
    #[must_use]
    pub fn from_environment(flag: Option<Level>) -> Self {
        let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
        Self::resolve(flag, &|name| env::var_os(name).map(PathBuf::from), home.as_deref())
    }

    /// The same for a given environment. The flag wins over the variable; a variable that is empty
    /// is as good as none.
    fn resolve(
        flag: Option<Level>,
        variable: &dyn Fn(&str) -> Option<PathBuf>,
        home: Option<&Path>,
    ) -> Self {
        let set = |name| variable(name).filter(|value| !value.as_os_str().is_empty());
        let dir = match set("CLAWPERATOR_LOG_DIR") {
            Some(dir) => match (dir.strip_prefix("~"), home) {
                (Ok(below), Some(home)) => Some(home.join(below)),
                (Ok(_), None) => None,
                (Err(_), _) => Some(dir),
            },
            None => home.map(|home| home.join(".clawperator").join("logs")),
        };
        let asked = set("CLAWPERATOR_LOG_LEVEL");
        let asked = asked.filter(|_| flag.is_none()).map(|text| text.to_string_lossy().parse());
        let (level, complaint) = match (flag, asked) {
            (Some(level), _) | (None, Some(Ok(level))) => (level, None),
            (None, Some(Err(unknown))) => {
                (Level::Info, Some(format!("CLAWPERATOR_LOG_LEVEL: {unknown}; info is used")))
            }
            (None, None) => (Level::Info, None),
        };
        Self { dir, level, complaint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(flag: Option<Level>, dir: &str, level: &str, home: Option<&str>) -> Settings {
        let variable = |name: &str| {
            Some(PathBuf::from(match name {
                "CLAWPERATOR_LOG_DIR" => dir,
                "CLAWPERATOR_LOG_LEVEL" => level,
                other => panic!("{other}"),
            }))
        };
        Settings::resolve(flag, &variable, home.map(Path::new))
    }

    #[test]
    fn the_folder_is_the_variable_or_lies_in_the_home() {
        let dir = |dir: &str, home| resolved(None, dir, "", home).dir;
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(dir("", Some("/home/a")), path("/home/a/.clawperator/logs"));
        assert_eq!(dir("/logs", Some("/home/a")), path("/logs"));
        assert_eq!(dir("~/logs", Some("/home/a")), path("/home/a/logs"));
        assert_eq!(dir("~", Some("/home/a")), path("/home/a"));
        assert_eq!(dir("~b/logs", Some("/home/a")), path("~b/logs"));
        assert_eq!(dir("/logs", None), path("/logs"));
        assert_eq!((dir("", None), dir("~/logs", None)), (None, None));
    }

    #[test]
    fn the_flag_wins_over_the_variable_and_info_is_for_all_others() {
        let level = |flag, text: &str| resolved(flag, "", text, None).level;
        assert_eq!(level(None, ""), Level::Info);
        assert_eq!(level(None, " Debug "), Level::Debug);
        assert_eq!(level(Some(Level::Error), "debug"), Level::Error);
        let wrong = resolved(None, "", "loud", None);
        assert_eq!(wrong.level, Level::Info);
        assert!(wrong.complaint.unwrap().contains("\"loud\" is no log level"));
        assert_eq!(resolved(Some(Level::Warn), "", "loud", None).complaint, None);
    }

    #[test]
    fn levels_have_an_order_and_names() {
        assert!(Level::ALL.is_sorted());
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(serde_json::to_value(level).unwrap(), level.name());
        }
    }
}
