//! Operators that are missing, switched off, of another kind, or not operators at all.

use crate::support::{Between, CONFORMANCE, Desk, Service, add_one, as_operator, shell_says};
use clawperator_contract::frame::Frame;
use clawperator_contract::message::{Message, PROTOCOL};
use clawperator_contract::operator::{DEV_PACKAGE, RELEASE_PACKAGE};
use clawperator_lab::options;
use clawperator_simphone::system::OperatorPackage;
use serde_json::json;

const LINKS: [&str; 2] = ["socket", "broadcast"];

#[test]
fn no_operator() {
    let desk = Desk::with(options(), vec![]);
    for flags in [&[][..], &["--link", "socket"], &["--link", "broadcast"]] {
        let answer = desk.run(&[&["snapshot"], flags].concat()).failed("OPERATOR_NOT_INSTALLED");
        assert_eq!(answer.detail("operatorPackage"), RELEASE_PACKAGE);
        let hint = answer.json["hint"].as_str().unwrap();
        assert!(hint.contains("clawperator operator setup --device "), "{hint}");
    }
}

#[test]
fn only_the_other_variant_is_installed() {
    let developers = OperatorPackage { package: DEV_PACKAGE.into(), ..OperatorPackage::current() };
    let desk = Desk::with(options(), vec![developers]);
    for link in LINKS {
        let answer = desk.run(&["snapshot", "--link", link]).failed("OPERATOR_VARIANT_MISMATCH");
        assert_eq!(*answer.detail("installed"), json!([DEV_PACKAGE]));
        desk.run(&["snapshot", "--link", link, "--operator-package", DEV_PACKAGE]).succeeded();
    }
}

#[test]
fn its_service_is_off() {
    let off = OperatorPackage { enabled: false, ..OperatorPackage::current() };
    let desk = Desk::with(options(), vec![off]);
    let answer = desk.run(&["snapshot"]).failed("DEVICE_ACCESSIBILITY_NOT_RUNNING");
    let hint = answer.json["hint"].as_str().unwrap();
    assert!(hint.contains("clawperator grant-device-permissions"), "{hint}");
    // A broadcast reaches it all the same, and it says so itself.
    let told = desk.run(&["snapshot", "--link", "broadcast"]);
    assert_eq!((told.code, told.err.as_str()), (Some(1), ""), "{}", told.out);
    assert_eq!(told.envelope()["errorCode"], "SERVICE_UNAVAILABLE", "{}", told.out);
}

/// A desk whose operator somebody else plays.
fn played(
    protocol: u32,
    answers: impl Fn(&Message) -> Vec<Frame> + Clone + Send + Sync + 'static,
) -> (Desk, Between) {
    let mut desk = Desk::new();
    desk.show(CONFORMANCE);
    let between = Between::before(desk.program.port, move |service| {
        if service.starts_with("localabstract:") {
            as_operator(protocol, answers.clone())
        } else {
            Service::Pass
        }
    });
    desk.by_way_of(&between);
    (desk, between)
}

#[test]
fn it_speaks_another_version_of_the_protocol() {
    let (desk, _between) = played(99, |_| vec![]);
    let answer = desk.exec(&json!([add_one("one")]), &[]).failed("VERSION_INCOMPATIBLE");
    assert_eq!(*answer.detail("operatorProtocol"), json!(99));
    assert_eq!(*answer.detail("hostProtocol"), json!(PROTOCOL));
    assert_eq!(*answer.detail("apkVersion"), json!("9.9.9"));
    assert_eq!(desk.count(), "0");
}

#[test]
fn it_says_what_the_protocol_does_not_know() {
    let (desk, _between) = played(PROTOCOL, |_| vec![Frame::Json(r#"{"type":"dance"}"#.into())]);
    desk.exec(&json!([add_one("one")]), &[]).failed("LINK_PROTOCOL_ERROR");
    let (desk, _between) = played(PROTOCOL, |_| vec![Frame::Json("no JSON".into())]);
    desk.exec(&json!([add_one("one")]), &[]).failed("LINK_PROTOCOL_ERROR");
}

#[test]
fn it_takes_an_execution_and_never_answers() {
    let (desk, _between) = played(PROTOCOL, |message| match message {
        Message::Request { dispatch_id, .. } => {
            vec![Message::Accepted { dispatch_id: dispatch_id.clone() }.to_frame()]
        }
        _ => vec![],
    });
    let answer = desk.exec(&json!([add_one("one")]), &["--timeout", "1000"]);
    let answer = answer.failed("RESULT_ENVELOPE_TIMEOUT");
    assert_eq!(*answer.detail("steps"), json!([]));
    assert_eq!(answer.detail("commandId"), "given");
    assert!(answer.detail("dispatchId").is_string());
}

#[test]
fn it_refuses_by_a_code_of_its_own() {
    let (desk, _between) = played(PROTOCOL, |_| {
        let (code, message) = ("PAYLOAD_INVALID".to_owned(), "no".to_owned());
        vec![Message::Refused { dispatch_id: None, code, message }.to_frame()]
    });
    desk.exec(&json!([add_one("one")]), &[]).failed("PAYLOAD_INVALID");
}

/// A desk whose phone answers a command of its shell in another way.
fn with_command(start: &'static str, instead: fn() -> Service) -> (Desk, Between) {
    let mut desk = Desk::new();
    desk.show(CONFORMANCE);
    let between = Between::before(desk.program.port, move |service| {
        let (_, line) = service.split_once(':').unwrap_or_default();
        if line.starts_with(start) { instead() } else { Service::Pass }
    });
    desk.by_way_of(&between);
    (desk, between)
}

#[test]
fn the_phone_does_not_send_the_broadcast() {
    let refused = || shell_says("Security exception: not allowed to send broadcast\n", 255);
    let (desk, _between) = with_command("am broadcast", refused);
    let answer = desk.exec(&json!([add_one("one")]), &["--link", "broadcast"]);
    let answer = answer.failed("BROADCAST_FAILED");
    assert!(answer.message().contains("Security exception"), "{}", answer.message());
    assert_eq!(desk.count(), "0");
}

#[test]
fn the_phones_log_cannot_be_read() {
    let (desk, _between) = with_command("logcat", || Service::Refuse);
    let answer = desk.exec(&json!([add_one("one")]), &["--link", "broadcast"]);
    answer.failed("LOGCAT_UNAVAILABLE");
    assert_eq!(desk.count(), "0");
}

#[test]
fn the_phones_shell_does_not_answer_what_it_was_asked() {
    let (desk, _between) = with_command("date", || shell_says("sh: date: not found\n", 127));
    let answer = desk.exec(&json!([add_one("one")]), &["--link", "broadcast"]);
    answer.failed("DEVICE_SHELL_UNAVAILABLE");
    assert_eq!(desk.count(), "0");
}
