//! Every setting, once: reading, the defaults and the page come from here.

use crate::shell_words::{EXEC_COMMANDS, SCRIPT_COMMANDS};
use serde_json::{Value, json};

/// Settings that belong together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// Its key in the file.
    pub name: &'static str,
    /// Its settings.
    pub keys: &'static [Key],
}

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Its key in the section.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What it is when the file does not say.
    pub default: Default,
    /// What it does.
    pub about: &'static str,
}

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// true or false.
    Flag,
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// A number from 0 to 1.
    Ratio,
    /// A text, or null for none.
    TextOrNull,
    /// The name of a host or an address of one.
    Host,
    /// The address of a web server, or an empty text for none.
    Url,
    /// The name of a variable of the environment.
    Variable,
    /// A list of programs.
    Programs,
}

impl Takes {
    /// The same in words, for messages and the page.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Flag => "true or false".into(),
            Self::Whole(min, max) => format!("a whole number from {min} to {max}"),
            Self::Ratio => "a number from 0 to 1".into(),
            Self::TextOrNull => "a text, or null".into(),
            Self::Host => "the name or the address of a host".into(),
            Self::Url => "an address that begins with http:// or https://, or an empty text".into(),
            Self::Variable => "the name of a variable of the environment".into(),
            Self::Programs => "a list of at least one program's name; \"*\" is all of them".into(),
        }
    }
}

/// A default, as the table can hold it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the kinds of JSON")]
pub enum Default {
    Null,
    Flag(bool),
    Whole(u64),
    Number(f64),
    Text(&'static str),
    Texts(&'static [&'static str]),
}

impl Default {
    /// The default in JSON.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Flag(flag) => json!(flag),
            Self::Whole(number) => json!(number),
            Self::Number(number) => json!(number),
            Self::Text(text) => json!(text),
            Self::Texts(texts) => json!(texts),
        }
    }
}

const fn flag(name: &'static str, default: bool, about: &'static str) -> Key {
    Key { name, takes: Takes::Flag, default: Default::Flag(default), about }
}

const fn whole(
    name: &'static str,
    (min, default, max): (u64, u64, u64),
    about: &'static str,
) -> Key {
    Key { name, takes: Takes::Whole(min, max), default: Default::Whole(default), about }
}

const fn text(name: &'static str, takes: Takes, default: &'static str, about: &'static str) -> Key {
    Key { name, takes, default: Default::Text(default), about }
}

const fn programs(default: &'static [&'static str], about: &'static str) -> Key {
    let default = Default::Texts(default);
    Key { name: "allowedCommands", takes: Takes::Programs, default, about }
}

/// A timer of more than 2,147,483 s overflows in programs that count milliseconds in 31 bits.
const LONGEST_SEC: u64 = 2_147_483;
/// More than a model reads of one answer.
const LONGEST_OUTPUT: u64 = 1_000_000;

/// All settings.
pub const SECTIONS: &[Section] = &[
    Section {
        name: "agent",
        keys: &[
            whole("maxSteps", (1, 100, 100_000), "How many steps a session may do."),
            flag("returnHomeOnTaskEnd", true, "Whether the phone goes home at the end."),
            Key {
                name: "deviceId",
                takes: Takes::TextOrNull,
                default: Default::Null,
                about: "The phone; null is the one that is connected.",
            },
        ],
    },
    Section {
        name: "screenshots",
        keys: &[
            flag("saveStepScreenshots", true, "Whether the screen of each step is kept."),
            whole("maxCount", (20, 400, 100_000), "How many are kept; older ones are removed."),
        ],
    },
    Section {
        name: "scriptExecutor",
        keys: &[
            flag("enabled", true, "Whether `run_script` runs anything."),
            whole(
                "timeoutSec",
                (1, 60, LONGEST_SEC),
                "A script's time when the action gives none.",
            ),
            whole(
                "maxOutputChars",
                (1000, 6000, LONGEST_OUTPUT),
                "How much of each output a model is shown.",
            ),
            programs(&SCRIPT_COMMANDS, "What scripts may run."),
        ],
    },
    Section {
        name: "codingTools",
        keys: &[
            flag(
                "enabled",
                true,
                "Whether `read`, `write`, `edit`, `apply_patch`, `exec` and `process` do anything.",
            ),
            flag(
                "workspaceOnly",
                true,
                "Whether their paths stay inside the workspace. It does not confine what a \
                 command of `exec` does.",
            ),
            flag(
                "allowBackground",
                true,
                "Whether `exec` may leave a command running; if not, it waits for the end.",
            ),
            flag("applyPatchEnabled", true, "Whether `apply_patch` does anything."),
            whole(
                "timeoutSec",
                (1, 1800, LONGEST_SEC),
                "A command's time when the action gives none.",
            ),
            whole(
                "maxOutputChars",
                (1000, 12_000, LONGEST_OUTPUT),
                "How much of the output a model is shown; twelve times that, at least 48,000 \
                 bytes, are kept.",
            ),
            programs(&EXEC_COMMANDS, "What `exec` may run."),
        ],
    },
    Section {
        name: "memoryTools",
        keys: &[
            flag("enabled", true, "Whether `memory_search` and `memory_get` do anything."),
            whole("maxResults", (1, 6, 30), "How many results when the action does not say."),
            Key {
                name: "minScore",
                takes: Takes::Ratio,
                default: Default::Number(0.2),
                about: "How well they must match when the action does not say.",
            },
            whole("maxSnippetChars", (200, 1200, 8000), "How much of a note a result shows."),
        ],
    },
    Section {
        name: "humanAuth",
        keys: &[
            flag("enabled", false, "Whether `request_human_auth` asks anybody."),
            flag("useLocalRelay", true, "Whether this program itself serves the page."),
            text("localRelayHost", Takes::Host, "127.0.0.1", "Where it listens."),
            whole("localRelayPort", (0, 8787, 65_535), "At which port; 0 is any free one."),
            text(
                "relayBaseUrl",
                Takes::Url,
                "",
                "The relay to ask when the local one is not used.",
            ),
            text(
                "publicBaseUrl",
                Takes::Url,
                "",
                "How a person's browser reaches the local relay.",
            ),
            whole(
                "requestTimeoutSec",
                (30, 300, LONGEST_SEC),
                "The longest a person is waited for.",
            ),
            whole(
                "pollIntervalMs",
                (500, 2000, 60_000),
                "How often a relay without events is asked.",
            ),
            text(
                "apiKeyEnv",
                Takes::Variable,
                "OPENPOCKET_HUMAN_AUTH_KEY",
                "The variable that holds the relay's key.",
            ),
        ],
    },
];

/// Settings of the original that would have no effect here, and why: a key that does nothing is
/// refused rather than believed.
pub const LEFT_OUT: &[(&str, &str)] = &[
    ("agent.autoArtifactsEnabled", "no skills are written by the way"),
    ("agent.contextBudgetChars", "the model is the agent's own affair"),
    ("agent.lang", "the model is the agent's own affair"),
    ("agent.legacyCodingExecutor", "there is one executor"),
    ("agent.loopDelayMs", "the phone says when its screen is quiet, so no step waits by the clock"),
    ("agent.progressReportInterval", "every step is answered"),
    ("agent.runtimeBackend", "there is one"),
    ("agent.systemPromptMode", "the model is the agent's own affair"),
    ("agent.verbose", "the log has its own settings"),
    ("channels", "this program has no chat"),
    ("cron", "this program keeps no timetable"),
    ("dashboard", "this program has none"),
    ("defaultModel", "the model is the agent's own affair"),
    ("emulator", "`clawperator emulator` has flags for that"),
    ("gatewayLogging", "the log has its own settings"),
    ("heartbeat", "a session has no process beside it"),
    (
        "humanAuth.apiKey",
        "a file of settings is no place for a key; name a variable in `apiKeyEnv`",
    ),
    ("humanAuth.localRelayStateFile", "requests are kept in memory only"),
    ("humanAuth.tunnel", "start a tunnel beside it and give its address in `publicBaseUrl`"),
    ("models", "the model is the agent's own affair"),
    ("projectName", "it changes nothing"),
    ("screenshots.directory", "they are kept with the session"),
    ("sessionStorage", "a session is kept in one form"),
    ("stateDir", "the session is told its folder when it starts"),
    ("target", "the phone is named by `agent.deviceId`; its lock is left to its owner"),
    ("telegram", "this program has no chat"),
    ("workspaceDir", "the session is told its workspace when it starts"),
];
