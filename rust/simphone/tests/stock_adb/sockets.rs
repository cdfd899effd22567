//! The operator's socket through a port that adb forwards.

use clawperator_contract::Status;
use clawperator_contract::envelope::{StepData, StepResult};
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_lab::{Lab, execution, options};
use clawperator_link::socket::{Caller, HostSession, LinkError};
use clawperator_simphone::system::RELEASE_PACKAGE;
use serde_json::json;
use std::io::Read as _;
use std::net::TcpStream;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(60);

type Session = HostSession<TcpStream, TcpStream>;

/// A host that does what it is asked, by adb.
struct Host<'a> {
    lab: &'a Lab,
    steps: Vec<String>,
    pictures: Vec<Vec<u8>>,
}

impl<'a> Host<'a> {
    fn new(lab: &'a Lab) -> Self {
        Self { lab, steps: vec![], pictures: vec![] }
    }
}

impl Caller for Host<'_> {
    fn step_ended(&mut self, index: usize, result: &StepResult, picture: Option<Vec<u8>>) {
        assert_eq!(index, self.steps.len());
        self.steps.push(format!("{} {}", result.action_type, result.success));
        self.pictures.extend(picture);
    }

    fn host_call(&mut self, call: HostCall) -> HostAnswer {
        let HostCall::CloseApp { application_id } = call else { panic!("{call:?}") };
        self.lab.shell(&format!("am force-stop {application_id}"));
        HostAnswer::Done { data: StepData::new() }
    }
}

fn connect(lab: &Lab, name: &str) -> TcpStream {
    let port = lab.does(&["forward", "tcp:0", &format!("localabstract:{name}")]).out();
    TcpStream::connect(("127.0.0.1", port.trim().parse().unwrap())).unwrap()
}

fn open(lab: &Lab) -> Session {
    let stream = connect(lab, RELEASE_PACKAGE);
    let reader = stream.try_clone().unwrap();
    let mut session = HostSession::new(reader, stream, "0.0.0-test");
    session.greet(SOON).unwrap();
    session
}

#[test]
fn an_execution_runs_step_by_step_with_its_picture_and_its_host() {
    let lab = Lab::new();
    lab.shell("am start -W -n com.example.news/.MainActivity");
    let mut session = open(&lab);
    let identity = session.identity().unwrap().clone();
    assert_eq!(identity.package, RELEASE_PACKAGE);
    assert!(identity.service_running);
    let actions = json!([
        { "id": "1", "type": "close_app", "params": { "applicationId": "com.example.news" } },
        { "id": "2", "type": "open_app", "params": { "applicationId": "com.android.settings" } },
        { "id": "3", "type": "wait_for_node",
          "params": { "matcher": { "textEquals": "Network & internet" } } },
        { "id": "4", "type": "take_screenshot" },
        { "id": "5", "type": "snapshot_ui" }
    ]);
    let mut host = Host::new(&lab);
    let end = session.dispatch("d1", &execution("c1", &actions), SOON, &mut host).unwrap();
    assert_eq!(end.envelope.status, Status::Success, "{end:?}");
    assert!(!end.replayed);
    let steps = ["close_app", "open_app", "wait_for_node", "take_screenshot", "snapshot_ui"];
    assert_eq!(host.steps, steps.map(|step| format!("{step} true")));
    assert!(end.envelope.step_results[4].data["text"].contains("Network &amp; internet"));
    assert_eq!(host.pictures.len(), 1);
    assert!(host.pictures[0].starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(!lab.shell("dumpsys activity").contains("com.example.news"));
    // Nothing of it is in the log.
    assert!(!lab.does(&["logcat", "-d"]).out().contains("hierarchy"));
    // On another connection it is told again, and not run again.
    let again = open(&lab).resume("d1", SOON, &mut Host::new(&lab)).unwrap();
    assert!(again.replayed);
    assert_eq!(again.envelope, end.envelope);
}

#[test]
fn an_operator_that_died_has_forgotten_its_dispatches() {
    let lab = Lab::new();
    let actions = json!([{ "id": "1", "type": "snapshot_ui" }]);
    let mut session = open(&lab);
    let mut host = Host::new(&lab);
    session.dispatch("d1", &execution("c1", &actions), SOON, &mut host).unwrap();
    let boot = session.identity().unwrap().boot_id.clone();
    assert_eq!(open(&lab).identity().unwrap().boot_id, boot);
    lab.phone.system().kill_operator(RELEASE_PACKAGE);
    // Its connections died with it.
    let lost = session.resume("d1", SOON, &mut host);
    assert!(matches!(lost, Err(LinkError::Broken(_))), "{lost:?}");
    let mut session = open(&lab);
    assert_ne!(session.identity().unwrap().boot_id, boot);
    match session.resume("d1", SOON, &mut host) {
        Err(LinkError::Refused { code, .. }) => assert_eq!(code, "DISPATCH_UNKNOWN"),
        other => panic!("{other:?}"),
    }
    let mut host = Host::new(&lab);
    session.dispatch("d2", &execution("c2", &actions), SOON, &mut host).unwrap();
}

#[test]
fn an_operator_that_dies_at_work_takes_its_connection_along() {
    let lab = Lab::new();
    let never = json!([{ "id": "1", "type": "wait_for_node",
        "params": { "matcher": { "textEquals": "nowhere" }, "timeoutMs": 50_000 } }]);
    let mut session = open(&lab);
    std::thread::scope(|scope| {
        let never = execution("c1", &never);
        let lab = &lab;
        let waiting =
            scope.spawn(move || session.dispatch("d1", &never, SOON, &mut Host::new(lab)));
        // It is at work as soon as somebody else is told so.
        let mut other = open(lab);
        let brief = Duration::from_millis(1);
        while matches!(
            other.resume("d1", brief, &mut Host::new(lab)),
            Err(LinkError::Refused { .. })
        ) {}
        lab.phone.system().kill_operator(RELEASE_PACKAGE);
        let lost = waiting.join().unwrap();
        assert!(matches!(lost, Err(LinkError::Broken(_))), "{lost:?}");
    });
}

#[test]
fn a_socket_nobody_listens_on_is_refused() {
    let lab = Lab::new();
    for name in ["com.example.nobody", "com.clawperator.operator.dev"] {
        assert_eq!(connect(&lab, name).read(&mut [0]).unwrap_or(0), 0, "{name}");
    }
    let bare = Lab::with(options(), vec![]);
    assert_eq!(connect(&bare, RELEASE_PACKAGE).read(&mut [0]).unwrap_or(0), 0);
    // An operator whose service is off does not listen.
    lab.shell("settings put secure enabled_accessibility_services ''");
    assert_eq!(connect(&lab, RELEASE_PACKAGE).read(&mut [0]).unwrap_or(0), 0);
}
