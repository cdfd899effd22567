//! The relay over HTTP: each endpoint, its limits, and what it says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod human_support;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_pocket::human::relay::Settings;
use clawperator_pocket::human::{Clock, Relay, Secret};
use human_support::{get, lines_until, make, open, post, say, send};
use serde_json::{Value, json};
use std::io::Read;
use std::time::Duration;

fn relay() -> Relay {
    Relay::start(Settings::default()).unwrap()
}

fn text(value: &str) -> Value {
    let content = json!({"kind": "text", "value": value}).to_string();
    json!({"mimeType": "application/json", "base64": STANDARD.encode(content)})
}

#[test]
fn a_request_is_made_seen_decided_and_read() {
    let relay = relay();
    let made = make(&relay, json!({"capability": "sms", "task": "log in", "timeoutSec": 5}));
    assert_eq!(made.token.len(), 32);
    assert_eq!(made.poll.len(), 32);
    assert_eq!(made.body["takeover"]["enabled"], false);
    assert!(made.body["openUrl"].as_str().unwrap().starts_with(relay.base_url()));
    assert_eq!(
        made.poll(&relay),
        json!({"requestId": made.id, "status": "pending", "artifact": null})
    );
    let page = get(&relay, &made.page());
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.body.contains("Authorization Required"));
    assert!(!page.body.contains(&made.token), "the page's text holds no token");

    let artifact = text("482913");
    let done =
        made.resolve(&relay, json!({"approved": true, "note": " ok ", "artifact": artifact}));
    assert_eq!((done.status, &done.json()["status"]), (200, &json!("approved")));
    let read = made.poll(&relay);
    assert_eq!(
        (&read["status"], &read["note"], &read["artifact"]),
        (&json!("approved"), &json!("ok"), &artifact)
    );
    assert!(read["decidedAt"].as_str().unwrap().ends_with('Z'));
    assert_eq!(get(&relay, "/healthz").json()["requests"], 1);
}

#[test]
fn a_key_guards_the_making_of_requests() {
    let settings = Settings { api_key: Some(Secret::new("k3y")), ..Settings::default() };
    let relay = Relay::start(settings).unwrap();
    let path = "/v1/human-auth/requests";
    assert_eq!(post(&relay, path, &json!({})).refused(), (401, "UNAUTHORIZED".into()));
    for (bearer, status) in [("k3", 401), ("k3yy", 401), ("K3Y", 401), ("", 401), ("k3y", 200)] {
        let more = format!("Content-Type: application/json\r\nAuthorization: Bearer {bearer}\r\n");
        assert_eq!(send(&relay, "POST", path, &more, b"{}").status, status, "{bearer}");
    }
}

#[test]
fn bodies_must_be_json_objects_of_a_bearable_size() {
    let relay = relay();
    let path = "/v1/human-auth/requests";
    let json_type = "Content-Type: application/json\r\n";
    for (more, body, status) in [
        (json_type, "", 400),
        (json_type, "{", 400),
        (json_type, "[]", 400),
        (json_type, "\"x\"", 400),
        ("", "{}", 415),
        ("Content-Type: text/plain\r\n", "{}", 415),
        ("Content-Type: application/x-www-form-urlencoded\r\n", "a=b", 415),
    ] {
        let answer = send(&relay, "POST", path, more, body.as_bytes());
        assert_eq!(answer.refused(), (status, "INVALID_BODY".into()), "{more}{body}");
    }
    let long = json!({"task": "x".repeat(2_000_001)});
    assert_eq!(post(&relay, path, &long).refused(), (413, "BODY_TOO_LARGE".into()));
    // The same without a length that tells it in advance.
    let host = relay.address();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{json_type}\
         Transfer-Encoding: chunked\r\n\r\n"
    );
    let mut chunks = format!("{:x}\r\n", 2_000_002).into_bytes();
    chunks.extend(vec![b' '; 2_000_002]);
    chunks.extend(b"\r\n0\r\n\r\n");
    assert_eq!(say(&relay, &head, &chunks).refused(), (413, "BODY_TOO_LARGE".into()));
    for (key, value) in [
        ("requestId", json!("a b")),
        ("requestId", json!(7)),
        ("timeoutSec", json!("soon")),
        ("publicBaseUrl", json!("ftp://x")),
        ("publicBaseUrl", json!("https://evil.example")),
    ] {
        let answer = post(&relay, path, &json!({key: value}));
        assert_eq!(answer.refused(), (400, "INVALID_PARAMETER".into()), "{key} {value}");
    }
}

#[test]
fn a_request_id_is_never_taken_twice() {
    let relay = relay();
    let made = make(&relay, json!({"requestId": "auth-1"}));
    let again = post(&relay, "/v1/human-auth/requests", &json!({"requestId": "auth-1"}));
    assert_eq!(again.refused(), (409, "INVALID_PARAMETER".into()));
    assert_eq!(get(&relay, &made.page()).status, 200, "the first is as it was");
}

#[test]
fn only_a_clear_yes_or_no_decides() {
    let relay = relay();
    let made = make(&relay, json!({}));
    for unclear in
        [json!("yes"), json!("no"), json!(null), json!(2), json!("TRUE"), json!([true]), json!({})]
    {
        let answer = made.resolve(&relay, json!({"approved": unclear}));
        assert_eq!(answer.refused(), (400, "INVALID_PARAMETER".into()), "{unclear}");
    }
    assert_eq!(made.poll(&relay)["status"], "pending");
    for (clear, status) in [
        (json!(true), "approved"),
        (json!("true"), "approved"),
        (json!(1), "approved"),
        (json!("false"), "rejected"),
        (json!(0), "rejected"),
    ] {
        let made = make(&relay, json!({}));
        assert_eq!(
            made.resolve(&relay, json!({"approved": clear})).json()["status"],
            status,
            "{clear}"
        );
    }
}

#[test]
fn an_artifact_is_taken_or_refused_and_never_dropped() {
    let relay = relay();
    let made = make(&relay, json!({}));
    for bad in [
        json!("x"),
        json!({}),
        json!({"mimeType": "a/b"}),
        json!({"mimeType": "", "base64": ""}),
        json!({"mimeType": "a/b", "base64": 4}),
        json!({"mimeType": "a/b", "base64": "%%%"}),
        json!({"mimeType": "a\nb", "base64": ""}),
    ] {
        let answer = made.resolve(&relay, json!({"approved": true, "artifact": bad}));
        assert_eq!(answer.refused(), (400, "INVALID_PARAMETER".into()), "{bad}");
    }
    let long = json!({"mimeType": "image/png", "base64": "A".repeat(20_000_004)});
    let answer = made.resolve(&relay, json!({"approved": true, "artifact": long}));
    assert_eq!(answer.refused(), (413, "BODY_TOO_LARGE".into()));
    assert_eq!(made.poll(&relay)["status"], "pending");
    let whole = json!({"mimeType": "image/png", "base64": "A".repeat(20_000_000)});
    assert_eq!(made.resolve(&relay, json!({"approved": true, "artifact": whole})).status, 200);
    assert_eq!(made.poll(&relay)["artifact"]["base64"].as_str().unwrap().len(), 20_000_000);
}

#[test]
fn what_is_required_must_come_with_the_approval_but_not_with_a_no() {
    let relay = relay();
    let made = make(&relay, json!({"capability": "camera"}));
    assert_eq!(
        made.resolve(&relay, json!({"approved": true})).refused(),
        (400, "INVALID_PARAMETER".into())
    );
    assert_eq!(made.poll(&relay)["status"], "pending");
    let no = made.resolve(&relay, json!({"approved": false, "artifact": text("x")}));
    assert_eq!(no.json()["status"], "rejected");
    assert_eq!(made.poll(&relay)["artifact"], Value::Null, "a no gives nothing");
}

#[test]
fn notes_are_cut_and_those_of_payments_are_not_kept() {
    let relay = relay();
    let made = make(&relay, json!({}));
    made.resolve(&relay, json!({"approved": true, "note": "é".repeat(3000)}));
    assert_eq!(made.poll(&relay)["note"].as_str().unwrap().chars().count(), 2000);
    let made = make(&relay, json!({"capability": "payment"}));
    made.resolve(&relay, json!({"approved": false, "note": "4111111111111111"}));
    assert_eq!(made.poll(&relay)["note"], "");
}

#[test]
fn events_bring_the_decision_at_once_and_again_to_who_comes_late() {
    let relay = relay();
    let made = make(&relay, json!({}));
    let host = relay.address();
    let path = made.at(&format!("/events?pollToken={}", made.poll));
    let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let early = open(&relay, &head, b"");
    let also = early.try_clone().unwrap();
    let greeted = lines_until(early, ": connected");
    assert!(greeted.iter().any(|line| line == "content-type: text/event-stream"), "{greeted:?}");
    made.resolve(&relay, json!({"approved": false, "note": "not now"}));
    let told = lines_until(also, "data: ");
    let late = lines_until(open(&relay, &head, b""), "data: ");
    for lines in [told, late] {
        let data = lines.last().unwrap().strip_prefix("data: ").unwrap();
        assert!(lines.iter().any(|line| line == "event: decision"));
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!((&data["status"], &data["note"]), (&json!("rejected"), &json!("not now")));
    }
    let wrong = get(&relay, &made.at("/events?pollToken=x"));
    assert_eq!(wrong.refused(), (403, "POCKET_HUMAN_TOKEN".into()));
}

#[test]
fn time_ends_a_request_and_later_it_is_forgotten() {
    let clock = Clock::default();
    let relay = Relay::start(Settings { clock: clock.clone(), ..Settings::default() }).unwrap();
    let made = make(&relay, json!({"timeoutSec": 60}));
    clock.forward(Duration::from_secs(59));
    assert_eq!(made.poll(&relay)["status"], "pending");
    clock.forward(Duration::from_secs(2));
    let read = made.poll(&relay);
    assert_eq!((&read["status"], &read["note"]), (&json!("timeout"), &json!("Request timed out.")));
    let late = made.resolve(&relay, json!({"approved": true}));
    assert_eq!(late.refused(), (409, "POCKET_HUMAN_DECIDED".into()));
    assert_eq!(late.json()["message"], "Request already timeout.");
    clock.forward(Duration::from_secs(6 * 60));
    let gone = get(&relay, &made.at(&format!("?pollToken={}", made.poll)));
    assert_eq!(gone.refused(), (404, "POCKET_HUMAN_UNKNOWN".into()));
    assert_eq!(get(&relay, "/healthz").json()["requests"], 0);
}

#[test]
fn the_agent_can_take_a_request_back() {
    let relay = relay();
    let made = make(&relay, json!({}));
    let path = made.at(&format!("?pollToken={}", made.poll));
    assert_eq!(send(&relay, "DELETE", &made.at("?pollToken=x"), "", b"").status, 403);
    assert_eq!(send(&relay, "DELETE", &path, "", b"").json()["withdrawn"], true);
    assert_eq!(send(&relay, "DELETE", &path, "", b"").json()["withdrawn"], false);
    assert_eq!(made.resolve(&relay, json!({"approved": true})).status, 409);
}

#[test]
fn client_events_need_the_token_and_are_small() {
    let relay = relay();
    let made = make(&relay, json!({}));
    let path = made.at("/client-event");
    assert_eq!(
        post(&relay, &path, &json!({"token": made.token, "event": "seen"})).json()["ok"],
        true
    );
    assert_eq!(post(&relay, &path, &json!({"token": made.poll, "event": "seen"})).status, 403);
    let long = json!({"token": made.token, "detail": "x".repeat(256_000)});
    assert_eq!(post(&relay, &path, &long).status, 413);
}

#[test]
fn unknown_places_and_methods_are_told_as_json_and_to_people_as_a_page() {
    let relay = relay();
    assert_eq!(get(&relay, "/nowhere").refused(), (404, "ROUTE_NOT_FOUND".into()));
    assert_eq!(
        get(&relay, "/human-auth/assets/other.js").refused(),
        (404, "ROUTE_NOT_FOUND".into())
    );
    assert_eq!(
        get(&relay, "/v1/human-auth/requests").refused(),
        (405, "METHOD_NOT_ALLOWED".into())
    );
    let page = get(&relay, "/human-auth/none?token=x");
    assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert!(page.body.contains("Request not found."));
}

#[test]
fn a_relay_that_is_dropped_frees_its_port_even_with_listeners() {
    let relay = relay();
    let made = make(&relay, json!({}));
    let host = relay.address();
    let path = made.at(&format!("/events?pollToken={}", made.poll));
    let mut listener = open(&relay, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"), b"");
    lines_until(listener.try_clone().unwrap(), ": connected");
    drop(relay);
    let mut rest = Vec::new();
    let _ = listener.read_to_end(&mut rest);
    assert!(std::net::TcpStream::connect(host).is_err());
}
