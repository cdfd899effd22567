//! Tests of a recipe: what it is told, on which simulated phone, and how it must end.

use crate::problem::{Problem, Problems};
use crate::recipe::words::Capability;
use crate::recipe::{Reader, Rule};
use crate::run::{Outcome, Report};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_tree::{Node, Tree};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// One test of a recipe.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// Folder of app models, relative to the test's file.
    pub apps: Option<String>,
    /// Folder of recorded dumps, relative to the test's file.
    pub screens: Option<String>,
    /// Values of the recipe's inputs.
    pub inputs: BTreeMap<String, String>,
    /// What is said an explicit yes to.
    pub allow: Vec<Capability>,
    /// How it must end.
    pub expect: Expect,
}

/// How a run must end.
#[derive(Clone, Debug)]
pub struct Expect {
    /// Well, in part, or not.
    pub status: Outcome,
    /// The code it fails with.
    pub error: Option<String>,
    /// Outputs, before they are covered.
    pub outputs: Map<String, Value>,
    /// Optional steps that fail.
    pub skipped: Vec<String>,
}

/// The tests of a file.
#[derive(Clone, Debug)]
pub struct Cases {
    /// The recipe, relative to the file.
    pub recipe: String,
    /// The tests.
    pub cases: Vec<Case>,
}

impl Cases {
    /// Reads a file of tests.
    pub fn read(file: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let tree = Tree::parse(text).map_err(|(place, why)| {
            let mut problems = Problems::new(file, text);
            let said = format!("not YAML: {why}");
            problems.error(ErrorCode::RecipeInvalid, "test", place, said);
            problems.into_sorted()
        })?;
        let mut reader = Reader::new(file, text);
        let cases = whole(&tree, &mut reader);
        let problems = reader.problems.into_sorted();
        match cases {
            Some(cases) if problems.is_empty() => Ok(cases),
            _ => Err(problems),
        }
    }
}

const RULE: Rule = Rule::Frontmatter;

fn whole(tree: &Tree, reader: &mut Reader<'_>) -> Option<Cases> {
    let mut keys = reader.keys(tree, "the test", RULE)?;
    let recipe = keys.need("recipe", reader).and_then(|tree| reader.text(tree, "recipe", RULE));
    let list = keys.need("cases", reader).and_then(|tree| reader.list(tree, "cases", RULE));
    keys.done(reader);
    let cases: Vec<Option<Case>> = list?.iter().map(|tree| case(tree, reader)).collect();
    if cases.is_empty() {
        reader.error(RULE, tree.place, "a test needs at least one case");
    }
    Some(Cases { recipe: recipe?.to_owned(), cases: cases.into_iter().collect::<Option<_>>()? })
}

fn case(tree: &Tree, reader: &mut Reader<'_>) -> Option<Case> {
    let mut keys = reader.keys(tree, "a case", RULE)?;
    let name = keys.need("name", reader).and_then(|tree| reader.text(tree, "name", RULE));
    let mut folder = |key: &'static str, reader: &mut Reader<'_>| {
        keys.get(key).map_or(Some(None), |tree| {
            reader.text(tree, key, RULE).map(|text| Some(text.to_owned()))
        })
    };
    let (apps, screens) = (folder("apps", reader), folder("screens", reader));
    let inputs = keys.get("inputs").map_or(Some(BTreeMap::new()), |tree| inputs(tree, reader));
    let allow = keys.get("allow").map_or(Some(Vec::new()), |tree| {
        let items = reader.list(tree, "allow", RULE)?;
        items.iter().map(|item| reader.word(item, "allow", RULE)).collect()
    });
    let expect = keys.need("expect", reader).and_then(|tree| expect(tree, reader));
    keys.done(reader);
    Some(Case {
        name: name?.to_owned(),
        apps: apps?,
        screens: screens?,
        inputs: inputs?,
        allow: allow?,
        expect: expect?,
    })
}

fn inputs(tree: &Tree, reader: &mut Reader<'_>) -> Option<BTreeMap<String, String>> {
    reader.keys(tree, "inputs", RULE)?;
    let Node::Map(entries) = &tree.node else { return None };
    let value = |tree: &Tree| match &tree.node {
        Node::Fraction(number) => Some(number.to_string()),
        _ => tree.scalar(),
    };
    let pairs = entries.iter().map(|(key, tree)| {
        let found = key.scalar().zip(value(tree));
        if found.is_none() {
            reader.error(RULE, tree.place, "an input must be a single value");
        }
        found
    });
    pairs.collect()
}

fn expect(tree: &Tree, reader: &mut Reader<'_>) -> Option<Expect> {
    let mut keys = reader.keys(tree, "expect", RULE)?;
    let status = keys.need("status", reader).and_then(|tree| {
        let text = reader.text(tree, "status", RULE)?;
        let known = [Outcome::Success, Outcome::Partial, Outcome::Failed];
        let found = known.into_iter().find(|outcome| outcome.name() == text);
        if found.is_none() {
            let said = format!("\"{text}\" is no status; there are: success, partial, failed");
            reader.error(RULE, tree.place, said);
        }
        found
    });
    let error = keys.get("error").map_or(Some(None), |tree| {
        let text = reader.text(tree, "error", RULE)?;
        if text.parse::<ErrorCode>().is_err() {
            reader.error(RULE, tree.place, format!("there is no code \"{text}\""));
            return None;
        }
        Some(Some(text.to_owned()))
    });
    let outputs = keys.get("outputs").map_or(Some(Map::new()), |tree| {
        reader.keys(tree, "outputs", RULE)?;
        tree.to_json().as_object().cloned()
    });
    let skipped =
        keys.get("skipped").map_or(Some(Vec::new()), |tree| reader.texts(tree, "skipped", RULE));
    keys.done(reader);
    Some(Expect { status: status?, error: error?, outputs: outputs?, skipped: skipped? })
}

impl Expect {
    /// What did not come as it must; nothing if all did.
    #[must_use]
    pub fn differences(&self, ran: &Result<Report, Failure>) -> Vec<String> {
        let (status, code) = match ran {
            Ok(report) => (report.status, None),
            Err(failure) => (Outcome::Failed, Some(failure)),
        };
        let mut found = Vec::new();
        if status != self.status {
            let why = code.map_or(String::new(), |failure| format!(" ({failure})"));
            found.push(format!("it ended as {}, not {}{why}", status.name(), self.status.name()));
        }
        if let (Some(wanted), Some(failure)) = (&self.error, code)
            && failure.code.name() != wanted
        {
            found.push(format!("it failed with {failure}, not {wanted}"));
        }
        let Ok(report) = ran else { return found };
        for (name, wanted) in &self.outputs {
            match report.outputs.get(name) {
                Some(seen) if same(seen, wanted) => {}
                Some(seen) => found.push(format!("{name} is {seen}, not {wanted}")),
                None => found.push(format!("{name} is not there")),
            }
        }
        if report.skipped != self.skipped {
            found.push(format!("skipped: {:?}, not {:?}", report.skipped, self.skipped));
        }
        found
    }
}

/// 21 and 21.0 are one number.
fn same(seen: &Value, wanted: &Value) -> bool {
    match (seen.as_f64(), wanted.as_f64()) {
        (Some(seen), Some(wanted)) => (seen - wanted).abs() <= f64::EPSILON * wanted.abs(),
        _ => seen == wanted,
    }
}
