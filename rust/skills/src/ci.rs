//! Every check a repository of skills must pass, in order, each with its own verdict. A check that
//! fails keeps none of the others from looking.

use crate::check::{self, Checked};
use crate::compile;
use crate::index;
use crate::literals::{self, Denylist};
use crate::policy::Policy;
use crate::problem::{Problem, Severity};
use crate::recipe::words::{Capability, ValueType};
use crate::recipe::{self, Recipe};
use crate::registry::{Places, Registries, Registry};
use crate::validate;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository to be checked, and what it is held against.
#[derive(Debug)]
pub struct Repository<'a> {
    /// Its registry.
    pub registry: &'a Path,
    /// This program, for the repository's own tools.
    pub program: &'a Path,
    /// Profiles whose forbidden combinations no recipe may have.
    pub policy: &'a Policy,
    /// Texts that are never to be in it.
    pub denylist: &'a Denylist,
}

/// How one check ended.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// Its place in the order.
    pub number: usize,
    /// What it looks at.
    pub check: &'static str,
    /// Did it pass?
    pub ok: bool,
    /// What is wrong, or odd.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

/// A recipe of the repository.
struct Artifact {
    file: String,
    text: String,
    checked: Checked,
}

/// Runs every check. A failure is a repository that cannot be looked at at all.
pub fn run(repository: &Repository<'_>) -> Result<Vec<Verdict>, Failure> {
    let root = index::root_of(repository.registry)?;
    let collected = index::collect(&root)?;
    let artifacts = artifacts(&root, &collected)?;
    let rules = |names: &[&str]| -> Vec<Problem> {
        let all = artifacts.iter().flat_map(|artifact| &artifact.checked.problems);
        // What the detector finds has no excerpt; it is the detector's check.
        all.filter(|p| names.contains(&p.rule) && !(p.rule == "literals" && p.excerpt.is_none()))
            .cloned()
            .collect()
    };
    // The registry as it was committed: the generator mends it.
    let (schema, folders) = (schema(repository.registry), cross_check(repository.registry));
    let found = [
        ("per-skill metadata", collected.problems.clone()),
        ("index generator", generator(&root, repository.program)),
        ("registry schema", schema),
        ("registry and folders", folders),
        ("frontmatter", rules(&["frontmatter", "taxonomy", "session_policy", "outputs"])),
        ("steps", rules(&["step_block", "step_type", "selector_keys", "verification"])),
        ("deterministic compile", twice(&artifacts)),
        ("personal texts", personal(&root, &collected, repository.denylist)?),
        (
            "capabilities",
            [rules(&["capabilities"]), forbidden(&artifacts, repository.policy)].concat(),
        ),
        ("literals", rules(&["literals"])),
        ("inputs", [rules(&["inputs"]), complete(&artifacts)].concat()),
    ];
    let verdict = |(number, (check, problems)): (usize, (&'static str, Vec<Problem>))| Verdict {
        number,
        check,
        ok: problems.iter().all(|problem| problem.severity != Severity::Error),
        problems,
    };
    Ok((1..).zip(found).map(verdict).collect())
}

/// The recipes of all skills; templates are looked at by their skills' validation.
fn artifacts(root: &Path, collected: &index::Collected) -> Result<Vec<Artifact>, Failure> {
    let mut found = Vec::new();
    for source in &collected.sources {
        let names = source.entry.get("artifacts").and_then(Value::as_array);
        for name in names.into_iter().flatten().filter_map(Value::as_str) {
            let path = root.join(name);
            let text = read(&path)?;
            let file = path.display().to_string();
            if recipe::is_recipe(&file, &text) {
                let checked = check::check(&file, &text, None);
                found.push(Artifact { file, text, checked });
            }
        }
    }
    Ok(found)
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(|error| {
        Failure::new(ErrorCode::InputUnreadable, format!("{}: {error}", path.display()))
    })
}

fn whole(file: &Path, rule: &'static str, message: String) -> Problem {
    Problem {
        severity: Severity::Error,
        code: ErrorCode::SkillsCiFailed,
        rule,
        file: file.display().to_string(),
        line: 0,
        column: 0,
        length: 0,
        message,
        hint: None,
        excerpt: None,
    }
}

/// Runs the repository's own generator; what was committed must be what it makes.
fn generator(root: &Path, program: &Path) -> Vec<Problem> {
    let script = root.join("skills/tools/generate_skill_indexes.sh");
    let stale = index::check(root).map(|stale| stale.problems);
    let ran = Command::new("bash").arg(&script).env("CLAWPERATOR_BIN", program).output();
    let mut problems = match stale {
        Ok(problems) => problems,
        Err(failure) => vec![whole(root, "index-fresh", failure.message)],
    };
    match ran {
        Err(error) => {
            problems.push(whole(&script, "generator", format!("it cannot be run: {error}")))
        }
        Ok(output) if !output.status.success() => {
            let said = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            let last = errors.lines().chain(said.lines()).last().unwrap_or("it said nothing");
            problems.push(whole(&script, "generator", format!("it failed: {last}")));
        }
        Ok(_) => {}
    }
    problems
}

fn schema(registry: &Path) -> Vec<Problem> {
    match Registry::load(registry) {
        Ok(registry) => registry.problems,
        Err(failure) => vec![whole(registry, "registry", failure.message)],
    }
}

/// Every registered path is there, and every skill's folder is registered.
fn cross_check(registry: &Path) -> Vec<Problem> {
    let load = || -> Result<Registries, Failure> {
        Places::resolve(&[PathBuf::from(registry)], None, None).load()
    };
    match load().and_then(|registries| validate::all(&registries, false)) {
        Ok(_) => Vec::new(),
        Err(failure) => {
            let mut problem = whole(registry, "registry", failure.message);
            problem.hint = failure.hint;
            vec![problem]
        }
    }
}

/// Values for every input, so that a recipe can be compiled without anybody.
fn samples(recipe: &Recipe) -> BTreeMap<String, String> {
    let value = |input: &recipe::Input| match (input.choices.first(), input.kind) {
        (Some(choice), _) => choice.clone(),
        (None, ValueType::String) => "sample".to_owned(),
        (None, ValueType::Boolean) => "true".to_owned(),
        (None, ValueType::Integer | ValueType::Number) => {
            input.min.or(input.max).unwrap_or_default().ceil().to_string()
        }
    };
    recipe.inputs.iter().map(|input| (input.name.clone(), value(input))).collect()
}

fn compiled(
    artifact: &Artifact,
    recipe: &Recipe,
    given: &BTreeMap<String, String>,
) -> Result<String, Vec<Problem>> {
    let made = compile::compile(recipe, (&artifact.file, &artifact.text), given)?;
    Ok(made.execution.to_json())
}

/// Each recipe compiled twice, from its text on, must give the same bytes.
fn twice(artifacts: &[Artifact]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for artifact in artifacts {
        let Some(recipe) = &artifact.checked.recipe else { continue };
        let again = recipe::read(&artifact.file, &artifact.text).recipe;
        let given = samples(recipe);
        let other = again.as_ref().map(|again| compiled(artifact, again, &given));
        match (compiled(artifact, recipe, &given), other) {
            (Ok(one), Some(Ok(other))) if one == other => {}
            (Err(found), _) => problems.extend(found),
            _ => {
                let said = "compiled twice it gives different bytes".to_owned();
                problems.push(whole(Path::new(&artifact.file), "compile", said));
            }
        }
    }
    problems
}

/// The detector and the denylist over everything people wrote in a skill.
fn personal(
    root: &Path,
    collected: &index::Collected,
    denylist: &Denylist,
) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for source in &collected.sources {
        let lists = ["scripts", "artifacts"].into_iter().filter_map(|key| source.entry.get(key));
        let listed = lists.filter_map(Value::as_array).flatten().filter_map(Value::as_str);
        let own = ["skill.json", "SKILL.md"].map(|name| format!("{}/{name}", source.folder));
        for name in own.iter().map(String::as_str).chain(listed) {
            let path = root.join(name);
            let options = literals::Options { denylist: Some(denylist), only: None };
            for finding in literals::scan(&read(&path)?, options) {
                problems.push(check::literal(&path.display().to_string(), finding));
            }
        }
    }
    Ok(problems)
}

/// Combinations of capabilities that a profile forbids.
fn forbidden(artifacts: &[Artifact], policy: &Policy) -> Vec<Problem> {
    let mut problems = Vec::new();
    for artifact in artifacts {
        let Some(recipe) = &artifact.checked.recipe else { continue };
        for profile in policy.profiles() {
            for set in &profile.forbid_together {
                let all =
                    !set.is_empty() && set.iter().all(|one| recipe.capabilities.contains(one));
                if all {
                    let names: Vec<String> = set.iter().map(Capability::to_string).collect();
                    let said = format!(
                        "the profile \"{}\" forbids {} in one recipe",
                        profile.name,
                        names.join(" and ")
                    );
                    let mut problem = whole(Path::new(&artifact.file), "capabilities", said);
                    problem.code = ErrorCode::RecipePolicyDenied;
                    problem.line = recipe.capabilities_place.line;
                    problem.column = recipe.capabilities_place.column;
                    problems.push(problem);
                }
            }
        }
    }
    problems
}

/// Without values a recipe must ask for exactly its required inputs.
fn complete(artifacts: &[Artifact]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for artifact in artifacts {
        let Some(recipe) = &artifact.checked.recipe else { continue };
        let asked = |input: &&recipe::Input| input.required && input.default.is_none();
        for input in recipe.inputs.iter().filter(asked) {
            let mut given = samples(recipe);
            given.remove(&input.name);
            let missing = compiled(artifact, recipe, &given).is_err_and(|found| {
                found.iter().any(|problem| problem.code == ErrorCode::RecipeInputMissing)
            });
            if !missing {
                let said = format!("it compiles without its required input \"{}\"", input.name);
                problems.push(whole(Path::new(&artifact.file), "inputs", said));
            }
        }
    }
    problems
}
