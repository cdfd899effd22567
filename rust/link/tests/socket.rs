//! Both ends of the socket link, over a real pair of sockets, with a station that follows a script.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_contract::envelope::{Envelope, StepData, StepResult};
use clawperator_contract::message::{HostAnswer, HostCall, Message};
use clawperator_contract::{ErrorCode, Execution};
use clawperator_link::socket::{Caller, HostSession, LinkError, serve};
use clawperator_link::station::{Courier, DispatchState, Identity, Station, Taken};
use serde_json::json;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

type Ends = HashMap<String, Option<Arc<Envelope>>>;

/// Runs each execution on a thread of its own: two steps, the second asks the host. It waits at a
/// gate first, so that a test decides when it ends.
#[derive(Default)]
struct ScriptedStation {
    dispatches: Arc<(Mutex<Ends>, Condvar)>,
    gate: Arc<(Mutex<bool>, Condvar)>,
    acted: Arc<Mutex<u32>>,
    cancelled: Mutex<Vec<String>>,
}

impl ScriptedStation {
    fn open_gate(&self) {
        *self.gate.0.lock().unwrap() = true;
        self.gate.1.notify_all();
    }
}

impl Station for ScriptedStation {
    fn identity(&self) -> Identity {
        Identity {
            app_version: "1.2.3".into(),
            package: "com.clawperator.operator".into(),
            boot_id: "boot".into(),
            service_running: true,
            uptime: Duration::ZERO,
        }
    }

    fn submit(&self, id: Option<&str>, payload: Vec<u8>, mut courier: Box<dyn Courier>) -> Taken {
        let id = id.unwrap().to_owned();
        let mut dispatches = self.dispatches.0.lock().unwrap();
        if dispatches.contains_key(&id) {
            return Taken::Known(DispatchState::Running);
        }
        dispatches.insert(id.clone(), None);
        let (gate, acted, all) =
            (Arc::clone(&self.gate), Arc::clone(&self.acted), Arc::clone(&self.dispatches));
        std::thread::spawn(move || {
            let open = gate.0.lock().unwrap();
            drop(gate.1.wait_while(open, |open| !*open).unwrap());
            *acted.lock().unwrap() += 1;
            let payload: serde_json::Value = serde_json::from_slice(&payload).unwrap();
            let first = StepResult::success("a", "take_screenshot", StepData::new());
            courier.step_ended(0, &first, Some(vec![7; 100_000]));
            let answer = courier.host_call(HostCall::CloseApp { application_id: "x".into() }, SOON);
            let second = match answer {
                Some(HostAnswer::Done { data }) => StepResult::success("b", "close_app", data),
                other => StepResult::failure(
                    "b",
                    "close_app",
                    ErrorCode::ActionFailed,
                    &format!("{other:?}"),
                ),
            };
            courier.step_ended(1, &second, None);
            let id_text = payload["commandId"].as_str().unwrap();
            let envelope = Arc::new(Envelope::of_steps(id_text, "t", vec![first, second]));
            all.0.lock().unwrap().insert(id, Some(Arc::clone(&envelope)));
            all.1.notify_all();
            courier.ended(envelope);
        });
        Taken::Queued
    }

    fn outcome(&self, id: &str, wait: Duration) -> DispatchState {
        let dispatches = self.dispatches.0.lock().unwrap();
        let (dispatches, _) = self
            .dispatches
            .1
            .wait_timeout_while(dispatches, wait, |all| matches!(all.get(id), Some(None)))
            .unwrap();
        match dispatches.get(id) {
            None => DispatchState::Unknown,
            Some(None) => DispatchState::Running,
            Some(Some(envelope)) => DispatchState::Ended(Arc::clone(envelope)),
        }
    }

    fn cancel(&self, id: &str) {
        self.cancelled.lock().unwrap().push(id.into());
    }
}

#[derive(Default)]
struct Host {
    steps: Vec<(usize, String, usize)>,
    calls: Vec<HostCall>,
}

impl Caller for Host {
    fn step_ended(&mut self, index: usize, result: &StepResult, picture: Option<Vec<u8>>) {
        self.steps.push((index, result.id.clone(), picture.map_or(0, |bytes| bytes.len())));
    }

    fn host_call(&mut self, call: HostCall) -> HostAnswer {
        self.calls.push(call);
        HostAnswer::Done { data: StepData::from([("application_id".into(), "x".into())]) }
    }
}

struct Connection {
    session: HostSession<UnixStream, UnixStream>,
    stream: UnixStream,
    operator: JoinHandle<std::io::Result<()>>,
}

fn connect(station: &Arc<ScriptedStation>) -> Connection {
    let (host, operator) = UnixStream::pair().unwrap();
    let station: Arc<dyn Station> = Arc::clone(station) as Arc<dyn Station>;
    let writer = operator.try_clone().unwrap();
    let operator = std::thread::spawn(move || serve(operator, writer, &station));
    let writer = host.try_clone().unwrap();
    let stream = host.try_clone().unwrap();
    let mut session = HostSession::new(host, writer, "0.1.0");
    session.greet(SOON).unwrap();
    Connection { session, stream, operator }
}

fn execution(id: &str) -> Execution {
    Execution::from_value(json!({
        "commandId": id, "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
        "timeoutMs": 30_000, "actions": [{ "id": "a", "type": "snapshot_ui" }]
    }))
    .unwrap()
}

#[test]
fn an_execution_is_seen_through_with_steps_pictures_and_questions() {
    let station = Arc::new(ScriptedStation::default());
    station.open_gate();
    let mut connection = connect(&station);
    assert_eq!(connection.session.identity().unwrap().app_version, "1.2.3");
    let mut host = Host::default();
    let done = connection.session.dispatch("d1", &execution("c1"), SOON, &mut host).unwrap();
    assert!(!done.replayed);
    assert_eq!(done.envelope.command_id, "c1");
    assert_eq!(done.envelope.step_results[1].data["application_id"], "x");
    assert_eq!(host.steps, [(0, "a".into(), 100_000), (1, "b".into(), 0)]);
    assert_eq!(host.calls, [HostCall::CloseApp { application_id: "x".into() }]);
    drop((connection.session, connection.stream));
    connection.operator.join().unwrap().unwrap();
}

#[test]
fn a_link_that_breaks_loses_nothing_and_repeats_nothing() {
    let station = Arc::new(ScriptedStation::default());
    let mut connection = connect(&station);
    let stream = connection.stream.try_clone().unwrap();
    let dispatched = std::thread::spawn(move || {
        let outcome =
            connection.session.dispatch("d1", &execution("c1"), SOON, &mut Host::default());
        (outcome, connection.operator)
    });
    // Cut it while the execution stands at the gate.
    while station.outcome("d1", Duration::ZERO) == DispatchState::Unknown {
        std::thread::yield_now();
    }
    stream.shutdown(Shutdown::Both).unwrap();
    let (outcome, operator) = dispatched.join().unwrap();
    assert!(matches!(outcome, Err(LinkError::Broken(_))), "{outcome:?}");
    let _ = operator.join().unwrap();
    // Ask again while it still waits; it ends afterwards.
    let mut again = connect(&station);
    let asking = std::thread::spawn(move || again.session.resume("d1", SOON, &mut Host::default()));
    station.open_gate();
    let done = asking.join().unwrap().unwrap();
    assert!(done.replayed);
    assert_eq!(done.envelope.command_id, "c1");
    // Nobody was there to close the app, and the step says so.
    assert!(!done.envelope.step_results[1].success);
    // Sent again under the same id, it is told again, not done again.
    let mut third = connect(&station);
    let told = third.session.dispatch("d1", &execution("c1"), SOON, &mut Host::default()).unwrap();
    assert!(told.replayed);
    assert_eq!(*station.acted.lock().unwrap(), 1);
}

#[test]
fn a_dispatch_nobody_knows_is_refused_and_the_connection_lives_on() {
    let station = Arc::new(ScriptedStation::default());
    station.open_gate();
    let mut connection = connect(&station);
    let mut host = Host::default();
    let refused = connection.session.resume("never", SOON, &mut host);
    assert!(matches!(&refused, Err(LinkError::Refused { code, .. }) if code == "DISPATCH_UNKNOWN"));
    let done = connection.session.dispatch("d1", &execution("c1"), SOON, &mut host);
    assert!(done.is_ok());
}

#[test]
fn cancelling_reaches_the_station() {
    let station = Arc::new(ScriptedStation::default());
    let mut connection = connect(&station);
    connection.session.cancel("d1").unwrap();
    station.open_gate();
    connection.session.dispatch("d2", &execution("c"), SOON, &mut Host::default()).unwrap();
    assert_eq!(*station.cancelled.lock().unwrap(), ["d1"]);
}

#[test]
fn another_protocol_is_told_apart_from_a_broken_link() {
    let (host, mut operator) = UnixStream::pair().unwrap();
    let answering = std::thread::spawn(move || {
        let mut hello = [0; 512];
        let count = operator.read(&mut hello).unwrap();
        assert!(count > 5);
        let welcome = Message::Welcome {
            protocol: 99,
            app_version: "9.0.0".into(),
            package: "p".into(),
            boot_id: "b".into(),
            service_running: true,
            uptime_ms: 0,
        };
        let mut bytes = Vec::new();
        welcome.to_frame().write(&mut bytes).unwrap();
        operator.write_all(&bytes).unwrap();
    });
    let writer = host.try_clone().unwrap();
    let error = HostSession::new(host, writer, "0.1.0").greet(SOON).unwrap_err();
    assert!(matches!(error, LinkError::Incompatible { protocol: 99, .. }), "{error}");
    answering.join().unwrap();
}

#[test]
fn an_operator_hangs_up_on_bytes_that_make_no_sense() {
    let station: Arc<dyn Station> = Arc::new(ScriptedStation::default());
    for bytes in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"\xff\xff\xff\xff\x01", b"\x00\x00\x00\x02\x01x"]
    {
        let (mut stranger, operator) = UnixStream::pair().unwrap();
        stranger.write_all(bytes).unwrap();
        let writer = operator.try_clone().unwrap();
        assert!(serve(operator, writer, &station).is_err());
    }
}

#[test]
fn an_operator_that_says_nothing_is_not_waited_for_forever() {
    let (host, _silent) = UnixStream::pair().unwrap();
    let writer = host.try_clone().unwrap();
    let mut session = HostSession::new(host, writer, "0.1.0");
    let error = session.greet(Duration::from_millis(1)).unwrap_err();
    assert!(matches!(error, LinkError::TimedOut), "{error}");
}
