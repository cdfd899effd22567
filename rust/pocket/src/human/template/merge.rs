//! A template from a file of the workspace, and the one in the action over it.

use crate::action::UiTemplate;
use crate::workspace::Workspace;
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Map, Value};

/// The template of an action: the file's, with every key of the inline one over it, and `style` key
/// by key. None when the action has neither.
///
/// # Errors
/// The file is outside the workspace, is no `.json` file, is missing, or holds no JSON object.
pub fn merged(
    inline: Option<&UiTemplate>,
    path: Option<&str>,
    workspace: Option<&Workspace>,
) -> Result<Option<Value>, Failure> {
    let inline = match inline.map(serde_json::to_value) {
        Some(Ok(Value::Object(map))) => Some(map),
        _ => None,
    };
    let Some(path) = path.map(str::trim).filter(|path| !path.is_empty()) else {
        return Ok(inline.map(Value::Object));
    };
    let workspace = workspace.ok_or_else(|| {
        Failure::new(
            ErrorCode::PocketDisabled,
            format!("templatePath {path:?} names a file, and this session has no workspace"),
        )
        .hint("Give the template in uiTemplate, or a workspace in the settings.")
    })?;
    let mut template = read(workspace, path)?;
    for (key, value) in inline.unwrap_or_default() {
        match (template.get_mut(&key), value) {
            (Some(Value::Object(below)), Value::Object(above)) if key == "style" => {
                below.extend(above);
            }
            (_, value) => {
                template.insert(key, value);
            }
        }
    }
    Ok(Some(Value::Object(template)))
}

fn read(workspace: &Workspace, path: &str) -> Result<Map<String, Value>, Failure> {
    let refused = |message: String| {
        Failure::new(ErrorCode::PocketFileFailed, message)
            .hint("Name a .json file of the workspace that holds one JSON object.")
    };
    if !path.to_lowercase().ends_with(".json") {
        return Err(refused(format!("templatePath {path:?} does not end in .json")));
    }
    let mut text = String::new();
    let mut from = 1;
    // One read gives at most 1000 lines; templates are short, but they may be written long.
    loop {
        let part = workspace.read(path, from, crate::workspace::MAX_LINES)?;
        if part.cut {
            return Err(refused(format!("templatePath {path:?} is too long for a template")));
        }
        text.push_str(&part.text);
        text.push('\n');
        if part.to >= part.total || part.to < from {
            break;
        }
        from = part.to + 1;
    }
    match serde_json::from_str(&text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(refused(format!("templatePath {path:?} holds JSON that is no object"))),
        // The words of the reader name the place and never the content.
        Err(error) => Err(refused(format!(
            "templatePath {path:?} is no JSON: line {} column {}",
            error.line(),
            error.column()
        ))),
    }
}
