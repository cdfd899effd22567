//! Screens of other phones: what `uiautomator dump` wrote down, as a screen, and a folder of such
//! files as an app that can be played through.
//!
//! The files may come from anywhere. Nothing is trusted: sizes are limited before anything is
//! built, document types are refused, and nothing recurses while it reads.

mod error;

pub use error::{ImportError, ImportProblem};

use crate::app::{App, Body, Label, Page};
use clawperator_runtime::screen::{Bounds, Flags, NodeSpec, WindowSpec};
use roxmltree::{Document, Node, ParsingOptions, TextPos};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Largest file. Dumps of the fullest screens are a tenth of it.
pub const MOST_BYTES: usize = 8 << 20;

/// Most nodes of a dump.
pub const MOST_NODES: u32 = 20_000;

/// Deepest nesting. Layouts of real apps stay below 60.
pub const MOST_DEPTH: usize = 200;

/// Most dumps of a folder.
pub const MOST_FILES: usize = 1_000;

/// Reads one dump; the name is for errors. All its windows become one.
pub fn screen(file: &str, xml: &str) -> Result<WindowSpec, ImportError> {
    let error = |place: TextPos, problem| ImportError {
        file: file.to_owned(),
        place: (place.row, place.col),
        problem,
    };
    if xml.len() > MOST_BYTES {
        return Err(error(TextPos::new(0, 0), ImportProblem::TooLarge));
    }
    // More than that, because the blanks between them count too.
    let options = ParsingOptions { nodes_limit: 3 * MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(xml, options).map_err(|bad| {
        let problem = match bad {
            roxmltree::Error::DtdDetected => ImportProblem::DocumentType,
            roxmltree::Error::NodesLimitReached => ImportProblem::TooManyNodes,
            ref other => ImportProblem::NotXml(other.to_string()),
        };
        let place = match bad {
            roxmltree::Error::UnexpectedEndOfStream => end_of(xml),
            _ => bad.pos(),
        };
        error(place, problem)
    })?;
    let at = |node: Node<'_, '_>| document.text_pos_at(node.range().start);
    let hierarchy = document.root_element();
    if hierarchy.tag_name().name() != "hierarchy" {
        return Err(error(at(hierarchy), ImportProblem::NoHierarchy));
    }
    let mut builder = Builder { open: vec![(hierarchy, NodeSpec::default())], nodes: 0 };
    for node in hierarchy.descendants().skip(1).filter(|node| node.has_tag_name("node")) {
        builder.node(node).map_err(|problem| error(at(node), problem))?;
    }
    let mut roots = builder.finish();
    let root = match roots.len() {
        0 => return Err(error(at(hierarchy), ImportProblem::NoNodes)),
        1 => roots.remove(0),
        _ => around(roots),
    };
    Ok(WindowSpec::application(root))
}

/// Where a text ends.
fn end_of(text: &str) -> TextPos {
    let last = text.rsplit('\n').next().unwrap_or_default();
    let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
    let lines = text.bytes().filter(|byte| *byte == b'\n').count();
    TextPos::new(number(lines), number(last.chars().count()))
}

/// Several windows in one.
fn around(roots: Vec<NodeSpec>) -> NodeSpec {
    let bounds = roots.iter().fold(Bounds::default(), |all, root| Bounds {
        left: all.left.min(root.bounds.left),
        top: all.top.min(root.bounds.top),
        right: all.right.max(root.bounds.right),
        bottom: all.bottom.max(root.bounds.bottom),
    });
    let package = roots.first().map(|root| root.package.clone()).unwrap_or_default();
    let class = "android.widget.FrameLayout".to_owned();
    NodeSpec { bounds, package, class, children: roots, ..NodeSpec::default() }
}

/// Nodes that are not closed yet, the innermost last; the first stands for the whole.
struct Builder<'d> {
    open: Vec<(Node<'d, 'd>, NodeSpec)>,
    nodes: u32,
}

impl<'d> Builder<'d> {
    fn node(&mut self, node: Node<'d, 'd>) -> Result<(), ImportProblem> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(ImportProblem::TooManyNodes);
        }
        // Document order: everything that does not hold this node is complete.
        while self.open.len() > 1
            && self.open.last().is_some_and(|(up, _)| Some(*up) != parent(node))
        {
            self.close();
        }
        if self.open.len() > MOST_DEPTH {
            return Err(ImportProblem::TooDeep);
        }
        self.open.push((node, spec(node)?));
        Ok(())
    }

    fn close(&mut self) {
        if let Some((_, spec)) = self.open.pop()
            && let Some((_, up)) = self.open.last_mut()
        {
            up.children.push(spec);
        }
    }

    fn finish(mut self) -> Vec<NodeSpec> {
        while self.open.len() > 1 {
            self.close();
        }
        self.open.pop().map(|(_, all)| all.children).unwrap_or_default()
    }
}

/// The node around this one, passing over elements that are none.
fn parent<'d>(node: Node<'d, 'd>) -> Option<Node<'d, 'd>> {
    node.ancestors().skip(1).find(|up| up.has_tag_name("node") || up.has_tag_name("hierarchy"))
}

fn spec(node: Node<'_, '_>) -> Result<NodeSpec, ImportProblem> {
    let text = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
    let class = text("class");
    let mut flags = Flags::VISIBLE;
    for (name, flag) in [
        ("checkable", Flags::CHECKABLE),
        ("checked", Flags::CHECKED),
        ("clickable", Flags::CLICKABLE),
        ("enabled", Flags::ENABLED),
        ("focusable", Flags::FOCUSABLE),
        ("focused", Flags::FOCUSED),
        ("scrollable", Flags::SCROLLABLE),
        ("long-clickable", Flags::LONG_CLICKABLE),
        ("password", Flags::PASSWORD),
        ("selected", Flags::SELECTED),
    ] {
        if node.attribute(name) == Some("true") {
            flags = flags.with(flag);
        }
    }
    // Dumps do not say what can be typed into; the class does.
    if class.contains("EditText") || class.contains("AutoCompleteTextView") {
        flags = flags.with(Flags::EDITABLE).with(Flags::SETS_TEXT);
    }
    Ok(NodeSpec {
        text: text("text"),
        description: text("content-desc"),
        resource_id: text("resource-id"),
        package: text("package"),
        class,
        flags,
        bounds: bounds(node.attribute("bounds").unwrap_or("[0,0][0,0]"))?,
        ..NodeSpec::default()
    })
}

/// `[left,top][right,bottom]`
fn bounds(text: &str) -> Result<Bounds, ImportProblem> {
    let bad = || ImportProblem::BadBounds(text.chars().take(40).collect());
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(bad)?;
    let (from, to) = inner.split_once("][").ok_or_else(bad)?;
    let corner = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some((x.trim().parse::<i32>().ok()?, y.trim().parse::<i32>().ok()?))
    };
    let ((left, top), (right, bottom)) = (corner(from).zip(corner(to))).ok_or_else(bad)?;
    Ok(Bounds::new(left, top, right, bottom))
}

/// Makes an app of dumps in this order: a click leads to the next one, back to the one before.
pub fn app(package: &str, label: &str, dumps: &[(String, String)]) -> Result<App, ImportError> {
    let whole = |problem| ImportError { file: label.to_owned(), place: (0, 0), problem };
    if dumps.is_empty() {
        return Err(whole(ImportProblem::NoFiles));
    }
    if dumps.len() > MOST_FILES {
        return Err(whole(ImportProblem::TooManyFiles));
    }
    // Numbered, so that two files of one name stay two screens.
    let name = |number: usize| format!("screen_{number:04}");
    let mut screens = BTreeMap::new();
    for (number, (file, xml)) in dumps.iter().enumerate() {
        let window = Arc::new(screen(file, xml)?);
        let next = (number + 1 < dumps.len()).then(|| name(number + 1));
        let page = Page {
            name: name(number),
            title: Label::plain(file),
            body: Body::Dump { window, next },
            ..Page::default()
        };
        screens.insert(name(number), Arc::new(page));
    }
    Ok(App {
        package: package.to_owned(),
        label: label.to_owned(),
        version: "1.0".into(),
        entry: name(0),
        home: false,
        answers: Vec::new(),
        state: Default::default(),
        screens,
        dialogs: BTreeMap::new(),
    })
}

/// Makes an app of all `*.xml` of a folder, in the order of their names.
pub fn folder(package: &str, label: &str, folder: &Path) -> Result<App, ImportError> {
    let unreadable = |path: &Path, why: std::io::Error| ImportError {
        file: path.display().to_string(),
        place: (0, 0),
        problem: ImportProblem::Unreadable(why.to_string()),
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|why| unreadable(folder, why))? {
        let path = entry.map_err(|why| unreadable(folder, why))?.path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut dumps = Vec::new();
    for path in paths.iter().take(MOST_FILES + 1) {
        let size = fs::metadata(path).map_err(|why| unreadable(path, why))?.len();
        if size > MOST_BYTES as u64 {
            let file = path.display().to_string();
            return Err(ImportError { file, place: (0, 0), problem: ImportProblem::TooLarge });
        }
        let xml = fs::read_to_string(path).map_err(|why| unreadable(path, why))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        dumps.push((name.unwrap_or_default(), xml));
    }
    app(package, label, &dumps)
}

#[cfg(test)]
mod tests;
