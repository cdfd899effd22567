//! The settings of a session: one JSON file, read strictly.
//!
//! An unknown key, a wrong type and a number out of bounds are errors, all told at once: a setting
//! that is silently ignored is believed to hold. Keys may be spelled `maxSteps` or `max_steps`.

mod read;
mod table;

pub use read::Problem;
pub use table::{Default as DefaultValue, Key, LEFT_OUT, SECTIONS, Section, Takes};

use clawperator_contract::{ErrorCode, Failure, json};
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;

/// All settings of a session. The table says what each does.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    missing_docs,
    reason = "the table describes every setting, and the docs page is made of it"
)]
pub struct Config {
    pub agent: Agent,
    pub screenshots: Screenshots,
    pub script_executor: ScriptExecutor,
    pub coding_tools: CodingTools,
    pub memory_tools: MemoryTools,
    pub human_auth: HumanAuth,
}

/// `agent`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    missing_docs,
    reason = "the table describes every setting, and the docs page is made of it"
)]
pub struct Agent {
    pub max_steps: u64,
    pub return_home_on_task_end: bool,
    pub device_id: Option<String>,
}

/// `screenshots`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    missing_docs,
    reason = "the table describes every setting, and the docs page is made of it"
)]
pub struct Screenshots {
    pub save_step_screenshots: bool,
    pub max_count: u64,
}

/// `scriptExecutor`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    missing_docs,
    reason = "the table describes every setting, and the docs page is made of it"
)]
pub struct ScriptExecutor {
    pub enabled: bool,
    pub timeout_sec: u64,
    pub max_output_chars: usize,
    pub allowed_commands: Vec<String>,
}

/// `codingTools`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    missing_docs,
    reason = "the table describes every setting, and the docs page is made of it"
)]
#[allow(clippy::struct_excessive_bools, reason = "switches of a file")]
pub struct CodingTools {
    pub enabled: bool,
    pub workspace_only: bool,
    pub allow_background: bool,
    pub apply_patch_enabled: bool,
    pub timeout_sec: u64,
    pub max_output_chars: usize,
    pub allowed_commands: Vec<String>,
}

/// `memoryTools`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    missing_docs,
    reason = "the table describes every setting, and the docs page is made of it"
)]
pub struct MemoryTools {
    pub enabled: bool,
    pub max_results: u64,
    pub min_score: f64,
    pub max_snippet_chars: usize,
}

/// `humanAuth`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(
    missing_docs,
    reason = "the table describes every setting, and the docs page is made of it"
)]
pub struct HumanAuth {
    pub enabled: bool,
    pub use_local_relay: bool,
    pub local_relay_host: String,
    pub local_relay_port: u16,
    pub relay_base_url: String,
    pub public_base_url: String,
    pub request_timeout_sec: u64,
    pub poll_interval_ms: u64,
    pub api_key_env: String,
}

impl Config {
    /// The settings in a file.
    ///
    /// # Errors
    ///
    /// `POCKET_CONFIG_INVALID` when it cannot be read, or says what no setting takes.
    pub fn of_file(path: &Path) -> Result<Self, Failure> {
        let of_file = |failure: Failure| failure.detail("file", path.display().to_string());
        let bytes = std::fs::read(path).map_err(|error| {
            let message = format!("the settings {} cannot be read: {error}", path.display());
            let failure = Failure::new(ErrorCode::PocketConfigInvalid, message);
            of_file(failure.hint("Check the path and its permissions."))
        })?;
        let value = json::parse(&bytes).map_err(|mut failure| {
            failure.code = ErrorCode::PocketConfigInvalid;
            failure.message = failure.message.replacen("the payload", "the file of settings", 1);
            of_file(failure.hint("Mend the JSON where the message says."))
        })?;
        Self::of_json(&value).map_err(of_file)
    }

    /// The settings in a JSON object.
    ///
    /// # Errors
    ///
    /// `POCKET_CONFIG_INVALID` with the first problem's place in `details.path` and all of them in
    /// `details.problems`.
    pub fn of_json(value: &Value) -> Result<Self, Failure> {
        read::checked(value)
            .map(|given| Self::of_given(&given))
            .map_err(|problems| failure(&problems))
    }

    /// From what was given and is known to be right.
    fn of_given(given: &Map<String, Value>) -> Self {
        let from = |section| Given { section, given: given.get(section) };
        let [agent, screenshots, script] = ["agent", "screenshots", "scriptExecutor"].map(from);
        let [coding, memory, human] = ["codingTools", "memoryTools", "humanAuth"].map(from);
        Self {
            agent: Agent {
                max_steps: agent.whole("maxSteps"),
                return_home_on_task_end: agent.flag("returnHomeOnTaskEnd"),
                device_id: agent.value("deviceId").as_str().map(str::to_owned),
            },
            screenshots: Screenshots {
                save_step_screenshots: screenshots.flag("saveStepScreenshots"),
                max_count: screenshots.whole("maxCount"),
            },
            script_executor: ScriptExecutor {
                enabled: script.flag("enabled"),
                timeout_sec: script.whole("timeoutSec"),
                max_output_chars: script.size("maxOutputChars"),
                allowed_commands: script.texts("allowedCommands"),
            },
            coding_tools: CodingTools {
                enabled: coding.flag("enabled"),
                workspace_only: coding.flag("workspaceOnly"),
                allow_background: coding.flag("allowBackground"),
                apply_patch_enabled: coding.flag("applyPatchEnabled"),
                timeout_sec: coding.whole("timeoutSec"),
                max_output_chars: coding.size("maxOutputChars"),
                allowed_commands: coding.texts("allowedCommands"),
            },
            memory_tools: MemoryTools {
                enabled: memory.flag("enabled"),
                max_results: memory.whole("maxResults"),
                min_score: memory.value("minScore").as_f64().unwrap_or_default(),
                max_snippet_chars: memory.size("maxSnippetChars"),
            },
            human_auth: HumanAuth {
                enabled: human.flag("enabled"),
                use_local_relay: human.flag("useLocalRelay"),
                local_relay_host: human.text("localRelayHost"),
                local_relay_port: u16::try_from(human.whole("localRelayPort")).unwrap_or_default(),
                relay_base_url: human.text("relayBaseUrl"),
                public_base_url: human.text("publicBaseUrl"),
                request_timeout_sec: human.whole("requestTimeoutSec"),
                poll_interval_ms: human.whole("pollIntervalMs"),
                api_key_env: human.text("apiKeyEnv"),
            },
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::of_given(&Map::new())
    }
}

/// A section as it was given; the table has what was not.
struct Given<'a> {
    section: &'static str,
    given: Option<&'a Value>,
}

impl Given<'_> {
    fn value(&self, name: &str) -> Value {
        let given = self.given.and_then(|section| section.get(name)).cloned();
        let section = SECTIONS.iter().find(|section| section.name == self.section);
        let key = section.and_then(|section| section.keys.iter().find(|key| key.name == name));
        given.or_else(|| key.map(|key| key.default.value())).unwrap_or_default()
    }

    fn flag(&self, name: &str) -> bool {
        self.value(name).as_bool().unwrap_or_default()
    }

    fn whole(&self, name: &str) -> u64 {
        self.value(name).as_u64().unwrap_or_default()
    }

    fn size(&self, name: &str) -> usize {
        usize::try_from(self.whole(name)).unwrap_or(usize::MAX)
    }

    fn text(&self, name: &str) -> String {
        self.value(name).as_str().unwrap_or_default().to_owned()
    }

    fn texts(&self, name: &str) -> Vec<String> {
        let texts = self.value(name);
        let texts = texts.as_array().map(Vec::as_slice).unwrap_or_default();
        texts.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

fn failure(problems: &[Problem]) -> Failure {
    let first = problems.first();
    let path = first.map_or("", |problem| problem.path.as_str());
    let mut message = first.map(ToString::to_string).unwrap_or_default();
    if problems.len() > 1 {
        message.push_str(&format!(" (and {} more, see details.problems)", problems.len() - 1));
    }
    let hint = match first.and_then(|problem| problem.suggestion.as_deref()) {
        Some(suggestion) => format!("Did you mean `{suggestion}`?"),
        None => ErrorCode::PocketConfigInvalid.remedy().to_owned(),
    };
    Failure::new(ErrorCode::PocketConfigInvalid, message)
        .detail("path", path)
        .detail("problems", serde_json::to_value(problems).unwrap_or_default())
        .hint(hint)
}
