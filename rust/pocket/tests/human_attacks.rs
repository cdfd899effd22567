//! What somebody who means harm would try.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod human_support;

use clawperator_pocket::human::relay::Settings;
use clawperator_pocket::human::{Clock, Relay};
use human_support::{get, make, open, post, say};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::time::Duration;

fn relay() -> Relay {
    Relay::start(Settings::default()).unwrap()
}

#[test]
fn guessing_tokens_ends_in_a_lock_that_opens_again() {
    let clock = Clock::default();
    let relay = Relay::start(Settings { clock: clock.clone(), ..Settings::default() }).unwrap();
    let made = make(&relay, json!({}));
    let other = make(&relay, json!({}));
    for _ in 0..20 {
        let guess =
            post(&relay, &made.at("/resolve"), &json!({"token": other.token, "approved": true}));
        assert_eq!(guess.refused(), (403, "POCKET_HUMAN_TOKEN".into()));
    }
    let locked = made.resolve(&relay, json!({"approved": true}));
    assert_eq!(locked.refused(), (429, "POCKET_HUMAN_TOKEN".into()));
    let wait: u64 = locked.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(get(&relay, &made.page()).status, 429);
    assert_eq!(get(&relay, &other.page()).status, 200, "others are not locked");
    clock.forward(Duration::from_secs(61));
    assert_eq!(made.resolve(&relay, json!({"approved": true})).status, 200);
}

#[test]
fn each_token_opens_only_its_own_door() {
    let relay = relay();
    let made = make(&relay, json!({}));
    let poll = json!({"token": made.poll, "approved": true});
    assert_eq!(post(&relay, &made.at("/resolve"), &poll).status, 403, "the agent cannot approve");
    assert_eq!(get(&relay, &format!("/human-auth/{}?token={}", made.id, made.poll)).status, 403);
    assert_eq!(get(&relay, &made.at(&format!("?pollToken={}", made.token))).status, 403);
    for nothing in ["", "?token=", "?token=null", "?Token=x"] {
        assert_eq!(get(&relay, &format!("/human-auth/{}{nothing}", made.id)).status, 403);
    }
    for odd in [json!(null), json!(""), json!(["x"]), json!({"x": 1}), json!(true)] {
        let body = json!({"token": odd, "approved": true});
        assert_eq!(post(&relay, &made.at("/resolve"), &body).status, 403, "{odd}");
    }
    assert_eq!(made.poll(&relay)["status"], "pending");
}

#[test]
fn a_replayed_approval_changes_nothing() {
    let relay = relay();
    let made = make(&relay, json!({}));
    assert_eq!(made.resolve(&relay, json!({"approved": false, "note": "no"})).status, 200);
    let replay = made.resolve(&relay, json!({"approved": true, "note": "yes"}));
    assert_eq!(replay.refused(), (409, "POCKET_HUMAN_DECIDED".into()));
    let read = made.poll(&relay);
    assert_eq!((&read["status"], &read["note"]), (&json!("rejected"), &json!("no")));
    let page = get(&relay, &made.page());
    assert_eq!(page.status, 409, "the link opens nothing any more");
    assert!(page.body.contains("Request already rejected."));
}

#[test]
fn of_many_decisions_at_once_exactly_one_counts() {
    let relay = relay();
    let made = make(&relay, json!({}));
    let (host, path) = (relay.address(), made.at("/resolve"));
    // Each is let in while nothing is decided: the server asks for a body only after its first look.
    let mut waiting: Vec<_> = (0..12)
        .map(|at| {
            let body =
                json!({"token": made.token, "approved": at % 2 == 0, "note": format!("n{at}")});
            let body = body.to_string();
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\
                 Expect: 100-continue\r\n\r\n",
                body.len()
            );
            let mut stream = open(&relay, &head, b"");
            let mut go_on = [0; 25];
            stream.read_exact(&mut go_on).unwrap();
            assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
            (stream, body)
        })
        .collect();
    for (stream, body) in &mut waiting {
        stream.write_all(body.as_bytes()).unwrap();
    }
    let statuses: Vec<_> = waiting
        .into_iter()
        .map(|(mut stream, _)| {
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer.split(' ').nth(1).unwrap().to_owned()
        })
        .collect();
    let won: Vec<_> = (0..12).filter(|at| statuses[*at] == "200").collect();
    assert_eq!(won.len(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| *status == "409").count(), 11, "{statuses:?}");
    assert_eq!(made.poll(&relay)["note"], format!("n{}", won[0]));
}

/// Everything an agent can put on the page, each with something that would break out of it.
fn hostile() -> Value {
    let evil =
        "</script><script>window.hacked=1</script><img src=x onerror=hacked=1><!--\u{2028}'\"`";
    json!({
        "capability": evil, "task": evil, "instruction": evil, "reason": evil, "currentApp": evil,
        "uiTemplate": {
            "templateId": evil, "title": evil, "summary": evil, "capabilityHint": evil,
            "approveLabel": evil, "rejectLabel": evil, "noteLabel": evil, "notePlaceholder": evil,
            "fileAccept": evil, "artifactKind": evil, "middleHtml": evil, "middleCss": evil,
            "middleScript": evil, "approveScript": evil,
            "style": {"brandColor": evil, "backgroundCss": evil, "fontFamily": evil},
            "fields": [{"id": evil, "label": evil, "type": "select", "placeholder": evil,
                "helperText": evil, "autocomplete": evil, "artifactKey": evil,
                "options": [{"value": evil, "label": evil}]}],
        },
    })
}

#[test]
fn no_text_of_an_agent_gets_out_of_its_place_in_the_page() {
    let relay = relay();
    let made = make(&relay, hostile());
    let page = get(&relay, &made.page());
    assert_eq!(page.status, 200);
    let clean = make(&relay, json!({}));
    let clean = get(&relay, &clean.page());
    let count = |page: &str, what: &str| page.to_lowercase().matches(what).count();
    for mark in ["<script", "</script", "<img", "<!--", "<style", "<iframe"] {
        assert_eq!(count(&page.body, mark), count(&clean.body, mark), "{mark}");
    }
    // It is all there, as data.
    let (_, data) = page.body.split_once("id=\"data\">").unwrap();
    assert!(!data.contains('\u{2028}'));
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert!(data["form"]["title"].as_str().unwrap().starts_with("</script>"));
    assert_eq!(data["capability"], "unknown");
    assert_eq!(
        (&data["form"]["brandColor"], &data["form"]["backgroundCss"]),
        (&json!("#ff8a00"), &json!(""))
    );
}

#[test]
fn every_answer_tells_browsers_what_they_must_not_do() {
    let relay = relay();
    let made = make(&relay, json!({}));
    let places = [
        "/healthz",
        "/nowhere",
        "/human-auth/none",
        "/human-auth/assets/page.js",
        &made.page(),
        "/%zz",
    ];
    for place in places {
        let answer = get(&relay, place);
        for (name, value) in [
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{place}");
        }
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"),
            "{place}: {policy}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{place}: {policy}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    let stage = get(&relay, "/human-auth/assets/stage.html");
    let policy = stage.header("content-security-policy").unwrap();
    assert!(policy.starts_with("sandbox allow-scripts;"), "{policy}");
    assert!(!policy.contains("allow-same-origin") && !policy.contains("connect-src"), "{policy}");
}

#[test]
fn a_name_that_was_made_to_lead_here_is_refused() {
    let ask = |relay: &Relay, path: &str, host: &str| {
        say(
            relay,
            &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            b"",
        )
    };
    let relay = relay();
    let port = relay.address().port();
    for own in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", &format!("localhost:{port}")] {
        assert_eq!(ask(&relay, "/healthz", own).status, 200, "{own}");
    }
    for other in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:80",
        "[::1].evil",
        "",
        "0.0.0.0",
        "127.0.0.1@evil.example",
    ] {
        assert_eq!(
            ask(&relay, "/healthz", other).refused(),
            (421, "ORIGIN_REFUSED".into()),
            "{other}"
        );
    }
    let page = ask(&relay, "/human-auth/x", "evil.example");
    assert_eq!((page.status, page.header("content-type")), (421, Some("text/html; charset=utf-8")));
    let public = Some("https://relay.example/a/b/".to_owned());
    let relay = Relay::start(Settings { public_base_url: public, ..Settings::default() }).unwrap();
    assert_eq!(relay.base_url(), "https://relay.example/a/b");
    assert_eq!(ask(&relay, "/healthz", "relay.example").status, 200);
    let made = make(&relay, json!({}));
    assert!(
        made.body["openUrl"].as_str().unwrap().starts_with("https://relay.example/a/b/human-auth/")
    );
}

#[test]
fn broken_percent_signs_are_a_plain_400() {
    let relay = relay();
    let made = make(&relay, json!({}));
    for path in
        ["/%", "/v1/human-auth/requests/%zz", "/v1/human-auth/requests/%ff", "/healthz?x=%1"]
    {
        assert_eq!(get(&relay, path).refused(), (400, "INVALID_PARAMETER".into()), "{path}");
    }
    assert_eq!(get(&relay, "/human-auth/%E4?token=x").status, 400);
    let encoded = made.id.replace('-', "%2D");
    let found = get(&relay, &format!("/human-auth/{encoded}?token={}", made.token));
    assert_eq!(found.status, 200, "what is encoded well is read");
}

#[test]
fn people_cannot_be_flooded() {
    let relay = relay();
    for _ in 0..100 {
        make(&relay, json!({}));
    }
    let more = post(&relay, "/v1/human-auth/requests", &json!({}));
    assert_eq!(more.refused(), (429, "QUEUE_FULL".into()));
}

#[test]
fn an_address_for_people_must_be_one() {
    for bad in [
        "relay.example",
        "ftp://x",
        "https://",
        "https://a@b/",
        "https://x/?a=b",
        "javascript:alert(1)",
    ] {
        let settings = Settings { public_base_url: Some(bad.into()), ..Settings::default() };
        assert!(Relay::start(settings).is_err(), "{bad}");
    }
}
