//! Asking a person, and doing with the phone what the answer says.

use super::phone::{InHands, Phone};
use crate::Action;
use crate::config::HumanAuth;
use crate::device::Hand;
use crate::human::artifact::Place;
use crate::human::bridge::Limits;
use crate::human::relay::Settings;
use crate::human::{Bridge, Plan, Relay, Secret, Step};
use crate::outcome::{Done, Outcome};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_host::emulator::console;
use clawperator_link::broadcast::shell_quoted;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// A push of some megabytes over a slow cable.
const PUSH: Duration = Duration::from_secs(60);
const COMMAND: Duration = Duration::from_secs(15);

/// Whom the session can ask.
pub(super) struct People {
    pub(super) bridge: Arc<Bridge>,
    /// Runs as long as this does.
    _relay: Option<Relay>,
}

impl People {
    /// Starts what the settings want; nobody when they want nobody.
    pub(super) fn of(
        settings: &HumanAuth,
        phone: &Arc<Phone>,
        stop: &Stop,
    ) -> Result<Option<Self>, Failure> {
        if !settings.enabled {
            return Ok(None);
        }
        let limits = Limits {
            request_timeout: Duration::from_secs(settings.request_timeout_sec),
            poll_interval: Duration::from_millis(settings.poll_interval_ms),
            ..Limits::default()
        };
        let key = std::env::var(&settings.api_key_env).ok().filter(|key| !key.trim().is_empty());
        let key = key.map(Secret::new);
        if !settings.relay_base_url.is_empty() {
            let bridge = Bridge::elsewhere(&settings.relay_base_url, key, limits)?;
            return Ok(Some(Self { bridge: Arc::new(bridge), _relay: None }));
        }
        if !settings.use_local_relay {
            return Ok(Some(Self { bridge: Arc::new(Bridge::by_hand(limits)), _relay: None }));
        }
        let host: IpAddr = settings.local_relay_host.parse().map_err(|_| {
            let code = ErrorCode::PocketConfigInvalid;
            let seen = &settings.local_relay_host;
            let message = format!("humanAuth.localRelayHost is {seen:?}, not an IP address");
            Failure::new(code, message)
                .detail("path", "humanAuth.localRelayHost")
                .hint("Give an address such as 127.0.0.1.")
        })?;
        let public = Some(settings.public_base_url.clone()).filter(|url| !url.is_empty());
        let relay = Relay::start(Settings {
            host,
            port: settings.local_relay_port,
            public_base_url: public,
            api_key: key,
            takeover: Some(Arc::new(InHands::new(Arc::clone(phone), stop.clone()))),
            ..Settings::default()
        })?;
        let bridge = Arc::new(Bridge::here(&relay, limits));
        Ok(Some(Self { bridge, _relay: Some(relay) }))
    }
}

/// Does what the plan says, as far as this phone can; what it cannot is said, not failed: the
/// person's yes stands.
pub(super) fn apply(plan: &Plan, phone: &Phone, stop: &Stop, mut outcome: Outcome) -> Done {
    let mut said = Vec::new();
    for step in &plan.steps {
        said.push(match step {
            Step::Type(text) => typed(text, phone, stop),
            Step::Locate(place) => located(*place, phone),
            Step::Push { content, device_path } => pushed(&content.bytes, device_path, phone),
        });
    }
    if !plan.told.is_empty() {
        outcome.text.push_str(&format!("\ndelegation={}", plan.told));
    }
    for (place, said) in said.into_iter().enumerate() {
        match said {
            Ok(done) => outcome.text.push_str(&format!("\ndelegation_result={done}")),
            Err(failure) => {
                outcome.text.push_str(&format!("\ndelegation_failed={failure}"));
                outcome = outcome.with(&format!("failed{place}"), failure.code.name());
            }
        }
    }
    if !plan.values.is_empty() {
        let names: Vec<&str> = plan.values.iter().map(|(name, _)| name.as_str()).collect();
        let how = r#"{"type":"type","secret":"NAME"}"#;
        outcome.text.push_str(&format!("\nsecrets={}; type one with {how}", names.join(",")));
        outcome = outcome.with("secrets", names);
    }
    if let Some(hint) = &plan.hint {
        outcome.text.push_str(&format!("\nhint={hint}"));
    }
    Ok(outcome)
}

fn typed(text: &Secret, phone: &Phone, stop: &Stop) -> Result<String, Failure> {
    let route = phone.route(stop);
    let action = Action::Type { text: text.reveal().to_owned(), reason: None };
    match Hand::new(&route).perform(&action, &[], None) {
        Some(Ok(_)) => Ok(format!("text typed ({} chars)", text.length())),
        Some(Err(failure)) => Err(failure),
        None => Ok(String::new()),
    }
}

fn located(place: Place, phone: &Phone) -> Result<String, Failure> {
    let home = std::env::home_dir();
    console::locate(phone.device.serial(), place.lat, place.lon, home.as_deref())
        .map(|()| "location set".to_owned())
        .map_err(|why| {
            let code = ErrorCode::PocketCommandFailed;
            Failure::new(code, format!("the location was not set: {why}"))
                .hint("Only an emulator on this computer can be put elsewhere.")
        })
}

fn pushed(bytes: &[u8], path: &str, phone: &Phone) -> Result<String, Failure> {
    let line = format!("cat > {}", shell_quoted(&[path.to_owned()]));
    let mut input = bytes;
    let written = phone.device.shell_with_input(&line, &mut input, PUSH)?;
    if written.code != 0 {
        let code = ErrorCode::DeviceShellUnavailable;
        let message = format!("{path} was not written; the phone said: {}", written.said());
        return Err(Failure::new(code, message).hint(code.remedy()));
    }
    // Apps find it without this too, only later.
    let _ = phone.device.shell(&shell_quoted(&Step::media_scan(path)), COMMAND);
    Ok(format!("pushed to {path}"))
}
