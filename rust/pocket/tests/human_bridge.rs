//! The agent's side: how a question ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod human_support;

use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_pocket::action::Capability;
use clawperator_pocket::human::bridge::Limits;
use clawperator_pocket::human::relay::Settings;
use clawperator_pocket::human::{Ask, Bridge, Clock, Decision, Opened, Relay, Secret, Status};
use human_support::{get, post};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::mpsc;
use std::time::Duration;

fn ask() -> Ask<'static> {
    Ask {
        capability: Capability::Oauth,
        instruction: "Sign in.",
        reason: "the shop wants it",
        timeout_sec: 60,
        task: "buy milk",
        session_id: "s1",
        step: 3,
        current_app: "com.shop",
        screenshot_path: None,
        ui_template: None,
        template_path: None,
    }
}

/// Asks on a thread, and does `act` once the question is open.
fn asked(
    bridge: &Bridge,
    ask: &Ask<'_>,
    stop: &Stop,
    act: impl FnOnce(&Opened),
) -> Result<Decision, Failure> {
    std::thread::scope(|scope| {
        let (told, opened) = mpsc::channel();
        let waits = scope.spawn(move || {
            bridge.ask(ask, None, stop, &mut |opened| told.send(opened.clone()).unwrap())
        });
        act(&opened.recv().unwrap());
        let ended = waits.join().unwrap();
        assert!(opened.recv().is_err(), "it is told once");
        ended
    })
}

/// Decides through the link, as the page does.
fn through_link(relay: &Relay, opened: &Opened, body: &Value) -> u16 {
    let url = opened.open_url.as_deref().unwrap();
    let (_, token) = url.split_once("?token=").unwrap();
    let mut body = body.clone();
    body["token"] = json!(token);
    let path = format!("/v1/human-auth/requests/{}/resolve", opened.request_id);
    post(relay, &path, &body).status
}

fn page_status(relay: &Relay, opened: &Opened) -> u16 {
    let url = opened.open_url.as_deref().unwrap();
    get(relay, url.strip_prefix(relay.base_url()).unwrap()).status
}

#[test]
fn a_decision_on_the_page_ends_the_wait_here_and_elsewhere() {
    let key = Some(Secret::new("k"));
    let relay = Relay::start(Settings { api_key: key.clone(), ..Settings::default() }).unwrap();
    let here = Bridge::here(&relay, Limits::default());
    let elsewhere = Bridge::elsewhere(relay.base_url(), key, Limits::default()).unwrap();
    for bridge in [here, elsewhere] {
        let artifact = json!({"mimeType": "image/png", "base64": "aGk="});
        let body = json!({"approved": true, "note": "  take it ", "artifact": artifact});
        let decision = asked(&bridge, &ask(), &Stop::default(), |opened| {
            assert!(opened.relay_enabled && opened.relay_problem.is_none());
            assert_eq!(
                opened.manual_approve_command,
                format!("/auth approve {}", opened.request_id)
            );
            assert_eq!(page_status(&relay, opened), 200);
            assert_eq!(through_link(&relay, opened, &body), 200);
        })
        .unwrap();
        assert_eq!((decision.status, decision.message.as_str()), (Status::Approved, "take it"));
        let artifact = decision.artifact.clone().unwrap();
        assert_eq!((artifact.mime.as_str(), artifact.bytes.as_slice()), ("image/png", &b"hi"[..]));
        assert!(!format!("{decision:?}").contains("take it"));
        assert!(bridge.pending().is_empty());
    }
}

#[test]
fn a_no_and_no_answer_are_failures_of_the_task() {
    let clock = Clock::default();
    let relay = Relay::start(Settings { clock: clock.clone(), ..Settings::default() }).unwrap();
    let bridge = Bridge::here(&relay, Limits { clock: clock.clone(), ..Limits::default() });
    let no = asked(&bridge, &ask(), &Stop::default(), |opened| {
        through_link(&relay, opened, &json!({"approved": false}));
    });
    let no = no.unwrap().approved().unwrap_err();
    assert_eq!(no.code, ErrorCode::PocketHumanRejected);
    assert_eq!(no.message, "Human authorization rejected: Rejected from web link.");
    let nothing =
        asked(&bridge, &ask(), &Stop::default(), |_| clock.forward(Duration::from_secs(60)));
    let nothing = nothing.unwrap().approved().unwrap_err();
    assert_eq!(nothing.code, ErrorCode::PocketHumanTimeout);
    assert_eq!(nothing.message, "Human authorization timeout: Human authorization timed out.");
}

#[test]
fn no_question_stands_longer_than_the_settings_let_it() {
    for (wanted, most, given) in [(600, 300, 300), (5, 300, 30), (60, 1, 30), (299, 300, 299)] {
        let clock = Clock::default();
        let limits = Limits {
            request_timeout: Duration::from_secs(most),
            clock: clock.clone(),
            ..Limits::default()
        };
        let bridge = Bridge::by_hand(limits);
        let question = Ask { timeout_sec: wanted, ..ask() };
        let ended = asked(&bridge, &question, &Stop::default(), |_| {
            let [pending] = bridge.pending().try_into().unwrap();
            let seconds = |text: &str| {
                let clock = text.split_once('T').unwrap().1;
                let part = |at: usize| clock[at..at + 2].parse::<u64>().unwrap();
                part(0) * 3600 + part(3) * 60 + part(6)
            };
            let day = 24 * 3600;
            let lives = (seconds(&pending.expires_at) + day - seconds(&pending.created_at)) % day;
            assert_eq!(lives, given, "wanted {wanted}, at most {most}");
            clock.forward(Duration::from_secs(given));
        });
        assert_eq!(ended.unwrap().status, Status::Timeout);
    }
}

#[test]
fn a_decision_by_hand_counts_once_and_closes_the_page() {
    let relay = Relay::start(Settings::default()).unwrap();
    let bridge = Bridge::here(&relay, Limits::default());
    let mut link = None;
    let decision = asked(&bridge, &ask(), &Stop::default(), |opened| {
        assert!(!bridge.decide("auth-other", true, None, "ann"));
        assert!(bridge.decide(&opened.request_id, true, Some("  "), "ann"));
        assert!(!bridge.decide(&opened.request_id, false, Some("late"), "bob"));
        link = Some(opened.clone());
    })
    .unwrap();
    assert_eq!(
        (decision.status, decision.message.as_str()),
        (Status::Approved, "Approved by ann.")
    );
    assert_eq!(decision.artifact, None);
    let link = link.unwrap();
    assert_eq!(page_status(&relay, &link), 409);
    assert_eq!(through_link(&relay, &link, &json!({"approved": false})), 409);
    assert!(!bridge.decide(&link.request_id, true, None, "ann"), "it is over");
}

#[test]
fn a_stop_ends_the_wait_and_takes_the_question_back() {
    let relay = Relay::start(Settings::default()).unwrap();
    let bridge = Bridge::here(&relay, Limits::default());
    let stop = Stop::default();
    let mut link = None;
    let stopped = asked(&bridge, &ask(), &stop, |opened| {
        link = Some(opened.clone());
        stop.ask();
    });
    let stopped = stopped.unwrap_err();
    assert_eq!(
        (stopped.code, stopped.message.as_str()),
        (ErrorCode::PocketStopped, "Task stopped by user.")
    );
    assert_eq!(page_status(&relay, &link.unwrap()), 409);
}

#[test]
fn a_stop_takes_the_question_back_from_a_relay_elsewhere() {
    let relay = Relay::start(Settings::default()).unwrap();
    let bridge = Bridge::elsewhere(relay.base_url(), None, Limits::default()).unwrap();
    let stop = Stop::default();
    let mut link = None;
    let stopped = asked(&bridge, &ask(), &stop, |opened| {
        link = Some(opened.clone());
        stop.ask();
    });
    assert_eq!(stopped.unwrap_err().code, ErrorCode::PocketStopped);
    let link = link.unwrap();
    // It is told on a thread of its own, so that the stop need not wait for it.
    while page_status(&relay, &link) == 200 {
        std::thread::yield_now();
    }
    assert_eq!(page_status(&relay, &link), 409);
}

#[test]
fn a_stop_does_not_wait_for_a_relay_that_says_nothing() {
    // It takes connections and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let bridge = Bridge::elsewhere(&url, None, Limits::default()).unwrap();
    let stop = Stop::default();
    stop.ask();
    let stopped = bridge.ask(&ask(), None, &stop, &mut |_| panic!("it was never opened"));
    assert_eq!(stopped.unwrap_err().code, ErrorCode::PocketStopped);
    // The relay was still being asked: nobody has hung up.
    let (mut asked, _) = silent.accept().unwrap();
    let mut begin = [0; 4];
    std::io::Read::read_exact(&mut asked, &mut begin).unwrap();
    assert_eq!(&begin, b"POST");
}

#[test]
fn an_old_relay_without_events_is_asked_again_and_again() {
    let relay = Relay::start(Settings::default()).unwrap();
    let real = relay.address();
    // The same relay, but it knows no events.
    let old = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", old.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in old.incoming() {
            let mut client = stream.unwrap();
            let mut head = String::new();
            let mut lines = std::io::BufReader::new(client.try_clone().unwrap());
            std::io::BufRead::read_line(&mut lines, &mut head).unwrap();
            if head.contains("/events") {
                let _ = client.write_all(
                    b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                );
                continue;
            }
            std::thread::spawn(move || {
                let mut server = std::net::TcpStream::connect(real).unwrap();
                server.write_all(format!("{head}Connection: close\r\n").as_bytes()).unwrap();
                let mut down = server.try_clone().unwrap();
                std::thread::spawn(move || std::io::copy(&mut lines, &mut server));
                let _ = std::io::copy(&mut down, &mut client);
                let _ = client.shutdown(std::net::Shutdown::Both);
            });
        }
    });
    let bridge = Bridge::elsewhere(&url, None, Limits::default()).unwrap();
    let decision = asked(&bridge, &ask(), &Stop::default(), |opened| {
        let path = opened.open_url.clone().unwrap();
        let (_, token) = path.split_once("?token=").unwrap();
        let body = json!({"token": token, "approved": true, "note": "fine"});
        let resolve = format!("/v1/human-auth/requests/{}/resolve", opened.request_id);
        assert_eq!(post(&relay, &resolve, &body).status, 200);
    });
    assert_eq!(decision.unwrap().message, "fine");
}

#[test]
fn a_relay_that_cannot_be_used_leaves_the_decision_by_hand() {
    // A relay that is gone, one that does not know us, and one that does not speak TLS.
    let gone = Relay::start(Settings::default()).unwrap();
    let gone_url = gone.base_url().to_owned();
    drop(gone);
    let key = Some(Secret::new("other"));
    let locked = Relay::start(Settings { api_key: key, ..Settings::default() }).unwrap();
    let secure = locked.base_url().replace("http:", "https:");
    let places = [
        (gone_url.as_str(), "cannot be used: "),
        (locked.base_url(), "401"),
        (secure.as_str(), "InvalidContentType"),
    ];
    for (url, why) in places {
        let bridge = Bridge::elsewhere(url, None, Limits::default()).unwrap();
        let decision = asked(&bridge, &ask(), &Stop::default(), |opened| {
            assert!(!opened.relay_enabled && opened.open_url.is_none());
            assert!(opened.relay_problem.as_deref().unwrap().contains(why), "{opened:?}");
            bridge.decide(&opened.request_id, false, Some("not today"), "ann");
        });
        assert_eq!(decision.unwrap().message, "not today");
    }
    for bad in ["relay", "ftp://relay", ""] {
        assert!(Bridge::elsewhere(bad, None, Limits::default()).is_err(), "{bad}");
    }
}

#[test]
fn a_template_that_cannot_be_used_asks_nobody() {
    let bridge = Bridge::by_hand(Limits::default());
    let question = Ask { template_path: Some("form.json"), ..ask() };
    let refused = bridge.ask(&question, None, &Stop::default(), &mut |_| panic!("nobody is asked"));
    assert_eq!(refused.unwrap_err().code, ErrorCode::PocketDisabled);
}
