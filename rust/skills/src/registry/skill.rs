//! One skill of a registry.

use serde::Serialize;
use serde_json::{Map, Value};

/// A skill whose entry has the form the table of keys asks for. The entry is kept as it was
/// written, keys nobody here knows included.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Skill {
    entry: Map<String, Value>,
}

impl Skill {
    /// Only of an entry that was checked.
    pub(crate) fn of(entry: Map<String, Value>) -> Self {
        Self { entry }
    }

    fn text(&self, key: &str) -> &str {
        self.entry.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        let list = self.entry.get(key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str)
    }

    /// The entry as it was written.
    #[must_use]
    pub fn entry(&self) -> &Map<String, Value> {
        &self.entry
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> &str {
        self.text("id")
    }

    /// The Android package it is for.
    #[must_use]
    pub fn application_id(&self) -> &str {
        self.text("applicationId")
    }

    /// What it does, in a word.
    #[must_use]
    pub fn intent(&self) -> &str {
        self.text("intent")
    }

    /// What it does, in a sentence.
    #[must_use]
    pub fn summary(&self) -> &str {
        self.text("summary")
    }

    /// Words people search it by.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        self.texts("keywords")
    }

    /// Its folder, from the root of the repository.
    #[must_use]
    pub fn path(&self) -> &str {
        self.text("path")
    }

    /// Its SKILL.md, from the root of the repository.
    #[must_use]
    pub fn skill_file(&self) -> &str {
        self.text("skillFile")
    }

    /// Its scripts, from the root of the repository.
    pub fn scripts(&self) -> impl Iterator<Item = &str> {
        self.texts("scripts")
    }

    /// Its artifacts, from the root of the repository.
    pub fn artifacts(&self) -> impl Iterator<Item = &str> {
        self.texts("artifacts")
    }

    /// What it takes and proves, where it says so.
    #[must_use]
    pub fn contract(&self) -> Option<&Map<String, Value>> {
        self.entry.get("contract")?.as_object()
    }

    /// The agent program that runs it, where one does.
    #[must_use]
    pub fn agent(&self) -> Option<&Map<String, Value>> {
        self.entry.get("agent")?.as_object()
    }
}
