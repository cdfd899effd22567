//! A group of processes: its head, whoever else is in it, and how all of it is brought to its end.

use crate::run::Ended;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::{self, PipeReader, PipeWriter};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// What a script leaves running in its group may still finish its words, as a `tee` does.
const LINGER: Duration = Duration::from_millis(250);

/// The program and all it started that did not leave its group.
#[derive(Debug)]
pub(crate) struct Group {
    id: Option<Pid>,
    /// Closed when the program has ended.
    pub(crate) news: PipeReader,
    exit: Receiver<io::Result<ExitStatus>>,
    pub(crate) exited: bool,
    pub(crate) status: Option<ExitStatus>,
}

impl Group {
    /// A thread waits for the program's end and closes a pipe then, which a poll can wait for.
    pub(crate) fn watch(mut child: Child, (news, end): (PipeReader, PipeWriter)) -> Self {
        let id = i32::try_from(child.id()).ok().map(Pid::from_raw);
        let (sender, exit) = mpsc::channel();
        thread::spawn(move || {
            let _ = sender.send(child.wait());
            drop(end);
        });
        Self { id, news, exit, exited: false, status: None }
    }

    /// Has the program itself ended?
    fn has_exited(&mut self) -> bool {
        if let Ok(exit) = self.exit.try_recv() {
            self.exited = true;
            self.status = exit.ok();
        }
        self.exited
    }

    /// Is anybody of it left? The number stays taken as long as somebody is.
    fn is_empty(&self) -> bool {
        self.id.is_none_or(|id| killpg(id, None).is_err())
    }

    fn send(&self, signal: Signal) {
        if let Some(id) = self.id {
            // It may be gone already, which is what is wanted.
            let _ = killpg(id, signal);
        }
    }
}

impl Drop for Group {
    /// Whatever went wrong in between, a sink that panicked included, nothing runs on unwatched.
    fn drop(&mut self) {
        if !self.exited {
            self.send(Signal::SIGKILL);
        }
    }
}

/// Leads the group to its end: asked first, then killed.
#[derive(Debug)]
pub(crate) struct Ending {
    deadline: Instant,
    grace: Duration,
    /// When the program itself was seen to have ended, what it left may stay until then.
    linger: Option<Instant>,
    kill: Option<Instant>,
    give_up: Option<Instant>,
    pub(crate) why: Option<Ended>,
}

impl Ending {
    pub(crate) fn new(deadline: Instant, grace: Duration) -> Self {
        Self { deadline, grace, linger: None, kill: None, give_up: None, why: None }
    }

    /// When there is something to do at the latest.
    pub(crate) fn next(&self) -> Instant {
        self.give_up.or(self.kill).or(self.linger).unwrap_or(self.deadline)
    }

    /// Does what is due. True when all is over.
    pub(crate) fn step(&mut self, group: &mut Group, stopped: bool) -> bool {
        let now = Instant::now();
        let exited = group.has_exited();
        if exited && group.is_empty() {
            return true;
        }
        if exited && self.linger.is_none() {
            self.linger = Some(now + LINGER);
        }
        if let Some(at) = self.give_up {
            // Killed, nobody of it acts any more, though one that nobody collects keeps its number.
            // A head that is still there hangs in the kernel; the answer does not wait for that.
            return exited || now >= at;
        }
        if let Some(at) = self.kill {
            if now >= at {
                group.send(Signal::SIGKILL);
                self.give_up = Some(now + self.grace);
            }
            return false;
        }
        if !exited && self.why.is_none() {
            if stopped {
                self.why = Some(Ended::Stopped);
            } else if now >= self.deadline {
                self.why = Some(Ended::TimedOut);
            }
        }
        if self.why.is_some() || self.linger.is_some_and(|at| now >= at) {
            group.send(Signal::SIGTERM);
            self.kill = Some(now + self.grace);
        }
        false
    }
}
