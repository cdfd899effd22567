//! Creates and deletes virtual devices.

use super::avd::{ConfiguredAvd, objections};
use super::sdk::Tool;
use super::tools::{Call, Ran};
use super::{DEFAULT_NAME, Emulators, already_running};
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use serde_json::json;
use std::path::Path;

/// What kind of virtual device to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// What names it.
    pub name: String,
    /// Android's version as a number.
    pub api_level: u32,
    /// The kind of its processor; that of this computer when not given.
    pub abi: Option<String>,
    /// The phone it looks like, as avdmanager names it.
    pub device_profile: String,
    /// With the Play Store?
    pub play_store: bool,
    /// Replace a device of that name?
    pub force: bool,
    /// Accept the licences of the system image in the user's name?
    pub accept_licenses: bool,
}

impl Default for Create {
    fn default() -> Self {
        Self {
            name: DEFAULT_NAME.into(),
            api_level: 35,
            abi: None,
            device_profile: "pixel_7".into(),
            play_store: true,
            force: false,
            accept_licenses: false,
        }
    }
}

/// The answer to `emulator delete`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    /// Always true.
    pub ok: bool,
    /// Which one.
    pub avd_name: String,
    /// Always true.
    pub deleted: bool,
}

impl Emulators<'_> {
    /// Creates a virtual device, and installs its system image where it is missing.
    pub fn create(&self, wanted: &Create) -> Result<ConfiguredAvd, Failure> {
        let abi = wanted.abi.as_deref().unwrap_or(&self.host_abi);
        self.check(wanted, abi)?;
        let tag = if wanted.play_store { "google_apis_playstore" } else { "google_apis" };
        let image = format!("system-images;android-{};{tag};{abi}", wanted.api_level);
        let avdmanager = self.sdk.tool(Tool::AvdManager)?;
        self.install(&image, wanted.accept_licenses)?;

        let home = self.sdk.environment().avd_home();
        // avdmanager silently uses another folder when the named one does not exist.
        if let Err(error) = std::fs::create_dir_all(&home) {
            let message = format!("{} cannot be made: {error}", home.display());
            let hint = "check its permissions, or set ANDROID_AVD_HOME";
            return Err(Failure::new(ErrorCode::EmulatorCreateFailed, message).hint(hint));
        }
        let arguments = ["create", "avd", "--name", &wanted.name, "--package", &image];
        // Its only question is whether to describe the hardware by hand.
        let call = self
            .call(&avdmanager, &arguments)
            .and(["--device".into(), wanted.device_profile.clone()])
            .and(wanted.force.then(|| "--force".into()))
            .input("no\n");
        let ran = call.run(self.limits.create);
        let code = ErrorCode::AndroidAvdCreateFailed;
        if !ran.ok() {
            return Err(blame(code, &ran).detail("avdName", &*wanted.name).detail("image", image));
        }
        self.inspect(&wanted.name).map_err(|failure| {
            let message = format!("avdmanager reported success, but {}", failure.message);
            Failure { code, message, ..failure }.hint("check that ANDROID_AVD_HOME is the same")
        })
    }

    /// Deletes a virtual device that does not run.
    pub fn delete(&self, name: &str) -> Result<Deleted, Failure> {
        self.inspect(name)?;
        if let Some(serial) = super::running::serial_of(self.phones, name)? {
            return Err(already_running(name, &serial));
        }
        let avdmanager = self.sdk.tool(Tool::AvdManager)?;
        let ran =
            self.call(&avdmanager, &["delete", "avd", "--name", name]).run(self.limits.delete);
        let code = ErrorCode::EmulatorDeleteFailed;
        if !ran.ok() {
            return Err(blame(code, &ran).detail("avdName", name));
        }
        if self.inspect(name).is_ok() {
            let home = self.sdk.environment().avd_home();
            let message =
                format!("avdmanager reported success, but {name} is still in {}", home.display());
            return Err(Failure::new(code, message)
                .detail("avdName", name)
                .hint(format!("remove {name}.ini and {name}.avd there by hand")));
        }
        Ok(Deleted { ok: true, avd_name: name.to_owned(), deleted: true })
    }

    /// What can be said without any tool.
    fn check(&self, wanted: &Create, abi: &str) -> Result<(), Failure> {
        let name = &wanted.name;
        let allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let refused = |message, hint: &str| {
            let code = ErrorCode::EmulatorCreateFailed;
            Err(Failure::new(code, message).detail("avdName", name.as_str()).hint(hint))
        };
        if name.is_empty() || name.starts_with(['-', '.']) || !name.chars().all(allowed) {
            let message = format!("{name:?} cannot be the name of a virtual device");
            return refused(message, "use letters, digits, dots, _ and -");
        }
        let reasons = objections(Some(wanted.api_level), Some(abi), &self.host_abi);
        if !reasons.is_empty() {
            let message = format!(
                "a device of API level {} for {abi} would not do: the operator needs level {} or \
                 later, and this computer runs {}",
                wanted.api_level,
                super::LOWEST_API,
                self.host_abi
            );
            return Err(Failure::new(ErrorCode::EmulatorUnsupported, message)
                .detail("unsupportedReasons", json!(reasons))
                .hint("leave out --api and --abi to get one that does"));
        }
        if self.list()?.avds.iter().all(|avd| avd.name != *name) {
            return Ok(());
        }
        if !wanted.force {
            let message = format!("there is a virtual device called {name} already");
            return refused(message, "start it, choose another --name, or replace it with --force");
        }
        match super::running::serial_of(self.phones, name)? {
            Some(serial) => Err(already_running(name, &serial)),
            None => Ok(()),
        }
    }

    /// Installs a system image that is not there.
    fn install(&self, image: &str, accept_licenses: bool) -> Result<(), Failure> {
        if self.in_root(image) == Some(true) {
            return Ok(());
        }
        let sdkmanager = self.sdk.tool(Tool::SdkManager)?;
        if self.installed(&sdkmanager, image)? {
            return Ok(());
        }
        log::info!("installing {image}, one to two gigabytes");
        // sdkmanager asks for each licence that this package needs and that is not accepted yet.
        // An empty input is a no.
        let consent = if accept_licenses { "y\n".repeat(100) } else { String::new() };
        let call = self.sdkmanager(&sdkmanager, &["--install", image]).input(consent);
        let ran = call.run(self.limits.install_image);
        // Old versions end well after a refused licence: only the image itself is proof.
        if ran.ok() && self.installed(&sdkmanager, image)? {
            return Ok(());
        }
        let code = ErrorCode::AndroidSystemImageInstallFailed;
        let licenses = licenses_in(&ran.said);
        if !accept_licenses && !licenses.is_empty() {
            let message =
                format!("{image} needs licences not accepted yet: {}", licenses.join(", "));
            let hint = format!(
                "read and accept them with `{} --licenses`, or add --accept-licenses",
                sdkmanager.display()
            );
            return Err(Failure::new(code, message)
                .detail("image", image)
                .detail("licenses", json!(licenses))
                .hint(hint));
        }
        Err(blame(code, &ran).detail("image", image))
    }

    fn installed(&self, sdkmanager: &Path, image: &str) -> Result<bool, Failure> {
        if let Some(known) = self.in_root(image) {
            return Ok(known);
        }
        let ran = self.sdkmanager(sdkmanager, &["--list_installed"]).run(self.limits.list_packages);
        if !ran.ok() {
            return Err(blame(ErrorCode::AndroidSystemImageInstallFailed, &ran));
        }
        let first_column = |line: &str| line.split('|').next().is_some_and(|it| it.trim() == image);
        Ok(ran.said.lines().any(first_column))
    }

    /// Is an image in the SDK's folder? Not known where the folder is not.
    fn in_root(&self, image: &str) -> Option<bool> {
        let root = self.sdk.root()?;
        Some(root.join(image.replace(';', "/")).join("package.xml").is_file())
    }

    /// sdkmanager refuses to work when it lies outside of the SDK, unless it is told where that is.
    fn sdkmanager(&self, program: &Path, arguments: &[&str]) -> Call {
        let root = self.sdk.root().map(|root| format!("--sdk_root={}", root.display()));
        self.call(program, arguments).and(root)
    }

    /// A call of a tool, which is to see the same folders as this program.
    pub(super) fn call(&self, program: &Path, arguments: &[&str]) -> Call {
        let home = self.sdk.environment().avd_home();
        let call = Call::new(program, arguments).variable("ANDROID_AVD_HOME", home);
        match self.sdk.root() {
            Some(root) => {
                call.variable("ANDROID_HOME", root.clone()).variable("ANDROID_SDK_ROOT", root)
            }
            None => call,
        }
    }
}

/// The names of the licences a run asked for.
fn licenses_in(said: &str) -> Vec<String> {
    let name = |line: &str| {
        let (name, _) = line.trim().strip_prefix("License ")?.split_once(':')?;
        name.ends_with("license").then(|| name.to_owned())
    };
    let mut names: Vec<String> = said.split(['\r', '\n']).filter_map(name).collect();
    names.dedup();
    names
}

/// A failure in the tool's words.
fn blame(code: ErrorCode, ran: &Ran) -> Failure {
    let said = ran.said.to_ascii_lowercase();
    let hint = if said.contains("java_home") || said.contains("unsupportedclassversion") {
        "install Java 17 or later and set JAVA_HOME"
    } else if said.contains("no space left") {
        "make room on the disk: an image takes several gigabytes"
    } else if said.contains("no device found matching") {
        "`avdmanager list device` shows the profiles"
    } else if said.contains("failed to find package") {
        "`sdkmanager --list` shows the images; try another --api, or --no-play-store"
    } else {
        code.remedy()
    };
    Failure::new(code, ran.story()).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_known_by_name_among_progress_bars() {
        let said = "[=== ] 10% Computing updates...\rLicense android-sdk-license:     ] 10% Comp\n\
                    ------\nLicense terms: read them\nAccept? (y/N): \n\
                    License android-sdk-preview-license:\n";
        assert_eq!(licenses_in(said), ["android-sdk-license", "android-sdk-preview-license"]);
        assert!(licenses_in("Installing...\n").is_empty());
    }
}
