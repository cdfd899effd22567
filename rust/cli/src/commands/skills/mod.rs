//! `skills`: finding, checking, making, fetching and running them.

mod ci;
mod hook;
mod run;

use crate::args::Globals;
use crate::args::skills::{Compile, From, Search, SkillsWhat};
use crate::human::{self, BAD, GOOD, ODD, QUIET, say, styled};
use crate::input;
use crate::output::{DONE, FAILED, Format};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_skills::problem::{self, Problem};
use clawperator_skills::registry::{Found, Places, Registries};
use clawperator_skills::search::{self, Query};
use clawperator_skills::sync::{self, DEFAULT_REF, Settings, Synced};
use clawperator_skills::{index, scaffold, template, validate};
pub(crate) use run::program;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

/// Characters of a summary that are shown in a list.
const SHOWN: usize = 70;

pub(crate) fn run(what: &SkillsWhat, globals: &Globals, format: Format) -> ExitCode {
    match what {
        SkillsWhat::List { from } => list(load(from), format),
        SkillsWhat::Get { id, from } => format.result(load(from).and_then(|all| get(&all, id))),
        SkillsWhat::Search(args) => found(args, format),
        SkillsWhat::CompileArtifact(args) => format.result(compile(args)),
        SkillsWhat::New { id, summary, from } => {
            let registry = Places::find(&from.registry).own();
            let created = scaffold::create(&registry, id, summary.as_deref());
            if let (Ok(created), Format::Human) = (&created, format) {
                say(&format!("{}\n{}\n", created.files.join("\n"), styled(QUIET, &created.next)));
                return ExitCode::from(DONE);
            }
            format.result(created)
        }
        SkillsWhat::Validate { id, dry_run, from, .. } => {
            let answer = load(from).and_then(|all| match id {
                Some(id) => validate::one(&all, id, *dry_run),
                None => validate::all(&all, *dry_run),
            });
            checked(answer, format)
        }
        SkillsWhat::Run(args) => run::run(args, globals, format),
        SkillsWhat::Ci(args) => ci::run(args, format),
        SkillsWhat::Hook { what } => hook::run(what, format),
        SkillsWhat::Index { check, from } => indexed(*check, from, format),
        SkillsWhat::Install { remote } => {
            let synced = fetch(remote.remote.clone(), DEFAULT_REF, globals);
            let installed = synced.map(|synced| {
                let registry = synced.registry_path.clone();
                let mut answer = json!(synced);
                answer["envInstruction"] =
                    format!("export CLAWPERATOR_SKILLS_REGISTRY='{registry}'").into();
                (synced.message, answer)
            });
            match (installed, format) {
                (Ok((message, _)), Format::Human) => done(&message),
                (installed, _) => format.result(installed.map(|(_, answer)| answer)),
            }
        }
        SkillsWhat::Update { reference, remote } | SkillsWhat::Sync { reference, remote } => {
            match (fetch(remote.remote.clone(), reference, globals), format) {
                (Ok(synced), Format::Human) => done(&synced.message),
                (synced, _) => format.result(synced),
            }
        }
    }
}

fn done(message: &str) -> ExitCode {
    say(&format!("{} {message}\n", styled(GOOD, "done")));
    ExitCode::from(DONE)
}

fn load(from: &From) -> Result<Registries, Failure> {
    Places::find(&from.registry).load()
}

fn fetch(remote: Option<String>, reference: &str, globals: &Globals) -> Result<Synced, Failure> {
    let limit = globals.timeout.and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok());
    sync::sync(&Settings::from_environment(remote, limit)?, reference)
}

fn list(all: Result<Registries, Failure>, format: Format) -> ExitCode {
    match all {
        Ok(all) => rows(&all, &all.skills(), false, format),
        Err(failure) => format.failure(&failure),
    }
}

fn get(all: &Registries, id: &str) -> Result<Value, Failure> {
    let found = all.skill(id)?;
    let mut answer = json!({
        "skill": found.skill,
        "registryPath": found.registry.path.display().to_string()
    });
    let shadows = all.shadows(&found);
    if !shadows.is_empty() {
        answer["shadows"] = shadows.into();
    }
    Ok(answer)
}

fn found(args: &Search, format: Format) -> ExitCode {
    let all = match load(&args.from) {
        Ok(all) => all,
        Err(failure) => return format.failure(&failure),
    };
    let query = Query { words: args.words(), app: args.app.clone(), intent: args.intent.clone() };
    let hits = search::search(&all, &query);
    rows(&all, &hits.skills, hits.guessed, format)
}

/// Skills, as a list of entries or as a table.
fn rows(all: &Registries, skills: &[Found<'_>], guessed: bool, format: Format) -> ExitCode {
    let problems: Vec<&Problem> = all.problems().collect();
    if format != Format::Human {
        let entries: Vec<Value> = skills.iter().map(|found| all.shown(found)).collect();
        let mut answer = json!({"skills": entries, "count": skills.len()});
        if guessed {
            answer["guessed"] = true.into();
        }
        answer["registries"] = all.paths().into();
        if !problems.is_empty() {
            answer["warnings"] = json!(problems);
        }
        return format.answer(&answer, DONE);
    }
    let mut text = String::new();
    if guessed {
        text += "nothing has these words; these look alike:\n";
    }
    let width = skills.iter().map(|found| found.skill.id().len()).max().unwrap_or_default();
    for found in skills {
        let summary = found.skill.summary().lines().next().unwrap_or_default();
        let shown: String = summary.chars().take(SHOWN).collect();
        let more = if shown.len() < summary.len() { "…" } else { "" };
        let shadows = all.shadows(found);
        let shadows = match shadows.is_empty() {
            true => String::new(),
            false => styled(QUIET, &format!("  (hides that of {})", shadows.join(", "))),
        };
        let _ = writeln!(text, "{:width$}  {shown}{more}{shadows}", found.skill.id());
    }
    let plural = if skills.len() == 1 { "" } else { "s" };
    let _ = writeln!(text, "{}", styled(QUIET, &format!("{} skill{plural}", skills.len())));
    for problem in problems {
        let _ = writeln!(text, "{} {}: {}", styled(ODD, "warning"), problem.file, problem.message);
    }
    say(&text);
    ExitCode::from(DONE)
}

fn compile(args: &Compile) -> Result<Value, Failure> {
    let all = load(&args.from)?;
    let vars = match &args.vars_file {
        Some(file) => {
            let bytes = input::payload(file.as_os_str())?;
            let text = String::from_utf8(bytes).map_err(|_| {
                let message = format!("{}: the variables are not UTF-8", file.display());
                Failure::new(ErrorCode::CompileVarsParseFailed, message)
            })?;
            Some(text)
        }
        None => args.vars.clone(),
    };
    let found = all.skill(args.id())?;
    let execution = template::compile(&found, &args.artifact, vars.as_deref())?;
    Ok(json!({"execution": execution}))
}

fn indexed(check: bool, from: &From, format: Format) -> ExitCode {
    let registry = Places::find(&from.registry).own();
    let root = match index::root_of(&registry) {
        Ok(root) => root,
        Err(failure) => return format.failure(&failure),
    };
    if !check {
        return match (index::generate(&root), format) {
            (Ok(made), Format::Human) => done(&format!(
                "{} skills in {}{}",
                made.total_skills,
                made.registry_path,
                if made.changed { "" } else { ", nothing changed" }
            )),
            (Ok(made), _) => format.answer(&made, DONE),
            (Err(failure), _) => checked(Err(failure), format),
        };
    }
    let fresh = index::check(&root).and_then(|stale| {
        if let Some(failure) = problem::failure(&stale.problems) {
            return Err(failure);
        }
        let mut answer = json!({
            "fresh": true,
            "totalSkills": stale.total_skills,
            "registryPath": registry.display().to_string()
        });
        if !stale.problems.is_empty() {
            answer["warnings"] = json!(stale.problems);
        }
        Ok(answer)
    });
    match (fresh, format) {
        (Ok(answer), Format::Human) => {
            done(&format!("{} skills, the indexes are fresh", answer["totalSkills"]))
        }
        (fresh, _) => checked(fresh, format),
    }
}

/// The answer of a check. People see every problem on a line of its own.
fn checked(answer: Result<Value, Failure>, format: Format) -> ExitCode {
    if format != Format::Human {
        return format.result(answer);
    }
    let mut text = String::new();
    match answer {
        Ok(answer) => {
            let one = answer.get("skill").map(|_| &answer);
            let all = answer.get("validSkills").and_then(Value::as_array);
            for entry in one.into_iter().chain(all.into_iter().flatten()) {
                let id = entry["skill"]["id"].as_str().unwrap_or_default();
                let _ = writeln!(text, "{} {id}", styled(GOOD, "✓"));
                lines(&mut text, entry.get("warnings"));
            }
            if all.is_some() {
                lines(&mut text, answer.get("warnings"));
            }
            say(&text);
            ExitCode::from(DONE)
        }
        Err(failure) => {
            for entry in
                failure.details.get("failures").and_then(Value::as_array).into_iter().flatten()
            {
                let id = entry["skillId"].as_str().unwrap_or("(no id)");
                let _ = writeln!(text, "{} {id}", styled(BAD, "✗"));
                lines(&mut text, entry["details"].get("problems"));
            }
            lines(&mut text, failure.details.get("repository"));
            lines(&mut text, failure.details.get("problems"));
            say(&text);
            human::failure(&failure);
            ExitCode::from(FAILED)
        }
    }
}

fn lines(text: &mut String, problems: Option<&Value>) {
    for problem in problems.and_then(Value::as_array).into_iter().flatten() {
        let part = |key: &str| problem[key].as_str().unwrap_or_default().to_owned();
        let place = match problem["line"].as_u64() {
            Some(line @ 1..) => format!("{}:{line}", part("file")),
            _ => part("file"),
        };
        let style = if part("severity") == "error" { BAD } else { ODD };
        let kind = styled(style, &part("severity"));
        let _ = writeln!(text, "  {kind} {place}: {}", part("message"));
        if let Some(hint) = problem["hint"].as_str() {
            let _ = writeln!(text, "    {}", styled(QUIET, hint));
        }
    }
}
