//! The phone's settings, in Android's three namespaces.

use super::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Where a setting stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "Android's own names")]
pub enum Namespace {
    Global,
    Secure,
    System,
}

impl Namespace {
    /// By its name on the command line.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "global" => Some(Self::Global),
            "secure" => Some(Self::Secure),
            "system" => Some(Self::System),
            _ => None,
        }
    }
}

/// All settings.
#[derive(Debug)]
pub struct Settings {
    values: Mutex<BTreeMap<(Namespace, String), String>>,
}

impl Default for Settings {
    /// A phone on a desk: developer options and debugging on, no accessibility service.
    fn default() -> Self {
        let values = [
            (Namespace::Global, "development_settings_enabled", "1"),
            (Namespace::Global, "adb_enabled", "1"),
            (Namespace::Global, "airplane_mode_on", "0"),
            (Namespace::Secure, "accessibility_enabled", "0"),
            (Namespace::System, "screen_off_timeout", "60000"),
        ];
        let values = values.map(|(space, key, value)| ((space, key.to_owned()), value.to_owned()));
        Self { values: Mutex::new(values.into()) }
    }
}

impl Settings {
    /// A setting.
    #[must_use]
    pub fn get(&self, namespace: Namespace, key: &str) -> Option<String> {
        lock(&self.values).get(&(namespace, key.to_owned())).cloned()
    }

    /// Every setting of a namespace.
    #[must_use]
    pub fn list(&self, namespace: Namespace) -> Vec<(String, String)> {
        let values = lock(&self.values);
        let own = values.iter().filter(|((space, _), _)| *space == namespace);
        own.map(|((_, key), value)| (key.clone(), value.clone())).collect()
    }

    /// Sets or, without a value, removes a setting.
    pub(super) fn put(&self, namespace: Namespace, key: &str, value: Option<&str>) {
        let mut values = lock(&self.values);
        let key = (namespace, key.to_owned());
        match value {
            Some(value) => values.insert(key, value.to_owned()),
            None => values.remove(&key),
        };
    }
}
