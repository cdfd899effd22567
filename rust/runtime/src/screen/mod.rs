//! One captured accessibility tree: all windows, all nodes, one arena.
//!
//! Nodes stand in depth-first document order, so that a subtree is a range and "the first match"
//! is the first index. Texts are stored once each, in one string.

mod bounds;
mod builder;
mod packed;

pub use bounds::Bounds;
pub use builder::{NodeSpec, ScreenBuilder, WindowSpec};
pub use packed::PackedError;

use clawperator_contract::NodeRef;

/// Number of a capture. The phone counts events and captures with one counter, so a change since a
/// capture is a counter that has moved on.
pub type Generation = u64;

/// A node's place in the arena of its screen. It means nothing without that screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub u32);

impl NodeIndex {
    fn at(self) -> usize {
        self.0 as usize
    }
}

/// A node of a given capture, as the phone is asked to act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeHandle {
    /// Its place in the capture.
    pub index: NodeIndex,
    /// The capture.
    pub generation: Generation,
}

/// A text of the screen's text table. Zero is the empty text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TextId(u32);

/// What kind of window it is, as Android tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "Android's own names")]
pub enum WindowKind {
    Application,
    InputMethod,
    System,
    AccessibilityOverlay,
    Other,
}

/// One window of the screen.
#[derive(Clone, Debug)]
pub struct Window {
    /// Android's id of it.
    pub id: i32,
    /// Its kind.
    pub kind: WindowKind,
    /// Is it the one that takes input?
    pub active: bool,
    /// Higher is nearer to the eye.
    pub layer: i32,
    /// Its place on the screen.
    pub bounds: Bounds,
    package: TextId,
    title: TextId,
    /// Its nodes, a range of the arena.
    first: u32,
    end: u32,
    /// Is it looked at? System windows that are not active (status bar, navigation bar) are not:
    /// nobody means them.
    searched: bool,
}

/// What is true of a node. The bits are those of the packed format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u32);

macro_rules! flags {
    ($($bit:literal $name:ident $doc:literal)*) => {
        #[allow(missing_docs, reason = "each bit has a reader below with its meaning")]
        impl Flags {
            $(pub const $name: Self = Self(1 << $bit);)*
            /// Every bit that has a meaning, with its name.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$name, $doc)),*];
        }
    };
}

flags! {
    0 CHECKABLE "can be checked"
    1 CHECKED "is checked"
    2 CLICKABLE "takes clicks itself"
    3 ENABLED "is enabled"
    4 FOCUSABLE "can take the focus"
    5 FOCUSED "has the focus"
    6 SCROLLABLE "scrolls"
    7 LONG_CLICKABLE "takes long clicks itself"
    8 PASSWORD "hides what is typed"
    9 SELECTED "is selected"
    10 EDITABLE "can be typed into"
    11 HEADING "is a heading"
    12 VISIBLE "is visible to the user"
    13 SCREEN_READER_FOCUSABLE "is read out as one"
    14 COLLECTION "is a collection"
    15 COLLECTION_ITEM "is an item of a collection"
    16 RANGE "shows a value of a range"
    17 HORIZONTAL "lays its children out in a row"
    18 VERTICAL "lays its children out in a column"
    19 SHOWING_HINT "shows its hint in place of a text"
    20 SETS_TEXT "offers to have its text set"
}

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);

    /// Are all bits of `other` set?
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Without those bits.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// One node, as the arena holds it.
#[derive(Clone, Debug)]
pub(crate) struct NodeRecord {
    /// `u32::MAX` for the root of a window.
    parent: u32,
    /// One past the last node of its subtree.
    end: u32,
    index_in_parent: u32,
    window: u32,
    depth: u32,
    flags: Flags,
    bounds: Bounds,
    text: TextId,
    description: TextId,
    class: TextId,
    resource_id: TextId,
    package: TextId,
    role_description: TextId,
    rows: i32,
    columns: i32,
    range: Range,
    /// On the screen and visible, with all nodes above it.
    shown: bool,
}

/// A value between two others, such as a slider shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Range {
    pub min: f32,
    pub max: f32,
    pub current: f32,
}

/// One capture.
#[derive(Clone, Debug)]
pub struct Screen {
    /// Which capture it is.
    pub generation: Generation,
    /// Quarter turns, as Android counts them.
    pub rotation: u8,
    /// The whole screen.
    pub bounds: Bounds,
    foreground: TextId,
    windows: Vec<Window>,
    /// Windows that are looked at, in the order in which they are.
    order: Vec<u32>,
    nodes: Vec<NodeRecord>,
    texts: Texts,
}

/// Every text of the screen, once, in one string.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    all: String,
    /// End of each text in `all`; it begins where the one before it ends.
    ends: Vec<u32>,
}

impl Texts {
    fn get(&self, id: TextId) -> &str {
        let at = id.0 as usize;
        let start = if at == 0 { 0 } else { self.ends.get(at - 1).map_or(0, |end| *end as usize) };
        let end = self.ends.get(at).map_or(start, |end| *end as usize);
        self.all.get(start..end).unwrap_or_default()
    }
}

impl Screen {
    /// Package of the window that takes input; empty where there is none.
    #[must_use]
    pub fn foreground_package(&self) -> &str {
        self.texts.get(self.foreground)
    }

    /// The windows that are looked at: the active one first, then the others from the front to the
    /// back.
    pub fn windows(&self) -> impl DoubleEndedIterator<Item = WindowView<'_>> {
        self.order
            .iter()
            .map(|number| WindowView { screen: self, window: &self.windows[*number as usize] })
    }

    /// How many windows there are, looked at or not.
    #[must_use]
    pub fn window_count(&self) -> usize {
        self.windows.len()
    }

    /// The nodes a person could see, window by window, each in document order. Nothing else is
    /// ever matched.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> {
        let ranges = self.windows().map(|view| view.window.first..view.window.end);
        ranges.flatten().map(move |at| Node { screen: self, at }).filter(Node::is_shown)
    }

    /// How many nodes there are, shown or not.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }

    /// Has it no node at all?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node by its place.
    #[must_use]
    pub fn node(&self, index: NodeIndex) -> Option<Node<'_>> {
        (index.at() < self.nodes.len()).then_some(Node { screen: self, at: index.0 })
    }

    /// A node by reference; `None` when the reference is of another capture.
    #[must_use]
    pub fn resolve(&self, reference: NodeRef) -> Option<Node<'_>> {
        if reference.generation != self.generation {
            return None;
        }
        self.node(NodeIndex(reference.node))
    }
}

/// A window of a screen.
#[derive(Clone, Copy, Debug)]
pub struct WindowView<'a> {
    screen: &'a Screen,
    window: &'a Window,
}

impl<'a> WindowView<'a> {
    /// The window itself.
    #[must_use]
    pub fn window(&self) -> &'a Window {
        self.window
    }

    /// Package it belongs to.
    #[must_use]
    pub fn package(&self) -> &'a str {
        self.screen.texts.get(self.window.package)
    }

    /// Its title.
    #[must_use]
    pub fn title(&self) -> &'a str {
        self.screen.texts.get(self.window.title)
    }

    /// Its topmost node.
    #[must_use]
    pub fn root(&self) -> Option<Node<'a>> {
        let has_nodes = self.window.first < self.window.end;
        has_nodes.then_some(Node { screen: self.screen, at: self.window.first })
    }
}

/// A node of a screen. As cheap as a reference.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    screen: &'a Screen,
    at: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.screen, other.screen) && self.at == other.at
    }
}

impl<'a> Node<'a> {
    fn record(&self) -> &'a NodeRecord {
        &self.screen.nodes[self.at as usize]
    }

    /// The screen it is on.
    #[must_use]
    pub fn screen(&self) -> &'a Screen {
        self.screen
    }

    /// Its place in the arena.
    #[must_use]
    pub fn index(&self) -> NodeIndex {
        NodeIndex(self.at)
    }

    /// How the phone is told of it.
    #[must_use]
    pub fn handle(&self) -> NodeHandle {
        NodeHandle { index: self.index(), generation: self.screen.generation }
    }

    /// How a person or an agent refers to it.
    #[must_use]
    pub fn reference(&self) -> NodeRef {
        NodeRef { node: self.at, generation: self.screen.generation }
    }

    /// Its text, as the app set it. Of a password field: nothing, it never leaves.
    #[must_use]
    pub fn text(&self) -> &'a str {
        if self.has(Flags::PASSWORD) { "" } else { self.screen.texts.get(self.record().text) }
    }

    /// Does its text field hold anything, readable or not?
    #[must_use]
    pub fn holds_text(&self) -> bool {
        !self.screen.texts.get(self.record().text).is_empty() && !self.has(Flags::SHOWING_HINT)
    }

    /// Its content description.
    #[must_use]
    pub fn description(&self) -> &'a str {
        self.screen.texts.get(self.record().description)
    }

    /// What a person would call it: its text, else its description.
    #[must_use]
    pub fn label(&self) -> &'a str {
        let text = self.text();
        if text.trim().is_empty() { self.description() } else { text }
    }

    /// Does it have a label that says something?
    #[must_use]
    pub fn has_label(&self) -> bool {
        !self.label().trim().is_empty()
    }

    /// Its class name.
    #[must_use]
    pub fn class(&self) -> &'a str {
        self.screen.texts.get(self.record().class)
    }

    /// Its resource id.
    #[must_use]
    pub fn resource_id(&self) -> &'a str {
        self.screen.texts.get(self.record().resource_id)
    }

    /// Its package.
    #[must_use]
    pub fn package(&self) -> &'a str {
        self.screen.texts.get(self.record().package)
    }

    /// What the app calls its role.
    #[must_use]
    pub fn role_description(&self) -> &'a str {
        self.screen.texts.get(self.record().role_description)
    }

    /// Its place on the screen.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.record().bounds
    }

    /// All its flags.
    #[must_use]
    pub fn flags(&self) -> Flags {
        self.record().flags
    }

    /// One of its flags.
    #[must_use]
    pub fn has(&self, flag: Flags) -> bool {
        self.record().flags.has(flag)
    }

    /// Rows and columns, of a collection.
    #[must_use]
    pub fn collection(&self) -> Option<(i32, i32)> {
        self.has(Flags::COLLECTION).then_some((self.record().rows, self.record().columns))
    }

    /// The value it shows, of a slider or progress bar.
    #[must_use]
    pub fn range(&self) -> Option<Range> {
        self.has(Flags::RANGE).then_some(self.record().range)
    }

    /// Could a person see it? All nodes above it must be seen too.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.record().shown
    }

    /// Nodes between it and the root of its window.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.record().depth
    }

    /// Its place among its siblings, counting those not shown too.
    #[must_use]
    pub fn index_in_parent(&self) -> u32 {
        self.record().index_in_parent
    }

    /// The window it is in.
    #[must_use]
    pub fn window(&self) -> WindowView<'a> {
        let window = &self.screen.windows[self.record().window as usize];
        WindowView { screen: self.screen, window }
    }

    /// The node above it.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let parent = self.record().parent;
        (parent != u32::MAX).then_some(Self { screen: self.screen, at: parent })
    }

    /// It, then its parent, and so on up to the root.
    pub fn self_and_ancestors(&self) -> impl Iterator<Item = Self> + use<'a> {
        std::iter::successors(Some(*self), Self::parent)
    }

    /// The nodes below it, in document order, shown or not.
    pub fn descendants(&self) -> impl Iterator<Item = Self> + use<'a> {
        let screen = self.screen;
        (self.at + 1..self.record().end).map(move |at| Self { screen, at })
    }

    /// The nodes right below it, shown or not.
    pub fn children(&self) -> impl Iterator<Item = Self> + use<'a> {
        let (screen, end) = (self.screen, self.record().end);
        let first = Some(self.at + 1).filter(|at| *at < end);
        let next = move |at: &u32| Some(screen.nodes[*at as usize].end).filter(|at| *at < end);
        std::iter::successors(first, next).map(move |at| Self { screen, at })
    }

    /// Is it `other`, or below it?
    #[must_use]
    pub fn is_within(&self, other: Self) -> bool {
        (other.at..other.record().end).contains(&self.at)
    }

    /// Clickable itself, or within three steps of something that is: most labels are not
    /// clickable, the row around them is.
    #[must_use]
    pub fn is_effectively_clickable(&self) -> bool {
        self.self_and_ancestors().take(4).any(|node| node.has(Flags::CLICKABLE))
    }
}
