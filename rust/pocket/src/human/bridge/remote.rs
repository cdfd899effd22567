//! A relay elsewhere, over HTTP.

use super::decision::Ask;
use super::seat::Seat;
use super::{Decision, Delivered, Status};
use crate::human::clock::{Clock, written};
use crate::human::relay::Asked;
use crate::human::secret::Secret;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use ureq::http::{Response, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// For an answer that needs no person.
const ANSWER: Duration = Duration::from_secs(15);
/// Longer than the silence between two signs of life of a relay, which come every 15 s.
const SILENCE: Duration = Duration::from_secs(40);
/// Longest decision: 20 MB of base64 and what stands around it.
const MOST: u64 = 24_000_000;

pub(super) struct Remote {
    base: String,
    key: Option<Secret>,
    agent: Agent,
    poll_interval: Duration,
    /// The poll tokens of what waits, for taking it back.
    open: Mutex<HashMap<String, String>>,
}

pub(super) struct Made {
    pub(super) open_url: String,
    pub(super) poll_token: String,
}

impl Remote {
    pub(super) fn new(
        url: &str,
        key: Option<Secret>,
        poll_interval: Duration,
    ) -> Result<Self, Failure> {
        let base = url.trim().trim_end_matches('/').to_owned();
        let uri: Option<Uri> = base.parse().ok();
        let uri = uri.filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")));
        let host = uri.as_ref().and_then(Uri::host).ok_or_else(|| {
            Failure::new(
                ErrorCode::PocketConfigInvalid,
                format!("relayBaseUrl {url:?} is no http or https address"),
            )
            .hint("Write it like https://relay.example")
        })?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A relay that sends us elsewhere would get the key sent there.
            .max_redirects(0)
            .timeout_connect(Some(ANSWER))
            .timeout_per_read(Some(SILENCE))
            .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build());
        // A proxy knows another computer by this name.
        let own = ["localhost", "127.0.0.1", "[::1]"].contains(&host);
        let config = if own { config.proxy(None) } else { config };
        let agent = config.build().new_agent();
        Ok(Self { base, key, agent, poll_interval, open: Mutex::default() })
    }

    /// Makes the request on a thread of its own, since a relay that is not there keeps a caller
    /// waiting longer than a stop may take. What the relay says is in the inner result.
    pub(super) fn create(
        self: &Arc<Self>,
        asked: &Asked,
        ask: &Ask<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Result<Made, Failure>, Failure> {
        let id = asked.request_id.clone().unwrap_or_default();
        let body = json!({
            "requestId": id,
            "task": asked.task,
            "sessionId": ask.session_id,
            "step": ask.step,
            "capability": asked.capability,
            "instruction": asked.instruction,
            "reason": asked.reason,
            "timeoutSec": asked.timeout_sec,
            "currentApp": asked.current_app,
            "screenshotPath": ask.screenshot_path.map(|path| path.display().to_string()),
            "uiTemplate": asked.template,
        });
        let (answer, answered) = mpsc::channel();
        let (remote, name) = (Arc::clone(self), id.clone());
        let spawned = std::thread::Builder::new().name("human-create".into()).spawn(move || {
            if let Err(mpsc::SendError(Ok(made))) = answer.send(remote.made(&name, &body)) {
                // Nobody wants it any more.
                remote.open().insert(name.clone(), made.poll_token);
                remote.withdraw(&name);
            }
        });
        if let Err(error) = spawned {
            return Ok(Err(unreachable(&self.base, &error.to_string())));
        }
        loop {
            match answered.recv_timeout(super::LOOK) {
                Ok(made) => return Ok(made),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Ok(Err(unreachable(&self.base, "asking it failed")));
                }
                Err(mpsc::RecvTimeoutError::Timeout) if stop() => return Err(super::stopped(&id)),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn made(&self, id: &str, body: &Value) -> Result<Made, Failure> {
        let url = format!("{}/v1/human-auth/requests", self.base);
        let mut request = self.agent.post(&url).header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {}", key.reveal()));
        }
        let mut answer = request
            .config()
            .timeout_global(Some(ANSWER))
            .build()
            .send(body.to_string())
            .map_err(|error| unreachable(&self.base, &error.to_string()))?;
        let status = answer.status();
        let value = read(&mut answer).ok_or_else(|| {
            unreachable(&self.base, &format!("it answered {status} without JSON"))
        })?;
        if !status.is_success() {
            let said = value["message"].as_str().or(value["error"].as_str()).unwrap_or_default();
            return Err(unreachable(&self.base, &format!("it answered {status} {said}")));
        }
        let text = |key: &str| {
            let text = value[key].as_str().filter(|text| !text.is_empty());
            let missing = || unreachable(&self.base, &format!("its answer has no {key}"));
            text.map(ToOwned::to_owned).ok_or_else(missing)
        };
        if text("requestId")? != id {
            return Err(unreachable(&self.base, "it answered for another request"));
        }
        let open_url = text("openUrl")?;
        // It is shown in somebody's terminal, where other letters than those of an address are
        // orders.
        if open_url.parse::<Uri>().is_err() {
            return Err(unreachable(&self.base, "its openUrl is no address"));
        }
        Ok(Made { open_url, poll_token: text("pollToken")? })
    }

    /// Waits on a thread of its own for the decision, as long as the seat does.
    pub(super) fn listen(self: &Arc<Self>, id: &str, poll_token: String, seat: Arc<Seat>) {
        self.open().insert(id.to_owned(), poll_token.clone());
        let (remote, id) = (Arc::clone(self), id.to_owned());
        // Without a thread the question can still be decided by hand.
        let _ = std::thread::Builder::new().name("human-listen".into()).spawn(move || {
            while seat.waits() {
                let heard = remote.heard(&id, &poll_token, &seat);
                let heard = heard.or_else(|| remote.polled(&id, &poll_token));
                if let Some(decision) = heard {
                    seat.settle(decision);
                    return;
                }
                seat.pause(remote.poll_interval);
            }
        });
    }

    /// The decision from the stream of events; none when it ends without.
    fn heard(&self, id: &str, token: &str, seat: &Seat) -> Option<Decision> {
        let answer = self.agent.get(self.address(id, "/events", token)).call().ok()?;
        if !answer.status().is_success() {
            return None;
        }
        let mut lines = BufReader::new(answer.into_body().into_reader().take(MOST));
        let mut line = String::new();
        while seat.waits() {
            line.clear();
            if lines.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data:") {
                return decision(id, &serde_json::from_str(data.trim()).ok()?);
            }
        }
        None
    }

    fn polled(&self, id: &str, token: &str) -> Option<Decision> {
        let mut answer = self.agent.get(self.address(id, "", token)).call().ok()?;
        decision(id, &read(&mut answer)?)
    }

    /// Tells the relay that nobody waits any more. It need not understand: the request ends by
    /// itself. Not waited for, as a stop must be quick.
    pub(super) fn withdraw(self: &Arc<Self>, id: &str) {
        let Some(token) = self.open().remove(id) else { return };
        let (remote, address) = (Arc::clone(self), self.address(id, "", &token));
        let _ = std::thread::Builder::new().name("human-withdraw".into()).spawn(move || {
            let request = remote.agent.delete(address);
            let _ = request.config().timeout_global(Some(ANSWER)).build().call();
        });
    }

    fn address(&self, id: &str, below: &str, token: &str) -> String {
        let token: String = token.bytes().map(percent).collect();
        format!("{}/v1/human-auth/requests/{id}{below}?pollToken={token}", self.base)
    }

    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<String, String>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn percent(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    }
}

fn unreachable(base: &str, why: &str) -> Failure {
    let code = ErrorCode::PocketHumanUnavailable;
    Failure::new(code, format!("the relay {base} cannot be used: {why}")).hint(code.remedy())
}

fn read(answer: &mut Response<Body>) -> Option<Value> {
    let text = answer.body_mut().with_config().limit(MOST).read_to_string();
    text.ok().and_then(|text| serde_json::from_str(&text).ok())
}

/// A decision as relays write it; none while it waits, and none for another request.
fn decision(id: &str, value: &Value) -> Option<Decision> {
    let status = Status::of(value["status"].as_str()?)?;
    if value["requestId"].as_str() != Some(id) {
        return None;
    }
    let note = value["note"].as_str().map(str::trim).filter(|note| !note.is_empty());
    let note = note.filter(|_| status != Status::Timeout);
    let given = &value["artifact"];
    let artifact = given["base64"].as_str().and_then(|base64| {
        let mime = given["mimeType"].as_str()?.to_owned();
        Some(Delivered { mime, bytes: STANDARD.decode(base64).ok()? })
    });
    let now = || written(Clock::default().now_ms());
    Some(Decision {
        request_id: id.to_owned(),
        status,
        message: note.unwrap_or_else(|| status.message()).to_owned(),
        decided_at: value["decidedAt"].as_str().map_or_else(now, ToOwned::to_owned),
        artifact: artifact.filter(|_| status == Status::Approved),
    })
}
