//! The stock adb with a server of its own: its own port, its own home, its own keys.

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use std::{env, fs, process, thread};

/// No command of a test takes a second; one that takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Adb {
    program: PathBuf,
    port: u16,
    pub(crate) home: PathBuf,
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

impl Ran {
    fn from(output: Output) -> Self {
        Self { code: output.status.code(), stdout: output.stdout, stderr: output.stderr }
    }

    /// Both outputs as text, for the host's own messages.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&[&self.stdout[..], &self.stderr].concat()).into_owned()
    }
}

impl Adb {
    pub(crate) fn start(test: &str) -> Self {
        let home = env::temp_dir().join(format!("adbd-{test}-{}", process::id()));
        fs::create_dir_all(&home).unwrap();
        // Free when we looked; a collision fails the test and says so.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let adb = Self { program: find(), port, home };
        assert_eq!(adb.run(&["start-server"]).code, Some(0));
        adb
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .env("ANDROID_ADB_SERVER_PORT", self.port.to_string())
            .env("HOME", &self.home)
            .env("ANDROID_USER_HOME", self.home.join(".android"))
            // Neither phones on USB nor phones in the air are any business of a test.
            .env("ADB_USB", "0")
            .env("ADB_MDNS", "0")
            .env("ADB_MDNS_AUTO_CONNECT", "0")
            .env_remove("ANDROID_SERIAL")
            .env_remove("ADB_VENDOR_KEYS")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args).spawn().unwrap(), args)
    }

    /// Runs a command with something to read.
    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writing = thread::spawn(move || stdin.write_all(&input));
        let ran = finish(child, args);
        writing.join().unwrap().unwrap();
        ran
    }

    /// Runs a command on a device and asserts that it went well.
    pub(crate) fn on(&self, serial: &str, args: &[&str]) -> Ran {
        let args = [&["-s", serial], args].concat();
        let ran = self.run(&args);
        assert_eq!(ran.code, Some(0), "adb {args:?}: {}", ran.text());
        ran
    }

    /// Connects to a device and gives its serial.
    pub(crate) fn connect(&self, port: u16) -> String {
        let serial = format!("127.0.0.1:{port}");
        let ran = self.run(&["connect", &serial]);
        assert_eq!(ran.text(), format!("connected to {serial}\n"));
        serial
    }
}

/// Waits for a command, but not for ever.
pub(crate) fn finish(child: Child, what: &[&str]) -> Ran {
    let (done, wait) = channel();
    thread::spawn(move || done.send(child.wait_with_output()));
    match wait.recv_timeout(PATIENCE) {
        Ok(output) => Ran::from(output.unwrap()),
        Err(_) => panic!("adb {what:?} hangs"),
    }
}

impl Drop for Adb {
    fn drop(&mut self) {
        let _ = self.command(&["kill-server"]).output();
        let _ = fs::remove_dir_all(&self.home);
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
        .map(|directory: PathBuf| Path::join(&directory, "adb"))
        .find(|program| program.is_file())
        .expect("no adb in ADB_PATH or PATH: run scripts/test, which installs adb")
}
