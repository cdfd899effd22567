//! What was on the screen when a step failed, kept in a folder.

use super::finish::Keep;
use super::{Done, Link, Route, Stop, send};
use crate::ids;
use clawperator_contract::{Execution, Failure, json};
use serde::Serialize;
use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Enough for three looks at a screen.
const TIMEOUT_MS: u32 = 10_000;

/// What was kept, and what could not be.
#[derive(Clone, Debug, Serialize)]
pub struct Evidence {
    /// The folder of this failure.
    pub folder: PathBuf,
    /// The files in it.
    pub files: Vec<String>,
    /// What could not be kept, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// Keeps the envelope, and looks at the screen once more.
pub(super) fn keep(route: &Route<'_>, parent: &Path, done: &Done) -> Evidence {
    let name = format!("{}-{}", safe(&done.envelope.command_id), safe(&done.dispatch_id));
    let mut evidence =
        Evidence { folder: parent.join(name), files: Vec::new(), problems: Vec::new() };
    if let Err(error) = make_folder(&evidence.folder) {
        evidence.problems.push(format!("{}: {error}", evidence.folder.display()));
        return evidence;
    }
    evidence.write("envelope.json", json::compact(&done.envelope).as_bytes());
    match look(route, done.link, &evidence.folder) {
        Ok(looked) => {
            for (step, file) in looked.envelope.step_results.iter().zip(FILES) {
                let text = step.data.get("text").filter(|_| step.success);
                match text {
                    Some(text) => evidence.write(file, text.as_bytes()),
                    None if step.success => evidence.files.push(file.to_owned()),
                    None => evidence.problems.push(format!(
                        "{file}: {}",
                        step.data.get("message").or(step.data.get("error")).map_or("", |m| m)
                    )),
                }
            }
        }
        Err(failure) => evidence.problems.push(failure.to_string()),
    }
    evidence
}

/// In the order of the steps that bring them.
const FILES: [&str; 3] = ["snapshot.xml", "snapshot.txt", "screenshot.png"];

fn look(route: &Route<'_>, link: Link, folder: &Path) -> Result<Done, Failure> {
    let id = ids::command("evidence");
    let picture = folder.join(FILES[2]);
    let execution = Execution::from_value(json!({
        "commandId": id, "taskId": id, "source": "clawperator-evidence",
        "expectedFormat": "android-ui-automator", "timeoutMs": TIMEOUT_MS,
        "actions": [
            { "id": "xml", "type": "snapshot_ui" },
            { "id": "text", "type": "snapshot_ui", "params": { "view": "text" } },
            { "id": "picture", "type": "take_screenshot",
              "params": { "path": picture.display().to_string() } },
        ],
    }))?;
    // The execution may have failed because it was stopped; this look is not.
    let stop = Stop::default();
    let route = Route {
        device: route.device,
        package: route.package,
        host_version: route.host_version,
        link: Some(link),
        evidence: None,
        stop: &stop,
    };
    send(&route, &execution, &ids::dispatch(), &mut (), &mut Keep::Files)
}

impl Evidence {
    fn write(&mut self, file: &str, bytes: &[u8]) {
        match fs::write(self.folder.join(file), bytes) {
            Ok(()) => self.files.push(file.to_owned()),
            Err(error) => self.problems.push(format!("{file}: {error}")),
        }
    }
}

/// Screens may hold what is nobody else's business.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A name as part of a file's.
fn safe(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    name.chars().take(64).map(keep).collect::<String>().trim_start_matches('.').to_owned()
}
