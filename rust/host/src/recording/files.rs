//! Files beside a recording.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// `<recording without .ndjson><suffix>`, beside the recording.
pub(super) fn beside(recording: &Path, suffix: &str) -> PathBuf {
    let is_ndjson = recording.extension().is_some_and(|extension| extension == "ndjson");
    let stem = if is_ndjson { recording.file_stem() } else { recording.file_name() };
    let mut name = stem.map(OsString::from).unwrap_or_default();
    name.push(suffix);
    recording.with_file_name(name)
}

/// Are both the same file, by whatever names?
pub(super) fn same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Writes a file so that a reader finds the old one or the whole new one.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    // Something like /dev/stdout must not be replaced by a file.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return File::options().write(true).open(path)?.write_all(content);
    }
    // The link stays and what it leads to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut part = Part::create(&path)?;
    part.file.write_all(content)?;
    part.take_the_place_of(&path)
}

/// A file under way to its place; gone if it never arrives.
pub(super) struct Part {
    pub(super) file: File,
    pub(super) path: PathBuf,
    arrived: bool,
}

impl Part {
    /// An empty file in the folder of `place`, which must exist.
    pub(super) fn create(place: &Path) -> io::Result<Self> {
        let name = place.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.part", process::id()));
        let path = place.with_file_name(hidden);
        let file = File::create(&path)?;
        Ok(Self { file, path, arrived: false })
    }

    pub(super) fn take_the_place_of(mut self, place: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, place)?;
        self.arrived = true;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.arrived {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_recording::Place;
    use super::*;

    #[test]
    fn a_file_beside_a_recording_drops_its_ending_only() {
        let name = |path: &str| beside(Path::new(path), ".steps.json").display().to_string();
        assert_eq!(name("a/b.ndjson"), "a/b.steps.json");
        assert_eq!(name("a.b/c.d"), "a.b/c.d.steps.json");
        assert_eq!(name("x.ndjson.bak"), "x.ndjson.bak.steps.json");
    }

    #[test]
    fn a_file_that_never_arrives_leaves_nothing() {
        let place = Place::new("part");
        let part = Part::create(&place.path("x.json")).unwrap();
        assert!(part.path.exists());
        drop(part);
        assert_eq!(place.names(), Vec::<String>::new());
        write(&place.path("x.json"), b"1").unwrap();
        write(&place.path("x.json"), b"2").unwrap();
        assert_eq!(place.names(), ["x.json"]);
        assert_eq!(place.read("x.json"), b"2");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_a_device() {
        let place = Place::new("link");
        write(&place.path("real.json"), b"old").unwrap();
        std::os::unix::fs::symlink(place.path("real.json"), place.path("link.json")).unwrap();
        write(&place.path("link.json"), b"new").unwrap();
        assert_eq!(place.read("real.json"), b"new");
        assert!(place.path("link.json").is_symlink());
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
