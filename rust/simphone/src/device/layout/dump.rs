//! A screen that was written down on another phone, as views.

use super::Look;
use crate::app::Ime;
use crate::device::deed::{Act, Deed, Field};
use crate::device::view::{Key, View};
use clawperator_runtime::screen::{Flags, NodeSpec, WindowSpec};
use std::borrow::Cow;

/// Its nodes as they were. A click leads to the next screen, and text fields take text.
pub(super) fn view(look: &Look<'_>, key: Key, window: &WindowSpec, next: Option<&str>) -> View {
    node(look, key, &window.root, next)
}

/// As deep as the reader of such files lets them be.
fn node(look: &Look<'_>, key: Key, spec: &NodeSpec, next: Option<&str>) -> View {
    let children =
        (0..).zip(&spec.children).map(|(at, child)| node(look, key.child(at), child, next));
    let mut view = View {
        class: Cow::Owned(spec.class.clone()),
        id: spec.resource_id.clone(),
        text: spec.text.clone(),
        description: spec.description.clone(),
        role_description: spec.role_description.clone(),
        package: spec.package.clone(),
        flags: spec.flags,
        collection: spec.collection,
        range: spec.range,
        children: children.collect(),
        ..View::new(key, "", spec.bounds)
    };
    if spec.flags.has(Flags::EDITABLE) {
        let typed = look.open.typed.get(&key).cloned();
        let password = spec.flags.has(Flags::PASSWORD);
        if let Some(typed) = &typed {
            view.text = if password { "•".repeat(typed.chars().count()) } else { typed.clone() };
        }
        if look.open.focus == Some(key) {
            view.flags = view.flags.with(Flags::FOCUSED);
        }
        view.click = Some(Deed::Focus);
        view.field = Some(Field {
            variable: None,
            text: typed.unwrap_or_else(|| spec.text.clone()),
            password,
            ime: Ime::Done,
            submit: Act { actions: [].into(), n: 0 },
        });
    } else if spec.flags.has(Flags::CLICKABLE) {
        view.click = next.map(|next| Deed::Next(next.to_owned()));
    }
    view
}
