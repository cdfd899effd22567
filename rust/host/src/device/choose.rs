//! Which phone is meant.

use super::failure;
use clawperator_adb::{Deadline, Listed, Server, State};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Value, json};
use std::time::Duration;

/// The server answers from memory; starting one takes seconds.
const PATIENCE: Duration = Duration::from_secs(15);

/// The phones an adb server knows.
pub fn list(server: &Server) -> Result<Vec<Listed>, Failure> {
    server.devices(Deadline::after(PATIENCE)).map_err(|error| failure(&error))
}

/// The serial of the phone that is meant: the one named, or the only one there is.
pub fn choose(server: &Server, named: Option<&str>) -> Result<String, Failure> {
    pick(&list(server)?, named)
}

fn pick(listed: &[Listed], named: Option<&str>) -> Result<String, Failure> {
    let ready: Vec<&str> = serials(listed.iter().filter(|one| one.state == State::Device));
    let Some(named) = named else {
        return match (ready.as_slice(), listed) {
            ([only], _) => Ok((*only).to_owned()),
            ([], []) => Err(with_remedy(ErrorCode::NoDevices, "no phone is connected")),
            ([], [one]) => Err(unusable(one)),
            ([], _) => {
                let states: Vec<_> =
                    listed.iter().map(|one| format!("{} is {}", one.serial, one.state)).collect();
                let message = format!("no phone is ready: {}", states.join(", "));
                Err(with_remedy(ErrorCode::NoDevices, message).detail("devices", states_of(listed)))
            }
            (several, _) => {
                let message = format!(
                    "{} phones are connected: {}; say which one",
                    several.len(),
                    several.join(", ")
                );
                let code = ErrorCode::MultipleDevicesDeviceIdRequired;
                let hint = format!("add --device {}", several[0]);
                Err(Failure::new(code, message).detail("devices", json!(several)).hint(hint))
            }
        };
    };
    match listed.iter().find(|one| one.serial == named) {
        Some(one) if one.state == State::Device => Ok(named.to_owned()),
        Some(one) => Err(unusable(one)),
        None => {
            let seen = if ready.is_empty() { "none".into() } else { ready.join(", ") };
            let message = format!("no phone {named} is connected; ready: {seen}");
            let failure = with_remedy(ErrorCode::DeviceNotFound, message);
            Err(failure.detail("connected", json!(ready)))
        }
    }
}

fn unusable(one: &Listed) -> Failure {
    let code = match one.state {
        State::Unauthorized => ErrorCode::DeviceUnauthorized,
        State::NoPermissions => ErrorCode::AdbNoUsbPermissions,
        _ => ErrorCode::DeviceOffline,
    };
    let message = format!("the phone {} is {}", one.serial, one.state);
    with_remedy(code, message).detail("serial", one.serial.as_str())
}

fn with_remedy(code: ErrorCode, message: impl Into<String>) -> Failure {
    Failure::new(code, message).hint(code.remedy())
}

fn serials<'a>(listed: impl Iterator<Item = &'a Listed>) -> Vec<&'a str> {
    listed.map(|one| one.serial.as_str()).collect()
}

fn states_of(listed: &[Listed]) -> Value {
    let one = |one: &Listed| json!({ "serial": one.serial, "state": one.state.to_string() });
    listed.iter().map(one).collect()
}
