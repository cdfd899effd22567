//! Android emulators on the server's computer.

use super::{blocking, text};
use crate::http::App;
use crate::http::answer::{Answer, ok};
use crate::http::bodies::{EmulatorCreate, EmulatorStart};
use crate::http::call::{Call, invalid};
use clawperator_contract::Failure;
use clawperator_host::emulator::{Create, Emulators, Provision, Start};
use serde::Serialize;
use std::sync::Arc;

pub(in crate::http) async fn list(app: Arc<App>, _: Call) -> Answer {
    with(app, |emulators| emulators.list()).await
}

pub(in crate::http) async fn running(app: Arc<App>, _: Call) -> Answer {
    with(app, |emulators| emulators.status()).await
}

pub(in crate::http) async fn inspect(app: Arc<App>, call: Call) -> Answer {
    let name = named(&call)?;
    with(app, move |emulators| emulators.inspect(&name)).await
}

pub(in crate::http) async fn create(app: Arc<App>, call: Call) -> Answer {
    let body: EmulatorCreate = call.body_or_none()?;
    let usual = Create::default();
    let wanted = Create {
        name: text(body.name).map_or(Ok(usual.name), |name| checked("name", &name))?,
        api_level: body.api_level.unwrap_or(usual.api_level),
        abi: text(body.abi).map(|abi| checked("abi", &abi)).transpose()?,
        device_profile: text(body.device_profile)
            .map_or(Ok(usual.device_profile), |profile| checked("deviceProfile", &profile))?,
        play_store: body.play_store.unwrap_or(usual.play_store),
        force: false,
        accept_licenses: body.accept_licenses,
    };
    with(app, move |emulators| emulators.create(&wanted)).await
}

pub(in crate::http) async fn start(app: Arc<App>, call: Call) -> Answer {
    let (name, how) = (named(&call)?, how(&call)?);
    with(app, move |emulators| emulators.start(&name, &how)).await
}

pub(in crate::http) async fn stop(app: Arc<App>, call: Call) -> Answer {
    let name = named(&call)?;
    with(app, move |emulators| emulators.stop(&name)).await
}

pub(in crate::http) async fn delete(app: Arc<App>, call: Call) -> Answer {
    let name = named(&call)?;
    with(app, move |emulators| emulators.delete(&name)).await
}

pub(in crate::http) async fn provision(app: Arc<App>, call: Call) -> Answer {
    let wanted = Provision { preferred: None, start: how(&call)?, create: Create::default() };
    with(app, move |emulators| emulators.provision(&wanted)).await
}

fn how(call: &Call) -> Result<Start, Failure> {
    let body: EmulatorStart = call.body_or_none()?;
    Ok(Start { headless: body.headless, arguments: Vec::new() })
}

fn named(call: &Call) -> Result<String, Failure> {
    checked("name", call.part("name"))
}

/// What becomes an argument of the SDK's tools and part of the names of files.
fn checked(key: &str, name: &str) -> Result<String, Failure> {
    let inside = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if begins && name.chars().all(inside) {
        return Ok(name.to_owned());
    }
    let message = format!("{key}: letters, digits, dots, dashes and underscores, not {name:?}");
    Err(invalid(key, &message))
}

async fn with<T: Serialize + Send + 'static>(
    app: Arc<App>,
    what: impl FnOnce(&Emulators<'_>) -> Result<T, Failure> + Send + 'static,
) -> Answer {
    ok(blocking(move || app.with_emulators(what)).await?)
}
