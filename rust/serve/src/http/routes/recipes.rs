//! Recipes: checked, compiled, run.

use super::blocking;
use super::executions::answered;
use crate::desk::Turn;
use crate::hand::PhoneHand;
use crate::http::App;
use crate::http::answer::{Answer, ok};
use crate::http::bodies;
use crate::http::call::Call;
use clawperator_contract::Failure;
use clawperator_skills::check::{self, Checked};
use clawperator_skills::compile;
use clawperator_skills::run::{self as runs, Order};
use clawperator_skills::{policy, problem};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// What a recipe that came in a request is called in messages.
const NAME: &str = "recipe";

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
        let made = compile::compile(checked.well_formed()?, (NAME, &body.text.0), &body.vars)
            .map_err(|problems| problem::refusal(&problems))?;
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
        let name = checked.sound()?.id.clone();
        let desk = own.desk().clone();
        let phone = body.phone();
        let device = desk.device(phone.serial.as_deref())?;
        desk.submit_work(&device, &client, &name, phone.wait, move |turn| {
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
    let profile = body.profile.as_ref().map_or(policy::DEFAULT, |profile| &profile.0);
    let order = Order {
        recipe: checked.sound()?,
        source: (NAME, &body.text.0),
        inputs: &body.vars,
        profile: app.setup.policy.profile(profile)?,
        yes: &body.allow,
        redactor: &redactor,
    };
    let phone = body.phone();
    let package = phone.package.as_deref().unwrap_or(app.desk().package());
    let report = runs::run(&order, &mut PhoneHand::new(turn.route(package)))?;
    let mut answer = serde_json::to_value(report).unwrap_or_default();
    answer["deviceId"] = turn.device.serial().into();
    Ok(answer)
}

fn checked(text: &str) -> Result<Checked, Failure> {
    check::check_in(Path::new("."), NAME, text)
}
