//! What a model is offered, and what it answers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_pocket::action::TYPES;
use clawperator_pocket::{Action, Step, StepError, tools};
use serde_json::{Value, json};

fn waited(duration_ms: u64) -> Action {
    Action::Wait { duration_ms, reason: None }
}

#[test]
fn only_type_text_has_another_name_than_its_action() {
    for of in TYPES {
        let expected = if of.name == "type" { "type_text" } else { of.name };
        assert_eq!(of.tool, expected);
        assert_eq!(tools::type_of_tool(of.tool), Some(of));
        assert_eq!(tools::type_of_tool(of.name), Some(of));
    }
    assert_eq!(tools::type_of_tool("fly"), None);
}

#[test]
fn every_tool_asks_for_a_thought_and_all_but_finish_may_have_a_reason() {
    let definitions = tools::definitions();
    assert_eq!(definitions.len(), TYPES.len());
    for (of, tool) in TYPES.iter().zip(&definitions) {
        assert_eq!(tool["type"], "function");
        let function = &tool["function"];
        assert_eq!(function["name"], of.tool);
        let parameters = &function["parameters"];
        assert!(jsonschema::meta::is_valid(parameters), "{parameters}");
        assert_eq!(parameters["required"][0], "thought");
        let has_reason = parameters["properties"].get("reason").is_some();
        assert_eq!(has_reason, of.name != "finish", "{}", of.name);
    }
    let swipe = &definitions[1]["function"]["parameters"];
    assert_eq!(swipe["required"], json!(["thought", "x1", "y1", "x2", "y2"]));
    let duration = &swipe["properties"]["durationMs"];
    assert_eq!(duration["type"], "integer");
    assert_eq!(duration["default"], 300);
    assert_eq!(duration["minimum"], 100);
}

#[test]
fn the_schemas_are_schemas_and_refuse_what_is_no_action() {
    assert!(jsonschema::meta::is_valid(&tools::step_schema()));
    let schema = tools::action_schema();
    assert!(jsonschema::meta::is_valid(&schema));
    let valid = |action: &Value| jsonschema::is_valid(&schema, action);
    assert!(valid(&json!({"type": "wait"})));
    assert!(valid(&json!({"type": "tap", "x": 1.5, "y": 2, "reason": "why"})));
    for wrong in [
        json!({"type": "tap", "x": 1}),
        json!({"type": "tap", "x": "1", "y": 2}),
        json!({"type": "finish", "message": "", "reason": "why"}),
        json!({"type": "process", "action": "stop"}),
        json!({"type": "wait", "durationMs": -1}),
        json!({"type": "type_text", "text": ""}),
    ] {
        assert!(!valid(&wrong), "{wrong}");
    }
}

#[test]
fn a_step_is_read_from_every_form_of_message() {
    let arguments = json!({"thought": "It loads.", "durationMs": 5});
    for message in [
        json!({"tool": "wait", "args": arguments}),
        json!({"content": null, "tool_calls": [
            {"type": "function",
             "function": {"name": "wait", "arguments": arguments.to_string()}},
            {"type": "function", "function": {"name": "finish", "arguments": "{}"}},
        ]}),
        json!({"content": [
            {"type": "text", "text": "Let me see."},
            {"type": "tool_use", "name": "wait", "input": arguments},
        ]}),
    ] {
        let output = Step::of_message(&message).unwrap().output;
        assert_eq!(output.thought, "It loads.");
        assert_eq!(output.action, waited(5));
        let raw: Value = serde_json::from_str(&output.raw).unwrap();
        assert_eq!(raw, json!({"tool": "wait", "args": arguments}));
    }
}

#[test]
fn a_thought_outside_of_the_arguments_counts_if_there_is_none_inside() {
    let used = json!({"type": "tool_use", "name": "wait", "input": {}});
    let thinking = json!({"type": "thinking", "thinking": "Hm."});
    let text = json!({"type": "text", "text": "I wait."});
    let thought = |message: Value| Step::of_message(&message).unwrap().output.thought;
    assert_eq!(thought(json!({"content": [text, thinking, used]})), "Hm.");
    assert_eq!(thought(json!({"content": [text, used]})), "I wait.");
    assert_eq!(thought(json!({"content": [used]})), "");
    let calls = json!([{"function": {"name": "wait"}}]);
    assert_eq!(thought(json!({"content": "I wait.", "tool_calls": calls})), "I wait.");
}

#[test]
fn the_tool_decides_the_type_and_not_its_arguments() {
    let step = Step::of_call("type_text", &json!({"type": "shell", "text": "hi"}), "").unwrap();
    assert_eq!(step.output.action, Action::Type { text: "hi".into(), reason: None });
    assert_eq!(step.notes, []);
}

#[test]
fn broken_arguments_are_an_error_and_not_a_tap_in_the_corner() {
    let bad = Err(StepError::BadArguments { tool: "tap".into() });
    for arguments in [json!("{\"x\": 5,"), json!("[1, 2]"), json!([1, 2]), json!(7)] {
        assert_eq!(Step::of_call("tap", &arguments, ""), bad, "{arguments}");
    }
}

#[test]
fn a_message_without_a_tool_call_is_an_error() {
    for message in [json!({"content": "Done."}), json!({"tool_calls": []}), json!(null)] {
        assert_eq!(Step::of_message(&message), Err(StepError::NoToolCall), "{message}");
    }
}
