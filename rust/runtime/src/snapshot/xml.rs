//! The whole screen as XML, in the form of Android's own `uiautomator dump`.
//!
//! It parses with any XML parser, whatever an app puts into its texts, and it never shows what was
//! typed into a password field.

use crate::screen::{Flags, Node, Screen};
use std::fmt::Write;

const HEAD: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n";

/// Attributes that say true or false, in the order in which they are written.
const FLAGS: [(&str, Flags); 10] = [
    ("\" checkable=\"", Flags::CHECKABLE),
    ("\" checked=\"", Flags::CHECKED),
    ("\" clickable=\"", Flags::CLICKABLE),
    ("\" enabled=\"", Flags::ENABLED),
    ("\" focusable=\"", Flags::FOCUSABLE),
    ("\" focused=\"", Flags::FOCUSED),
    ("\" scrollable=\"", Flags::SCROLLABLE),
    ("\" long-clickable=\"", Flags::LONG_CLICKABLE),
    ("\" password=\"", Flags::PASSWORD),
    ("\" selected=\"", Flags::SELECTED),
];

/// A node takes about 400 bytes, most of them names of attributes.
const BYTES_PER_NODE: usize = 448;

/// Levels that are indented. No real screen is deeper; a broken app's tree of ten thousand levels
/// would be a hundred megabytes of spaces.
const MOST_INDENTED: usize = 100;

/// Writes what a person could see: all windows, the active one first.
#[must_use]
pub fn write(screen: &Screen) -> String {
    let mut out = String::with_capacity(HEAD.len() + screen.len() as usize * BYTES_PER_NODE);
    out.push_str(HEAD);
    let _ = writeln!(out, "<hierarchy rotation=\"{}\">", screen.rotation);
    for root in screen.windows().filter_map(|window| window.root()) {
        let mut nodes = std::iter::once(root).chain(root.descendants()).filter(Node::is_shown);
        let mut next = nodes.next();
        while let Some(node) = next {
            next = nodes.next();
            let depth = node.depth();
            let depth_after = next.map_or(root.depth(), |next| next.depth());
            start(&mut out, node);
            // In document order a node that is deeper than the one before it is below it.
            if next.is_some() && depth_after > depth {
                out.push_str(">\n");
                continue;
            }
            out.push_str(" />\n");
            for closed in (depth_after..depth).rev() {
                indent(&mut out, closed);
                out.push_str("</node>\n");
            }
        }
    }
    out.push_str("</hierarchy>\n");
    out
}

fn indent(out: &mut String, depth: u32) {
    for _ in 0..(depth as usize + 1).min(MOST_INDENTED) {
        out.push_str("  ");
    }
}

/// A node's tag with all attributes, up to where it is closed or left open.
fn start(out: &mut String, node: Node<'_>) {
    indent(out, node.depth());
    let _ = write!(out, "<node index=\"{}", node.index_in_parent());
    for (attribute, text) in [
        ("\" text=\"", node.text()),
        ("\" resource-id=\"", node.resource_id()),
        ("\" class=\"", node.class()),
        ("\" package=\"", node.package()),
        ("\" content-desc=\"", node.description()),
    ] {
        out.push_str(attribute);
        escape(out, text);
    }
    for (attribute, flag) in FLAGS {
        out.push_str(attribute);
        out.push_str(if node.has(flag) { "true" } else { "false" });
    }
    let _ = write!(out, "\" bounds=\"{}\"", node.bounds());
}

/// A text as the value of an attribute. Line breaks and tabs are written as references, or a
/// parser would make spaces of them; what XML 1.0 has no way to write is left out.
fn escape(out: &mut String, text: &str) {
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        // The last two of the three-byte characters are no characters.
        let forbidden = byte < b' ' || (byte == 0xEF && is_noncharacter(&text[at..]));
        let (written, length) = match byte {
            b'&' => ("&amp;", 1),
            b'"' => ("&quot;", 1),
            b'\'' => ("&apos;", 1),
            b'<' => ("&lt;", 1),
            b'>' => ("&gt;", 1),
            b'\n' => ("&#10;", 1),
            b'\r' => ("&#13;", 1),
            b'\t' => ("&#9;", 1),
            0xEF if forbidden => ("", 3),
            _ if forbidden => ("", 1),
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        out.push_str(written);
        plain = at + length;
    }
    out.push_str(&text[plain..]);
}

fn is_noncharacter(text: &str) -> bool {
    text.starts_with(['\u{FFFE}', '\u{FFFF}'])
}

#[cfg(test)]
mod tests;
