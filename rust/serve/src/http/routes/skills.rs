//! Skills: found, checked, compiled, run, as the command line does it.

use super::{blocking, text};
use crate::http::App;
use crate::http::answer::{Answer, ok};
use crate::http::bodies;
use crate::http::call::{Call, invalid};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_skills::registry::{Found, Places, Registries};
use clawperator_skills::script::{self, Limits, Request};
use clawperator_skills::search::{self, Query};
use clawperator_skills::{template, validate as checks};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::watch;

pub(in crate::http) async fn list(app: Arc<App>, call: Call) -> Answer {
    let asked = |name| Ok::<_, Failure>(call.asked(name)?.map(str::to_owned));
    let query = Query { words: asked("keyword")?, app: asked("app")?, intent: asked("intent")? };
    let answer = blocking(move || {
        let all = load(&app)?;
        let everything = query.words.is_none() && query.app.is_none() && query.intent.is_none();
        let (found, guessed) = if everything {
            (all.skills(), false)
        } else {
            let hits = search::search(&all, &query);
            (hits.skills, hits.guessed)
        };
        let entries: Vec<Value> = found.iter().map(|found| all.shown(found)).collect();
        let mut answer = json!({ "skills": entries, "count": entries.len() });
        if guessed {
            answer["guessed"] = true.into();
        }
        Ok(answer)
    })
    .await?;
    ok(answer)
}

pub(in crate::http) async fn get(app: Arc<App>, call: Call) -> Answer {
    let id = call.part("skillId").to_owned();
    let skill = blocking(move || {
        let all = load(&app)?;
        let found = all.skill(&id)?;
        Ok(json!({ "skill": found.skill }))
    });
    ok(skill.await?)
}

pub(in crate::http) async fn validate(app: Arc<App>, call: Call) -> Answer {
    let id = call.part("skillId").to_owned();
    ok(blocking(move || checks::one(&load(&app)?, &id, true)).await?)
}

pub(in crate::http) async fn compile(app: Arc<App>, call: Call) -> Answer {
    let body: bodies::SkillCompile = call.body()?;
    let id = call.part("skillId").to_owned();
    let execution = blocking(move || {
        let all = load(&app)?;
        let vars = json!(body.vars).to_string();
        template::compile(&all.skill(&id)?, &body.artifact.0, Some(&vars))
    });
    ok(json!({ "execution": execution.await? }))
}

/// Runs a script. It calls this program itself, which then claims the phone, so it takes no turn
/// of the desk's.
pub(in crate::http) async fn run(app: Arc<App>, call: Call) -> Answer {
    let body: bodies::SkillRun = call.body()?;
    let id = call.part("skillId").to_owned();
    let limits = limits(body.timeout_ms)?;
    let Ok(_place) = app.scripts.try_acquire() else {
        let code = ErrorCode::QueueFull;
        return Err(Failure::new(code, "as many skills run as may run").hint(code.remedy()));
    };
    let stop = Stop::default();
    let mut closing = app.closing.subscribe();
    let (own, flag) = (Arc::clone(&app), stop.clone());
    let ran = blocking(move || ran(&own, &id, &body, limits, &flag));
    tokio::pin!(ran);
    let answer = tokio::select! {
        answer = &mut ran => answer,
        () = closed(&mut closing) => {
            stop.ask();
            ran.await
        }
    };
    ok(answer?)
}

async fn closed(closing: &mut watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await;
}

fn ran(
    app: &App,
    id: &str,
    body: &bodies::SkillRun,
    limits: Limits,
    stop: &Stop,
) -> Result<Value, Failure> {
    let all = load(app)?;
    let found = all.skill(id)?;
    checks::one(&all, id, true)?;
    let scripts: Vec<String> = found.skill.scripts().map(str::to_owned).collect();
    let package = text(body.operator_package.clone());
    let request = Request {
        skill_id: id,
        folder: &found.registry.root.real(found.skill.path()),
        script: &found.registry.root.real(script::choose(&scripts, None)?),
        device: body.device_id.as_ref().map(|device| device.0.as_str()),
        arguments: &body.args,
        program: &app.setup.program,
        operator_package: package.as_deref().unwrap_or(app.desk().package()),
        path: None,
        limits,
        expect_contains: body.expect_contains.as_ref().map(|text| text.0.as_str()),
        verification_declared: declares_verification(&found),
    };
    let ran = script::run(&request, Some(&stop.flag()), &mut |_, _| {})?;
    let mut answer = serde_json::to_value(&ran).unwrap_or_default();
    answer["output"] = answer["stdout"]["text"].clone();
    Ok(answer)
}

fn load(app: &App) -> Result<Registries, Failure> {
    Places::find(&app.setup.registries).load()
}

fn limits(timeout_ms: Option<u64>) -> Result<Limits, Failure> {
    let Some(ms) = timeout_ms else { return Ok(Limits::default()) };
    let timeout = script::timeout(ms).map_err(|failure| {
        let failure = invalid("timeoutMs", &failure.message);
        Failure { code: ErrorCode::InvalidTimeoutMs, ..failure }
    })?;
    Ok(Limits { timeout, ..Limits::default() })
}

fn declares_verification(found: &Found<'_>) -> bool {
    let declared = found.skill.contract().and_then(|contract| contract.get("verification"));
    declared.is_some_and(|verification| !verification.is_null())
}
