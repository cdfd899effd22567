//! Reads values out of trees and notes what is wrong with them, all of it, not only the first.

use super::words::Word;
use crate::problem::{Place, Problem, Problems};
use clawperator_contract::{ErrorCode, suggest};
use clawperator_tree::{Node, Tree};

/// The rules a document is held to, as the documentation names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Frontmatter,
    Taxonomy,
    SessionPolicy,
    StepBlock,
    StepType,
    SelectorKeys,
    Verification,
    Literals,
    Inputs,
    Outputs,
    Capabilities,
}

impl Rule {
    /// All of them, in the order of the documentation.
    pub(crate) const ALL: [(Self, &'static str); 11] = [
        (Self::Frontmatter, "frontmatter"),
        (Self::Taxonomy, "taxonomy"),
        (Self::SessionPolicy, "session_policy"),
        (Self::StepBlock, "step_block"),
        (Self::StepType, "step_type"),
        (Self::SelectorKeys, "selector_keys"),
        (Self::Verification, "verification"),
        (Self::Literals, "literals"),
        (Self::Inputs, "inputs"),
        (Self::Outputs, "outputs"),
        (Self::Capabilities, "capabilities"),
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(rule, _)| *rule == self).map_or("", |(_, name)| name)
    }
}

/// A document that is being read.
pub(crate) struct Reader<'a> {
    pub(crate) problems: Problems<'a>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(file: &'a str, text: &'a str) -> Self {
        Self { problems: Problems::new(file, text) }
    }

    /// Notes what breaks a rule of the language.
    pub(crate) fn error(
        &mut self,
        rule: Rule,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Problem {
        self.problems.error(ErrorCode::RecipeInvalid, rule.name(), place, message)
    }

    fn wrong(&mut self, tree: &Tree, key: &str, wanted: &str, rule: Rule) {
        self.error(rule, tree.place, format!("{key} must be {wanted}, not {}", tree.kind()));
    }

    /// A text that says something.
    pub(crate) fn text<'t>(&mut self, tree: &'t Tree, key: &str, rule: Rule) -> Option<&'t str> {
        match &tree.node {
            Node::Text(text) if text.trim().is_empty() => {
                self.error(rule, tree.place, format!("{key} must not be blank"));
                None
            }
            Node::Text(text) => Some(text),
            Node::Int(_) | Node::Fraction(_) | Node::Bool(_) => {
                self.wrong(tree, key, "a text", rule);
                self.hint("put it in quotes");
                None
            }
            _ => {
                self.wrong(tree, key, "a text", rule);
                None
            }
        }
    }

    /// A hint for the problem noted last.
    pub(crate) fn hint(&mut self, hint: impl Into<String>) {
        if let Some(last) = self.problems.last() {
            last.hint = Some(hint.into());
        }
    }

    pub(crate) fn flag(&mut self, tree: &Tree, key: &str, rule: Rule) -> Option<bool> {
        let Node::Bool(yes) = tree.node else {
            self.wrong(tree, key, "true or false", rule);
            return None;
        };
        Some(yes)
    }

    /// A whole number from 0 up.
    pub(crate) fn count(&mut self, tree: &Tree, key: &str, rule: Rule) -> Option<u64> {
        let number = match tree.node {
            Node::Int(number) => u64::try_from(number).ok(),
            _ => None,
        };
        if number.is_none() {
            self.wrong(tree, key, "a whole number from 0 up", rule);
        }
        number
    }

    pub(crate) fn number(&mut self, tree: &Tree, key: &str, rule: Rule) -> Option<f64> {
        let number = tree.to_json().as_f64();
        if number.is_none() {
            self.wrong(tree, key, "a number", rule);
        }
        number
    }

    /// One of a closed list.
    pub(crate) fn word<W: Word>(&mut self, tree: &Tree, key: &str, rule: Rule) -> Option<W> {
        let text = self.text(tree, key, rule)?;
        let found = W::from_word(text);
        if found.is_none() {
            let said = format!("\"{text}\" is no {key}; there are: {}", W::words().join(", "));
            self.error(rule, tree.place, said);
            if let Some(near) = suggest::nearest(text, W::words()) {
                self.hint(format!("did you mean \"{near}\"?"));
            }
        }
        found
    }

    pub(crate) fn list<'t>(&mut self, tree: &'t Tree, key: &str, rule: Rule) -> Option<&'t [Tree]> {
        let Node::List(items) = &tree.node else {
            self.wrong(tree, key, "a list", rule);
            return None;
        };
        Some(items)
    }

    pub(crate) fn texts(&mut self, tree: &Tree, key: &str, rule: Rule) -> Option<Vec<String>> {
        let items = self.list(tree, key, rule)?;
        let each = items.iter().map(|item| self.text(item, key, rule).map(str::to_owned));
        each.collect()
    }

    /// A map, to be read key by key.
    pub(crate) fn keys<'t>(&mut self, tree: &'t Tree, what: &str, rule: Rule) -> Option<Keys<'t>> {
        let Node::Map(entries) = &tree.node else {
            self.wrong(tree, what, "a map", rule);
            return None;
        };
        Some(Keys { place: tree.place, what: what.to_owned(), entries, asked: Vec::new(), rule })
    }
}

/// A map that is being read: no key may be left over.
pub(crate) struct Keys<'t> {
    pub(crate) place: Place,
    what: String,
    entries: &'t [(Tree, Tree)],
    asked: Vec<&'static str>,
    rule: Rule,
}

impl<'t> Keys<'t> {
    pub(crate) fn get(&mut self, key: &'static str) -> Option<&'t Tree> {
        self.asked.push(key);
        let named = |(name, _): &&(Tree, Tree)| name.text() == Some(key);
        self.entries.iter().find(named).map(|(_, value)| value)
    }

    pub(crate) fn need(&mut self, key: &'static str, reader: &mut Reader<'_>) -> Option<&'t Tree> {
        let found = self.get(key).filter(|tree| !matches!(tree.node, Node::Null));
        if found.is_none() {
            let said = format!("{} lacks the key \"{key}\"", self.what);
            reader.error(self.rule, self.place, said);
        }
        found
    }

    /// Names the keys nobody asked for. True if there are none.
    pub(crate) fn done(self, reader: &mut Reader<'_>) -> bool {
        let mut clean = true;
        for (key, _) in self.entries {
            let name = key.scalar().unwrap_or_default();
            if self.asked.contains(&name.as_str()) {
                continue;
            }
            clean = false;
            let said = format!("{} has no key \"{name}\"", self.what);
            reader.error(self.rule, key.place, said);
            let known = self.asked.join(", ");
            reader.hint(match suggest::nearest(&name, self.asked.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("known here: {known}"),
            });
        }
        clean
    }
}
