//! What the operator is called on a phone.

/// Package of the released operator.
pub const RELEASE_PACKAGE: &str = "com.clawperator.operator";
/// Package of the one built for developers.
pub const DEV_PACKAGE: &str = "com.clawperator.operator.dev";
/// Both.
pub const PACKAGES: [&str; 2] = [RELEASE_PACKAGE, DEV_PACKAGE];

/// Class of its accessibility service, in both packages.
pub const SERVICE_CLASS: &str = "com.clawperator.operator.OperatorService";

/// Tag of its lines in the phone's log.
pub const LOG_TAG: &str = "Clawperator";

/// The accessibility service as Android's settings name it.
#[must_use]
pub fn service_component(package: &str) -> String {
    format!("{package}/{SERVICE_CLASS}")
}

/// The folder its recordings are in.
#[must_use]
pub fn recordings_folder(package: &str) -> String {
    format!("/sdcard/Android/data/{package}/files/recordings")
}
