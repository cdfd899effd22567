//! A file that only we can read and that does not outlive its use.

use clawperator_contract::{ErrorCode, Failure};
use std::fs::{DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Where adb must push from a file: mode 0600 in a folder of mode 0700, both gone when this is
/// dropped.
#[derive(Debug)]
pub struct PrivateFile {
    folder: PathBuf,
    path: PathBuf,
}

impl PrivateFile {
    /// Writes `bytes` to a new file with the ending `extension`.
    ///
    /// # Errors
    /// The system does not let us.
    pub fn write(bytes: &[u8], extension: &str) -> Result<Self, Failure> {
        let name = super::super::token::name()?;
        let folder = std::env::temp_dir().join(format!("clawperator-human-{name}"));
        let path = folder.join(format!("artifact.{extension}"));
        let failed = |error: std::io::Error| {
            Failure::new(
                ErrorCode::PocketFileFailed,
                format!("{}: the artifact cannot be written: {error}", path.display()),
            )
            .hint(ErrorCode::PocketFileFailed.remedy())
        };
        // Not recursive: a folder that is there already belongs to somebody else.
        DirBuilder::new().mode(0o700).create(&folder).map_err(failed)?;
        let file = Self { folder, path: path.clone() };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        options.open(&path).and_then(|mut open| open.write_all(bytes)).map_err(failed)?;
        Ok(file)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
        let _ = std::fs::remove_dir(&self.folder);
    }
}
