//! The block of a step.

use super::document::Block;
use super::model::{Confirm, Step};
use super::reader::{Keys, Reader, Rule};
use super::selector;
use super::words::Effect;
use clawperator_contract::action::ActionType;
use clawperator_contract::aliases::{self, Aliases};
use clawperator_contract::{pattern, suggest};
use clawperator_tree::{Node, Tree};
use serde_json::{Map, Value};

/// The actions a recipe may be made of.
pub(crate) const ACTIONS: [ActionType; 8] = [
    ActionType::OpenApp,
    ActionType::CloseApp,
    ActionType::WaitForNode,
    ActionType::Click,
    ActionType::ScrollAndClick,
    ActionType::ReadText,
    ActionType::SnapshotUi,
    ActionType::Sleep,
];

/// Retries after the first attempt; the phone takes ten attempts in all.
const MAX_RETRIES: u64 = 9;

pub(super) fn read(block: Block, reader: &mut Reader<'_>) -> Option<Step> {
    let tree = &block.tree;
    let mut keys = reader.keys(tree, "the step", Rule::StepBlock)?;
    let id = id(&mut keys, reader);
    let kind = keys.need("type", reader).and_then(|tree| action(tree, reader));
    let selector = keys.get("selector").map(|tree| selector::read(tree, "the selector", reader));
    let container = keys.get("container").map(|tree| selector::read(tree, "the container", reader));
    let after_ms = keys.get("wait").map(|tree| wait(tree, reader));
    let retries = keys.get("retries").map(|tree| retries(tree, reader));
    let confirm_place = keys.get("confirm").map_or(tree.place, |tree| tree.place);
    let confirm = keys.get("confirm").map(|tree| confirm(tree, reader));
    let params_tree = keys.get("params");
    let params = match (params_tree, kind) {
        (Some(tree), Some(kind)) => params(tree, kind, reader),
        (Some(_), None) => None,
        (None, _) => Some(Map::new()),
    };
    let effect_place = keys.get("effect").map_or(tree.place, |tree| tree.place);
    let effect: Option<Option<Effect>> =
        keys.get("effect").map(|tree| reader.word(tree, "effect", Rule::StepBlock));
    let verifies = keys.get("verifies").map(|tree| {
        let text = reader.text(tree, "verifies", Rule::Verification)?;
        Some((text.to_owned(), tree.place))
    });
    let optional =
        keys.get("optional").map_or(Some(false), |t| reader.flag(t, "optional", Rule::StepBlock));
    let expect_count = keys.get("expect_count").map(|tree| {
        let count = reader.count(tree, "expect_count", Rule::StepBlock)?;
        if count == 0 {
            reader.error(Rule::StepBlock, tree.place, "expect_count must be at least 1");
        }
        (count > 0).then_some(count)
    });
    keys.done(reader);
    let step = Step {
        place: tree.place,
        id: id?,
        title: block.title,
        kind: kind?,
        selector: whole(selector)?,
        container: whole(container)?,
        after_ms: whole(after_ms)?,
        retries: whole(retries)?,
        confirm: whole(confirm)?,
        params: params?,
        effect: whole(effect)?,
        verifies: whole(verifies)?,
        optional: optional?,
        expect_count: whole(expect_count)?,
    };
    targets(&step, reader);
    if step.confirm.is_some() && !step.clicks() {
        let said = format!("{} has nothing to confirm: it does not click", step.kind);
        reader.error(Rule::StepBlock, confirm_place, said);
    }
    if step.effect.is_some() && !step.clicks() {
        let said = format!("{} has no effect: it does not click", step.kind);
        reader.error(Rule::StepBlock, effect_place, said);
    }
    Some(step)
}

/// What may be missing but must not be wrong.
#[allow(clippy::option_option, reason = "missing and wrong are two things")]
fn whole<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        None => Some(None),
        Some(value) => value.map(Some),
    }
}

fn id(keys: &mut Keys<'_>, reader: &mut Reader<'_>) -> Option<String> {
    let tree = keys.need("id", reader)?;
    let text = reader.text(tree, "id", Rule::StepBlock)?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if text.len() <= 64 && text.chars().all(fits) {
        return Some(text.to_owned());
    }
    reader.error(Rule::StepBlock, tree.place, format!("\"{text}\" cannot be the id of a step"));
    reader.hint("use letters, digits, _ and -, at most 64");
    None
}

fn action(tree: &Tree, reader: &mut Reader<'_>) -> Option<ActionType> {
    let text = reader.text(tree, "type", Rule::StepType)?;
    let found = ActionType::from_name(text);
    if let Some(kind) = found.filter(|kind| ACTIONS.contains(kind)) {
        return Some(kind);
    }
    let names: Vec<&str> = ACTIONS.iter().map(|kind| kind.spec().name).collect();
    let said = match found {
        Some(_) => format!("a recipe cannot use \"{text}\""),
        None => format!("there is no action \"{text}\""),
    };
    reader.error(Rule::StepType, tree.place, said);
    reader.hint(match suggest::nearest(text, names.iter().copied()) {
        Some(near) if found.is_none() => format!("did you mean \"{near}\"?"),
        _ => format!("a recipe is made of {}", names.join(", ")),
    });
    None
}

/// Does the action get the target it needs, and none it has no use for?
fn targets(step: &Step, reader: &mut Reader<'_>) {
    let takes = |key: &str| step.kind.spec().field(key).is_some();
    let name = step.kind.spec().name;
    if takes("matcher") && step.selector.is_none() {
        let said = format!("{name} needs a selector to know its target");
        reader.error(Rule::StepBlock, step.place, said);
    }
    let mut unused = |given: Option<&super::model::Selector>, what: &str| {
        if let Some(selector) = given {
            reader.error(Rule::StepBlock, selector.place, format!("{name} takes no {what}"));
        }
    };
    if !takes("matcher") {
        unused(step.selector.as_ref(), "selector");
    }
    if !takes("container") {
        unused(step.container.as_ref(), "container");
    }
    if step.expect_count.is_some() && step.selector.is_none() {
        let said = format!("{name} has no targets to count");
        reader.error(Rule::StepBlock, step.place, said);
    }
}

fn wait(tree: &Tree, reader: &mut Reader<'_>) -> Option<u64> {
    let mut keys = reader.keys(tree, "wait", Rule::StepBlock)?;
    let ms = keys.need("after_ms", reader).and_then(|tree| {
        let ms = reader.count(tree, "wait.after_ms", Rule::StepBlock)?;
        if ms > 60_000 {
            reader.error(Rule::StepBlock, tree.place, "wait.after_ms may be at most 60000");
            reader.hint("wait for what is to come with a wait_for_node step instead");
        }
        (ms <= 60_000).then_some(ms)
    });
    keys.done(reader);
    ms
}

/// As the contract's retry object has it.
fn retries(tree: &Tree, reader: &mut Reader<'_>) -> Option<Map<String, Value>> {
    let mut keys = reader.keys(tree, "retries", Rule::StepBlock)?;
    let mut policy = Map::new();
    if let Some(tree) = keys.need("count", reader) {
        let count = reader.count(tree, "retries.count", Rule::StepBlock)?;
        if count > MAX_RETRIES {
            let said = format!("retries.count may be at most {MAX_RETRIES}, not {count}");
            reader.error(Rule::StepBlock, tree.place, said);
            return None;
        }
        policy.insert("maxAttempts".into(), (count + 1).into());
    }
    for (key, canonical) in [("initial_delay_ms", "initialDelayMs"), ("max_delay_ms", "maxDelayMs")]
    {
        let Some(tree) = keys.get(key) else { continue };
        let ms = reader.count(tree, key, Rule::StepBlock)?;
        policy.insert(canonical.into(), ms.into());
    }
    keys.done(reader);
    Some(policy)
}

fn confirm(tree: &Tree, reader: &mut Reader<'_>) -> Option<Confirm> {
    let mut keys = reader.keys(tree, "confirm", Rule::StepBlock)?;
    let target = keys
        .need("selector", reader)
        .and_then(|tree| selector::read(tree, "the selector of confirm", reader));
    let container =
        keys.get("container").map(|tree| selector::read(tree, "the container of confirm", reader));
    let text_matches = keys.get("text_matches").map(|tree| {
        let text = reader.text(tree, "confirm.text_matches", Rule::StepBlock)?;
        let found = pattern::compile(text);
        if let Err(why) = &found {
            let said = format!("confirm.text_matches {why}").replace('\n', " ");
            reader.error(Rule::StepBlock, tree.place, said);
        }
        found.ok().map(|_| text.to_owned())
    });
    let timeout_ms = keys.get("timeout_ms").map(|tree| {
        let ms = reader.count(tree, "confirm.timeout_ms", Rule::StepBlock)?;
        if !(1..=60_000).contains(&ms) {
            let said = "confirm.timeout_ms must be between 1 and 60000";
            reader.error(Rule::StepBlock, tree.place, said);
        }
        (1..=60_000).contains(&ms).then_some(ms)
    });
    if let (Some(tree), Some(Some(_))) = (keys.get("timeout_ms"), &text_matches) {
        let said = "confirm takes text_matches or timeout_ms, not both";
        reader.error(Rule::StepBlock, tree.place, said);
        reader.hint("with text_matches the text is read again until it fits, up to five times");
    }
    keys.done(reader);
    Some(Confirm {
        selector: target?,
        container: whole(container)?,
        text_matches: whole(text_matches)?,
        timeout_ms: whole(timeout_ms)?,
    })
}

/// Parameters the action takes beside its target, by their canonical keys.
fn params(tree: &Tree, kind: ActionType, reader: &mut Reader<'_>) -> Option<Map<String, Value>> {
    // Only for the check that it is a map.
    reader.keys(tree, "params", Rule::StepBlock)?;
    let Node::Map(entries) = &tree.node else { return None };
    let mut params = Map::new();
    let mut sound = true;
    for (key, value) in entries {
        let name = key.scalar().unwrap_or_default();
        let canonical = canonical(&name);
        let elsewhere = match canonical {
            "matcher" | "where" | "ref" | "coordinate" => Some("selector"),
            "container" | "containerWhere" => Some("container"),
            "retry" | "scrollRetry" | "clickRetry" => Some("retries"),
            _ => None,
        };
        let known = canonical == "longPress" || kind.spec().field(canonical).is_some();
        if let Some(instead) = elsewhere.filter(|_| known) {
            reader.error(
                Rule::StepBlock,
                key.place,
                format!("\"{name}\" does not belong in params"),
            );
            reader.hint(format!("use the step's own key {instead}"));
            sound = false;
        } else if !known {
            let said = format!("{} has no parameter \"{name}\"", kind.spec().name);
            reader.error(Rule::StepBlock, key.place, said);
            let names = kind.spec().fields.iter().map(|field| field.key);
            if let Some(near) = suggest::nearest(&name, names) {
                reader.hint(format!("did you mean \"{near}\"?"));
            }
            sound = false;
        } else if value.text().is_some_and(|text| text.contains("${")) {
            reader.error(Rule::Inputs, value.place, "a placeholder cannot stand in params");
            reader.hint("placeholders belong in the texts of selectors");
            sound = false;
        } else if canonical == "longPress" {
            let long = reader.flag(value, &name, Rule::StepBlock)?;
            params.extend(long.then(|| ("clickType".to_owned(), "long_click".into())));
        } else {
            params.insert(canonical.to_owned(), value.to_json());
        }
    }
    sound.then_some(params)
}

fn canonical(name: &str) -> &str {
    if aliases::LONG_PRESS.contains(&name) {
        return "longPress";
    }
    let named = |(_, others): &&Aliases| others.contains(&name);
    aliases::PARAMS.iter().find(named).map_or(name, |(own, _)| own)
}
