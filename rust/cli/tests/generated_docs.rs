//! The tables of the documentation stand in the code; the pages hold a copy that may not go stale.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[path = "support/help.rs"]
mod help;
mod support;
#[path = "support/tables.rs"]
mod tables;

use std::collections::HashSet;
use std::fs;
use support::{UPDATE, name, pages, root};

const BEGIN: &str = "<!-- generated: ";
const BEGIN_CLOSES: &str = " -->";
const END: &str = "<!-- end -->";

/// The page with every generated section as the code has it now.
fn renewed(page: &str, sections: &[tables::Section], used: &mut HashSet<String>) -> String {
    let mut anew = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (section, after) = after.split_once(BEGIN_CLOSES).expect("a marker that is closed");
        let (_, after) = after.split_once(END).unwrap_or_else(|| panic!("{section} has no end"));
        let found = sections.iter().find(|(name, _)| name == section);
        let (_, text) = found.unwrap_or_else(|| panic!("there is no section {section}"));
        used.insert(section.to_owned());
        anew += &format!("{before}{BEGIN}{section}{BEGIN_CLOSES}\n{text}{END}");
        rest = after;
    }
    anew + rest
}

#[test]
fn the_documentation_says_what_the_code_says() {
    let sections = tables::sections();
    let mut used = HashSet::new();
    let mut pages: Vec<_> = pages("docs", true)
        .into_iter()
        .map(|path| {
            let page = fs::read_to_string(&path).unwrap();
            let anew = renewed(&page, &sections, &mut used);
            (path, page, anew)
        })
        .collect();
    let errors = root().join("docs/errors.md");
    pages.retain(|(path, ..)| *path != errors);
    let page = fs::read_to_string(&errors).unwrap_or_default();
    pages.push((errors, page, tables::errors_page()));

    for (section, _) in &sections {
        assert!(used.contains(section), "no page has a place for the section {section}");
    }
    let stale: Vec<_> = pages.iter().filter(|(_, page, anew)| page != anew).collect();
    if std::env::var_os(UPDATE).is_some() {
        for (path, _, anew) in stale {
            fs::write(path, anew).unwrap();
        }
        return;
    }
    let names: Vec<_> = stale.iter().map(|(path, ..)| name(path)).collect();
    assert!(
        names.is_empty(),
        "stale: {}\nto write them anew: {UPDATE}=1 cargo test -p clawperator --test generated_docs",
        names.join(", ")
    );
}

#[test]
fn every_command_has_a_section_with_an_example() {
    let page = root().join("docs/reference/commands.md");
    let text = fs::read_to_string(&page).unwrap();
    let commands = help::commands(&help::of(&[]));
    assert!(commands.len() > 20, "{commands:?}");
    for (command, _) in commands {
        let heading = format!("\n### `{command}`\n");
        let (_, section) = text
            .split_once(&heading)
            .unwrap_or_else(|| panic!("{} has no section for {command}", name(&page)));
        let section = section.split("\n### ").next().unwrap_or_default();
        let typed = format!("$ clawperator {command}");
        assert!(section.contains(&typed), "the section of {command} has no example");
    }
}
