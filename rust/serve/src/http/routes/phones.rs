//! The phones, and what is on them.

use super::blocking;
use crate::http::App;
use crate::http::answer::{Answer, ok};
use crate::http::call::Call;
use clawperator_adb::Listed;
use clawperator_host::packages;
use serde_json::{Value, json};
use std::sync::Arc;

pub(in crate::http) async fn list(app: Arc<App>, _: Call) -> Answer {
    let desk = app.desk().clone();
    let listed = blocking(move || desk.phones().list()).await?;
    let devices: Vec<Value> =
        listed.iter().map(|one| row(one, app.desk().waiting(&one.serial))).collect();
    ok(json!({ "devices": devices }))
}

fn row(one: &Listed, waiting: usize) -> Value {
    let mut row = json!({ "serial": one.serial, "state": one.state.to_string() });
    let more = [("product", &one.product), ("model", &one.model), ("device", &one.device)];
    for (key, value) in more {
        if let Some(value) = value {
            row[key] = value.as_str().into();
        }
    }
    row["waiting"] = waiting.into();
    row
}

/// Reading a list disturbs nobody, so it waits for no turn.
pub(in crate::http) async fn packages(app: Arc<App>, call: Call) -> Answer {
    let named = call.asked("deviceId")?.map(str::to_owned);
    let third_party = call.flag("thirdParty")?;
    let desk = app.desk().clone();
    let (serial, packages) = blocking(move || {
        let serial = desk.device(named.as_deref())?;
        let phone = desk.phones().open(&serial)?;
        Ok((serial, packages::list(phone.as_ref(), third_party)?))
    })
    .await?;
    ok(json!({ "deviceId": serial, "packages": packages }))
}
