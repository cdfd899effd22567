//! Are the registry and the indexes those of the skills that are there?

use super::files::{Files, GENERATED, SHARDS};
use super::{collect, registry_parts, schema_text};
use crate::problem::{Problem, Severity};
use crate::registry::{MANIFEST, REGISTRY_FILE, SCHEMA_FILE, locate, read_json, sha256};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What is not as generating would leave it.
#[derive(Clone, Debug, Default)]
pub struct Stale {
    /// What keeps from generating.
    pub problems: Vec<Problem>,
    /// How many skills there are.
    pub total_skills: usize,
}

/// Compares every generated file with what would be generated now.
pub fn check(root: &Path) -> Result<Stale, Failure> {
    Ok(check_collected(root, &collect(root)?))
}

/// The same for skills that were read already.
pub(crate) fn check_collected(root: &Path, collected: &super::Collected) -> Stale {
    let mut stale = Stale { problems: Vec::new(), total_skills: collected.folders.len() };
    let registry = root.join(REGISTRY_FILE);
    let skills: Vec<&Value> = collected.sources.iter().map(|source| &source.entry).collect();
    let old = fs::read(&registry).unwrap_or_default();
    let generated_at = registry_parts(&old).map(|(moment, _)| moment).unwrap_or_default();
    let files = Files::of(&skills, &generated_at);
    let folder = root.join(GENERATED);
    let mut say = |path: &Path, what: &str| {
        let file = path.display().to_string();
        let code = ErrorCode::SkillValidationFailed;
        let mut problem = locate::whole(&file, code, "index-fresh", what);
        problem.hint = Some("generate the indexes anew: `clawperator skills index`".into());
        stale.problems.push(problem);
    };
    if old != files.registry {
        let known = registry_parts(&old).map(|(_, skills)| skills);
        say(&registry, &difference(known.as_deref(), &skills));
    }
    for (name, bytes) in &files.generated {
        // A repository may leave the shards out of git; then there are none at all.
        let shard = SHARDS.iter().find(|shard| name.starts_with(**shard));
        if shard.is_some_and(|shard| !folder.join(shard).exists()) {
            continue;
        }
        let path = folder.join(name);
        match fs::read(&path) {
            Ok(seen) if seen == *bytes => {}
            Ok(_) => say(&path, "it is not what the skills would give now"),
            Err(error) => say(&path, &format!("it cannot be read: {error}")),
        }
    }
    for name in files.strangers(&folder) {
        say(&folder.join(name), "nothing generates this file");
    }
    // Another version of this program may have written it: that is no fault of the skills.
    let schema = root.join("skills").join(SCHEMA_FILE);
    if fs::read(&schema).unwrap_or_default() != schema_text().as_bytes() {
        say(&schema, "it is not the schema this program checks by");
        if let Some(problem) = stale.problems.last_mut() {
            problem.severity = Severity::Warning;
        }
    }
    stale
}

/// Which skills make the difference.
fn difference(known: Option<&[Value]>, skills: &[&Value]) -> String {
    let Some(known) = known else { return "it is no registry".into() };
    let id = |skill: &Value| skill.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let list = |ids: Vec<String>| ids.join(", ");
    let missing: Vec<String> = skills
        .iter()
        .map(|skill| id(skill))
        .filter(|name| !known.iter().any(|old| id(old) == *name))
        .collect();
    let gone: Vec<String> = known
        .iter()
        .map(id)
        .filter(|name| !skills.iter().any(|skill| id(skill) == *name))
        .collect();
    let changed: Vec<String> = skills
        .iter()
        .filter(|skill| known.iter().any(|old| id(old) == id(skill) && old != **skill))
        .map(|skill| id(skill))
        .collect();
    let parts: Vec<String> = [
        ("not registered", missing),
        ("registered without a usable folder", gone),
        ("changed since", changed),
    ]
    .into_iter()
    .filter(|(_, ids)| !ids.is_empty())
    .map(|(what, ids)| format!("{what}: {}", list(ids)))
    .collect();
    if parts.is_empty() {
        "it is not what the skills would give now".into()
    } else {
        parts.join("; ")
    }
}

/// Compares the files a manifest names with its hashes. `None` where there is no manifest; a file
/// of a shard folder that is left out of git may be missing.
pub fn check_manifest(root: &Path) -> Option<Vec<Problem>> {
    let path = root.join(MANIFEST);
    let bytes = fs::read(&path).ok()?;
    let code = ErrorCode::SkillsSyncFailed;
    let mut problems = Vec::new();
    let mut say = |path: &Path, what: String| {
        problems.push(locate::whole(&path.display().to_string(), code, "manifest", what));
    };
    let manifest = match read_json(&bytes) {
        Ok(manifest) => manifest,
        Err((line, why)) => {
            say(&path, format!("the manifest is no JSON: {why} (line {line})"));
            return Some(problems);
        }
    };
    let artifacts = manifest.get("artifacts").and_then(Value::as_object);
    let shards = manifest.get("shards").and_then(Value::as_object);
    let listed = artifacts.into_iter().flat_map(|map| map.values());
    let shards = shards.into_iter().flat_map(|map| map.values()).filter_map(Value::as_array);
    let mut registry_named = false;
    for entry in listed.chain(shards.flatten()) {
        let text = |key| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let (name, said) = (text("file"), text("sha256"));
        registry_named |= name == REGISTRY_FILE;
        let known = name == REGISTRY_FILE
            || name.strip_prefix(GENERATED).is_some_and(|rest| rest.starts_with('/'));
        if !known || name.contains("..") {
            say(&path, format!("it names {name:?}, which is no generated file"));
            continue;
        }
        let shard = SHARDS.iter().map(|shard| root.join(GENERATED).join(shard));
        let file = root.join(name);
        let left_out = shard.into_iter().any(|shard| file.starts_with(&shard) && !shard.exists());
        match fs::read(&file) {
            Ok(seen) if sha256(&seen) == said => {}
            Ok(seen) => say(&file, format!("the manifest says {said}, seen is {}", sha256(&seen))),
            Err(_) if left_out => {}
            Err(error) => say(&file, format!("the manifest names it, but: {error}")),
        }
    }
    if !registry_named {
        say(&path, "it does not name the registry".into());
    }
    Some(problems)
}
