//! From the table to what clients are told.

use super::table::{Arg, DEVICE, Kind, TOOLS, Tool};
use rmcp::model::{JsonObject, Tool as Definition, ToolAnnotations};
use serde_json::{Value, json};

/// The definitions. A server for one phone offers no choice of phones.
#[must_use]
pub fn definitions(one_phone: bool) -> Vec<Definition> {
    TOOLS.iter().map(|tool| definition(tool, one_phone)).collect()
}

fn definition(tool: &'static Tool, one_phone: bool) -> Definition {
    let hints = tool.hints;
    let hints = ToolAnnotations::new()
        .read_only(hints.read_only)
        .destructive(hints.destructive)
        .idempotent(hints.idempotent)
        .open_world(hints.open_world);
    let offered = tool.args.iter().filter(|arg| !(one_phone && arg.name == DEVICE));
    Definition::new(tool.name, tool.about, schema(offered)).annotate(hints)
}

fn schema(args: impl Iterator<Item = &'static Arg>) -> JsonObject {
    let (mut properties, mut required) = (JsonObject::new(), Vec::new());
    for arg in args {
        properties.insert(arg.name.into(), property(arg));
        if arg.required {
            required.push(Value::from(arg.name));
        }
    }
    let mut schema = JsonObject::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), Value::Object(properties)),
    ]);
    if !required.is_empty() {
        schema.insert("required".into(), Value::Array(required));
    }
    schema
}

fn property(arg: &Arg) -> Value {
    let mut property = match arg.kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Whole(..) => json!({ "type": "integer" }),
        Kind::OneOf(words) => json!({ "type": "string", "enum": words }),
        Kind::Objects => json!({ "type": "array", "items": { "type": "object" } }),
        Kind::Texts => json!({ "type": "object" }),
    };
    if !arg.about.is_empty() {
        property["description"] = arg.about.into();
    }
    property
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::ListToolsResult;

    #[test]
    fn the_definitions_cost_an_agent_little() {
        let listed = ListToolsResult::with_all_items(definitions(false));
        let bytes = serde_json::to_vec(&listed).unwrap().len();
        assert!(TOOLS.len() <= 12, "{} tools", TOOLS.len());
        assert!(bytes <= 6_000, "{bytes} bytes");
    }

    #[test]
    fn only_tools_that_change_nothing_say_so() {
        for tool in TOOLS {
            let hints = tool.hints;
            let looks = ["devices", "snapshot", "screenshot", "wait", "read"].contains(&tool.name);
            assert_eq!(hints.read_only, looks, "{}", tool.name);
            assert!(!(hints.read_only && hints.destructive), "{}", tool.name);
        }
    }

    #[test]
    fn a_server_for_one_phone_offers_no_choice_of_phones() {
        for definition in definitions(true) {
            assert!(definition.input_schema["properties"].get(DEVICE).is_none());
        }
        for definition in definitions(false) {
            assert!(definition.input_schema["properties"].get(DEVICE).is_some());
        }
    }
}
