//! The program's own log: one JSON object on each line, one file for each day.
//!
//! It says what the program did, when, and how it ended; never what was on a screen or what was
//! typed. So a record has a fixed set of [`Fields`], none of which takes a payload, and whoever
//! writes a message puts names and numbers in it, not parameters of actions or texts of nodes.
//!
//! Nothing is opened before the first record that passes the threshold. Several processes write
//! the same file: each record is one write at its end.

pub(crate) mod date;
mod keep;
pub mod read;
mod settings;

pub use date::Moment;
pub use settings::{Level, Settings, UnknownLevel};

use clawperator_contract::ErrorCode;
use serde::Serialize;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// Characters of a message. Longer ones are words of other programs, whose beginning is enough.
const MAX_MESSAGE: usize = 4_000;

/// What a record may say besides its event and message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fields<'a> {
    /// The execution, as its caller names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_id: Option<&'a str>,
    /// The task it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<&'a str>,
    /// The phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<&'a str>,
    /// The sending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatch_id: Option<&'a str>,
    /// `socket` or `broadcast`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<&'a str>,
    /// How it ended, in one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'a str>,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// How a process ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
}

/// One line of the file.
#[derive(Serialize)]
struct Record<'a> {
    ts: String,
    level: Level,
    event: &'a str,
    message: &'a str,
    #[serde(flatten)]
    fields: &'a Fields<'a>,
}

type Clock = Box<dyn Fn() -> SystemTime + Send + Sync>;

/// The program's log.
pub struct Journal {
    settings: Settings,
    clock: Clock,
    /// A write failed. The log is a help, so the program goes on without it.
    off: AtomicBool,
    /// The complaint about the settings was handed out.
    complained: AtomicBool,
}

impl Journal {
    /// The log in this folder. Nothing is opened or made yet.
    #[must_use]
    pub fn open(settings: Settings) -> Self {
        Self::with_clock(settings, Box::new(SystemTime::now))
    }

    fn with_clock(settings: Settings, clock: Clock) -> Self {
        let (off, complained) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { settings, clock, off, complained }
    }

    /// Does a record of this level pass? Ask before a message that is costly to make.
    #[must_use]
    pub fn takes(&self, level: Level) -> bool {
        level >= self.settings.level && !self.off.load(Ordering::Relaxed)
    }

    /// Writes a record. If that fails, or if the settings were not understood, it says so, once in
    /// the life of the process; the caller shows it to the user and goes on.
    #[must_use = "the warning is told once; show it to the user"]
    pub fn write(
        &self,
        level: Level,
        event: &str,
        message: &str,
        fields: &Fields<'_>,
    ) -> Option<String> {
        if !self.takes(level) {
            return None;
        }
        let Some(folder) = &self.settings.dir else {
            let told = self.off.swap(true, Ordering::Relaxed);
            let warning = "there is no home directory, so nothing is logged; set \
                           CLAWPERATOR_LOG_DIR to a folder";
            return (!told).then(|| warning.to_owned());
        };
        let now = Moment::at((self.clock)());
        let message = shortened(message);
        let record = Record { ts: now.to_string(), level, event, message, fields };
        let written = serde_json::to_vec(&record).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            todays_file(folder, now)?.write_all(&line)
        });
        match written {
            Ok(()) => {
                let complaint = self.settings.complaint.as_ref()?;
                (!self.complained.swap(true, Ordering::Relaxed)).then(|| complaint.clone())
            }
            Err(error) => {
                let told = self.off.swap(true, Ordering::Relaxed);
                let folder = folder.display();
                (!told).then(|| format!("nothing is logged any more: {folder}: {error}"))
            }
        }
    }
}

/// Opened anew for each record, which takes 3 µs with the writing: a file that was deleted or a day
/// that passed needs no care then, and threads need no lock.
fn todays_file(folder: &Path, now: Moment) -> io::Result<File> {
    let path = folder.join(keep::file_name(&now.date()));
    match OpenOptions::new().append(true).open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        opened => return opened,
    }
    make_private(folder)?;
    match private().create_new(true).open(&path) {
        Ok(file) => {
            // Whoever begins the day's file tidies up; so it happens once a day.
            keep::tidy(folder, now);
            Ok(file)
        }
        // Another process was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => private().open(&path),
        Err(error) => Err(error),
    }
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn make_private(folder: &Path) -> io::Result<()> {
    if fs::metadata(folder).is_ok_and(|metadata| metadata.is_dir()) {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

fn shortened(message: &str) -> &str {
    message.char_indices().nth(MAX_MESSAGE).map_or(message, |(end, _)| &message[..end])
}

#[cfg(test)]
mod tests;
