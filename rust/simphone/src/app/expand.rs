//! Templates: lists of widgets with `${holes}`, filled in where they are used.
//!
//! Three forms, all gone before anything else is read:
//! `{use: name, with: {hole: value}}` stands for the widgets of a template,
//! `{each: [{hole: value}, …], put: [widgets]}` for the widgets once for each record,
//! and a screen with `each` for one screen per record, its name with the holes filled too.

use super::error::{AppError, Problem};
use super::fields::{Names, fault};
use clawperator_tree::{Node, Tree};
use std::collections::BTreeMap;

/// More nodes than any readable app has; a template in a template multiplies.
const MOST_NODES: usize = 100_000;

/// Templates within templates.
const MOST_DEPTH: usize = 16;

type Holes = BTreeMap<String, String>;

/// Fills in every template of an app.
pub(super) fn expand(names: &Names, app: &Tree) -> Result<Tree, AppError> {
    let templates = app.get("templates");
    let mut expander = Expander { names, templates, nodes: 0 };
    let mut out = expander.tree(app, &Holes::new(), 0, "")?;
    if let Node::Map(entries) = &mut out.node {
        entries.retain(|(key, _)| key.text() != Some("templates"));
    }
    Ok(out)
}

struct Expander<'a> {
    names: &'a Names,
    templates: Option<&'a Tree>,
    nodes: usize,
}

impl<'a> Expander<'a> {
    fn error(&self, tree: &Tree, field: &str, problem: Problem) -> AppError {
        fault(self.names, tree.place, field.to_owned(), problem)
    }

    fn tree(
        &mut self,
        tree: &Tree,
        holes: &Holes,
        depth: usize,
        field: &str,
    ) -> Result<Tree, AppError> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            let problem = Problem::TooMany { what: "values", most: MOST_NODES };
            return Err(self.error(tree, field, problem));
        }
        let node = match &tree.node {
            Node::Text(text) if !holes.is_empty() => return Ok(filled(tree, text, holes)),
            Node::List(items) => {
                let mut out = Vec::with_capacity(items.len());
                for (number, item) in items.iter().enumerate() {
                    self.item(item, holes, depth, &format!("{field}[{number}]"), &mut out)?;
                }
                Node::List(out)
            }
            Node::Map(entries) => {
                let mut out = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let name = key.scalar().unwrap_or_default();
                    let below =
                        if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
                    // Their holes are filled where they are used.
                    if below == "templates" {
                        continue;
                    }
                    if field == "screens" && value.get("each").is_some() {
                        self.screens(key, value, depth, &below, &mut out)?;
                        continue;
                    }
                    let key = filled(key, &name, holes);
                    out.push((key, self.tree(value, holes, depth, &below)?));
                }
                Node::Map(out)
            }
            other => other.clone(),
        };
        Ok(Tree { place: tree.place, node })
    }

    /// An entry of a list, which may stand for several.
    fn item(
        &mut self,
        item: &Tree,
        holes: &Holes,
        depth: usize,
        field: &str,
        out: &mut Vec<Tree>,
    ) -> Result<(), AppError> {
        if depth > MOST_DEPTH {
            let problem =
                Problem::TooMany { what: "templates within each other", most: MOST_DEPTH };
            return Err(self.error(item, field, problem));
        }
        if let Some(name) = item.get("use") {
            let mut inner = holes.clone();
            if let Some(with) = item.get("with") {
                inner.extend(self.record(with, holes, &format!("{field}.with"))?);
            }
            self.only(item, &["use", "with"], field)?;
            let template = self.template(name, &format!("{field}.use"))?;
            return self.items(template, &inner, depth + 1, field, out);
        }
        if let (Some(records), Some(put)) = (item.get("each"), item.get("put")) {
            self.only(item, &["each", "put"], field)?;
            for record in self.records(records, holes, &format!("{field}.each"))? {
                self.items(put, &record, depth + 1, &format!("{field}.put"), out)?;
            }
            return Ok(());
        }
        out.push(self.tree(item, holes, depth, field)?);
        Ok(())
    }

    fn items(
        &mut self,
        list: &Tree,
        holes: &Holes,
        depth: usize,
        field: &str,
        out: &mut Vec<Tree>,
    ) -> Result<(), AppError> {
        let Node::List(items) = &list.node else {
            return Err(self.error(list, field, Problem::Expected("a list of widgets")));
        };
        for item in items {
            self.item(item, holes, depth, field, out)?;
        }
        Ok(())
    }

    fn screens(
        &mut self,
        key: &Tree,
        screen: &Tree,
        depth: usize,
        field: &str,
        out: &mut Vec<(Tree, Tree)>,
    ) -> Result<(), AppError> {
        let (Some(each), Node::Map(entries)) = (screen.get("each"), &screen.node) else {
            return Ok(());
        };
        let rest = entries.iter().filter(|(key, _)| key.text() != Some("each")).cloned().collect();
        let rest = Tree { place: screen.place, node: Node::Map(rest) };
        for record in self.records(each, &Holes::new(), &format!("{field}.each"))? {
            let name = filled(key, &key.scalar().unwrap_or_default(), &record);
            out.push((name, self.tree(&rest, &record, depth + 1, field)?));
        }
        Ok(())
    }

    fn template(&self, name: &Tree, field: &str) -> Result<&'a Tree, AppError> {
        let wanted = name.text().unwrap_or_default();
        let found = self.templates.and_then(|templates| templates.get(wanted));
        found.ok_or_else(|| {
            let known = match self.templates.map(|templates| &templates.node) {
                Some(Node::Map(all)) => all.iter().filter_map(|(key, _)| key.scalar()).collect(),
                _ => Vec::new(),
            };
            let problem = Problem::Unknown { what: "template", name: wanted.into(), known };
            self.error(name, field, problem)
        })
    }

    fn records(&self, list: &Tree, outer: &Holes, field: &str) -> Result<Vec<Holes>, AppError> {
        let Node::List(items) = &list.node else {
            return Err(self.error(list, field, Problem::Expected("a list of records")));
        };
        let record = |item: &Tree| {
            let mut holes = outer.clone();
            match item.scalar() {
                Some(text) => drop(holes.insert("it".to_owned(), fill(&text, outer))),
                None => holes.extend(self.record(item, outer, field)?),
            }
            Ok(holes)
        };
        items.iter().map(record).collect()
    }

    fn record(&self, map: &Tree, outer: &Holes, field: &str) -> Result<Holes, AppError> {
        let Node::Map(entries) = &map.node else {
            return Err(self.error(map, field, Problem::Expected("a map")));
        };
        let hole = |(key, value): &(Tree, Tree)| {
            let expected = |tree: &Tree| self.error(tree, field, Problem::Expected("a text"));
            let name = key.scalar().ok_or_else(|| expected(key))?;
            let text = value.scalar().ok_or_else(|| expected(value))?;
            Ok((name, fill(&text, outer)))
        };
        entries.iter().map(hole).collect()
    }

    fn only(&self, map: &Tree, known: &[&str], field: &str) -> Result<(), AppError> {
        let Node::Map(entries) = &map.node else { return Ok(()) };
        for (key, _) in entries {
            let name = key.scalar().unwrap_or_default();
            if !known.contains(&name.as_str()) {
                let known = known.iter().map(|key| (*key).to_owned()).collect();
                return Err(self.error(key, field, Problem::UnknownKey { key: name, known }));
            }
        }
        Ok(())
    }
}

/// A text with its holes filled. What is nothing but a hole takes the kind of what fills it, so
/// that a number stays one.
fn filled(tree: &Tree, text: &str, holes: &Holes) -> Tree {
    let out = fill(text, holes);
    let is_hole = text.starts_with("${") && text.find('}') == Some(text.len() - 1);
    let node = match out.as_str() {
        "true" if is_hole => Node::Bool(true),
        "false" if is_hole => Node::Bool(false),
        number if is_hole => number.parse().map_or(Node::Text(out), Node::Int),
        _ => Node::Text(out),
    };
    Tree { place: tree.place, node }
}

fn fill(text: &str, holes: &Holes) -> String {
    let mut out = text.to_owned();
    for (name, value) in holes {
        out = out.replace(&format!("${{{name}}}"), value);
    }
    out
}
