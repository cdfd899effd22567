//! Selectors as the contract writes them.

use crate::problem::Place;
use crate::recipe::Selector;
use clawperator_contract::aliases;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Can a NodeMatcher, the short form every operator knows, say it?
pub(super) fn is_matcher(selector: &Selector) -> bool {
    let short = |key: &str| aliases::MATCHER.iter().any(|(own, _)| *own == key);
    selector.texts.iter().all(|(key, ..)| short(key))
        && selector.flags.is_empty()
        && selector.index_in_parent.is_none()
        && selector.any_of.is_empty()
        && selector.all_of.is_empty()
}

/// The selector with values in place. The failure is an input without one, and where it is used.
pub(super) fn lower(
    selector: &Selector,
    values: &BTreeMap<String, String>,
) -> Result<Value, (String, Place)> {
    let mut object = Map::new();
    for (key, text, place) in &selector.texts {
        let filled = text.fill(values).map_err(|name| (name.to_owned(), *place))?;
        object.insert((*key).to_owned(), filled.into());
    }
    for (key, flag) in &selector.flags {
        object.insert((*key).to_owned(), (*flag).into());
    }
    object.extend(selector.index_in_parent.map(|at| ("indexInParent".to_owned(), at.into())));
    for (key, parts) in [("anyOf", &selector.any_of), ("allOf", &selector.all_of)] {
        if !parts.is_empty() {
            let lowered = parts.iter().map(|part| lower(part, values));
            object.insert(key.to_owned(), lowered.collect::<Result<Vec<_>, _>>()?.into());
        }
    }
    Ok(object.into())
}
