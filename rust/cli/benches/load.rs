//! Many clients at many phones, for minutes: does every request get its own answer, how long does it
//! take, and does the server's memory stay flat?
//!
//! Three parties, each a process of its own: the simulated phones, the server, and this one with its
//! clients. Between server and phones is the stock adb. Each request types a text nobody else types
//! and reads it back in the same execution, so an answer of another's is seen.
//!
//! `scripts/bench load`; LOAD_SECONDS, LOAD_PHONES and LOAD_CLIENTS change the size.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::panic,
    missing_docs,
    reason = "a benchmark fails and prints loudly"
)]

use clawperator_lab::Adb;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};
use ureq::Agent;

const PROGRAM: &str = env!("CARGO_BIN_EXE_clawperator");
const APP: &str = "com.clawperator.conformance";

fn main() {
    // `cargo test --benches` runs benches too; there is nothing to test here.
    if env::args().any(|arg| arg == "--test") {
        return;
    }
    let size = |name: &str, otherwise: usize| {
        env::var(name).map_or(otherwise, |text| text.parse().unwrap())
    };
    let (seconds, clients) = (size("LOAD_SECONDS", 300), size("LOAD_CLIENTS", 50));
    let host = Adb::start();
    let phones = Phones::start(&host, size("LOAD_PHONES", 200));
    let server = Server::start(&host);
    for serial in &phones.serials {
        host.connect(serial.rsplit(':').next().unwrap().parse().unwrap());
    }
    let opened = thread::scope(|scope| {
        let work = phones.serials.chunks(phones.serials.len().div_ceil(8));
        let all: Vec<_> = work
            .map(|part| scope.spawn(|| part.iter().filter(|serial| server.open(serial)).count()))
            .collect();
        all.into_iter().map(|part| part.join().unwrap()).sum::<usize>()
    });
    assert_eq!(opened, phones.serials.len(), "every phone shows the app");

    let alone = run(&server, &phones.serials[..1], 1, Duration::from_secs(5));
    let all = run(&server, &phones.serials, clients, Duration::from_secs(seconds as u64));
    println!("{} phones, {clients} clients, {seconds} s", phones.serials.len());
    println!(
        "requests {}, answered {}, wrong {}, refused {}",
        all.sent,
        all.times.len(),
        all.wrong,
        all.refused
    );
    println!(
        "throughput {:.0} executions a second",
        all.times.len() as f64 / all.took.as_secs_f64()
    );
    println!("one client, one phone: p50 {:.2?}, p99 {:.2?}", alone.at(50), alone.at(99));
    for percent in [50, 95, 99] {
        let (time, one) = (all.at(percent), alone.at(percent));
        let ratio = time.as_secs_f64() / one.as_secs_f64();
        println!("all clients, all phones: p{percent} {time:.2?}, {ratio:.1} x one client's");
    }
    let memory = &all.memory;
    let part = memory.len().div_ceil(4).max(1);
    let quarters: Vec<u64> =
        memory.chunks(part).map(|part| part.iter().max().copied().unwrap_or(0)).collect();
    println!("the server's memory, most of each quarter of the run: {quarters:?} KB");
    assert_eq!((all.wrong, all.refused), (0, 0), "an answer was wrong or missing");
    assert_eq!(all.sent, all.times.len(), "an answer was lost");
    let (first, last) = (quarters[0] as f64, *quarters.last().unwrap() as f64);
    assert!(last < first * 1.25 + 20_000.0, "the server's memory grows");
}

/// What came of all requests.
struct Outcome {
    sent: usize,
    wrong: usize,
    refused: usize,
    times: Vec<Duration>,
    took: Duration,
    memory: Vec<u64>,
}

impl Outcome {
    fn at(&self, percent: usize) -> Duration {
        self.times[(self.times.len() - 1) * percent / 100]
    }
}

fn run(server: &Server, serials: &[String], clients: usize, length: Duration) -> Outcome {
    let (sent, wrong, refused) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let started = Instant::now();
    let client = |number: usize| {
        let agent = agent();
        let mut times = Vec::new();
        // Each client wanders over all phones, and no two in step.
        let mut at = number * 7919;
        while started.elapsed() < length {
            at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let serial = &serials[(at >> 33) % serials.len()];
            let count = sent.fetch_add(1, Ordering::Relaxed);
            let text = format!("client {number} request {count}");
            let asked = Instant::now();
            match server.type_and_read(&agent, serial, number, &text) {
                Ok(answer) if says(&answer, &text) => times.push(asked.elapsed()),
                Ok(answer) => {
                    println!("wrong for {text:?}: {answer}");
                    wrong.fetch_add(1, Ordering::Relaxed);
                }
                Err(why) => {
                    println!("refused: {why}");
                    refused.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        times
    };
    let (mut times, mut memory) = (Vec::new(), Vec::new());
    thread::scope(|scope| {
        let client = &client;
        let all: Vec<_> = (0..clients).map(|number| scope.spawn(move || client(number))).collect();
        while !all.iter().all(thread::ScopedJoinHandle::is_finished) {
            memory.push(server.memory());
            thread::sleep(Duration::from_secs(1));
        }
        for one in all {
            times.extend(one.join().unwrap());
        }
    });
    let took = started.elapsed();
    times.sort();
    let number = |count: AtomicUsize| count.into_inner();
    Outcome {
        sent: number(sent),
        wrong: number(wrong),
        refused: number(refused),
        times,
        took,
        memory,
    }
}

/// Does the answer hold exactly what this request typed?
fn says(answer: &Value, text: &str) -> bool {
    let steps = &answer["envelope"]["stepResults"];
    answer["envelope"]["status"] == "success"
        && answer["envelope"]["commandId"] == text
        && steps[1]["data"]["text"] == text
}

fn agent() -> Agent {
    let settings = Agent::config_builder().timeout_global(Some(Duration::from_secs(60)));
    settings.http_status_as_error(false).build().into()
}

/// Simulated phones in a process of their own.
struct Phones {
    child: Child,
    serials: Vec<String>,
}

impl Phones {
    fn start(host: &Adb, count: usize) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(["sim", "--instant", "--json", "--count", &count.to_string()]);
        let mut child = command.env("HOME", &host.home).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let serials = lines.take(count).map(|line| {
            let told: Value = serde_json::from_str(&line.unwrap()).unwrap();
            told["serial"].as_str().unwrap().to_owned()
        });
        let serials = serials.collect();
        Self { child, serials }
    }
}

impl Drop for Phones {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The server, in a process of its own.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(host: &Adb) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(["serve", "--port", "0", "--json"]).env("HOME", &host.home);
        command.env("ANDROID_ADB_SERVER_PORT", host.port.to_string()).env_remove("ANDROID_SERIAL");
        command.env("ADB_PATH", host.program());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        Self { child, url: told["url"].as_str().unwrap().to_owned() }
    }

    fn open(&self, serial: &str) -> bool {
        let actions = json!([
            {"id": "open", "type": "open_app", "params": {"applicationId": APP}},
            {"id": "there", "type": "wait_for_node", "params": {"matcher": {"textEquals": "Add one"}}},
        ]);
        let answer = self.execute(&agent(), serial, 0, "open", &actions);
        answer.is_ok_and(|answer| answer["envelope"]["status"] == "success")
    }

    fn type_and_read(
        &self,
        agent: &Agent,
        serial: &str,
        client: usize,
        text: &str,
    ) -> Result<Value, String> {
        let field = json!({"resourceId": format!("{APP}:id/text_field")});
        let actions = json!([
            {"id": "type", "type": "enter_text", "params": {"matcher": field, "text": text, "clear": true}},
            {"id": "read", "type": "read_text", "params": {"matcher": field}},
        ]);
        self.execute(agent, serial, client, text, &actions)
    }

    fn execute(
        &self,
        agent: &Agent,
        serial: &str,
        client: usize,
        command: &str,
        actions: &Value,
    ) -> Result<Value, String> {
        let execution = json!({
            "commandId": command, "taskId": "load", "source": "bench",
            "expectedFormat": "android-ui-automator", "timeoutMs": 30_000, "actions": actions,
        });
        let body = json!({"deviceId": serial, "execution": execution}).to_string();
        let mut answer = agent
            .post(format!("{}/execute", self.url))
            .header("content-type", "application/json")
            .header("x-client-id", client.to_string())
            .send(body)
            .map_err(|error| error.to_string())?;
        let status = answer.status();
        let text = answer.body_mut().read_to_string().map_err(|error| error.to_string())?;
        if status != 200 {
            return Err(format!("{status}: {text}"));
        }
        serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))
    }

    /// What it holds in memory, in KB.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
