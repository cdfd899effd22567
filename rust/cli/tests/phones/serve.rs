//! `serve`, against a simulated phone behind the stock adb.

use crate::support::{CONFORMANCE, Desk, Served, answer, execution, held_open, until};
use nix::sys::signal::Signal;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::thread;

fn served() -> (Desk, Served) {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let server = desk.program.serve(&[]);
    (desk, server)
}

fn named(id: &str, actions: &Value) -> Value {
    json!({ "execution": execution(actions), "dispatchId": id })
}

fn home() -> Value {
    json!([{ "id": "home", "type": "press_key", "params": { "key": "home" } }])
}

#[test]
fn a_server_that_is_killed_in_the_middle_tells_the_one_true_result_when_it_is_back() {
    let (desk, server) = served();
    let order = named("mine-1", &held_open());
    let running = server.send("POST", "/execute", Some(&order));
    until("it runs", || desk.count() == "1");
    server.signal(Signal::SIGKILL);
    assert_eq!(server.ended(), None);
    drop(running);

    let server = desk.program.serve(&[]);
    let (status, told) = server.get("/dispatches/mine-1?waitMs=0");
    assert_eq!((status, &told["state"]), (202, &json!("running")), "{told}");
    desk.let_go();
    let (status, told) = server.get("/dispatches/mine-1");
    assert_eq!(status, 200, "{told}");
    assert_eq!(told["envelope"]["status"], "success");
    assert_eq!(told["envelope"]["commandId"], "given");
    let ids: Vec<&Value> =
        told["envelope"]["stepResults"].as_array().unwrap().iter().map(|s| &s["id"]).collect();
    assert_eq!(ids, ["one", "held"]);
    assert_eq!(told["replayed"], true);
    // A client that does not know whether its request arrived may send it again.
    let (status, again) = server.post("/execute", &order);
    assert_eq!((status, &again), (200, &told));
    assert_eq!(desk.count(), "1");
}

#[test]
fn the_same_request_after_a_crash_is_answered_and_not_done_again() {
    let (desk, server) = served();
    let order = named("mine-2", &held_open());
    let running = server.send("POST", "/execute", Some(&order));
    until("it runs", || desk.count() == "1");
    server.signal(Signal::SIGKILL);
    server.ended();
    drop(running);
    let server = desk.program.serve(&[]);
    desk.let_go();
    let (status, told) = server.post("/execute", &order);
    assert_eq!((status, &told["envelope"]["status"]), (200, &json!("success")), "{told}");
    let other = server.post("/execute", &named("mine-2", &home()));
    assert_eq!((other.0, &other.1["error"]["code"]), (409, &json!("DISPATCH_ID_TAKEN")));
    assert_eq!(desk.count(), "1");
}

#[test]
fn a_phone_that_the_command_line_holds_is_locked_or_waited_for() {
    let (desk, server) = served();
    let running = desk.start(&held_open(), &[]);
    until("it runs", || desk.count() == "1");
    let order = json!({ "execution": execution(&home()) });
    let (status, refused) = server.post("/execute", &order);
    assert_eq!(status, 423, "{refused}");
    assert_eq!(refused["error"]["code"], "EXECUTION_CONFLICT_IN_FLIGHT");
    assert_eq!(refused["error"]["details"]["holder"]["pid"], running.pid());
    let mut patient = order;
    patient["waitMs"] = 60_000.into();
    let waiting = server.send("POST", "/execute", Some(&patient));
    let answered = thread::spawn(move || answer(waiting));
    desk.let_go();
    running.answer().succeeded();
    let (status, told) = answered.join().unwrap();
    assert_eq!((status, &told["envelope"]["status"]), (200, &json!("success")), "{told}");
}

#[test]
fn being_asked_to_terminate_it_stops_what_runs_answers_and_ends_well() {
    let desk = Desk::new();
    desk.show(CONFORMANCE);
    let server = desk.program.serve(&["--grace", "0"]);
    let running = server.send("POST", "/execute", Some(&named("mine-3", &held_open())));
    until("it runs", || desk.count() == "1");
    server.signal(Signal::SIGTERM);
    let (status, told) = answer(running);
    assert_eq!(status, 200, "{told}");
    assert_eq!(told["envelope"]["errorCode"], "EXECUTION_CANCELLED");
    assert_eq!(server.ended(), Some(0));
    // The phone is free.
    desk.run(&["press", "home", "--timeout", "5000"]).succeeded();
}

#[test]
fn phones_that_come_and_go_are_told() {
    let (desk, server) = served();
    let mut lines = BufReader::new(server.send("GET", "/events", None));
    until_line(&mut lines, "CONNECTED");
    // What is there when the server begins to look is no news, and when that is nobody tells: so
    // it goes and comes until it was seen.
    let serial = desk.lab.serial.clone();
    let seen = thread::spawn(move || {
        until_line(&mut lines, r#""connected":false"#);
        until_line(&mut lines, r#""connected":true"#);
    });
    while !seen.is_finished() {
        desk.lab.host.run(&["disconnect", &serial]);
        desk.lab.connect();
    }
    seen.join().unwrap();
}

fn until_line(lines: &mut BufReader<TcpStream>, part: &str) {
    let mut line = String::new();
    while !line.contains(part) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the stream ended before {part}");
    }
}

#[test]
fn beyond_this_computer_a_token_is_asked_for() {
    let desk = Desk::new();
    let mut server = desk.program.serve(&["--host", "0.0.0.0"]);
    let (status, refused) = server.get("/devices");
    assert_eq!((status, &refused["error"]["code"]), (401, &json!("UNAUTHORIZED")));
    let token = std::fs::read_to_string(desk.program.home.join(".clawperator/serve/token"));
    server.token = Some(token.unwrap().trim().to_owned());
    let (status, listed) = server.get("/devices");
    assert_eq!(status, 200, "{listed}");
    let serials: Vec<&Value> =
        listed["devices"].as_array().unwrap().iter().map(|one| &one["serial"]).collect();
    assert!(serials.contains(&&json!(desk.lab.serial)), "{listed}");
}

#[test]
fn a_skill_runs_with_this_program_and_the_phone_in_its_hands() {
    let desk = Desk::new();
    let registry =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/skills/skills/skills-registry.json");
    let server = desk.program.serve(&["--registry", registry]);
    let run = |more: Value| {
        let mut body = json!({ "deviceId": desk.lab.serial });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/skills/com.android.settings.get-battery/run", &body)
    };
    let (status, ran) = run(json!({}));
    assert_eq!(status, 200, "{ran}");
    assert_eq!(
        (&ran["skillId"], &ran["exitCode"]),
        (&json!("com.android.settings.get-battery"), &json!(0))
    );
    assert!(ran["output"].as_str().unwrap().contains(r#""percent":80"#), "{ran}");
    let (status, wrong) = run(json!({ "expectContains": "nothing like that" }));
    assert_eq!((status, &wrong["error"]["code"]), (422, &json!("SKILL_OUTPUT_ASSERTION_FAILED")));
}

#[test]
fn an_address_that_is_taken_is_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let desk = Desk::new();
    desk.run(&["serve", "--port", &port]).failed("ADDRESS_UNAVAILABLE");
}
