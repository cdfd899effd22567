//! The stock adb with a server of its own: its own port, its own home, its own keys.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use std::{env, fs, process, thread};

/// No command of a test takes long; one that takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(90);

/// Runs the server until its own input ends, which it does with the process that holds the other
/// end, however that one ends. Then nothing of it is left, nor of a server somebody else started
/// at its port. `$0` is adb, `$1` the text of [`Adb::program`].
const GUARD: &str = r#"printf '%s' "$1" > "$HOME/adb"
chmod +x "$HOME/adb"
echo OK
while read -r word; do
    case $word in
        start)
            "$0" fork-server server --reply-fd 3 3>&1 >/dev/null &
            server=$!
            ;;
        kill)
            kill -KILL $server
            wait $server
            echo OK
            ;;
        *) kill -$word $server && echo OK ;;
    esac
done
kill -KILL $server
"$0" kill-server
rm -rf "$HOME""#;

/// An adb and its server.
pub struct Adb {
    /// Where the server listens, at 127.0.0.1.
    pub port: u16,
    /// The home of adb and of its server, for a test's files too; gone when this is.
    pub home: PathBuf,
    real: PathBuf,
    guard: Mutex<Guard>,
}

struct Guard {
    shell: Child,
    /// Held for as long as the server is wanted.
    words: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Guard {
    fn answers(&mut self, word: &str) {
        let mut answer = String::new();
        let read = self.answers.read_line(&mut answer);
        assert!(read.is_ok() && answer == "OK\n", "adb's server does not {word}: {answer}");
    }
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code.
    pub code: Option<i32>,
    /// Its output.
    pub stdout: Vec<u8>,
    /// Its complaints.
    pub stderr: Vec<u8>,
}

impl Ran {
    fn from(output: Output) -> Self {
        Self { code: output.status.code(), stdout: output.stdout, stderr: output.stderr }
    }

    /// Its output as text.
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Its complaints as text.
    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Both, for the host's own messages.
    pub fn text(&self) -> String {
        self.out() + &self.err()
    }
}

/// The adb of this process. Tests that harm a server start their own.
pub fn adb() -> &'static Arc<Adb> {
    static ADB: OnceLock<Arc<Adb>> = OnceLock::new();
    ADB.get_or_init(Adb::start)
}

impl Adb {
    /// Starts a server that ends with this value, or with this process.
    pub fn start() -> Arc<Self> {
        let adb = Self::stopped();
        adb.restart();
        adb
    }

    /// One whose server does not run yet.
    pub fn stopped() -> Arc<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let home = env::temp_dir().join(format!("adb-lab-{}-{number}", process::id()));
        fs::create_dir_all(&home).unwrap();
        // Free when we looked; a collision fails the tests and says so.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let real = find();
        let mut shell = Command::new("sh");
        shell.args(["-c", GUARD]).arg(&real).arg(script(&real, port, &home));
        apart(&mut shell, port, &home).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut shell = shell.spawn().unwrap();
        let words = shell.stdin.take();
        let answers = BufReader::new(shell.stdout.take().unwrap());
        let mut guard = Guard { shell, words, answers };
        guard.answers("begin");
        Arc::new(Self { port, home, real, guard: Mutex::new(guard) })
    }

    /// Adb as a program for others to start, which stays apart like everything else here.
    pub fn program(&self) -> PathBuf {
        self.home.join("adb")
    }

    /// Kills the server in the middle of whatever it does, as `kill -9` does.
    pub fn kill(&self) {
        self.tell("kill");
    }

    /// Starts the server, at the port it had. It has forgotten every phone on the network.
    pub fn restart(&self) {
        self.tell("start");
    }

    /// The server is still there but does nothing until [`Adb::resume`].
    pub fn pause(&self) {
        self.tell("STOP");
    }

    /// The server goes on after [`Adb::pause`].
    pub fn resume(&self) {
        self.tell("CONT");
    }

    fn tell(&self, word: &str) {
        let mut guard = self.guard.lock().unwrap();
        writeln!(guard.words.as_mut().unwrap(), "{word}").unwrap();
        guard.answers(word);
    }

    /// A command for this server, with nothing to read.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.real);
        apart(command.args(args), self.port, &self.home);
        command
    }

    /// Runs adb.
    pub fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args).spawn().unwrap(), args)
    }

    /// Runs adb with something to read.
    pub fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writing = thread::spawn(move || stdin.write_all(&input));
        let ran = finish(child, args);
        writing.join().unwrap().unwrap();
        ran
    }

    /// Runs adb on a phone; it must go well.
    pub fn on(&self, serial: &str, args: &[&str]) -> Ran {
        let args = [&["-s", serial], args].concat();
        let ran = self.run(&args);
        assert_eq!(ran.code, Some(0), "adb {args:?}: {}", ran.text());
        ran
    }

    /// Connects the phone at this port of this computer and gives its serial.
    pub fn connect(&self, port: u16) -> String {
        let serial = format!("127.0.0.1:{port}");
        let ran = self.run(&["connect", &serial]);
        assert_eq!(ran.text(), format!("connected to {serial}\n"));
        serial
    }
}

impl Drop for Adb {
    fn drop(&mut self) {
        if let Ok(guard) = self.guard.get_mut() {
            drop(guard.words.take());
            let _ = guard.shell.wait();
        }
    }
}

/// What keeps it apart from every other adb.
fn variables(port: u16, home: &Path) -> [(&'static str, String); 7] {
    let text = |path: &Path| path.to_str().expect("a home has a plain name").to_owned();
    [
        ("ANDROID_ADB_SERVER_PORT", port.to_string()),
        ("HOME", text(home)),
        ("TMPDIR", text(home)),
        ("ANDROID_USER_HOME", text(&home.join(".android"))),
        // Neither phones on USB nor phones in the air are any business of a test.
        ("ADB_USB", "0".into()),
        ("ADB_MDNS", "0".into()),
        ("ADB_MDNS_AUTO_CONNECT", "0".into()),
    ]
}

/// What would lead it elsewhere.
const FORGOTTEN: [&str; 4] =
    ["ADB_SERVER_SOCKET", "ADB_VENDOR_KEYS", "ANDROID_ADB_SERVER_ADDRESS", "ANDROID_SERIAL"];

fn apart<'a>(command: &'a mut Command, port: u16, home: &Path) -> &'a mut Command {
    for name in FORGOTTEN {
        command.env_remove(name);
    }
    command
        .envs(variables(port, home))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
}

/// The same as a program.
fn script(real: &Path, port: u16, home: &Path) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let set =
        variables(port, home).map(|(name, value)| format!("export {name}={}", quoted(&value)));
    format!(
        "#!/bin/sh\nunset {}\n{}\nexec {} \"$@\"\n",
        FORGOTTEN.join(" "),
        set.join("\n"),
        quoted(&real.to_string_lossy())
    )
}

/// Waits for a command, but not for ever.
pub fn finish(child: Child, what: &[&str]) -> Ran {
    let (done, wait) = channel();
    thread::spawn(move || done.send(child.wait_with_output()));
    match wait.recv_timeout(PATIENCE) {
        Ok(output) => Ran::from(output.unwrap()),
        Err(_) => panic!("{what:?} hangs"),
    }
}

fn find() -> PathBuf {
    if let Some(named) = env::var_os("ADB_PATH") {
        let named = PathBuf::from(named);
        assert!(named.is_file(), "ADB_PATH is {}, where there is no adb", named.display());
        return named;
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|directory| directory.join("adb"))
        .find(|program| program.is_file())
        .expect("no adb in ADB_PATH or PATH: run scripts/test, which installs adb")
}
