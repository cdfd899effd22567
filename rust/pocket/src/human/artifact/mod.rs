//! What a person gave, and what to do with it on the phone.

mod plan;

pub use plan::{Plan, Step};

use super::bridge::Delivered;
use super::secret::Secret;
use crate::action::Capability;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Map, Value};
use std::fmt;

/// What a person gave. Its `Debug` shows no content.
#[derive(Debug, Clone, PartialEq)]
pub enum Artifact {
    /// Text to be typed.
    Text(Secret),
    /// Where somebody is.
    Geo(Place),
    /// A picture.
    Image(Delivered),
    /// A sound.
    Audio(Delivered),
    /// Any other file.
    File(Delivered),
    /// Values of a form, by name.
    Form(Vec<(String, Secret)>),
    /// A user's name and password, by name.
    Credentials(Vec<(String, Secret)>),
    /// A card, by name.
    Payment(Vec<(String, Secret)>),
    /// Pictures, the latest last.
    Album(Vec<Delivered>),
}

/// A place on earth. Its `Debug` does not tell which.
#[derive(Clone, Copy, PartialEq)]
pub struct Place {
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Place")
    }
}

/// As many as the page sends.
const MOST_PHOTOS: usize = 20;

impl Artifact {
    /// Reads what came with a decision.
    ///
    /// # Errors
    /// It says it is a place, an album or a form, and is none.
    pub fn read(capability: Capability, given: &Delivered) -> Result<Self, Failure> {
        let mime = kind_of(&given.mime);
        if mime.contains("json") {
            return json(capability, given);
        }
        Ok(match mime.split('/').next() {
            Some("image") => Self::Image(given.clone()),
            Some("audio") => Self::Audio(given.clone()),
            Some("text") if mime == "text/plain" && types(capability) => {
                let text = String::from_utf8(given.bytes.clone());
                Self::Text(Secret::new(text.map_err(|_| broken("text that is no UTF-8"))?))
            }
            _ => Self::File(given.clone()),
        })
    }
}

/// Capabilities whose answer is typed.
fn types(capability: Capability) -> bool {
    use Capability::{Qr, Sms, TwoFactor, Voice};
    matches!(capability, Sms | TwoFactor | Qr | Voice)
}

/// A MIME type without its parameters, in small letters.
fn kind_of(mime: &str) -> String {
    mime.split(';').next().unwrap_or_default().trim().to_lowercase()
}

fn broken(what: &str) -> Failure {
    Failure::new(ErrorCode::PocketActionIncomplete, format!("the artifact is {what}"))
        .hint("Ask the person again.")
}

fn json(capability: Capability, given: &Delivered) -> Result<Artifact, Failure> {
    let file = || Ok(Artifact::File(given.clone()));
    let Ok(Value::Object(map)) = serde_json::from_slice::<Value>(&given.bytes) else {
        return file();
    };
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    let kind = text("kind").unwrap_or_default();
    if kind == "geo" || (capability == Capability::Location && map.contains_key("lat")) {
        return place(&map);
    }
    match kind {
        "text" | "qr_text" => match text("value") {
            Some(value) => Ok(Artifact::Text(Secret::new(value))),
            None => Err(broken("a text without a value")),
        },
        "form" => Ok(Artifact::Form(fields(map.get("fields"))?)),
        "credentials" => Ok(Artifact::Credentials(fields(map.get("fields"))?)),
        "payment_card" => Ok(Artifact::Payment(fields(map.get("fields"))?)),
        "payment_card_v1" => {
            let names = ["cardNumber", "expiry", "cvc", "zip"];
            let card = names.into_iter().filter_map(|name| {
                let value = text(name).filter(|value| !value.is_empty())?;
                Some((name.to_owned(), Secret::new(value)))
            });
            Ok(Artifact::Payment(card.collect()))
        }
        "photo_library_grant_v1" => album(map.get("photos")),
        _ if types(capability) && text("value").is_some() => {
            Ok(Artifact::Text(Secret::new(text("value").unwrap_or_default())))
        }
        // A person who was asked for a file may have chosen one of JSON.
        "" if capability == Capability::Files => file(),
        // Whatever the agent's form made of what was entered: values, which are not put into a
        // folder that every app reads.
        _ => Ok(Artifact::Form(fields(map.get("fields").or(Some(&Value::Object(own(&map)))))?)),
    }
}

/// The values of an artifact without what the page says about it.
fn own(map: &Map<String, Value>) -> Map<String, Value> {
    let about = ["kind", "capability", "capturedAt", "templateId", "form_data"];
    let own = map.iter().filter(|(name, _)| !about.contains(&name.as_str()));
    own.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn place(map: &Map<String, Value>) -> Result<Artifact, Failure> {
    let degrees = |key: &str, most: f64| {
        let value = map.get(key)?;
        let value = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
        (value.is_finite() && value.abs() <= most).then_some(value)
    };
    match (degrees("lat", 90.0), degrees("lon", 180.0)) {
        (Some(lat), Some(lon)) => Ok(Artifact::Geo(Place { lat, lon })),
        _ => Err(broken("a place without a latitude (-90 to 90) and longitude (-180 to 180)")),
    }
}

fn fields(values: Option<&Value>) -> Result<Vec<(String, Secret)>, Failure> {
    let map = values.and_then(Value::as_object).ok_or_else(|| broken("a form without fields"))?;
    let texts = map.iter().filter_map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        (!value.is_empty() && value != "null").then(|| (name.clone(), Secret::new(value)))
    });
    Ok(texts.collect())
}

fn album(photos: Option<&Value>) -> Result<Artifact, Failure> {
    let list = photos.and_then(Value::as_array).ok_or_else(|| broken("an album without photos"))?;
    let photos: Option<Vec<_>> = list
        .iter()
        .take(MOST_PHOTOS)
        .map(|photo| {
            let mime = photo["mimeType"].as_str()?.to_owned();
            Some(Delivered { mime, bytes: STANDARD.decode(photo["base64"].as_str()?).ok()? })
        })
        .collect();
    let photos = photos.filter(|photos| !photos.is_empty());
    photos.map(Artifact::Album).ok_or_else(|| broken("an album with a photo that cannot be read"))
}

#[cfg(test)]
mod tests;
