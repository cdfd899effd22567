//! Reads a whole app.

use super::error::{AppError, Problem};
use super::expand::expand;
use super::fields::{At, Names, fault};
use super::model::{Answer, App, Body, Kind, Page};
use super::read_widget::WidgetReader;
use super::value::Label;
use clawperator_tree::Tree;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Larger than any app a person writes.
const MOST_BYTES: usize = 1_000_000;

impl App {
    /// Reads an app from the text of a YAML file; the name is for errors.
    pub fn from_yaml(file: &str, text: &str) -> Result<Self, AppError> {
        let mut names = Names { file: file.to_owned(), ..Names::default() };
        let broken = |place, problem| fault(&names, place, String::new(), problem);
        if text.len() > MOST_BYTES {
            let problem = Problem::TooMany { what: "bytes", most: MOST_BYTES };
            return Err(broken(Default::default(), problem));
        }
        let tree =
            Tree::parse(text).map_err(|(place, why)| broken(place, Problem::NotYaml(why)))?;
        let tree = expand(&names, &tree)?;
        let root = At { names: &names, tree: &tree, field: String::new() };
        let found = Names {
            file: file.to_owned(),
            state: variables(&root)?,
            screens: keys(&root, "screens")?,
            dialogs: keys(&root, "dialogs")?,
        };
        names = found;
        app(&At { names: &names, tree: &tree, field: String::new() })
    }
}

fn variables(root: &At<'_>) -> Result<super::value::State, AppError> {
    let Some(tree) = root.tree.get("state") else { return Ok(Default::default()) };
    let entries = root.below("state", tree).entries()?;
    entries.into_iter().map(|(name, at)| Ok((name, at.value()?))).collect()
}

fn keys(root: &At<'_>, key: &str) -> Result<BTreeSet<String>, AppError> {
    let Some(tree) = root.tree.get(key) else { return Ok(BTreeSet::new()) };
    let mut names = BTreeSet::new();
    for (name, at) in root.below(key, tree).entries()? {
        if !names.insert(name.clone()) {
            // Only templates can make two of one name.
            return Err(at.error(Problem::Duplicate { what: "name", name }));
        }
    }
    Ok(names)
}

fn app(root: &At<'_>) -> Result<App, AppError> {
    let names = root.names;
    let mut fields = root.fields()?;
    let package = package(&fields.need("package")?)?;
    let mut app = App {
        package,
        label: fields.need("label")?.text()?,
        version: fields.read("version", At::text)?.unwrap_or_else(|| "1.0".into()),
        entry: fields.need("entry")?.one_of("screen", &names.screens)?,
        home: fields.read("home", At::flag)?.unwrap_or(false),
        answers: fields.read("answers", answers)?.unwrap_or_default(),
        state: names.state.clone(),
        screens: BTreeMap::new(),
        dialogs: BTreeMap::new(),
    };
    fields.get("state");
    for (name, at) in fields.need("screens")?.entries()? {
        app.screens.insert(name.clone(), Arc::new(page(&at, name, "actions", true)?));
    }
    if let Some(at) = fields.get("dialogs") {
        for (name, at) in at.entries()? {
            app.dialogs.insert(name.clone(), Arc::new(page(&at, name, "buttons", false)?));
        }
    }
    fields.done()?;
    Ok(app)
}

fn package(at: &At<'_>) -> Result<String, AppError> {
    let package = at.text()?;
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if package.contains('.') && package.split('.').all(part) {
        Ok(package)
    } else {
        Err(at.error(Problem::Expected("a package such as com.example.app")))
    }
}

fn answers(at: &At<'_>) -> Result<Vec<Answer>, AppError> {
    let entries = at.entries()?;
    let answer = |(prefix, at): (String, At<'_>)| {
        if !prefix.contains(':') {
            return Err(at.error(Problem::Expected("a scheme with its colon, such as \"shop:\"")));
        }
        Ok(Answer { prefix, screen: at.one_of("screen", &at.names.screens)? })
    };
    entries.into_iter().map(answer).collect()
}

fn page(at: &At<'_>, name: String, buttons: &'static str, toolbar: bool) -> Result<Page, AppError> {
    let mut ids = BTreeSet::new();
    let mut reader = WidgetReader { ids: &mut ids, depth: 0 };
    let mut fields = at.fields()?;
    let title = fields.read("title", At::label)?;
    let widgets = match fields.get("widgets") {
        Some(at) => reader.widgets(&at)?,
        None => Vec::new(),
    };
    let buttons = match fields.get(buttons) {
        Some(at) => {
            let widgets = reader.widgets(&at)?;
            if widgets.iter().any(|widget| !matches!(widget.kind, Kind::Button(_))) {
                return Err(at.error(Problem::Expected("buttons only")));
            }
            widgets
        }
        None => Vec::new(),
    };
    let page = Page {
        name,
        toolbar: toolbar && title.is_some(),
        title: title.unwrap_or_else(Label::default),
        secure: fields.read("secure", At::flag)?.unwrap_or(false),
        body: Body::Widgets(widgets),
        buttons,
    };
    fields.done()?;
    Ok(page)
}
