//! Fifty phones at one stock adb server, all at work at once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_contract::Status;
use clawperator_lab::{Lab, adb};
use serde_json::json;

const PHONES: usize = 50;

#[test]
fn fifty_phones_each_run_their_own_execution() {
    let phones: Vec<Lab> = (0..PHONES).map(|_| Lab::new()).collect();
    let listed = adb().run(&["devices"]).out();
    assert_eq!(listed.matches("\tdevice").count(), PHONES, "{listed}");
    std::thread::scope(|scope| {
        for (number, lab) in phones.iter().enumerate() {
            scope.spawn(move || one(number, lab));
        }
    });
}

/// Each types its own number, and reads its own back.
fn one(number: usize, lab: &Lab) {
    let command = format!("phone-{number}");
    let text = format!("I am phone {number}");
    let field = json!({ "resourceId": "com.clawperator.conformance:id/text_field" });
    let envelope = lab.run(
        &command,
        &json!([
            { "id": "open", "type": "open_app",
              "params": { "applicationId": "com.clawperator.conformance" } },
            { "id": "type", "type": "enter_text", "params": { "matcher": field, "text": text } },
            { "id": "read", "type": "read_text", "params": { "matcher": field } },
            { "id": "look", "type": "snapshot_ui" }
        ]),
    );
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    assert_eq!(envelope.command_id, command);
    assert_eq!(envelope.step_results.len(), 4);
    assert_eq!(envelope.step_results[2].data["text"], text);
    assert!(envelope.step_results[3].data["text"].contains(&text));
}
