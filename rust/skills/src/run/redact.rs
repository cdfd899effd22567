//! Outputs are covered before anybody sees them.

use crate::recipe::words::Redaction;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

/// What stands for a masked value, whatever its length: its length is not shown either.
pub const MASK: &str = "****";

/// Covers values. Hashes are made with a key of this computer: the same value gives the same hash
/// here, and nobody can try out names against it elsewhere.
#[derive(Clone)]
pub struct Redactor {
    /// None shows everything.
    key: Option<[u8; 32]>,
}

impl Redactor {
    /// One with this key.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self { key: Some(key) }
    }

    /// One that shows everything: for tests on simulated phones, where nothing is anybody's.
    #[must_use]
    pub fn revealing() -> Self {
        Self { key: None }
    }

    /// The value as it may be seen; `None` where it may not.
    #[must_use]
    pub fn redact(&self, value: Value, how: Redaction) -> Option<Value> {
        let Some(key) = &self.key else { return Some(value) };
        match how {
            Redaction::None => Some(value),
            Redaction::Mask => Some(MASK.into()),
            Redaction::Drop => None,
            Redaction::Hash => {
                let text = match &value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                Some(hash(key, &text).into())
            }
        }
    }
}

/// 16 hex digits: enough to tell values apart, too few to be mistaken for the value.
fn hash(key: &[u8; 32], text: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return MASK.into() };
    mac.update(text.as_bytes());
    let bytes = mac.finalize().into_bytes();
    let hex: String = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("hmac:{hex}")
}

/// The key is nobody's business.
impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redactor").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_way_shows_what_it_says() {
        let redactor = Redactor::new([7; 32]);
        let value = || json!("zoe@example.org");
        assert_eq!(redactor.redact(value(), Redaction::None), Some(value()));
        assert_eq!(redactor.redact(value(), Redaction::Mask), Some(json!("****")));
        assert_eq!(redactor.redact(value(), Redaction::Drop), None);
        let hash = redactor.redact(value(), Redaction::Hash).unwrap();
        assert_eq!(Some(&hash), redactor.redact(value(), Redaction::Hash).as_ref());
        assert_ne!(Some(hash), Redactor::new([8; 32]).redact(value(), Redaction::Hash));
        assert_eq!(format!("{redactor:?}"), "Redactor { .. }");
    }
}
