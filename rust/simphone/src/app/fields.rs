//! Reads maps key by key: each key once, none left over, every error with its place.

use super::error::{AppError, Problem};
use super::value::{Condition, ConditionError, ITEM_NUMBER, Label, State, Value};
use clawperator_tree::{Node, Place, Tree};
use std::collections::BTreeSet;

/// What is known of an app while the rest of it is read.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) file: String,
    pub(super) state: State,
    pub(super) screens: BTreeSet<String>,
    pub(super) dialogs: BTreeSet<String>,
}

/// A value, and the way to it.
#[derive(Clone)]
pub(super) struct At<'a> {
    pub(super) names: &'a Names,
    pub(super) tree: &'a Tree,
    pub(super) field: String,
}

impl<'a> At<'a> {
    pub(super) fn error(&self, problem: Problem) -> AppError {
        fault(self.names, self.tree.place, self.field.clone(), problem)
    }

    /// The same way, one key further.
    pub(super) fn below(&self, key: &str, tree: &'a Tree) -> Self {
        let field =
            if self.field.is_empty() { key.to_owned() } else { format!("{}.{key}", self.field) };
        Self { names: self.names, tree, field }
    }

    pub(super) fn fields(&self) -> Result<Fields<'a>, AppError> {
        match &self.tree.node {
            Node::Map(entries) => {
                Ok(Fields { at: self.clone(), entries, used: BTreeSet::new(), asked: Vec::new() })
            }
            _ => Err(self.error(Problem::Expected("a map"))),
        }
    }

    /// The entries of a list, or the one value that stands in its place.
    pub(super) fn items(&self) -> Vec<Self> {
        match &self.tree.node {
            Node::List(items) => (0..)
                .zip(items)
                .map(|(number, tree)| Self {
                    names: self.names,
                    tree,
                    field: format!("{}[{number}]", self.field),
                })
                .collect(),
            Node::Null => Vec::new(),
            _ => vec![self.clone()],
        }
    }

    /// The entries of a map whose keys are names.
    pub(super) fn entries(&self) -> Result<Vec<(String, Self)>, AppError> {
        let Node::Map(entries) = &self.tree.node else {
            return Err(self.error(Problem::Expected("a map")));
        };
        let named = |(key, value): &'a (Tree, Tree)| {
            let name = key
                .scalar()
                .ok_or_else(|| self.below("?", key).error(Problem::Expected("a name")))?;
            Ok((name.clone(), self.below(&name, value)))
        };
        entries.iter().map(named).collect()
    }

    pub(super) fn text(&self) -> Result<String, AppError> {
        self.tree.scalar().ok_or_else(|| self.error(Problem::Expected("a text")))
    }

    pub(super) fn number(&self) -> Result<i64, AppError> {
        match self.tree.node {
            Node::Int(number) => Ok(number),
            _ => Err(self.error(Problem::Expected("a whole number"))),
        }
    }

    /// A number of things or of milliseconds.
    pub(super) fn count(&self) -> Result<u32, AppError> {
        let number = self.number()?;
        u32::try_from(number)
            .ok()
            .filter(|count| *count <= 1_000_000)
            .ok_or_else(|| self.error(Problem::Expected("a number from 0 to 1000000")))
    }

    pub(super) fn flag(&self) -> Result<bool, AppError> {
        match self.tree.node {
            Node::Bool(yes) => Ok(yes),
            _ => Err(self.error(Problem::Expected("true or false"))),
        }
    }

    pub(super) fn value(&self) -> Result<Value, AppError> {
        match &self.tree.node {
            Node::Bool(yes) => Ok(Value::Bool(*yes)),
            Node::Int(number) => Ok(Value::Int(*number)),
            Node::Text(text) => Ok(Value::Text(text.clone())),
            _ => Err(self.error(Problem::Expected("true, false, a whole number or a text"))),
        }
    }

    pub(super) fn label(&self) -> Result<Label, AppError> {
        let label =
            Label::parse(&self.text()?).map_err(|why| self.error(Problem::BadLabel(why)))?;
        for name in label.variables() {
            if name != ITEM_NUMBER && !self.names.state.contains_key(name) {
                return Err(self.no_state(name));
            }
        }
        Ok(label)
    }

    /// A variable that holds values like `like`.
    pub(super) fn state(&self, like: &Value) -> Result<String, AppError> {
        let name = self.text()?;
        match self.names.state.get(&name) {
            None => Err(self.no_state(&name)),
            Some(value) if !value.is_like(like) => {
                Err(self.error(Problem::WrongState { name, needs: like.kind() }))
            }
            Some(_) => Ok(name),
        }
    }

    pub(super) fn condition(&self) -> Result<Condition, AppError> {
        Condition::parse(&self.text()?, &self.names.state).map_err(|error| match error {
            ConditionError::UnknownState(name) => self.no_state(&name),
            ConditionError::WrongKind(name, needs) => self.error(Problem::BadCondition(format!(
                "\"{name}\" is compared with something that is not {needs}"
            ))),
        })
    }

    fn no_state(&self, name: &str) -> AppError {
        let known = self.names.state.keys().cloned().collect();
        self.error(Problem::Unknown { what: "state variable", name: name.to_owned(), known })
    }

    /// The name of one of these.
    pub(super) fn one_of(
        &self,
        what: &'static str,
        known: &BTreeSet<String>,
    ) -> Result<String, AppError> {
        let name = self.text()?;
        if known.contains(&name) {
            return Ok(name);
        }
        Err(self.error(Problem::Unknown { what, name, known: known.iter().cloned().collect() }))
    }
}

pub(super) fn fault(names: &Names, place: Place, field: String, problem: Problem) -> AppError {
    AppError { file: names.file.clone(), line: place.line, column: place.column, field, problem }
}

/// A map that is being read.
pub(super) struct Fields<'a> {
    pub(super) at: At<'a>,
    entries: &'a [(Tree, Tree)],
    used: BTreeSet<&'static str>,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The first key and its value.
    pub(super) fn first(&self) -> Result<(&'a str, At<'a>), AppError> {
        let (key, value) =
            self.entries.first().ok_or_else(|| self.at.error(Problem::Expected("some keys")))?;
        let name = key.text().ok_or_else(|| self.at.error(Problem::Expected("a word as key")))?;
        Ok((name, self.at.below(name, value)))
    }

    pub(super) fn get(&mut self, key: &'static str) -> Option<At<'a>> {
        self.asked.push(key);
        let (_, value) = self.entries.iter().find(|(name, _)| name.text() == Some(key))?;
        self.used.insert(key);
        Some(self.at.below(key, value))
    }

    pub(super) fn need(&mut self, key: &'static str) -> Result<At<'a>, AppError> {
        self.get(key).ok_or_else(|| self.at.error(Problem::Missing(key)))
    }

    /// A key read in some way, where it is given.
    pub(super) fn read<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&At<'a>) -> Result<T, AppError>,
    ) -> Result<Option<T>, AppError> {
        self.get(key).map(|at| read(&at)).transpose()
    }

    /// Sees to it that no key is left over.
    pub(super) fn done(self) -> Result<(), AppError> {
        for (key, _) in self.entries {
            let name = key.scalar().unwrap_or_default();
            if !self.used.contains(name.as_str()) {
                let known = self.asked.iter().map(|key| (*key).to_owned()).collect();
                let at = self.at.below(&name, key);
                return Err(at.error(Problem::UnknownKey { key: name, known }));
            }
        }
        Ok(())
    }
}
