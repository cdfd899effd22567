//! A client that says exactly the bytes a test wants said.

#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod page;

use clawperator_pocket::human::Relay;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The status and code of a refusal, which is always told the same way.
    pub(crate) fn refused(&self) -> (u16, String) {
        let body = self.json();
        assert!(body["message"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
        (self.status, body["code"].as_str().unwrap().to_owned())
    }
}

pub(crate) fn open(relay: &Relay, head: &str, body: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(relay.address()).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    // A server that has heard enough may close before it has read all.
    let _ = stream.write_all(body);
    stream
}

/// Sends a request as it is written and reads the whole answer.
pub(crate) fn say(relay: &Relay, head: &str, body: &[u8]) -> Answer {
    let mut all = Vec::new();
    let _ = open(relay, head, body).read_to_end(&mut all);
    let all = String::from_utf8_lossy(&all).into_owned();
    let (head, body) = all.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {all:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

pub(crate) fn get(relay: &Relay, path: &str) -> Answer {
    let host = relay.address();
    say(relay, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"), b"")
}

pub(crate) fn send(relay: &Relay, method: &str, path: &str, more: &str, body: &[u8]) -> Answer {
    let (host, length) = (relay.address(), body.len());
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
         Content-Length: {length}\r\n{more}\r\n"
    );
    say(relay, &head, body)
}

pub(crate) fn post(relay: &Relay, path: &str, body: &Value) -> Answer {
    let more = "Content-Type: application/json\r\n";
    send(relay, "POST", path, more, body.to_string().as_bytes())
}

/// A request that was made, and what opens it.
pub(crate) struct Made {
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) poll: String,
    pub(crate) body: Value,
}

impl Made {
    pub(crate) fn at(&self, below: &str) -> String {
        format!("/v1/human-auth/requests/{}{below}", self.id)
    }

    pub(crate) fn page(&self) -> String {
        format!("/human-auth/{}?token={}", self.id, self.token)
    }

    pub(crate) fn poll(&self, relay: &Relay) -> Value {
        let answer = get(relay, &self.at(&format!("?pollToken={}", self.poll)));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()
    }

    pub(crate) fn resolve(&self, relay: &Relay, mut body: Value) -> Answer {
        body["token"] = json!(self.token);
        post(relay, &self.at("/resolve"), &body)
    }
}

pub(crate) fn make(relay: &Relay, body: Value) -> Made {
    let answer = post(relay, "/v1/human-auth/requests", &body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let body = answer.json();
    let (_, token) = body["openUrl"].as_str().unwrap().split_once("?token=").unwrap();
    Made {
        id: body["requestId"].as_str().unwrap().to_owned(),
        token: token.to_owned(),
        poll: body["pollToken"].as_str().unwrap().to_owned(),
        body,
    }
}

/// The lines of a stream until one begins with `until`.
pub(crate) fn lines_until(stream: TcpStream, until: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in BufReader::new(stream).lines() {
        lines.push(line.unwrap());
        if lines.last().is_some_and(|line| line.starts_with(until)) {
            return lines;
        }
    }
    panic!("the stream ended without {until:?}: {lines:?}");
}
