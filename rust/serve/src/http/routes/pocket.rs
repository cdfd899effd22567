//! OpenPocket's actions on a phone: what is done there, and what is seen.
//!
//! Files, scripts, notes and questions to a person belong to a session of one agent, which is a
//! process of its own; see `docs/pocket-session.md`.

use super::executions::answered;
use super::{blocking, text};
use crate::desk::Turn;
use crate::http::App;
use crate::http::answer::Answer;
use crate::http::bodies::{self, Phone};
use crate::http::call::Call;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_pocket::device::Hand;
use clawperator_pocket::snapshot::{Eye, Scaling, ScreenSnapshot};
use clawperator_pocket::{Action, Normalised, normalise};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Clients whose last look is remembered. Who comes back after more others has pixels of the screen.
const MOST: usize = 256;

/// What a client saw of a phone last. A client's points are those of the picture it was given.
#[derive(Default)]
struct Seen {
    eye: Eye,
    last: Option<ScreenSnapshot>,
}

/// A client and a phone.
type Key = (String, String);

/// The last looks, the newest last.
#[derive(Default)]
pub(in crate::http) struct Looks(Mutex<VecDeque<(Key, Arc<Mutex<Seen>>)>>);

impl Looks {
    fn of(&self, client: &str, device: &str) -> Arc<Mutex<Seen>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (client.to_owned(), device.to_owned());
        let known = all.iter().position(|(of, _)| *of == key).and_then(|at| all.remove(at));
        let (_, seen) = known.unwrap_or_else(|| (key.clone(), Arc::default()));
        all.push_back((key, Arc::clone(&seen)));
        if all.len() > MOST {
            all.pop_front();
        }
        seen
    }
}

pub(in crate::http) async fn snapshot(app: Arc<App>, call: Call) -> Answer {
    let body: bodies::PocketSnapshot = call.body_or_none()?;
    let phone = body.phone();
    let scaling = body.model.map_or(Scaling::default(), |model| Scaling::for_model(&model.0));
    turn(&app, &call, "pocket-snapshot", phone, move |turn, package, seen| {
        let mut snapshot = seen.eye.snapshot(&turn.route(package), scaling)?;
        let answer = json!({ "deviceId": turn.device.serial(), "snapshot": snapshot });
        // Only its size and its elements are needed again.
        snapshot.screenshot_base64.clear();
        snapshot.som_screenshot_base64 = None;
        seen.last = Some(snapshot);
        Ok(answer)
    })
    .await
}

pub(in crate::http) async fn act(app: Arc<App>, call: Call) -> Answer {
    let body: bodies::PocketAct = call.body()?;
    let phone = body.phone();
    let (asked, element) = (normalise(&Value::Object(body.action)), text(body.element));
    turn(&app, &call, "pocket-act", phone, move |turn, package, seen| {
        let Normalised { action, notes } = &asked;
        let route = turn.route(package);
        let hand = Hand::new(&route);
        let done = match (&element, action) {
            (Some(id), Action::Tap { .. }) => match &seen.last {
                Some(last) => hand.tap(last.element(id)?.center),
                None => Err(unknown(id)),
            },
            (Some(_), _) => {
                let code = ErrorCode::PocketActionIncomplete;
                Err(Failure::new(code, "only `tap` takes an `element`").hint(code.remedy()))
            }
            (None, Action::Wait { duration_ms, .. }) => waited(turn, *duration_ms),
            (None, action) => hand
                .perform(action, notes, seen.last.as_ref())
                .unwrap_or_else(|| Err(elsewhere(action))),
        }?;
        Ok(json!({
            "deviceId": turn.device.serial(),
            "action": action,
            "notes": notes,
            "result": done,
        }))
    })
    .await
}

/// A turn at the phone, with what this client saw of it.
async fn turn(
    app: &Arc<App>,
    call: &Call,
    name: &'static str,
    phone: Phone,
    what: impl FnOnce(&Turn<'_>, &str, &mut Seen) -> Result<Value, Failure> + Send + 'static,
) -> Answer {
    let (app, client) = (Arc::clone(app), call.client.clone());
    let ticket = blocking(move || {
        let desk = app.desk().clone();
        let device = desk.device(phone.serial.as_deref())?;
        let seen = app.looks.of(&client, &device);
        let package = phone.package.unwrap_or_else(|| desk.package().to_owned());
        desk.submit_work(&device, &client, name, phone.wait, move |turn| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            what(turn, &package, &mut seen)
        })
    })
    .await?;
    let ended = ticket.ended().await;
    answered(&ticket, &ended)
}

/// Longer than this is no wait but a phone that nobody else can use.
const LONGEST_WAIT_MS: u64 = 60_000;

fn waited(turn: &Turn<'_>, ms: u64) -> clawperator_pocket::Done {
    let ms = ms.min(LONGEST_WAIT_MS);
    if !turn.stop.sleep(Duration::from_millis(ms)) {
        let code = ErrorCode::ExecutionCancelled;
        return Err(Failure::new(code, "cancelled while waiting").hint(code.remedy()));
    }
    Ok(clawperator_pocket::Outcome::new(format!("Waited {ms}ms")))
}

fn unknown(id: &str) -> Failure {
    let code = ErrorCode::PocketElementUnknown;
    let message = format!("element {id:?}: this client has seen no snapshot of the phone");
    Failure::new(code, message).detail("element", id).hint(code.remedy())
}

fn elsewhere(action: &Action) -> Failure {
    let kind = serde_json::to_value(action).unwrap_or_default();
    let message = format!("{} is done in a session, not over HTTP", kind["type"]);
    Failure::new(ErrorCode::PocketDisabled, message).hint(
        "`clawperator pocket run` takes it; only actions on the phone and `wait` are done here.",
    )
}
