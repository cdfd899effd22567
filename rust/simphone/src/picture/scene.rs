//! Windows from the back to the front, and in each its nodes in document order.

use super::Style;
use super::bars::STATUS;
use super::brush::Brush;
use super::canvas::Rect;
use super::kind::{Place, has_word, id_name};
use super::num::round;
use super::palette::{
    Color, INK, INK_SOFT, SCRIM, SURFACE, SURFACE_CONTAINER, SURFACE_HIGH, WALLPAPER, WHITE,
};
use clawperator_runtime::screen::{Bounds, Flags, Node, NodeIndex, Screen, WindowKind};
use std::collections::{HashMap, HashSet};

/// What a node takes over from those above it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Nothing of it is seen outside this.
    pub(super) clip: Bounds,
    pub(super) place: Place,
    pub(super) ink: Color,
    /// For what is less important.
    pub(super) soft: Color,
    pub(super) surface: Color,
    pub(super) enabled: bool,
    /// The row, card, tile or dialog it is in: what comes first there is its title.
    pub(super) group: Option<NodeIndex>,
}

/// A screen being drawn.
#[derive(Debug)]
pub(super) struct Scene<'a, 'b> {
    pub(super) brush: &'a mut Brush<'b>,
    pub(super) screen: &'a Screen,
    /// Groups whose title has been drawn.
    pub(super) titled: HashSet<NodeIndex>,
    /// Where the last row of a list ended.
    pub(super) row_ends: HashMap<NodeIndex, i32>,
}

/// What the bars at the top and the bottom are drawn with.
struct Bars {
    ink: Color,
    top: bool,
    bottom: bool,
}

pub(super) fn draw(brush: &mut Brush<'_>, screen: &Screen, style: &Style) {
    let all = brush.canvas.bounds();
    brush.canvas.fill(Rect::of(all), 0.0, SURFACE);
    let nodes = (0..screen.len()).filter_map(|at| screen.node(NodeIndex(at)));
    let mut roots: Vec<Node<'_>> = nodes.filter(|node| node.parent().is_none()).collect();
    roots.sort_by_key(|root| {
        let view = root.window();
        (view.window().layer, view.window().active)
    });
    let mut bars = Bars { ink: INK, top: true, bottom: true };
    let mut scene = Scene { brush, screen, titled: HashSet::new(), row_ends: HashMap::new() };
    let mut spots: Vec<Option<Spot>> = vec![None; screen.len() as usize];
    for root in roots {
        let spot = scene.window(&root, &mut bars);
        scene.nodes(&root, spot, &mut spots, &mut bars);
    }
    scene.brush.canvas.clip(all);
    if bars.top {
        scene.brush.status_bar(style, bars.ink);
    }
    if bars.bottom {
        scene.brush.gesture_bar(bars.ink);
    }
}

impl Scene<'_, '_> {
    /// Draws what is behind a window's nodes.
    fn window(&mut self, root: &Node<'_>, bars: &mut Bars) -> Spot {
        let view = root.window();
        let all = self.brush.canvas.bounds();
        let bounds =
            if view.window().bounds.is_empty() { root.bounds() } else { view.window().bounds };
        let clip = bounds.intersection(all);
        let mut spot = Spot {
            clip,
            place: Place::Page,
            ink: INK,
            soft: INK_SOFT,
            surface: SURFACE,
            enabled: true,
            group: None,
        };
        self.brush.canvas.clip(all);
        let area = Rect::of(clip);
        // A page may leave out the bars, and still is the page.
        let page = clip.width() >= all.width() && clip.height() >= all.height() / 10 * 8;
        let low = clip.height() <= all.height() / 10;
        match view.window().kind {
            WindowKind::InputMethod => {
                self.brush.canvas.fill(area, 0.0, SURFACE_HIGH);
                spot.place = Place::Keyboard;
                if root.descendants().take(200).filter(Node::has_label).count() < 8 {
                    self.brush.keyboard(area);
                }
            }
            WindowKind::System if low && !clip.is_empty() => {
                if clip.top <= all.top {
                    bars.top = false;
                } else {
                    bars.bottom = false;
                }
                spot = Spot { place: Place::System, ink: bars.ink, soft: bars.ink, ..spot };
            }
            _ if on_wallpaper(root) => {
                self.brush.canvas.fade(area, 0.0, WALLPAPER);
                bars.ink = if page { WHITE } else { bars.ink };
                spot.place = Place::Wallpaper;
                spot = Spot { ink: WHITE, soft: WHITE, surface: WALLPAPER[0], ..spot };
            }
            WindowKind::AccessibilityOverlay => spot.place = Place::System,
            _ if page => {
                bars.ink = INK;
                self.brush.canvas.fill(area, 0.0, SURFACE);
            }
            _ if !clip.is_empty() => self.dialog(root, area, &mut spot),
            _ => {}
        }
        spot
    }

    /// A dialog, a sheet from below or a menu.
    fn dialog(&mut self, root: &Node<'_>, area: Rect, spot: &mut Spot) {
        let all = self.brush.canvas.bounds();
        let title = root.window().title();
        let menu = has_word(title, &["popup", "pop-up", "dropdown", "toast"]);
        let sheet = spot.clip.width() >= all.width() && spot.clip.bottom >= all.bottom;
        let radius = self.brush.dp(if menu { 4.0 } else { 28.0 });
        // What stands out from a dimmed screen needs no shadow.
        if menu {
            self.brush.shadow(area, radius, 6.0);
        } else {
            self.brush.canvas.fill(Rect::of(all), 0.0, SCRIM);
        }
        // A sheet's lower corners are below the screen.
        let shape = if sheet { Rect { bottom: area.bottom + radius, ..area } } else { area };
        let surface = if menu { SURFACE_CONTAINER } else { SURFACE_HIGH };
        self.brush.canvas.fill(shape, radius, surface);
        spot.surface = surface;
        spot.place = Place::Dialog;
        spot.group = Some(root.index());
    }

    /// Goes through the nodes of a window without recursion: apps nest as deep as they like.
    fn nodes(&mut self, root: &Node<'_>, spot: Spot, spots: &mut [Option<Spot>], bars: &mut Bars) {
        let status = round(self.brush.dp(STATUS));
        for node in std::iter::once(*root).chain(root.descendants()) {
            let above = match node.parent() {
                None => Some(spot),
                Some(parent) => spots.get(parent.index().0 as usize).copied().flatten(),
            };
            let seen = node == *root || node.has(Flags::VISIBLE);
            let Some(above) = above.filter(|_| seen) else { continue };
            if self.brush.canvas.is_spent() {
                return;
            }
            let clip = above.clip.intersection(node.bounds());
            if clip.is_empty() {
                continue;
            }
            // An app that writes where the status bar is has hidden it.
            if clip.top < status && !node.text().is_empty() && spot.place != Place::System {
                bars.top = false;
            }
            self.brush.canvas.clip(clip);
            let enabled = above.enabled && node.has(Flags::ENABLED);
            let below = self.node(&node, Spot { clip, enabled, ..above });
            if let Some(place) = spots.get_mut(node.index().0 as usize) {
                *place = Some(below);
            }
        }
    }
}

/// Launchers and lock screens show the wallpaper.
fn on_wallpaper(root: &Node<'_>) -> bool {
    let view = root.window();
    let named = [view.package(), root.package(), view.title()];
    if named.iter().any(|name| has_word(name, &["launcher", "keyguard", "lockscreen"])) {
        return true;
    }
    let system = has_word(view.package(), &["systemui"]) || has_word(root.package(), &["systemui"]);
    let locked = |node: Node<'_>| has_word(id_name(&node), &["keyguard", "lock_"]);
    system && std::iter::once(*root).chain(root.descendants()).take(60).any(locked)
}
