//! The registry and its indexes, generated from the `skill.json` of every skill.
//!
//! The same skills give the same bytes: the moment in the files changes only when the skills do.
//! All files are put in place at once, and nothing is touched when a skill is wrong.

mod collect;
mod files;
mod fresh;
mod moment;
mod put;

pub use collect::{Collected, Source, collect};
pub(crate) use collect::{Named, collect_with, read as read_skill_json};
pub use files::prefix;
pub(crate) use fresh::check_collected;
pub use fresh::{Stale, check, check_manifest};
pub(crate) use put::put_file;

use crate::problem::{Problem, failure};
use crate::registry::{REGISTRY_FILE, SCHEMA_FILE, read_json, schema, shape};
use clawperator_contract::{ErrorCode, Failure};
use files::Files;
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// What came of generating.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Generated {
    /// The registry.
    pub registry_path: String,
    /// How many skills there are.
    pub total_skills: usize,
    /// Was anything written?
    pub changed: bool,
    /// The moment in the files.
    pub generated_at: String,
    /// What should be mended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Problem>,
}

/// Generates the registry and its indexes of the repository at `root`.
pub fn generate(root: &Path) -> Result<Generated, Failure> {
    generate_until(root, usize::MAX)
}

/// The same, but stops before this step of putting the files in place, as a crash would.
fn generate_until(root: &Path, steps: usize) -> Result<Generated, Failure> {
    let collected = collect(root)?;
    if let Some(failure) = failure(&collected.problems) {
        return Err(failure.hint("mend it, then generate again; nothing was changed"));
    }
    let skills: Vec<&Value> = collected.sources.iter().map(|source| &source.entry).collect();
    let old = fs::read(root.join(REGISTRY_FILE)).ok();
    let generated_at = moment::of_generation(old.as_deref(), &skills)?;
    let files = Files::of(&skills, &generated_at);
    let unwritable = |error: std::io::Error| {
        let message = format!("the indexes of {} cannot be written: {error}", root.display());
        Failure::new(ErrorCode::OutputUnwritable, message).hint(
            "the old ones are as they were; check the folder's rights and the room on the disk",
        )
    };
    let mut changed = !files.are_at(root);
    if changed {
        put::put(root, &files, steps).map_err(unwritable)?;
    }
    changed |= write_schema(root).map_err(unwritable)?;
    Ok(Generated {
        registry_path: root.join(REGISTRY_FILE).display().to_string(),
        total_skills: skills.len(),
        changed,
        generated_at,
        warnings: collected.problems,
    })
}

/// The repository of a registry that is generated: the folder above `skills/`.
pub fn root_of(registry: &Path) -> Result<PathBuf, Failure> {
    if !registry.ends_with(REGISTRY_FILE) {
        let message = format!("{} is not a repository's {REGISTRY_FILE}", registry.display());
        return Err(Failure::new(ErrorCode::Usage, message)
            .hint("name the registry as <repository>/skills/skills-registry.json"));
    }
    let root = registry.ancestors().nth(2).filter(|root| !root.as_os_str().is_empty());
    Ok(root.unwrap_or(Path::new(".")).to_owned())
}

/// The registry's schema as a file has it.
#[must_use]
pub fn schema_text() -> String {
    files::pretty(&schema())
}

/// Writes the schema beside the registry where there is none, or another.
fn write_schema(root: &Path) -> Result<bool, std::io::Error> {
    let path = root.join("skills").join(SCHEMA_FILE);
    let text = schema_text();
    if fs::read(&path).is_ok_and(|seen| seen == text.as_bytes()) {
        return Ok(false);
    }
    put_file(&path, text.as_bytes())?;
    Ok(true)
}

/// `generatedAt` and the skills of a registry that can be read.
fn registry_parts(bytes: &[u8]) -> Option<(String, Vec<Value>)> {
    let mut value = read_json(bytes).ok()?;
    let generated_at = value.get("generatedAt")?.as_str()?.to_owned();
    let Value::Array(skills) = value.get_mut("skills")?.take() else { return None };
    shape::is_moment(&generated_at).then_some((generated_at, skills))
}

#[cfg(test)]
mod tests;
