//! What a node looks like. The role says what it is to an agent; a painter needs to know a little
//! more, and it needs to know where the node stands: a label is something else in a toolbar, a
//! row, or on a launcher.

use super::controls::Control;
use clawperator_runtime::role::Role;
use clawperator_runtime::screen::{Flags, Node};

/// Where a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Page,
    Toolbar,
    List,
    Row,
    Card,
    Tab,
    Button,
    Search,
    Tile,
    Dialog,
    Keyboard,
    /// Launcher and lock screen.
    Wallpaper,
    /// Status and navigation bar.
    System,
}

/// What a node looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing of its own.
    Box,
    Text,
    Picture,
    Video,
    Field,
    Control(Control),
    Button,
    Floating,
    Tab,
    Tile,
    Chip,
    Slider,
    Progress,
    Dropdown,
    Line,
    Toolbar,
    List,
    Row,
    Card,
    SearchBar,
    App,
    Key,
}

/// The last part of a resource id.
pub(super) fn id_name<'a>(node: &Node<'a>) -> &'a str {
    let id = node.resource_id();
    id.rsplit_once('/').map_or(id, |(_, name)| name)
}

pub(super) fn has_word(text: &str, words: &[&str]) -> bool {
    let text = text.as_bytes();
    words
        .iter()
        .any(|word| text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes())))
}

/// Nodes below one that are looked at to learn what it holds: enough for any row or button, and
/// little for a root with thousands.
const LOOKED_AT: usize = 40;

/// The first node below that has a label and is seen.
pub(super) fn labelled_below<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    let mut below = node.descendants().take(LOOKED_AT).filter(|node| node.has(Flags::VISIBLE));
    below.find(|node| node.has_label() && !is_picture(node))
}

pub(super) fn picture_below<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    node.descendants().take(LOOKED_AT).find(|node| node.has(Flags::VISIBLE) && is_picture(node))
}

fn is_picture(node: &Node<'_>) -> bool {
    has_word(node.class(), &["Image"]) || matches!(Role::of(*node), Role::Image | Role::Icon)
}

impl Kind {
    pub(super) fn of(node: &Node<'_>, place: Place, density: f32) -> Self {
        let class = node.class();
        let id = id_name(node);
        let clickable = node.has(Flags::CLICKABLE);
        let bounds = node.bounds();
        let units = |pixels: i32| super::num::float(pixels) / density;
        if place == Place::Keyboard {
            return if node.has_label() && clickable { Self::Key } else { Self::Box };
        }
        if place == Place::System {
            let text = !node.text().is_empty();
            return if text {
                Self::Text
            } else if is_picture(node) {
                Self::Picture
            } else {
                Self::Box
            };
        }
        if has_word(class, &["SeekBar", "Slider", "RatingBar"]) {
            return Self::Slider;
        }
        if has_word(class, &["Progress"]) || node.has(Flags::RANGE) {
            return Self::Progress;
        }
        if has_word(class, &["Spinner", "DropDown"]) {
            return Self::Dropdown;
        }
        if has_word(class, &["VideoView", "SurfaceView", "TextureView", "MapView"]) {
            return Self::Video;
        }
        if has_word(class, &["FloatingActionButton"])
            || (has_word(id, &["fab"]) && clickable)
            || (has_word(class, &["ImageButton"]) && !node.text().is_empty())
        {
            return Self::Floating;
        }
        if has_word(class, &["CheckedTextView"]) {
            return Self::Control(Control::Radio);
        }
        let toggles = clickable || node.has(Flags::CHECKABLE);
        if toggles && (has_word(class, &["Tile"]) || has_word(id, &["tile"])) {
            return Self::Tile;
        }
        let role = Role::of(*node);
        let small = bounds.width() < node.screen().bounds.width() / 2;
        if place == Place::Wallpaper && clickable && small && !has_word(class, &["Image", "Edit"]) {
            let leaf = labelled_below(node).is_none() && picture_below(node).is_none();
            if node.has_label() && leaf && !has_word(class, &[".Button"]) {
                return Self::App;
            }
        }
        match role {
            Role::TextField => Self::Field,
            Role::Switch => Self::Control(Control::Switch),
            Role::Checkbox => Self::Control(Control::Check),
            Role::Radio => Self::Control(Control::Radio),
            Role::Toggle => Self::Tile,
            Role::Chip => Self::Chip,
            Role::Icon | Role::Image => Self::Picture,
            Role::Button if has_word(class, &["Image"]) => Self::Picture,
            Role::Tab if is_tab(node) => Self::Tab,
            Role::Card => Self::Card,
            Role::Toolbar => Self::Toolbar,
            _ if has_word(class, &["CardView"]) => Self::Card,
            _ if has_word(id, &["search"]) && clickable && labelled_below(node).is_some() => {
                Self::SearchBar
            }
            _ if has_word(id, &["toolbar", "action_bar", "app_bar"])
                && !node.has_label()
                && units(bounds.height()) < 200.0 =>
            {
                Self::Toolbar
            }
            _ if is_row(node, place) => {
                let item = place == Place::List || node.has(Flags::COLLECTION_ITEM);
                let card = item && has_margins(node, 6.0 * density);
                if card { Self::Card } else { Self::Row }
            }
            Role::Button if node.has_label() || labelled_below(node).is_some() => Self::Button,
            Role::List | Role::Grid => Self::List,
            _ if node.has_label() => Self::Text,
            _ if units(bounds.height()) <= 3.0 => Self::Line,
            _ => Self::Box,
        }
    }
}

/// Everything with a label below something called "bottom" counts as a tab to an agent; it only
/// looks like one where it can be chosen and shares its bar with others.
fn is_tab(node: &Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return true };
    let shares = node.bounds().width() < parent.bounds().width() / 4 * 3;
    shares && (node.has(Flags::CLICKABLE) || node.has(Flags::SELECTED))
}

/// A row: an item of a list, or something wide that takes taps and holds texts.
fn is_row(node: &Node<'_>, place: Place) -> bool {
    if !matches!(place, Place::Page | Place::List | Place::Dialog) {
        return false;
    }
    let screen = node.screen().bounds;
    let (bounds, up) = (node.bounds(), node.parent().map_or(screen, |parent| parent.bounds()));
    let wide = bounds.width() > up.width() / 2;
    let low = bounds.height() < screen.height() / 2;
    let said = node.has(Flags::COLLECTION_ITEM) || place == Place::List;
    let taps = node.has(Flags::CLICKABLE) && !has_word(node.class(), &["Button", "TextView"]);
    let heading = node.has(Flags::HEADING);
    wide && low
        && !heading
        && (said || taps)
        && (node.has_label() || labelled_below(node).is_some())
}

/// Cards stand away from the edges of the list they are in.
fn has_margins(node: &Node<'_>, least: f32) -> bool {
    let Some(parent) = node.parent() else { return false };
    let (own, up) = (node.bounds(), parent.bounds());
    let gap = |from: i32, to: i32| super::num::float(to.saturating_sub(from)) >= least;
    gap(up.left, own.left) && gap(own.right, up.right)
}
