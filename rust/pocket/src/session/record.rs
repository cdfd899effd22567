//! The folder of a session: what was asked, what came of it, and what the screen looked like.
//!
//! What was typed is not written down: it may be a password. Nobody but the user may look into the
//! folder.

use super::request::Act;
use crate::{Action, Done};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::journal::Moment;
use serde_json::{Value, json};
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

fn private(path: &Path, append: bool) -> Result<File, Failure> {
    let mut options = OpenOptions::new();
    options.create(true).write(true).append(append).truncate(!append).mode(0o600);
    options.open(path).map_err(|error| unwritable(path, &error))
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
        let lines = folder.join("session.jsonl");
        if lines.exists() {
            let code = ErrorCode::OutputUnwritable;
            let message = format!("{} holds a session already", folder.display());
            return Err(Failure::new(code, message).hint("Name a folder that is new or empty."));
        }
        let page = folder.join("session.md");
        let (lines, page) = (private(&lines, true)?, private(&page, true)?);
        let mut record = Self { folder: folder.to_owned(), lines, page };
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
        match done {
            Ok(outcome) => line["result"] = json!(outcome),
            Err(failure) => line["error"] = json!(failure),
        }
        self.line(&line)?;
        let mut page = format!("\n## Step {number}: {}\n\n", kind(&action));
        if !act.thought.trim().is_empty() {
            for thought in act.thought.trim().lines() {
                let _ = writeln!(page, "> {thought}");
            }
            page.push('\n');
        }
        fenced(&mut page, "json", &serde_json::to_string(&action).unwrap_or_default());
        match done {
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
    pub fn look(
        &mut self,
        step: u32,
        look: u32,
        screen: &str,
        marks: Option<&str>,
        elements: &Value,
    ) -> Result<Files, Failure> {
        let name = |what: &str| format!("step-{step:03}-look-{look}-{what}");
        let screen = self.picture(&name("screen.png"), screen)?;
        let marks =
            marks.map(|marks| self.picture(&name("marks.png"), marks)).transpose()?.flatten();
        let about = self.folder.join(name("elements.json"));
        let text = serde_json::to_string_pretty(elements).unwrap_or_default();
        private(&about, false)?
            .write_all(text.as_bytes())
            .map_err(|error| unwritable(&about, &error))?;
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
    pub fn keep(&self, most: usize) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut pictures: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "png"))
            .collect();
        // Their names begin with the step's number, so the order of the names is that of time.
        pictures.sort();
        let spare = pictures.len().saturating_sub(most);
        for picture in pictures.drain(..spare) {
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
        self.text(&format!("\n## End: {status}\n\n{message}\n\nEnded {now}.\n"))
    }

    fn picture(&self, name: &str, base64: &str) -> Result<Option<PathBuf>, Failure> {
        // A window that forbids pictures has none.
        if base64.is_empty() {
            return Ok(None);
        }
        let path = self.folder.join(name);
        let bytes = STANDARD.decode(base64).map_err(|error| {
            Failure::new(ErrorCode::InternalError, format!("a picture of ours: {error}"))
        })?;
        private(&path, false)?.write_all(&bytes).map_err(|error| unwritable(&path, &error))?;
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

fn kind(action: &Value) -> &str {
    action["type"].as_str().unwrap_or_default()
}

/// A fence longer than any in the text: what an app or a command says must not end it.
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
mod tests {
    use super::*;
    use crate::Outcome;
    use crate::normalise;
    use std::os::unix::fs::PermissionsExt;

    fn act(action: &Value) -> Act {
        let action = normalise(action).action;
        Act { thought: "why".into(), action, notes: Vec::new(), element: None, secret: None }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("pocket-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn what_is_typed_is_not_written_down_and_the_folder_is_the_users_alone() {
        let folder = folder("record-typed");
        let mut record = Record::begin(&folder, "sim").unwrap();
        let typed = act(&json!({"type": "type", "text": "hunter2"}));
        record.step(1, &typed, &Ok(Outcome::new("Typed")), Duration::from_millis(3)).unwrap();
        for name in ["session.jsonl", "session.md"] {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            assert!(text.contains("(7 characters)") && !text.contains("hunter2"), "{text}");
            let mode = fs::metadata(folder.join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_text_with_a_fence_in_it_does_not_end_its_own() {
        let mut page = String::new();
        fenced(&mut page, "text", "a\n````\nb");
        assert_eq!(page, "`````text\na\n````\nb\n`````\n\n");
    }

    #[test]
    fn a_second_session_does_not_mix_with_the_first() {
        let folder = folder("record-twice");
        drop(Record::begin(&folder, "sim").unwrap());
        let failure = Record::begin(&folder, "sim").err().unwrap();
        assert!(failure.message.contains("holds a session already"), "{failure}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_oldest_pictures_go_first() {
        let folder = folder("record-keep");
        let mut record = Record::begin(&folder, "sim").unwrap();
        for step in 1..=3 {
            record.look(step, 1, "aGk=", None, &json!([])).unwrap();
        }
        record.keep(2);
        let left = |step| folder.join(format!("step-00{step}-look-1-screen.png")).exists();
        assert_eq!([left(1), left(2), left(3)], [false, true, true]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
