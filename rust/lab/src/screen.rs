//! What is on the screen, as `uiautomator dump` tells it.

/// What `uiautomator dump` says.
pub struct Screen(pub String);

impl Screen {
    /// Attributes of every node.
    pub fn attributes(&self, name: &str) -> Vec<String> {
        self.nodes(|node| node.attribute(name).map(str::to_owned))
    }

    /// The middle of the node with this text, description or id.
    pub fn find(&self, wanted: &str) -> Option<(i32, i32)> {
        let names = ["text", "content-desc", "resource-id"];
        let middles = self.nodes(|node| {
            let fits = names.iter().any(|name| node.attribute(*name) == Some(wanted));
            fits.then(|| middle(node.attribute("bounds")?))?
        });
        middles.first().copied()
    }

    fn nodes<T>(&self, take: impl Fn(roxmltree::Node<'_, '_>) -> Option<T>) -> Vec<T> {
        let end = self.0.find("</hierarchy>").map_or(self.0.len(), |at| at + "</hierarchy>".len());
        let document = roxmltree::Document::parse(&self.0[..end]).unwrap();
        let nodes = document.descendants().filter(|node| node.has_tag_name("node"));
        nodes.filter_map(take).collect()
    }
}

/// The middle of `[0,63][1080,210]`.
fn middle(bounds: &str) -> Option<(i32, i32)> {
    let numbers = bounds.split(|c: char| !c.is_ascii_digit() && c != '-');
    let numbers: Vec<i32> = numbers.filter_map(|number| number.parse().ok()).collect();
    let [left, top, right, bottom] = numbers[..] else { return None };
    Some((i32::midpoint(left, right), i32::midpoint(top, bottom)))
}
