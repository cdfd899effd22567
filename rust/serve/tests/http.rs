//! The server from outside, as programs that know only HTTP see it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[path = "support/server.rs"]
mod server;
mod support;

use clawperator_contract::limits::MAX_INPUT_BYTES;
use clawperator_serve::http::Guard;
use serde_json::{Value, json};
use server::{Server, execute};
use std::io::{Read, Write};
use support::{Sims, endless, home, payload, sendings};

#[test]
fn an_execution_is_answered_in_the_shape_of_this_surface() {
    let server = Server::new("shape", &["a"]);
    let body = server.posted("/execute", &execute("a", &home("c-1")));
    let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["ok", "deviceId", "terminalSource", "envelope", "dispatchId", "link"],
        "{body}"
    );
    assert_eq!(body["deviceId"], "a");
    assert_eq!(body["terminalSource"], "clawperator_result");
    assert_eq!(body["envelope"]["commandId"], "c-1");
    assert_eq!(body["envelope"]["status"], "success");
}

#[test]
fn a_failed_step_is_an_answer_and_no_failure_of_the_server() {
    let server = Server::new("step", &["a"]);
    let click =
        json!([{"id": "n", "type": "click", "params": {"matcher": {"textEquals": "none"}}}]);
    let body = server.posted("/execute", &execute("a", &payload("c", &click)));
    assert_eq!(body["ok"], true);
    assert_eq!(body["envelope"]["status"], "failed");
}

#[test]
fn checks_and_plans_reach_no_phone() {
    let server = Server::new("checks", &[]);
    let body = json!({ "execution": home("c") });
    let validated = server.posted("/validate", &body);
    assert_eq!(validated["validated"], true);
    assert_eq!(validated["execution"]["commandId"], "c");
    let planned = server.posted("/dry-run", &body);
    assert_eq!(planned["plan"]["actionCount"], 1);
    let wrong = server.post("/validate", &json!({ "execution": { "commandId": "c" } }));
    assert_eq!(wrong.failure(), (400, "EXECUTION_VALIDATION_FAILED".into()));
}

#[test]
fn looks_need_no_body_where_there_is_one_phone() {
    let server = Server::new("looks", &["a"]);
    let seen = server.send("POST", "/snapshot", &[], b"");
    let body = server::fits("post", "/snapshot", &seen);
    let step = &body["envelope"]["stepResults"][0];
    assert!(step["data"]["text"].as_str().unwrap().contains("<hierarchy"), "{step}");
    assert!(body["envelope"]["commandId"].as_str().unwrap().starts_with("serve-snap-"));
    let body = server.posted("/snapshot", &json!({ "view": "text" }));
    assert!(
        !body["envelope"]["stepResults"][0]["data"]["text"]
            .as_str()
            .unwrap()
            .contains("<hierarchy")
    );
}

#[test]
fn a_picture_is_kept_for_the_client_or_put_where_it_says() {
    let server = Server::new("pictures", &["a"]);
    let body = server.posted("/screenshot", &json!({}));
    let kept = body["envelope"]["stepResults"][0]["data"]["path"].as_str().unwrap().to_owned();
    let name = kept.rsplit('/').next().unwrap();
    let picture = server.get(&format!("/pictures/{name}"));
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")));
    assert!(picture.body.starts_with(b"\x89PNG"));

    let body = server.posted("/screenshot", &json!({ "path": "mine.png" }));
    let path = body["envelope"]["stepResults"][0]["data"]["path"].as_str().unwrap();
    assert!(path.ends_with("/files/mine.png"), "{path}");
    assert!(std::fs::read(path).unwrap().starts_with(b"\x89PNG"));
    for wrong in ["../x.png", "/tmp/x.png"] {
        let refused = server.post("/screenshot", &json!({ "path": wrong }));
        assert_eq!(refused.failure(), (400, "INVALID_PATH".into()), "{wrong}");
    }
    let shot = json!([{"id": "p", "type": "take_screenshot", "params": {"path": "/etc/x.png"}}]);
    let refused = server.post("/execute", &execute("a", &payload("c", &shot)));
    assert_eq!(refused.failure(), (400, "INVALID_PATH".into()));
}

#[test]
fn whatever_is_wrong_with_a_request_is_said_in_json() {
    let server = Server::new("wrong", &["a", "b"]);
    let json_type = [("content-type", "application/json")];
    let post = |body: &str| server.send("POST", "/execute", &json_type, body.as_bytes());
    let execution = home("c").to_string();
    for (body, status, code) in [
        ("", 400, "INVALID_BODY"),
        ("[]", 400, "INVALID_BODY"),
        ("{", 400, "INVALID_JSON"),
        ("{}", 400, "MISSING_EXECUTION"),
        (r#"{"execution":{}}"#, 400, "EXECUTION_VALIDATION_FAILED"),
        (&format!(r#"{{"execution":{execution},"deviceId":" "}}"#), 400, "INVALID_DEVICE_ID"),
        (&format!(r#"{{"execution":{execution},"deviceId":7}}"#), 400, "INVALID_DEVICE_ID"),
        (
            &format!(r#"{{"execution":{execution},"operatorPackage":""}}"#),
            400,
            "INVALID_OPERATOR_PACKAGE",
        ),
        (&format!(r#"{{"execution":{execution},"dispatchId":"a b"}}"#), 400, "INVALID_PARAMETER"),
        (&format!(r#"{{"execution":{execution},"device":"a"}}"#), 400, "INVALID_PARAMETER"),
        (&format!(r#"{{"execution":{execution}}}"#), 400, "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED"),
        (&format!(r#"{{"execution":{execution},"deviceId":"nowhere"}}"#), 404, "DEVICE_NOT_FOUND"),
    ] {
        assert_eq!(post(body).failure(), (status, code.to_owned()), "{body}");
    }
    let plain = server.send("POST", "/execute", &[("content-type", "text/plain")], b"{}");
    assert_eq!(plain.failure(), (400, "INVALID_BODY".into()));
    let large = " ".repeat(MAX_INPUT_BYTES + 1);
    assert_eq!(post(&large).failure(), (413, "BODY_TOO_LARGE".into()));
    assert_eq!(server.get("/nowhere").failure(), (404, "ROUTE_NOT_FOUND".into()));
    assert_eq!(server.get("/devices?all=1").failure(), (400, "INVALID_PARAMETER".into()));
    let wrong_method = server.get("/execute");
    assert_eq!(wrong_method.failure(), (405, "METHOD_NOT_ALLOWED".into()));
    assert_eq!(wrong_method.header("allow"), Some("POST"));
    let bad_path = server.get("/skills/%ff");
    assert_eq!(bad_path.failure(), (400, "INVALID_PARAMETER".into()));
}

#[test]
fn every_answer_has_an_id_and_a_sane_one_of_the_clients_is_kept() {
    let server = Server::new("ids", &[]);
    assert_eq!(
        server.send("GET", "/health", &[("x-request-id", "mine-7")], b"").header("x-request-id"),
        Some("mine-7")
    );
    for path in ["/health", "/nowhere"] {
        let minted = server.send("GET", path, &[("x-request-id", "with space")], b"");
        assert!(minted.header("x-request-id").unwrap().starts_with("r-"));
    }
    let wrong_method = server.send("PUT", "/execute", &[("x-request-id", "mine-8")], b"");
    assert_eq!(wrong_method.header("x-request-id"), Some("mine-8"));
}

#[test]
fn only_the_right_token_and_our_own_names_pass() {
    let guard = Guard { token: Some("a-secret-token-of-the-test".into()), hosts: vec![] };
    let server = Server::with("guard", &Sims::new(&["a"]), guard, |_| {});
    assert_eq!(server.get("/devices").failure(), (401, "UNAUTHORIZED".into()));
    assert_eq!(server.get("/nowhere").failure(), (401, "UNAUTHORIZED".into()));
    assert_eq!(server.get("/health").status, 200);
    let token = ("authorization", "Bearer a-secret-token-of-the-test");
    assert_eq!(server.send("GET", "/devices", &[token], b"").status, 200);
    for stranger in [("host", "evil.example"), ("origin", "http://evil.example")] {
        let refused = server.send("GET", "/devices", &[token, stranger], b"");
        assert_eq!(refused.failure(), (403, "ORIGIN_REFUSED".into()), "{stranger:?}");
    }
}

#[test]
fn a_full_line_says_when_to_come_back() {
    let server = Server::with("full", &Sims::new(&["a"]), Guard::default(), |s| s.waiting = 1);
    let background = |name: &str, payload: &Value| {
        let mut body = execute("a", payload);
        body["background"] = true.into();
        body["dispatchId"] = name.into();
        server.post("/execute", &body)
    };
    let mut events = server.listen(None);
    assert_eq!(background("one", &endless("one")).status, 202);
    events.until("clawperator:step");
    assert_eq!(background("two", &home("two")).status, 202);
    let full = background("three", &home("three"));
    assert_eq!(full.failure(), (429, "QUEUE_FULL".into()));
    assert_eq!(full.header("retry-after"), Some("1"));
    let devices = server.got("/devices");
    assert_eq!(devices["devices"][0]["waiting"], 1);
    // Cancelling both the one that waits and the one that runs.
    assert_eq!(server.post("/dispatches/two/cancel", &json!({})).status, 202);
    assert_eq!(server.get("/dispatches/two").failure(), (409, "EXECUTION_CANCELLED".into()));
    assert_eq!(server.post("/dispatches/one/cancel", &json!({})).status, 202);
    let stopped = server.got("/dispatches/one");
    assert_eq!(stopped["envelope"]["errorCode"], "EXECUTION_CANCELLED");
    assert_eq!(
        server.post("/dispatches/none/cancel", &json!({})).failure(),
        (404, "DISPATCH_UNKNOWN".into())
    );
}

#[test]
fn a_phone_another_process_holds_is_locked() {
    let sims = Sims::new(&["a"]);
    *sims.held.lock().unwrap() = true;
    let server = Server::with("held", &sims, Guard::default(), |_| {});
    let refused = server.post("/execute", &execute("a", &home("c")));
    assert_eq!(refused.failure(), (423, "EXECUTION_CONFLICT_IN_FLIGHT".into()));
}

#[test]
fn a_dispatch_can_be_asked_for_again_and_again_and_by_another_server() {
    let folder = support::scratch("again-http");
    let sims = Sims::new(&["a"]);
    let first =
        Server::with("again-1", &sims, Guard::default(), |s| s.sendings = sendings(&folder));
    let mut body = execute("a", &home("c"));
    body["dispatchId"] = "mine-1".into();
    let executed = first.posted("/execute", &body);
    assert_eq!(executed["dispatchId"], "mine-1");
    assert_eq!(first.got("/dispatches/mine-1"), executed);
    assert_eq!(first.posted("/execute", &body), executed);
    drop(first);
    let second =
        Server::with("again-2", &sims, Guard::default(), |s| s.sendings = sendings(&folder));
    let asked = second.got("/dispatches/mine-1");
    assert_eq!(asked["envelope"], executed["envelope"]);
    assert_eq!(asked["replayed"], true);
    let unknown = second.get("/dispatches/never");
    assert_eq!(unknown.failure(), (404, "DISPATCH_UNKNOWN".into()));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn events_come_as_they_happen_and_a_listener_goes_on_where_it_was() {
    let server = Server::new("events", &["a"]);
    let mut events = server.listen(None);
    let (_, hello) = events.until("heartbeat");
    assert_eq!(hello["code"], "CONNECTED");
    server.posted("/execute", &execute("a", &home("c-1")));
    let (step, data) = events.until("clawperator:step");
    assert_eq!(data["result"]["id"], "h");
    let (result, data) = events.until("clawperator:result");
    assert_eq!(data["envelope"]["commandId"], "c-1");
    let (execution, data) = events.until("clawperator:execution");
    assert_eq!(data["input"]["commandId"], "c-1");
    assert_eq!(data["result"]["ok"], true);
    assert!(step < result && result < execution);

    let mut again = server.listen(Some(&step.to_string()));
    assert_eq!(again.until("clawperator:result").0, result);
    let mut stranger = server.listen(Some("12"));
    let (_, gap) = stranger.until("gap");
    assert_eq!(gap["lastEventId"], "12");
    assert_eq!(stranger.until("clawperator:step").0, step);
    let wrong = server.send("GET", "/events", &[("last-event-id", "x")], b"");
    assert_eq!(wrong.failure(), (400, "INVALID_PARAMETER".into()));
}

#[test]
fn a_listener_that_does_not_read_is_let_go_with_a_word() {
    let server = Server::new("slow", &[]);
    let mut events = server.listen(None);
    events.until("heartbeat");
    let large = "x".repeat(1 << 20);
    // More than any socket holds, and more than the ring keeps.
    for _ in 0..64 {
        server.desk.news().tell("clawperator:event", &large);
    }
    let (_, dropped) = events.until("dropped");
    assert!(dropped["message"].as_str().unwrap().contains("too slowly"));
    assert!(events.next().is_none());
}

#[test]
fn skills_are_found_checked_and_run() {
    let server = Server::new("skills", &[]);
    let all = server.got("/skills");
    assert_eq!(all["count"], all["skills"].as_array().unwrap().len());
    let id = all["skills"][0]["id"].as_str().unwrap();
    assert_eq!(server.got(&format!("/skills/{id}"))["skill"]["id"], id);
    assert_eq!(server.get("/skills/no.such").failure(), (404, "SKILL_NOT_FOUND".into()));
    let run = |body: &Value| server.post("/skills/no.such/run", body).failure();
    assert_eq!(run(&json!({})), (404, "SKILL_NOT_FOUND".into()));
    assert_eq!(run(&json!({ "args": "x" })), (400, "INVALID_ARGS".into()));
    assert_eq!(run(&json!({ "timeoutMs": 0 })), (400, "INVALID_TIMEOUT_MS".into()));
    assert_eq!(run(&json!({ "expectContains": 1 })), (400, "INVALID_EXPECT_CONTAINS".into()));
    assert_eq!(run(&json!({ "deviceId": "" })), (400, "INVALID_DEVICE_ID".into()));
}

#[test]
fn packages_recordings_and_emulators_answer_too() {
    let server = Server::new("around", &["a"]);
    let packages = server.got("/packages?deviceId=a");
    assert!(packages["packages"].as_array().unwrap().iter().any(|p| p == "com.android.settings"));
    let started = server.posted("/recordings/start", &json!({ "sessionId": "r-1" }));
    assert_eq!(started["envelope"]["status"], "success", "{started}");
    server.posted("/execute", &execute("a", &home("c")));
    let stopped = server.posted("/recordings/stop", &json!({}));
    assert_eq!(stopped["envelope"]["status"], "success", "{stopped}");
    assert_eq!(server.got("/recordings")["sessions"][0]["sessionId"], "r-1");
    let pulled = server.got("/recordings/latest");
    assert_eq!(pulled["sessionId"], "r-1");
    let parsed = server.posted("/recordings/parse", &json!({ "text": pulled["text"] }));
    assert!(parsed["steps"].is_array(), "{parsed}");
    assert_eq!(server.get("/android/emulators").failure(), (424, "ADB_NOT_FOUND".into()));
    let wrong = server.post("/android/emulators/create", &json!({ "name": "../x" }));
    assert_eq!(wrong.failure(), (400, "INVALID_PARAMETER".into()));
}

#[test]
fn recipes_are_checked_compiled_and_run() {
    let server = Server::new("recipes", &["a"]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/recipes");
    let file = std::fs::read_dir(path).unwrap().filter_map(Result::ok).map(|e| e.path());
    let mut files: Vec<_> = file.filter(|p| p.extension().is_some_and(|e| e == "md")).collect();
    files.sort();
    let text = std::fs::read_to_string(&files[0]).unwrap();
    let checked = server.posted("/recipes/validate", &json!({ "text": text }));
    assert_eq!(checked["valid"], true, "{checked}");
    let order = json!({ "text": text, "vars": { "room": "Bedroom" }, "deviceId": "a" });
    let mut compile = order.clone();
    compile.as_object_mut().unwrap().remove("deviceId");
    assert!(server.posted("/recipes/compile", &compile)["execution"]["actions"].is_array());
    let ran = server.posted("/recipes/run", &order);
    assert_eq!(
        (&ran["status"], &ran["outputs"]["target"]),
        (&json!("success"), &json!(19)),
        "{ran}"
    );
    let missing = server.post("/recipes/run", &json!({ "text": text, "deviceId": "a" }));
    assert_eq!(missing.failure(), (400, "RECIPE_INPUT_MISSING".into()));
    let none = server.posted("/recipes/validate", &json!({ "text": "no recipe" }));
    assert_eq!(none["valid"], false);
    let refused = server.post("/recipes/run", &json!({ "text": "no recipe", "deviceId": "a" }));
    assert_eq!(refused.failure().0, 400);
}

#[test]
fn the_end_of_the_server_is_told_to_everybody() {
    let mut server = Server::new("end", &["a"]);
    let mut events = server.listen(None);
    let mut running = server.connect();
    let body = execute("a", &endless("long")).to_string();
    let head = format!(
        "POST /execute HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    running.write_all(head.as_bytes()).unwrap();
    events.until("clawperator:step");
    server.end();
    let mut answer = String::new();
    running.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("EXECUTION_CANCELLED"), "{answer}");
    while events.next().is_some() {}
}

#[test]
fn an_openpocket_agent_sees_and_acts_over_http() {
    let server = Server::new("pocket", &["a"]);
    let act = |action: Value| server.post("/pocket/act", &json!({ "action": action }));
    let app = "com.clawperator.conformance";
    let opened = act(json!({ "type": "launch_app", "packageName": app }));
    let opened = server::fits("post", "/pocket/act", &opened);
    assert_eq!(opened["result"]["text"], format!("Launched package {app}"), "{opened}");

    let blind = json!({ "action": { "type": "tap" }, "element": "3" });
    let refused = server.post("/pocket/act", &blind).failure();
    assert_eq!(refused, (400, "POCKET_ELEMENT_UNKNOWN".into()));
    let look = || {
        let seen = server.send("POST", "/pocket/snapshot", &[], b"");
        server::fits("post", "/pocket/snapshot", &seen)["snapshot"].clone()
    };
    let element = |seen: &Value, id: &str| {
        let elements = seen["uiElements"].as_array().unwrap().clone();
        let wanted = format!("{app}:id/{id}");
        elements.into_iter().find(|one| one["resourceId"] == wanted.as_str()).unwrap()
    };
    let seen = look();
    let button = element(&seen, "counter_button");
    let body = json!({ "action": { "type": "tap" }, "element": button["id"] });
    assert_eq!(server.posted("/pocket/act", &body)["ok"], true);
    // A point is one of the picture this client was given.
    let at = &button["scaledCenter"];
    assert_eq!(act(json!({ "type": "tap", "x": at["x"], "y": at["y"] })).status, 200);
    assert_eq!(element(&look(), "counter_value")["text"], "Count: 2");

    let waits = act(json!({ "type": "wait", "durationMs": 1 })).json();
    assert_eq!(waits["result"]["text"], "Waited 1ms");
    for (action, failure) in [
        (json!({ "type": "tap" }), (400, "POCKET_ACTION_INCOMPLETE")),
        (json!({ "type": "read", "path": "/etc/passwd" }), (403, "POCKET_DISABLED")),
        (json!({ "type": "exec", "command": "id" }), (403, "POCKET_DISABLED")),
        (json!({ "type": "request_human_auth" }), (403, "POCKET_DISABLED")),
    ] {
        assert_eq!(act(action).failure(), (failure.0, failure.1.into()));
    }
}
