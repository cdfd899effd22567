//! A recipe's document: frontmatter and steps, each as a tree that knows its lines.

use super::reader::{Reader, Rule};
use crate::problem::Place;
use clawperator_tree::{Node, Tree};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};
use std::ops::Range;

/// What a document is made of, before any of it is understood.
pub(super) struct Document {
    pub(super) front: Tree,
    pub(super) steps: Vec<Block>,
}

/// One step: its heading and its block.
pub(super) struct Block {
    pub(super) title: Option<String>,
    pub(super) tree: Tree,
}

/// Reads a Markdown document.
pub(super) fn markdown(text: &str, reader: &mut Reader<'_>) -> Option<Document> {
    let Some((front, body)) = front_range(text) else {
        reader
            .error(Rule::Frontmatter, Place { line: 1, column: 1 }, "the frontmatter is missing")
            .hint = Some("begin the file with a line `---`, the fields, and another `---`".into());
        return None;
    };
    let front = yaml(text, front, reader, Rule::Frontmatter);
    let steps = blocks(text, body, reader);
    Some(Document { front: front?, steps })
}

/// Reads the JSON form: the same keys, and the steps in a list.
pub(super) fn json(text: &str, reader: &mut Reader<'_>) -> Option<Document> {
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) {
        let column = u64::try_from(error.column()).unwrap_or(1).max(1);
        let place = Place { line: u64::try_from(error.line()).unwrap_or(1), column };
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or_default();
        reader.error(Rule::Frontmatter, place, format!("not JSON: {said}"));
        return None;
    }
    let mut front = yaml(text, 0..text.len(), reader, Rule::Frontmatter)?;
    let mut steps = Vec::new();
    if let Node::Map(entries) = &mut front.node {
        let at = entries.iter().position(|(key, _)| key.text() == Some("steps"));
        match at.map(|at| entries.remove(at).1) {
            Some(Tree { node: Node::List(items), .. }) => {
                steps = items.into_iter().map(|tree| titled(tree, reader)).collect();
            }
            Some(other) => {
                let said = format!("steps must be a list, not {}", other.kind());
                reader.error(Rule::StepBlock, other.place, said);
            }
            None => {
                reader.error(Rule::StepBlock, front.place, "the key \"steps\" is missing");
            }
        }
    }
    Some(Document { front, steps })
}

/// In JSON the heading of a step is its key `title`.
fn titled(mut tree: Tree, reader: &mut Reader<'_>) -> Block {
    let mut title = None;
    if let Node::Map(entries) = &mut tree.node
        && let Some(at) = entries.iter().position(|(key, _)| key.text() == Some("title"))
    {
        title = reader.text(&entries.remove(at).1, "title", Rule::StepBlock).map(str::to_owned);
    }
    Block { title, tree }
}

/// The bytes of the frontmatter, and where the rest begins.
fn front_range(text: &str) -> Option<(Range<usize>, usize)> {
    let text_start = text.strip_prefix('\u{feff}').map_or(0, |rest| text.len() - rest.len());
    let mut lines = text[text_start..].split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == "---")?;
    let start = text_start + first.len();
    let mut at = start;
    for line in lines {
        if line.trim_end() == "---" {
            return Some((start..at, at + line.len()));
        }
        at += line.len();
    }
    None
}

/// The steps: every heading `Step …` and the one YAML block under it.
fn blocks(text: &str, from: usize, reader: &mut Reader<'_>) -> Vec<Block> {
    let mut steps = Vec::new();
    let mut heading: Option<Heading> = None;
    let mut words: Option<(HeadingLevel, Place, String)> = None;
    let mut code: Option<(Place, Range<usize>)> = None;
    for (event, range) in Parser::new(&text[from..]).into_offset_iter() {
        let range = range.start + from..range.end + from;
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                words = Some((level, place_of(text, range.start), String::new()));
            }
            Event::Text(part) | Event::Code(part) if words.is_some() => {
                if let Some((.., heading)) = &mut words {
                    heading.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let Some((level, place, said)) = words.take() else { continue };
                // A smaller heading inside a step is a part of it.
                let inside = heading.as_ref().is_some_and(|step| level > step.level);
                if !inside || step_title(&said).is_some() {
                    finish(heading.take(), reader);
                    heading = step_title(&said).map(|title| Heading {
                        level,
                        place,
                        title: title.to_owned(),
                        blocks: 0,
                    });
                }
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if is_yaml(&info) => {
                // Until something of it is seen it is empty, right after its fence.
                let end =
                    text[range.clone()].find('\n').map_or(range.end, |at| range.start + at + 1);
                code = Some((place_of(text, range.start), end..end));
            }
            Event::Text(_) if code.is_some() => {
                if let Some((_, seen)) = &mut code {
                    *seen = if seen.start == seen.end { range } else { seen.start..range.end };
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                let Some((place, range)) = code.take() else { continue };
                match &mut heading {
                    None => {
                        reader.error(Rule::StepBlock, place, "this YAML block belongs to no step").hint =
                            Some("put it under a heading like `## Step 1: Open the list`, or name the block `text`".into());
                    }
                    Some(step) => {
                        step.blocks += 1;
                        if step.blocks > 1 {
                            let said = format!("\"{}\" has a second YAML block", step.title);
                            reader.error(Rule::StepBlock, place, said).hint =
                                Some("one step, one block: give the second a heading".into());
                        } else if let Some(tree) = yaml(text, range, reader, Rule::StepBlock) {
                            steps.push(Block { title: Some(step.title.clone()), tree });
                        }
                    }
                }
            }
            _ => {}
        }
    }
    finish(heading, reader);
    steps
}

struct Heading {
    level: HeadingLevel,
    place: Place,
    title: String,
    blocks: u32,
}

/// A step that ends must have had its block.
fn finish(step: Option<Heading>, reader: &mut Reader<'_>) {
    let Some(step) = step.filter(|step| step.blocks == 0) else { return };
    let said = format!("\"{}\" has no YAML block", step.title);
    reader.error(Rule::StepBlock, step.place, said).hint =
        Some("say what the phone does in a block that begins with ```yaml".into());
}

/// `Step 3: Scroll to Devices` is one, `Steps to take` is not.
fn step_title(heading: &str) -> Option<&str> {
    let heading = heading.trim();
    let rest = heading.strip_prefix("Step").or_else(|| heading.strip_prefix("step"))?;
    rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == ':').then_some(heading)
}

fn is_yaml(info: &str) -> bool {
    matches!(info.split_whitespace().next(), Some("yaml" | "yml"))
}

/// Reads a part of the document; places come out as those of the document.
fn yaml(text: &str, part: Range<usize>, reader: &mut Reader<'_>, rule: Rule) -> Option<Tree> {
    let first = place_of(text, part.start).line;
    // A block inside a list is indented, which is not part of the block.
    let lines: Vec<&str> = text[part].lines().collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let shared = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let block: Vec<&str> = lines.iter().map(|line| line.get(shared..).unwrap_or("")).collect();
    let shift = u64::try_from(shared).unwrap_or(0);
    let moved = |place: Place| match place.line {
        0 => Place { line: first, column: 1 },
        line => Place { line: first + line - 1, column: place.column + shift },
    };
    match Tree::parse(&block.join("\n")) {
        Ok(mut tree) => {
            tree.shift(&moved);
            Some(tree)
        }
        Err((place, why)) => {
            reader.error(rule, moved(place), format!("not YAML: {why}"));
            None
        }
    }
}

/// The place of a byte.
fn place_of(text: &str, at: usize) -> Place {
    let before = &text[..at];
    let lines = before.bytes().filter(|byte| *byte == b'\n').count();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let count = |number: usize| u64::try_from(number).unwrap_or(0) + 1;
    Place { line: count(lines), column: count(before[start..].chars().count()) }
}
