//! Runs a program as the head of its own group of processes, so that all of it can be ended.
//!
//! One loop waits for both outputs and for the program's end. Nothing is read by a thread of its
//! own: a process that left the group and still holds an output cannot keep anything waiting.

use crate::group::{Ending, Group};
use crate::output::{Decoder, Keeper, Printed};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
pub enum Ended {
    /// It took too long.
    TimedOut,
    /// The caller asked for it.
    Stopped,
}

/// How a program ran.
#[derive(Debug)]
pub struct Run {
    /// How it ended; unknown when not even the kill ended it in time.
    pub status: Option<ExitStatus>,
    /// Was it ended?
    pub ended: Option<Ended>,
    /// From its start to its end.
    pub duration: Duration,
    /// What it printed.
    pub stdout: Printed,
    /// What it said about itself.
    pub stderr: Printed,
}

/// The longest wait before the wish to stop and the group are looked at again.
const LOOK: Duration = Duration::from_millis(50);
/// After the end so much is read of what stands in a pipe: as much as any pipe holds.
const REST: usize = 1 << 20;

/// Runs it to its end, with nothing to read.
///
/// After the timeout, or when `stop` is set, the whole group is asked to end (SIGTERM) and killed
/// after the grace. What the program leaves behind in its group ends with it.
///
/// # Errors
///
/// What the system says when it cannot be started or looked after.
pub fn run(
    command: Command,
    limits: &Limits,
    stop: Option<&AtomicBool>,
    sink: &mut Sink<'_>,
) -> io::Result<Run> {
    Running::start(command, limits, Input::Closed, Outputs::Apart)?.to_its_end(stop, sink)
}

/// What the program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Nothing.
    Closed,
    /// What is written to [`Running::take_input`].
    Open,
}

/// Where the program prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// Into one pipe for each output.
    Apart,
    /// Into one pipe for both, which keeps the order of what was printed; all of it counts as
    /// standard output.
    Together,
}

/// A program that was started. Dropped, it is killed with its group.
#[derive(Debug)]
pub struct Running {
    start: Instant,
    outputs: [Output; 2],
    group: Group,
    ending: Ending,
    input: Option<ChildStdin>,
}

impl Running {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// What the system says when it cannot be started.
    pub fn start(
        mut command: Command,
        limits: &Limits,
        input: Input,
        outputs: Outputs,
    ) -> io::Result<Self> {
        let start = Instant::now();
        let stdin = if input == Input::Open { Stdio::piped() } else { Stdio::null() };
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut together = None;
        if outputs == Outputs::Together {
            let (reader, writer) = io::pipe()?;
            command.stdout(writer.try_clone()?).stderr(writer);
            together = Some(OwnedFd::from(reader));
        }
        // Before the start: afterwards a failure would leave a process that nobody watches.
        let news = io::pipe()?;
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        // Our copies of the writing ends go with it, or no output would ever end.
        drop(command);
        let stdout = together.or_else(|| child.stdout.take().map(OwnedFd::from));
        let stderr = child.stderr.take().map(OwnedFd::from);
        let outputs = [
            Output::new(Stream::Stdout, stdout, limits.kept),
            Output::new(Stream::Stderr, stderr, limits.kept),
        ];
        let group = Group::watch(child, news);
        let ending = Ending::new(start + limits.timeout, limits.grace);
        Ok(Self { start, outputs, group, ending, input })
    }

    /// Where its input is written, once.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// Waits for its end, as [`run`] does.
    ///
    /// # Errors
    ///
    /// What the system says when it cannot be looked after; then it was killed.
    pub fn to_its_end(mut self, stop: Option<&AtomicBool>, sink: &mut Sink<'_>) -> io::Result<Run> {
        loop {
            let wake = self.ending.next().min(Instant::now() + LOOK);
            wait_and_read(&mut self.outputs, &mut self.group, wake, sink)?;
            let stopped = stop.is_some_and(|stop| stop.load(Ordering::SeqCst));
            if self.ending.step(&mut self.group, stopped) {
                break;
            }
        }
        for output in &mut self.outputs {
            output.read_rest(sink)?;
        }
        let Self { start, outputs, group, ending, .. } = self;
        let [stdout, stderr] = outputs.map(|output| output.finish(sink));
        Ok(Run {
            status: group.status,
            ended: ending.why,
            duration: start.elapsed(),
            stdout,
            stderr,
        })
    }
}

/// One output of the program.
#[derive(Debug)]
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

/// The signal that ended it, by name.
#[must_use]
pub fn signal_name(status: ExitStatus) -> Option<String> {
    let number = status.signal()?;
    Some(
        Signal::try_from(number).map_or_else(|_| format!("SIG{number}"), |known| known.to_string()),
    )
}
