//! Reading one registry.

use super::locate;
use super::paths::Root;
use super::shape::{Step, Violation, path_name};
use super::skill::Skill;
use super::{REGISTRY_FRAME, SKILL};
use crate::problem::{Problem, Severity};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The manifest of the indexes, from the root of the repository.
pub const MANIFEST: &str = "skills/generated/manifest.json";

/// A registry whose frame is as it should be.
#[derive(Clone, Debug)]
pub struct Registry {
    /// Its file, as the caller named it.
    pub path: PathBuf,
    /// The repository it describes.
    pub root: Root,
    /// The skills with nothing wrong in their entry, in the registry's order.
    pub skills: Vec<Skill>,
    /// What is wrong: entries that are left out, and warnings.
    pub problems: Vec<Problem>,
    /// The ids of entries that are left out, with their problems.
    refused: Vec<(Option<String>, Vec<Problem>)>,
}

impl Registry {
    /// Reads a registry. A file that is no registry is a failure; what is wrong with single skills
    /// is told in `problems`.
    pub fn load(path: &Path) -> Result<Self, Failure> {
        let unreadable = |why: String| {
            let code = ErrorCode::RegistryReadFailed;
            Failure::new(code, format!("{}: {why}", path.display()))
                .detail("registryPath", path.display().to_string())
        };
        let bytes = fs::read(path).map_err(|error| {
            unreadable(format!("the registry cannot be read: {error}"))
                .hint("name a registry with --registry, or install the skills: `clawperator skills install`")
        })?;
        let text = String::from_utf8_lossy(&bytes);
        let file = path.display().to_string();
        let value = read_json(&bytes).map_err(|(line, why)| {
            unreadable(format!("the registry is no JSON: {why} (line {line})"))
                .detail("line", line)
                .hint("generate it anew: `clawperator skills index`")
        })?;
        let frame = REGISTRY_FRAME.check(&value);
        let frame =
            locate::problems(&file, &text, ErrorCode::RegistryReadFailed, "registry", frame);
        if let Some(mut failure) = crate::problem::failure(&frame) {
            failure.details.insert("registryPath".into(), file.into());
            failure.hint.get_or_insert("generate it anew: `clawperator skills index`".into());
            return Err(failure);
        }
        let folder = path.parent().and_then(Path::parent).unwrap_or(Path::new("."));
        // `skills-registry.json` alone is a file of the folder we are in.
        let folder = if path.parent() == Some(Path::new("")) { Path::new("..") } else { folder };
        let root = Root::new(folder).map_err(|error| unreadable(error.to_string()))?;
        let mut registry = Self {
            path: path.to_owned(),
            root,
            skills: Vec::new(),
            problems: frame,
            refused: Vec::new(),
        };
        let Value::Object(mut top) = value else { return Ok(registry) };
        if let Some(Value::Array(entries)) = top.remove("skills") {
            registry.take(entries, &file, &text);
        }
        registry.problems.extend(manifest_mismatch(registry.root.folder(), &bytes));
        Ok(registry)
    }

    fn take(&mut self, entries: Vec<Value>, file: &str, text: &str) {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (index, entry) in entries.into_iter().enumerate() {
            let mut violations = SKILL.check(&entry);
            let id = entry.get("id").and_then(Value::as_str).map(str::to_owned);
            if let Some(first) = id.as_ref().and_then(|id| seen.get(id)) {
                violations.push(Violation {
                    path: vec![Step::Key("id".into())],
                    message: format!(
                        "there is a skill {:?} already, at {}",
                        id.as_deref().unwrap_or_default(),
                        path_name(&[Step::Key("skills".into()), Step::Index(*first)])
                    ),
                    hint: Some("give one of them another id".into()),
                    only_warns: false,
                });
            }
            violations.extend(belongs(&entry));
            let refused = violations.iter().any(|violation| !violation.only_warns);
            if !violations.is_empty() {
                for violation in &mut violations {
                    violation.path.splice(0..0, [Step::Key("skills".into()), Step::Index(index)]);
                }
                let code = ErrorCode::SkillValidationFailed;
                let problems = locate::problems(file, text, code, "skill-entry", violations);
                if refused {
                    self.refused.push((id.clone(), problems.clone()));
                }
                self.problems.extend(problems);
            }
            if refused {
                continue;
            }
            if let Value::Object(entry) = entry {
                seen.extend(id.map(|id| (id, index)));
                self.skills.push(Skill::of(entry));
            }
        }
    }

    /// A skill by its id.
    #[must_use]
    pub fn skill(&self, id: &str) -> Option<&Skill> {
        self.skills.iter().find(|skill| skill.id() == id)
    }

    /// What is wrong with the entries that are left out, each with its id where it has one.
    #[must_use]
    pub fn refused(&self) -> &[(Option<String>, Vec<Problem>)] {
        &self.refused
    }
}

/// Every file of a skill lies in its own folder.
pub(crate) fn belongs(entry: &Value) -> Vec<Violation> {
    let Some(path) = entry.get("path").and_then(Value::as_str) else { return Vec::new() };
    let below = |file: &str| {
        file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')) && !file.contains("/../")
    };
    let mut found = Vec::new();
    let mut look = |steps: Vec<Step>, file: Option<&str>| {
        if let Some(file) = file.filter(|file| !below(file)) {
            found.push(Violation {
                path: steps,
                message: format!("{file:?} is not in the skill's folder {path:?}"),
                hint: None,
                only_warns: false,
            });
        }
    };
    look(vec![Step::Key("skillFile".into())], entry.get("skillFile").and_then(Value::as_str));
    for key in ["scripts", "artifacts"] {
        for (index, file) in
            entry.get(key).and_then(Value::as_array).into_iter().flatten().enumerate()
        {
            look(vec![Step::Key(key.into()), Step::Index(index)], file.as_str());
        }
    }
    found
}

/// JSON of a file, or the line of what is wrong with it and the parser's words.
pub(crate) fn read_json(bytes: &[u8]) -> Result<Value, (usize, String)> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|error| {
        let text = error.to_string();
        (error.line(), text.split(" at line ").next().unwrap_or(&text).to_owned())
    })
}

/// Lower-case hex of the SHA-256 of bytes.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A warning when the repository's manifest was made of another registry.
#[must_use]
pub fn manifest_mismatch(root: &Path, registry: &[u8]) -> Option<Problem> {
    let path = root.join(MANIFEST);
    let bytes = fs::read(&path).ok()?;
    let file = path.display().to_string();
    let code = ErrorCode::SkillValidationFailed;
    let mut problem = match read_json(&bytes) {
        Err((line, why)) => {
            let message = format!("the manifest is no JSON: {why} (line {line})");
            locate::whole(&file, code, "manifest", message)
        }
        Ok(manifest) => {
            let said = manifest.pointer("/artifacts/registry/sha256").and_then(Value::as_str);
            let seen = sha256(registry);
            if said == Some(seen.as_str()) {
                return None;
            }
            let said = said.unwrap_or("nothing");
            let message = format!(
                "the manifest was made of another registry: it says {said}, seen is {seen}"
            );
            locate::whole(&file, code, "manifest", message)
        }
    };
    problem.severity = Severity::Warning;
    problem.hint = Some("generate the indexes anew: `clawperator skills index`".into());
    Some(problem)
}
