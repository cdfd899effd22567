//! YAML as a tree in which every value knows its place.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use std::fmt;

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) column: u64,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) place: Place,
    pub(super) node: Node,
}

/// A value. Maps keep the order in which they were written.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Int(i64),
    /// With a point; nothing in an app is one, so it is not kept.
    Fraction,
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

impl Tree {
    /// Reads a file.
    pub(super) fn parse(text: &str) -> Result<Self, (Place, String)> {
        let mut options = serde_saphyr::Options::default();
        // "On" and "No" are words in an app, not answers.
        options.strict_booleans = true;
        let read: Result<Spanned<Node>, _> = serde_saphyr::from_str_with_options(text, options);
        read.map(Self::from).map_err(|error| {
            let place = error
                .location()
                .map_or(Place::default(), |at| Place { line: at.line(), column: at.column() });
            // Without the excerpt of the file: the place says where, and a message is one line.
            (place, error.without_snippet().to_string())
        })
    }

    /// A map's value of that key.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Node::Map(entries) = &self.node else { return None };
        entries.iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Node::Text(text) = &self.node { Some(text) } else { None }
    }

    /// A scalar as it would be written.
    pub(super) fn scalar(&self) -> Option<String> {
        match &self.node {
            Node::Text(text) => Some(text.clone()),
            Node::Int(number) => Some(number.to_string()),
            Node::Bool(yes) => Some(yes.to_string()),
            _ => None,
        }
    }
}

impl From<Spanned<Node>> for Tree {
    fn from(spanned: Spanned<Node>) -> Self {
        let at = spanned.defined;
        Self { place: Place { line: at.line(), column: at.column() }, node: spanned.value }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, yes: bool) -> Result<Node, E> {
        Ok(Node::Bool(yes))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Node, E> {
        Ok(Node::Int(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Node, E> {
        i64::try_from(number).map(Node::Int).map_err(|_| E::custom("this number is too large"))
    }

    fn visit_f64<E: Error>(self, _number: f64) -> Result<Node, E> {
        Ok(Node::Fraction)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<Spanned<Node>>()? {
            items.push(item.into());
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries: Vec<(Tree, Tree)> = Vec::new();
        while let Some((key, value)) = map.next_entry::<Spanned<Node>, Spanned<Node>>()? {
            entries.push((key.into(), value.into()));
        }
        Ok(Node::Map(entries))
    }
}
