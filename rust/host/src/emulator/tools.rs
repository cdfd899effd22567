//! Runs the programs of the SDK: to their end within a time, or as a process of its own.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// So much of what a program says is kept. sdkmanager draws its progress bar for minutes.
const KEPT: usize = 1 << 20;
/// How long the output may stay open after the program ended: something it started holds it.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// So many lines of it are worth a place in a message.
const LINES: usize = 8;

/// A program, and how it is called.
#[derive(Debug)]
pub(super) struct Call {
    program: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(&'static str, PathBuf)>,
    input: String,
}

/// How a program ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// By itself.
    Exit(ExitStatus),
    /// It did not, and was ended after so long.
    TooLate(Duration),
    /// It could not even be started.
    NotStarted(io::Error),
}

/// What a program said, and how it ended.
#[derive(Debug)]
pub(super) struct Ran {
    name: String,
    /// How it ended.
    pub(super) ended: Ended,
    /// Everything it said, in either place.
    pub(super) said: String,
}

impl Ran {
    /// Did it succeed?
    pub(super) fn ok(&self) -> bool {
        matches!(&self.ended, Ended::Exit(status) if status.success())
    }

    /// What happened and its last words, for a message.
    pub(super) fn story(&self) -> String {
        let name = &self.name;
        let end = match &self.ended {
            Ended::Exit(status) => format!("{name} ended with {status}"),
            Ended::TooLate(after) => {
                format!("{name} had not ended after {} s and was stopped", after.as_secs_f32())
            }
            Ended::NotStarted(error) => return format!("{name} could not be started: {error}"),
        };
        match last_words(&self.said) {
            words if words.is_empty() => format!("{end} and said nothing"),
            words => format!("{end}: {words}"),
        }
    }
}

impl Call {
    /// A call of this program.
    pub(super) fn new(program: &Path, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Self { program: program.to_owned(), arguments, variables: Vec::new(), input: String::new() }
    }

    /// The same with more arguments.
    pub(super) fn and(mut self, arguments: impl IntoIterator<Item = String>) -> Self {
        self.arguments.extend(arguments);
        self
    }

    /// The same with a variable of its environment.
    pub(super) fn variable(mut self, name: &'static str, value: PathBuf) -> Self {
        self.variables.push((name, value));
        self
    }

    /// The same with something to read.
    pub(super) fn input(mut self, text: impl Into<String>) -> Self {
        self.input = text.into();
        self
    }

    /// Runs it to its end, or ends it and all it started when it takes too long.
    pub(super) fn run(&self, within: Duration) -> Ran {
        let name = self.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        log::debug!("{} {}", self.program.display(), self.arguments.join(" "));
        let mut command = self.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                return Ran { name, ended: Ended::NotStarted(error), said: String::new() };
            }
        };
        if let Some(mut stdin) = child.stdin.take() {
            // A few hundred bytes fit into any pipe; a program that does not read them is free to.
            let _ = stdin.write_all(self.input.as_bytes());
        }
        let said = Arc::default();
        let (closing, closed) = mpsc::channel::<()>();
        listen(child.stdout.take(), Arc::clone(&said), closing.clone());
        listen(child.stderr.take(), Arc::clone(&said), closing);
        let process = Process::watch(child);
        let ended = match process.exit.recv_timeout(within) {
            Ok(Ok(status)) => Ended::Exit(status),
            Ok(Err(error)) => Ended::NotStarted(error),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                process.end();
                Ended::TooLate(within)
            }
        };
        // Nobody ever sends: the wait ends when both listeners have dropped their ends.
        let _ = closed.recv_timeout(LAST_WORDS);
        let said = said.lock().unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(&said).into_owned();
        Ran { name, ended, said }
    }

    /// Starts it as a process that outlives this one; its output goes to a file.
    pub(super) fn start(&self, log: &Path) -> io::Result<Process> {
        let file = File::create(log)?;
        let mut command = self.command();
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        command.spawn().map(Process::watch)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        // A group of its own: it can be ended with all its children, and Ctrl-C in the terminal
        // does not reach an emulator that is to stay.
        command.process_group(0);
        command
    }
}

/// A process and the group it leads.
#[derive(Debug)]
pub(super) struct Process {
    group: Option<Pid>,
    exit: Receiver<io::Result<ExitStatus>>,
}

impl Process {
    /// A thread waits for its end, so that it is noticed at once and leaves no zombie behind.
    fn watch(mut child: Child) -> Self {
        let group = i32::try_from(child.id()).ok().map(Pid::from_raw);
        let (sender, exit) = mpsc::channel();
        thread::spawn(move || sender.send(child.wait()));
        Self { group, exit }
    }

    /// How it ended, once it has. Tells it once.
    pub(super) fn ended(&self) -> Option<String> {
        match self.exit.try_recv().ok()? {
            Ok(status) => Some(status.to_string()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Ends it and all it started.
    pub(super) fn end(&self) {
        if let Some(group) = self.group {
            // It may be gone already, which is what is wanted.
            let _ = killpg(group, Signal::SIGKILL);
        }
    }
}

fn listen(
    from: Option<impl Read + Send + 'static>,
    into: Arc<Mutex<Vec<u8>>>,
    closing: mpsc::Sender<()>,
) {
    let Some(mut from) = from else { return };
    thread::spawn(move || {
        let _closing = closing;
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            let mut into = into.lock().unwrap_or_else(PoisonError::into_inner);
            into.extend_from_slice(&buffer[..length]);
            let excess = into.len().saturating_sub(KEPT);
            into.drain(..excess);
        }
    });
}

/// The last lines that say something: progress bars and empty lines do not.
pub(super) fn last_words(text: &str) -> String {
    let worth = |line: &&str| !line.is_empty() && !line.starts_with('[');
    let lines: Vec<&str> = text.split(['\r', '\n']).map(str::trim).filter(worth).collect();
    lines[lines.len().saturating_sub(LINES)..].join(" / ")
}

/// The last words in a log file. One that cannot be read has none.
pub(super) fn last_words_of(log: &Path) -> String {
    std::fs::read(log).map(|bytes| last_words(&String::from_utf8_lossy(&bytes))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Call {
        Call::new(Path::new("/bin/sh"), &["-c", script])
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn both_outputs_and_the_exit_code_are_told() {
        let ran = sh("echo out; echo err >&2; exit 3").run(LONG);
        assert!(!ran.ok());
        assert!(ran.said.contains("out\n") && ran.said.contains("err\n"), "{}", ran.said);
        assert!(ran.story().starts_with("sh ended with exit status: 3: "), "{}", ran.story());
    }

    #[test]
    fn the_input_reaches_the_program_and_one_that_ignores_it_is_not_disturbed() {
        assert_eq!(sh("read answer; echo got $answer").input("no\n").run(LONG).said, "got no\n");
        assert!(sh("exit 0").input("y\n".repeat(100)).run(LONG).ok());
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_its_children() {
        let fifo = std::env::temp_dir().join(format!("emulator-tools-{}", std::process::id()));
        let made = Command::new("mkfifo").arg(&fifo).status().unwrap();
        assert!(made.success());
        let path = fifo.clone();
        let (sender, child_is_gone) = mpsc::channel();
        // Opening waits for the child, reading for the end of everybody who could still write.
        thread::spawn(move || sender.send(std::fs::read(path)));
        let script = format!("sleep 600 > {} & echo before; sleep 600", fifo.display());
        let ran = sh(&script).run(Duration::from_secs(3));
        assert!(matches!(ran.ended, Ended::TooLate(_)), "{:?}", ran.ended);
        assert_eq!(ran.story(), "sh had not ended after 3 s and was stopped: before");
        child_is_gone.recv_timeout(LONG).expect("the child lives on").unwrap();
        std::fs::remove_file(fifo).unwrap();
    }

    #[test]
    fn a_program_that_is_no_program_says_why() {
        let ran = Call::new(Path::new("/no/such/tool"), &[]).run(LONG);
        assert!(ran.story().starts_with("tool could not be started: "), "{}", ran.story());
    }

    #[test]
    fn a_child_that_stays_behind_does_not_hold_the_answer() {
        let ran = sh("sleep 600 & echo $!").run(LONG);
        assert!(ran.ok());
        let child = Pid::from_raw(ran.said.trim().parse().unwrap());
        nix::sys::signal::kill(child, Signal::SIGKILL).expect("it had stayed behind");
    }

    #[test]
    fn progress_bars_are_no_words() {
        let text = "Loading...\r[==   ] 10% Fetch\r[=====] 90%\nWarning: no room\n\n";
        assert_eq!(last_words(text), "Loading... / Warning: no room");
        let many: String = (0..20).map(|line| format!("line {line}\n")).collect();
        assert!(last_words(&many).starts_with("line 12 / "), "only the last eight");
    }
}
