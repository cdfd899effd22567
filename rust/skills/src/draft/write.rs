//! The document of a draft.

use super::Recorded;
use super::inputs::Inputs;
use super::snapshot::Query;
use super::steps::{Drafted, Whole};
use crate::recipe::words::{Annotation, Capability};
use std::fmt::Write as _;

/// How the number in a text is found.
const NUMBER: &str = r"(-?[0-9]+(?:\.[0-9]+)?)";

/// What nobody knows from a recording.
const UNKNOWN: [&str; 2] = [
    "Check: a recording does not say which version of the app and of Android it was made on. Fill in app_build and tested_on.",
    "Check: this is a draft from one recording. What differs between accounts, languages and phones was not seen.",
];

/// Classes that only one framework has.
const FRAMEWORKS: [(&str, &str); 5] = [
    ("views", "androidx.recyclerview."),
    ("views", "androidx.appcompat."),
    ("compose", "androidx.compose."),
    ("react-native", "com.facebook.react."),
    ("flutter", "io.flutter."),
];

/// All of it, for a recipe of this id and a recording of this name.
pub(super) fn document(
    (id, name): (&str, &str),
    app: &str,
    recorded: &Recorded,
    whole: &Whole,
) -> String {
    let changes = whole.steps.iter().any(|step| step.effect == Some("change"));
    let summary = format!("Does again what was done in the recording {name}.");
    let mut text = String::from("---\n");
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key}: {}", yaml(value));
    };
    line("recipe_id", id);
    line("recipe_version", "0.1.0");
    line("recipe_type", if changes { "action" } else { "flow" });
    line("application_id", app);
    line("summary", &summary);
    list(&mut text, "frameworks", &frameworks(recorded));
    text += "session_policy: fresh\n";
    text += "app_build:\n  version_name: unknown\n  version_code: 0\n";
    text += "tested_on:\n  android_api: 0\n";
    let capabilities: Vec<_> = capabilities(whole).iter().map(ToString::to_string).collect();
    list(&mut text, "capabilities", &capabilities);
    text += if whole.inputs.all.is_empty() { "inputs: []\n" } else { "inputs:\n" };
    for (name, _) in &whole.inputs.all {
        let _ = writeln!(text, "  - name: {name}\n    type: string\n    required: true");
        text += "    default: \"\"\n";
    }
    text += if whole.outputs.is_empty() { "outputs: []\n" } else { "outputs:\n" };
    for (name, step, number) in &whole.outputs {
        let kind = if *number { "number" } else { "string" };
        let _ = writeln!(text, "  - name: {name}\n    type: {kind}\n    from: {step}");
        if *number {
            let _ = writeln!(text, "    pattern: '{NUMBER}'");
        }
    }
    list(&mut text, "known_quirks", &UNKNOWN.map(str::to_owned));
    let _ = writeln!(text, "---\n\n# {}", plain(&summary));
    for note in &whole.notes {
        let _ = write!(text, "\n{}\n", plain(note));
    }
    for (index, drafted) in whole.steps.iter().enumerate() {
        step(&mut text, index + 1, drafted, &whole.inputs);
    }
    text
}

fn list(text: &mut String, key: &str, items: &[String]) {
    let _ = writeln!(text, "{key}:");
    for item in items {
        let _ = writeln!(text, "  - {}", yaml(item));
    }
}

fn frameworks(recorded: &Recorded) -> Vec<String> {
    let screens = || recorded.acts.iter().flat_map(|act| &act.screens);
    let has = |class: &str| screens().any(|xml| xml.contains(&format!("class=\"{class}")));
    let mut found: Vec<String> = Vec::new();
    for (name, class) in FRAMEWORKS {
        if has(class) && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    }
    if found.is_empty() { vec!["unknown".to_owned()] } else { found }
}

/// What the steps and the session do, and nothing else.
fn capabilities(whole: &Whole) -> Vec<Capability> {
    let any = |holds: &dyn Fn(&Drafted) -> bool| whole.steps.iter().any(holds);
    let long = |step: &Drafted| step.params.iter().any(|(key, _)| *key == "clickType");
    let clicks = |step: &Drafted| matches!(step.kind, "click" | "scroll_and_click");
    let does = [
        (Capability::Observe, any(&|step| matches!(step.kind, "wait_for_node" | "read_text"))),
        (Capability::Navigate, true),
        (Capability::Click, any(&|step| clicks(step) && !long(step))),
        (Capability::LongClick, any(&|step| clicks(step) && long(step))),
        (Capability::Toggle, any(&|step| step.toggles)),
    ];
    does.into_iter().filter(|(_, does)| *does).map(|(capability, _)| capability).collect()
}

fn step(text: &mut String, number: usize, step: &Drafted, inputs: &Inputs) {
    let _ = write!(text, "\n## Step {number}: {}\n", plain(&step.title));
    for paragraph in &step.prose {
        let _ = write!(text, "\n{}\n", plain(paragraph));
    }
    if step.candidates.len() > 1 {
        text.push_str("\n| rank | selector | why |\n| --- | --- | --- |\n");
        for (index, (query, leads, why)) in step.candidates.iter().enumerate() {
            let rank = match (index, leads) {
                (0, _) => "1, used".to_owned(),
                (_, true) => (index + 1).to_string(),
                (_, false) => "not usable".to_owned(),
            };
            let _ = writeln!(text, "| {rank} | {} | {} |", cell(query, inputs), plain(why));
        }
    }
    text.push_str("\n```yaml\n");
    let _ = writeln!(text, "id: {}\ntype: {}", step.id, step.kind);
    if let Some(effect) = step.effect {
        let _ = writeln!(text, "effect: {effect}");
    }
    if let Some(verified) = &step.verifies {
        let _ = writeln!(text, "verifies: {verified}");
    }
    if step.optional {
        text.push_str("optional: true\n");
    }
    if let Some(query) = &step.selector {
        block(text, "selector", query, inputs, 0);
    }
    if let Some(query) = &step.container {
        block(text, "container", query, inputs, 0);
    }
    if !step.params.is_empty() {
        text.push_str("params:\n");
        for (key, value) in &step.params {
            let _ = writeln!(text, "  {key}: {}", yaml(value));
        }
    }
    if let Some((query, container, pattern)) = &step.confirm {
        text.push_str("confirm:\n");
        block(text, "selector", query, inputs, 2);
        if let Some(query) = container {
            block(text, "container", query, inputs, 2);
        }
        if let Some(pattern) = pattern {
            let _ = writeln!(text, "  text_matches: {}", yaml(pattern));
        }
    }
    text.push_str("```\n");
    for paragraph in &step.after {
        let _ = write!(text, "\n{}\n", plain(paragraph));
    }
}

/// The keys of a selector with their values as they are written, and what they are made of.
fn keys(query: &Query, inputs: &Inputs) -> (Vec<(&'static str, String)>, Annotation) {
    let texts = [
        ("resource_id", &query.resource_id),
        ("class", &query.class),
        ("text_equals", &query.text_equals),
        ("text_contains", &query.text_contains),
        ("content_desc_contains", &query.content_desc_contains),
    ];
    let mut annotation = Annotation::Structural;
    let mut keys = Vec::new();
    for (key, value) in texts {
        let Some(value) = value else { continue };
        let (written, made_of) = match key {
            // Names the app's makers gave hold nothing of its users.
            "resource_id" | "class" => (value.replace("${", "$${"), Annotation::Structural),
            _ => inputs.written(value),
        };
        annotation = annotation.max(made_of);
        keys.push((key, yaml(&written)));
    }
    keys.extend(query.index_in_parent.map(|index| ("index_in_parent", index.to_string())));
    (keys, annotation)
}

fn block(text: &mut String, name: &str, query: &Query, inputs: &Inputs, indent: usize) {
    let (keys, annotation) = keys(query, inputs);
    let _ = writeln!(text, "{:indent$}{name}:", "");
    for (key, value) in keys {
        let _ = writeln!(text, "{:indent$}  {key}: {value}", "");
    }
    let _ = writeln!(text, "{:indent$}  annotation: {annotation}", "");
}

/// A selector in one cell of a table.
fn cell(query: &Query, inputs: &Inputs) -> String {
    let (keys, _) = keys(query, inputs);
    let keys: Vec<_> = keys.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
    // No sign in it may end the cell or the code.
    format!("`{}`", keys.join(", ").replace('`', "'").replace('|', "\\|"))
}

/// A text as a value of YAML: as it is where nobody can take it for something else.
fn yaml(text: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || "_./ -".contains(c);
    let id = text.replacen(":id/", "/", 1);
    let simple = id.chars().all(word)
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
            .contains(&text.to_ascii_lowercase().as_str());
    if simple
        || text.strip_prefix("${inputs.").is_some_and(|rest| rest.find('}') == Some(rest.len() - 1))
    {
        return text.to_owned();
    }
    serde_json::Value::from(text).to_string()
}

/// A text of the screen inside a sentence: what Markdown would take for its own signs is escaped.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            '\n' | '\r' | '\t' => plain.push(' '),
            '\\' | '*' | '[' | ']' | '<' | '>' | '|' | '#' => {
                plain.push('\\');
                plain.push(letter);
            }
            _ => plain.push(letter),
        }
    }
    plain
}
