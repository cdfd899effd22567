//! How a text is set, by where it stands.

use super::brush::Look;
use super::canvas::Rect;
use super::kind::{Place, has_word, id_name};
use super::num::float;
use super::palette::{Color, PRIMARY};
use super::scene::{Scene, Spot};
use clawperator_runtime::screen::{Flags, Node};

impl Scene<'_, '_> {
    /// Size, weight, place and colour of a node's text. Android's trees tell none of them.
    pub(super) fn look(&mut self, node: &Node<'_>, spot: &Spot) -> (Look, Color) {
        let high = float(node.bounds().height()) / self.brush.density;
        let id = id_name(node);
        let heading = node.has(Flags::HEADING) || has_word(id, &["title", "headline"]);
        let first = spot.group.is_none_or(|group| self.titled.insert(group));
        let (ink, soft) = (spot.ink, spot.soft);
        match spot.place {
            Place::Toolbar if first => {
                // A large bar has a large title; 22 is the usual.
                let size = if high > 36.0 { (high / 1.35).min(32.0) } else { 22.0 };
                (Look::new(size).single(), ink)
            }
            Place::Toolbar => (Look::new(14.0).single(), soft),
            Place::Tab => (Look::new(14.0).medium().middle().single(), ink),
            Place::Button => (Look::new(14.0).medium().middle(), ink),
            Place::Search => (Look::new(16.0).single(), soft),
            Place::Tile if first => (Look::new(14.0).medium(), ink),
            Place::Tile => (Look::new(12.0), soft),
            Place::Row | Place::Card if in_corner(node, spot, self) => {
                (Look::new(14.0).end().single(), soft)
            }
            Place::Row | Place::List if heading && node.has(Flags::HEADING) => {
                (Look::new(14.0).medium().single(), PRIMARY)
            }
            Place::Row if first => (Look::new(16.0), ink),
            Place::Row => (Look::new(14.0), soft),
            Place::Card if first => (Look::new(16.0).medium(), ink),
            Place::Card => (Look::new(14.0), soft),
            Place::Dialog if heading || (first && high < 48.0) => (Look::new(24.0), ink),
            Place::Dialog => (Look::new(14.0), soft),
            Place::Wallpaper if has_word(id, &["clock"]) => {
                (Look::new(72.0).middle().single(), ink)
            }
            Place::Wallpaper if is_centred(node) => (Look::new(16.0).middle(), ink),
            Place::Wallpaper => (Look::new(16.0), ink),
            Place::System | Place::Keyboard => (Look::new(13.0).medium().single(), ink),
            Place::Page | Place::List if heading => {
                let size = (high / 1.4).clamp(14.0, 28.0);
                (if size < 20.0 { Look::new(size).medium() } else { Look::new(size) }, ink)
            }
            Place::Page | Place::List => {
                let small = high < 22.0 || node.text().chars().nth(80).is_some();
                let look = Look::new(if small { 14.0 } else { 16.0 });
                let centred = is_centred(node);
                (if centred { look.middle() } else { look }, if small { soft } else { ink })
            }
        }
    }
}

/// A date or a value: beside the title of its row, at the right.
fn in_corner(node: &Node<'_>, spot: &Spot, scene: &Scene<'_, '_>) -> bool {
    let Some(row) = spot.group.and_then(|group| scene.screen.node(group)) else { return false };
    let (own, row) = (Rect::of(node.bounds()), Rect::of(row.bounds()));
    own.left > row.x() && own.width() < row.width() / 2.0
}

/// Does it stand in the middle of what it is in, away from both edges?
fn is_centred(node: &Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let (own, up) = (Rect::of(node.bounds()), Rect::of(parent.bounds()));
    let (left, right) = (own.left - up.left, up.right - own.right);
    left > up.width() * 0.12 && (left - right).abs() < up.width() * 0.02
}
