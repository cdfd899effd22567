//! The frontmatter.

use super::model::{AppBuild, Compatibility, Input, Output, Recipe};
use super::reader::{Keys, Reader, Rule};
use super::text::is_name;
use super::words::{Redaction, RiskLevel, SessionPolicy, ValueType, Word};
use crate::problem::Place;
use clawperator_contract::limits::TIMEOUT_MS;
use clawperator_tree::{Node, Tree};
use regex_lite::Regex;
use std::collections::BTreeSet;

/// Time for a recipe that asks for none.
const TIMEOUT: u64 = 60_000;

/// Reads all of it; `None` where something is missing or wrong.
pub(super) fn read(tree: &Tree, reader: &mut Reader<'_>) -> Option<Recipe> {
    let mut keys = reader.keys(tree, "the frontmatter", Rule::Frontmatter)?;
    // Each is read even if one before it is wrong: a person wants to hear of all at once.
    let id = required_text(&mut keys, "recipe_id", reader);
    let version = version(&mut keys, reader);
    let kind = keys
        .need("recipe_type", reader)
        .and_then(|tree| reader.word(tree, "recipe_type", Rule::Taxonomy));
    let application_id = package(&mut keys, reader);
    let summary = required_text(&mut keys, "summary", reader);
    let frameworks = words(&mut keys, "frameworks", reader);
    let session = session(&mut keys, reader);
    let fresh_start_injected = keys
        .get("fresh_start_injected")
        .map_or(Some(true), |t| reader.flag(t, "fresh_start_injected", Rule::SessionPolicy));
    let app_build = app_build(&mut keys, reader);
    tested_on(&mut keys, reader);
    let compatibility = compatibility(&mut keys, reader);
    let capabilities_place = keys.get("capabilities").map_or(tree.place, |tree| tree.place);
    let capabilities = words(&mut keys, "capabilities", reader);
    let inputs = each(&mut keys, "inputs", reader, input);
    let outputs = each(&mut keys, "outputs", reader, output);
    let risk = optional(&mut keys, "risk_level", reader, |tree, reader| {
        reader.word::<RiskLevel>(tree, "risk_level", Rule::Taxonomy)
    });
    let timeout_ms = optional(&mut keys, "timeout_ms", reader, timeout);
    for key in ["known_quirks", "failure_modes", "maintainers", "tags"] {
        if let Some(tree) = keys.get(key) {
            let _ = reader.texts(tree, key, Rule::Frontmatter);
        }
    }
    keys.done(reader);
    Some(Recipe {
        id: id?,
        version: version?,
        kind: kind?,
        application_id: application_id?,
        summary: summary?,
        frameworks: frameworks?,
        session: session?,
        fresh_start_injected: fresh_start_injected?,
        app_build: app_build?,
        compatibility: compatibility?,
        capabilities: capabilities?,
        capabilities_place,
        inputs: inputs?,
        outputs: outputs?,
        risk: risk?,
        timeout_ms: timeout_ms?.unwrap_or(TIMEOUT),
        steps: Vec::new(),
    })
}

/// A key that may be missing. The outer `None` is one that is wrong.
#[allow(clippy::option_option, reason = "missing and wrong are two things")]
fn optional<T>(
    keys: &mut Keys<'_>,
    key: &'static str,
    reader: &mut Reader<'_>,
    read: impl FnOnce(&Tree, &mut Reader<'_>) -> Option<T>,
) -> Option<Option<T>> {
    keys.get(key).map_or(Some(None), |tree| read(tree, reader).map(Some))
}

fn required_text(
    keys: &mut Keys<'_>,
    key: &'static str,
    reader: &mut Reader<'_>,
) -> Option<String> {
    let tree = keys.need(key, reader)?;
    reader.text(tree, key, Rule::Frontmatter).map(str::to_owned)
}

fn version(keys: &mut Keys<'_>, reader: &mut Reader<'_>) -> Option<semver::Version> {
    let tree = keys.need("recipe_version", reader)?;
    let text = reader.text(tree, "recipe_version", Rule::Frontmatter)?;
    match semver::Version::parse(text) {
        Ok(version) => Some(version),
        Err(why) => {
            let said = format!("recipe_version \"{text}\" is no semantic version: {why}");
            reader.error(Rule::Frontmatter, tree.place, said);
            reader.hint("write it like 1.2.0");
            None
        }
    }
}

fn package(keys: &mut Keys<'_>, reader: &mut Reader<'_>) -> Option<String> {
    let tree = keys.need("application_id", reader)?;
    let text = reader.text(tree, "application_id", Rule::Frontmatter)?;
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if text.contains('.') && text.split('.').all(part) {
        return Some(text.to_owned());
    }
    let said = format!("application_id \"{text}\" is no package of an Android app");
    reader.error(Rule::Frontmatter, tree.place, said);
    reader.hint("`clawperator packages list` shows those of a phone");
    None
}

fn session(keys: &mut Keys<'_>, reader: &mut Reader<'_>) -> Option<SessionPolicy> {
    match keys.get("session_policy") {
        Some(tree) => reader.word(tree, "session_policy", Rule::SessionPolicy),
        None => {
            reader.error(Rule::SessionPolicy, keys.place, "session_policy is missing");
            let words = SessionPolicy::words().join(" or ");
            reader.hint(format!("write {words}: is the app started anew?"));
            None
        }
    }
}

fn words<W: Word>(
    keys: &mut Keys<'_>,
    key: &'static str,
    reader: &mut Reader<'_>,
) -> Option<Vec<W>> {
    let tree = keys.need(key, reader)?;
    let items = reader.list(tree, key, Rule::Taxonomy)?;
    if items.is_empty() {
        reader.error(Rule::Taxonomy, tree.place, format!("{key} must name at least one"));
        return None;
    }
    let read: Vec<_> = items.iter().map(|item| reader.word(item, key, Rule::Taxonomy)).collect();
    read.into_iter().collect()
}

fn app_build(keys: &mut Keys<'_>, reader: &mut Reader<'_>) -> Option<AppBuild> {
    let tree = keys.need("app_build", reader)?;
    let mut keys = reader.keys(tree, "app_build", Rule::Frontmatter)?;
    let name = keys
        .need("version_name", reader)
        .and_then(|tree| reader.text(tree, "app_build.version_name", Rule::Frontmatter));
    let code = keys
        .need("version_code", reader)
        .and_then(|tree| reader.count(tree, "app_build.version_code", Rule::Frontmatter));
    keys.done(reader);
    Some(AppBuild { version_name: name?.to_owned(), version_code: code? })
}

/// It says where the recipe was tried. Nothing of it is needed to run one.
fn tested_on(keys: &mut Keys<'_>, reader: &mut Reader<'_>) {
    let Some(tree) = keys.need("tested_on", reader) else { return };
    let Some(mut keys) = reader.keys(tree, "tested_on", Rule::Frontmatter) else { return };
    if let Some(tree) = keys.need("android_api", reader) {
        let _ = reader.count(tree, "tested_on.android_api", Rule::Frontmatter);
    }
    for key in ["device_model", "locale"] {
        if let Some(tree) = keys.get(key) {
            let _ = reader.text(tree, key, Rule::Frontmatter);
        }
    }
    if let Some(tree) = keys.get("last_verified_at")
        && let Some(text) = reader.text(tree, "last_verified_at", Rule::Frontmatter)
        && !is_date(text)
    {
        let said = format!("last_verified_at \"{text}\" is no date of ISO 8601");
        reader.error(Rule::Frontmatter, tree.place, said);
        reader.hint("write it like 2026-05-01 or 2026-05-01T12:00:00Z");
    }
    keys.done(reader);
}

/// A day, or a moment of it.
fn is_date(text: &str) -> bool {
    const FORM: &str = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$";
    Regex::new(FORM).is_ok_and(|form| form.is_match(text))
}

fn compatibility(keys: &mut Keys<'_>, reader: &mut Reader<'_>) -> Option<Compatibility> {
    let Some(tree) = keys.get("compatibility") else { return Some(Compatibility::default()) };
    let mut keys = reader.keys(tree, "compatibility", Rule::Frontmatter)?;
    let mut code = |key: &'static str, reader: &mut Reader<'_>| {
        optional(&mut keys, key, reader, |tree, reader| reader.count(tree, key, Rule::Frontmatter))
    };
    let min_version_code = code("min_version_code", reader);
    let max_version_code = code("max_version_code", reader);
    keys.done(reader);
    let found =
        Compatibility { min_version_code: min_version_code?, max_version_code: max_version_code? };
    if let (Some(min), Some(max)) = (found.min_version_code, found.max_version_code)
        && min > max
    {
        let said = format!("min_version_code {min} is above max_version_code {max}");
        reader.error(Rule::Frontmatter, tree.place, said);
        return None;
    }
    Some(found)
}

fn timeout(tree: &Tree, reader: &mut Reader<'_>) -> Option<u64> {
    let ms = reader.count(tree, "timeout_ms", Rule::Frontmatter)?;
    let within = u32::try_from(ms).is_ok_and(|ms| TIMEOUT_MS.holds(f64::from(ms)));
    if !within {
        let said = format!(
            "timeout_ms must be between {} and {}, not {ms}",
            TIMEOUT_MS.min, TIMEOUT_MS.max
        );
        reader.error(Rule::Frontmatter, tree.place, said);
    }
    within.then_some(ms)
}

/// A list of maps, each with a name of its own.
fn each<T: Named>(
    keys: &mut Keys<'_>,
    key: &'static str,
    reader: &mut Reader<'_>,
    read: impl Fn(&Tree, &mut Reader<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let tree = keys.need(key, reader)?;
    let items = reader.list(tree, key, T::RULE)?;
    let read: Vec<_> = items.iter().map(|item| read(item, reader)).collect();
    let mut seen = BTreeSet::new();
    for found in read.iter().flatten() {
        if !seen.insert(found.name().to_owned()) {
            let said = format!("{key} has \"{}\" twice", found.name());
            reader.error(T::RULE, found.place(), said);
        }
    }
    read.into_iter().collect()
}

trait Named {
    const RULE: Rule;
    fn name(&self) -> &str;
    fn place(&self) -> Place;
}

impl Named for Input {
    const RULE: Rule = Rule::Inputs;

    fn name(&self) -> &str {
        &self.name
    }

    fn place(&self) -> Place {
        self.place
    }
}

impl Named for Output {
    const RULE: Rule = Rule::Outputs;

    fn name(&self) -> &str {
        &self.name
    }

    fn place(&self) -> Place {
        self.place
    }
}

fn name(keys: &mut Keys<'_>, rule: Rule, reader: &mut Reader<'_>) -> Option<String> {
    let tree = keys.need("name", reader)?;
    let text = reader.text(tree, "name", rule)?;
    if is_name(text) {
        return Some(text.to_owned());
    }
    reader.error(rule, tree.place, format!("\"{text}\" cannot be a name"));
    reader.hint("use letters, digits and _, with a letter first, at most 64");
    None
}

fn input(tree: &Tree, reader: &mut Reader<'_>) -> Option<Input> {
    let mut keys = reader.keys(tree, "an input", Rule::Inputs)?;
    let name = name(&mut keys, Rule::Inputs, reader);
    let kind: Option<ValueType> =
        keys.need("type", reader).and_then(|tree| reader.word(tree, "type", Rule::Inputs));
    let required =
        keys.get("required").map_or(Some(false), |t| reader.flag(t, "required", Rule::Inputs));
    let default = optional(&mut keys, "default", reader, |tree, reader| match &tree.node {
        Node::Null => Some(String::new()),
        Node::Fraction(number) => Some(number.to_string()),
        _ => {
            let text = tree.scalar();
            if text.is_none() {
                reader.error(Rule::Inputs, tree.place, "default must be a single value");
            }
            text
        }
    });
    let choices =
        keys.get("choices").map_or(Some(Vec::new()), |t| reader.texts(t, "choices", Rule::Inputs));
    let mut bound = |key: &'static str, reader: &mut Reader<'_>| {
        optional(&mut keys, key, reader, |tree, reader| reader.number(tree, key, Rule::Inputs))
    };
    let (min, max) = (bound("min", reader), bound("max", reader));
    if let Some(tree) = keys.get("description") {
        let _ = reader.text(tree, "description", Rule::Inputs);
    }
    keys.done(reader);
    Some(Input {
        place: tree.place,
        name: name?,
        kind: kind?,
        required: required?,
        // An empty default is a place to fill, not a value.
        default: default?.filter(|text| !text.is_empty()),
        choices: choices?,
        min: min?,
        max: max?,
    })
}

fn output(tree: &Tree, reader: &mut Reader<'_>) -> Option<Output> {
    let mut keys = reader.keys(tree, "an output", Rule::Outputs)?;
    let name = name(&mut keys, Rule::Outputs, reader);
    let kind: Option<ValueType> =
        keys.need("type", reader).and_then(|tree| reader.word(tree, "type", Rule::Outputs));
    let redaction = optional(&mut keys, "redaction", reader, |tree, reader| {
        reader.word::<Redaction>(tree, "redaction", Rule::Outputs)
    });
    let from = optional(&mut keys, "from", reader, source);
    let pattern = optional(&mut keys, "pattern", reader, |tree, reader| {
        let text = reader.text(tree, "pattern", Rule::Outputs)?;
        let found = Regex::new(text);
        if let Err(why) = &found {
            let said = format!("pattern is no regular expression: {why}");
            reader.error(Rule::Outputs, tree.place, said.replace('\n', " "));
        }
        found.ok()
    });
    if let Some(tree) = keys.get("description") {
        let _ = reader.text(tree, "description", Rule::Outputs);
    }
    keys.done(reader);
    let kind = kind?;
    let pattern = pattern?;
    if kind == ValueType::Boolean && pattern.is_none() {
        reader.error(Rule::Outputs, tree.place, "a boolean output needs a pattern");
        reader.hint("it is true where the pattern is found in the step's text");
    }
    // What was read as text may be anything; a number tells less of a person.
    let usual = if kind == ValueType::String { Redaction::Mask } else { Redaction::None };
    Some(Output {
        place: tree.place,
        name: name?,
        kind,
        redaction: redaction?.unwrap_or(usual),
        from: from?,
        pattern,
    })
}

/// `from: step` or `from: {step: …, field: …}`.
fn source(tree: &Tree, reader: &mut Reader<'_>) -> Option<(String, String)> {
    if matches!(tree.node, Node::Map(_)) {
        let mut keys = reader.keys(tree, "from", Rule::Outputs)?;
        let mut part = |key: &'static str, reader: &mut Reader<'_>| {
            let tree = keys.need(key, reader)?;
            reader.text(tree, key, Rule::Outputs).map(str::to_owned)
        };
        let (step, field) = (part("step", reader), part("field", reader));
        keys.done(reader);
        return Some((step?, field?));
    }
    let step = reader.text(tree, "from", Rule::Outputs)?;
    Some((step.to_owned(), "text".to_owned()))
}
