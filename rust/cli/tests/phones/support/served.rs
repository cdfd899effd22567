//! The program as a server, and a client that speaks plain HTTP to it.

use super::Program;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// A server, until it is dropped.
pub(crate) struct Served {
    child: Child,
    port: u16,
    /// What else it prints.
    _out: BufReader<ChildStdout>,
    pub(crate) token: Option<String>,
}

impl Program {
    /// Starts a server and waits until it listens.
    pub(crate) fn serve(&self, args: &[&str]) -> Served {
        let mut child = self.command(&[&["serve", "--port", "0"], args].concat()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|_| {
            let mut err = String::new();
            child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
            panic!("no server: {line}{err}")
        });
        let port = told["port"].as_u64().unwrap().try_into().unwrap();
        Served { child, port, _out: out, token: None }
    }
}

impl Served {
    /// Sends a request; the stream has its answer.
    pub(crate) fn send(&self, method: &str, path: &str, body: Option<&Value>) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = body.map(Value::to_string).unwrap_or_default();
        let token = self.token.as_ref().map(|token| format!("authorization: Bearer {token}\r\n"));
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n{}\r\n{body}",
            body.len(),
            token.unwrap_or_default()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        answer(self.send("GET", path, None))
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        answer(self.send("POST", path, Some(body)))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), signal).unwrap();
    }

    /// Its exit code; none when a signal ended it.
    pub(crate) fn ended(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status and body.
pub(crate) fn answer(mut stream: TcpStream) -> (u16, Value) {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").expect("no answer came");
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap())
}
