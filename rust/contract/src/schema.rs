//! JSON Schemas. The execution's comes from the same tables that validation reads, the envelope's
//! from its types. They describe canonical payloads: aliases are for people, not for generators.

use crate::action::{ACTIONS, ActionSpec, Field, HostNumber, Kind, Origin, Rule};
use crate::aliases;
use crate::envelope::Envelope;
use crate::execution::EXPECTED_FORMAT;
use crate::limits::{
    MAX_ACTIONS, MAX_GESTURE_MS, MAX_ID_LENGTH, MAX_MATCHER_VALUE_LENGTH, MAX_SOURCE_LENGTH,
    MAX_STROKE_POINTS, MAX_STROKES, TIMEOUT_MS,
};
use crate::retry::RETRY_KEYS;
use serde_json::{Map, Value, json};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of a canonical execution.
#[must_use]
pub fn execution() -> Value {
    let actions: Vec<_> =
        ACTIONS.iter().filter(|spec| spec.origin != Origin::Internal).map(action).collect();
    json!({
        "$schema": DIALECT,
        "title": "Execution",
        "description": "An ordered list of actions for one phone, with ids and a timeout.",
        "type": "object",
        "properties": {
            "commandId": text(Some(MAX_ID_LENGTH), "Caller's correlation id."),
            "taskId": text(Some(MAX_ID_LENGTH), "Caller's task id."),
            "source": text(Some(MAX_SOURCE_LENGTH), "Caller's name."),
            "expectedFormat": { "const": EXPECTED_FORMAT },
            "timeoutMs": {
                "type": "number",
                "minimum": number(TIMEOUT_MS.min),
                "maximum": number(TIMEOUT_MS.max),
                "description": "Time for the whole execution."
            },
            "actions": {
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_ACTIONS,
                "items": { "anyOf": actions }
            },
            "mode": { "enum": ["artifact_compiled", "direct"] }
        },
        "required": ["commandId", "taskId", "source", "expectedFormat", "timeoutMs", "actions"],
        "additionalProperties": false,
        "$defs": {
            "matcher": matcher(),
            "selector": selector(),
            "retry": retry(),
            "point": point(&["x", "y"]),
            "strokePoint": point(&["x", "y", "t"])
        }
    })
}

/// The schema of an envelope.
#[must_use]
pub fn envelope() -> Value {
    let written = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    written.into_generator().into_root_schema_for::<Envelope>().to_value()
}

fn action(spec: &ActionSpec) -> Value {
    let needs_params = spec.fields.iter().any(|field| field.required)
        || spec.rules.iter().any(|rule| matches!(rule, Rule::ExactlyOne(_) | Rule::AtLeastOne(_)));
    let mut required = vec!["id", "type"];
    required.extend(needs_params.then_some("params"));
    let extension = if spec.origin == Origin::Extension { " (extension)" } else { "" };
    json!({
        "type": "object",
        "title": spec.name,
        "description": format!("{}{extension}", spec.summary),
        "properties": {
            "id": text(Some(MAX_ID_LENGTH), "Step's correlation id."),
            "type": { "const": spec.name },
            "params": params(spec)
        },
        "required": required,
        "additionalProperties": false
    })
}

fn params(spec: &ActionSpec) -> Value {
    let properties: Map<_, _> =
        spec.fields.iter().map(|field| (field.key.to_owned(), property(field))).collect();
    let required: Vec<_> =
        spec.fields.iter().filter(|field| field.required).map(|field| field.key).collect();
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false
    });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    let rules: Vec<_> = spec.rules.iter().flat_map(|rule| self::rule(*rule)).collect();
    if !rules.is_empty() {
        schema["allOf"] = rules.into();
    }
    schema
}

fn rule(rule: Rule) -> Vec<Value> {
    let needs =
        |keys: &[&str]| -> Vec<_> { keys.iter().map(|key| json!({ "required": [key] })).collect() };
    let no_two = |keys: &[&str]| -> Vec<_> {
        let pairs =
            keys.iter().enumerate().flat_map(|(i, a)| keys[..i].iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| json!({ "not": { "required": [b, a] } })).collect()
    };
    let when = |key: &str, value: Value, then: Value| {
        let condition = json!({ "properties": { key: { "const": value } }, "required": [key] });
        vec![json!({ "if": condition, "then": then })]
    };
    match rule {
        Rule::ExactlyOne(keys) => vec![json!({ "oneOf": needs(keys) })],
        Rule::AtLeastOne(keys) => vec![json!({ "anyOf": needs(keys) })],
        Rule::AtMostOne(keys) => no_two(keys),
        Rule::ClickAfterNeeds(keys) => {
            when("clickAfter", true.into(), json!({ "anyOf": needs(keys) }))
        }
        Rule::FocusNeedsNode => {
            when("clickType", "focus".into(), json!({ "not": { "required": ["coordinate"] } }))
        }
        Rule::RegexNeedsPattern => {
            let pattern = text(Some(MAX_MATCHER_VALUE_LENGTH), "A regular expression.");
            let then = json!({ "properties": { "validatorPattern": pattern }, "required": ["validatorPattern"] });
            when("validator", "regex".into(), then)
        }
    }
}

fn property(field: &Field) -> Value {
    let mut schema = match field.kind {
        Kind::Matcher => json!({ "$ref": "#/$defs/matcher" }),
        Kind::Selector => json!({ "$ref": "#/$defs/selector" }),
        Kind::Retry(_) => json!({ "$ref": "#/$defs/retry" }),
        Kind::Coordinate => json!({ "$ref": "#/$defs/point" }),
        Kind::NodeRef => json!({ "type": "string", "pattern": "^n[0-9]{1,10}@[0-9]{1,20}$" }),
        Kind::Strokes => json!({
            "type": "array", "minItems": 1, "maxItems": MAX_STROKES,
            "items": {
                "type": "array", "minItems": 1, "maxItems": MAX_STROKE_POINTS,
                "items": { "$ref": "#/$defs/strokePoint" }
            }
        }),
        Kind::Flag(default) => json!({ "type": "boolean", "default": default }),
        Kind::Text { host_max, .. } => text(host_max, ""),
        Kind::Word { values } => json!({ "type": "string", "examples": values }),
        Kind::Pattern => json!({ "type": "string" }),
        Kind::Choice { values, .. } => json!({ "enum": values }),
        Kind::Number { host, whole, default, .. } => numeric(host, whole, default),
    };
    let extension = if field.origin == Origin::Extension { " (extension)" } else { "" };
    schema["description"] = format!("{}{extension}", field.note).into();
    schema
}

fn numeric(host: HostNumber, whole: bool, default: Option<f64>) -> Value {
    let mut schema = json!({ "type": if whole { "integer" } else { "number" } });
    match host {
        HostNumber::Any => {}
        HostNumber::Within(bounds) => {
            schema["minimum"] = number(bounds.min);
            schema["maximum"] = number(bounds.max);
        }
        HostNumber::AboveZeroTo(max) => {
            schema["exclusiveMinimum"] = 0.into();
            schema["maximum"] = number(max);
        }
    }
    if let Some(default) = default {
        schema["default"] = number(default);
    }
    schema
}

/// A text that says something: one character that is not white space.
fn text(max: Option<usize>, description: &str) -> Value {
    let mut schema = json!({ "type": "string", "pattern": "\\S" });
    if let Some(max) = max {
        schema["maxLength"] = max.into();
    }
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    schema
}

/// Whole numbers without a fraction point.
#[allow(clippy::cast_possible_truncation, reason = "limits are small")]
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { (value as i64).into() } else { value.into() }
}

fn matcher_properties() -> Map<String, Value> {
    let keys = aliases::MATCHER.iter();
    keys.map(|(key, _)| ((*key).to_owned(), text(Some(MAX_MATCHER_VALUE_LENGTH), ""))).collect()
}

fn matcher() -> Value {
    json!({
        "description": "Names a node: every given field must hold.",
        "type": "object",
        "properties": matcher_properties(),
        "minProperties": 1,
        "additionalProperties": false
    })
}

fn selector() -> Value {
    let mut properties = matcher_properties();
    for (key, _) in aliases::SELECTOR {
        let schema = match *key {
            "class" => text(Some(MAX_MATCHER_VALUE_LENGTH), ""),
            "indexInParent" => json!({ "type": "integer", "minimum": 0 }),
            "anyOf" | "allOf" => {
                json!({ "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/selector" } })
            }
            _ => json!({ "type": "boolean" }),
        };
        properties.insert((*key).to_owned(), schema);
    }
    json!({
        "description": "Names a node by the full selector: every given field must hold (extension).",
        "type": "object",
        "properties": properties,
        "minProperties": 1,
        "additionalProperties": false
    })
}

fn retry() -> Value {
    let properties: Map<_, _> =
        RETRY_KEYS.iter().map(|key| ((*key).to_owned(), json!({ "type": "number" }))).collect();
    json!({
        "description": "How often and how patiently to try; the phone clamps each value.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false
    })
}

fn point(keys: &[&str]) -> Value {
    let properties: Map<_, _> = keys
        .iter()
        .map(|key| {
            let mut schema = json!({ "type": "integer", "minimum": 0 });
            if *key == "t" {
                schema["maximum"] = MAX_GESTURE_MS.into();
            }
            ((*key).to_owned(), schema)
        })
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": keys,
        "additionalProperties": false
    })
}
