//! The page in a real browser of a phone's size.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod human_support;

use clawperator_contract::Failure;
use clawperator_pocket::action::Capability;
use clawperator_pocket::human::relay::{Frame, Settings, Touch};
use clawperator_pocket::human::{Clock, Relay, Secret, Status, Takeover};
use human_support::page::{answered, answered_by, content};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A proxy that shows a relay below a path, as tunnels and hubs do.
fn below_a_path(relay: std::net::SocketAddr, listener: TcpListener, path: &'static str) {
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || {
                let mut client = stream.unwrap();
                let mut server = TcpStream::connect(relay).unwrap();
                let mut head = Vec::new();
                let mut byte = [0];
                while !head.ends_with(b"\r\n") && client.read(&mut byte).unwrap_or(0) == 1 {
                    head.push(byte[0]);
                }
                let line = String::from_utf8(head).unwrap();
                // One request for each connection, so that every one is rewritten.
                let line = line.replacen(&format!(" {path}/"), " /", 1);
                server.write_all(line.as_bytes()).unwrap();
                server.write_all(b"Connection: close\r\n").unwrap();
                let (mut up, mut down) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut up, &mut server);
                });
                let _ = std::io::copy(&mut down, &mut client);
                let _ = client.shutdown(Shutdown::Both);
            });
        }
    });
}

#[test]
fn a_code_goes_from_the_page_to_the_agent_even_behind_a_path() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let public = format!("http://{}/a/b", listener.local_addr().unwrap());
    let settings = Settings { public_base_url: Some(public.clone()), ..Settings::default() };
    let relay = Relay::start(settings).unwrap();
    below_a_path(relay.address(), listener, "/a/b");
    let decision = answered_by(&relay, Capability::Sms, &json!({}), |browser, url| {
        assert!(url.starts_with(&public) && url.contains("?token="));
        browser.open(url);
        browser.picture("sms");
        let address = browser.value("location.href");
        assert!(!address.as_str().unwrap().contains("token"), "{address}");
        let wide = browser.value("document.documentElement.scrollWidth");
        assert_eq!(wide, json!(390), "nothing sticks out of the screen");
        browser.click(".primary");
        browser.until("document.querySelector('.status').textContent.includes('missing')");
        browser.write("input", "482913");
        browser.click(".primary");
        browser.until("document.body.innerText.includes('Approved. You can close this page.')");
    });
    assert_eq!(
        (decision.status, decision.message.as_str()),
        (Status::Approved, "Approved from web link.")
    );
    let content = content(&decision);
    assert_eq!(
        (&content["kind"], &content["value"], &content["capability"]),
        (&json!("text"), &json!("482913"), &json!("sms"))
    );
    assert!(content["capturedAt"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn a_no_with_a_note_arrives() {
    let decision = answered(Settings::default(), Capability::Oauth, &json!({}), |browser, url| {
        browser.open(url);
        browser.write("textarea", "I did not ask for this");
        browser.click(".danger");
        browser.until("document.body.innerText.includes('Rejected.')");
        browser.call("Page.navigate", json!({"url": url}));
        browser.until(
            "document.body && document.body.innerText.includes('Request already rejected.')",
        );
    });
    assert_eq!(
        (decision.status, decision.message.as_str()),
        (Status::Rejected, "I did not ask for this")
    );
}

#[test]
fn fields_of_every_type_are_checked_and_sent_under_their_names() {
    let types = ["text", "textarea", "password", "email", "number", "date", "select", "otp"];
    let mut fields: Vec<_> = types
        .iter()
        .map(|kind| json!({"id": kind, "label": format!("A {kind}"), "type": kind, "options": [{"value": "v1", "label": "First"}]}))
        .collect();
    fields[0]["required"] = json!(true);
    fields[0]["helperText"] = json!("As it stands on the card.");
    fields[2]["artifactKey"] = json!("secret");
    let template = json!({"artifactKind": "credentials", "templateId": "login", "fields": fields,
        "title": "Sign in to the shop", "summary": "The agent needs your account to go on.",
        "style": {"brandColor": "#2255cc"}});
    let decision = answered(Settings::default(), Capability::Unknown, &template, |browser, url| {
        browser.open(url);
        browser.picture("fields");
        browser.click(".primary");
        browser.until("document.querySelector('.status').textContent === 'A text is required.'");
        browser.write("#input-1", " ann ");
        browser.write("#input-2", "two\nlines");
        browser.write("#input-3", "hunter2");
        browser.write("#input-4", "not an address");
        browser.write("#input-8", "12");
        browser.click(".primary");
        browser.until("document.querySelector('.status').textContent.startsWith('A email')");
        browser.write("#input-4", "@example.org");
        browser.value("document.querySelector('#input-4').value = 'ann@example.org'");
        browser.click(".primary");
        browser.until("document.querySelector('.status').textContent.includes('4 to 10 digits')");
        browser.write("#input-8", "34");
        browser.value("document.querySelector('#input-7').value = 'v1'");
        browser.click(".primary");
        browser.until("document.body.innerText.includes('Approved.')");
    });
    let content = content(&decision);
    let values = json!({"text": "ann", "textarea": "two\nlines", "secret": "hunter2", "email": "ann@example.org", "select": "v1", "otp": "1234"});
    assert_eq!(
        (&content["kind"], &content["templateId"]),
        (&json!("credentials"), &json!("login"))
    );
    assert_eq!((&content["fields"], &content["form_data"]), (&values, &values));
}

#[test]
fn a_card_is_asked_for_when_something_is_to_be_paid() {
    let decision =
        answered(Settings::default(), Capability::Payment, &json!({}), |browser, url| {
            browser.open(url);
            browser.picture("payment");
            browser.write("#input-1", "4111 1111 1111 1111");
            browser.write("#input-2", "12/30");
            browser.write("#input-3", "123");
            browser.click(".primary");
            browser.until("document.body.innerText.includes('Approved.')");
        });
    let content = content(&decision);
    let card = ["kind", "cardNumber", "expiry", "cvc", "zip"].map(|key| content[key].clone());
    assert_eq!(json!(card), json!(["payment_card_v1", "4111111111111111", "12/30", "123", ""]));
}

#[test]
fn a_place_is_typed_or_told_by_the_phone() {
    let decision = answered(
        Settings::default(),
        Capability::Location,
        &json!({}),
        |browser, url| {
            let place = json!({"latitude": 52.52, "longitude": 13.405, "accuracy": 5});
            browser.call("Emulation.setGeolocationOverride", place);
            browser.open(url);
            browser.picture("location");
            browser.write("#input-1", "91");
            browser.write("#input-2", "1");
            browser.click(".primary");
            browser.until("document.querySelector('.status').textContent.includes('-90 to 90')");
            let grant = json!({"permissions": ["geolocation"]});
            browser.call("Browser.grantPermissions", grant);
            browser.value("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Use my location').click()");
            browser.until("document.querySelector('#input-1').value === '52.52'");
            browser.click(".primary");
            browser.until("document.body.innerText.includes('Approved.')");
        },
    );
    let content = content(&decision);
    assert_eq!(
        json!([content["kind"], content["lat"], content["lon"]]),
        json!(["geo", 52.52, 13.405])
    );
}

/// A picture of one colour, large enough to be made smaller.
fn bitmap(width: u32, height: u32) -> Vec<u8> {
    let row = (width * 3).div_ceil(4) * 4;
    let mut bytes = b"BM".to_vec();
    let words =
        [54 + row * height, 0, 54, 40, width, height, 1 | (24 << 16), 0, row * height, 0, 0, 0, 0];
    bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
    bytes.resize(bytes.len() + (row * height) as usize, 120);
    bytes
}

/// Height and width of a JPEG, from its frame header.
fn jpeg_size(bytes: &[u8]) -> (u16, u16) {
    let at = bytes.windows(2).position(|two| two == [0xff, 0xc0] || two == [0xff, 0xc2]).unwrap();
    let word = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    (word(at + 5), word(at + 7))
}

#[test]
fn a_photo_is_made_small_and_several_are_an_album() {
    let folder = std::env::temp_dir().join(format!("human-photos-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let large = folder.join("large.bmp");
    let small = folder.join("small.bmp");
    std::fs::write(&large, bitmap(2400, 300)).unwrap();
    std::fs::write(&small, bitmap(8, 8)).unwrap();
    let (large, small) = (large.to_str().unwrap(), small.to_str().unwrap());
    let one = answered(Settings::default(), Capability::Camera, &json!({}), |browser, url| {
        browser.open(url);
        browser.choose("input[capture]", &[large]);
        browser.until("document.querySelector('.attached img')");
        browser.picture("camera");
        browser.click(".primary");
        browser.until("document.body.innerText.includes('Approved.')");
    });
    let photo = one.artifact.unwrap();
    assert_eq!((photo.mime.as_str(), jpeg_size(&photo.bytes)), ("image/jpeg", (240, 1920)));
    let many = answered(Settings::default(), Capability::Camera, &json!({}), |browser, url| {
        browser.open(url);
        browser.choose("input[multiple]", &[large, small]);
        browser.until("document.querySelector('.attached img')");
        browser.click(".primary");
        browser.until("document.body.innerText.includes('Approved.')");
    });
    let album = content(&many);
    let facts =
        ["kind", "mode", "count", "latestIndex", "latestName"].map(|key| album[key].clone());
    assert_eq!(json!(facts), json!(["photo_library_grant_v1", "album_grant", 2, 1, "small.bmp"]));
    assert_eq!(album["photos"][0]["mimeType"], "image/jpeg");
    assert_eq!(album["photos"][1]["sizeBytes"], json!(std::fs::metadata(small).unwrap().len()));
    std::fs::remove_dir_all(folder).unwrap();
}

/// A grey phone that remembers what was done to it.
#[derive(Default)]
struct Phone(Mutex<Vec<Touch>>);

impl Takeover for Phone {
    fn frame(&self) -> Result<Frame, Failure> {
        let (device_id, current_app) = ("sim".into(), "com.example.shop".into());
        // Browsers look at the content, not at what it is said to be.
        Ok(Frame { device_id, current_app, width: 100, height: 200, png: bitmap(100, 200) })
    }

    fn act(&self, touch: &Touch) -> Result<String, Failure> {
        let mut touches = self.0.lock().unwrap();
        touches.push(touch.clone());
        Ok(format!("done {}", touches.len()))
    }
}

#[test]
fn a_person_uses_the_phone_through_the_page() {
    let phone = Arc::new(Phone::default());
    let takeover: Arc<dyn Takeover> = phone.clone();
    let clock = Clock::default();
    let settings =
        Settings { takeover: Some(takeover), clock: clock.clone(), ..Settings::default() };
    answered(settings, Capability::Unknown, &json!({}), |browser, url| {
        browser.open(url);
        browser.click("details summary");
        browser.until("document.querySelector('.screen').naturalWidth === 100");
        browser.picture("takeover");
        browser.click(".screen");
        browser.until("document.body.innerText.includes('done 1')");
        clock.forward(Duration::from_millis(300));
        browser.click(".keys button");
        browser.until("document.body.innerText.includes('done 2')");
        clock.forward(Duration::from_millis(300));
        browser.write(".typing input", "hello");
        browser.click(".typing button");
        browser.until("document.body.innerText.includes('done 3')");
        browser.click(".danger");
        browser.until("document.body.innerText.includes('Rejected.')");
    });
    let touches = phone.0.lock().unwrap();
    assert_eq!(touches[0], Touch::Tap { x: 50, y: 100 });
    assert_eq!(touches[1], Touch::Keyevent { keycode: "KEYCODE_BACK".into() });
    assert_eq!(touches[2], Touch::Type { text: Secret::new("hello") });
}
