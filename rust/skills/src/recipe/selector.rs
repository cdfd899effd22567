//! Selectors: the closed set of keys that name a node.

use super::model::Selector;
use super::reader::{Reader, Rule};
use super::text::Text;
use crate::problem::Place;
use clawperator_tree::Tree;

/// Keys whose values are texts, and the contract's names for them.
pub(crate) const TEXT_KEYS: [(&str, &str); 5] = [
    ("resource_id", "resourceId"),
    ("text_equals", "textEquals"),
    ("text_contains", "textContains"),
    ("content_desc_contains", "contentDescContains"),
    ("class", "class"),
];

/// Keys whose values are true or false.
pub(crate) const FLAG_KEYS: [&str; 3] = ["clickable", "enabled", "selected"];

/// Deeper ones the phone refuses as well.
const MAX_DEPTH: usize = clawperator_contract::limits::MAX_SELECTOR_DEPTH;

pub(super) fn read(tree: &Tree, what: &str, reader: &mut Reader<'_>) -> Option<Selector> {
    part(tree, what, 1, reader)
}

fn part(tree: &Tree, what: &str, depth: usize, reader: &mut Reader<'_>) -> Option<Selector> {
    if depth > MAX_DEPTH {
        let said = format!("{what} is nested deeper than {MAX_DEPTH}");
        reader.error(Rule::SelectorKeys, tree.place, said);
        return None;
    }
    let mut keys = reader.keys(tree, what, Rule::SelectorKeys)?;
    let mut selector = Selector {
        place: tree.place,
        texts: Vec::new(),
        flags: Vec::new(),
        index_in_parent: None,
        any_of: Vec::new(),
        all_of: Vec::new(),
        annotation: None,
    };
    let mut sound = true;
    for (key, canonical) in TEXT_KEYS {
        let Some(value) = keys.get(key) else { continue };
        match placeholder_text(value, key, reader) {
            Some(text) => selector.texts.push((canonical, text, value.place)),
            None => sound = false,
        }
    }
    for key in FLAG_KEYS {
        let Some(value) = keys.get(key) else { continue };
        match reader.flag(value, key, Rule::SelectorKeys) {
            Some(flag) => selector.flags.push((key, flag)),
            None => sound = false,
        }
    }
    if let Some(value) = keys.get("index_in_parent") {
        selector.index_in_parent = reader.count(value, "index_in_parent", Rule::SelectorKeys);
        sound &= selector.index_in_parent.is_some();
    }
    for (key, into) in [("any_of", &mut selector.any_of), ("all_of", &mut selector.all_of)] {
        let Some(value) = keys.get(key) else { continue };
        let items = reader.list(value, key, Rule::SelectorKeys).unwrap_or_default();
        for item in items {
            into.extend(part(item, &format!("a selector in {key}"), depth + 1, reader));
        }
        if items.is_empty() {
            reader.error(Rule::SelectorKeys, value.place, format!("{key} must not be empty"));
        }
        sound &= !items.is_empty() && into.len() == items.len();
    }
    if let Some(value) = keys.get("annotation") {
        let word = reader.word(value, "annotation", Rule::SelectorKeys);
        sound &= word.is_some();
        selector.annotation = word.map(|word| (word, value.place));
    }
    let empty = names_nothing(&selector);
    sound &= keys.done(reader);
    if sound && empty {
        reader.error(Rule::SelectorKeys, tree.place, format!("{what} names nothing"));
        reader.hint("give at least one key beside annotation, such as text_equals");
    }
    (sound && !empty).then_some(selector)
}

fn names_nothing(selector: &Selector) -> bool {
    selector.texts.is_empty()
        && selector.flags.is_empty()
        && selector.index_in_parent.is_none()
        && selector.any_of.is_empty()
        && selector.all_of.is_empty()
}

/// A text with placeholders.
fn placeholder_text(tree: &Tree, key: &str, reader: &mut Reader<'_>) -> Option<Text> {
    let text = reader.text(tree, key, Rule::SelectorKeys)?;
    match Text::parse(text) {
        Ok(text) => Some(text),
        Err(why) => {
            bad_placeholder(tree.place, why, reader);
            None
        }
    }
}

fn bad_placeholder(place: Place, why: String, reader: &mut Reader<'_>) {
    reader.error(Rule::Inputs, place, why);
    reader.hint("placeholders look like ${inputs.name}; $${ stands for the signs themselves");
}
