//! The values the actions are made of.

use crate::node_ref::NodeRef;
use crate::selector::Selector;
use std::time::Duration;

/// A point of the screen, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "x and y")]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

/// A point a finger passes at a given time of the gesture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrokePoint {
    /// Time since the gesture's start.
    pub at: Duration,
    /// Where the finger is then.
    pub point: Point,
}

/// A node that is acted on.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The first node that fits.
    Search(Selector),
    /// This very node, of this very screen.
    Ref(NodeRef),
}

/// What a click is aimed at.
#[derive(Clone, Debug, PartialEq)]
pub enum ClickTarget {
    /// A node.
    Node(Target),
    /// A point, whatever is there.
    Point(Point),
}

/// The node inside which a search looks.
pub type Scope = Selector;

/// How a node is clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickType {
    /// A short click.
    Click,
    /// A long one.
    LongClick,
    /// Focus or selection, no touch.
    Focus,
}

impl ClickType {
    /// Name in result data.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::LongClick => "long_click",
            Self::Focus => "focus",
        }
    }
}

/// Where scrolling looks for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Direction {
    Down,
    Up,
    Left,
    Right,
}

impl Direction {
    /// Name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// A key of the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Key {
    Back,
    Home,
    Recents,
}

impl Key {
    /// Name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Back => "back",
            Self::Home => "home",
            Self::Recents => "recents",
        }
    }
}

/// How a snapshot describes the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The hierarchy, as XML.
    Xml,
    /// A compact listing with references.
    Text,
}

/// The form a text must have.
#[derive(Clone, Debug)]
pub enum Validator {
    /// A number with an optional degree sign and unit.
    Temperature,
    /// Digits with dots between them.
    Version,
    /// A pattern, matched against the whole text.
    Regex(regex_lite::Regex),
}

impl PartialEq for Validator {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Regex(a), Self::Regex(b)) => a.as_str() == b.as_str(),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}
