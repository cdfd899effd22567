//! What the registry and the indexes say, byte for byte.
//!
//! The forms are those `jq` writes: two spaces, keys in the order they were written, text as it is,
//! a line end at the end.

use crate::registry::{MANIFEST, REGISTRY_FILE, SCHEMA_FILE, SCHEMA_VERSION, hex, sha256};
use serde_json::{Map, Value, json};
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The folder of the indexes, from the root of the repository.
pub(crate) const GENERATED: &str = "skills/generated";
/// The folders of the shards. A repository may leave them out of git.
pub(crate) const SHARDS: [&str; 2] = ["by-app", "by-prefix"];

/// Every generated file by its path from the root of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Files {
    pub(crate) registry: Vec<u8>,
    /// Those of the folder `generated`, by their path in it.
    pub(crate) generated: BTreeMap<String, Vec<u8>>,
}

impl Files {
    /// Of the entries, which are in the order of their ids.
    pub(crate) fn of(skills: &[&Value], generated_at: &str) -> Self {
        let total = skills.len();
        let registry = pretty(&json!({
            "$schema": format!("./{SCHEMA_FILE}"),
            "schemaVersion": SCHEMA_VERSION,
            "generatedAt": generated_at,
            "skills": skills
        }))
        .into_bytes();
        let mut generated = BTreeMap::new();
        let short: Vec<Value> = skills.iter().map(|skill| short(skill)).collect();
        generated.insert(
            "skills-index.min.json".to_owned(),
            pretty(&json!({
                "schemaVersion": SCHEMA_VERSION,
                "generatedAt": generated_at,
                "count": total,
                "skills": short
            }))
            .into_bytes(),
        );
        let lines: String =
            skills.iter().map(|skill| format!("{}\n", as_jq(skill.to_string()))).collect();
        generated.insert("skills-index.jsonl".to_owned(), lines.into_bytes());
        let shard = |kind: &str, name: &str, skills: &[&Value]| {
            pretty(&json!({
                "schemaVersion": SCHEMA_VERSION,
                "generatedAt": generated_at,
                kind: name,
                "count": skills.len(),
                "skills": skills
            }))
            .into_bytes()
        };
        let mut listed: Vec<(&str, Vec<Value>)> = Vec::new();
        for (kind, folder, list, name_of) in [
            ("applicationId", SHARDS[0], "byApp", application as fn(&Value) -> String),
            ("prefix", SHARDS[1], "byPrefix", |skill| prefix(text(skill, "id"))),
        ] {
            // By file name, not by name: "a.b.json" comes before "a.json".
            let mut shards: BTreeMap<String, (String, Vec<&Value>)> = BTreeMap::new();
            for skill in skills {
                let name = name_of(skill);
                let file = format!("{folder}/{name}.json");
                shards.entry(file).or_insert_with(|| (name, Vec::new())).1.push(skill);
            }
            let mut entries = Vec::new();
            for (file, (name, skills)) in shards {
                let bytes = shard(kind, &name, &skills);
                entries.push(json!({
                    kind: name,
                    "file": format!("{GENERATED}/{file}"),
                    "sha256": sha256(&bytes),
                    "count": skills.len()
                }));
                generated.insert(file, bytes);
            }
            listed.push((list, entries));
        }
        let artifact = |file: String, bytes: &[u8]| json!({"file": file, "sha256": sha256(bytes), "count": total});
        let index = |name: &str| {
            artifact(
                format!("{GENERATED}/{name}"),
                generated.get(name).map(Vec::as_slice).unwrap_or_default(),
            )
        };
        let shards: Map<String, Value> =
            listed.into_iter().map(|(list, entries)| (list.to_owned(), entries.into())).collect();
        let manifest = pretty(&json!({
            "schemaVersion": SCHEMA_VERSION,
            "generatedAt": generated_at,
            "totalSkills": total,
            "artifacts": {
                "registry": artifact(REGISTRY_FILE.to_owned(), &registry),
                "minIndex": index("skills-index.min.json"),
                "jsonlIndex": index("skills-index.jsonl")
            },
            "shards": shards
        }));
        let name = MANIFEST.trim_start_matches(GENERATED).trim_start_matches('/').to_owned();
        generated.insert(name, manifest.into_bytes());
        Self { registry, generated }
    }

    /// Is all of it there already, and nothing else?
    pub(crate) fn are_at(&self, root: &Path) -> bool {
        let folder = root.join(GENERATED);
        fs::read(root.join(REGISTRY_FILE)).is_ok_and(|seen| seen == self.registry)
            && self
                .generated
                .iter()
                .all(|(name, bytes)| fs::read(folder.join(name)).is_ok_and(|seen| seen == *bytes))
            && self.strangers(&folder).is_empty()
    }

    /// Files in the folder of the indexes that were not generated.
    pub(crate) fn strangers(&self, folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for below in ["", SHARDS[0], SHARDS[1]] {
            let Ok(entries) = fs::read_dir(folder.join(below)) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = if below.is_empty() { name } else { format!("{below}/{name}") };
                if !self.generated.contains_key(&path) && !SHARDS.contains(&path.as_str()) {
                    found.push(path);
                }
            }
        }
        found.sort();
        found
    }
}

fn text<'a>(skill: &'a Value, key: &str) -> &'a str {
    skill.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn application(skill: &Value) -> String {
    text(skill, "applicationId").to_owned()
}

fn short(skill: &Value) -> Value {
    let keys = ["id", "applicationId", "intent", "summary", "path"];
    let kept: Map<String, Value> = keys
        .into_iter()
        .map(|key| (key.to_owned(), skill.get(key).cloned().unwrap_or_default()))
        .collect();
    kept.into()
}

/// The shard an id is in: the first two hex digits of its SHA-1.
#[must_use]
pub fn prefix(id: &str) -> String {
    hex(&Sha1::digest(id.as_bytes())[..1])
}

/// As `jq` writes it.
pub(crate) fn pretty(value: &Value) -> String {
    as_jq(format!("{value:#}\n"))
}

/// The one letter in which the two writers differ; it only occurs inside of texts.
fn as_jq(text: String) -> String {
    if text.contains('\u{7f}') { text.replace('\u{7f}', "\\u007f") } else { text }
}
