//! Where the Android SDK and its tools are.

use super::environment::Environment;
use clawperator_contract::{ErrorCode, Failure};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A program of the SDK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Runs virtual devices.
    Emulator,
    /// Installs packages of the SDK, such as system images.
    SdkManager,
    /// Creates and deletes virtual devices.
    AvdManager,
}

impl Tool {
    /// The name of its file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Emulator => "emulator",
            Self::SdkManager => "sdkmanager",
            Self::AvdManager => "avdmanager",
        }
    }

    /// The variable that names it.
    fn variable(self) -> &'static str {
        match self {
            Self::Emulator => "EMULATOR_PATH",
            Self::SdkManager => "SDKMANAGER_PATH",
            Self::AvdManager => "AVDMANAGER_PATH",
        }
    }
}

/// The Android SDK of this computer, as far as there is one.
#[derive(Clone, Debug)]
pub struct Sdk {
    environment: Environment,
}

impl Sdk {
    /// The SDK that this environment names. Nothing is looked for yet.
    #[must_use]
    pub fn new(environment: Environment) -> Self {
        Self { environment }
    }

    /// What it was made from.
    pub(super) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Its folder: the one that is named, or the one that the tools in PATH belong to.
    #[must_use]
    pub fn root(&self) -> Option<PathBuf> {
        self.roots().into_iter().find(|root| root.is_dir()).or_else(|| {
            [Tool::Emulator, Tool::SdkManager, Tool::AvdManager]
                .into_iter()
                .find_map(|tool| root_of(&self.locate(tool).ok()?))
        })
    }

    /// The path of a tool.
    pub fn tool(&self, tool: Tool) -> Result<PathBuf, Failure> {
        self.locate(tool).map_err(|looked| missing(&[(tool, looked)]))
    }

    /// Says at once which of these tools are missing, before half of the work is done.
    pub fn need(&self, tools: &[Tool]) -> Result<(), Failure> {
        let not_found: Vec<_> =
            tools.iter().filter_map(|tool| Some((*tool, self.locate(*tool).err()?))).collect();
        if not_found.is_empty() { Ok(()) } else { Err(missing(&not_found)) }
    }

    /// The path of a tool, or everywhere it was looked for.
    fn locate(&self, tool: Tool) -> Result<PathBuf, Vec<PathBuf>> {
        let below = |roots: Vec<PathBuf>| roots.into_iter().flat_map(|root| places(&root, tool));
        let mut looked: Vec<PathBuf> = match self.environment.path(tool.variable()) {
            // A path that somebody named is meant: another one instead would be a surprise.
            Some(named) if named.components().count() > 1 => vec![named],
            Some(bare) => self.in_search_path(&bare),
            // Android Studio's folder comes last: the others are what a person chose.
            None => below(self.roots())
                .chain(self.in_search_path(Path::new(tool.name())))
                .chain(below(self.studio_roots()))
                .collect(),
        };
        match looked.iter().position(|place| is_program(place)) {
            Some(found) => Ok(looked.swap_remove(found)),
            None => Err(looked),
        }
    }

    fn in_search_path(&self, name: &Path) -> Vec<PathBuf> {
        self.environment.search_path().iter().map(|folder| folder.join(name)).collect()
    }

    /// The folders that are named as the SDK.
    fn roots(&self) -> Vec<PathBuf> {
        let named = ["ANDROID_HOME", "ANDROID_SDK_ROOT"];
        named.iter().filter_map(|name| self.environment.path(name)).collect()
    }

    /// Where Android Studio puts it.
    fn studio_roots(&self) -> Vec<PathBuf> {
        let home = self.environment.path("HOME");
        let below = |folder| home.as_ref().map(|home| home.join(folder));
        ["Android/Sdk", "Library/Android/sdk"].into_iter().filter_map(below).collect()
    }
}

/// Where a tool may be in an SDK, the best place first.
fn places(root: &Path, tool: Tool) -> Vec<PathBuf> {
    if tool == Tool::Emulator {
        return vec![root.join("emulator/emulator")];
    }
    let folder = root.join("cmdline-tools");
    let mut versions: Vec<String> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name != "latest")
        .collect();
    versions.sort_by_key(|name| std::cmp::Reverse(numbers(name)));
    versions.insert(0, "latest".into());
    versions.iter().map(|version| folder.join(version).join("bin").join(tool.name())).collect()
}

/// `12.0` is newer than `9.0`, which a comparison of letters would not see.
fn numbers(version: &str) -> Vec<u32> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

/// The SDK a tool belongs to, by the place where its file really is.
fn root_of(tool: &Path) -> Option<PathBuf> {
    let file = tool.canonicalize().ok()?;
    let folder = file.parent()?;
    if folder.ends_with("emulator") {
        return folder.parent().map(Path::to_owned);
    }
    let tools = folder.parent()?.parent()?;
    tools.ends_with("cmdline-tools").then(|| tools.parent().map(Path::to_owned))?
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

fn missing(tools: &[(Tool, Vec<PathBuf>)]) -> Failure {
    let names: Vec<&str> = tools.iter().map(|(tool, _)| tool.name()).collect();
    let looked: Vec<String> = tools
        .iter()
        .flat_map(|(_, places)| places.iter().map(|place| place.display().to_string()))
        .collect();
    let places = match looked.as_slice() {
        [] => "neither ANDROID_HOME nor PATH is set".to_owned(),
        _ => format!("looked at {}", looked.join(", ")),
    };
    let code = ErrorCode::AndroidSdkToolMissing;
    let hint = match names.as_slice() {
        ["emulator"] => {
            "install it with `sdkmanager emulator`, or set ANDROID_HOME or EMULATOR_PATH"
        }
        _ => code.remedy(),
    };
    Failure::new(code, format!("{} cannot be found: {places}", names.join(" and ")))
        .detail("missingTools", json!(names))
        .detail("lookedAt", json!(looked))
        .hint(hint)
}
