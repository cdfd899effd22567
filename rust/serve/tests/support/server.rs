//! A server on a port of its own, and a client that speaks plain HTTP to it.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use crate::support::{Sims, scratch, setup};
use clawperator_serve::desk::Desk;
use clawperator_serve::http::{Files, Guard, Setup, document, serve};
use clawperator_skills::policy::Policy;
use clawperator_skills::run::Redactor;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

/// Nothing a test waits for takes this long.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Server {
    pub address: SocketAddr,
    pub desk: Desk,
    pub folder: PathBuf,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("not JSON: {}", String::from_utf8_lossy(&self.body)))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Status and code of a failure.
    pub fn failure(&self) -> (u16, String) {
        let body = self.json();
        assert_eq!(body["ok"], false, "{body}");
        assert!(!body["error"]["message"].as_str().unwrap().is_empty());
        (self.status, body["error"]["code"].as_str().unwrap().to_owned())
    }
}

impl Server {
    pub fn new(name: &str, serials: &[&str]) -> Self {
        Self::with(name, &Sims::new(serials), Guard::default(), |_| {})
    }

    pub fn with(
        name: &str,
        sims: &Sims,
        guard: Guard,
        change: impl FnOnce(&mut clawperator_serve::desk::Setup),
    ) -> Self {
        let folder = scratch(name);
        let files = folder.join("files");
        std::fs::create_dir_all(&files).unwrap();
        let mut desk = setup(sims);
        change(&mut desk);
        let desk = Desk::new(desk);
        let setup = Setup {
            desk: desk.clone(),
            guard,
            files: Files::new(Some(&files), &folder.join("pictures")).unwrap(),
            program: "clawperator".into(),
            registries: vec![
                PathBuf::from(env!("CARGO_MANIFEST_DIR"))
                    .join("../../examples/skills/skills/skills-registry.json"),
            ],
            policy: Policy::default(),
            redactor: Arc::new(|| Ok(Redactor::new([7; 32]))),
            adb: Box::new(|| {
                Err(clawperator_contract::Failure::new(
                    clawperator_contract::ErrorCode::AdbNotFound,
                    "there is no adb",
                ))
            }),
            version: "1.2.3".into(),
            grace: Duration::ZERO,
        };
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let (told, address) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                told.send(listener.local_addr().unwrap()).unwrap();
                serve(listener, setup, async { drop(ended.await) }).await;
            });
            runtime.shutdown_background();
        });
        let address = address.recv().unwrap();
        Self { address, desk, folder, end: Some(end), thread: Some(thread) }
    }

    /// Sends a request as it is written, but for its length and host.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Response {
        let mut stream = self.connect();
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head += &format!("host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            head += &format!("content-length: {}\r\n", body.len());
        }
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(b"\r\n").unwrap();
        // A server that refuses may close before it has read all.
        let _ = stream.write_all(body);
        read(stream)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    pub fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Response {
        let json = [("content-type", "application/json")];
        self.send("POST", path, &json, body.to_string().as_bytes())
    }

    /// Posts, and holds the answer against what `/openapi.json` says of it.
    pub fn posted(&self, path: &str, body: &Value) -> Value {
        fits("post", path, &self.post(path, body))
    }

    pub fn got(&self, path: &str) -> Value {
        fits("get", path, &self.get(path))
    }

    /// Listens to events.
    pub fn listen(&self, last: Option<&str>) -> Events {
        let mut stream = self.connect();
        let last = last.map(|id| format!("last-event-id: {id}\r\n")).unwrap_or_default();
        let head = format!("GET /events HTTP/1.1\r\nhost: {}\r\n{last}\r\n", self.address);
        stream.write_all(head.as_bytes()).unwrap();
        let mut events = Events(BufReader::new(stream));
        let head = events.lines_until_blank();
        assert!(head[0].contains("200"), "{head:?}");
        events
    }

    pub fn end(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Events as they come.
pub struct Events(BufReader<TcpStream>);

impl Events {
    fn lines_until_blank(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return lines;
            }
            match line.trim_end() {
                "" => return lines,
                line => lines.push(line.to_owned()),
            }
        }
    }

    /// The next event: id, kind, data. `None` at the end of the stream.
    pub fn next(&mut self) -> Option<(Option<u64>, String, Value)> {
        loop {
            let lines = self.lines_until_blank();
            // Chunks are framed by lines with their lengths, which are no lines of an event.
            let of = |name: &str| {
                let found = lines.iter().find_map(|line| line.strip_prefix(name));
                found.map(|value| value.trim().to_owned())
            };
            match (of("event:"), of("data:")) {
                (Some(kind), Some(data)) => {
                    let id = of("id:").map(|id| id.parse().unwrap());
                    return Some((id, kind, serde_json::from_str(&data).unwrap()));
                }
                _ if lines.iter().any(|line| line == "0") || lines.is_empty() && self.at_end() => {
                    return None;
                }
                _ => {}
            }
        }
    }

    fn at_end(&mut self) -> bool {
        self.0.fill_buf().map_or(true, <[u8]>::is_empty)
    }

    /// The next event of this kind.
    pub fn until(&mut self, kind: &str) -> (u64, Value) {
        loop {
            let (id, seen, data) = self.next().expect("the stream ended");
            if seen == kind {
                return (id.unwrap_or(0), data);
            }
        }
    }
}

fn read(mut stream: TcpStream) -> Response {
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let end = all.windows(4).position(|four| four == b"\r\n\r\n").expect("no answer came");
    let head = String::from_utf8(all[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    Response { status, headers, body: all[end + 4..].to_vec() }
}

/// The body of an answer that went well, after it was held against the schema.
pub fn fits(method: &str, path: &str, response: &Response) -> Value {
    let body = response.json();
    let document = document("1.2.3");
    let path = path.split('?').next().unwrap();
    let paths = document["paths"].as_object().unwrap();
    let matches = |template: &str| {
        let (a, b): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || a.starts_with('{'))
    };
    let exact = paths.get(path).or_else(|| paths.iter().find(|(t, _)| matches(t)).map(|(_, p)| p));
    let said = &exact.unwrap()[method]["responses"][response.status.to_string()];
    assert!(!said.is_null(), "{method} {path}: {} is not documented", response.status);
    let mut schema = said["content"]["application/json"]["schema"].clone();
    schema["components"] = document["components"].clone();
    let problems: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&body)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(problems.is_empty(), "{method} {path}: {problems:?}\n{body}");
    body
}

pub fn execute(device: &str, payload: &Value) -> Value {
    json!({ "execution": payload, "deviceId": device })
}
