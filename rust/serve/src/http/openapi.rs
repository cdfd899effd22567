//! `/openapi.json`, made from the same table as the routes.

use super::shapes;
use super::status;
use super::table::{Body, Kind, Parameter, ROUTES, Route, Shape};
use clawperator_contract::{ErrorCode, schema};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The document for this version of the program.
#[must_use]
pub fn document(version: &str) -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let at = paths.entry(route.path).or_insert_with(|| json!({}));
        at[route.method] = operation(route, &mut generator);
    }
    let mut schemas = generator.take_definitions(true);
    lift("Execution", schema::execution(), &mut schemas);
    lift("Envelope", schema::envelope(), &mut schemas);
    let codes: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
    schemas.insert("Failure".into(), shapes::failure(&codes));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "clawperator serve",
            "version": version,
            "description": "Executions on Android phones. Every answer is JSON; a failure is {\"ok\":false,\"error\":{\"code\",\"message\",…}}.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "headers": { "requestId": { "schema": { "type": "string" } } },
        },
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let in_path = route.path.split('/').filter_map(|part| {
        let name = part.strip_prefix('{')?.strip_suffix('}')?;
        Some(json!({
            "name": name, "in": "path", "required": true,
            "schema": { "type": "string", "minLength": 1 },
        }))
    });
    let parameters: Vec<Value> = in_path.chain(route.query.iter().map(parameter)).collect();
    let mut operation = json!({
        "operationId": operation_id(route),
        "summary": route.summary,
        "parameters": parameters,
        "responses": responses(route),
        "security": if route.open { json!([]) } else { json!([{}, { "token": [] }]) },
    });
    if let Some(Body { schema, needed }) = route.body {
        let schema = schema(generator).to_value();
        operation["requestBody"] =
            json!({ "required": needed, "content": { "application/json": { "schema": schema } } });
    }
    operation
}

/// `post /skills/{skillId}/run` is `postSkillsSkillIdRun`.
fn operation_id(route: &Route) -> String {
    let words = route.path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    route.method.to_owned() + &words.map(capital).collect::<String>()
}

fn parameter(parameter: &Parameter) -> Value {
    let schema = match parameter.kind {
        Kind::Text => json!({ "type": "string", "minLength": 1, "pattern": "\\S" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Millis(most) => json!({ "type": "integer", "minimum": 0, "maximum": most }),
    };
    json!({
        "name": parameter.name, "in": "query", "description": parameter.about, "schema": schema,
    })
}

fn responses(route: &Route) -> Value {
    let headers = json!({ "x-request-id": { "$ref": "#/components/headers/requestId" } });
    let mut responses = Map::new();
    for (status, shape) in route.answers {
        let (kind, schema) = match shape {
            Shape::Json(shape) => ("application/json", shape()),
            Shape::Other("text/event-stream") => ("text/event-stream", json!({ "type": "string" })),
            Shape::Other(kind) => (*kind, json!({})),
        };
        let answer = json!({
            "description": if *status == 202 { "It waits or runs." } else { "Done." },
            "headers": headers,
            "content": { kind: { "schema": schema } },
        });
        responses.insert(status.to_string(), answer);
    }
    // Any route may fail with any code: what is behind it is a phone, a disk and other programs.
    let statuses: BTreeSet<u16> = ErrorCode::ALL.iter().map(|code| status::of(*code)).collect();
    for status in statuses {
        let answer = json!({
            "description": "It failed; `error.code` says how.",
            "headers": headers,
            "content": {
                "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } },
            },
        });
        responses.insert(status.to_string(), answer);
    }
    Value::Object(responses)
}

/// Puts a schema with definitions of its own among the others.
fn lift(name: &str, mut schema: Value, schemas: &mut Map<String, Value>) {
    let definitions = schema.as_object_mut().and_then(|schema| {
        schema.remove("$schema");
        schema.remove("$defs")
    });
    rewrite(&mut schema);
    schemas.insert(name.into(), schema);
    if let Some(Value::Object(definitions)) = definitions {
        for (name, mut definition) in definitions {
            rewrite(&mut definition);
            schemas.insert(name, definition);
        }
    }
}

fn rewrite(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) if key == "$ref" => {
                        *text = text.replace("#/$defs/", "#/components/schemas/");
                    }
                    other => rewrite(other),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(rewrite),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    match value.as_str() {
                        Some(text) if key == "$ref" => into.push(text.to_owned()),
                        _ => references(value, into),
                    }
                }
            }
            Value::Array(list) => list.iter().for_each(|value| references(value, into)),
            _ => {}
        }
    }

    #[test]
    fn everything_the_document_refers_to_is_in_it() {
        let document = document("1.2.3");
        let mut all = Vec::new();
        references(&document, &mut all);
        assert!(all.len() > 50);
        for reference in all {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
    }

    #[test]
    fn operations_have_names_of_their_own() {
        let ids: BTreeSet<String> = ROUTES.iter().map(operation_id).collect();
        assert_eq!(ids.len(), ROUTES.len());
        assert!(ids.contains("postSkillsSkillIdRun"), "{ids:?}");
    }
}
