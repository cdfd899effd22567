//! Why an APK is refused, and how a phone says so.

use std::fmt;

/// Why an APK is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApkError {
    /// The file is no zip, or not a whole one.
    NotZip(&'static str),
    /// There is no `AndroidManifest.xml` in it.
    NoManifest,
    /// There is one, but it cannot be unpacked.
    ManifestDamaged(&'static str),
    /// There is one, but it is larger than any real one.
    ManifestTooLarge {
        /// How many bytes it may have.
        limit: usize,
    },
    /// The manifest is not Android's binary XML, or breaks off.
    CorruptXml(&'static str),
    /// The package has no name, or one that Android does not take.
    BadPackageName {
        /// The name.
        name: String,
        /// What is wrong with it, in Android's words.
        why: String,
    },
    /// The APK is a part of an app and cannot be installed alone.
    Split(String),
    /// The app asks for a preview of Android, by its code name.
    Preview(String),
    /// The manifest can be read but says what cannot be.
    Malformed {
        /// The line of the manifest it was made from; 0 where none is meant.
        line: u32,
        /// What is wrong, in Android's words.
        why: String,
    },
}

impl ApkError {
    /// The installer's code for it.
    ///
    /// These are what phones answer today: a manifest that is missing or broken is an "unexpected
    /// exception" to them. `BAD_MANIFEST` is left for what a phone knows no word for.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotZip(_) => "INSTALL_PARSE_FAILED_NOT_APK",
            Self::NoManifest | Self::ManifestDamaged(_) | Self::CorruptXml(_) => {
                "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION"
            }
            Self::ManifestTooLarge { .. } => "INSTALL_PARSE_FAILED_BAD_MANIFEST",
            Self::BadPackageName { .. } => "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME",
            Self::Split(_) => "INSTALL_FAILED_INVALID_APK",
            Self::Preview(_) => "INSTALL_FAILED_OLDER_SDK",
            Self::Malformed { .. } => "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED",
        }
    }

    /// The code and the message, as a phone prints them between the brackets of `Failure [...]`.
    /// The path is the one the phone has the file under: `/data/app/vmdl1.tmp/base.apk`.
    #[must_use]
    pub fn failure(&self, path: &str) -> String {
        let message = match self {
            Self::NotZip(_) => format!("Failed to parse {path}"),
            Self::NoManifest | Self::ManifestDamaged(_) => {
                format!("Failed to parse {path}: AndroidManifest.xml")
            }
            Self::ManifestTooLarge { .. } => {
                format!("Failed to parse {path}: AndroidManifest.xml is too large")
            }
            Self::CorruptXml(_) => format!("Failed to parse {path}: Corrupt XML binary file"),
            Self::BadPackageName { why, .. } => format!("Invalid manifest package: {why}"),
            Self::Split(_) => "Full install must include a base package".to_owned(),
            Self::Preview(name) => format!(
                "Failed parse during installPackageLI: Requires development platform {name} but \
                 this is a release platform."
            ),
            Self::Malformed { line: 0, why } => {
                format!("Failed parse during installPackageLI: {why}")
            }
            Self::Malformed { line, why } => format!(
                "Failed parse during installPackageLI: {path} (at Binary XML file line #{line}): \
                 {why}"
            ),
        };
        format!("{}: {message}", self.code())
    }
}

impl fmt::Display for ApkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotZip(why) => write!(f, "not an APK: {why}"),
            Self::NoManifest => write!(f, "there is no AndroidManifest.xml in it"),
            Self::ManifestDamaged(why) => write!(f, "AndroidManifest.xml is damaged: {why}"),
            Self::ManifestTooLarge { limit } => {
                write!(f, "AndroidManifest.xml has more than {limit} bytes")
            }
            Self::CorruptXml(why) => write!(f, "AndroidManifest.xml is not binary XML: {why}"),
            Self::BadPackageName { name, why } => {
                write!(f, "\"{name}\" cannot be a package's name: {why}")
            }
            Self::Split(name) => write!(f, "this is only the part \"{name}\" of an app"),
            Self::Preview(name) => write!(f, "it needs the preview \"{name}\" of Android"),
            Self::Malformed { line: 0, why } => write!(f, "the manifest is malformed: {why}"),
            Self::Malformed { line, why } => {
                write!(f, "the manifest is malformed in line {line}: {why}")
            }
        }
    }
}

impl std::error::Error for ApkError {}
