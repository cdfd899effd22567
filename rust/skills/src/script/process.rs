//! Runs a program as the head of its own group of processes, so that all of it can be ended.
//!
//! One loop waits for both outputs and for the program's end. Nothing is read by a thread of its
//! own: a process that left the group and still holds an output cannot keep anything waiting.

use super::output::{Decoder, Keeper, Printed};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};
use std::{fs::File, thread};

/// Times and sizes of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The program is asked to end after so long.
    pub timeout: Duration,
    /// So long it may take to end once asked; then it is killed.
    pub grace: Duration,
    /// So many bytes of each output are kept.
    pub kept: usize,
}

impl Default for Limits {
    /// Two minutes, two seconds, one mebibyte.
    fn default() -> Self {
        Self { timeout: Duration::from_secs(120), grace: Duration::from_secs(2), kept: 1 << 20 }
    }
}

/// Where something was printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Takes what is printed while the program runs, in whole characters. A sink that waits makes the
/// program wait.
pub type Sink<'a> = dyn FnMut(Stream, &str) + 'a;

/// Why a program was ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// It took too long.
    TimedOut,
    /// The caller asked for it.
    Stopped,
}

/// How a program ran.
#[derive(Debug)]
pub(super) struct Run {
    /// How it ended; unknown when not even the kill ended it in time.
    pub(super) status: Option<ExitStatus>,
    /// Was it ended?
    pub(super) ended: Option<Ended>,
    pub(super) duration: Duration,
    pub(super) stdout: Printed,
    pub(super) stderr: Printed,
}

/// The longest wait before the wish to stop and the group are looked at again.
const LOOK: Duration = Duration::from_millis(50);
/// What a script leaves running in its group may still finish its words, as a `tee` does.
const LINGER: Duration = Duration::from_millis(250);
/// After the end so much is read of what stands in a pipe: as much as any pipe holds.
const REST: usize = 1 << 20;

/// Runs it to its end.
///
/// After the timeout, or when `stop` is set, the whole group is asked to end (SIGTERM) and killed
/// after the grace. What the program leaves behind in its group ends with it.
pub(super) fn run(
    mut command: Command,
    limits: &Limits,
    stop: Option<&AtomicBool>,
    sink: &mut Sink<'_>,
) -> io::Result<Run> {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    // Before the start: afterwards a failure would leave a process that nobody watches.
    let news = io::pipe()?;
    let mut child = command.spawn()?;
    // Both are there: they were asked for as pipes.
    let stdout = child.stdout.take().map(OwnedFd::from);
    let stderr = child.stderr.take().map(OwnedFd::from);
    let mut outputs = [
        Output::new(Stream::Stdout, stdout, limits.kept),
        Output::new(Stream::Stderr, stderr, limits.kept),
    ];
    let mut group = Group::watch(child, news);
    let mut ending = Ending::new(start + limits.timeout, limits.grace);
    loop {
        let wake = ending.next().min(Instant::now() + LOOK);
        wait_and_read(&mut outputs, &mut group, wake, sink)?;
        let stopped = stop.is_some_and(|stop| stop.load(Ordering::SeqCst));
        if ending.step(&mut group, stopped) {
            break;
        }
    }
    for output in &mut outputs {
        output.read_rest(sink)?;
    }
    let [stdout, stderr] = outputs.map(|output| output.finish(sink));
    Ok(Run { status: group.status, ended: ending.why, duration: start.elapsed(), stdout, stderr })
}

/// One output of the program.
struct Output {
    stream: Stream,
    /// None once everybody who could write has closed it.
    pipe: Option<File>,
    keeper: Keeper,
    decoder: Decoder,
}

impl Output {
    fn new(stream: Stream, pipe: Option<OwnedFd>, kept: usize) -> Self {
        let keeper = Keeper::new(kept);
        Self { stream, pipe: pipe.map(File::from), keeper, decoder: Decoder::default() }
    }

    /// Reads once; the caller knows that there is something.
    fn read(&mut self, sink: &mut Sink<'_>) -> io::Result<usize> {
        let Some(pipe) = &mut self.pipe else { return Ok(0) };
        let mut buffer = [0; 1 << 16];
        match pipe.read(&mut buffer) {
            Ok(0) => {
                self.pipe = None;
                Ok(0)
            }
            Ok(length) => {
                self.keeper.push(&buffer[..length]);
                let text = self.decoder.push(&buffer[..length]);
                if !text.is_empty() {
                    sink(self.stream, &text);
                }
                Ok(length)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(0),
            Err(error) => Err(error),
        }
    }

    /// What stands in the pipe already, without waiting for more.
    fn read_rest(&mut self, sink: &mut Sink<'_>) -> io::Result<()> {
        let mut read = 0;
        while read < REST {
            let Some(pipe) = &self.pipe else { break };
            let mut asked = [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)];
            if !matches!(poll(&mut asked, PollTimeout::ZERO), Ok(1..)) {
                break;
            }
            read += self.read(sink)?.max(1);
        }
        Ok(())
    }

    fn finish(mut self, sink: &mut Sink<'_>) -> Printed {
        let text = self.decoder.finish();
        if !text.is_empty() {
            sink(self.stream, &text);
        }
        self.keeper.finish()
    }
}

/// Waits until something was printed, the program ended, or the time has come; reads what is there.
fn wait_and_read(
    outputs: &mut [Output; 2],
    group: &mut Group,
    until: Instant,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let left = until.saturating_duration_since(Instant::now());
    // Rounded up: rounded down it would turn around without a wait in the last millisecond.
    let milliseconds = u16::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u16::MAX);
    let ready = {
        let [stdout, stderr] = &*outputs;
        let pipes = [stdout.pipe.as_ref(), stderr.pipe.as_ref()];
        let mut asked: Vec<PollFd<'_>> = pipes
            .iter()
            .flatten()
            .map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN))
            .collect();
        if !group.exited {
            asked.push(PollFd::new(group.news.as_fd(), PollFlags::POLLIN));
        }
        match poll(&mut asked, PollTimeout::from(milliseconds)) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut answers = asked.iter().map(|asked| asked.any().unwrap_or(false));
        pipes.map(|pipe| pipe.is_some() && answers.next().unwrap_or(false))
    };
    for (output, ready) in outputs.iter_mut().zip(ready) {
        if ready {
            output.read(sink)?;
        }
    }
    Ok(())
}

/// The program and all it started that did not leave its group.
struct Group {
    id: Option<Pid>,
    /// Closed when the program has ended.
    news: PipeReader,
    exit: Receiver<io::Result<ExitStatus>>,
    exited: bool,
    status: Option<ExitStatus>,
}

impl Group {
    /// A thread waits for the program's end and closes a pipe then, which a poll can wait for.
    fn watch(mut child: Child, (news, end): (PipeReader, PipeWriter)) -> Self {
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
struct Ending {
    deadline: Instant,
    grace: Duration,
    /// When the program itself was seen to have ended, what it left may stay until then.
    linger: Option<Instant>,
    kill: Option<Instant>,
    give_up: Option<Instant>,
    why: Option<Ended>,
}

impl Ending {
    fn new(deadline: Instant, grace: Duration) -> Self {
        Self { deadline, grace, linger: None, kill: None, give_up: None, why: None }
    }

    /// When there is something to do at the latest.
    fn next(&self) -> Instant {
        self.give_up.or(self.kill).or(self.linger).unwrap_or(self.deadline)
    }

    /// Does what is due. True when all is over.
    fn step(&mut self, group: &mut Group, stopped: bool) -> bool {
        let now = Instant::now();
        let exited = group.has_exited();
        if exited && group.is_empty() {
            return true;
        }
        if exited && self.linger.is_none() {
            self.linger = Some(now + LINGER);
        }
        if let Some(at) = self.give_up {
            // Killed and still there: it hangs in the kernel. The answer does not wait for that.
            return now >= at;
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

/// The signal that ended it, by name.
pub(super) fn signal_name(status: ExitStatus) -> Option<String> {
    let number = status.signal()?;
    Some(
        Signal::try_from(number).map_or_else(|_| format!("SIG{number}"), |known| known.to_string()),
    )
}
