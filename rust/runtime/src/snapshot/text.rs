//! The gist of a screen for agents, in a tenth of the bytes of the XML or less.
//!
//! One line for each node that says something or takes something; layouts that do neither are left
//! out, and indentation shows what is inside what. No node with a label is ever missing.
//!
//! ```text
//! screen g57 com.android.settings 1080x2400 (refs: n12@57; #x is com.android.settings:id/x; …)
//! "Settings" #title n4
//! list #recycler_view [scrollable] 0,210-1080,2400 n9
//!  container 540,328 n10: "Network & internet" id=android:id/title n14, "Mobile, Wi-Fi" n15
//!  container 540,560 n16: "Airplane mode" id=android:id/title n20
//!   switch [unchecked] 970,560 n22
//! ```
//!
//! A line has, in this order and where there is something to say: role (none for plain text),
//! label, description where the label is not it, resource id, states, the place to touch (of a
//! scrolling node: its bounds), reference. Labels that only name the row around them stand on the
//! line of that row, after a colon.

use crate::role::Role;
use crate::screen::{Flags, Node, Screen, WindowKind, WindowView};
use std::fmt::Write;

/// What makes a node one that takes something: a tap, a text, a swipe.
const TAKES: [Flags; 6] = [
    Flags::CLICKABLE,
    Flags::LONG_CLICKABLE,
    Flags::EDITABLE,
    Flags::CHECKABLE,
    Flags::SCROLLABLE,
    Flags::RANGE,
];

/// Deeper nesting is not shown: by then nobody counts the spaces.
const MOST_INDENTED: usize = 40;

/// Writes what a person could see: all windows, the active one first.
#[must_use]
pub fn write(screen: &Screen) -> String {
    let mut listing = Listing { out: String::new(), foreground: screen.foreground_package() };
    listing.out.reserve(256 + screen.len() as usize * 32);
    listing.header(screen);
    let several = screen.windows().nth(1).is_some();
    for window in screen.windows() {
        if several {
            listing.window(window);
        }
        listing.nodes(window);
    }
    listing.out.push('\n');
    listing.out
}

struct Listing<'a> {
    out: String,
    /// Ids of this package are written short.
    foreground: &'a str,
}

impl<'a> Listing<'a> {
    fn header(&mut self, screen: &Screen) {
        let (generation, package) = (screen.generation, self.foreground);
        let package = if package.is_empty() { "unknown" } else { package };
        let (width, height) = (screen.bounds.width(), screen.bounds.height());
        let _ = write!(self.out, "screen g{generation} {package} {width}x{height}");
        let _ = write!(self.out, " (refs: n12@{generation}; #x is {package}:id/x;");
        self.out.push_str(" x,y takes touch)");
    }

    fn window(&mut self, window: WindowView<'_>) {
        let kind = match window.window().kind {
            WindowKind::Application => "application",
            WindowKind::InputMethod => "keyboard",
            WindowKind::System => "system",
            WindowKind::AccessibilityOverlay => "accessibility overlay",
            WindowKind::Other => "other",
        };
        let _ = write!(self.out, "\nwindow {kind} {}", window.package());
        if !window.title().trim().is_empty() {
            self.out.push(' ');
            quote(&mut self.out, window.title());
        }
        if window.window().active {
            self.out.push_str(" [active]");
        }
    }

    fn nodes(&mut self, window: WindowView<'a>) {
        let Some(root) = window.root() else { return };
        // The nodes already written that the present one is inside of.
        let mut above: Vec<Node<'_>> = Vec::new();
        // The row whose line is still open for labels, and whether there are any on it yet.
        let mut row: Option<(Node<'_>, bool)> = None;
        let nodes = std::iter::once(root).chain(root.descendants());
        for node in nodes.filter(|node| node.is_shown() && says_something(*node)) {
            if let Some((around, more)) = row.filter(|(around, _)| node.is_within(*around))
                && !takes_something(node)
            {
                self.out.push_str(if more { ", " } else { ": " });
                self.describe(node);
                row = Some((around, true));
                continue;
            }
            while above.last().is_some_and(|top| !node.is_within(*top)) {
                above.pop();
            }
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', above.len().min(MOST_INDENTED)));
            self.describe(node);
            above.push(node);
            row = takes_labels(node).then_some((node, false));
        }
    }

    fn describe(&mut self, node: Node<'_>) {
        let role = Role::of(node);
        if takes_something(node) || role != Role::Text {
            self.out.push_str(role.name());
            self.out.push(' ');
        }
        if node.has_label() {
            quote(&mut self.out, node.label());
            self.out.push(' ');
        }
        if !node.description().trim().is_empty() && node.description() != node.label() {
            self.out.push_str("desc ");
            quote(&mut self.out, node.description());
            self.out.push(' ');
        }
        self.id(node.resource_id());
        self.states(node);
        self.place(node);
        let _ = write!(self.out, "n{}", node.index().0);
    }

    /// `#title` for an id of the package in front, else the id in full: `id=android:id/title`.
    fn id(&mut self, id: &str) {
        if id.is_empty() {
            return;
        }
        let short = id.strip_prefix(self.foreground).and_then(|rest| rest.strip_prefix(":id/"));
        self.out.push_str(if short.is_some() { "#" } else { "id=" });
        let id = short.unwrap_or(id);
        // Apps that make up their ids (Compose test tags) may put anything into them.
        if id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"') {
            self.out.push_str(id);
        } else {
            quote(&mut self.out, id);
        }
        self.out.push(' ');
    }

    fn states(&mut self, node: Node<'_>) {
        let has = |flag| node.has(flag);
        let range =
            node.range().map(|range| format!("{} of {}..{}", range.current, range.min, range.max));
        let states = [
            (has(Flags::CHECKABLE) && has(Flags::CHECKED), "checked"),
            (has(Flags::CHECKABLE) && !has(Flags::CHECKED), "unchecked"),
            (has(Flags::SELECTED), "selected"),
            (!has(Flags::ENABLED), "disabled"),
            (has(Flags::FOCUSED), "focused"),
            (has(Flags::PASSWORD), "password"),
            (has(Flags::PASSWORD) && node.holds_text(), "filled"),
            (has(Flags::SHOWING_HINT) && !has(Flags::PASSWORD), "hint"),
            (has(Flags::SCROLLABLE), "scrollable"),
            (has(Flags::LONG_CLICKABLE) && !has(Flags::CLICKABLE), "long-clickable"),
            (range.is_some(), range.as_deref().unwrap_or_default()),
        ];
        let mut before = "[";
        for (_, state) in states.iter().filter(|(holds, _)| *holds) {
            self.out.push_str(before);
            self.out.push_str(state);
            before = " ";
        }
        if before == " " {
            self.out.push_str("] ");
        }
    }

    /// The middle of what can be seen of it, or all of that where it scrolls: a swipe needs room.
    fn place(&mut self, node: Node<'_>) {
        let seen = node.bounds().intersection(node.screen().bounds);
        if !takes_something(node) || seen.is_empty() {
            return;
        }
        let _ = if node.has(Flags::SCROLLABLE) {
            write!(self.out, "{},{}-{},{} ", seen.left, seen.top, seen.right, seen.bottom)
        } else {
            let middle = seen.center();
            write!(self.out, "{},{} ", middle.x, middle.y)
        };
    }
}

fn takes_something(node: Node<'_>) -> bool {
    TAKES.iter().any(|flag| node.has(*flag))
}

fn says_something(node: Node<'_>) -> bool {
    takes_something(node) || node.has_label()
}

/// A row without a name of its own is named by the labels in it.
fn takes_labels(node: Node<'_>) -> bool {
    node.has(Flags::CLICKABLE) && !node.has(Flags::SCROLLABLE) && !node.has_label()
}

/// In quotes, on one line.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Line and paragraph separators would break the line as well.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                let _ = write!(out, "{}", c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests;
