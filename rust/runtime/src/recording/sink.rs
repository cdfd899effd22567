//! Where recordings go.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// Where recordings go. The recorder hands it only ids that are safe as file names.
pub trait RecordingSink: Send {
    /// Opens the file of a session; what an earlier session of that id left is thrown away.
    fn create(&mut self, session_id: &str) -> Result<RecordingFile, SinkError>;

    /// Remembers the session as the newest one.
    fn set_latest(&mut self, session_id: &str) -> io::Result<()>;
}

/// The open file of a session.
pub struct RecordingFile {
    /// Takes its lines. It must not hold them back: a killed process would lose them.
    pub writer: Box<dyn Write + Send>,
    /// Its place, as the caller is told.
    pub path: String,
}

/// Why a file could not be begun.
#[derive(Debug)]
pub enum SinkError {
    /// There is no place for it.
    NoStorage(io::Error),
    /// There is, but something else is wrong.
    NotOpened(io::Error),
}

impl From<io::Error> for SinkError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded => Self::NoStorage(error),
            _ => Self::NotOpened(error),
        }
    }
}

/// Recordings as files of one directory: `<id>.ndjson`, and `latest` with the newest id.
#[derive(Clone, Debug)]
pub struct DirectorySink {
    /// The directory. It is made when the first recording starts.
    pub dir: PathBuf,
}

impl RecordingSink for DirectorySink {
    fn create(&mut self, session_id: &str) -> Result<RecordingFile, SinkError> {
        fs::create_dir_all(&self.dir).map_err(SinkError::NoStorage)?;
        let path = self.dir.join(format!("{session_id}.ndjson"));
        let file = File::create(&path)?;
        Ok(RecordingFile { writer: Box::new(file), path: path.display().to_string() })
    }

    /// By renaming, so that a reader finds the old id or the new one and never half of one.
    fn set_latest(&mut self, session_id: &str) -> io::Result<()> {
        let new = self.dir.join("latest.new");
        fs::write(&new, session_id)?;
        fs::rename(&new, self.dir.join("latest"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Key, RecordedEvent, Recorder};
    use super::*;
    use clawperator_contract::ErrorCode;
    use serde_json::Value;
    use std::process;

    /// A directory of its own for one test, gone afterwards.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let dir = std::env::temp_dir().join(format!("recording-{}-{name}", process::id()));
            fs::create_dir_all(&dir).unwrap();
            Self(dir)
        }

        fn recorder(&self, below: &str) -> Recorder {
            let dir = self.0.join(below);
            Recorder::new(Box::new(DirectorySink { dir }), Vec::new(), 1)
        }

        fn read(&self, name: &str) -> String {
            fs::read_to_string(self.0.join(name)).unwrap()
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn press_back(recorder: &Recorder, times: u64) {
        for moment in 0..times {
            let event = RecordedEvent::PressKey(Key::Back);
            recorder.record(&event, || Some("<hierarchy/>".into()), moment);
        }
    }

    #[test]
    fn the_directory_is_made_and_an_older_recording_of_that_id_is_replaced() {
        let place = Place::new("replace");
        let recorder = place.recorder("a/b");
        let started = recorder.start(Some("one"), "op", 1).unwrap();
        let file_path = place.0.join("a/b/one.ndjson");
        assert_eq!(started.file_path, file_path.display().to_string());
        press_back(&recorder, 3);
        recorder.stop(None).unwrap();
        recorder.start(Some("one"), "op", 2).unwrap();
        recorder.stop(None).unwrap();
        assert_eq!(place.read("a/b/one.ndjson").lines().count(), 1);
        recorder.start(Some("two"), "op", 3).unwrap();
        assert_eq!(place.read("a/b/latest"), "two");
        let mut names: Vec<_> =
            fs::read_dir(place.0.join("a/b")).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["latest", "one.ndjson", "two.ndjson"]);
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_no_storage() {
        let place = Place::new("nowhere");
        fs::write(place.0.join("file"), "").unwrap();
        for below in ["file", "file/deeper"] {
            let error = place.recorder(below).start(Some("one"), "op", 1).unwrap_err();
            assert_eq!(error.code(), ErrorCode::RecordingStorageUnavailable, "{below}");
        }
        fs::create_dir(place.0.join("one.ndjson")).unwrap();
        let error = place.recorder("").start(Some("one"), "op", 1).unwrap_err();
        assert_eq!(error.code(), ErrorCode::RecordingStartFailed);
    }

    #[test]
    fn a_process_that_dies_leaves_whole_lines_and_is_found_as_the_latest() {
        let place = Place::new("killed");
        let recorder = place.recorder("");
        recorder.start(Some("one"), "op", 1).unwrap();
        press_back(&recorder, 3);
        // Never stopped, and nothing is written by dropping either.
        let before = place.read("one.ndjson");
        drop(recorder);
        let text = place.read("one.ndjson");
        assert_eq!(before, text);
        assert_eq!(place.read("latest"), "one");
        assert!(text.ends_with('\n'));
        assert!(text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
        assert_eq!(text.lines().count(), 4);
    }

    #[test]
    fn a_file_cut_anywhere_has_at_most_one_line_that_cannot_be_read_the_last() {
        let place = Place::new("cut");
        let recorder = place.recorder("");
        recorder.start(Some("one"), "op", 1).unwrap();
        press_back(&recorder, 3);
        let text = place.read("one.ndjson");
        for length in 0..text.len() {
            let cut = &text[..length];
            let (whole, _) = cut.rsplit_once('\n').unwrap_or_default();
            assert!(whole.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
            assert!(cut.lines().count() <= whole.lines().count() + 1);
        }
    }
}
