//! Which nodes of a tree are worth showing.

use super::bounds::Rect;
use super::tree::TreeNode;

/// The most elements of a snapshot. Screens of apps rarely have more; a page of the web may.
pub(super) const MOST: usize = 64;
/// What is worth less is not shown.
const LEAST_SCORE: u32 = 4;
/// A row, a card or a button holds few texts. What holds more is a page, and gets no label.
const MOST_TEXTS: usize = 6;
/// The longest label made of texts.
const LONGEST_LABEL: usize = 200;

/// An element that has no name yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) text: String,
    pub(super) description: String,
    pub(super) resource_id: String,
    pub(super) class: String,
    pub(super) clickable: bool,
    pub(super) bounds: Rect,
    pub(super) place: u64,
}

/// The elements of a screen of this size, in its order.
pub(super) fn choose(nodes: &[TreeNode], size: (u32, u32)) -> Vec<Found> {
    let mut told_elsewhere = vec![false; nodes.len()];
    let mut kept: Vec<(u32, Found)> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let Some(bounds) = node.bounds.and_then(|bounds| bounds.on_screen(size)) else { continue };
        if told_elsewhere[at] {
            continue;
        }
        let mut found = Found {
            text: node.text.clone(),
            description: node.description.clone(),
            resource_id: node.resource_id.clone(),
            class: node.class.clone(),
            clickable: node.clickable,
            bounds,
            place: node.place,
        };
        if node.clickable && node.enabled {
            let mut texts = inner_texts(nodes, at);
            if has_label(node) {
                // What it says itself need not be said again below it.
                let own = [&node.text, &node.description];
                texts.retain(|text| own.contains(&words(&nodes[*text])));
            } else if texts.len() <= MOST_TEXTS {
                found.text = label(nodes, &texts);
            } else {
                texts.clear();
            }
            texts.iter().for_each(|text| told_elsewhere[*text] = true);
        }
        // What only holds others together is nothing to act on.
        let holds_others = node.below > 0 && !node.clickable && !has_label(node);
        let score = score(node, &found);
        if score >= LEAST_SCORE && !holds_others && !is_backdrop(&found, size) {
            kept.push((score, found));
        }
    }
    // The best ones, and of those the first, in the order of the screen.
    while kept.len() > MOST {
        let worst = kept.iter().map(|(score, _)| *score).min();
        let last = kept.iter().rposition(|(score, _)| Some(*score) == worst);
        last.map(|at| kept.remove(at));
    }
    kept.into_iter().map(|(_, found)| found).collect()
}

fn has_label(node: &TreeNode) -> bool {
    !node.text.is_empty() || !node.description.is_empty()
}

/// Labelled nodes below a node that do nothing of their own, unless they are in something that
/// does.
fn inner_texts(nodes: &[TreeNode], at: usize) -> Vec<usize> {
    let mut texts = Vec::new();
    let mut next = at + 1;
    while next <= at + nodes[at].below {
        let node = &nodes[next];
        if node.clickable || node.long_clickable || node.checkable || node.focusable {
            next += node.below;
        } else if has_label(node) {
            texts.push(next);
        }
        next += 1;
    }
    texts
}

/// What a node says.
fn words(node: &TreeNode) -> &String {
    if node.text.is_empty() { &node.description } else { &node.text }
}

fn label(nodes: &[TreeNode], texts: &[usize]) -> String {
    let words: Vec<&str> = texts.iter().map(|at| words(&nodes[*at]).as_str()).collect();
    words.join(", ").chars().take(LONGEST_LABEL).collect()
}

/// How much an element is worth.
fn score(node: &TreeNode, found: &Found) -> u32 {
    if !node.enabled {
        return 0;
    }
    let class = node.class.to_ascii_lowercase();
    let points = [
        (node.clickable, 5),
        (node.focusable, 2),
        (!found.text.is_empty(), 4),
        (!found.description.is_empty(), 4),
        (!found.resource_id.is_empty(), 2),
        (class.contains("button"), 6),
        (class.contains("imagebutton"), 4),
        (class.contains("edittext"), 3),
    ];
    points.iter().filter(|(holds, _)| *holds).map(|(_, points)| points).sum()
}

/// A surface behind everything, which games and players draw on.
fn is_backdrop(found: &Found, (width, height): (u32, u32)) -> bool {
    let class = found.class.to_ascii_lowercase();
    let surface = class.contains("surfaceview")
        || class.contains("textureview")
        || found.class == "android.view.View";
    let silent = !found.clickable && found.text.is_empty() && found.description.is_empty();
    let (width, height) = (i64::from(width), i64::from(height));
    let Rect { left, top, right, bottom } = found.bounds;
    let fills =
        left <= 2 && top <= 2 && i64::from(right) >= width - 3 && i64::from(bottom) >= height - 3;
    let large = found.bounds.area() * 10 >= width * height * 9;
    surface && silent && large && (fills || found.resource_id.contains(":id/stage"))
}

#[cfg(test)]
mod tests;
