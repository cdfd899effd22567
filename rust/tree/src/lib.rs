//! YAML and JSON as a tree in which every value knows its place.
//!
//! App models and recipes are written by people; what is wrong with them is said with the line it
//! is on. Every JSON text is also YAML, so there is one reader.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_saphyr::Spanned;
use std::fmt;

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// From 1; 0 where the whole file is meant.
    pub line: u64,
    /// From 1, in characters.
    pub column: u64,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub node: Node,
}

/// A value. Maps keep the order in which they were written.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Node {
    Null,
    Bool(bool),
    Int(i64),
    Fraction(f64),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

impl Tree {
    /// Reads a text; a failure says where and why.
    pub fn parse(text: &str) -> Result<Self, (Place, String)> {
        let mut options = serde_saphyr::Options::default();
        // "On" and "No" are words on a screen, not answers.
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
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Node::Map(entries) = &self.node else { return None };
        entries.iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }

    /// A text, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let Node::Text(text) = &self.node { Some(text) } else { None }
    }

    /// A scalar as it would be written. Not a number with a point: 2.40 would come out as 2.4.
    #[must_use]
    pub fn scalar(&self) -> Option<String> {
        match &self.node {
            Node::Text(text) => Some(text.clone()),
            Node::Int(number) => Some(number.to_string()),
            Node::Bool(yes) => Some(yes.to_string()),
            _ => None,
        }
    }
}

impl Tree {
    /// What it is, as a message names it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self.node {
            Node::Null => "nothing",
            Node::Bool(_) => "true or false",
            Node::Int(_) | Node::Fraction(_) => "a number",
            Node::Text(_) => "a text",
            Node::List(_) => "a list",
            Node::Map(_) => "a map",
        }
    }

    /// The same as JSON; keys that are no texts are written as such.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match &self.node {
            Node::Null => Value::Null,
            Node::Bool(yes) => Value::Bool(*yes),
            Node::Int(number) => Value::from(*number),
            Node::Fraction(number) => Value::from(*number),
            Node::Text(text) => Value::from(text.as_str()),
            Node::List(items) => items.iter().map(Self::to_json).collect(),
            Node::Map(entries) => entries
                .iter()
                .map(|(key, value)| (key.scalar().unwrap_or_default(), value.to_json()))
                .collect(),
        }
    }

    /// Moves every place, from one in a part of a file to one in the file.
    pub fn shift(&mut self, to: &impl Fn(Place) -> Place) {
        self.place = to(self.place);
        match &mut self.node {
            Node::List(items) => items.iter_mut().for_each(|item| item.shift(to)),
            Node::Map(entries) => entries.iter_mut().for_each(|(key, value)| {
                key.shift(to);
                value.shift(to);
            }),
            _ => {}
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

    fn visit_f64<E: Error>(self, number: f64) -> Result<Node, E> {
        Ok(Node::Fraction(number))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_its_line_and_column() {
        let tree = Tree::parse("a: 1\nb:\n  - x\n  - {c: 0.5}\n").unwrap();
        let list = tree.get("b").unwrap();
        let Node::List(items) = &list.node else { panic!("{list:?}") };
        assert_eq!(items[0].place, Place { line: 3, column: 5 });
        assert_eq!(items[1].get("c").unwrap().place, Place { line: 4, column: 9 });
        assert_eq!(tree.to_json(), serde_json::json!({"a": 1, "b": ["x", {"c": 0.5}]}));
    }

    #[test]
    fn json_is_read_as_what_it_means() {
        let text = "{\n\t\"path\": \"a\\/b\\u00eb\",\n\t\"party\": \"\\ud83c\\udf89\",\n\t\"on\": true, \"n\": -1.5e3, \"e\": [], \"o\": {}, \"z\": null\n}\n";
        let meant: Value = serde_json::from_str(text).unwrap();
        assert_eq!(Tree::parse(text).unwrap().to_json(), meant);
    }

    #[test]
    fn a_fault_says_where() {
        let (place, why) = Tree::parse("a: 1\na: [\n").unwrap_err();
        assert!(place.line >= 2, "{place:?} {why}");
        assert!(!why.contains('\n'), "{why}");
    }

    #[test]
    fn words_are_not_answers() {
        assert_eq!(
            Tree::parse("[on, No, yes]").unwrap().to_json(),
            serde_json::json!(["on", "No", "yes"])
        );
    }
}
