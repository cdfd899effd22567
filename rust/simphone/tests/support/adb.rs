//! The stock adb with a server of its own: its own port, its own home, its own keys. One server
//! serves a whole test binary and ends with it.

use std::io::Read as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::time::Duration;
use std::{env, fs, process, thread};

/// No command of a test takes long; one that takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(90);

/// Runs the server until its own input ends, which it does with the process that holds the other
/// end, however that one ends. Then nothing of it is left.
const GUARD: &str = r#""$0" fork-server server --reply-fd 3 3>&1 >/dev/null 2>&1 &
exec >/dev/null
cat
kill $!
wait
rm -rf "$HOME""#;

pub struct Adb {
    program: PathBuf,
    pub port: u16,
    pub home: PathBuf,
    /// Its input is held for as long as this process lives.
    _guard: Child,
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Ran {
    fn from(output: Output) -> Self {
        Self { code: output.status.code(), stdout: output.stdout, stderr: output.stderr }
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Both outputs, for the host's own messages.
    pub fn text(&self) -> String {
        self.out() + &self.err()
    }
}

/// The adb of this test binary.
pub fn adb() -> &'static Adb {
    static ADB: OnceLock<Adb> = OnceLock::new();
    ADB.get_or_init(Adb::start)
}

impl Adb {
    fn start() -> Self {
        let home = env::temp_dir().join(format!("simphone-adb-{}", process::id()));
        fs::create_dir_all(&home).unwrap();
        // Free when we looked; a collision fails the tests and says so.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let program = find();
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD]).arg(&program);
        let mut guard = apart(&mut guard, port, &home).stdin(Stdio::piped()).spawn().unwrap();
        let mut reply = [0; 3];
        let read = guard.stdout.take().unwrap().read_exact(&mut reply);
        assert!(read.is_ok() && reply == *b"OK\n", "adb's server does not start");
        Self { program, port, home, _guard: guard }
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        apart(command.args(args), self.port, &self.home);
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args).spawn().unwrap(), args)
    }
}

/// With what keeps it apart from every other adb.
fn apart<'a>(command: &'a mut Command, port: u16, home: &Path) -> &'a mut Command {
    command
        .env("ANDROID_ADB_SERVER_PORT", port.to_string())
        .env("HOME", home)
        .env("TMPDIR", home)
        .env("ANDROID_USER_HOME", home.join(".android"))
        // Neither phones on USB nor phones in the air are any business of a test.
        .env("ADB_USB", "0")
        .env("ADB_MDNS", "0")
        .env("ADB_MDNS_AUTO_CONNECT", "0")
        .env_remove("ANDROID_SERIAL")
        .env_remove("ADB_VENDOR_KEYS")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
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
