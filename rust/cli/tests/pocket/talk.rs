//! An agent's end of a session.

#![allow(dead_code, reason = "each test program uses its part")]

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

/// A folder that goes away with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pocket-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("workspace")).unwrap();
        Self(path)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    pub(crate) fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clawperator"));
        command.args(["pocket", "run", "--device", "sim", "--workspace", "workspace"]);
        command.args(["--session", "session"]).args(more);
        command.current_dir(&self.0).env_remove("ANDROID_SERIAL");
        command
    }

    /// Plays these lines from a file.
    pub(crate) fn play(&self, lines: impl AsRef<[u8]>, more: &[&str]) -> Output {
        fs::write(self.0.join("lines.jsonl"), lines).unwrap();
        self.command(&[&["--steps", "lines.jsonl"], more].concat()).output().unwrap()
    }

    pub(crate) fn page(&self) -> String {
        fs::read_to_string(self.0.join("session/session.md")).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// An agent's end of a session.
pub(crate) struct Talk {
    child: Child,
    to: Option<ChildStdin>,
    pub(crate) from: Option<BufReader<ChildStdout>>,
}

impl Talk {
    pub(crate) fn begin(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let from = child.stdout.take().map(BufReader::new);
        Self { to: child.stdin.take(), from, child }
    }

    pub(crate) fn send(&mut self, line: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{line}").unwrap();
    }

    pub(crate) fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.from.as_mut().unwrap().read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    pub(crate) fn ask(&mut self, line: &Value) -> Value {
        self.send(line);
        self.hear()
    }

    pub(crate) fn did(&mut self, line: &Value) -> Value {
        let answer = self.ask(line);
        assert_eq!(answer["ok"], true, "{line}: {answer}");
        answer
    }

    pub(crate) fn look(&mut self) -> Value {
        self.did(&json!({"request": "snapshot", "pictures": "files"}))
    }

    /// Ctrl-C, as a terminal sends it.
    pub(crate) fn interrupt(&self) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    }

    pub(crate) fn end(mut self) -> i32 {
        drop(self.to.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

pub(crate) fn answers(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Says a request to the relay of a page's address; the status and the body of its answer.
pub(crate) fn http(url: &str, method: &str, path: &str, body: &Value) -> (u16, String) {
    let host = url.strip_prefix("http://").unwrap().split('/').next().unwrap();
    let body = body.to_string();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}
