//! Skills: found, and those with a recipe run.
//!
//! A recipe runs as everywhere: the policy is asked, and its outputs are covered. Skills that are
//! only scripts are not run here: a script is a program, and an agent that may start programs has
//! a shell.

use super::args::{Args, wrong};
use super::{Server, answer, blocking, table};
use crate::desk::{Outcome, Turn};
use crate::hand::PhoneHand;
use crate::http::Redacting;
use clawperator_contract::envelope::StepResult;
use clawperator_contract::{ErrorCode, Execution, Failure};
use clawperator_host::dispatch::Watcher;
use clawperator_skills::policy::Policy;
use clawperator_skills::registry::{Found, Places};
use clawperator_skills::run::{self as runs, Hand, Order};
use clawperator_skills::search::{self, Query};
use clawperator_skills::{check, policy, recipe, template};
use rmcp::model::CallToolResult;
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

const ENDINGS: [&str; 2] = [template::EXTENSION, ".recipe.md"];

/// What skills are run with.
#[derive(Clone)]
pub struct Skills {
    /// Registries that were named, beside those of the environment.
    pub registries: Vec<PathBuf>,
    /// What recipes may do.
    pub policy: Arc<Policy>,
    /// What covers outputs of recipes; asked when one is run.
    pub redactor: Redacting,
}

/// What a skill of this name comes down to.
enum Plan {
    Execution(Box<Execution>),
    Recipe { name: String, text: String },
}

impl Server {
    pub(super) async fn skill(
        &self,
        args: Args,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Failure> {
        let skills = self.office.skills.clone();
        let Some(id) = args.text("id").map(str::to_owned) else {
            let words = args.text("search").map(str::to_owned);
            return blocking(move || listed(&skills, words)).await;
        };
        if args.text("search").is_some() {
            return Err(wrong("search", "skill takes id or search, not both"));
        }
        let device = self.device(args.text(table::DEVICE).map(str::to_owned)).await?;
        let named = args.text("recipe").map(str::to_owned);
        let inputs = inputs(args);
        let given = inputs.clone();
        let own = skills.clone();
        let made = blocking(move || plan(&own, &id, named.as_deref(), &given)).await?;
        match made {
            Plan::Execution(execution) => {
                self.run("skill", device, *execution, true, context).await
            }
            Plan::Recipe { name, text } => {
                self.recipe(device, name, text, inputs, skills, context).await
            }
        }
    }

    async fn recipe(
        &self,
        device: String,
        name: String,
        text: String,
        inputs: BTreeMap<String, String>,
        skills: Skills,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Failure> {
        let office = &self.office;
        let package = office.desk.package().to_owned();
        let (tell, mut steps) = unbounded_channel();
        let title = name.clone();
        let work = move |turn: &Turn<'_>| {
            let mut hand = PhoneHand { route: turn.route(&package), watcher: Passing(tell) };
            ran((&name, &text), &inputs, &skills, &mut hand)
        };
        let ticket = office.desk.submit_work(&device, &self.client, &title, office.wait, work)?;
        let mut count = 0;
        let ended = loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {
                    office.desk.cancel(ticket.dispatch_id());
                    break ticket.ended().await;
                }
                Some(step) = steps.recv() => {
                    count += 1;
                    self.tell_step(context, count, None, &step).await;
                }
                ended = ticket.ended() => break ended,
            }
        };
        match &ended.result {
            Ok(Outcome::Answered(report)) => Ok(answer::recipe(&device, report.clone())),
            Ok(Outcome::Executed(_)) => {
                let code = ErrorCode::InternalServerError;
                Err(Failure::new(code, "a recipe was answered with an execution"))
            }
            Err(failure) => Err(failure.clone()),
        }
    }
}

fn inputs(args: Args) -> BTreeMap<String, String> {
    let given = args.into_all().remove("inputs");
    let Some(Value::Object(given)) = given else { return BTreeMap::new() };
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    given.into_iter().map(|(name, value)| (name, text(value))).collect()
}

fn listed(skills: &Skills, words: Option<String>) -> Result<CallToolResult, Failure> {
    let all = Places::find(&skills.registries).load()?;
    let hits = search::search(&all, &Query { words, ..Query::default() });
    let mut text = String::new();
    let mut rows = Vec::new();
    for found in &hits.skills {
        let skill = found.skill;
        let recipes: Vec<&str> = recipes(found).map(name).collect();
        let inputs = skill.contract().and_then(|contract| contract.get("inputs"));
        text += &format!("{}: {}\n", skill.id(), skill.summary());
        rows.push(json!({
            "id": skill.id(), "app": skill.application_id(), "summary": skill.summary(),
            "recipes": recipes, "inputs": inputs,
        }));
    }
    if rows.is_empty() {
        text += "no skill fits";
    }
    Ok(answer::facts(text.trim_end(), json!({ "skills": rows, "guessed": hits.guessed })))
}

/// The files of a skill that can be run here.
fn recipes<'a>(found: &'a Found<'_>) -> impl Iterator<Item = &'a str> {
    found.skill.artifacts().filter(|file| ENDINGS.iter().any(|ending| file.ends_with(ending)))
}

/// What a file is called by.
fn name(file: &str) -> &str {
    let file = file.rsplit('/').next().unwrap_or(file);
    ENDINGS.iter().find_map(|ending| file.strip_suffix(ending)).unwrap_or(file)
}

fn plan(
    skills: &Skills,
    id: &str,
    named: Option<&str>,
    inputs: &BTreeMap<String, String>,
) -> Result<Plan, Failure> {
    let all = Places::find(&skills.registries).load()?;
    let found = all.skill(id)?;
    let known: Vec<&str> = recipes(&found).collect();
    let file = match (named, known.as_slice()) {
        (None, [only]) => *only,
        (None, []) => {
            let message = format!("{id} has no recipe, only scripts");
            return Err(Failure::new(ErrorCode::ArtifactNotFound, message)
                .hint(format!("run it in a shell: clawperator skills run {id}")));
        }
        (named, known) => {
            let fits = |file: &&&str| named.is_some_and(|named| name(file) == name(named));
            *known.iter().find(fits).ok_or_else(|| {
                let names: Vec<&str> = known.iter().map(|file| name(file)).collect();
                let message = format!("{id} has these recipes: {}", names.join(", "));
                Failure::new(ErrorCode::ArtifactNotFound, message)
                    .hint("name one of them with the argument recipe")
            })?
        }
    };
    let missing = ErrorCode::ArtifactNotFound;
    let path = found.registry.root.inside(file).map_err(|wrong| wrong.failure(missing))?;
    let text = fs::read_to_string(&path).map_err(|error| {
        Failure::new(ErrorCode::InputUnreadable, format!("{}: {error}", path.display()))
    })?;
    let shown = path.display().to_string();
    if recipe::is_recipe(&shown, &text) {
        return Ok(Plan::Recipe { name: shown, text });
    }
    let vars = json!(inputs).to_string();
    template::compile(&found, name(file), Some(&vars)).map(|made| Plan::Execution(Box::new(made)))
}

fn ran(
    (name, text): (&str, &str),
    inputs: &BTreeMap<String, String>,
    skills: &Skills,
    hand: &mut dyn Hand,
) -> Result<Value, Failure> {
    let folder = Path::new(name).parent().unwrap_or(Path::new("."));
    let checked = check::check_in(folder, name, text)?;
    let order = Order {
        recipe: checked.sound()?,
        source: (name, text),
        inputs,
        profile: skills.policy.profile(policy::DEFAULT)?,
        yes: &[],
        redactor: &(skills.redactor)()?,
    };
    let report = runs::run(&order, hand)?;
    Ok(serde_json::to_value(report).unwrap_or_default())
}

/// Passes steps on.
struct Passing(UnboundedSender<StepResult>);

impl Watcher for Passing {
    fn step_ended(&mut self, _index: usize, result: &StepResult) {
        // Whoever listened may have gone away.
        let _ = self.0.send(result.clone());
    }
}
