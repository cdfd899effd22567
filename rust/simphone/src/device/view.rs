//! What is on the screen right now: windows of views, each with its place and what it does.

use super::deed::{Deed, Field};
use clawperator_runtime::screen::{Bounds, Flags, Range, WindowKind};
use std::borrow::Cow;

/// A view's identity, the same in every layout of one page. A hash of the way to it: with some
/// hundred views at a time, two of 64 bits never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(u64);

impl Key {
    pub(crate) fn root(number: u64) -> Self {
        Self(0xCBF2_9CE4_8422_2325).child(number)
    }

    /// One step further.
    pub(crate) fn child(self, number: u64) -> Self {
        // The finisher of SplitMix64: every bit of the input reaches every bit of the output.
        let mut bits = self.0.rotate_left(23) ^ number.wrapping_add(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self(bits ^ (bits >> 31))
    }

    /// A part of a widget, by name.
    pub(crate) fn part(self, name: &str) -> Self {
        name.bytes().fold(self.child(1 << 40), |key, byte| key.child(byte.into()))
    }
}

/// A direction in which something scrolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    Vertical,
    Horizontal,
}

/// What a view that scrolls knows of itself.
#[derive(Clone, Debug)]
pub(crate) struct Scroller {
    pub(crate) axis: Axis,
    /// How far it stands.
    pub(crate) offset: i32,
    /// How far it can go.
    pub(crate) end: i32,
    /// More items that come when its end is near.
    pub(crate) more: Option<More>,
}

/// Items of a feed that are not there yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct More {
    /// How many there will be.
    pub(crate) count: u32,
    /// How long they take.
    pub(crate) takes: std::time::Duration,
}

/// One view, laid out.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) key: Key,
    pub(crate) class: Cow<'static, str>,
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) description: String,
    pub(crate) role_description: String,
    /// Empty: that of the window.
    pub(crate) package: String,
    pub(crate) flags: Flags,
    pub(crate) bounds: Bounds,
    pub(crate) collection: Option<(i32, i32)>,
    pub(crate) range: Option<Range>,
    pub(crate) children: Vec<View>,
    pub(crate) click: Option<Deed>,
    pub(crate) long_click: Option<Deed>,
    pub(crate) field: Option<Field>,
    pub(crate) scroller: Option<Scroller>,
}

impl View {
    pub(crate) fn new(key: Key, class: &'static str, bounds: Bounds) -> Self {
        Self {
            key,
            class: Cow::Borrowed(class),
            id: String::new(),
            text: String::new(),
            description: String::new(),
            role_description: String::new(),
            package: String::new(),
            flags: Flags::ENABLED.with(Flags::VISIBLE),
            bounds,
            collection: None,
            range: None,
            children: Vec::new(),
            click: None,
            long_click: None,
            field: None,
            scroller: None,
        }
    }

    pub(crate) fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    pub(crate) fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    pub(crate) fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    pub(crate) fn flagged(mut self, flags: Flags) -> Self {
        self.flags = self.flags.with(flags);
        self
    }

    pub(crate) fn holding(mut self, children: Vec<Self>) -> Self {
        self.children = children;
        self
    }

    /// It takes clicks, and this is what comes of them.
    pub(crate) fn doing(mut self, deed: Deed) -> Self {
        self.flags = self.flags.with(Flags::CLICKABLE).with(Flags::FOCUSABLE);
        self.click = Some(deed);
        self
    }

    /// It takes long clicks, and this is what comes of them.
    pub(crate) fn doing_when_held(mut self, deed: Deed) -> Self {
        self.flags = self.flags.with(Flags::LONG_CLICKABLE);
        self.long_click = Some(deed);
        self
    }

    /// Cuts it and everything in it to what an opening shows; `None` when nothing is left.
    pub(crate) fn clipped(mut self, opening: Bounds) -> Option<Self> {
        self.bounds = self.bounds.intersection(opening);
        if self.bounds.is_empty() {
            return None;
        }
        let bounds = self.bounds;
        let children = std::mem::take(&mut self.children);
        self.children = children.into_iter().filter_map(|view| view.clipped(bounds)).collect();
        Some(self)
    }

    /// Cuts a window to the screen; one that does not fit at all is empty there.
    pub(crate) fn within(self, screen: Bounds) -> Self {
        let empty = Self { class: self.class.clone(), ..Self::new(self.key, "", screen) };
        self.clipped(screen).unwrap_or(empty)
    }

    pub(crate) fn contains(&self, x: i32, y: i32) -> bool {
        let Bounds { left, top, right, bottom } = self.bounds;
        (left..right).contains(&x) && (top..bottom).contains(&y)
    }

    /// The views under a point, from the outermost to the innermost, the frontmost of each level.
    pub(crate) fn path_to(&self, x: i32, y: i32) -> Vec<&Self> {
        let mut path = vec![self];
        let mut view = self;
        while let Some(child) = view.children.iter().rev().find(|child| child.contains(x, y)) {
            path.push(child);
            view = child;
        }
        path
    }

    /// It and everything in it, in document order.
    pub(crate) fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        for child in &self.children {
            child.each(visit);
        }
    }

    /// The view of that identity, with those around it, outermost first.
    pub(crate) fn path_of(&self, key: Key) -> Option<Vec<&Self>> {
        if self.key == key {
            return Some(vec![self]);
        }
        let below = self.children.iter().find_map(|child| child.path_of(key));
        below.map(|mut path| {
            path.insert(0, self);
            path
        })
    }
}

/// A window of the screen.
#[derive(Clone, Debug)]
pub(crate) struct Pane {
    pub(crate) id: i32,
    pub(crate) kind: WindowKind,
    pub(crate) active: bool,
    pub(crate) layer: i32,
    pub(crate) package: String,
    pub(crate) title: String,
    /// The page it shows.
    pub(crate) page: Option<u64>,
    /// Touches beside it close it and go no further.
    pub(crate) modal: bool,
    pub(crate) root: View,
}

/// All windows, those at the back first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) panes: Vec<Pane>,
    /// May no picture be taken?
    pub(crate) secure: bool,
}

impl Scene {
    /// The window that takes input.
    pub(crate) fn active(&self) -> Option<&Pane> {
        self.panes.iter().find(|pane| pane.active)
    }

    /// The view of that identity, with those around it, and its window.
    pub(crate) fn find(&self, key: Key) -> Option<(&Pane, Vec<&View>)> {
        self.panes.iter().find_map(|pane| pane.root.path_of(key).map(|path| (pane, path)))
    }

    /// The window in front at a point.
    pub(crate) fn pane_at(&self, x: i32, y: i32) -> Option<&Pane> {
        self.panes.iter().rev().find(|pane| pane.modal || pane.root.contains(x, y))
    }
}
