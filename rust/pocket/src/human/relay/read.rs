//! What comes in: addresses, parameters and bodies, with their limits.

use super::refusal::Refusal;
use crate::action::Capability;
use crate::human::bridge::Delivered;
use crate::human::relay::record::Asked;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::ErrorCode;
use serde_json::{Map, Value};
use std::time::Duration;

/// Longest artifact in letters of base64: 15 MB.
const ARTIFACT: usize = 20_000_000;
/// How long a body may take to arrive: 22 MB from a phone with a bad connection.
const ARRIVAL: Duration = Duration::from_secs(120);
/// Longest text of the context, in characters. A person reads no more.
const CONTEXT: usize = 4000;

/// The bytes behind percent signs, or nothing if a sign is not followed by two digits or the result
/// is no text.
pub(super) fn decoded(text: &str, plus_is_blank: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let (high, low) = (digit()?, digit()?);
                u8::try_from(high * 16 + low).ok()?
            }
            b'+' if plus_is_blank => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The value of `key` in a query; empty when it is not there.
pub(super) fn parameter(query: Option<&str>, key: &str) -> String {
    let mut pairs = query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let found = pairs.rfind(|(name, _)| *name == key);
    found.and_then(|(_, value)| decoded(value, true)).unwrap_or_default()
}

/// The JSON object of a body.
pub(super) async fn object(
    headers: &HeaderMap,
    body: Body,
    most: usize,
) -> Result<Map<String, Value>, Refusal> {
    // A page of another site can send forms and plain text here without asking, but not JSON.
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let message = "The body is no JSON: content-type is not application/json.";
        let code = ErrorCode::InvalidBody;
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code, message));
    }
    let too_large = || Refusal::too_large(format!("The body is larger than {most} bytes."));
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if length.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > most) {
        return Err(too_large());
    }
    let bytes = match tokio::time::timeout(ARRIVAL, axum::body::to_bytes(body, most)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return Err(too_large()),
        Err(_) => {
            let code = ErrorCode::RequestTimedOut;
            return Err(Refusal::new(
                StatusCode::REQUEST_TIMEOUT,
                code,
                "The body came too slowly.",
            ));
        }
    };
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(Refusal::body("The body is JSON, but no object.")),
        Err(_) => Err(Refusal::body("The body is no JSON.")),
    }
}

pub(super) fn text(body: &Map<String, Value>, key: &str) -> String {
    body.get(key).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

/// A new request from its body.
pub(super) fn asked(body: &Map<String, Value>) -> Result<Asked, Refusal> {
    let context = |key| text(body, key).chars().take(CONTEXT).collect::<String>();
    let request_id = match body.get("requestId") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) if is_id(id) => Some(id.clone()),
        Some(_) => {
            let message = "requestId must have 1 to 80 letters, digits, '_' or '-'.";
            return Err(Refusal::parameter(message));
        }
    };
    let timeout = match body.get("timeoutSec") {
        None | Some(Value::Null) => 300.0,
        Some(value) => value
            .as_f64()
            .or_else(|| value.as_str()?.trim().parse().ok())
            .filter(|seconds: &f64| seconds.is_finite())
            .ok_or_else(|| Refusal::parameter("timeoutSec must be a number."))?,
    };
    let capability = Value::from(text(body, "capability").to_lowercase());
    Ok(Asked {
        request_id,
        capability: serde_json::from_value(capability).unwrap_or(Capability::Unknown),
        task: context("task"),
        instruction: context("instruction"),
        reason: context("reason"),
        current_app: context("currentApp"),
        timeout_sec: seconds(timeout),
        template: body.get("uiTemplate").cloned(),
    })
}

/// Within what a relay keeps a request: half a minute to half an hour.
fn seconds(given: f64) -> u64 {
    (30_u16..=1800).rev().find(|seconds| f64::from(*seconds) <= given.round()).unwrap_or(30).into()
}

fn is_id(id: &str) -> bool {
    (1..=80).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// The artifact of a decision. One that cannot be taken is an error and never dropped: the person
/// would believe that it arrived.
pub(super) fn artifact(body: &mut Map<String, Value>) -> Result<Option<Delivered>, Refusal> {
    let mut given = match body.remove("artifact") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Object(given)) => given,
        Some(_) => return Err(Refusal::parameter("artifact must be an object or null.")),
    };
    let mime = text(&given, "mimeType");
    let good = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    if mime.is_empty() || mime.len() > 127 || !mime.bytes().all(good) {
        return Err(Refusal::parameter("artifact.mimeType must be a MIME type."));
    }
    let Some(Value::String(base64)) = given.remove("base64") else {
        return Err(Refusal::parameter("artifact.base64 must be a text."));
    };
    if base64.len() > ARTIFACT {
        let message = format!("artifact.base64 is longer than {ARTIFACT} letters.");
        return Err(Refusal::too_large(message));
    }
    let bytes =
        STANDARD.decode(base64).map_err(|_| Refusal::parameter("artifact.base64 is no base64."))?;
    Ok(Some(Delivered { mime, bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs_need_two_digits_and_make_text() {
        assert_eq!(decoded("a%20b+c", false).as_deref(), Some("a b+c"));
        assert_eq!(decoded("a+b%2B", true).as_deref(), Some("a b+"));
        for bad in ["%", "%4", "%zz", "%f", "%ff", "%+1", "a%E4b"] {
            assert_eq!(decoded(bad, true), None, "{bad}");
        }
    }

    #[test]
    fn a_relay_keeps_a_request_between_half_a_minute_and_half_an_hour() {
        for (given, kept) in [(-1.0, 30), (0.0, 30), (30.4, 30), (299.6, 300), (1e300, 1800)] {
            assert_eq!(seconds(given), kept, "{given}");
        }
    }
}
