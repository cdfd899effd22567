//! Finding the nodes that a selector means.

use crate::fold::Folded;
use crate::role::Role;
use crate::screen::{Flags, Node, Screen};
use clawperator_contract::selector::Selector;
use std::iter;

/// A selector made ready: once per step, then asked for every node of every capture. Asking
/// allocates nothing.
#[derive(Clone, Debug)]
pub struct Matcher {
    resource_id: Option<String>,
    role: Option<WantedRole>,
    text_equals: Option<String>,
    text_contains: Option<Folded>,
    content_desc_equals: Option<String>,
    content_desc_contains: Option<Folded>,
    class: Option<String>,
    clickable: Option<bool>,
    enabled: Option<bool>,
    selected: Option<bool>,
    index_in_parent: Option<u32>,
    any_of: Vec<Matcher>,
    all_of: Vec<Matcher>,
}

/// `None` for a role that there is not: no node has it.
#[derive(Clone, Copy, Debug)]
struct WantedRole(Option<Role>);

impl Matcher {
    /// Makes a selector ready. An empty one means every node.
    #[must_use]
    pub fn new(selector: &Selector) -> Self {
        let folded = |text: &Option<String>| text.as_deref().map(Folded::new);
        let all = |selectors: &[Selector]| selectors.iter().map(Self::new).collect();
        Self {
            resource_id: selector.resource_id.clone(),
            role: selector.role.as_deref().map(|name| WantedRole(Role::named(name))),
            text_equals: selector.text_equals.clone(),
            text_contains: folded(&selector.text_contains),
            content_desc_equals: selector.content_desc_equals.clone(),
            content_desc_contains: folded(&selector.content_desc_contains),
            class: selector.class.clone(),
            clickable: selector.clickable,
            enabled: selector.enabled,
            selected: selector.selected,
            index_in_parent: selector.index_in_parent,
            any_of: all(&selector.any_of),
            all_of: all(&selector.all_of),
        }
    }

    /// Is the node meant? Only nodes that a person could see ever are.
    #[must_use]
    pub fn matches(&self, node: Node<'_>) -> bool {
        node.is_shown() && self.holds(node)
    }

    /// Every given field must hold. Cheap ones first; the role, which takes several of the others
    /// to work out, last.
    fn holds(&self, node: Node<'_>) -> bool {
        is(self.enabled, || node.has(Flags::ENABLED))
            && is(self.selected, || node.has(Flags::SELECTED))
            && is(self.index_in_parent, || node.index_in_parent())
            && is(self.resource_id.as_deref(), || node.resource_id())
            && is(self.class.as_deref(), || node.class())
            && is(self.text_equals.as_deref(), || node.label())
            && is(self.content_desc_equals.as_deref(), || node.description())
            && is(self.clickable, || node.is_effectively_clickable())
            && self.text_contains.as_ref().is_none_or(|part| part.is_in(node.label()))
            && self.content_desc_contains.as_ref().is_none_or(|part| part.is_in(node.description()))
            && self.all_of.iter().all(|part| part.holds(node))
            && (self.any_of.is_empty() || self.any_of.iter().any(|part| part.holds(node)))
            && self.role.is_none_or(|wanted| wanted.0.is_some_and(|role| role == Role::of(node)))
    }

    /// The first node that is meant, in document order. With a scope: in that node's subtree,
    /// itself included.
    #[must_use]
    pub fn find<'s>(&self, screen: &'s Screen, scope: Option<Node<'s>>) -> Option<Node<'s>> {
        self.find_all(screen, scope).next()
    }

    /// All nodes that are meant, in document order. With a scope: in that node's subtree, itself
    /// included.
    pub fn find_all<'s>(
        &self,
        screen: &'s Screen,
        scope: Option<Node<'s>>,
    ) -> impl Iterator<Item = Node<'s>> {
        let inside = scope.map(|top| iter::once(top).chain(top.descendants()));
        let anywhere = scope.is_none().then(|| screen.nodes());
        let nodes = inside.into_iter().flatten().chain(anywhere.into_iter().flatten());
        nodes.filter(|node| self.matches(*node))
    }
}

/// Does a field hold? One that is not given does.
fn is<T: PartialEq>(wanted: Option<T>, seen: impl FnOnce() -> T) -> bool {
    wanted.is_none_or(|wanted| wanted == seen())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Bounds, NodeSpec, ScreenBuilder, WindowSpec};

    const AREA: Bounds = Bounds::new(0, 0, 100, 100);

    fn node(text: &str, description: &str, id: &str) -> NodeSpec {
        NodeSpec {
            text: text.into(),
            description: description.into(),
            resource_id: id.into(),
            class: "android.widget.TextView".into(),
            bounds: AREA,
            ..NodeSpec::default()
        }
    }

    fn holding(children: Vec<NodeSpec>) -> NodeSpec {
        NodeSpec { children, ..node("", "", "") }
    }

    fn screen(children: Vec<NodeSpec>) -> Screen {
        let window = WindowSpec::application(holding(children));
        ScreenBuilder::new(100, 100).window(&window).screen().unwrap()
    }

    /// Places of all matches, in the order found.
    fn found(screen: &Screen, selector: &Selector) -> Vec<u32> {
        Matcher::new(selector).find_all(screen, None).map(|node| node.index().0).collect()
    }

    fn selector() -> Selector {
        Selector::default()
    }

    fn text(text: &str) -> Selector {
        Selector { text_equals: Some(text.into()), ..selector() }
    }

    #[test]
    fn equal_means_exactly_equal_and_containing_ignores_case() {
        let screen = screen(vec![
            node("Wi-Fi", "", "app:id/title"),
            node("WI-FI", "Straße", "app:id/Title"),
            node(" ", "wi-fi", "app:id/title2"),
        ]);
        let id = Some("app:id/title".to_owned());
        assert_eq!(found(&screen, &Selector { resource_id: id, ..selector() }), [1]);
        assert_eq!(found(&screen, &text("WI-FI")), [2]);
        assert_eq!(found(&screen, &text("wi-fi")), [3], "the description is a label too");
        let contains = Some("I-fI".to_owned());
        assert_eq!(found(&screen, &Selector { text_contains: contains, ..selector() }), [1, 2, 3]);
        let equals = Some("Straße".to_owned());
        assert_eq!(found(&screen, &Selector { content_desc_equals: equals, ..selector() }), [2]);
        let contains = Some("STRASSE".to_owned());
        let contains = Selector { content_desc_contains: contains, ..selector() };
        assert_eq!(found(&screen, &contains), [2]);
    }

    #[test]
    fn every_given_field_must_hold() {
        let screen = screen(vec![node("On", "", "a"), node("On", "", "b")]);
        let both = Selector { resource_id: Some("b".into()), ..text("On") };
        assert_eq!(found(&screen, &both), [2]);
        assert_eq!(found(&screen, &Selector { resource_id: Some("c".into()), ..both }), [0; 0]);
        assert_eq!(found(&screen, &selector()), [0, 1, 2], "nothing given, everything holds");
    }

    #[test]
    fn a_role_is_matched_in_any_case_and_an_unknown_one_never() {
        let button = NodeSpec { class: "android.widget.Button".into(), ..node("OK", "", "") };
        let screen = screen(vec![node("OK", "", ""), button]);
        let role = |name: &str| Selector { role: Some(name.into()), ..text("OK") };
        assert_eq!(found(&screen, &role("BUTTON")), [2]);
        assert_eq!(found(&screen, &role("knob")), [0; 0]);
    }

    #[test]
    fn class_flags_and_place_narrow_a_match_down() {
        let flagged = |flags| NodeSpec { flags, ..node("x", "", "") };
        let plain = node("x", "", "").flags;
        let row = NodeSpec {
            flags: plain.with(Flags::CLICKABLE),
            children: vec![node("x", "", "")],
            ..node("", "", "")
        };
        let screen = screen(vec![
            flagged(plain.without(Flags::ENABLED)),
            flagged(plain.with(Flags::SELECTED)),
            row,
        ]);
        let only = |more: Selector| found(&screen, &Selector { all_of: vec![more], ..text("x") });
        assert_eq!(only(Selector { enabled: Some(false), ..selector() }), [1]);
        assert_eq!(only(Selector { selected: Some(true), ..selector() }), [2]);
        assert_eq!(only(Selector { clickable: Some(true), ..selector() }), [4], "its row is");
        assert_eq!(only(Selector { clickable: Some(false), ..selector() }), [1, 2]);
        assert_eq!(only(Selector { index_in_parent: Some(0), ..selector() }), [1, 4]);
        let class = |class: &str| Selector { class: Some(class.into()), ..selector() };
        assert_eq!(only(class("android.widget.TextView")), [1, 2, 4]);
        assert_eq!(only(class("TextView")), [0; 0], "a class is given in full");
    }

    #[test]
    fn of_alternatives_one_is_enough_and_of_conditions_all_are_needed() {
        let screen = screen(vec![node("On", "", "a"), node("Off", "", "b"), node("?", "", "a")]);
        let either = Selector { any_of: vec![text("On"), text("Off")], ..selector() };
        assert_eq!(found(&screen, &either), [1, 2]);
        let id = Selector { resource_id: Some("a".into()), ..selector() };
        assert_eq!(found(&screen, &Selector { all_of: vec![either, id], ..selector() }), [1]);
    }

    #[test]
    fn what_nobody_can_see_is_not_found() {
        let below = NodeSpec { bounds: Bounds::new(0, 100, 100, 200), ..node("x", "", "") };
        let hidden = NodeSpec { flags: Flags::ENABLED, ..holding(vec![node("x", "", "")]) };
        let screen = screen(vec![below, hidden]);
        assert_eq!(found(&screen, &text("x")), [0; 0]);
        let hidden = screen.node(crate::screen::NodeIndex(2)).unwrap();
        assert_eq!(Matcher::new(&selector()).find(&screen, Some(hidden)), None);
    }

    #[test]
    fn a_scope_is_a_node_and_all_below_it() {
        let group = |id: &str| NodeSpec {
            children: vec![node("x", "", ""), holding(vec![node("x", "", "")])],
            ..node("x", "", id)
        };
        let screen = screen(vec![group("first"), group("second"), node("x", "", "")]);
        let id = Selector { resource_id: Some("second".into()), ..selector() };
        let scope = Matcher::new(&id).find(&screen, None);
        let matcher = Matcher::new(&text("x"));
        let places = matcher.find_all(&screen, scope).map(|node| node.index().0);
        assert_eq!(places.collect::<Vec<_>>(), [5, 6, 8]);
        assert_eq!(matcher.find(&screen, scope), scope);
    }
}
