//! What came of a click: did it only lead somewhere, or did something change?

use super::inputs::last_word;
use super::snapshot::{Query, Screen};
use regex_lite::{Regex, escape};

/// A number as screens write it.
const NUMBER: &str = "-?[0-9]+(?:[.,][0-9]+)?";

/// Why nothing is known of what came of a click.
pub(super) const NOT_RECORDED: &str = "what came of it was not recorded";

/// What came of a click.
#[derive(Debug)]
pub(super) enum Came {
    /// It only led somewhere.
    Led(&'static str),
    /// Something is otherwise than before.
    Changed {
        /// How that is known.
        why: &'static str,
        /// Where it can be read, if that was seen.
        value: Option<Value>,
    },
}

/// A value that changed, on the screen after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// What names it, whatever it says.
    pub(super) query: Query,
    /// Where it is looked for.
    pub(super) container: Option<Query>,
    /// What it said before and says now.
    pub(super) texts: [String; 2],
    /// A name for it.
    pub(super) name: String,
}

/// A click and what is known around it.
pub(super) struct Click<'a> {
    pub(super) before: &'a Screen,
    pub(super) at: usize,
    pub(super) after: Option<&'a Screen>,
    /// Screens since the last change, the newest at the end.
    pub(super) earlier: &'a [Screen],
    /// Did a window come?
    pub(super) window: bool,
    pub(super) package: &'a str,
}

impl Click<'_> {
    pub(super) fn came(&self) -> Came {
        let node = &self.before.nodes[self.at];
        if node.is_field() {
            return Came::Led("it puts the cursor into a field");
        }
        let switches = self.before.switches(self.at);
        let Some(after) = self.after else {
            return match (self.window, switches) {
                (true, false) => Came::Led("a window came of it"),
                _ => Came::Changed { why: NOT_RECORDED, value: None },
            };
        };
        if self.before.is_same(after) {
            return self.on_the_same_screen(after, switches);
        }
        let same = self.earlier.iter().rev().find(|screen| screen.is_same(after));
        let value = same.and_then(|same| value(same, after, self.package));
        match (switches, value) {
            (true, value) => Came::Changed { why: "it is something that is switched", value },
            (false, Some(value)) => Came::Changed {
                why: "it led back to a screen that says something else than before",
                value: Some(value),
            },
            (false, None) => Came::Led("another screen came of it"),
        }
    }

    fn on_the_same_screen(&self, after: &Screen, switches: bool) -> Came {
        let kept = after.nodes.get(self.at).filter(|_| !switches);
        if kept.is_some_and(|node| node.selected && !self.before.nodes[self.at].selected) {
            return Came::Led("it became the selected one");
        }
        let value = value(self.before, after, self.package);
        if switches || self.before.switched(after) {
            return Came::Changed { why: "it is something that is switched", value };
        }
        if value.is_some() || !self.before.changed(after, self.package).is_empty() {
            return Came::Changed { why: "the screen says something else after it", value };
        }
        if self.window {
            return Came::Led("a window came of it");
        }
        if self.before.nodes.len() != after.nodes.len() {
            return Came::Led("the screen shows more or less after it, and says nothing else");
        }
        Came::Changed { why: "nothing on the screen tells what it did", value: None }
    }
}

/// The changed value that can be named best without what it says.
fn value(before: &Screen, after: &Screen, package: &str) -> Option<Value> {
    let named = before.changed(after, package).into_iter().filter_map(|(at, old)| {
        let (query, container, rank) = name(after, at)?;
        let node = &after.nodes[at];
        let around = container.as_ref().and_then(|outer| outer.resource_id.as_deref());
        let name = node.own_id().or(around).and_then(last_word);
        let texts = [old.to_owned(), node.label().to_owned()];
        let name = name.unwrap_or_else(|| "value".to_owned());
        Some((rank, Value { query, container, texts, name }))
    });
    named.min_by_key(|(rank, _)| *rank).map(|(_, value)| value)
}

/// Names a node by anything but its text: its own id, its id inside something that has one of its
/// own, or its place. What stands in a list is named by none of these on another account.
fn name(screen: &Screen, at: usize) -> Option<(Query, Option<Query>, u8)> {
    if screen.entry(at).is_some() {
        return None;
    }
    let node = &screen.nodes[at];
    let by_id = |id: &str| Query { resource_id: Some(id.to_owned()), ..Query::default() };
    let first = |query: &Query, inside: std::ops::Range<usize>| {
        screen.find(query).into_iter().find(|found| inside.contains(found)) == Some(at)
    };
    let whole = 0..screen.nodes.len();
    if let Some(id) = node.own_id()
        && first(&by_id(id), whole.clone())
    {
        return Some((by_id(id), None, 0));
    }
    let own = match node.id.is_empty() {
        true => Query { class: Some(node.class.clone()), ..Query::default() },
        false => by_id(&node.id),
    };
    for outer in screen.around(at).skip(1) {
        let Some(id) = screen.nodes[outer].own_id() else { continue };
        let inside = outer..screen.nodes[outer].end;
        if screen.find(&by_id(id)).first() == Some(&outer) && first(&own, inside) {
            return Some((own, Some(by_id(id)), 1));
        }
    }
    let place = Query { index_in_parent: Some(node.index), ..own.clone() };
    [own, place].into_iter().find(|query| first(query, whole.clone())).map(|query| (query, None, 2))
}

impl Value {
    /// Is it a number, whatever stands around it?
    pub(super) fn is_number(&self) -> bool {
        let [_, now] = &self.texts;
        !now.contains(',') && Regex::new(NUMBER).is_ok_and(|n| n.find_iter(now).count() == 1)
    }

    /// What its text looks like after the change: any number in place of a number, either state of
    /// what is switched, and else the text itself.
    pub(super) fn pattern(&self, switched: bool) -> String {
        let [before, now] = &self.texts;
        if switched && !before.is_empty() {
            return format!("^(?:{}|{})$", escape(before), escape(now));
        }
        let form = Regex::new(NUMBER);
        let mut pattern = String::from("^");
        let mut from = 0;
        for number in form.iter().flat_map(|form| form.find_iter(now)) {
            pattern += &escape(&now[from..number.start()]);
            pattern += NUMBER;
            from = number.end();
        }
        pattern + &escape(&now[from..]) + "$"
    }
}
