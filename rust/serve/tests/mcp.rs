//! Agents at the desk, without a program around them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[path = "support/server.rs"]
mod server;
mod support;

use clawperator_serve::desk::{Desk, Phase};
use clawperator_serve::http::Guard;
use clawperator_serve::mcp::{Office, Server, Skills};
use clawperator_skills::policy::Policy;
use clawperator_skills::run::Redactor;
use rmcp::ServiceExt as _;
use serde_json::{Value, json};
use server::Server as Served;
use std::sync::Arc;
use std::time::Duration;
use support::{Sims, desk, endless, order, setup};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, split};

/// An agent that has shaken hands.
struct Agent {
    lines: tokio::io::Lines<BufReader<tokio::io::ReadHalf<DuplexStream>>>,
    out: tokio::io::WriteHalf<DuplexStream>,
}

impl Agent {
    async fn at(desk: &Desk, device: Option<&str>, wait: Duration) -> Self {
        let office = Office {
            desk: desk.clone(),
            device: device.map(str::to_owned),
            wait,
            skills: Skills {
                registries: Vec::new(),
                policy: Arc::new(Policy::default()),
                redactor: Arc::new(|| Ok(Redactor::new([7; 32]))),
            },
            version: "1".into(),
        };
        let (near, far) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move { Server::new(office).serve(far).await.unwrap().waiting().await });
        let (read, out) = split(near);
        let mut agent = Self { lines: BufReader::new(read).lines(), out };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        agent.ask(0, "initialize", hello).await;
        agent.say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        agent
    }

    async fn say(&mut self, message: Value) {
        self.out.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn answer(&mut self, id: u64) -> Value {
        loop {
            let line = self.lines.next_line().await.unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.say(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        self.answer(id).await
    }

    /// Calls a tool; its facts.
    async fn call(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = self.ask(id, "tools/call", params).await;
        let result = &answer["result"];
        assert_eq!(result["isError"], result["structuredContent"]["ok"] == false, "{answer}");
        result["structuredContent"].clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_phones_one_has_to_be_named_and_all_are_listed() {
    let desk = desk(&["a", "b"]);
    let mut agent = Agent::at(&desk, None, Duration::ZERO).await;
    let facts = agent.call(1, "snapshot", json!({})).await;
    let error = &facts["error"];
    assert_eq!(error["code"], "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED", "{facts}");
    assert_eq!(error["hint"], "name one of them with the argument device");
    assert_eq!(error["details"]["devices"], json!(["a", "b"]));
    let facts = agent.call(2, "snapshot", json!({ "device": "b" })).await;
    assert_eq!((&facts["ok"], &facts["device"]), (&json!(true), &json!("b")), "{facts}");
    let facts = agent.call(3, "press", json!({ "key": "home", "device": "c" })).await;
    assert_eq!(facts["error"]["code"], "DEVICE_NOT_FOUND", "{facts}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_for_one_phone_reaches_no_other() {
    let desk = desk(&["a", "b"]);
    let mut agent = Agent::at(&desk, Some("a"), Duration::ZERO).await;
    let facts = agent.call(1, "devices", json!({})).await;
    assert_eq!(facts["devices"].as_array().unwrap().len(), 1, "{facts}");
    let facts = agent.call(2, "snapshot", json!({ "device": "b" })).await;
    assert_eq!(facts["error"]["code"], "DEVICE_NOT_FOUND", "{facts}");
    let facts = agent.call(3, "snapshot", json!({})).await;
    assert_eq!(facts["device"], "a", "{facts}");
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_wait_for_their_turn_behind_other_clients() {
    let desk = desk(&["a"]);
    let other = desk.submit(order("a", "http", endless("other"))).unwrap();
    let mut agent = Agent::at(&desk, Some("a"), Duration::ZERO).await;
    let params = json!({ "name": "press", "arguments": { "key": "home" } });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    agent.say(call).await;
    while desk.waiting("a") == 0 {
        tokio::task::yield_now().await;
    }
    assert!(!matches!(other.phase(), Phase::Ended(_)));
    desk.cancel(other.dispatch_id()).unwrap();
    let answer = agent.answer(1).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_another_program_holds_is_a_failure_with_a_way_out() {
    let sims = Sims::new(&["a"]);
    *sims.held.lock().unwrap() = true;
    let desk = Desk::new(setup(&sims));
    let mut agent = Agent::at(&desk, Some("a"), Duration::ZERO).await;
    let facts = agent.call(1, "press", json!({ "key": "home" })).await;
    assert_eq!(facts["error"]["code"], "EXECUTION_CONFLICT_IN_FLIGHT", "{facts}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_is_cancelled_before_it_reaches_the_phone() {
    let desk = desk(&["a"]);
    let other = desk.submit(order("a", "http", endless("other"))).unwrap();
    let mut agent = Agent::at(&desk, Some("a"), Duration::ZERO).await;
    let params = json!({ "name": "press", "arguments": { "key": "home" } });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    agent.say(call).await;
    while desk.waiting("a") == 0 {
        tokio::task::yield_now().await;
    }
    let params = json!({ "requestId": 1 });
    let method = "notifications/cancelled";
    agent.say(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    while desk.waiting("a") > 0 {
        tokio::task::yield_now().await;
    }
    assert!(!matches!(other.phase(), Phase::Ended(_)));
    desk.cancel(other.dispatch_id()).unwrap();
}

#[test]
fn over_http_agents_pass_the_same_guard_as_everybody() {
    let guard = Guard { token: Some("a-secret-token-of-the-test".into()), hosts: vec![] };
    let server = Served::with("mcp-guard", &Sims::new(&["a"]), guard, |_| {});
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        },
    })
    .to_string();
    let form = ("content-type", "application/json");
    let takes = ("accept", "application/json, text/event-stream");
    let token = ("authorization", "Bearer a-secret-token-of-the-test");
    let send = |more: &[(&str, &str)]| {
        server.send("POST", "/mcp", &[&[form, takes], more].concat(), hello.as_bytes())
    };
    assert_eq!(send(&[]).failure(), (401, "UNAUTHORIZED".into()));
    for stranger in [("host", "evil.example"), ("origin", "http://evil.example")] {
        assert_eq!(send(&[token, stranger]).failure(), (403, "ORIGIN_REFUSED".into()));
    }
    assert_eq!(send(&[token]).status, 200);
}
