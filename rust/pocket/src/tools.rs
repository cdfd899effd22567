//! The tools a model is offered, and the JSON Schemas, made from the table.

use crate::action::{ActionType, Field, Kind, TYPES, action_type};
use crate::normalise::{Normalised, normalise};
use serde_json::{Map, Value, json};

/// The action type a tool stands for: `type` for `type_text`, the same name for all others.
#[must_use]
pub fn type_of_tool(tool: &str) -> Option<&'static ActionType> {
    let tool = tool.trim();
    // Some models call the tool by the name of its action; there is nothing else it could mean.
    TYPES.iter().find(|of| of.tool == tool).or_else(|| action_type(tool))
}

/// The action of a tool call. The tool decides the type, whatever the arguments say.
#[must_use]
pub fn action_of_call(tool: &str, arguments: &Map<String, Value>) -> Normalised {
    let mut call = arguments.clone();
    let name = type_of_tool(tool).map_or(tool, |of| of.name);
    call.insert("type".into(), name.into());
    normalise(&Value::Object(call))
}

/// Every tool, as APIs with function calling take them.
#[must_use]
pub fn definitions() -> Vec<Value> {
    TYPES.iter().map(definition).collect()
}

fn definition(of: &ActionType) -> Value {
    let mut properties = Map::new();
    let thought = "What you see and why you take this step.";
    properties.insert("thought".into(), json!({"type": "string", "description": thought}));
    properties.extend(of.fields.iter().map(property));
    let names = required(of.fields);
    let required: Vec<_> = ["thought"].into_iter().chain(names).collect();
    json!({
        "type": "function",
        "function": {
            "name": of.tool,
            "description": of.about,
            "parameters": {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            },
        },
    })
}

/// The JSON Schema of an action.
#[must_use]
pub fn action_schema() -> Value {
    let mut schema = any_action();
    schema.insert("title".into(), "AgentAction".into());
    with_dialect(schema)
}

/// The JSON Schema of what a model's step comes to.
#[must_use]
pub fn step_schema() -> Value {
    let schema = json!({
        "title": "ModelStepOutput",
        "type": "object",
        "properties": {
            "thought": {"type": "string", "description": "What the model said about the step."},
            "action": any_action(),
            "raw": {"type": "string", "description": "The tool call as it came, as JSON text."},
        },
        "required": ["thought", "action", "raw"],
        "additionalProperties": false,
    });
    with_dialect(schema.as_object().cloned().unwrap_or_default())
}

fn with_dialect(mut schema: Map<String, Value>) -> Value {
    let dialect = "https://json-schema.org/draft/2020-12/schema";
    schema.shift_insert(0, "$schema".into(), dialect.into());
    Value::Object(schema)
}

fn any_action() -> Map<String, Value> {
    let one = |of: &ActionType| {
        let mut schema = object(of.fields);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.shift_insert(0, "type".into(), json!({"const": of.name}));
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.insert(0, "type".into());
        }
        schema.insert("description".into(), of.about.into());
        Value::Object(schema)
    };
    Map::from_iter([("oneOf".into(), TYPES.iter().map(one).collect())])
}

fn object(fields: &[Field]) -> Map<String, Value> {
    Map::from_iter([
        ("type".into(), "object".into()),
        ("properties".into(), Value::Object(fields.iter().map(property).collect())),
        ("required".into(), required(fields).collect()),
        ("additionalProperties".into(), false.into()),
    ])
}

fn required(fields: &[Field]) -> impl Iterator<Item = &'static str> {
    fields.iter().filter(|field| field.required).map(|field| field.name)
}

fn property(field: &Field) -> (String, Value) {
    let mut schema = match field.kind {
        Kind::Number => Map::from_iter([("type".into(), "number".into())]),
        Kind::Whole { min, max } => Map::from_iter([
            ("type".into(), "integer".into()),
            ("minimum".into(), min.into()),
            ("maximum".into(), max.into()),
        ]),
        Kind::Ratio => Map::from_iter([
            ("type".into(), "number".into()),
            ("minimum".into(), 0.into()),
            ("maximum".into(), 1.into()),
        ]),
        Kind::Text | Kind::Trimmed => Map::from_iter([("type".into(), "string".into())]),
        Kind::Flag => Map::from_iter([("type".into(), "boolean".into())]),
        Kind::Choice(words) => Map::from_iter([
            ("type".into(), "string".into()),
            ("enum".into(), words.iter().copied().collect()),
        ]),
        Kind::Object(fields) => object(fields),
        Kind::List(fields) => Map::from_iter([
            ("type".into(), "array".into()),
            ("items".into(), Value::Object(object(fields))),
        ]),
    };
    // A default is said only where leaving the field out is right.
    if let Some(default) = field.fallback.value().filter(|_| !field.required) {
        schema.insert("default".into(), default);
    }
    schema.insert("description".into(), field.about.into());
    (field.name.into(), Value::Object(schema))
}
