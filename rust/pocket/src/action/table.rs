//! The one table of the action types. Normalisation, tools, schema and documentation come from it.

use super::field::{Field, Kind};
use super::form::TEMPLATE;

/// The longest gesture: Android refuses to play a longer one.
pub const GESTURE_MS: u64 = 60_000;
/// The longest time in milliseconds, nearly 25 days: the most a 32-bit timer holds.
pub const LONGEST_MS: u64 = 2_147_483_647;
/// The same in seconds.
pub const LONGEST_SEC: u64 = LONGEST_MS / 1000;
/// More lines than any file here has, and no overflow when two are added.
const LAST_LINE: u64 = 4_294_967_295;
/// Shorter gestures are not reliably told from taps.
const SHORTEST_MOVE_MS: u64 = 100;
/// Shorter holds would not be long presses.
const SHORTEST_HOLD_MS: u64 = 120;

/// One type of action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActionType {
    /// The value of `type`.
    pub name: &'static str,
    /// The name of the tool a model calls for it.
    pub tool: &'static str,
    /// What it does, for the model and the documentation.
    pub about: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

/// The type of that name.
#[must_use]
pub fn action_type(name: &str) -> Option<&'static ActionType> {
    TYPES.iter().find(|of| of.name == name)
}

const fn of(name: &'static str, about: &'static str, fields: &'static [Field]) -> ActionType {
    ActionType { name, tool: name, about, fields }
}

const REASON: Field = Field::optional_text("reason", "Why this step is taken.");
const X1: Field = Field::number("x1", "Where it starts, from the left.");
const Y1: Field = Field::number("y1", "Where it starts, from the top.");
const X2: Field = Field::number("x2", "Where it ends, from the left.");
const Y2: Field = Field::number("y2", "Where it ends, from the top.");

const PROCESS_ACTIONS: &[&str] = &["list", "poll", "log", "write", "kill"];
const CAPABILITIES: &[&str] = &[
    "camera",
    "qr",
    "microphone",
    "voice",
    "nfc",
    "sms",
    "2fa",
    "location",
    "biometric",
    "notification",
    "contacts",
    "calendar",
    "files",
    "oauth",
    "payment",
    "permission",
    "unknown",
];

/// Every type, in the order of the schema.
pub const TYPES: &[ActionType] = &[
    of(
        "tap",
        "Tap a point of the screen.",
        &[
            Field::number("x", "From the left of the screenshot."),
            Field::number("y", "From the top of the screenshot."),
            REASON,
        ],
    ),
    of(
        "swipe",
        "Swipe from one point to another.",
        &[
            X1,
            Y1,
            X2,
            Y2,
            Field::whole("durationMs", (SHORTEST_MOVE_MS, 300, GESTURE_MS), "How long it takes."),
            REASON,
        ],
    ),
    of(
        "drag",
        "Drag from one point to another.",
        &[
            X1,
            Y1,
            X2,
            Y2,
            Field::whole("durationMs", (SHORTEST_MOVE_MS, 360, GESTURE_MS), "How long it takes."),
            REASON,
        ],
    ),
    of(
        "long_press_drag",
        "Press a point until it is picked up, then drag it to another.",
        &[
            X1,
            Y1,
            X2,
            Y2,
            // Both together are one gesture.
            Field::whole("holdMs", (SHORTEST_HOLD_MS, 450, GESTURE_MS / 2), "How long it presses."),
            Field::whole(
                "durationMs",
                (SHORTEST_MOVE_MS, 300, GESTURE_MS / 2),
                "How long it moves.",
            ),
            REASON,
        ],
    ),
    ActionType {
        tool: "type_text",
        ..of(
            "type",
            "Type text into the focused field.",
            &[Field::text("text", "", "What is typed."), REASON],
        )
    },
    of(
        "keyevent",
        "Press a key.",
        &[Field::text("keycode", "KEYCODE_ENTER", "Android's name of the key."), REASON],
    ),
    of(
        "launch_app",
        "Open an app.",
        &[Field::text("packageName", "", "Its package name."), REASON],
    ),
    of(
        "shell",
        "Run a command in the phone's shell.",
        &[Field::text("command", "", "The command."), REASON],
    ),
    of(
        "run_script",
        "Run a script on the computer, within limits.",
        &[
            Field::text("script", "", "The script, for bash."),
            Field::whole("timeoutSec", (1, 60, LONGEST_SEC), "When it is stopped."),
            REASON,
        ],
    ),
    of(
        "read",
        "Read lines of a file of the workspace.",
        &[
            Field::text("path", "", "The file."),
            Field::whole("from", (1, 1, LAST_LINE), "The first line."),
            Field::whole("lines", (1, 200, 1000), "How many lines."),
            REASON,
        ],
    ),
    of(
        "write",
        "Write a file of the workspace.",
        &[
            Field::text("path", "", "The file."),
            Field::text("content", "", "What it then holds."),
            Field::flag("append", "Whether to add to the file instead of replacing it."),
            REASON,
        ],
    ),
    of(
        "edit",
        "Replace text in a file of the workspace.",
        &[
            Field::text("path", "", "The file."),
            Field::text("find", "", "The text to replace."),
            Field::text("replace", "", "The text in its place."),
            Field::flag("replaceAll", "Whether to replace it everywhere."),
            REASON,
        ],
    ),
    of(
        "apply_patch",
        "Apply a patch to files of the workspace.",
        &[
            Field::text("input", "", "The patch, from `*** Begin Patch` to `*** End Patch`."),
            REASON,
        ],
    ),
    of(
        "exec",
        "Run a command on the computer, in the workspace.",
        &[
            Field::text("command", "", "The command, for bash."),
            Field::optional_text("workdir", "The folder it runs in."),
            Field::whole("yieldMs", (0, 0, LONGEST_MS), "Return after this time if it still runs."),
            Field::flag("background", "Whether to return at once."),
            Field::whole("timeoutSec", (1, 1800, LONGEST_SEC), "When it is stopped."),
            REASON,
        ],
    ),
    of(
        "process",
        "Look after the commands that run in the background.",
        &[
            Field::choice("action", PROCESS_ACTIONS, "list", "What to do."),
            Field::optional_text("sessionId", "Which command; all but `list` need it."),
            Field::optional_text("input", "What `write` sends."),
            Field::whole("offset", (0, 0, LAST_LINE), "The first line of `log`."),
            Field::whole("limit", (1, 200, 2000), "How many lines of `log`."),
            Field::whole("timeoutMs", (0, 0, 120_000), "How long `poll` waits for the end."),
            REASON,
        ],
    ),
    of(
        "memory_search",
        "Search the notes.",
        &[
            Field::text("query", "", "What to search for."),
            Field::whole("maxResults", (1, 6, 30), "How many results."),
            Field::ratio("minScore", 0.2, "How well they must match."),
            REASON,
        ],
    ),
    of(
        "memory_get",
        "Read lines of a note.",
        &[
            Field::text("path", "", "`MEMORY.md` or a file `memory/*.md`."),
            Field::whole("from", (1, 1, LAST_LINE), "The first line."),
            Field::whole("lines", (1, 120, 2000), "How many lines."),
            REASON,
        ],
    ),
    of(
        "request_human_auth",
        "Ask a person for what only a person has, and wait for the answer.",
        &[
            Field::choice("capability", CAPABILITIES, "unknown", "What is asked for."),
            Field::text(
                "instruction",
                "Human authorization is required to continue.",
                "What the person is to do.",
            )
            .or(&["reason"]),
            Field::whole("timeoutSec", (30, 300, LONGEST_SEC), "How long to wait."),
            REASON,
            Field::optional("uiTemplate", Kind::Object(TEMPLATE), "The form the person sees."),
            Field::trimmed("templatePath", "A file of the workspace with that form.")
                .or(&["templateFile"]),
        ],
    ),
    of(
        "wait",
        "Do nothing for a while.",
        &[Field::whole("durationMs", (0, 1000, LONGEST_MS), "How long."), REASON],
    ),
    of(
        "finish",
        "End the task as done.",
        &[Field::text("message", "Task finished.", "What was achieved.")],
    ),
];
