use super::plan::{code_of, extension};
use super::*;
use crate::human::bridge::{Decision, Status};
use serde_json::json;

fn decision(artifact: Option<Delivered>, message: &str) -> Decision {
    Decision {
        request_id: "auth-1".into(),
        status: Status::Approved,
        message: message.into(),
        decided_at: String::new(),
        artifact,
    }
}

fn made_of(value: Value) -> Delivered {
    Delivered { mime: "application/json".into(), bytes: value.to_string().into_bytes() }
}

fn plan(capability: Capability, given: Delivered) -> Result<Plan, Failure> {
    Plan::of(capability, &decision(Some(given), ""), 17)
}

#[test]
fn text_is_typed_and_never_told() {
    let given = made_of(json!({"kind": "text", "value": "s3cret!", "capability": "sms"}));
    let plan = plan(Capability::Oauth, given).unwrap();
    assert_eq!(plan.steps, [Step::Type(Secret::new("s3cret!"))]);
    assert_eq!(plan.told, "delegated text (7 chars)");
    assert!(!format!("{plan:?}").contains("s3cret"));
}

#[test]
fn a_place_must_be_on_earth_and_is_set_but_not_told() {
    let given = made_of(json!({"kind": "geo", "lat": 52.52, "lon": "13.405"}));
    let made = plan(Capability::Location, given).unwrap();
    assert_eq!(made.steps, [Step::Locate(Place { lat: 52.52, lon: 13.405 })]);
    let words = format!("{made:?}");
    assert!(!words.contains("52") && !words.contains("13"), "{words}");
    for (lat, lon) in [
        (json!(91), json!(0)),
        (json!(0), json!(-180.5)),
        (json!("x"), json!(1)),
        (json!("NaN"), json!(1)),
        (json!(null), json!(null)),
    ] {
        let refused =
            plan(Capability::Location, made_of(json!({"kind": "geo", "lat": lat, "lon": lon})));
        assert_eq!(refused.unwrap_err().code, ErrorCode::PocketActionIncomplete, "{lat} {lon}");
    }
}

#[test]
fn pictures_sounds_and_files_go_to_downloads() {
    for (mime, path) in [
        ("image/png", "/sdcard/Download/clawperator-human-auth-17.png"),
        ("image/JPEG; q=1", "/sdcard/Download/clawperator-human-auth-17.jpg"),
        ("audio/webm;codecs=opus", "/sdcard/Download/clawperator-human-auth-17.webm"),
        ("application/pdf", "/sdcard/Download/clawperator-human-auth-17.pdf"),
        ("../../x", "/sdcard/Download/clawperator-human-auth-17.bin"),
    ] {
        let content = Delivered { mime: mime.into(), bytes: vec![1, 2] };
        let plan = plan(Capability::Files, content.clone()).unwrap();
        assert_eq!(plan.steps, [Step::Push { content, device_path: path.into() }]);
        assert_eq!(Step::media_scan(path)[5], format!("file://{path}"));
    }
    assert_eq!(extension("audio/mp4"), "m4a");
}

#[test]
fn an_album_is_pushed_in_order() {
    let photo = |name: &str| json!({"name": name, "mimeType": "image/jpeg", "base64": STANDARD.encode(name)});
    let given =
        made_of(json!({"kind": "photo_library_grant_v1", "photos": [photo("a"), photo("b")]}));
    let made = plan(Capability::Files, given).unwrap();
    let paths: Vec<_> = made
        .steps
        .iter()
        .map(|step| match step {
            Step::Push { device_path, content } => (device_path.as_str(), content.bytes.clone()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        paths,
        [
            ("/sdcard/Download/clawperator-human-auth-17-1.jpg", b"a".to_vec()),
            ("/sdcard/Download/clawperator-human-auth-17-2.jpg", b"b".to_vec()),
        ]
    );
    let broken = made_of(
        json!({"kind": "photo_library_grant_v1", "photos": [{"mimeType": "image/png", "base64": "%"}]}),
    );
    assert!(plan(Capability::Files, broken).is_err());
}

#[test]
fn credentials_and_cards_are_told_by_their_names_only() {
    let given = made_of(
        json!({"kind": "credentials", "fields": {"user": "ann@example", "password": "hunter2", "empty": ""}}),
    );
    let made = plan(Capability::Oauth, given).unwrap();
    assert_eq!(made.told, "delegated credentials with the fields user, password");
    assert_eq!(made.values[1], ("password".into(), Secret::new("hunter2")));
    assert_eq!(made.steps, []);
    let card = made_of(
        json!({"kind": "payment_card_v1", "cardNumber": "4111111111111111", "expiry": "12/30", "cvc": "123", "zip": ""}),
    );
    let card = plan(Capability::Payment, card).unwrap();
    assert_eq!(card.told, "delegated payment card with the fields cardNumber, expiry, cvc");
    for secret in ["hunter2", "ann@", "4111", "12/30"] {
        assert!(!format!("{made:?}{card:?}").contains(secret));
    }
}

#[test]
fn what_an_agents_form_makes_up_is_values_and_not_a_file_on_the_phone() {
    let given =
        made_of(json!({"kind": "my_login", "capability": "oauth", "pin": 1234, "who": "ann"}));
    let made = plan(Capability::Oauth, given).unwrap();
    assert_eq!(made.told, "delegated form with the fields pin, who");
    assert_eq!(made.values[0].1.reveal(), "1234");
    assert_eq!(made.steps, []);
    let chosen = plan(Capability::Files, made_of(json!({"any": "file"}))).unwrap();
    assert!(matches!(chosen.steps[..], [Step::Push { .. }]));
    let code = plan(Capability::Sms, made_of(json!({"kind": "own", "value": "4829"}))).unwrap();
    assert_eq!(code.steps, [Step::Type(Secret::new("4829"))]);
}

#[test]
fn a_code_in_a_note_is_typed_for_the_capabilities_that_wait_for_one() {
    let sms = Capability::Sms;
    for (note, code) in [
        ("the code is 482913, thanks", Some("482913")),
        ("G-482913", Some("482913")),
        ("AB-12.x_9", Some("AB-12.x_9")),
        ("123", None),
        ("no code here at all", None),
        ("Approved by admin 4829.", None),
        ("Approved from web link.", None),
    ] {
        assert_eq!(code_of(sms, note).as_deref(), code, "{note}");
    }
    assert_eq!(code_of(Capability::Payment, "482913"), None);
    let made = Plan::of(sms, &decision(None, "482913"), 1).unwrap();
    assert_eq!(made.steps, [Step::Type(Secret::new("482913"))]);
    let rejected = Decision { status: Status::Rejected, ..decision(None, "482913") };
    assert_eq!(Plan::of(sms, &rejected, 1).unwrap(), Plan::default());
}
