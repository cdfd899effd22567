//! People who are asked, and what becomes of what they give.

use crate::talk::{Folder, Talk, http};
use clawperator_lab::Browser;
use serde_json::{Value, json};
use std::fs;

fn element<'a>(look: &'a Value, id: &str) -> &'a Value {
    let elements = look["snapshot"]["uiElements"].as_array().unwrap();
    let wanted = format!("com.clawperator.conformance:id/{id}");
    let found = elements.iter().find(|element| element["resourceId"] == wanted.as_str());
    found.unwrap_or_else(|| panic!("no {id} in {elements:?}"))
}

#[test]
fn a_person_approves_on_the_page_and_what_was_given_is_typed_and_kept() {
    let folder = Folder::new("person");
    let settings = json!({"humanAuth": {"enabled": true, "localRelayPort": 0}}).to_string();
    let settings = folder.write("settings.json", &settings);
    let mut talk = Talk::begin(folder.command(&["--config", &settings, "--events"]));
    talk.did(&json!({"type": "launch_app", "packageName": "com.clawperator.conformance"}));
    let look = talk.look();
    let field = element(&look, "text_field")["id"].clone();
    talk.did(&json!({"type": "tap", "element": field}));

    talk.send(&json!({"type": "request_human_auth", "capability": "sms",
        "instruction": "Enter the code that was sent to you."}));
    let event = talk.hear();
    assert_eq!(event["event"], "human_auth", "{event}");
    let mut browser = Browser::phone();
    browser.open(event["opened"]["openUrl"].as_str().unwrap());
    browser.write("input", "482915");
    browser.click(".primary");
    let approved = talk.hear();
    assert_eq!(approved["ok"], true, "{approved}");
    assert!(!approved.to_string().contains("482915"), "{approved}");
    let typed = talk.look();
    assert_eq!(element(&typed, "text_field")["text"], "482915");

    // A form's fields are not typed anywhere: the agent says where each belongs, by its name.
    talk.send(
        &json!({"type": "request_human_auth", "capability": "oauth", "instruction": "Sign in",
        "uiTemplate": {"artifactKind": "credentials", "fields": [
            {"id": "user", "label": "User", "type": "text"},
            {"id": "password", "label": "Password", "type": "password"}]}}),
    );
    let opened = talk.hear();
    browser.open(opened["opened"]["openUrl"].as_str().unwrap());
    browser.write("#input-1", "zoe");
    browser.write("#input-2", "hunter2");
    browser.click(".primary");
    let given = talk.hear();
    assert_eq!(given["result"]["data"]["secrets"], json!(["user", "password"]), "{given}");
    assert!(!given.to_string().contains("hunter2"), "{given}");
    let answer = talk.did(&json!({"type": "type", "secret": "password"}));
    assert!(!answer.to_string().contains("hunter2"), "{answer}");
    let typed = talk.look();
    let text = element(&typed, "text_field")["text"].as_str().unwrap();
    assert!(text.ends_with("hunter2"), "{text}");

    // The agent's own surface may pass a decision on, once.
    talk.send(
        &json!({"type": "request_human_auth", "capability": "payment", "instruction": "Pay?"}),
    );
    let opened = talk.hear();
    let id = opened["opened"]["requestId"].clone();
    let no = json!({"id": "no", "request": "decide", "requestId": id, "approved": false});
    talk.send(&no);
    talk.send(&no);
    let told: Vec<Value> = (0..3).map(|_| talk.hear()).collect();
    let rejected = told.iter().find(|answer| answer.get("id").is_none()).unwrap();
    assert_eq!(rejected["error"]["code"], "POCKET_HUMAN_REJECTED", "{told:?}");
    let decided: Vec<&Value> = told.iter().filter(|answer| answer["id"] == "no").collect();
    assert_eq!(decided.iter().filter(|answer| answer["ok"] == true).count(), 1, "{told:?}");

    talk.did(&json!({"type": "finish", "message": "Signed in."}));
    assert_eq!(talk.end(), 0);
    for name in ["session.md", "session.jsonl"] {
        let text = fs::read_to_string(folder.0.join("session").join(name)).unwrap();
        for secret in ["482915", "hunter2"] {
            // Screens show what apps show; the words about them do not.
            let words: String = text.lines().filter(|line| !line.contains("elements")).collect();
            assert!(!words.contains(secret), "{name} has {secret}: {text}");
        }
    }
}

/// Asks for something and gives it, as the page would.
fn given(talk: &mut Talk, capability: &str, mime: &str, base64: &str) -> Value {
    talk.send(&json!({"type": "request_human_auth", "capability": capability}));
    let event = talk.hear();
    let (url, id) = (&event["opened"]["openUrl"], &event["opened"]["requestId"]);
    let (url, id) = (url.as_str().unwrap(), id.as_str().unwrap());
    let artifact = json!({"mimeType": mime, "base64": base64});
    let token = url.split_once("token=").unwrap().1;
    let body = json!({"token": token, "approved": true, "artifact": artifact});
    let (status, said) = http(url, "POST", &format!("/v1/human-auth/requests/{id}/resolve"), &body);
    assert_eq!(status, 200, "{said}");
    talk.hear()
}

#[test]
fn a_picture_goes_to_the_phone_and_a_place_only_where_it_can_be_set() {
    let folder = Folder::new("given");
    let settings = json!({"humanAuth": {"enabled": true, "localRelayPort": 0}}).to_string();
    let settings = folder.write("settings.json", &settings);
    let mut talk = Talk::begin(folder.command(&["--config", &settings, "--events"]));

    // "a picture" in base64.
    let answer = given(&mut talk, "camera", "image/png", "YSBwaWN0dXJl");
    let text = answer["result"]["text"].as_str().unwrap();
    let path = text.split_once("delegation_result=pushed to ").unwrap().1.lines().next().unwrap();
    assert!(path.starts_with("/sdcard/Download/"), "{text}");
    let read = talk.did(&json!({"type": "shell", "command": format!("cat {path}")}));
    assert!(read["result"]["text"].as_str().unwrap().ends_with("\na picture"), "{read}");

    // {"kind":"geo","lat":52.52,"lon":13.405}: no place to set on a phone that is no emulator.
    let place = "eyJraW5kIjoiZ2VvIiwibGF0Ijo1Mi41MiwibG9uIjoxMy40MDV9";
    let answer = given(&mut talk, "location", "application/json", place);
    assert_eq!(answer["ok"], true, "the person's yes stands: {answer}");
    let text = answer["result"]["text"].as_str().unwrap();
    assert!(text.contains("delegation_failed=") && text.contains("not set"), "{text}");
    assert!(!text.contains("52.5") && !text.contains("13.4"), "{text}");
    talk.did(&json!({"type": "finish"}));
    assert_eq!(talk.end(), 0);
    let record = fs::read_to_string(folder.0.join("session/session.jsonl")).unwrap();
    assert!(!record.contains("52.52") && !record.contains(place), "{record}");
}
