//! A screen as a recording keeps it, and finding nodes on it.
//!
//! The rules of matching are those of the phone, for the few keys a draft uses.

use std::collections::{BTreeMap, HashMap};

/// Lists whose entries belong to whoever uses the app.
const LISTS: [&str; 3] = ["RecyclerView", "ListView", "GridView"];

/// How much of two screens must be the same for them to be one screen in two states.
const SAME_SHARE: (usize, usize) = (6, 10);

/// Ids that Android itself gives: rows of every app have them.
const FRAMEWORK: &str = "android:id/";

/// A place on the screen: left, top, right, bottom.
pub type Bounds = [i64; 4];

/// One screen.
#[derive(Debug)]
pub(super) struct Screen {
    pub(super) nodes: Vec<Node>,
}

/// One node. Nodes stand in the order of the hierarchy.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) parent: Option<usize>,
    /// One past the last node inside it.
    pub(super) end: usize,
    pub(super) index: u64,
    pub(super) text: String,
    pub(super) id: String,
    pub(super) class: String,
    pub(super) package: String,
    pub(super) desc: String,
    pub(super) bounds: Bounds,
    pub(super) checkable: bool,
    pub(super) checked: bool,
    pub(super) clickable: bool,
    pub(super) selected: bool,
}

impl Node {
    /// What a person reads: the text, or the description where there is none.
    pub(super) fn label(&self) -> &str {
        if self.text.trim().is_empty() { &self.desc } else { &self.text }
    }

    /// Its id, if the app gave it.
    pub(super) fn own_id(&self) -> Option<&str> {
        Some(self.id.as_str()).filter(|id| !id.is_empty() && !id.starts_with(FRAMEWORK))
    }

    /// The last part of its class's name.
    pub(super) fn kind(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or_default()
    }

    /// Does it hold what somebody typed?
    pub(super) fn is_field(&self) -> bool {
        ["EditText", "AutoCompleteTextView"].iter().any(|kind| self.kind().ends_with(kind))
    }

    pub(super) fn is_list(&self) -> bool {
        LISTS.contains(&self.kind())
    }
}

/// What a selector of a draft asks for. All that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Query {
    pub(super) resource_id: Option<String>,
    pub(super) class: Option<String>,
    pub(super) text_equals: Option<String>,
    pub(super) text_contains: Option<String>,
    pub(super) content_desc_contains: Option<String>,
    pub(super) index_in_parent: Option<u64>,
}

impl Query {
    fn holds(&self, node: &Node) -> bool {
        let is = |wanted: &Option<String>, seen: &str| wanted.as_ref().is_none_or(|w| w == seen);
        let has = |wanted: &Option<String>, seen: &str| {
            wanted.as_ref().is_none_or(|wanted| folded(seen).contains(&folded(wanted)))
        };
        is(&self.resource_id, &node.id)
            && is(&self.class, &node.class)
            && is(&self.text_equals, node.label())
            && has(&self.text_contains, node.label())
            && has(&self.content_desc_contains, &node.desc)
            && self.index_in_parent.is_none_or(|index| index == node.index)
    }
}

/// Through upper case, so that `ß` and `SS` are the same letter twice over, as on the phone.
fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

impl Screen {
    /// Reads a screen; nothing where it cannot be read or is empty.
    pub(super) fn read(xml: &str) -> Option<Self> {
        let document = roxmltree::Document::parse(xml.trim_start()).ok()?;
        let mut nodes: Vec<Node> = Vec::new();
        let mut places = HashMap::new();
        for element in document.descendants().filter(|element| element.has_tag_name("node")) {
            let text = |name: &str| element.attribute(name).unwrap_or_default().to_owned();
            let flag = |name: &str| element.attribute(name) == Some("true");
            let parent = element.parent_element().and_then(|p| places.get(&p.id()).copied());
            places.insert(element.id(), nodes.len());
            nodes.push(Node {
                parent,
                end: nodes.len() + 1,
                index: element.attribute("index").and_then(|i| i.parse().ok()).unwrap_or(0),
                text: text("text"),
                id: text("resource-id"),
                class: text("class"),
                package: text("package"),
                desc: text("content-desc"),
                bounds: bounds(&text("bounds")).unwrap_or_default(),
                checkable: flag("checkable"),
                checked: flag("checked"),
                clickable: flag("clickable"),
                selected: flag("selected"),
            });
        }
        for at in (0..nodes.len()).rev() {
            if let Some(parent) = nodes[at].parent {
                nodes[parent].end = nodes[parent].end.max(nodes[at].end);
            }
        }
        (!nodes.is_empty()).then_some(Self { nodes })
    }

    /// Places of all nodes that fit, in the order of the hierarchy.
    pub(super) fn find(&self, query: &Query) -> Vec<usize> {
        let seen = |node: &Node| node.bounds[0] < node.bounds[2] && node.bounds[1] < node.bounds[3];
        let fits = |at: &usize| seen(&self.nodes[*at]) && query.holds(&self.nodes[*at]);
        (0..self.nodes.len()).filter(fits).collect()
    }

    /// The nodes around one, from the inside out, itself first.
    pub(super) fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(at), |at| self.nodes[*at].parent)
    }

    /// The entry of a list a node belongs to, and that list.
    pub(super) fn entry(&self, at: usize) -> Option<(usize, usize)> {
        let mut entry = at;
        for outer in self.around(at).skip(1) {
            if self.nodes[outer].is_list() {
                return Some((entry, outer));
            }
            entry = outer;
        }
        None
    }

    /// What a touch on this node reaches.
    pub(super) fn reached(&self, at: usize) -> usize {
        self.around(at).find(|at| self.nodes[*at].clickable).unwrap_or(at)
    }

    /// Nodes inside one that say something and cannot be clicked for themselves.
    pub(super) fn labels(&self, at: usize) -> impl Iterator<Item = usize> {
        let reached = self.reached(at);
        (at + 1..self.nodes[at].end).filter(move |inner| {
            !self.nodes[*inner].label().trim().is_empty() && self.reached(*inner) == reached
        })
    }

    /// Does it switch something, itself or by what is in it?
    pub(super) fn switches(&self, at: usize) -> bool {
        let reached = self.reached(at);
        (at..self.nodes[at].end)
            .any(|inner| self.nodes[inner].checkable && self.reached(inner) == reached)
    }

    /// Is the other one the same screen, perhaps in another state?
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let (part, whole) = SAME_SHARE;
        let mut kinds: BTreeMap<_, i64> = BTreeMap::new();
        for node in &self.nodes {
            *kinds.entry((&node.class, &node.id, node.label())).or_default() += 1;
        }
        let common = other.nodes.iter().filter(|node| {
            let left = kinds.entry((&node.class, &node.id, node.label())).or_default();
            *left -= 1;
            *left >= 0
        });
        common.count() * whole >= self.nodes.len().max(other.nodes.len()) * part
    }

    /// Nodes of this app in `later` that say something else than here: their places there, and what
    /// they said.
    pub(super) fn changed(&self, later: &Self, package: &str) -> Vec<(usize, &str)> {
        let differs = |old: &Node, new: &Node| {
            new.package == package
                && !new.is_field()
                && old.class == new.class
                && old.id == new.id
                && !old.label().trim().is_empty()
                && !new.label().trim().is_empty()
                && old.label() != new.label()
        };
        let pairs = (0..later.nodes.len()).filter_map(|at| {
            let old = self.counterpart(later, at)?;
            differs(old, &later.nodes[at]).then_some((at, old.label()))
        });
        pairs.collect()
    }

    /// The node here that is that one there. Where nodes came or went, places say nothing.
    fn counterpart(&self, later: &Self, at: usize) -> Option<&Node> {
        let new = later.nodes.get(at)?;
        if self.nodes.len() == later.nodes.len() {
            return self.nodes.get(at);
        }
        let query = Query { resource_id: new.own_id().map(str::to_owned), ..Query::default() };
        query.resource_id.as_ref()?;
        match (self.find(&query).as_slice(), later.find(&query).len()) {
            ([only], 1) => self.nodes.get(*only),
            _ => None,
        }
    }

    /// Does something in it stand otherwise switched here than there?
    pub(super) fn switched(&self, later: &Self) -> bool {
        self.nodes.len() == later.nodes.len()
            && self.nodes.iter().zip(&later.nodes).any(|(old, new)| old.checked != new.checked)
    }
}

/// `[0,63][1080,2274]`.
fn bounds(text: &str) -> Option<Bounds> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let mut numbers = inner.split("][").flat_map(|pair| pair.split(',')).map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some([next()?, next()?, next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = r#"<?xml version='1.0' encoding='UTF-8'?>
<hierarchy rotation="0"><node index="0" class="a.FrameLayout" bounds="[0,0][100,100]">
<node index="0" class="x.RecyclerView" bounds="[0,0][100,90]">
<node index="0" class="a.Row" clickable="true" bounds="[0,0][100,10]"><node index="0" text="One" bounds="[0,0][9,9]"/></node>
<node index="1" class="a.Row" clickable="true" bounds="[0,10][100,20]"><node index="0" text="Straße" bounds="[0,10][9,19]"/>
<node index="1" text="More" clickable="true" bounds="[50,10][60,19]"/><node index="2" checkable="true" bounds="[70,10][80,19]"/></node>
<node index="2" text="Gone" bounds="[0,20][0,20]"/></node></node></hierarchy>"#;

    fn text(text: &str) -> Query {
        Query { text_contains: Some(text.into()), ..Query::default() }
    }

    #[test]
    fn nodes_are_found_in_the_order_of_the_hierarchy_and_only_where_they_can_be_seen() {
        let screen = Screen::read(ROWS).unwrap();
        assert_eq!(screen.find(&text("STRASSE")), [5]);
        assert_eq!(screen.find(&text("Gone")), [0; 0]);
        assert_eq!(screen.find(&Query { index_in_parent: Some(1), ..Query::default() }), [4, 6]);
    }

    #[test]
    fn a_row_has_its_own_labels_and_not_those_of_its_buttons() {
        let screen = Screen::read(ROWS).unwrap();
        assert_eq!(screen.labels(4).collect::<Vec<_>>(), [5]);
        assert_eq!((screen.reached(5), screen.reached(6)), (4, 6));
        assert_eq!(screen.entry(5), Some((4, 1)));
        assert_eq!(screen.entry(1), None);
        assert!(screen.switches(4) && !screen.switches(2));
    }

    #[test]
    fn what_is_no_screen_is_none() {
        for xml in ["", "<a/>", "<hierarchy", "<hierarchy/>"] {
            assert!(Screen::read(xml).is_none(), "{xml}");
        }
    }
}
