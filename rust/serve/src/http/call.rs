//! A request, read.

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Request};
use clawperator_contract::limits::MAX_INPUT_BYTES;
use clawperator_contract::{ErrorCode, Failure};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

/// A body that takes longer to arrive is not waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// Characters of a client's name.
const MAX_CLIENT: usize = 64;

/// A request, read.
#[derive(Debug)]
pub(crate) struct Call {
    /// Parts of the path, by name.
    pub(crate) path: HashMap<String, String>,
    /// The query, by name.
    pub(crate) query: HashMap<String, String>,
    pub(crate) headers: HeaderMap,
    /// Who asks, for the turns at the phones.
    pub(crate) client: String,
    body: Bytes,
}

impl Call {
    /// Reads a request whole. One without a body that is needed is refused by [`Call::body`].
    pub(crate) async fn read(
        request: Request<Body>,
        path: HashMap<String, String>,
        known_query: &[&str],
        peer: IpAddr,
    ) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let query = query(parts.uri.query().unwrap_or_default(), known_query)?;
        let read = axum::body::to_bytes(body, MAX_INPUT_BYTES);
        let body = match tokio::time::timeout(PATIENCE, read).await {
            Ok(Ok(body)) => body,
            Ok(Err(error)) => return Err(unreadable(&error)),
            Err(_) => {
                let code = ErrorCode::RequestTimedOut;
                let message = format!("the body did not arrive in {} s", PATIENCE.as_secs());
                return Err(Failure::new(code, message).hint(code.remedy()));
            }
        };
        let client = client(&parts.headers).unwrap_or_else(|| peer.to_string());
        Ok(Self { path, query, headers: parts.headers, client, body })
    }

    /// A part of the path.
    pub(crate) fn part(&self, name: &str) -> &str {
        self.path.get(name).map_or("", String::as_str)
    }

    /// A text of the query; blank ones are refused.
    pub(crate) fn asked(&self, name: &'static str) -> Result<Option<&str>, Failure> {
        match self.query.get(name) {
            Some(value) if value.trim().is_empty() => {
                let code = match name {
                    "deviceId" => ErrorCode::InvalidDeviceId,
                    "operatorPackage" => ErrorCode::InvalidOperatorPackage,
                    _ => ErrorCode::InvalidParameter,
                };
                Err(Failure::new(code, format!("{name} is blank")).hint(code.remedy()))
            }
            value => Ok(value.map(String::as_str)),
        }
    }

    /// Yes or no of the query.
    pub(crate) fn flag(&self, name: &'static str) -> Result<bool, Failure> {
        match self.query.get(name).map(String::as_str) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(invalid(name, &format!("{name} is true or false, not {other:?}"))),
        }
    }

    /// Milliseconds of the query, at most so many.
    pub(crate) fn millis(&self, name: &'static str, most: u64) -> Result<Option<u64>, Failure> {
        let Some(text) = self.query.get(name) else { return Ok(None) };
        let number = text.parse::<u64>().ok().filter(|number| *number <= most);
        let wrong = || invalid(name, &format!("{name} is a whole number up to {most}"));
        number.ok_or_else(wrong).map(Some)
    }

    /// The body, as what the route takes.
    pub(crate) fn body<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        read(self.object()?)
    }

    /// The same where it may be missing.
    pub(crate) fn body_or_none<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        if self.body.is_empty() { read(Map::new()) } else { self.body() }
    }

    /// The body as JSON of any shape.
    pub(crate) fn value(&self) -> Result<Value, Failure> {
        let invalid = |message: &str| {
            let code = ErrorCode::InvalidBody;
            Failure::new(code, message).hint(code.remedy())
        };
        if self.body.is_empty() {
            return Err(invalid("the request has no body"));
        }
        if !is_json(&self.headers) {
            return Err(invalid("the body's content-type is not application/json"));
        }
        serde_json::from_slice(&self.body).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            Failure::new(ErrorCode::InvalidJson, format!("the body is not valid JSON: {error}"))
                .detail("line", line)
                .detail("column", column)
        })
    }

    fn object(&self) -> Result<Map<String, Value>, Failure> {
        match self.value()? {
            Value::Object(object) => Ok(object),
            _ => {
                let code = ErrorCode::InvalidBody;
                Err(Failure::new(code, "the body is not a JSON object").hint(code.remedy()))
            }
        }
    }
}

/// Gives each key of a body the code that callers know for it.
fn read<T: DeserializeOwned>(object: Map<String, Value>) -> Result<T, Failure> {
    serde_path_to_error::deserialize(Value::Object(object)).map_err(|error| {
        let key = match error.path().iter().next() {
            Some(serde_path_to_error::Segment::Map { key }) => key.clone(),
            _ => String::new(),
        };
        let why = error.inner().to_string();
        let code = match key.as_str() {
            "deviceId" => ErrorCode::InvalidDeviceId,
            "operatorPackage" => ErrorCode::InvalidOperatorPackage,
            "path" => ErrorCode::InvalidPath,
            "args" => ErrorCode::InvalidArgs,
            "timeoutMs" => ErrorCode::InvalidTimeoutMs,
            "expectContains" => ErrorCode::InvalidExpectContains,
            "" if why.contains("missing field `execution`") => ErrorCode::MissingExecution,
            _ => ErrorCode::InvalidParameter,
        };
        let message = if key.is_empty() { why } else { format!("{key}: {why}") };
        Failure::new(code, message).hint(code.remedy())
    })
}

pub(crate) fn invalid(parameter: &str, message: &str) -> Failure {
    let code = ErrorCode::InvalidParameter;
    Failure::new(code, message).detail("parameter", parameter).hint(code.remedy())
}

fn unreadable(error: &axum::Error) -> Failure {
    // The limit is told as an error whose words are the only sign of it.
    let (code, message) = if error.to_string().contains("length limit") {
        let message = format!("the body has more than {MAX_INPUT_BYTES} bytes");
        (ErrorCode::BodyTooLarge, message)
    } else {
        (ErrorCode::InvalidBody, format!("the body did not arrive whole: {error}"))
    };
    Failure::new(code, message).hint(code.remedy())
}

fn is_json(headers: &HeaderMap) -> bool {
    let said = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = said.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

/// A query, whose names the route knows. Every name once.
fn query(text: &str, known: &[&str]) -> Result<HashMap<String, String>, Failure> {
    let mut query = HashMap::new();
    for part in text.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let (name, value) = (decoded(name)?, decoded(value)?);
        if !known.contains(&name.as_str()) {
            let takes = if known.is_empty() { "none".into() } else { known.join(", ") };
            let message = format!("the query has {name:?}; this route takes {takes}");
            return Err(invalid(&name, &message));
        }
        if query.insert(name.clone(), value).is_some() {
            return Err(invalid(&name, &format!("{name} stands twice in the query")));
        }
    }
    Ok(query)
}

/// Text of a query as it was before it was put into an address.
fn decoded(text: &str) -> Result<String, Failure> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next(), rest.next()];
                let digit = |digit: Option<u8>| char::from(digit?).to_digit(16);
                let pair = digit(digits[0]).zip(digit(digits[1]));
                let byte = pair.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
                byte.ok_or_else(|| invalid("query", "the query has a % that is no character"))?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| invalid("query", "the query is not UTF-8"))
}

/// Who asks, by its own word.
fn client(headers: &HeaderMap) -> Option<String> {
    let name = headers.get("x-client-id")?.to_str().ok()?;
    let sane =
        !name.is_empty() && name.len() <= MAX_CLIENT && name.bytes().all(|b| b.is_ascii_graphic());
    sane.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_taken_apart_and_only_known_names_pass() {
        let known = ["app", "keyword"];
        let read = query("app=a%2Eb&keyword=x+y", &known).unwrap();
        assert_eq!((read["app"].as_str(), read["keyword"].as_str()), ("a.b", "x y"));
        for wrong in ["other=1", "app=1&app=2", "app=%zz", "app=%ff", "app=%2"] {
            assert_eq!(
                query(wrong, &known).unwrap_err().code,
                ErrorCode::InvalidParameter,
                "{wrong}"
            );
        }
        assert!(query("", &known).unwrap().is_empty());
    }

    #[test]
    fn a_wrong_key_has_the_code_callers_know_for_it() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[allow(dead_code, reason = "only read")]
        struct Body {
            execution: Value,
            device_id: Option<String>,
            timeout_ms: Option<u32>,
        }
        let code = |text: &str| {
            let value: Value = serde_json::from_str(text).unwrap();
            read::<Body>(value.as_object().unwrap().clone()).unwrap_err().code
        };
        assert_eq!(code(r#"{}"#), ErrorCode::MissingExecution);
        assert_eq!(code(r#"{"execution":1,"deviceId":5}"#), ErrorCode::InvalidDeviceId);
        assert_eq!(code(r#"{"execution":1,"timeoutMs":-5}"#), ErrorCode::InvalidTimeoutMs);
        assert_eq!(code(r#"{"execution":1,"other":1}"#), ErrorCode::InvalidParameter);
    }
}
