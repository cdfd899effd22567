//! The tree of a screen, out of the XML in which `uiautomator` and the operator write it.

use super::bounds::Rect;

/// One node.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeNode {
    pub(super) text: String,
    pub(super) description: String,
    pub(super) resource_id: String,
    pub(super) class: String,
    pub(super) clickable: bool,
    pub(super) long_clickable: bool,
    pub(super) checkable: bool,
    pub(super) focusable: bool,
    pub(super) enabled: bool,
    pub(super) bounds: Option<Rect>,
    /// How many nodes after this one are below it.
    pub(super) below: usize,
    /// The way to it from the root of its window, as a number.
    pub(super) place: u64,
}

/// What can be acted on now: the window that has the input, and all others of the same app. The
/// bars of the system and the keyboard lie in windows of their own and are left out.
pub(super) fn read(xml: &str) -> Option<Vec<TreeNode>> {
    let from = xml.find("<hierarchy")?;
    let end = "</hierarchy>";
    let to = xml.rfind(end).map_or(xml.len(), |at| at + end.len());
    let document = roxmltree::Document::parse(xml.get(from..to)?).ok()?;
    let windows = || document.root_element().children().filter(roxmltree::Node::is_element);
    let in_front = windows().next().and_then(|window| window.attribute("package"));
    let mut nodes = Vec::new();
    for (number, window) in windows().enumerate() {
        if number == 0 || window.attribute("package") == in_front {
            add(&mut nodes, window, number);
        }
    }
    Some(nodes)
}

/// The whole screen, as far as the tree tells.
pub(super) fn extent(xml: &str) -> Option<(u32, u32)> {
    let nodes = read(xml)?;
    let all = nodes.iter().filter_map(|node| node.bounds);
    let size = all.map(|b| (b.right, b.bottom)).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))?;
    Some((u32::try_from(size.0).ok()?, u32::try_from(size.1).ok()?))
}

fn add(nodes: &mut Vec<TreeNode>, window: roxmltree::Node<'_, '_>, number: usize) {
    // Ancestors of the present node: who it is, and its number among ours.
    let mut above: Vec<(roxmltree::NodeId, usize)> = Vec::new();
    for node in window.descendants().filter(roxmltree::Node::is_element) {
        let parent = node.parent().map(|parent| parent.id());
        while above.last().is_some_and(|(id, _)| Some(*id) != parent) {
            above.pop();
        }
        for (_, ancestor) in &above {
            nodes[*ancestor].below += 1;
        }
        let place = above.last().map_or(number as u64, |(_, parent)| nodes[*parent].place);
        above.push((node.id(), nodes.len()));
        nodes.push(one(node, place));
    }
}

fn one(node: roxmltree::Node<'_, '_>, place: u64) -> TreeNode {
    let text = |name: &str| node.attribute(name).unwrap_or_default().trim().to_owned();
    let is = |name: &str| node.attribute(name) == Some("true");
    let index = node.attribute("index").and_then(|index| index.parse::<u64>().ok());
    let hidden = is("password");
    TreeNode {
        text: if hidden { String::new() } else { text("text") },
        description: text("content-desc"),
        resource_id: text("resource-id"),
        class: text("class"),
        clickable: is("clickable"),
        long_clickable: is("long-clickable"),
        checkable: is("checkable"),
        focusable: is("focusable"),
        enabled: node.attribute("enabled") != Some("false"),
        bounds: node.attribute("bounds").and_then(Rect::read),
        below: 0,
        // Different ways give different numbers, but for the odd chance.
        place: (place.rotate_left(9) ^ (index.unwrap_or_default() + 1))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15),
    }
}
