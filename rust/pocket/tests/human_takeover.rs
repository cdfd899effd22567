//! The driven phone in a person's hands, over HTTP.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod human_support;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::Failure;
use clawperator_pocket::human::relay::{Frame, Settings, Touch};
use clawperator_pocket::human::{Clock, Relay, Secret, Takeover};
use human_support::{get, lines_until, make, open, post, say};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

struct Phone {
    touches: Mutex<Vec<Touch>>,
}

impl Takeover for Phone {
    fn frame(&self) -> Result<Frame, Failure> {
        let (device_id, current_app) = ("sim".into(), "com.example\r\nX-Evil: 1".into());
        Ok(Frame { device_id, current_app, width: 1080, height: 2400, png: b"PNG".to_vec() })
    }

    fn act(&self, touch: &Touch) -> Result<String, Failure> {
        self.touches.lock().unwrap().push(touch.clone());
        Ok("done".into())
    }
}

#[test]
fn a_person_takes_the_phone_over_step_by_step() {
    let phone = Arc::new(Phone { touches: Mutex::default() });
    let clock = Clock::default();
    let takeover: Arc<dyn Takeover> = phone.clone();
    let settings =
        Settings { takeover: Some(takeover), clock: clock.clone(), ..Settings::default() };
    let relay = Relay::start(settings).unwrap();
    let made = make(&relay, json!({}));
    assert_eq!(made.body["takeover"]["enabled"], true);
    let frame = get(&relay, &made.at(&format!("/takeover/snapshot?token={}", made.token))).json();
    assert_eq!(
        (&frame["frame"]["width"], &frame["frame"]["screenshotBase64"]),
        (&json!(1080), &json!(STANDARD.encode("PNG")))
    );

    let act = |action: Value| {
        clock.forward(Duration::from_millis(200));
        post(&relay, &made.at("/takeover/action"), &json!({"token": made.token, "action": action}))
    };
    for good in [
        json!({"type": "TAP", "x": 10.6, "y": -3}),
        json!({"type": "swipe", "x1": 1, "y1": 2, "x2": 3, "y2": 4, "durationMs": 9}),
        json!({"type": "type", "text": "hi"}),
        json!({"type": "keyevent", "keycode": "keycode_back"}),
    ] {
        assert_eq!(act(good.clone()).json()["message"], "done", "{good}");
    }
    assert_eq!(
        *phone.touches.lock().unwrap(),
        [
            Touch::Tap { x: 11, y: 0 },
            Touch::Swipe { x1: 1, y1: 2, x2: 3, y2: 4, duration_ms: 80 },
            Touch::Type { text: Secret::new("hi") },
            Touch::Keyevent { keycode: "KEYCODE_BACK".into() },
        ]
    );
    for bad in [
        json!({}),
        json!({"type": "tap", "x": 1}),
        json!({"type": "tap", "x": "1", "y": 1}),
        json!({"type": "type", "text": "  "}),
        json!({"type": "type", "text": "x".repeat(2001)}),
        json!({"type": "keyevent", "keycode": "BACK"}),
        json!({"type": "keyevent", "keycode": "KEYCODE_A; reboot"}),
        json!({"type": "shell", "command": "id"}),
    ] {
        assert_eq!(act(bad.clone()).refused(), (400, "INVALID_PARAMETER".into()), "{bad}");
    }
    assert_eq!(act(json!({"type": "tap", "x": 1, "y": 1})).status, 200);
    let quick = json!({"token": made.token, "action": {"type": "tap", "x": 1, "y": 1}});
    assert_eq!(post(&relay, &made.at("/takeover/action"), &quick).status, 429);
    let poll = json!({"token": made.poll, "action": {"type": "tap", "x": 1, "y": 1}});
    assert_eq!(
        post(&relay, &made.at("/takeover/action"), &poll).status,
        403,
        "the agent's token taps nothing"
    );

    let host = relay.address();
    let path = made.at(&format!("/takeover/stream?token={}", made.token));
    let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let streams = [open(&relay, &head, b""), open(&relay, &head, b"")];
    for stream in &streams {
        let lines = lines_until(stream.try_clone().unwrap(), "X-OpenPocket-Resolution: 1080x2400");
        assert!(lines.iter().all(|line| !line.starts_with("X-Evil")), "{lines:?}");
    }
    assert_eq!(
        say(&relay, &head.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"), b"").status,
        429
    );
    made.resolve(&relay, json!({"approved": true}));
    assert_eq!(
        get(&relay, &made.at(&format!("/takeover/snapshot?token={}", made.token))).status,
        409
    );
}

#[test]
fn without_a_phone_there_is_nothing_to_take_over() {
    let relay = Relay::start(Settings::default()).unwrap();
    let made = make(&relay, json!({}));
    for path in ["snapshot", "stream"] {
        let answer = get(&relay, &made.at(&format!("/takeover/{path}?token={}", made.token)));
        assert_eq!(answer.refused(), (501, "POCKET_HUMAN_UNAVAILABLE".into()));
        assert_eq!(get(&relay, &made.at(&format!("/takeover/{path}?token=x"))).status, 403);
    }
    let tap = json!({"token": made.token, "action": {"type": "tap", "x": 1, "y": 1}});
    assert_eq!(post(&relay, &made.at("/takeover/action"), &tap).status, 501);
}
