use crate::bench::Bench;
use clawperator_contract::Status;
use serde_json::{Value, json};

#[test]
fn what_is_done_between_start_and_stop_is_written_down() {
    let mut bench = Bench::on("com.clawperator.conformance");
    let field = json!({ "resourceId": "com.clawperator.conformance:id/text_field" });
    let envelope = bench.run(json!([
        { "id": "1", "type": "start_recording", "params": { "sessionId": "s1" } },
        { "id": "2", "type": "click", "params": { "matcher": { "textEquals": "Add one" } } },
        { "id": "3", "type": "enter_text", "params": { "matcher": field, "text": "hi" } },
        { "id": "4", "type": "press_key", "params": { "key": "back" } },
        { "id": "5", "type": "click", "params": { "matcher": { "textEquals": "Open list" } } },
        { "id": "6", "type": "scroll", "params": { "direction": "down" } },
        { "id": "7", "type": "press_key", "params": { "key": "home" } },
        { "id": "8", "type": "stop_recording", "params": {} }
    ]));
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    let lines = bench.file.lines();
    let kinds: Vec<_> = lines[1..].iter().map(|line| line["type"].as_str().unwrap()).collect();
    for kind in ["click", "text_change", "press_key", "window_change", "scroll"] {
        assert!(kinds.contains(&kind), "{kind} is missing: {kinds:?}");
    }
    let text = serde_json::to_string(&lines).unwrap();
    assert!(text.contains("Add one") && text.contains("com.clawperator.conformance:id/text_field"));
    let count = envelope.step_results[7].data["eventCount"].parse::<usize>().unwrap();
    assert_eq!(count, kinds.len());
}

#[test]
fn a_persons_own_touches_are_recorded_too_but_no_password() {
    let mut bench = Bench::on("com.clawperator.conformance");
    bench.click("Open inputs");
    bench.does("start_recording", json!({ "sessionId": "s2" }));
    let screen = bench.screen();
    let field = screen.nodes().find(|node| node.resource_id().ends_with("password_field"));
    bench.device.tap(field.unwrap().bounds().center());
    bench.device.type_text("hunter2");
    bench.does("stop_recording", json!({}));
    let lines = bench.file.lines();
    let typed = |line: &&Value| line["type"] == "text_change";
    assert!(lines.iter().any(|line| typed(&line)), "{lines:?}");
    assert!(!serde_json::to_string(&lines).unwrap().contains("hunter2"));
}
