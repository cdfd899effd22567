//! A question, a page in a browser, and the decision.

use clawperator_host::dispatch::Stop;
use clawperator_lab::Browser;
use clawperator_pocket::action::{Capability, UiTemplate};
use clawperator_pocket::human::bridge::Limits;
use clawperator_pocket::human::relay::Settings;
use clawperator_pocket::human::{Ask, Bridge, Decision, Opened, Relay};
use serde_json::Value;
use std::sync::mpsc;

/// Asks, opens the page, does `act` there, and gives the decision.
pub(crate) fn answered(
    settings: Settings,
    capability: Capability,
    template: &Value,
    act: impl FnOnce(&mut Browser, &str),
) -> Decision {
    answered_by(&Relay::start(settings).unwrap(), capability, template, act)
}

pub(crate) fn answered_by(
    relay: &Relay,
    capability: Capability,
    template: &Value,
    act: impl FnOnce(&mut Browser, &str),
) -> Decision {
    let bridge = Bridge::here(relay, Limits::default());
    let template: UiTemplate = serde_json::from_value(template.clone()).unwrap();
    let ask = Ask {
        capability,
        instruction: "The shop sent a code to your phone. Please enter it.",
        reason: "The shop asks for a code before it takes the order.",
        timeout_sec: 300,
        task: "Order oat milk for tomorrow morning",
        session_id: "s1",
        step: 3,
        current_app: "com.example.shop",
        screenshot_path: None,
        ui_template: Some(&template),
        template_path: None,
    };
    std::thread::scope(|scope| {
        let (told, opened) = mpsc::channel();
        let (ask, bridge) = (&ask, &bridge);
        let waits = scope.spawn(move || {
            let mut tell = |opened: &_| told.send(Clone::clone(opened)).unwrap();
            bridge.ask(ask, None, &Stop::default(), &mut tell)
        });
        let opened: Opened = opened.recv().unwrap();
        let url = opened.open_url.unwrap();
        let mut browser = Browser::phone();
        // Whatever the page would do to a phone's user, it does here.
        let done =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| act(&mut browser, &url)));
        if let Err(panic) = done {
            bridge.decide(&opened.request_id, false, None, "test");
            std::panic::resume_unwind(panic);
        }
        waits.join().unwrap().unwrap()
    })
}

/// The JSON a person gave.
pub(crate) fn content(decision: &Decision) -> Value {
    let artifact = decision.artifact.as_ref().unwrap();
    assert_eq!(artifact.mime, "application/json");
    serde_json::from_slice(&artifact.bytes).unwrap()
}
