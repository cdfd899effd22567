//! The tables of the documentation, written from the tables of the code.

use clawperator_contract::action::{ACTIONS, ActionSpec, Field, HostNumber, Kind, Origin, Rule};
use clawperator_contract::aliases::{self, Aliases};
use clawperator_contract::codes::{Area, ErrorCode};
use clawperator_contract::envelope::{Envelope, StepData, StepResult};
use clawperator_contract::execution::{EXPECTED_FORMAT, Mode};
use clawperator_contract::limits::{self, Bounds};
use clawperator_contract::retry::Preset;
use clawperator_contract::wrapper::{Executed, Served};
use serde::Serialize;
use std::collections::BTreeMap;

use crate::help::{self, Entry};

/// A phone, in answers that are shown as they look.
const SERIAL: &str = "emulator-5554";

/// A section of a page: the name in its markers, and what stands between them.
pub(crate) type Section = (String, String);

/// Every generated section.
pub(crate) fn sections() -> Vec<Section> {
    let mut sections = vec![
        ("action-types".into(), action_types()),
        ("execution-keys".into(), execution_keys()),
        ("parameter-aliases".into(), alias_table(aliases::PARAMS)),
        ("execution-aliases".into(), alias_table(aliases::EXECUTION)),
        ("matcher-keys".into(), selector_keys(aliases::MATCHER)),
        ("where-keys".into(), selector_keys(aliases::SELECTOR)),
        ("retry-keys".into(), retry_keys()),
        ("retry-presets".into(), retry_presets()),
        ("limits".into(), limits_table()),
        ("answer-success".into(), block(&Executed::new(&success(), SERIAL).over("socket", false))),
        ("answer-http".into(), block(&Served::new(&success(), SERIAL))),
        ("envelope-failed-step".into(), block(&failed_step())),
        ("envelope-failed-whole".into(), block(&failed_whole())),
        ("steps-with-guaranteed-data".into(), block(&guaranteed())),
        ("http-routes".into(), http_routes()),
        ("mcp-tools".into(), mcp_tools()),
        ("http-statuses".into(), http_statuses()),
    ];
    let public = public_actions();
    sections.extend(public.map(|spec| (format!("parameters-{}", spec.name), parameters(spec))));
    sections.extend(command_line());
    sections
}

/// The tools of agents.
fn mcp_tools() -> String {
    let rows = clawperator_serve::mcp::table::TOOLS.iter().map(|tool| {
        let args = tool.args.iter().map(|arg| {
            if arg.required { format!("**`{}`**", arg.name) } else { format!("`{}`", arg.name) }
        });
        let hints = tool.hints;
        let does = match (hints.read_only, hints.destructive) {
            (true, _) => "looks",
            (false, false) => "moves",
            (false, true) => "acts",
        };
        let about = tool.about.replace('|', "\\|").replace('<', "&lt;");
        let name = format!("`{}`", tool.name);
        [name, does.to_owned(), args.collect::<Vec<_>>().join(" "), about]
    });
    table(["tool", "", "takes", "what the agent reads about it"], rows)
}

/// The routes of the server.
fn http_routes() -> String {
    let rows = clawperator_serve::http::summaries()
        .map(|(method, path, summary)| [format!("`{method} {path}`"), summary.to_owned()]);
    table(["route", "what it does"], rows)
}

/// The codes of each status.
fn http_statuses() -> String {
    let mut by_status: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for code in ErrorCode::ALL {
        let status = clawperator_serve::http::status::of(*code);
        by_status.entry(status).or_default().push(format!("`{code}`"));
    }
    let rows = by_status.into_iter().map(|(status, codes)| [status.to_string(), codes.join(", ")]);
    table(["status", "codes"], rows)
}

/// What can be typed, from the program's own help.
fn command_line() -> Vec<Section> {
    let of = |command: &str, wanted: &dyn Fn(&Entry) -> bool| {
        let entries = help::entries(&help::of(&[command]));
        flag_rows(entries.iter().filter(|entry| wanted(entry)), "")
    };
    let table = |rows| table(["flag", "what it is for"], rows);
    let mut sections: Vec<Section> = vec![
        ("flags-every-command".into(), table(of("version", &|e| e.heading == EVERY_COMMAND))),
        ("flags-node".into(), table(of("read", &|entry| names_a_node(entry)))),
        ("flags-container".into(), table(of("read", &|entry| names_a_container(entry)))),
        (
            "flags-label".into(),
            table(of("read-value", &|entry| entry.name().starts_with("--label"))),
        ),
    ];
    for (name, _) in help::commands(&help::of(&[])).iter().filter(|(name, _)| name != "help") {
        sections.push((format!("flags-{name}"), flags(name)));
    }
    sections
}

const EVERY_COMMAND: &str = "Every command";
/// What every command takes that becomes an execution.
const CHECKS: [&str; 2] = ["`--validate-only`", "`--dry-run`"];
/// What many commands take is told once.
const NODE: &str = "the flags that [name a node](selectors.md#a-node)";
const CONTAINER: &str = "those that [name a container](selectors.md#a-container)";

fn names_a_node(entry: &Entry) -> bool {
    entry.heading == "Which node"
        && ["text", "text-contains", "id", "desc", "desc-contains", "role", "selector", "ref"]
            .iter()
            .any(|flag| entry.name().strip_prefix("--") == Some(flag))
}

fn names_a_container(entry: &Entry) -> bool {
    entry.name().starts_with("--container-")
}

/// What one command takes, without what many take.
fn flags(command: &str) -> String {
    let help = help::of(&[command]);
    let below = help::commands(&help);
    let mut rows = Vec::new();
    let mut others = Vec::new();
    let mut add = |entries: Vec<Entry>, prefix: &str| {
        let own = |entry: &&Entry| {
            let shared = match entry.name() {
                _ if names_a_node(entry) => Some(NODE),
                _ if names_a_container(entry) => Some(CONTAINER),
                // Below a command the same word means something of that command's own.
                _ if !prefix.is_empty() => None,
                name => CHECKS.into_iter().find(|check| *check == format!("`{name}`")),
            };
            others.extend(shared.filter(|words| !others.contains(words)));
            shared.is_none() && entry.heading != EVERY_COMMAND
        };
        let own: Vec<&Entry> = entries.iter().filter(own).collect();
        rows.extend(flag_rows(own.into_iter(), prefix));
    };
    add(help::entries(&help), "");
    for (name, about) in below.iter().filter(|(name, _)| name != "help") {
        let (named, flags): (Vec<_>, Vec<_>) = help::entries(&help::of(&[command, name]))
            .into_iter()
            .partition(|entry| entry.heading == "Arguments");
        let usage = named.iter().fold(name.clone(), |usage, one| format!("{usage} {}", one.usage));
        add(vec![Entry { usage, about: about.clone(), ..Entry::default() }], "");
        add(flags, &format!("{name} "));
    }
    let mut text = String::new();
    if !rows.is_empty() {
        text += &table(["takes", "what it is for"], rows);
    }
    if let [first, between @ ..] = others.as_slice() {
        let mut list = (*first).to_owned();
        for (at, words) in between.iter().enumerate() {
            list += if at + 1 == between.len() { " and " } else { ", " };
            list += words;
        }
        let begin = if text.is_empty() { "It takes" } else { "\nAlso" };
        text += &format!("{begin} {list}.\n");
    }
    if text.is_empty() { "It takes nothing of its own.\n".into() } else { text }
}

fn flag_rows<'a>(entries: impl Iterator<Item = &'a Entry>, prefix: &str) -> Vec<[String; 2]> {
    let row = |entry: &Entry| {
        let mut about = entry.about.clone();
        let mut more = |words: String| about += &format!("; {words}");
        let list = |words: &[String]| {
            code_list(&words.iter().map(String::as_str).collect::<Vec<_>>(), ", ")
        };
        if !entry.values.is_empty() {
            more(list(&entry.values));
        }
        if let Some(default) = entry.default.as_ref() {
            more(format!("without it `{default}`"));
        }
        if !entry.aliases.is_empty() {
            more(format!("also {}", list(&entry.aliases)));
        }
        [format!("`{prefix}{}`", entry.usage), about]
    };
    entries.map(row).collect()
}

/// The whole of `docs/errors.md`.
pub(crate) fn errors_page() -> String {
    let mut page = String::from(
        "<!-- Written by UPDATE_DOCS=1 cargo test -p clawperator --test generated_docs -->\n\
         # Error codes\n\n\
         Every failure has a stable code. Branch on the code; the message is for people and may \
         change.\n\n\
         A failure of the host is an object with `code`, `message` and often `details` and \
         `hint`. A failure on the phone is in the [envelope](reference/api.md#the-envelope): \
         codes of the area *Execution* in `errorCode`, codes of *Step* and *Recording* in the \
         failed step's `data.error`.\n\n\
         `clawperator explain CODE` prints one row of this page, `clawperator explain` all of \
         them. The list covers the whole contract, so some rows speak of commands and surfaces \
         that this version does not have yet.\n",
    );
    for area in Area::ALL {
        let codes = ErrorCode::ALL.iter().filter(|code| code.area() == area);
        let rows =
            codes.map(|code| [format!("`{code}`"), code.meaning().into(), code.remedy().into()]);
        page += &format!("\n## {}\n\n", area.title());
        page += &table(["code", "what happened", "what to do"], rows);
    }
    page
}

fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&head.map(str::to_owned));
    text += &line(&head.map(|_| "---".to_owned()));
    for row in rows {
        // A bar would end the cell.
        text += &line(&row.map(|cell| cell.replace('|', "\\|")));
    }
    text
}

fn code_list(words: &[&str], between: &str) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(between)
}

fn public_actions() -> impl Iterator<Item = &'static ActionSpec> {
    ACTIONS.iter().filter(|spec| spec.origin != Origin::Internal)
}

fn extension(origin: Origin) -> &'static str {
    if origin == Origin::Extension { " (extension)" } else { "" }
}

fn action_types() -> String {
    let rows = public_actions().map(|spec| {
        let name = spec.name;
        [
            format!("[`{name}`](#{name}){}", extension(spec.origin)),
            code_list(spec.aliases, ", "),
            spec.summary.to_owned(),
        ]
    });
    table(["type", "aliases", "what it does"], rows)
}

fn execution_keys() -> String {
    let text = |max: usize| format!("text, not blank, at most {max} characters");
    let id = text(limits::MAX_ID_LENGTH);
    let modes = [Mode::Direct, Mode::ArtifactCompiled].map(|mode| format!("`\"{}\"`", mode.name()));
    let rows = [
        ("commandId", id.clone(), "your id for this run; the envelope carries it"),
        ("taskId", id, "your id for the task it belongs to; the envelope carries it"),
        ("source", text(limits::MAX_SOURCE_LENGTH), "who is asking"),
        ("expectedFormat", format!("`\"{EXPECTED_FORMAT}\"`"), "always this"),
        (
            "timeoutMs",
            format!("number, {}", range(limits::TIMEOUT_MS)),
            "time for the whole execution, waiting for its turn included",
        ),
        (
            "actions",
            format!("array of 1 to {} [actions](actions.md)", limits::MAX_ACTIONS),
            "what to do, in order",
        ),
        ("mode", modes.join(" or "), "optional: written by the caller, or compiled from a skill"),
    ];
    let rows = rows.map(|(key, takes, note)| [format!("`{key}`"), takes, note.into()]);
    table(["key", "takes", "what it is"], rows)
}

fn alias_table(aliases: &[Aliases]) -> String {
    let rows = aliases.iter().map(|(key, others)| [format!("`{key}`"), code_list(others, ", ")]);
    table(["key", "also accepted"], rows)
}

fn parameters(spec: &ActionSpec) -> String {
    let rows = spec.fields.iter().map(|field| {
        [
            format!("`{}`{}", field.key, extension(field.origin)),
            takes(field),
            without(field),
            field.note.to_owned(),
        ]
    });
    let mut text = table(["parameter", "takes", "without it", "what it is for"], rows);
    for (index, rule) in spec.rules.iter().enumerate() {
        text += if index == 0 { "\n" } else { "" };
        text += &format!("- {}\n", rule_text(*rule));
    }
    text
}

fn takes(field: &Field) -> String {
    let longest = |max: usize| format!("at most {max} characters");
    match field.kind {
        Kind::Matcher => "[matcher](selectors.md#matchers)".into(),
        Kind::Selector => "[selector](selectors.md#where)".into(),
        Kind::NodeRef => "[reference](selectors.md#ref) such as `n12@57`".into(),
        Kind::Coordinate => "`{\"x\": …, \"y\": …}`, whole pixels >= 0".into(),
        Kind::Strokes => {
            let (strokes, points) = (limits::MAX_STROKES, limits::MAX_STROKE_POINTS);
            format!("array of 1 to {strokes} strokes, each an array of 1 to {points} points")
        }
        Kind::Retry(_) => "[retry object](#retry-objects)".into(),
        Kind::Flag(_) => "`true` or `false`".into(),
        Kind::Text { host_max: Some(max), .. } => format!("text, not blank, {}", longest(max)),
        Kind::Text { phone_max: Some(max), .. } => {
            format!("text, not blank; the phone takes {}", longest(max))
        }
        Kind::Text { .. } => "text, not blank".into(),
        Kind::Word { values } => {
            format!("text; the phone knows {}, in any case", code_list(values, ", "))
        }
        Kind::Pattern => {
            format!("regular expression, {}", longest(limits::MAX_MATCHER_VALUE_LENGTH))
        }
        Kind::Choice { values, any_case } => {
            let case = if any_case { ", in any case" } else { "" };
            format!("one of {}{case}", code_list(values, ", "))
        }
        Kind::Number { host, whole, phone, .. } => {
            let number = if whole { "whole number" } else { "number" };
            match host {
                HostNumber::Any => format!("{number}; the phone clamps it to {}", range(phone)),
                HostNumber::Within(bounds) => format!("{number}, {}", range(bounds)),
                HostNumber::AboveZeroTo(max) => format!("{number} above 0, at most {max}"),
            }
        }
    }
}

fn without(field: &Field) -> String {
    if field.required {
        return "**required**".into();
    }
    match field.kind {
        Kind::Retry(preset) => format!("[{}](#retry-presets)", preset.name()),
        Kind::Flag(on) => format!("`{on}`"),
        Kind::Number { default: Some(number), .. } => format!("{number}"),
        // The phone falls back on the first word.
        Kind::Choice { values, .. } => format!("`{}`", values[0]),
        Kind::Word { values } if values.contains(&"default") => format!("`{}`", values[0]),
        _ => "–".into(),
    }
}

fn range(bounds: Bounds) -> String {
    format!("{}..{}", bounds.min, bounds.max)
}

fn rule_text(rule: Rule) -> String {
    match rule {
        Rule::ExactlyOne(keys) => format!("Exactly one of {}.", code_list(keys, ", ")),
        Rule::AtMostOne(keys) => format!("At most one of {}.", code_list(keys, ", ")),
        Rule::AtLeastOne(keys) => format!("At least one of {}.", code_list(keys, ", ")),
        Rule::ClickAfterNeeds(keys) => {
            format!("`clickAfter: true` needs {}.", code_list(keys, " or "))
        }
        Rule::FocusNeedsNode => "`clickType: \"focus\"` needs a node, not a `coordinate`.".into(),
        Rule::RegexNeedsPattern => "`validator: \"regex\"` needs `validatorPattern`.".into(),
    }
}

fn selector_keys(keys: &[Aliases]) -> String {
    let rows = keys
        .iter()
        .map(|(key, others)| [format!("`{key}`"), code_list(others, ", "), holds_when(key).into()]);
    table(["key", "also accepted", "holds when"], rows)
}

/// What a key of a selector asks of a node.
fn holds_when(key: &str) -> &'static str {
    match key {
        "resourceId" => "the resource id is this, letter by letter",
        "role" => "the [role](#roles) is this, in any case",
        "textEquals" => "the label is this, letter by letter",
        "textContains" => "the label contains this, in any case",
        "contentDescEquals" => "the content description is this, letter by letter",
        "contentDescContains" => "the content description contains this, in any case",
        "class" => "the class name is this, letter by letter",
        "clickable" => {
            "the node can be clicked, itself or through a node around it, or with `false` cannot"
        }
        "enabled" => "the node is enabled, or with `false` is not",
        "selected" => "the node is selected, or with `false` is not",
        "indexInParent" => "it is this child of its parent, counted from 0",
        "anyOf" => "at least one selector of this array holds",
        "allOf" => "every selector of this array holds",
        other => panic!("say in tests/support/tables.rs what \"{other}\" asks of a node"),
    }
}

fn retry_keys() -> String {
    let clamps = [
        ("maxAttempts", "attempts, the first one included", limits::RETRY_ATTEMPTS, "1"),
        ("initialDelayMs", "delay before the second attempt", limits::RETRY_INITIAL_DELAY_MS, "0"),
        (
            "maxDelayMs",
            "longest delay; never below `initialDelayMs`",
            limits::RETRY_MAX_DELAY_MS,
            "`initialDelayMs`",
        ),
        ("backoffMultiplier", "factor from one delay to the next", limits::RETRY_MULTIPLIER, "1"),
        ("jitterRatio", "part by which a delay may stray", limits::RETRY_JITTER, "0"),
    ];
    assert!(clamps.iter().map(|row| row.0).eq(aliases::RETRY.iter().map(|row| row.0)));
    let rows =
        clamps.iter().zip(aliases::RETRY).map(|((key, note, bounds, absent), (_, others))| {
            let key = format!("`{key}`");
            [key, code_list(others, ", "), (*note).into(), range(*bounds), (*absent).into()]
        });
    table(["key", "also accepted", "what it is", "clamped to", "without it"], rows)
}

fn retry_presets() -> String {
    let presets =
        [Preset::UiReadiness, Preset::UiScroll, Preset::AppLaunch, Preset::AppClose, Preset::None];
    let rows = presets.map(|preset| {
        let policy = preset.policy();
        let ms = |time: std::time::Duration| format!("{} ms", time.as_millis());
        let (first, cap) = (ms(policy.initial_delay), ms(policy.max_delay));
        let mut row = [preset.name().to_owned(), policy.max_attempts.to_string(), first, cap]
            .into_iter()
            .chain([policy.multiplier.to_string(), policy.jitter.to_string()]);
        let row: [String; 6] = std::array::from_fn(|_| row.next().unwrap());
        let once = policy.max_attempts == 1;
        std::array::from_fn(|at| if once && at > 1 { "–".into() } else { row[at].clone() })
    });
    let head = ["preset", "attempts", "first delay", "longest delay", "multiplier", "jitter"];
    table::<6>(head, rows)
}

fn limits_table() -> String {
    let same = |text: String| (text.clone(), text);
    let up_to = |number: usize, unit: &str| same(format!("at most {number} {unit}"));
    let id = limits::MAX_ID_LENGTH;
    let rows = [
        (
            "actions",
            (format!("1..{}", limits::MAX_ACTIONS), format!("1..{}", limits::MAX_ACTIONS_ON_PHONE)),
        ),
        ("canonical execution, without spaces", up_to(limits::MAX_PAYLOAD_BYTES, "bytes")),
        (
            "payload as it was written",
            (format!("at most {} bytes", limits::MAX_INPUT_BYTES), "–".into()),
        ),
        (
            "`timeoutMs`",
            (
                range(limits::TIMEOUT_MS),
                format!(
                    "clamped to {}; {} without it",
                    range(limits::TIMEOUT_MS),
                    limits::DEFAULT_TIMEOUT_MS
                ),
            ),
        ),
        ("`commandId`, `taskId`, an action's `id`", up_to(id, "characters")),
        ("`source`", up_to(limits::MAX_SOURCE_LENGTH, "characters")),
        (
            "a value of a matcher or selector, `validatorPattern`, `expectedPackage`",
            up_to(limits::MAX_MATCHER_VALUE_LENGTH, "characters"),
        ),
        (
            "`applicationId`",
            ("–".into(), format!("at most {} characters", limits::MAX_MATCHER_VALUE_LENGTH)),
        ),
        ("`sessionId`", ("–".into(), format!("at most {id} characters"))),
        ("`uri`", up_to(limits::MAX_URI_LENGTH, "characters")),
        (
            "`enter_text.text`",
            ("–".into(), format!("at most {} characters", limits::MAX_ENTERED_TEXT_LENGTH)),
        ),
        ("nesting of a `where`", up_to(limits::MAX_SELECTOR_DEPTH, "levels")),
        ("selectors in one `where`", up_to(limits::MAX_SELECTOR_PARTS, "in all")),
        ("strokes of a `gesture`", same(format!("1..{}", limits::MAX_STROKES))),
        ("points of a stroke", same(format!("1..{}", limits::MAX_STROKE_POINTS))),
        (
            "time of a point",
            (
                format!("at most {} ms", limits::MAX_GESTURE_MS),
                format!("clamped to {} ms", limits::MAX_GESTURE_MS),
            ),
        ),
    ];
    table(["what", "host", "phone"], rows.map(|(what, (host, phone))| [what.into(), host, phone]))
}

fn data(pairs: &[(&str, &str)]) -> StepData {
    pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

const HIERARCHY: &str = "<hierarchy rotation=\"0\">...</hierarchy>";

fn success() -> Envelope {
    let step = StepResult::success("snap-1", "snapshot_ui", data(&[("text", HIERARCHY)]));
    Envelope::of_steps("cmd-001", "task-001", vec![step])
}

fn failed_step() -> Envelope {
    let message = "no node with text \"Wi-Fi\" is on the screen";
    let opened = data(&[("application_id", "com.android.settings")]);
    let steps = vec![
        StepResult::success("open-1", "open_app", opened),
        StepResult::failure("click-1", "click", ErrorCode::NodeNotFound, message),
    ];
    Envelope::of_steps("cmd-001", "task-001", steps)
}

fn failed_whole() -> Envelope {
    let code = ErrorCode::ServiceUnavailable;
    let error = "Accessibility service is not available";
    Envelope::failed("cmd-001", "task-001", vec![], code, error)
}

fn guaranteed() -> Vec<StepResult> {
    let warn = "snapshot captured without a preceding sleep step; UI may not have settled - consider adding a sleep step between click and snapshot_ui";
    vec![
        StepResult::success("snap-1", "snapshot_ui", data(&[("text", HIERARCHY), ("warn", warn)])),
        StepResult::success("shot-1", "take_screenshot", data(&[("path", "/tmp/settings.png")])),
        StepResult::success(
            "close-1",
            "close_app",
            data(&[("application_id", "com.android.settings")]),
        ),
    ]
}

fn block(value: &impl Serialize) -> String {
    format!("```text\n{}\n```\n", serde_json::to_string_pretty(value).unwrap())
}
