//! `exec` and `process`: the commands of a session, those that ended included.

use super::session::{Session, Start, Status};
use super::shell;
use crate::action::ProcessAction;
use crate::config::CodingTools;
use crate::outcome::{Done, Outcome};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_host::ids;
use clawperator_process::Input;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// When more are known, the oldest that ended are forgotten, down to the second number.
const MOST_KNOWN: (usize, usize) = (80, 60);
/// No task needs more at once, and each has a thread and a group of processes.
const MOST_RUNNING: usize = 16;
/// So long a command may take to end once asked.
const GRACE: Duration = Duration::from_secs(1);
/// A killed group is gone by then, or hangs in the kernel.
const KILLED: Duration = Duration::from_secs(4);
/// So much output is kept at least.
const LEAST_KEPT: usize = 48_000;

/// The commands that were run, oldest first. All of them end when it is dropped.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    known: Vec<(Arc<Session>, JoinHandle<()>)>,
}

/// A command to run.
#[derive(Debug)]
pub(super) struct Exec<'a> {
    pub(super) command: &'a str,
    pub(super) cwd: &'a Path,
    pub(super) yield_after: Duration,
    pub(super) background: bool,
    pub(super) timeout: Duration,
}

/// What `process` is asked.
#[derive(Debug)]
pub(super) struct Ask<'a> {
    pub(super) action: ProcessAction,
    pub(super) session_id: Option<&'a str>,
    pub(super) input: &'a str,
    /// The first line of the log; the end of it when nothing was said.
    pub(super) offset: Option<u64>,
    pub(super) limit: u64,
    pub(super) timeout: Duration,
}

impl Sessions {
    pub(super) fn exec(&mut self, exec: &Exec<'_>, settings: &CodingTools, stop: &Stop) -> Done {
        let text = shell::judged("exec", exec.command, &settings.allowed_commands)?;
        self.make_room()?;
        let stays = settings.allow_background && (exec.background || !exec.yield_after.is_zero());
        let start = Start {
            id: id(),
            text,
            cwd: exec.cwd,
            // Nobody could write to a command that is waited for.
            input: if stays { Input::Open } else { Input::Closed },
            timeout: exec.timeout,
            grace: GRACE,
            kept: (12 * settings.max_output_chars).max(LEAST_KEPT),
        };
        let (session, watcher) = Session::start(shell::bash(exec.cwd), start)
            .map_err(|error| shell::failed("exec", &error))?;
        self.known.push((Arc::clone(&session), watcher));
        if stays && exec.background {
            let text = format!(
                "exec started in background: session={}\ncommand={}\ncwd={}",
                session.id,
                session.command,
                session.cwd.display()
            );
            return Ok(session.facts(text, Status::Running));
        }
        let longest = if stays { exec.yield_after } else { Duration::MAX };
        if !session.wait(longest, Some(stop)) {
            session.kill();
            session.wait(KILLED, None);
            return Err(stopped("exec", &session, settings));
        }
        if session.status() == Status::Running {
            let text = format!(
                "exec still running: session={}\nuse process action=poll/log/kill",
                session.id
            );
            return Ok(session.facts(text, Status::Running));
        }
        Ok(session.summary(settings.max_output_chars))
    }

    pub(super) fn process(&self, ask: &Ask<'_>, settings: &CodingTools, stop: &Stop) -> Done {
        let session = match ask.action {
            ProcessAction::List => return Ok(self.list()),
            _ => self.find(ask)?,
        };
        let id = &session.id;
        match ask.action {
            ProcessAction::List | ProcessAction::Poll => {
                if session.wait(ask.timeout, Some(stop)) {
                    return Ok(session.summary(settings.max_output_chars));
                }
                // The command runs on: only the look at it was broken off.
                Err(Failure::new(
                    ErrorCode::PocketStopped,
                    format!("process poll of session {id} was stopped on request"),
                ))
            }
            ProcessAction::Log => {
                let (status, lines) = session.lines(ask.offset, ask.limit);
                let shown = if lines.text.is_empty() { "(empty)" } else { &lines.text };
                let text = format!(
                    "process log session={id}\nstatus={}\nrange={}-{} total={}\n{shown}",
                    status.word(),
                    lines.from,
                    lines.to,
                    lines.total
                );
                Ok(session
                    .facts(text, status)
                    .with("from", lines.from)
                    .with("to", lines.to)
                    .with("totalLines", lines.total)
                    .with("output", lines.text))
            }
            ProcessAction::Write => {
                session.write(ask.input, stop)?;
                let bytes = ask.input.len();
                let text = format!("process write: session={id} bytes={bytes}");
                Ok(session.facts(text, session.status()).with("bytes", bytes))
            }
            ProcessAction::Kill => {
                let before = session.status();
                if before != Status::Running {
                    let text = format!("process kill: session={id} already {}", before.word());
                    return Ok(session.facts(text, before));
                }
                session.kill();
                session.wait(KILLED, None);
                let text = format!("process kill: session={id} requested");
                Ok(session.facts(text, session.status()))
            }
        }
    }

    fn list(&self) -> Outcome {
        let lines: Vec<String> =
            self.known.iter().rev().map(|(session, _)| session.line()).collect();
        let ids: Vec<&str> =
            self.known.iter().rev().map(|(session, _)| session.id.as_str()).collect();
        let text = match lines.len() {
            0 => "process list: no sessions".to_owned(),
            count => format!("process list ({count}):\n{}", lines.join("\n")),
        };
        Outcome::new(text).with("sessions", ids)
    }

    fn find(&self, ask: &Ask<'_>) -> Result<Arc<Session>, Failure> {
        let Some(id) = ask.session_id.map(str::trim).filter(|id| !id.is_empty()) else {
            let action = serde_json::to_value(ask.action).unwrap_or_default();
            let action = action.as_str().unwrap_or_default().to_owned();
            return Err(Failure::new(
                ErrorCode::PocketActionIncomplete,
                format!("process {action}: sessionId is required"),
            )
            .hint(ErrorCode::PocketActionIncomplete.remedy()));
        };
        let found = self.known.iter().find(|(session, _)| session.id == id);
        found.map(|(session, _)| Arc::clone(session)).ok_or_else(|| {
            Failure::new(
                ErrorCode::PocketSessionUnknown,
                format!("process: session not found ({id})"),
            )
            .hint(ErrorCode::PocketSessionUnknown.remedy())
        })
    }

    fn make_room(&mut self) -> Result<(), Failure> {
        let runs = |session: &Session| session.status() == Status::Running;
        let running = self.known.iter().filter(|(session, _)| runs(session)).count();
        if running >= MOST_RUNNING {
            return Err(Failure::new(
                ErrorCode::PocketCommandRefused,
                format!("exec rejected: {running} commands run already, which is the most"),
            )
            .hint("Use `process` with `kill` on one that is not needed, or wait for its end."));
        }
        if self.known.len() >= MOST_KNOWN.0 {
            let mut excess = self.known.len() - MOST_KNOWN.1;
            self.known.retain(|(session, _)| {
                let forget = excess > 0 && !runs(session);
                excess -= usize::from(forget);
                !forget
            });
        }
        Ok(())
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        for (session, _) in &self.known {
            session.kill();
        }
        // Each watcher ends with its group, at the latest when the kill has had its grace.
        for (_, watcher) in self.known.drain(..) {
            let _ = watcher.join();
        }
    }
}

fn stopped(action: &str, session: &Session, settings: &CodingTools) -> Failure {
    let message = format!("{action} was stopped on request: {}", session.command);
    let mut failure = Failure::new(ErrorCode::PocketStopped, message);
    failure.details = session.summary(settings.max_output_chars).data;
    failure
}

/// The time in base 36, and six digits that tell two of one moment apart.
fn id() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut left = since.as_millis();
    let mut digits = Vec::new();
    while left > 0 || digits.is_empty() {
        let digit = u32::try_from(left % 36).unwrap_or_default();
        digits.extend(char::from_digit(digit, 36));
        left /= 36;
    }
    let time: String = digits.iter().rev().collect();
    format!("{time}-{}", ids::suffix())
}
