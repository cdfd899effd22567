//! One command of `exec`, looked after by a thread of its own.

use super::shell;
use super::tail::{Lines, Tail};
use crate::outcome::Outcome;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_process::{Ended, Input, Limits, Outputs, Run, Running};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::io::{self, Write as _};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The longest wait before the wish to stop is looked at again. The end of a command is an event.
const LOOK: Duration = Duration::from_millis(50);
/// A command that reads its input takes it at once; one that does not would hold us for ever.
const INPUT_TIME: Duration = Duration::from_secs(2);

/// So much of a command stands in a list of them.
const LINE: usize = 200;

/// How a command stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// It runs.
    Running,
    /// It ended with exit code 0.
    Completed,
    /// It ended with another.
    Failed,
    /// A signal ended it, ours or another.
    Killed,
    /// Its time was over.
    Timeout,
}

impl Status {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Killed => "killed",
            Self::Timeout => "timeout",
        }
    }
}

/// A command and what is known of it.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: String,
    pub(super) command: String,
    pub(super) cwd: PathBuf,
    started: Instant,
    kill: AtomicBool,
    input: Mutex<Option<ChildStdin>>,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug)]
struct State {
    status: Status,
    exit_code: Option<i32>,
    runtime: Option<Duration>,
    output: Tail,
}

/// What is to be run.
pub(super) struct Start<'a> {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) cwd: &'a Path,
    pub(super) input: Input,
    pub(super) timeout: Duration,
    pub(super) grace: Duration,
    /// How much of the output is kept.
    pub(super) kept: usize,
}

impl Session {
    pub(super) fn start(
        mut command: Command,
        start: Start<'_>,
    ) -> io::Result<(Arc<Self>, JoinHandle<()>)> {
        command.args(["-c", &start.text]);
        // The runner's own copy of the output is not needed: the sink keeps it.
        let limits = Limits { timeout: start.timeout, grace: start.grace, kept: 0 };
        let mut running = Running::start(command, &limits, start.input, Outputs::Together)?;
        let input = running.take_input();
        if let Some(input) = &input {
            rustix::io::ioctl_fionbio(input, true)?;
        }
        let session = Arc::new(Self {
            id: start.id,
            command: start.text,
            cwd: start.cwd.to_path_buf(),
            started: Instant::now(),
            kill: AtomicBool::new(false),
            input: Mutex::new(input),
            state: Mutex::new(State {
                status: Status::Running,
                exit_code: None,
                runtime: None,
                output: Tail::new(start.kept),
            }),
            ended: Condvar::new(),
        });
        let watched = Arc::clone(&session);
        let watcher = thread::Builder::new()
            .name("pocket-exec".into())
            .spawn(move || watched.watch(running))?;
        Ok((session, watcher))
    }

    fn watch(&self, running: Running) {
        let run = running.to_its_end(Some(&self.kill), &mut |_, text| {
            self.state().output.push(text);
        });
        // Nobody reads it any more.
        self.input.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut state = self.state();
        state.runtime = Some(self.started.elapsed());
        state.status = match &run {
            Ok(run) => status_of(run),
            Err(error) => {
                state.output.push(&format!("[exec-error] {error}\n"));
                Status::Failed
            }
        };
        state.exit_code = run.ok().and_then(|run| run.status).and_then(|status| status.code());
        drop(state);
        self.ended.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn status(&self) -> Status {
        self.state().status
    }

    /// Asks the whole group to end; it is killed if it does not.
    pub(super) fn kill(&self) {
        self.kill.store(true, Ordering::SeqCst);
    }

    /// Waits for the end, at most so long. False when the wish to stop came first.
    pub(super) fn wait(&self, longest: Duration, stop: Option<&Stop>) -> bool {
        let start = Instant::now();
        let mut state = self.state();
        while state.status == Status::Running {
            if stop.is_some_and(Stop::is_asked) {
                return false;
            }
            let left = longest.saturating_sub(start.elapsed());
            if left.is_zero() {
                break;
            }
            let nap = if stop.is_some() { left.min(LOOK) } else { left };
            let woken = self.ended.wait_timeout(state, nap);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Some lines of the output.
    pub(super) fn lines(&self, from: Option<u64>, limit: u64) -> (Status, Lines) {
        let state = self.state();
        (state.status, state.output.lines(from, limit))
    }

    /// Writes to the command's input.
    pub(super) fn write(&self, text: &str, stop: &Stop) -> Result<(), Failure> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |message: String| {
            let code = ErrorCode::PocketCommandFailed;
            Failure::new(code, message).detail("session", self.id.as_str())
        };
        let Some(pipe) = input.as_mut().filter(|_| self.status() == Status::Running) else {
            let why = match self.status() {
                Status::Running => "it was started in the foreground, with no input",
                status => status.word(),
            };
            let message = format!("process write: session {} is not writable: {why}", self.id);
            return Err(failed(message));
        };
        let deadline = Instant::now() + INPUT_TIME;
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match pipe.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline || stop.is_asked() {
                        let message = format!(
                            "process write: session {} took {} of {} bytes and reads no more",
                            self.id,
                            text.len() - rest.len(),
                            text.len()
                        );
                        return Err(failed(message).detail("bytes", text.len() - rest.len()));
                    }
                    let mut asked = [PollFd::new(pipe.as_fd(), PollFlags::POLLOUT)];
                    // An error of the pipe shows in the next write.
                    let _ = poll(&mut asked, PollTimeout::from(50_u8));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let message =
                        format!("process write: session {} is not writable: {error}", self.id);
                    return Err(failed(message));
                }
            }
        }
        Ok(())
    }

    fn runtime_ms(&self, state: &State) -> u64 {
        let runtime = state.runtime.unwrap_or_else(|| self.started.elapsed());
        u64::try_from(runtime.as_millis()).unwrap_or(u64::MAX)
    }

    /// One line of `process list`.
    pub(super) fn line(&self) -> String {
        let state = self.state();
        let (id, status, runtime) = (&self.id, state.status.word(), self.runtime_ms(&state));
        let command: String = self.command.chars().take(LINE).collect();
        format!("{id} status={status} runtimeMs={runtime} command={command}")
    }

    /// All that is known, with at most so many characters of the output.
    pub(super) fn summary(&self, most: usize) -> Outcome {
        let state = self.state();
        let runtime = self.runtime_ms(&state);
        let exit_code = state.exit_code.map_or_else(|| "n/a".to_owned(), |code| code.to_string());
        let output = shell::cut(state.output.text().trim(), most);
        let (id, cwd, status) = (&self.id, self.cwd.display(), state.status.word());
        let shown = match output.as_str() {
            "" => "(empty)".to_owned(),
            output => format!("\n{output}"),
        };
        let text = format!(
            "session={id}\nstatus={status}\nruntimeMs={runtime}\nexitCode={exit_code}\n\
             cwd={cwd}\ncommand={}\noutput={shown}",
            self.command
        );
        let total = state.output.total_lines();
        self.facts(text, state.status)
            .with("runtimeMs", runtime)
            .with("exitCode", state.exit_code)
            .with("output", output)
            .with("totalLines", total)
    }

    /// An outcome with what names this command.
    pub(super) fn facts(&self, text: String, status: Status) -> Outcome {
        Outcome::new(text)
            .with("session", self.id.as_str())
            .with("status", status.word())
            .with("cwd", self.cwd.display().to_string())
            .with("command", self.command.as_str())
    }
}

fn status_of(run: &Run) -> Status {
    let code = run.status.and_then(|status| status.code());
    let signal = run.status.and_then(|status| status.signal());
    match (run.ended, code, signal) {
        (Some(Ended::TimedOut), ..) => Status::Timeout,
        (Some(Ended::Stopped), ..) | (None, _, Some(_)) => Status::Killed,
        (None, Some(0), _) => Status::Completed,
        (None, ..) => Status::Failed,
    }
}
