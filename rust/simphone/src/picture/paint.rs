//! One node: what it looks like, and what that means for those below it.

use super::brush::Look;
use super::buttons::Emphasis;
use super::canvas::Rect;
use super::controls::Control;
use super::fields::{DOTS, Field};
use super::kind::{Kind, Place, has_word, id_name, labelled_below, picture_below};
use super::num::float;
use super::palette::{
    INK, INK_SOFT, OUTLINE_SOFT, PRIMARY, SURFACE_CONTAINER, SURFACE_HIGH, WHITE,
};
use super::scene::{Scene, Spot};
use super::symbol;
use clawperator_runtime::screen::{Flags, Node};
use material_icons::Icon;

/// Buttons that are not what the page is for.
const ASIDE: &[&str] = &[
    "cancel",
    "later",
    "skip",
    "not now",
    "no thanks",
    "learn more",
    "forgot",
    "dismiss",
    "back",
    "see all",
    "resend",
    "help",
];

/// What a node shows itself: its text, or its description where nothing below it has a label.
/// Where those below it say the same, they are left to say it.
fn own_label<'a>(node: &Node<'a>) -> &'a str {
    match labelled_below(node) {
        Some(_) => "",
        None => node.label(),
    }
}

impl Scene<'_, '_> {
    /// Draws a node. Answers what those below it take over.
    pub(super) fn node(&mut self, node: &Node<'_>, spot: Spot) -> Spot {
        let area = Rect::of(node.bounds());
        let on = node.has(Flags::CHECKED) || node.has(Flags::SELECTED);
        let enabled = spot.enabled;
        match Kind::of(node, spot.place, self.brush.density) {
            Kind::Box => {}
            Kind::Line => self.brush.canvas.fill(area, 0.0, OUTLINE_SOFT),
            Kind::Text => self.text(node, area, &spot),
            Kind::Picture => self.picture(node, area, &spot),
            Kind::Video => self.brush.placeholder(node.class(), area, Icon::PlayCircleFilled),
            Kind::Field => self.field(node, area, &spot),
            Kind::Control(control) => return self.control(control, node, area, spot),
            Kind::Button => return self.button(node, area, spot),
            Kind::Floating => {
                let words = [node.label(), id_name(node)];
                let icon = words.iter().find_map(|words| symbol::for_words(words));
                let icon = icon.unwrap_or(symbol::named(Icon::Add));
                self.brush.floating(area, Some(icon), node.text());
            }
            Kind::Tab => return self.tab(node, area, spot),
            Kind::Tile => return self.tile(node, area, spot),
            Kind::Chip => self.brush.chip(area, node.label(), on, enabled),
            Kind::Slider => self.brush.slider(self.padded(area, &spot), node.range(), enabled),
            Kind::Progress => self.brush.progress(area, node.range(), enabled),
            Kind::Dropdown => {
                let text = labelled_below(node).map_or(node.label(), |below| below.label());
                self.brush.dropdown(text, area, enabled);
                // What it shows is drawn; the text below it is the same.
                return Spot { clip: clawperator_runtime::screen::Bounds::default(), ..spot };
            }
            Kind::Toolbar => {
                return Spot { place: Place::Toolbar, group: Some(node.index()), ..spot };
            }
            Kind::List => {
                let place = if spot.place == Place::Page { Place::List } else { spot.place };
                return Spot { place, ..spot };
            }
            Kind::Row => return self.row(node, area, spot),
            Kind::Card => {
                self.brush.canvas.fill(area, self.brush.dp(20.0), SURFACE_CONTAINER);
                self.label_inside(node, area, &spot);
                return inside(node, Place::Card, Spot { surface: SURFACE_CONTAINER, ..spot });
            }
            Kind::SearchBar => {
                self.brush.canvas.fill(area, area.height() / 2.0, SURFACE_HIGH);
                return inside(node, Place::Search, spot);
            }
            Kind::App => self.brush.app(node.label(), area, spot.ink),
            Kind::Key => self.brush.key(area, node.label()),
        }
        spot
    }

    fn text(&mut self, node: &Node<'_>, area: Rect, spot: &Spot) {
        let label = own_label(node);
        if label.is_empty() {
            return;
        }
        let (look, color) = self.look(node, spot);
        let area = self.padded(area, spot);
        self.brush.text(label, area, look, color.when(spot.enabled));
    }

    /// Where the text of a view goes that reaches from one edge of the screen, or of its dialog, to
    /// the other: such views keep a distance to both within themselves.
    fn padded(&self, area: Rect, spot: &Spot) -> Rect {
        let dialog = spot.group.filter(|_| spot.place == Place::Dialog);
        let around = dialog.and_then(|group| self.screen.node(group)).map(|group| group.bounds());
        let around = Rect::of(around.unwrap_or(self.brush.canvas.bounds()));
        let near = self.brush.dp(8.0);
        let across = area.left < around.left + near && area.right > around.right - near;
        match spot.place {
            Place::Dialog if across => area.inset(self.brush.dp(24.0), 0.0),
            Place::Page | Place::List | Place::Wallpaper if across => {
                area.inset(self.brush.dp(16.0), 0.0)
            }
            _ => area,
        }
    }

    /// The label of something that is itself all there is of it.
    fn label_inside(&mut self, node: &Node<'_>, area: Rect, spot: &Spot) {
        let label = own_label(node);
        if !label.is_empty() {
            let inner = area.inset(self.brush.dp(16.0).min(area.width() / 8.0), 0.0);
            self.brush.text(label, inner, Look::new(16.0), spot.ink.when(spot.enabled));
        }
    }

    fn row(&mut self, node: &Node<'_>, area: Rect, spot: Spot) -> Spot {
        let bounds = node.bounds();
        if let Some(parent) = node.parent() {
            let last = self.row_ends.insert(parent.index(), bounds.bottom);
            let near = self.brush.dp(2.0);
            if last.is_some_and(|end| float(bounds.top.saturating_sub(end)).abs() <= near) {
                let inset = self.brush.dp(16.0);
                let line = Rect { bottom: area.top + self.brush.dp(1.0).max(1.0), ..area };
                self.brush.canvas.fill(line.inset(inset, 0.0), 0.0, OUTLINE_SOFT);
            }
        }
        self.label_inside(node, area, &spot);
        inside(node, Place::Row, spot)
    }

    fn field(&mut self, node: &Node<'_>, area: Rect, spot: &Spot) {
        let password = node.has(Flags::PASSWORD);
        let hint = node.has(Flags::SHOWING_HINT);
        let text = if password && node.holds_text() { DOTS } else { node.text() };
        let described = if node.description() == text { "" } else { node.description() };
        // An empty field shows what it is called as a hint.
        let (text, label, hint) = match (text, described) {
            // The hint of a password field is withheld with the password.
            ("", "") if password => ("Password", "", true),
            ("", described) => (described, "", true),
            (text, described) => (text, described, hint),
        };
        let search = has_word(id_name(node), &["search"]) || has_word(text, &["search"]);
        let field = Field {
            text,
            label,
            hint,
            password,
            focused: node.has(Flags::FOCUSED),
            enabled: spot.enabled,
            search,
            surface: spot.surface,
        };
        self.brush.field(area, &field);
    }

    fn control(&mut self, control: Control, node: &Node<'_>, area: Rect, spot: Spot) -> Spot {
        let checked = node.has(Flags::CHECKED);
        let area = self.padded(area, &spot);
        let width = self.brush.control_width(control);
        let label = own_label(node);
        // "ON" and "OFF" are what a switch is read out as, not what it shows.
        let state = label.eq_ignore_ascii_case("on") || label.eq_ignore_ascii_case("off");
        let texts = labelled_below(node);
        let alone = area.width() < width * 1.8 || (texts.is_none() && (label.is_empty() || state));
        let (mut place, mut rest) = (area, area);
        if alone && control == Control::Switch && area.width() > width * 1.8 {
            place.left = area.right - width;
        } else if !alone {
            let room_before =
                texts.is_none_or(|text| Rect::of(text.bounds()).left - area.left >= width);
            if control == Control::Switch || !room_before {
                place.left = area.right - width;
                rest.right = place.left;
            } else {
                place.right = area.left + width;
                rest.left = place.right + self.brush.dp(16.0);
            }
        }
        self.brush.control(control, place, checked, spot.enabled);
        if !alone {
            self.brush.text(label, rest, Look::new(16.0), spot.ink.when(spot.enabled));
        }
        inside(node, Place::Row, spot)
    }

    fn button(&mut self, node: &Node<'_>, area: Rect, spot: Spot) -> Spot {
        let label = own_label(node);
        let said =
            if label.is_empty() { labelled_below(node).map_or("", |at| at.label()) } else { label };
        let real =
            has_word(node.class(), &["Button"]) || has_word(node.role_description(), &["button"]);
        let quiet = matches!(spot.place, Place::Row | Place::Card | Place::Dialog | Place::Toolbar);
        let emphasis = match () {
            () if !real || quiet || has_word(said, ASIDE) => Emphasis::Text,
            () if spot.place == Place::Wallpaper => Emphasis::Tonal,
            () => Emphasis::Filled,
        };
        self.brush.button(area, emphasis, spot.enabled);
        let ink = match spot.place {
            Place::Wallpaper if emphasis == Emphasis::Text => WHITE,
            _ => emphasis.ink(spot.enabled),
        };
        let look = Look::new(14.0).medium().middle();
        // A link in running text begins where the text does.
        let wide = area.width() > float(node.screen().bounds.width()) * 0.6;
        let look = if !real && wide { Look::new(14.0).medium() } else { look };
        let pad = self.brush.dp(8.0).min(area.width() / 12.0);
        self.brush.text(label, area.inset(pad, 0.0), look, ink);
        Spot { place: Place::Button, ink, soft: ink, ..spot }
    }

    fn tab(&mut self, node: &Node<'_>, area: Rect, spot: Spot) -> Spot {
        let selected = node.has(Flags::SELECTED) || node.has(Flags::CHECKED);
        let label = own_label(node);
        let said =
            if label.is_empty() { labelled_below(node).map_or("", |at| at.label()) } else { label };
        let ink = if selected { PRIMARY } else { spot.soft };
        let at_bottom = area.top > float(node.screen().bounds.bottom) * 0.75;
        let high = area.height() >= self.brush.dp(48.0);
        let pictured = picture_below(node);
        if at_bottom && high && pictured.is_none() && !label.is_empty() {
            let icon = symbol::for_words(said).unwrap_or(symbol::named(Icon::Circle));
            let y = area.top + area.height() * 0.36;
            self.brush.tab_icon(icon, area.x(), y, selected);
            let (top, bottom) =
                (area.top + area.height() * 0.62, area.bottom - area.height() * 0.1);
            let place = Rect { top, bottom, ..area };
            self.brush.text(label, place, Look::new(12.0).medium().middle().single(), ink);
        } else {
            match pictured.map(|picture| Rect::of(picture.bounds())) {
                Some(at) if at_bottom && selected => self.brush.tab_icon(' ', at.x(), at.y(), true),
                None if selected => self.brush.tab_mark(area, said),
                _ => {}
            }
            self.brush.text(label, area, Look::new(14.0).medium().middle().single(), ink);
        }
        Spot { place: Place::Tab, ink, soft: ink, ..spot }
    }

    fn tile(&mut self, node: &Node<'_>, area: Rect, spot: Spot) -> Spot {
        let on = node.has(Flags::CHECKED) || node.has(Flags::SELECTED);
        self.brush.tile(area, on, spot.enabled);
        let (ink, soft) = if on { (WHITE, WHITE) } else { (INK, INK_SOFT) };
        let label = own_label(node);
        if !label.is_empty() {
            let mut inner = area.inset(self.brush.dp(16.0).min(area.width() / 8.0), 0.0);
            let side = self.brush.dp(24.0);
            if let Some(icon) = symbol::for_words(label).filter(|_| inner.width() > side * 4.0) {
                let x = inner.left + side / 2.0;
                self.brush.icon(icon, x, inner.y(), side, ink.when(spot.enabled));
                inner.left += side + self.brush.dp(12.0);
            }
            self.brush.text(label, inner, Look::new(14.0).medium(), ink.when(spot.enabled));
        }
        inside(node, Place::Tile, Spot { ink, soft, ..spot })
    }
}

/// What stands in a row, a card or a tile belongs together.
fn inside(node: &Node<'_>, place: Place, spot: Spot) -> Spot {
    Spot { place, group: Some(node.index()), ..spot }
}
