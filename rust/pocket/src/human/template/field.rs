//! The fields of a form.

use super::rules::{Reader, cut};
use crate::action::FieldType;
use serde::Serialize;
use serde_json::Value;

const MOST: usize = 20;

/// One field, safe to show.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names are those of `uiTemplate`, which the schema describes")]
pub struct FormField {
    pub id: String,
    pub label: String,
    #[serde(rename = "type")]
    pub kind: FieldType,
    pub placeholder: String,
    pub helper_text: String,
    pub autocomplete: String,
    /// The name of the value in the artifact; the id where the agent gave none.
    pub artifact_key: String,
    pub required: bool,
    pub options: Vec<FormOption>,
}

/// One choice of a `select` field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names are those of `uiTemplate`, which the schema describes")]
pub struct FormOption {
    pub label: String,
    pub value: String,
}

/// The first 20 that are objects. Names by place count all entries, as the agent does.
pub(super) fn fields(list: &[Value]) -> Vec<FormField> {
    let mut fields: Vec<FormField> = Vec::new();
    for (at, value) in list.iter().enumerate() {
        let Some(object) = value.as_object().filter(|_| fields.len() < MOST) else { continue };
        let read = Reader(object);
        let mut field = FormField {
            id: format!("field_{}", at + 1),
            label: format!("Field {}", at + 1),
            kind: FieldType::Text,
            placeholder: read.optional("placeholder", 180).unwrap_or_default(),
            helper_text: read.optional("helperText", 220).unwrap_or_default(),
            autocomplete: read.optional("autocomplete", 80).unwrap_or_default(),
            artifact_key: String::new(),
            required: false,
            options: Vec::new(),
        };
        if let Some(id) = read.optional("id", 48) {
            field.id = id.chars().map(|c| if plain(c) { c } else { '_' }).collect();
        }
        read.text("label", 120, &mut field.label);
        read.word("type", &mut field.kind);
        read.flag("required", &mut field.required);
        field.artifact_key = read.optional("artifactKey", 64).unwrap_or_else(|| field.id.clone());
        if field.kind == FieldType::Select {
            field.options = options(object.get("options"));
        }
        // Two fields of one name would be one value, and the person would not know which.
        while fields.iter().any(|other| other.artifact_key == field.artifact_key) {
            field.artifact_key.push('_');
        }
        fields.push(field);
    }
    fields
}

fn plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn options(list: Option<&Value>) -> Vec<FormOption> {
    let objects = list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    objects
        .filter_map(|object| {
            let read = Reader(object);
            let value = read.optional("value", 120)?;
            let label = read.optional("label", 120).unwrap_or_else(|| cut(&value, 120));
            Some(FormOption { label, value })
        })
        .take(MOST)
        .collect()
}
