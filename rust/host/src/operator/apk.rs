//! The APK to install: where it is, and whether a phone would take it.
//!
//! Whatever can be found out here is found out before the phone is touched.

use super::packages::next_command;
use clawperator_apk::{Apk, Signatures};
use clawperator_contract::operator::{DEV_PACKAGE, PACKAGES, RELEASE_PACKAGE, SERVICE_CLASS};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// An operator has some megabytes. What is far larger is something else.
const LARGEST: u64 = 256 << 20;

/// What `scripts/apk` makes in a checkout; it has the version of this program.
const BUILT: &str = concat!("target/apk/operator-", env!("CARGO_PKG_VERSION"), ".apk");

/// Where an operator's APK may be when none is named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The folder this program is in.
    pub(crate) program: Option<PathBuf>,
    /// The checkout this program is built in.
    pub(crate) checkout: Option<PathBuf>,
}

impl Places {
    /// Of this process.
    pub(crate) fn here() -> Self {
        let program = std::env::current_exe().ok();
        let program = program.map(|path| path.canonicalize().unwrap_or(path));
        let folder = std::env::current_dir().ok();
        Self {
            program: program.as_deref().and_then(Path::parent).map(Path::to_owned),
            checkout: folder.as_deref().and_then(checkout_of),
        }
    }

    /// The first that is there; else a failure that names all places.
    pub(crate) fn find(&self, wanted: Option<&str>) -> Result<PathBuf, Failure> {
        let candidates = self.candidates(wanted);
        for candidate in &candidates {
            if let Some(found) = there(candidate) {
                return Ok(found);
            }
        }
        let looked: Vec<_> = candidates.iter().map(|path| path.display().to_string()).collect();
        let message = format!("no operator's APK was found; looked for {}", looked.join(", "));
        Err(Failure::new(ErrorCode::OperatorApkNotFound, message)
            .detail("lookedFor", json!(looked))
            .hint("Name it: `clawperator operator setup --apk PATH`."))
    }

    /// A path, or a folder of which any APK will do.
    fn candidates(&self, wanted: Option<&str>) -> Vec<PathBuf> {
        let kinds = [
            (RELEASE_PACKAGE, "operator.apk", "release"),
            (DEV_PACKAGE, "operator-debug.apk", "debug"),
        ];
        let kinds = || kinds.iter().filter(|(own, ..)| wanted.is_none_or(|wanted| wanted == *own));
        let mut paths = Vec::new();
        for folder in self.program.iter().flat_map(|program| {
            let shared = program.parent().map(|prefix| prefix.join("share/clawperator"));
            [Some(program.clone()), shared].into_iter().flatten()
        }) {
            paths.extend(kinds().map(|(_, file, _)| folder.join(file)));
        }
        if let Some(checkout) = &self.checkout {
            if wanted.is_none_or(|wanted| wanted == RELEASE_PACKAGE) {
                paths.push(checkout.join(BUILT));
            }
            let built = checkout.join("android/app/build/outputs/apk");
            paths.extend(kinds().map(|(_, _, folder)| built.join(folder)));
        }
        paths
    }
}

/// The nearest folder above that is our workspace.
fn checkout_of(folder: &Path) -> Option<PathBuf> {
    let ours =
        |folder: &&Path| folder.join("Cargo.toml").is_file() && folder.join("android").is_dir();
    folder.ancestors().find(ours).map(Path::to_owned)
}

fn there(candidate: &Path) -> Option<PathBuf> {
    if candidate.is_file() {
        return Some(candidate.to_owned());
    }
    let files = fs::read_dir(candidate).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    // What the build leaves unsigned no phone takes.
    let usable = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".apk") && !name.ends_with("-unsigned.apk")
    };
    files.filter(usable).min()
}

/// An operator that a phone can be given.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) apk: Apk,
    pub(crate) version: String,
}

/// Reads an APK and looks at it as a phone would.
pub(crate) fn check(path: &Path, wanted: Option<&str>, serial: &str) -> Result<Checked, Failure> {
    let bytes = read(path)?;
    let refused = |code: ErrorCode, why: &str| {
        let message = format!("{}: {why}; nothing was sent to the phone", path.display());
        Failure::new(code, message).detail("apk", path.display().to_string())
    };
    let install = |why: &str| refused(ErrorCode::OperatorInstallFailed, why);
    let apk = Apk::read(&bytes).map_err(|error| {
        install(&error.to_string()).hint("Build or download the operator again.")
    })?;
    let package = apk.package.as_str();
    if !PACKAGES.contains(&package) {
        let why = format!("this is {package}, not an operator ({})", PACKAGES.join(" or "));
        return Err(install(&why).hint("Name the operator's own APK with --apk."));
    }
    if let Some(wanted) = wanted.filter(|wanted| *wanted != package) {
        let why = format!("this is {package}, but {wanted} was asked for");
        let next = next_command("operator setup", serial, package);
        let hint = format!("name an APK of {wanted}, or `{next} --apk {}`", path.display());
        return Err(refused(ErrorCode::OperatorVariantMismatch, &why).hint(hint));
    }
    if !apk.services.iter().any(|service| service.name == SERVICE_CLASS) {
        let why =
            format!("it has no service {SERVICE_CLASS}, so it is not this program's operator");
        return Err(install(&why).hint("Use the operator that belongs to this program."));
    }
    let version = match &apk.version_name {
        Some(version) if apk.version_code > 0 => version.clone(),
        _ => {
            let why = "its manifest does not tell a version name and a version code";
            let failure = refused(ErrorCode::ApkVersionUnreadable, why);
            return Err(failure.hint("Build the operator again."));
        }
    };
    let target = apk.target_sdk.or(apk.min_sdk).unwrap_or(1);
    match Signatures::read(&bytes) {
        Ok(signatures) if signatures.suffice_for(target) => {}
        Ok(signatures) if signatures.v1 => {
            let why = "it has only a signature of the first scheme, which no phone of Android 11 or later takes";
            return Err(install(why).hint("Sign it with `apksigner sign`."));
        }
        _ => {
            return Err(install("it is not signed").hint("Sign it with `apksigner sign`."));
        }
    }
    Ok(Checked { path: path.to_owned(), version, apk, bytes })
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |why: String| {
        let message = format!("{}: {why}", path.display());
        let code = ErrorCode::OperatorApkNotFound;
        Failure::new(code, message).detail("apk", path.display().to_string()).hint(code.remedy())
    };
    let size = fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if !size.is_file() {
        return Err(unreadable("this is not a file".into()));
    }
    if size.len() > LARGEST {
        return Err(unreadable(format!("{} bytes are too many for an operator", size.len())));
    }
    fs::read(path).map_err(|error| unreadable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of this test's own, gone afterwards.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("places-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, name: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, b"").unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_lies_beside_the_program_comes_before_what_was_built() {
        let folder = Folder::new("order");
        let places = Places {
            program: Some(folder.0.join("bin")),
            checkout: Some(folder.0.join("checkout")),
        };
        let failure = places.find(None).unwrap_err();
        assert_eq!(failure.code, ErrorCode::OperatorApkNotFound);
        assert_eq!(failure.details["lookedFor"].as_array().unwrap().len(), 7);
        let debug = folder.file("checkout/android/app/build/outputs/apk/debug/app-debug.apk");
        assert_eq!(places.find(None).unwrap(), debug);
        folder.file("checkout/android/app/build/outputs/apk/release/app-release-unsigned.apk");
        assert_eq!(places.find(None).unwrap(), debug);
        let release = folder.file("checkout/android/app/build/outputs/apk/release/app-release.apk");
        assert_eq!(places.find(None).unwrap(), release);
        assert_eq!(places.find(Some(DEV_PACKAGE)).unwrap(), debug);
        folder.file("checkout/target/apk/conformance-0.1.0.apk");
        folder.file("checkout/target/apk/operator-0.0.0.apk");
        assert_eq!(places.find(None).unwrap(), release);
        let built = folder.file(&format!("checkout/{BUILT}"));
        assert_eq!(places.find(None).unwrap(), built);
        assert_eq!(places.find(Some(DEV_PACKAGE)).unwrap(), debug);
        let shared = folder.file("share/clawperator/operator.apk");
        assert_eq!(places.find(None).unwrap(), shared);
        let beside = folder.file("bin/operator.apk");
        assert_eq!(places.find(Some(RELEASE_PACKAGE)).unwrap(), beside);
        assert_eq!(places.find(Some(DEV_PACKAGE)).unwrap(), debug);
    }

    #[test]
    fn a_checkout_is_found_from_anywhere_inside_it() {
        let folder = Folder::new("checkout");
        folder.file("Cargo.toml");
        folder.file("android/app/build.gradle.kts");
        // A crate has a Cargo.toml too, but no phone side.
        folder.file("rust/cli/Cargo.toml");
        assert_eq!(checkout_of(&folder.0.join("rust/cli")), Some(folder.0.clone()));
        assert_eq!(checkout_of(Path::new("/")), None);
    }
}
