//! Which files of the log are kept.

use super::date::Moment;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Days that are kept, today among them: long enough to look into what went wrong last week.
const DAYS: u64 = 14;
/// Bytes that are kept. Today's file is never deleted, however large it is.
const BYTES: u64 = 50 << 20;

/// A file of the log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LogFile {
    /// `YYYY-MM-DD`.
    pub(super) date: String,
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
}

pub(super) fn file_name(date: &str) -> String {
    format!("clawperator-{date}.log")
}

/// The files of the log, oldest first. A folder that is not there has none; other files that lie
/// in it are none of ours.
pub(super) fn files(folder: &Path) -> io::Result<Vec<LogFile>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let date = name.and_then(date_of).map(str::to_owned);
        // One that was deleted since is simply not there.
        if let (Some(date), Ok(metadata)) = (date, fs::metadata(&path)) {
            files.push(LogFile { date, path, bytes: metadata.len() });
        }
    }
    files.sort();
    Ok(files)
}

fn date_of(name: &str) -> Option<&str> {
    let date = name.strip_prefix("clawperator-")?.strip_suffix(".log")?;
    is_date(date).then_some(date)
}

/// Is it `YYYY-MM-DD`?
pub(super) fn is_date(text: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(fits)
}

/// Deletes what is too old, then the oldest until the rest is small enough. What cannot be
/// deleted stays; the next day tries again.
pub(super) fn tidy(folder: &Path, now: Moment) {
    let Ok(files) = files(folder) else { return };
    let today = now.date();
    let oldest = now.before(Duration::from_secs((DAYS - 1) * 86_400)).date();
    let mut total: u64 = files.iter().map(|file| file.bytes).sum();
    for file in files {
        if file.date >= oldest && (total <= BYTES || file.date >= today) {
            break;
        }
        if fs::remove_file(&file.path).is_ok() {
            total -= file.bytes;
        }
    }
}
