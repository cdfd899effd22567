//! What a package installer must know of an APK before it takes it in: whose it is, which version,
//! what it needs and what can be started in it.
//!
//! An APK is a zip with a manifest in Android's binary XML. Its bytes come from outside: every
//! offset is checked, every size has a limit, and what is wrong is said in the installer's words.
//! Signatures are found but not verified; the check sums of the entries that are read are.

mod bytes;
mod error;
mod manifest;
mod pool;
mod resources;
mod signatures;
#[cfg(feature = "writer")]
pub mod writer;
mod xml;
mod zip;

pub use error::ApkError;
pub use signatures::Signatures;

use resources::Resources;
use std::borrow::Cow;
use zip::Archive;

const MANIFEST: &str = "AndroidManifest.xml";

/// Real manifests have 10 to 100 KB, those of the largest apps some hundreds.
const MAX_MANIFEST: usize = 8 << 20;

/// An app, as its manifest and the names of its files describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apk {
    /// The name that tells it from all other apps: `com.example.notes`.
    pub package: String,
    /// The version for people. An app need not have one.
    pub version_name: Option<String>,
    /// The version for the installer, 0 where there is none. The upper half is `versionCodeMajor`.
    pub version_code: u64,
    /// The lowest API level it runs on.
    pub min_sdk: Option<u32>,
    /// The API level it was made for. Without one Android takes `min_sdk`.
    pub target_sdk: Option<u32>,
    /// The name under its icon, in the app's default language.
    pub label: Option<String>,
    /// The class that a tap on its icon starts: the first enabled activity, or alias of one, that
    /// answers to `MAIN` and `LAUNCHER`.
    pub launcher_activity: Option<String>,
    /// The processors it has native code for, sorted. Empty: it runs on all of them.
    pub native_abis: Vec<String>,
    /// Its services, in the manifest's order.
    pub services: Vec<Component>,
    /// Its broadcast receivers, in the manifest's order.
    pub receivers: Vec<Component>,
    /// Meant for tests: the installer takes it only when told so (`adb install -t`).
    pub test_only: bool,
}

/// A service or a receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The class, with its package in front.
    pub name: String,
    /// What a caller must hold; the application's where the component names none.
    pub permission: Option<String>,
}

impl Apk {
    /// Reads an APK as a whole. Never panics, and needs little more memory than the manifest and
    /// the table of resources do, which both have a limit.
    ///
    /// # Errors
    ///
    /// Where a phone would refuse it, for the phone's reason.
    pub fn read(bytes: &[u8]) -> Result<Self, ApkError> {
        let archive = Archive::open(bytes).map_err(ApkError::NotZip)?;
        let manifest = match archive.read(MANIFEST, MAX_MANIFEST) {
            Ok(manifest) => manifest,
            Err(zip::Unreadable::Missing) => return Err(ApkError::NoManifest),
            Err(zip::Unreadable::TooLarge) => {
                return Err(ApkError::ManifestTooLarge { limit: MAX_MANIFEST });
            }
            Err(zip::Unreadable::Damaged(why)) => return Err(ApkError::ManifestDamaged(why)),
        };
        let mut apk = manifest::read(&manifest, &Resources::new(&archive))?;
        apk.native_abis = archive.native_abis();
        Ok(apk)
    }
}

/// A class as the manifest may shorten it: `.Main` and `Main` are of the package itself.
fn class_name(package: &str, name: &str) -> String {
    match name.find('.') {
        Some(0) => format!("{package}{name}"),
        None => format!("{package}.{name}"),
        Some(_) => name.to_owned(),
    }
}

/// A value of an attribute or of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value<'a> {
    Text(Cow<'a, str>),
    Int(u32),
    Bool(bool),
    Reference(u32),
    Other,
}

impl<'a> Value<'a> {
    /// From the two fields of a typed value; `None` where its text cannot be read.
    fn typed(kind: u8, data: u32, pool: &pool::Pool<'a>) -> Option<Self> {
        Some(match kind {
            0x01 | 0x07 => Self::Reference(data),
            0x03 => Self::Text(pool.get(data)?),
            0x12 => Self::Bool(data != 0),
            0x10..=0x1f => Self::Int(data),
            _ => Self::Other,
        })
    }
}
