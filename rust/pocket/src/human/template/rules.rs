//! What may stand in a template. Whatever breaks a rule leaves the value as it was.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Reads values of one object.
pub(super) struct Reader<'a>(pub(super) &'a Map<String, Value>);

impl Reader<'_> {
    /// A text that is not blank, cut to `most` characters.
    pub(super) fn text(&self, key: &str, most: usize, into: &mut String) {
        if let Some(text) = self.filled(key) {
            *into = cut(text, most);
        }
    }

    pub(super) fn optional(&self, key: &str, most: usize) -> Option<String> {
        self.filled(key).map(|text| cut(text, most))
    }

    pub(super) fn flag(&self, key: &str, into: &mut bool) {
        if let Some(flag) = self.0.get(key).and_then(flag) {
            *into = flag;
        }
    }

    /// A word of a closed set, in any case.
    pub(super) fn word<T: DeserializeOwned>(&self, key: &str, into: &mut T) {
        let word = self.filled(key).map(|text| Value::from(text.to_lowercase()));
        if let Some(Ok(word)) = word.map(serde_json::from_value) {
            *into = word;
        }
    }

    pub(super) fn checked(&self, key: &str, good: fn(&str) -> bool, into: &mut String) {
        if let Some(text) = self.filled(key).filter(|text| good(text)) {
            *into = text.to_owned();
        }
    }

    /// Code, whole or not at all.
    pub(super) fn code(&self, key: &str, most: usize) -> String {
        let code = self.filled(key).filter(|text| text.chars().count() <= most);
        code.unwrap_or_default().to_owned()
    }

    fn filled(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }
}

/// True and false in the ways clients write them; anything else is no answer.
pub(in crate::human) fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) if text == "true" || text == "1" => Some(true),
        Value::String(text) if text == "false" || text == "0" => Some(false),
        Value::Number(number) if number.as_u64() == Some(1) => Some(true),
        Value::Number(number) if number.as_u64() == Some(0) => Some(false),
        _ => None,
    }
}

pub(super) fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// What `accept` of a file input takes: MIME types and endings.
pub(super) fn file_accept(text: &str) -> bool {
    text.len() <= 120
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"*.,_+-/ ".contains(&byte))
}

pub(super) fn css_color(text: &str) -> bool {
    let hex = text.strip_prefix('#').unwrap_or_default();
    matches!(hex.len(), 3 | 6) && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Colours and gradients. No slash and no quote, so nothing with an address; and no word that
/// fetches, though the page's policy would not let it.
pub(super) fn plain_css(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.len() <= 220
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"#(),.% -:".contains(&byte))
        && !["url", "image", "element", "var", "env"].iter().any(|word| lower.contains(word))
}
