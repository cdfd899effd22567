//! Markdown as far as the tests of the documentation need it.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};

/// Set to write the documentation anew instead of checking it.
pub(crate) const UPDATE: &str = "UPDATE_DOCS";

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every Markdown file in `folder` of the repository, in a steady order.
pub(crate) fn pages(folder: &str, deep: bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && deep {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// How a failure names a page.
pub(crate) fn name(page: &Path) -> String {
    page.strip_prefix(root()).unwrap_or(page).display().to_string()
}

/// What a line of a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place<'a> {
    /// Text outside of fenced blocks.
    Prose,
    /// The line that opens a block of this language.
    Opens(&'a str),
    /// A line inside a block.
    Inside,
    /// The line that closes a block.
    Closes,
}

/// The lines of a page, each with its place.
pub(crate) fn lines(page: &str) -> Vec<(Place<'_>, &str)> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for line in page.lines() {
        let bare = line.trim();
        let place = match fence {
            None => match ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) {
                Some(mark) => {
                    fence = Some(mark);
                    Place::Opens(bare.trim_start_matches(['`', '~']))
                }
                None => Place::Prose,
            },
            Some(mark) if bare == mark => {
                fence = None;
                Place::Closes
            }
            Some(_) => Place::Inside,
        };
        lines.push((place, line));
    }
    lines
}
