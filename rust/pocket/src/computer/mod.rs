//! The actions that are done on the computer: scripts, files, commands and notes.
//!
//! [`Computer::perform`] does one action, or says that it is none of its own. Which commands run is
//! judged before (`shell_words`), and every path goes through the workspace's boundary; the programs
//! that run can do what their user can.

mod coding;
mod environment;
mod memory;
mod script;
mod session;
mod sessions;
mod shell;
mod tail;

use crate::action::Action;
use crate::config::Config;
use crate::normalise::{Note, Used};
use crate::outcome::Done;
use crate::workspace::Workspace;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use sessions::{Ask, Exec, Sessions};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The computer's side of a session. Its commands end when it is dropped.
#[derive(Debug)]
pub struct Computer {
    config: Config,
    /// What scripts and notes never leave.
    workspace: Workspace,
    /// The same for files and commands, unless the settings let them leave it.
    files: Option<Workspace>,
    sessions: Sessions,
}

impl Computer {
    /// The computer's side of a session in a workspace, which must be a directory.
    ///
    /// # Errors
    ///
    /// `POCKET_FILE_FAILED` when the workspace cannot be opened.
    pub fn new(config: Config, workspace: &Path) -> Result<Self, Failure> {
        let files = match config.coding_tools.workspace_only {
            true => None,
            false => Some(Workspace::open_unbounded(workspace)?),
        };
        let workspace = Workspace::open(workspace)?;
        Ok(Self { config, workspace, files, sessions: Sessions::default() })
    }

    /// The settings it goes by.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Where scripts, files and notes are.
    #[must_use]
    pub const fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Does an action; nothing when it is none of the computer's. The notes say what the agent left
    /// out: a default of the schema gives way to one of the settings.
    pub fn perform(&mut self, action: &Action, notes: &[Note], stop: &Stop) -> Option<Done> {
        let is_ours = matches!(
            action,
            Action::RunScript { .. } | Action::MemorySearch { .. } | Action::MemoryGet { .. }
        ) || is_coding(action);
        if is_ours && stop.is_asked() {
            let message = "the session was stopped before this action began";
            return Some(Err(Failure::new(ErrorCode::PocketStopped, message)));
        }
        if is_coding(action) {
            return Some(self.code(action, notes, stop));
        }
        let memory = &self.config.memory_tools;
        match action {
            Action::RunScript { script, timeout_sec, .. } => {
                let settings = &self.config.script_executor;
                let timeout_sec = given(notes, "timeoutSec", *timeout_sec, settings.timeout_sec);
                let timeout = Duration::from_secs(timeout_sec);
                Some(script::run(&self.workspace, settings, script, timeout, stop))
            }
            Action::MemorySearch { .. } | Action::MemoryGet { .. } if !memory.enabled => {
                Some(Err(disabled("memoryTools.enabled")))
            }
            Action::MemorySearch { query, max_results, min_score, .. } => {
                let max_results = given(notes, "maxResults", *max_results, memory.max_results);
                let min_score = given(notes, "minScore", *min_score, memory.min_score);
                Some(memory::search(&self.workspace, memory, query, max_results, min_score))
            }
            Action::MemoryGet { path, from, lines, .. } => {
                Some(memory::get(&self.workspace, path, *from, *lines))
            }
            _ => None,
        }
    }

    /// The six actions that `codingTools` is about.
    fn code(&mut self, action: &Action, notes: &[Note], stop: &Stop) -> Done {
        let settings = &self.config.coding_tools;
        if !settings.enabled {
            return Err(disabled("codingTools.enabled"));
        }
        let files = self.files.as_ref().unwrap_or(&self.workspace);
        match action {
            Action::Read { path, from, lines, .. } => coding::read(files, path, *from, *lines),
            Action::Write { path, content, append, .. } => {
                coding::write(files, path, content, *append)
            }
            Action::Edit { path, find, replace, replace_all, .. } => {
                coding::edit(files, path, find, replace, *replace_all)
            }
            Action::ApplyPatch { .. } if !settings.apply_patch_enabled => {
                Err(disabled("codingTools.applyPatchEnabled"))
            }
            Action::ApplyPatch { input, .. } => coding::apply_patch(files, input),
            Action::Exec { command, workdir, yield_ms, background, timeout_sec, .. } => {
                let cwd = working_folder(files, workdir.as_deref())?;
                let timeout_sec = given(notes, "timeoutSec", *timeout_sec, settings.timeout_sec);
                let exec = Exec {
                    command,
                    cwd: &cwd,
                    yield_after: Duration::from_millis(*yield_ms),
                    background: *background,
                    timeout: Duration::from_secs(timeout_sec),
                };
                self.sessions.exec(&exec, settings, stop)
            }
            Action::Process { action, session_id, input, offset, limit, timeout_ms, .. } => {
                let ask = Ask {
                    action: *action,
                    session_id: session_id.as_deref(),
                    input: input.as_deref().unwrap_or_default(),
                    offset: given(notes, "offset", Some(*offset), None),
                    limit: *limit,
                    timeout: Duration::from_millis(*timeout_ms),
                };
                self.sessions.process(&ask, settings, stop)
            }
            // The caller has looked.
            _ => Err(Failure::new(ErrorCode::PocketRequestInvalid, "not a coding action")),
        }
    }
}

const fn is_coding(action: &Action) -> bool {
    matches!(
        action,
        Action::Read { .. }
            | Action::Write { .. }
            | Action::Edit { .. }
            | Action::ApplyPatch { .. }
            | Action::Exec { .. }
            | Action::Process { .. }
    )
}

fn working_folder(files: &Workspace, workdir: Option<&str>) -> Result<PathBuf, Failure> {
    match workdir.map(str::trim).filter(|workdir| !workdir.is_empty()) {
        Some(workdir) => files.directory_path(workdir).map_err(coding::of("exec: workdir")),
        None => Ok(files.path()),
    }
}

/// A field as the agent gave it, or the setting when it gave none.
fn given<T>(notes: &[Note], field: &str, value: T, setting: T) -> T {
    let is_default = |note: &Note| note.field == field && note.used == Used::Default;
    if notes.iter().any(is_default) { setting } else { value }
}

fn disabled(setting: &str) -> Failure {
    let code = ErrorCode::PocketDisabled;
    Failure::new(code, format!("{setting} is false in the settings"))
        .detail("setting", setting)
        .hint(code.remedy())
}
