//! JSON Schemas of both forms of a recipe, for editors. They say what a document looks like; what
//! it must prove is said by `recipe validate`.

use crate::recipe::words::{
    Annotation, Capability, Effect, Framework, RecipeType, Redaction, RiskLevel, SessionPolicy,
    ValueType, Word,
};
use crate::recipe::{ACTIONS, FLAG_KEYS, TEXT_KEYS};
use clawperator_contract::limits::TIMEOUT_MS;
use serde_json::{Map, Value, json};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The JSON form: frontmatter and steps in one object.
#[must_use]
pub fn recipe() -> Value {
    let mut properties = front_properties();
    let mut step = step_object();
    step["properties"]["title"] = text();
    properties.insert("steps".into(), json!({"type": "array", "minItems": 1, "items": step}));
    document("A recipe", properties, &["steps"])
}

/// The frontmatter of the Markdown form.
#[must_use]
pub fn frontmatter() -> Value {
    document("The frontmatter of a recipe", front_properties(), &[])
}

/// The block of a step of the Markdown form.
#[must_use]
pub fn step() -> Value {
    let mut schema = step_object();
    schema["$schema"] = DRAFT.into();
    schema["title"] = "A step of a recipe".into();
    schema["$defs"] = json!({"selector": selector()});
    schema
}

fn document(title: &str, properties: Map<String, Value>, also_required: &[&str]) -> Value {
    let required: Vec<&str> = REQUIRED.iter().chain(also_required).copied().collect();
    json!({
        "$schema": DRAFT,
        "title": title,
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties,
        "$defs": {"selector": selector()},
    })
}

/// Keys a recipe cannot do without.
const REQUIRED: [&str; 12] = [
    "recipe_id",
    "recipe_version",
    "recipe_type",
    "application_id",
    "summary",
    "frameworks",
    "session_policy",
    "app_build",
    "tested_on",
    "capabilities",
    "inputs",
    "outputs",
];

fn front_properties() -> Map<String, Value> {
    let schema = json!({
        "recipe_id": text(),
        "recipe_version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
        "recipe_type": one_of::<RecipeType>(),
        "application_id": {"type": "string", "pattern": r"^[A-Za-z]\w*(\.[A-Za-z]\w*)+$"},
        "summary": text(),
        "frameworks": some_of::<Framework>(),
        "session_policy": one_of::<SessionPolicy>(),
        "fresh_start_injected": {"type": "boolean"},
        "app_build": closed(
            json!({"version_name": text(), "version_code": natural()}),
            &["version_name", "version_code"],
        ),
        "tested_on": closed(
            json!({
                "android_api": natural(),
                "device_model": text(),
                "locale": text(),
                "last_verified_at": text(),
            }),
            &["android_api"],
        ),
        "compatibility": closed(
            json!({"min_version_code": natural(), "max_version_code": natural()}),
            &[],
        ),
        "capabilities": some_of::<Capability>(),
        "inputs": {"type": "array", "items": input()},
        "outputs": {"type": "array", "items": output()},
        "known_quirks": texts(),
        "failure_modes": texts(),
        "maintainers": texts(),
        "tags": texts(),
        "risk_level": one_of::<RiskLevel>(),
        "timeout_ms": {"type": "integer", "minimum": TIMEOUT_MS.min, "maximum": TIMEOUT_MS.max},
    });
    object(schema)
}

fn input() -> Value {
    let properties = json!({
        "name": name(),
        "type": one_of::<ValueType>(),
        "required": {"type": "boolean"},
        "default": {"type": ["string", "number", "boolean", "null"]},
        "choices": texts(),
        "min": {"type": "number"},
        "max": {"type": "number"},
        "description": text(),
    });
    closed(properties, &["name", "type"])
}

fn output() -> Value {
    let from = closed(json!({"step": text(), "field": text()}), &["step", "field"]);
    let properties = json!({
        "name": name(),
        "type": one_of::<ValueType>(),
        "redaction": one_of::<Redaction>(),
        "from": {"anyOf": [text(), from]},
        "pattern": text(),
        "description": text(),
    });
    closed(properties, &["name", "type"])
}

fn step_object() -> Value {
    let actions: Vec<&str> = ACTIONS
        .iter()
        .flat_map(|kind| kind.spec().aliases.iter().copied().chain([kind.spec().name]))
        .collect();
    let selector = || json!({"$ref": "#/$defs/selector"});
    let properties = json!({
        "id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
        "type": {"enum": actions},
        "selector": selector(),
        "container": selector(),
        "wait": closed(json!({"after_ms": {"type": "integer", "minimum": 0, "maximum": 60_000}}), &["after_ms"]),
        "retries": closed(
            json!({
                "count": {"type": "integer", "minimum": 0, "maximum": 9},
                "initial_delay_ms": natural(),
                "max_delay_ms": natural(),
            }),
            &["count"],
        ),
        "confirm": closed(
            json!({
                "selector": selector(),
                "container": selector(),
                "text_matches": text(),
                "timeout_ms": {"type": "integer", "minimum": 1, "maximum": 60_000},
            }),
            &["selector"],
        ),
        "params": {"type": "object"},
        "effect": one_of::<Effect>(),
        "verifies": text(),
        "optional": {"type": "boolean"},
        "expect_count": {"type": "integer", "minimum": 1},
    });
    closed(properties, &["id", "type"])
}

fn selector() -> Value {
    let mut properties = Map::new();
    properties.extend(TEXT_KEYS.map(|(key, _)| (key.to_owned(), text())));
    properties.extend(FLAG_KEYS.map(|key| (key.to_owned(), json!({"type": "boolean"}))));
    properties.insert("index_in_parent".into(), natural());
    for key in ["any_of", "all_of"] {
        let parts = json!({"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/selector"}});
        properties.insert(key.into(), parts);
    }
    properties.insert("annotation".into(), one_of::<Annotation>());
    closed(properties.into(), &[])
}

fn closed(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties,
    })
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn text() -> Value {
    json!({"type": "string", "minLength": 1})
}

fn texts() -> Value {
    json!({"type": "array", "items": text()})
}

fn natural() -> Value {
    json!({"type": "integer", "minimum": 0})
}

fn name() -> Value {
    json!({"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]{0,63}$"})
}

fn one_of<W: Word>() -> Value {
    json!({"enum": W::words()})
}

fn some_of<W: Word>() -> Value {
    json!({"type": "array", "minItems": 1, "items": one_of::<W>()})
}
