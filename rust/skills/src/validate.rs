//! Is a skill what its registry says, and can it be used?
//!
//! Everything that is wrong is told, of every skill: one that cannot be read keeps nobody from
//! looking at the others.

mod artifacts;
mod contract;
mod frontmatter;
mod scripts;

use crate::index::{Named, check_collected, collect_with, read_skill_json};
use crate::problem::{Problem, Severity};
use crate::registry::{Found, NotInside, Registries, Registry, Skill, locate};
use artifacts::DryRun;
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;

/// What was found of one skill.
#[derive(Default)]
struct Checked {
    problems: Vec<Problem>,
    missing: Vec<String>,
    mismatched: Vec<String>,
    dry_run: Option<DryRun>,
    /// The names of its recipes, with their files.
    recipes: Vec<(String, String)>,
}

impl Checked {
    fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|problem| problem.severity == Severity::Error)
    }

    fn warnings(&self) -> Vec<&Problem> {
        self.problems.iter().filter(|problem| problem.severity == Severity::Warning).collect()
    }

    fn failure(&self, id: &str) -> Option<Failure> {
        let first = self.errors().next()?;
        let more = match self.errors().count() {
            1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        let outside = self.errors().any(|problem| problem.code == ErrorCode::SkillPathOutside);
        let code = match outside {
            true => ErrorCode::SkillPathOutside,
            false => ErrorCode::SkillValidationFailed,
        };
        let message = format!("{id}: {}: {}{more}", first.file, first.message);
        let mut failure = Failure::new(code, message).detail("skillId", id);
        for (key, list) in [("missingFiles", &self.missing), ("mismatchFields", &self.mismatched)] {
            if !list.is_empty() {
                failure = failure.detail(key, list.clone());
            }
        }
        let hint = first.hint.clone().unwrap_or_else(|| code.remedy().to_owned());
        Some(failure.detail("problems", json!(self.problems)).hint(hint))
    }
}

/// Looks at one skill; in a dry run its artifacts are read as what they become.
pub fn one(registries: &Registries, id: &str, dry_run: bool) -> Result<Value, Failure> {
    let found = registries.skill(id)?;
    let mut checked = skill(&found, dry_run);
    // Whoever asks for one skill hears, too, that the registry is not the one that was generated.
    let stale = found.registry.problems.iter().filter(|problem| problem.rule == "manifest");
    checked
        .problems
        .extend(stale.cloned().map(|problem| Problem { severity: Severity::Error, ..problem }));
    if let Some(failure) = checked.failure(id) {
        return Err(failure.detail("registryPath", found.registry.path.display().to_string()));
    }
    let mut answer = json!({
        "valid": true,
        "skill": registries.shown(&found),
        "registryPath": found.registry.path.display().to_string()
    });
    if let Some(dry_run) = &checked.dry_run {
        answer["dryRun"] = json!(dry_run);
    }
    answer["checks"] = paths(&found);
    if !checked.warnings().is_empty() {
        answer["warnings"] = json!(checked.warnings());
    }
    Ok(answer)
}

/// Looks at every skill of every registry, and at what the repositories hold beside them.
pub fn all(registries: &Registries, dry_run: bool) -> Result<Value, Failure> {
    let mut valid = Vec::new();
    let mut failures = Vec::new();
    let mut repository: Vec<Problem> = Vec::new();
    let mut total = 0;
    let mut recipes = HashMap::new();
    for (rank, registry) in registries.all().iter().enumerate() {
        total += registry.skills.len() + registry.refused().len();
        for (id, problems) in registry.refused() {
            let failure = crate::problem::failure(problems);
            failures.extend(failure.map(|failure| failed(id.as_deref(), failure)));
        }
        for entry in &registry.skills {
            let found = Found { skill: entry, registry, rank };
            let checked = skill(&found, dry_run);
            repository
                .extend(checked.recipes.iter().filter_map(|recipe| twin(&mut recipes, recipe)));
            match checked.failure(entry.id()) {
                Some(failure) => failures.push(failed(Some(entry.id()), failure)),
                None => valid.push(passed(&found, &checked)),
            }
        }
        repository.extend(around(registry));
    }
    let first = registries.all().first().map(|registry| registry.path.display().to_string());
    let errors = repository.iter().filter(|problem| problem.severity == Severity::Error).count();
    if failures.is_empty() && errors == 0 {
        let mut answer = json!({"valid": true, "totalSkills": total, "registryPath": first});
        if registries.all().len() > 1 {
            answer["registries"] = registries.paths().into();
        }
        answer["validSkills"] = valid.into();
        if !repository.is_empty() {
            answer["warnings"] = json!(repository);
        }
        return Ok(answer);
    }
    let mut message = format!("{} of {total} skills are not valid", failures.len());
    if let Some(problem) = repository.iter().find(|problem| problem.severity == Severity::Error) {
        message += &format!("; {}: {}", problem.file, problem.message);
        if errors > 1 {
            message += &format!(" (and {} more)", errors - 1);
        }
    }
    let code = ErrorCode::SkillValidationFailed;
    let mut failure = Failure::new(code, message)
        .detail("registryPath", first)
        .detail("totalSkills", total)
        .detail("validCount", valid.len())
        .detail("invalidCount", failures.len())
        .detail("failures", failures)
        .hint(code.remedy());
    if !repository.is_empty() {
        failure = failure.detail("repository", json!(repository));
    }
    Err(failure)
}

/// A recipe whose name another has already.
fn twin(known: &mut HashMap<String, String>, (id, file): &(String, String)) -> Option<Problem> {
    let first = known.entry(id.clone()).or_insert_with(|| file.clone());
    if first == file {
        return None;
    }
    let message = format!("{first} has the recipe_id {id:?} already");
    Some(locate::whole(file, ErrorCode::SkillValidationFailed, "recipe-id", message))
}

fn failed(id: Option<&str>, failure: Failure) -> Value {
    let mut entry = Map::new();
    entry.insert("skillId".into(), id.into());
    if let Ok(Value::Object(rest)) = serde_json::to_value(&failure) {
        entry.extend(rest);
    }
    entry.into()
}

fn passed(found: &Found<'_>, checked: &Checked) -> Value {
    let mut entry = json!({"skill": found.skill, "checks": paths(found)});
    if let Some(dry_run) = &checked.dry_run {
        entry["dryRun"] = json!(dry_run);
    }
    if !checked.warnings().is_empty() {
        entry["warnings"] = json!(checked.warnings());
    }
    entry
}

/// The files of a skill, as the caller would open them.
fn paths(found: &Found<'_>) -> Value {
    let at = |path: &str| found.registry.root.join(path).display().to_string();
    json!({
        "skillJsonPath": at(&manifest(found.skill)),
        "skillFilePath": at(found.skill.skill_file()),
        "scriptPaths": found.skill.scripts().map(at).collect::<Vec<_>>(),
        "artifactPaths": found.skill.artifacts().map(at).collect::<Vec<_>>()
    })
}

fn manifest(skill: &Skill) -> String {
    format!("{}/skill.json", skill.path())
}

/// What a repository holds beside its registered skills, and whether its indexes are fresh.
fn around(registry: &Registry) -> Vec<Problem> {
    let root = registry.root.folder();
    let collected = match collect_with(root, Named::Believed) {
        Ok(collected) => collected,
        Err(failure) => {
            let file = root.display().to_string();
            return vec![locate::whole(&file, failure.code, "skill-folder", failure.message)];
        }
    };
    let registered: HashSet<&str> = registry.skills.iter().map(Skill::path).collect();
    let mut problems = Vec::new();
    for folder in collected.folders.iter().filter(|folder| !registered.contains(folder.as_str())) {
        let at = registry.root.join(folder).display().to_string();
        let code = ErrorCode::SkillValidationFailed;
        let mut problem = locate::whole(&at, code, "orphan", "the skill is in no registry");
        problem.hint = Some("register it with `clawperator skills index`, or remove it".into());
        problems.push(problem);
        // What is wrong inside of it nobody has told yet.
        let inside = collected.problems.iter().filter(|problem| problem.file.starts_with(&at));
        problems.extend(inside.cloned());
    }
    problems.extend(check_collected(root, &collected).problems);
    problems
}

/// Looks at one skill of a registry.
fn skill(found: &Found<'_>, dry_run: bool) -> Checked {
    let mut checked = Checked::default();
    let (root, entry) = (&found.registry.root, found.skill);
    let names = [manifest(entry), entry.skill_file().to_owned()].into_iter();
    let names = names.chain(entry.scripts().map(str::to_owned));
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for name in names.chain(entry.artifacts().map(str::to_owned)) {
        match root.inside(&name) {
            Ok(path) => files.push((name, path)),
            Err(wrong) => checked.not_inside(&found.registry.path.display().to_string(), &wrong),
        }
    }
    for (name, path) in &files {
        let file = path.display().to_string();
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                checked.add(&file, "unreadable", error.to_string());
                continue;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        if *name == manifest(entry) {
            checked.compare(found, &file, &bytes);
        } else if name == entry.skill_file() {
            checked.problems.extend(frontmatter::check(&file, &text, entry.id()));
        } else if name.contains("/scripts/") {
            checked.problems.extend(scripts::check(&file, &text));
        } else if dry_run {
            let artifact = artifacts::check(path, &text);
            checked.dry_run.get_or_insert_default().count(artifact.kind);
            checked.problems.extend(artifact.problems);
            checked.recipes.extend(artifact.recipe_id.map(|id| (id, file)));
        }
    }
    if dry_run && entry.artifacts().next().is_none() {
        checked.dry_run = Some(DryRun::skipped());
    }
    let own = root.join(&manifest(entry)).display().to_string();
    checked.problems.extend(contract::check(&own, entry));
    checked.problems.extend(naming(found));
    checked
}

impl Checked {
    fn add(&mut self, file: &str, rule: &'static str, message: String) {
        let code = ErrorCode::SkillValidationFailed;
        self.problems.push(locate::whole(file, code, rule, message));
    }

    fn not_inside(&mut self, registry: &str, wrong: &NotInside) {
        match wrong {
            NotInside::Outside(_) => {
                let code = ErrorCode::SkillPathOutside;
                self.problems.push(locate::whole(registry, code, "path", wrong.message()));
            }
            NotInside::Missing(path) | NotInside::Unreadable(path, _) => {
                self.missing.push(path.display().to_string());
                self.add(registry, "missing-file", wrong.message());
            }
        }
    }

    /// Holds `skill.json` against the registry's entry, key by key.
    fn compare(&mut self, found: &Found<'_>, file: &str, bytes: &[u8]) {
        let (root, folder) = (&found.registry.root, found.skill.path());
        // The files it names are looked for by the caller.
        let (own, problems) = read_skill_json(root, folder, (file, bytes), Named::Believed);
        self.problems.extend(problems);
        let Some(Value::Object(own)) = own else { return };
        let entry = found.skill.entry();
        let keys: Vec<&String> =
            entry.keys().chain(own.keys().filter(|key| !entry.contains_key(*key))).collect();
        let differ = keys.into_iter().filter(|key| entry.get(*key) != own.get(*key));
        self.mismatched = differ.cloned().collect();
        if !self.mismatched.is_empty() {
            let fields = self.mismatched.join(", ");
            self.add(file, "mismatch", format!("the registry says another {fields}"));
        }
    }
}

/// The names a skill should have. Many have others, so it is only said.
fn naming(found: &Found<'_>) -> Vec<Problem> {
    let skill = found.skill;
    let file = found.registry.root.join(&manifest(skill)).display().to_string();
    let mut problems = Vec::new();
    let mut warn = |rule: &'static str, message: String| {
        let code = ErrorCode::SkillValidationFailed;
        let mut problem = locate::whole(&file, code, rule, message);
        problem.severity = Severity::Warning;
        problems.push(problem);
    };
    let wanted = format!("{}.{}", skill.application_id(), skill.intent());
    if skill.id() != wanted {
        warn("id-name", format!("by its package and intent the id would be {wanted:?}"));
    }
    let folder = skill.path().trim_start_matches("skills/").replace('/', ".");
    if skill.id() != folder {
        warn("folder-name", format!("the folder of {:?} is {:?}", skill.id(), skill.path()));
    }
    problems
}

#[cfg(test)]
mod tests;
