//! The folder of a session: what was asked, what came of it, and what the screen looked like.
//!
//! What was typed is not written down: it may be a password. Nobody but the user may look into the
//! folder.

use super::request::Act;
use crate::snapshot::ScreenSnapshot;
use crate::{Action, Done};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::journal::Moment;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A session's folder. What cannot be written fails the step that wanted it written.
pub struct Record {
    folder: PathBuf,
    lines: File,
    page: File,
    /// The pictures, oldest first.
    pictures: VecDeque<PathBuf>,
}

/// The pictures of one look, as files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// The screen.
    pub screen: Option<PathBuf>,
    /// The screen with its elements marked.
    pub marks: Option<PathBuf>,
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let code = ErrorCode::OutputUnwritable;
    Failure::new(code, format!("{}: {error}", path.display())).hint(code.remedy())
}

/// A new file of the user's alone. One that is there already, be it a link, is somebody else's: the
/// folder may lie in the workspace, where the agent can put files.
fn private(path: &Path) -> io::Result<File> {
    OpenOptions::new().create_new(true).append(true).mode(0o600).open(path)
}

impl Record {
    /// Makes the folder and begins its files.
    ///
    /// # Errors
    /// The folder cannot be made, or holds a session already.
    pub fn begin(folder: &Path, device: &str) -> Result<Self, Failure> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| unwritable(folder, &error))?;
        let file = |name: &str| {
            private(&folder.join(name)).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    let message = format!("{} holds a session already", folder.display());
                    Failure::new(ErrorCode::OutputUnwritable, message)
                        .hint("Name a folder that is new or empty.")
                }
                _ => unwritable(&folder.join(name), &error),
            })
        };
        let (lines, page) = (file("session.jsonl")?, file("session.md")?);
        let pictures = VecDeque::new();
        let mut record = Self { folder: folder.to_owned(), lines, page, pictures };
        let now = Moment::at(SystemTime::now()).to_string();
        record
            .line(&json!({"kind": "session", "version": 1, "startedAt": now, "device": device}))?;
        record.text(&format!("# Session on {device}\n\nStarted {now}.\n"))?;
        Ok(record)
    }

    /// Where it is.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a step down.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn step(
        &mut self,
        number: u32,
        act: &Act,
        done: &Done,
        took: Duration,
    ) -> Result<(), Failure> {
        let now = Moment::at(SystemTime::now()).to_string();
        let action = discreet(&act.action);
        let done = unsaid(done);
        let mut line = json!({
            "kind": "step",
            "step": number,
            "at": now,
            "thought": act.thought,
            "action": action,
            "durationMs": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            "ok": done.is_ok(),
        });
        if let Some(element) = &act.element {
            line["element"] = json!(element);
        }
        if let Some(notes) = act.surprises() {
            line["notes"] = notes;
        }
        match &*done {
            Ok(outcome) => line["result"] = json!(outcome),
            Err(failure) => line["error"] = json!(failure),
        }
        self.line(&line)?;
        let mut page = format!("\n## Step {number}: {}\n\n", kind(&action));
        if !act.thought.trim().is_empty() {
            fenced(&mut page, "text", act.thought.trim());
        }
        fenced(&mut page, "json", &serde_json::to_string(&action).unwrap_or_default());
        match &*done {
            Ok(outcome) => fenced(&mut page, "text", &outcome.text),
            Err(failure) => fenced(&mut page, "text", &failure.to_string()),
        }
        let _ = writeln!(page, "{} ms, {now}", took.as_millis());
        self.text(&page)
    }

    /// Keeps the pictures of a look. There may be several looks between two steps, and each is kept.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn look(&mut self, step: u32, look: u32, seen: &ScreenSnapshot) -> Result<Files, Failure> {
        let name = |what: &str| format!("step-{step:03}-look-{look}-{what}");
        let screen = self.picture(&name("screen.png"), &seen.screenshot_base64)?;
        let marks = match &seen.som_screenshot_base64 {
            Some(marks) => self.picture(&name("marks.png"), marks)?,
            None => None,
        };
        let about = self.folder.join(name("elements.json"));
        let text = serde_json::to_string_pretty(&seen.ui_elements).unwrap_or_default();
        written(&about, text.as_bytes())?;
        let shown = marks.as_ref().or(screen.as_ref()).and_then(|path| path.file_name());
        if let Some(shown) = shown {
            let shown = shown.to_string_lossy();
            self.text(&format!("\n![The screen before the next step]({shown})\n"))?;
        }
        self.line(&json!({"kind": "look", "step": step, "look": look,
            "screen": screen, "marks": marks, "elements": about}))?;
        Ok(Files { screen, marks })
    }

    /// Only the newest pictures are kept.
    pub fn keep(&mut self, most: usize) {
        let spare = self.pictures.len().saturating_sub(most);
        for picture in self.pictures.drain(..spare) {
            let _ = fs::remove_file(picture);
        }
    }

    /// Writes down how it ended.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn end(&mut self, status: &str, message: &str) -> Result<(), Failure> {
        let now = Moment::at(SystemTime::now()).to_string();
        self.line(&json!({"kind": "end", "status": status, "endedAt": now, "message": message}))?;
        let mut page = format!("\n## End: {status}\n\n");
        fenced(&mut page, "text", message);
        self.text(&format!("{page}Ended {now}.\n"))
    }

    fn picture(&mut self, name: &str, base64: &str) -> Result<Option<PathBuf>, Failure> {
        // A window that forbids pictures has none.
        if base64.is_empty() {
            return Ok(None);
        }
        let path = self.folder.join(name);
        let bytes = STANDARD.decode(base64).map_err(|error| {
            Failure::new(ErrorCode::InternalError, format!("a picture of ours: {error}"))
        })?;
        written(&path, &bytes)?;
        self.pictures.push_back(path.clone());
        Ok(Some(path))
    }

    fn line(&mut self, line: &Value) -> Result<(), Failure> {
        writeln!(self.lines, "{line}")
            .map_err(|error| unwritable(&self.folder.join("session.jsonl"), &error))
    }

    fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.page
            .write_all(text.as_bytes())
            .map_err(|error| unwritable(&self.folder.join("session.md"), &error))
    }
}

fn written(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    private(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(|error| unwritable(path, &error))
}

/// What came of a step without what a person wrote: a note to a no is for the agent alone.
fn unsaid(done: &Done) -> Cow<'_, Done> {
    match done {
        Err(failure) if failure.code == ErrorCode::PocketHumanRejected => {
            let message = failure.code.meaning().to_owned();
            Cow::Owned(Err(Failure { message, ..failure.clone() }))
        }
        done => Cow::Borrowed(done),
    }
}

fn kind(action: &Value) -> &str {
    action["type"].as_str().unwrap_or_default()
}

/// A fence longer than any in the text: what an app, a command or a model says must neither end it
/// nor be read as Markdown, whose pictures would be fetched from wherever it says.
fn fenced(page: &mut String, language: &str, text: &str) {
    let longest =
        text.lines().map(|line| line.trim_start().bytes().take_while(|b| *b == b'`').count());
    let fence = "`".repeat(longest.max().unwrap_or(0).max(2) + 1);
    let _ = write!(page, "{fence}{language}\n{}\n{fence}\n\n", text.trim_end());
}

/// The action as it is written down: of what is typed only how much it is.
#[must_use]
pub(super) fn discreet(action: &Action) -> Value {
    let mut value = serde_json::to_value(action).unwrap_or_default();
    let secret = match action {
        Action::Type { .. } => "text",
        Action::Process { .. } => "input",
        _ => return value,
    };
    if let Some(text) = value.get(secret).and_then(Value::as_str) {
        value[secret] = json!(format!("({} characters)", text.chars().count()));
    }
    value
}

#[cfg(test)]
mod tests;
