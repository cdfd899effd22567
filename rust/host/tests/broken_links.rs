//! Executions whose link is cut at any byte, sometimes together with the operator: none is done
//! twice, none is lost silently, and every answer is right.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_adb::Server;
use clawperator_contract::{ErrorCode, Execution, Failure, Status};
use clawperator_host::device::AdbDevice;
use clawperator_host::dispatch::{self, Done, Link, Route, Stop};
use clawperator_lab::{Adb, Lab, options};
use clawperator_simphone::device::{Latency, Options};
use clawperator_simphone::system::{OperatorPackage, RELEASE_PACKAGE};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// Between the host and the adb server: cuts one connection after so many bytes, then no other.
struct Scissors {
    port: u16,
    /// Bytes until the cut; below zero when there is none.
    left: Arc<AtomicI64>,
    at_cut: Then,
}

/// What is done at the moment of the cut.
type Then = Arc<Mutex<Option<Box<dyn FnOnce() + Send>>>>;

impl Scissors {
    fn before(server_port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let scissors = Self {
            port: listener.local_addr().unwrap().port(),
            left: Arc::new(AtomicI64::new(-1)),
            at_cut: Arc::default(),
        };
        let (left, at_cut) = (Arc::clone(&scissors.left), Arc::clone(&scissors.at_cut));
        thread::spawn(move || {
            for host in listener.incoming() {
                let host = host.unwrap();
                host.set_nodelay(true).unwrap();
                let server = TcpStream::connect(("127.0.0.1", server_port)).unwrap();
                server.set_nodelay(true).unwrap();
                for (from, to) in [(&host, &server), (&server, &host)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let (left, at_cut) = (Arc::clone(&left), Arc::clone(&at_cut));
                    thread::spawn(move || pass(from, to, &left, &at_cut));
                }
            }
        });
        scissors
    }

    fn cut_after(&self, bytes: i64, then: impl FnOnce() + Send + 'static) {
        *self.at_cut.lock().unwrap() = Some(Box::new(then));
        self.left.store(bytes, Ordering::SeqCst);
    }

    /// Did it cut since it was told to?
    fn has_cut(&self) -> bool {
        self.left.swap(-1, Ordering::SeqCst) < 0
    }
}

fn pass(from: TcpStream, mut to: TcpStream, left: &AtomicI64, at_cut: &Then) {
    let mut buffer = [0; 4_096];
    let mut read = || {
        // Or the server would wait 40 ms for a word from here; see the reader in `rust/adb`.
        #[cfg(target_os = "linux")]
        let _ = rustix::net::sockopt::set_tcp_quickack(&from, true);
        (&from).read(&mut buffer).map(|count| buffer[..count].to_vec())
    };
    while let Ok(read) = read()
        && !read.is_empty()
    {
        let count = read.len();
        let mut bytes = read.as_slice();
        let armed = left.load(Ordering::SeqCst);
        let cut = armed >= 0 && armed <= i64::try_from(count).unwrap();
        if cut {
            bytes = &bytes[..usize::try_from(armed).unwrap()];
            left.store(-1, Ordering::SeqCst);
        } else if armed >= 0 {
            left.fetch_sub(i64::try_from(count).unwrap(), Ordering::SeqCst);
        }
        if to.write_all(bytes).is_err() {
            break;
        }
        if cut {
            if let Some(then) = at_cut.lock().unwrap().take() {
                then();
            }
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

/// Adds one, reads the count, adds one.
fn execution(number: usize) -> Execution {
    let button = json!({ "resourceId": "com.clawperator.conformance:id/counter_button" });
    let value = json!({ "resourceId": "com.clawperator.conformance:id/counter_value" });
    Execution::from_value(json!({
        "commandId": format!("cut-{number}"), "taskId": "cut", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 20_000,
        "actions": [
            { "id": "one", "type": "click", "params": { "matcher": button } },
            { "id": "read", "type": "read_text", "params": { "matcher": value } },
            { "id": "two", "type": "click", "params": { "matcher": button } },
        ],
    }))
    .unwrap()
}

fn send(device: &AdbDevice, execution: &Execution) -> Result<Done, Failure> {
    let stop = Stop::default();
    let route = Route {
        device,
        package: RELEASE_PACKAGE,
        host_version: "0.0.0",
        link: Some(Link::Socket),
        evidence: None,
        stop: &stop,
    };
    dispatch::execute(&route, execution, &mut ())
}

/// A phone that answers at once, with the counter on its screen.
fn phone(host: &Arc<Adb>) -> Lab {
    let options = Options { latency: Latency::default(), ..options() };
    let lab = Lab::at(host, options, vec![OperatorPackage::current()]);
    lab.phone.system().operator(RELEASE_PACKAGE).unwrap();
    lab.shell("monkey -p com.clawperator.conformance 1");
    lab
}

/// What the counter on the screen says.
fn count(lab: &Lab) -> u64 {
    let screen = lab.shell("uiautomator dump /dev/tty");
    let at = screen.find("Count: ").unwrap() + "Count: ".len();
    screen[at..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

/// What came of one dispatch, compared with what the phone did.
fn check(done: &Result<Done, Failure>, before: u64, after: u64, killed: bool, seed: u64) {
    match done {
        Ok(done) => {
            assert_eq!(done.envelope.status, Status::Success, "{seed}: {:?}", done.envelope);
            assert_eq!(after, before + 2, "{seed}: success means done, and once");
            let read = &done.envelope.step_results[1].data["text"];
            assert_eq!(*read, format!("Count: {}", before + 1), "{seed}");
        }
        Err(failure) => {
            assert_eq!(failure.code, ErrorCode::DispatchOutcomeUnknown, "{seed}: {failure}");
            assert!(killed, "{seed}: only a killed operator forgets: {failure}");
            let told = failure.details["steps"].as_array().unwrap();
            let clicks = told.iter().filter(|step| step["actionType"] == "click").count();
            let done = after - before;
            assert!(done >= clicks as u64 && done <= 2, "{seed}: {done} done, {failure}");
        }
    }
}

#[test]
fn a_thousand_dispatches_cut_at_any_byte_are_each_done_once() {
    let host = Adb::start();
    let lab = phone(&host);
    let scissors = Scissors::before(host.port);
    let server = Server::at("127.0.0.1", scissors.port, Some(host.program()));
    let device = AdbDevice::new(server.device(&lab.serial));
    let (mut cuts, mut kills, mut unknown, mut replayed) = (0, 0, 0, 0);
    let killed_ever = Arc::new(AtomicU64::new(0));
    let mut before = count(&lab);
    for seed in 0..1_000 {
        let mut random = SmallRng::seed_from_u64(seed);
        let kill = random.random_bool(0.1);
        let system = Arc::clone(lab.phone.system());
        let kills_seen = Arc::clone(&killed_ever);
        // A whole dispatch is about 1,650 bytes both ways.
        scissors.cut_after(random.random_range(0..1_650), move || {
            if kill {
                system.kill_operator(RELEASE_PACKAGE);
                kills_seen.fetch_add(1, Ordering::SeqCst);
            }
        });
        let done = send(&device, &execution(usize::try_from(seed).unwrap()));
        let cut = scissors.has_cut();
        // Android binds the service of a killed operator again by itself.
        lab.phone.system().operator(RELEASE_PACKAGE).unwrap();
        // What a cut connection still carried may be done after the answer; a whole one ends it.
        let after = count(&lab);
        check(&done, before, after, kill && cut, seed);
        cuts += usize::from(cut);
        kills += usize::from(kill && cut);
        unknown += usize::from(done.is_err());
        replayed += usize::from(done.is_ok_and(|done| done.replayed));
        before = after;
    }
    println!("{cuts} cuts, {kills} with the operator, {unknown} unknown, {replayed} told again");
    assert!(cuts > 900 && kills > 50 && unknown > 0 && replayed > 50);
}

#[test]
fn a_phone_that_drops_off_the_network_is_called_again() {
    let host = Adb::start();
    let lab = phone(&host);
    let server = Server::at("127.0.0.1", host.port, Some(host.program()));
    let device = AdbDevice::new(server.device(&lab.serial));
    let mut before = count(&lab);
    for seed in 0..40 {
        let mut random = SmallRng::seed_from_u64(seed);
        lab.phone.server().cut_after(random.random_range(0..3_000));
        let done = send(&device, &execution(usize::try_from(seed).unwrap()));
        // Not what is being measured: the next look must not be cut.
        lab.phone.server().cut_after(u64::MAX);
        device_ready(&device);
        let after = count(&lab);
        check(&done, before, after, false, seed);
        before = after;
    }
}

fn device_ready(device: &AdbDevice) {
    use clawperator_host::device::Device as _;
    device.recover(std::time::Duration::from_secs(20)).unwrap();
}

#[test]
fn an_adb_server_that_is_killed_in_the_middle_is_started_again() {
    let host = Adb::start();
    let lab = phone(&host);
    let scissors = Scissors::before(host.port);
    let server = Server::at("127.0.0.1", scissors.port, Some(host.program()));
    let device = AdbDevice::new(server.device(&lab.serial));
    let before = count(&lab);
    let dying = Arc::clone(&host);
    scissors.cut_after(900, move || {
        dying.kill();
        dying.restart();
    });
    let done = send(&device, &execution(0));
    assert!(scissors.has_cut());
    check(&done, before, count(&lab), false, 0);
}
