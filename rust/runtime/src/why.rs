//! Why a selector found nothing, in one line that shows the way to what was meant.
//!
//! `no node with text "Wi-fi"; 2 near: "Wi-Fi" (text differs in case) n12, "Wi-Fi calling" (text
//! is longer) n15`

mod likeness;

use crate::role::Role;
use crate::screen::{Flags, Node, Screen};
use clawperator_contract::selector::Selector;
use likeness::{Likeness, Wanted};
use std::fmt::Write;
use std::iter;

/// Nodes that are compared. A screen that a person can read has a few hundred.
const LOOKED_AT: usize = 2_000;
/// Comparisons in all: a selector with very many alternatives is compared with fewer nodes.
const COMPARED: usize = 20_000;
/// Nodes that are named.
const NAMED: usize = 3;
/// Characters of a label that are shown.
const LABEL_CHARS: usize = 40;
/// Characters of a selector that are shown.
const SELECTOR_CHARS: usize = 200;
/// What a field counts that does not tell one node from many others.
const WEAK: f32 = 0.25;

/// Says in one line why nothing matches, and what comes nearest. Never shows what was typed into a
/// password field.
#[must_use]
pub fn why_nothing(screen: &Screen, selector: &Selector, scope: Option<Node<'_>>) -> String {
    let mut line = match selector.to_string() {
        said if said.is_empty() => "no node at all".to_owned(),
        said => format!("no node with {}", cut(&said, SELECTOR_CHARS)),
    };
    if let Some(scope) = scope {
        let _ = write!(line, " in {} n{}", Role::of(scope).name(), scope.index().0);
    }
    let fields = Field::all(selector);
    let near = nearest(screen, &fields, scope);
    if near.is_empty() {
        let labelled = screen.nodes().filter(Node::has_label).count();
        let nodes = if labelled == 1 { "node" } else { "nodes" };
        let _ = write!(line, "; nothing near among {labelled} labelled {nodes} on screen");
        if !screen.foreground_package().is_empty() {
            let _ = write!(line, ", in front is {}", screen.foreground_package());
        }
        return line;
    }
    let _ = write!(line, "; {} near: ", near.len());
    for (number, node) in near.iter().take(NAMED).enumerate() {
        line.push_str(if number == 0 { "" } else { ", " });
        let (name, reason) = (named(*node), reason(&fields, *node));
        let _ = write!(line, "{name} ({reason}) n{}", node.index().0);
    }
    if near.len() > NAMED {
        line.push_str(", …");
    }
    line
}

/// All nodes near to what is meant, the nearest first.
fn nearest<'s>(screen: &'s Screen, fields: &[Field<'_>], scope: Option<Node<'s>>) -> Vec<Node<'s>> {
    let comparisons = fields.iter().map(Field::count).sum::<usize>().max(1);
    // What is on screen comes first, so that the limits leave it out last.
    let nodes = || {
        let tops = screen.windows().filter_map(|window| window.root());
        let tops = scope.into_iter().chain(tops.filter(|_| scope.is_none()));
        tops.flat_map(|top| iter::once(top).chain(top.descendants()))
    };
    let candidates = nodes().filter(Node::is_shown).chain(nodes().filter(|node| !node.is_shown()));
    let mut near: Vec<(f32, Node<'_>)> = candidates
        .take(LOOKED_AT.min(COMPARED / comparisons))
        .filter_map(|node| nearness(fields, node).map(|nearness| (nearness, node)))
        .collect();
    // Stable: of equals, the one on screen and the earlier one stays first.
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().map(|(_, node)| node).collect()
}

/// How near a node is; `None` where it has nothing in common with what is meant.
fn nearness(fields: &[Field<'_>], node: Node<'_>) -> Option<f32> {
    let (mut sum, mut failed, mut telling, mut tells) = (0.0, 0, false, false);
    for field in fields {
        let closeness = field.verdict(node).closeness();
        failed += u32::from(closeness < 1.0);
        if field.is_telling() {
            telling = true;
            tells |= closeness > 0.0;
            sum += closeness;
        } else {
            sum += closeness * WEAK;
        }
    }
    // With only roles, flags and the like, nearly all of them must hold to mean anything.
    let near = if telling { tells } else { failed == 0 || (failed == 1 && fields.len() > 1) };
    near.then_some(sum)
}

/// The first field that failed, and how.
fn reason(fields: &[Field<'_>], node: Node<'_>) -> String {
    let failed = fields.iter().find_map(|field| field.failure(node));
    match (failed, node.is_shown()) {
        (Some(failed), true) => failed,
        (Some(failed), false) => format!("{failed}, and it is not shown on screen"),
        (None, false) => "not shown on screen".to_owned(),
        (None, true) => "matches".to_owned(),
    }
}

/// How a person finds it on the screen: by its label, else by what it is.
fn named(node: Node<'_>) -> String {
    let id = node.resource_id();
    match (node.has_label(), id.is_empty()) {
        (true, _) => format!("\"{}\"", cut(node.label(), LABEL_CHARS)),
        (false, false) => format!("{} \"{}\"", Role::of(node).name(), cut(id, LABEL_CHARS)),
        (false, true) => format!("{} without a label", Role::of(node).name()),
    }
}

/// Cut to so many characters, on one line.
fn cut(text: &str, chars: usize) -> String {
    let one_line = |c: char| if c.is_control() { ' ' } else { c };
    let mut shown: String = text.chars().take(chars).map(one_line).collect();
    if text.chars().nth(chars).is_some() {
        shown.push('…');
    }
    shown
}

/// One field of a selector. What `all_of` holds counts as fields of its own.
enum Field<'a> {
    Text(Wanted<'a>),
    Description(Wanted<'a>),
    /// An id in full, and its name without the package: all ids of an app begin alike.
    Id(&'a str, Wanted<'a>),
    Role(&'a str),
    Class(&'a str),
    Clickable(bool),
    Enabled(bool),
    Selected(bool),
    Index(u32),
    AnyOf(Vec<Vec<Field<'a>>>),
}

/// How a field fares with a node.
enum Verdict {
    Holds,
    Like(Likeness),
    Fails,
}

impl Verdict {
    fn closeness(&self) -> f32 {
        match self {
            Self::Holds => 1.0,
            Self::Like(likeness) => likeness.closeness(),
            Self::Fails => 0.0,
        }
    }

    fn when(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

impl<'a> Field<'a> {
    /// The fields of a selector, in the order in which a failure is told.
    fn all(selector: &'a Selector) -> Vec<Self> {
        let mut fields = Vec::new();
        fields.extend(selector.text_equals.as_deref().map(Wanted::all).map(Self::Text));
        fields.extend(selector.text_contains.as_deref().map(Wanted::part).map(Self::Text));
        let equals = selector.content_desc_equals.as_deref().map(Wanted::all);
        fields.extend(equals.map(Self::Description));
        let contains = selector.content_desc_contains.as_deref().map(Wanted::part);
        fields.extend(contains.map(Self::Description));
        let id = selector.resource_id.as_deref();
        fields.extend(id.map(|id| Self::Id(id, Wanted::all(name_of(id)))));
        fields.extend(selector.role.as_deref().map(Self::Role));
        fields.extend(selector.class.as_deref().map(Self::Class));
        fields.extend(selector.clickable.map(Self::Clickable));
        fields.extend(selector.enabled.map(Self::Enabled));
        fields.extend(selector.selected.map(Self::Selected));
        fields.extend(selector.index_in_parent.map(Self::Index));
        fields.extend(selector.all_of.iter().flat_map(Self::all));
        if !selector.any_of.is_empty() {
            fields.push(Self::AnyOf(selector.any_of.iter().map(Self::all).collect()));
        }
        fields
    }

    /// How many comparisons it takes.
    fn count(&self) -> usize {
        match self {
            Self::AnyOf(groups) => groups.iter().flatten().map(Self::count).sum(),
            _ => 1,
        }
    }

    /// Does it tell one node from most others?
    fn is_telling(&self) -> bool {
        match self {
            Self::Text(_) | Self::Description(_) | Self::Id(..) => true,
            Self::AnyOf(groups) => groups.iter().flatten().any(Self::is_telling),
            _ => false,
        }
    }

    fn verdict(&self, node: Node<'_>) -> Verdict {
        let like = |wanted: &Wanted<'_>, seen: &str| match wanted.compare(seen) {
            Likeness::Same => Verdict::Holds,
            Likeness::Different => Verdict::Fails,
            likeness => Verdict::Like(likeness),
        };
        match self {
            Self::Text(wanted) => match like(wanted, node.label()) {
                Verdict::Fails if wanted.is_same(node.description()) => {
                    Verdict::Like(Likeness::ElsewhereOnNode)
                }
                verdict => verdict,
            },
            Self::Description(wanted) => match like(wanted, node.description()) {
                Verdict::Fails if wanted.is_same(node.text()) => {
                    Verdict::Like(Likeness::ElsewhereOnNode)
                }
                verdict => verdict,
            },
            Self::Id(id, _) if node.resource_id() == *id => Verdict::Holds,
            Self::Id(_, wanted) => match like(wanted, name_of(node.resource_id())) {
                Verdict::Holds => Verdict::Like(Likeness::Alike(1.0)),
                verdict => verdict,
            },
            Self::Role(name) => {
                Verdict::when(Role::named(name).is_some_and(|role| role == Role::of(node)))
            }
            Self::Class(class) => Verdict::when(node.class() == *class),
            Self::Clickable(on) => Verdict::when(node.is_effectively_clickable() == *on),
            Self::Enabled(on) => Verdict::when(node.has(Flags::ENABLED) == *on),
            Self::Selected(on) => Verdict::when(node.has(Flags::SELECTED) == *on),
            Self::Index(index) => Verdict::when(node.index_in_parent() == *index),
            Self::AnyOf(groups) => {
                let best = groups.iter().map(|group| group_closeness(group, node));
                match best.fold(0.0, f32::max) {
                    closeness if closeness >= 1.0 => Verdict::Holds,
                    closeness if closeness > 0.0 => Verdict::Like(Likeness::Alike(closeness)),
                    _ => Verdict::Fails,
                }
            }
        }
    }

    /// What is wrong with the node; `None` where nothing is.
    fn failure(&self, node: Node<'_>) -> Option<String> {
        let verdict = self.verdict(node);
        if matches!(verdict, Verdict::Holds) {
            return None;
        }
        let how = |field: &str, elsewhere: &str| match &verdict {
            Verdict::Like(Likeness::ElsewhereOnNode) => {
                format!("that is its {elsewhere}, not its {field}")
            }
            Verdict::Like(likeness) => format!("{field} {likeness}"),
            _ => format!("{field} differs"),
        };
        let is_or_not = |on: &bool, what: &str| format!("{}{what}", if *on { "not " } else { "" });
        Some(match self {
            Self::Text(_) => how("text", "description"),
            Self::Description(_) => how("description", "text"),
            Self::Id(..) if node.resource_id().is_empty() => "it has no id".to_owned(),
            Self::Id(..) => format!("id is \"{}\"", cut(node.resource_id(), LABEL_CHARS * 2)),
            Self::Role(name) => {
                format!("role is \"{}\" not \"{}\"", Role::of(node).name(), cut(name, LABEL_CHARS))
            }
            Self::Class(_) => format!("class is \"{}\"", cut(node.class(), LABEL_CHARS * 2)),
            Self::Clickable(on) => is_or_not(on, "clickable"),
            Self::Enabled(on) => is_or_not(on, "enabled"),
            Self::Selected(on) => is_or_not(on, "selected"),
            Self::Index(index) => format!("index is {} not {index}", node.index_in_parent()),
            Self::AnyOf(groups) => {
                let best = groups
                    .iter()
                    .max_by(|a, b| group_closeness(a, node).total_cmp(&group_closeness(b, node)));
                let failed = best?.iter().find_map(|field| field.failure(node))?;
                format!("of the alternatives: {failed}")
            }
        })
    }
}

/// The part of a resource id after its package.
fn name_of(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(_, name)| name)
}

/// How much of an alternative holds, from nothing to all of it.
#[allow(clippy::cast_precision_loss, reason = "a handful of fields")]
fn group_closeness(group: &[Field<'_>], node: Node<'_>) -> f32 {
    let sum: f32 = group.iter().map(|field| field.verdict(node).closeness()).sum();
    sum / group.len().max(1) as f32
}

#[cfg(test)]
mod tests;
