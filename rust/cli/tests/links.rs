//! Links in the documentation lead somewhere.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use support::{Place, lines, name, pages, root};

/// The lines of a page outside of fenced blocks, without inline code.
fn prose(page: &str) -> Vec<String> {
    let prose = lines(page).into_iter().filter(|(place, _)| *place == Place::Prose);
    prose.map(|(_, line)| line.split('`').step_by(2).collect::<Vec<_>>().join("code")).collect()
}

/// The targets of `[text](target)` and `[text]: target`.
fn links(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    for line in prose(page) {
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        links.extend(inline.map(|link| link.split(' ').next().unwrap_or_default().to_owned()));
        let definition = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        links.extend(definition.map(|(_, target)| target.trim().to_owned()));
    }
    links
}

/// The anchors a page offers, made from its headings as the forges make them.
fn anchors(page: &str) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let prose = lines(page).into_iter().filter(|(place, _)| *place == Place::Prose);
    let headings = prose.filter_map(|(_, line)| {
        let text = line.trim_start_matches('#');
        (text.len() < line.len() && text.starts_with(' ')).then(|| text.trim())
    });
    headings
        .map(|heading| {
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            let anchor = kept.collect::<String>().to_lowercase().replace(' ', "-");
            let count = seen.entry(anchor.clone()).or_default();
            *count += 1;
            if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
        })
        .collect()
}

/// Why a link of `page` leads nowhere.
fn broken(page: &Path, link: &str) -> Option<String> {
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (link, None),
    };
    let target: PathBuf =
        if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
    if !target.exists() {
        return Some("there is no such file".into());
    }
    let inside = target.canonicalize().unwrap().starts_with(root());
    if !inside {
        return Some("it leads out of the repository".into());
    }
    let anchor = anchor.filter(|_| target.extension().is_some_and(|kind| kind == "md"))?;
    let offered = anchors(&fs::read_to_string(&target).unwrap());
    (!offered.iter().any(|name| name == anchor))
        .then(|| format!("no heading makes that anchor; there are {}", offered.join(", ")))
}

#[test]
fn every_relative_link_of_the_documentation_leads_somewhere() {
    let mut wrong = Vec::new();
    for page in pages("", false).into_iter().chain(pages("docs", true)) {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let elsewhere = link.contains("://") || link.starts_with("mailto:");
            if let Some(why) = broken(&page, &link).filter(|_| !elsewhere) {
                wrong.push(format!("{}: {link}: {why}", name(&page)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn links_and_anchors_are_read_as_the_forges_read_them() {
    let page = "# One `two_three`\n## Again\n## Again\n[a](b.md#c) and [d](#e \"title\") `[x](y)`\n\
                ```text\n# no heading, [no](link)\n```\n[f]: g.md\n";
    assert_eq!(links(page), ["b.md#c", "#e", "g.md"]);
    assert_eq!(anchors(page), ["one-two_three", "again", "again-1"]);
}
