//! Recipes: checked, compiled, run.

use super::executions::{answered, wait};
use super::{blocking, text};
use crate::desk::Turn;
use crate::http::App;
use crate::http::answer::{Answer, ok};
use crate::http::bodies;
use crate::http::call::Call;
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure};
use clawperator_host::dispatch::{self, Route};
use clawperator_host::packages;
use clawperator_skills::check::{self, Checked};
use clawperator_skills::compile;
use clawperator_skills::literals::Repository;
use clawperator_skills::literals::denylist::Sources;
use clawperator_skills::problem;
use clawperator_skills::recipe::Recipe;
use clawperator_skills::run::{self as runs, Hand, Order};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// What a recipe that came in a request is called in messages.
const NAME: &str = "recipe";
/// The profile of the policy that is used where none is named.
const PROFILE: &str = "default";

pub(in crate::http) async fn validate(_: Arc<App>, call: Call) -> Answer {
    let text = call.body::<bodies::Recipe>()?.text.0;
    let checked = blocking(move || checked(&text)).await?;
    let mut answer = json!({ "valid": checked.is_sound(), "problems": checked.problems });
    if let Some(recipe) = &checked.recipe {
        answer["recipeId"] = recipe.id.as_str().into();
        answer["recipeVersion"] = recipe.version.to_string().into();
    }
    ok(answer)
}

pub(in crate::http) async fn compile(_: Arc<App>, call: Call) -> Answer {
    let body: bodies::RecipeCompile = call.body()?;
    let answer = blocking(move || {
        let checked = checked(&body.text.0)?;
        let Some(recipe) = &checked.recipe else { return Err(unsound(&checked)) };
        let made = compile::compile(recipe, (NAME, &body.text.0), &body.vars)
            .map_err(|problems| problem::failure(&problems).unwrap_or_else(no_recipe))?;
        let mut answer = json!({ "execution": made.execution });
        // What only stops a run is said, and stops nothing here.
        if !checked.problems.is_empty() {
            answer["problems"] = json!(checked.problems);
        }
        Ok(answer)
    })
    .await?;
    ok(answer)
}

pub(in crate::http) async fn run(app: Arc<App>, call: Call) -> Answer {
    let body: bodies::RecipeRun = call.body()?;
    let client = call.client.clone();
    let own = Arc::clone(&app);
    let ticket = blocking(move || {
        let checked = checked(&body.text.0)?;
        let name = sound(&checked)?.id.clone();
        let desk = own.desk().clone();
        let device = desk.device(text(body.device_id.clone()).as_deref())?;
        let wait = wait(body.wait_ms);
        desk.submit_work(&device, &client, &name, wait, move |turn| {
            ran(&own, &checked, &body, turn)
        })
    })
    .await?;
    let ended = ticket.ended().await;
    answered(&ticket, &ended)
}

fn ran(
    app: &App,
    checked: &Checked,
    body: &bodies::RecipeRun,
    turn: &Turn<'_>,
) -> Result<Value, Failure> {
    let redactor = (app.setup.redactor)()?;
    let profile = body.profile.as_ref().map_or(PROFILE, |profile| &profile.0);
    let order = Order {
        recipe: sound(checked)?,
        source: (NAME, &body.text.0),
        inputs: &body.vars,
        profile: app.setup.policy.profile(profile)?,
        yes: &body.allow,
        redactor: &redactor,
    };
    order.prepare()?;
    let package = body.operator_package.as_ref().map_or(app.desk().package(), |name| &name.0);
    let report = runs::run(&order, &mut Phone(turn.route(package)))?;
    let mut answer = serde_json::to_value(report).unwrap_or_default();
    answer["deviceId"] = turn.device.serial().into();
    Ok(answer)
}

fn checked(text: &str) -> Result<Checked, Failure> {
    let denylist = Sources::of_the_environment(&Repository::at(Path::new("."))).read()?;
    Ok(check::check(NAME, text, Some(&denylist)))
}

/// The recipe, if it may act.
fn sound(checked: &Checked) -> Result<&Recipe, Failure> {
    match (&checked.recipe, problem::failure(&checked.problems)) {
        (Some(recipe), None) => Ok(recipe),
        _ => Err(unsound(checked)),
    }
}

fn unsound(checked: &Checked) -> Failure {
    problem::failure(&checked.problems).unwrap_or_else(no_recipe)
}

fn no_recipe() -> Failure {
    Failure::new(ErrorCode::RecipeInvalid, "it is no recipe")
        .hint(ErrorCode::RecipeInvalid.remedy())
}

/// A phone as the hand of a recipe.
struct Phone<'a>(Route<'a>);

impl Hand for Phone<'_> {
    fn execute(&mut self, execution: &Execution) -> Result<Envelope, Failure> {
        Ok(dispatch::execute(&self.0, execution, &mut ())?.envelope)
    }

    fn version_code(&mut self, package: &str) -> Result<Option<u64>, Failure> {
        packages::version_code(self.0.device, package)
    }
}
