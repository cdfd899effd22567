//! A phone and an operator that go away in the middle of an agent's session.

use crate::support::{CONFORMANCE, Desk, LAUNCHER, Program, until};
use crate::talk::Talk;
use clawperator_adbd::Presence;
use serde_json::json;
use std::fs;

#[test]
fn a_session_without_its_phone_does_not_begin() {
    let desk = Desk::new();
    let program = Program::at(desk.program.port, &desk.program.adb);
    let args = ["pocket", "run", "--device", "nobody", "--workspace", "w"];
    program.run(&args).failed("DEVICE_NOT_FOUND");
    assert!(!program.home.join("w").exists());
}

#[test]
fn a_session_outlives_its_operator_and_its_phone() {
    let desk = Desk::with_own_server();
    let args = ["pocket", "run", "--workspace", "w", "--session", "s"];
    let mut talk = Talk::begin(desk.program.command(&args));
    talk.did(&json!({"type": "launch_app", "packageName": CONFORMANCE}));

    // The system starts the operator again when it is called.
    desk.kill_operator();
    let home = json!({"type": "keyevent", "keycode": "KEYCODE_HOME"});
    talk.did(&home);
    until("the phone is at home", || desk.front() == LAUNCHER);

    let is = |word: &str| {
        let listed = desk.lab.host.run(&["devices"]).text();
        listed.contains(&format!("{}\t{word}", desk.lab.serial))
    };
    desk.lab.phone.server().set_presence(Presence::Offline);
    until("it is gone", || !is("device"));
    let lost = talk.ask(&home);
    assert_eq!(lost["ok"], false, "{lost}");
    let code = lost["error"]["code"].as_str().unwrap();
    assert!(code.starts_with("DEVICE_"), "{lost}");
    assert!(lost["error"]["hint"].is_string(), "{lost}");

    // What needs no phone is done, and the phone is used again when it is back.
    talk.did(&json!({"type": "write", "path": "note.md", "content": "it is gone"}));
    desk.lab.phone.server().set_presence(Presence::Online);
    until("it is back", || {
        desk.lab.host.run(&["connect", &desk.lab.serial]);
        is("device")
    });
    talk.did(&home);
    talk.did(&json!({"type": "finish"}));
    assert_eq!(talk.end(), 0);
    let page = fs::read_to_string(desk.program.path("s/session.md")).unwrap();
    assert!(page.contains(code) && page.contains("## End: SUCCESS"), "{page}");
}
