//! What is pressed: buttons, tabs, tiles, chips, and the icons of a launcher.

use super::brush::{Brush, Look};
use super::canvas::Rect;
use super::palette::{
    Color, INK, INK_SOFT, ON_PRIMARY_CONTAINER, OUTLINE, PRIMARY, PRIMARY_CONTAINER,
    SURFACE_CONTAINER, WHITE, accent,
};
use super::symbol;
use material_icons::Icon;

/// How much a button asks to be pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emphasis {
    Filled,
    Tonal,
    Text,
}

impl Emphasis {
    /// The colour of what stands on it.
    pub(super) fn ink(self, enabled: bool) -> Color {
        match self {
            _ if !enabled => INK.when(false),
            Self::Filled => WHITE,
            Self::Tonal => ON_PRIMARY_CONTAINER,
            Self::Text => PRIMARY,
        }
    }
}

impl Brush<'_> {
    /// A button without its label. Material's is lower than the area that takes the tap.
    pub(super) fn button(&mut self, area: Rect, emphasis: Emphasis, enabled: bool) {
        let air = if area.height() >= self.dp(48.0) { self.dp(4.0) } else { 0.0 };
        let shape = area.inset(0.0, air);
        let fill = match emphasis {
            Emphasis::Text => return,
            _ if !enabled => INK.alpha(31),
            Emphasis::Filled => PRIMARY,
            Emphasis::Tonal => PRIMARY_CONTAINER,
        };
        self.canvas.fill(shape, shape.height() / 2.0, fill);
    }

    /// The button that floats above a page, with an icon, a label or both.
    pub(super) fn floating(&mut self, area: Rect, icon: Option<char>, label: &str) {
        let shape = area.inset(self.dp(2.0), self.dp(2.0));
        self.shadow(shape, self.dp(16.0), 6.0);
        self.canvas.fill(shape, self.dp(16.0), PRIMARY_CONTAINER);
        let side = self.dp(24.0).min(shape.height());
        let look = Look::new(14.0).medium().single();
        let gap = self.dp(12.0);
        let text = if label.is_empty() { 0.0 } else { self.text_width(label, look) + gap };
        let mut left = shape.x() - text / 2.0;
        if let Some(icon) = icon {
            self.icon(icon, left, shape.y(), side, ON_PRIMARY_CONTAINER);
            left += side / 2.0 + gap;
        }
        let place = Rect { left, ..shape };
        self.text(label, place, look, ON_PRIMARY_CONTAINER);
    }

    /// The mark of a selected tab: a line below a label, or a pill behind the icon of a bottom bar.
    pub(super) fn tab_mark(&mut self, area: Rect, label: &str) {
        let width = self.text_width(label, Look::new(14.0).medium()).max(self.dp(24.0));
        let width = width.min(area.width());
        let height = self.dp(3.0);
        let line = Rect::around(area.x(), area.bottom - height / 2.0, width, height);
        self.canvas.fill(line, height / 2.0, PRIMARY);
    }

    /// The icon of a bottom bar's tab.
    pub(super) fn tab_icon(&mut self, icon: char, x: f32, y: f32, selected: bool) {
        if selected {
            let pill = Rect::around(x, y, self.dp(64.0), self.dp(32.0));
            self.canvas.fill(pill, self.dp(16.0), PRIMARY_CONTAINER);
        }
        let color = if selected { ON_PRIMARY_CONTAINER } else { INK_SOFT };
        self.icon(icon, x, y, self.dp(24.0), color);
    }

    /// A tile without its label: a large button that shows whether it is on.
    pub(super) fn tile(&mut self, area: Rect, on: bool, enabled: bool) {
        let fill = if on { PRIMARY } else { SURFACE_CONTAINER };
        self.canvas.fill(area, self.dp(20.0), fill.when(enabled));
    }

    pub(super) fn chip(&mut self, area: Rect, label: &str, on: bool, enabled: bool) {
        let height = area.height().min(self.dp(32.0));
        let shape = Rect::around(area.x(), area.y(), area.width(), height);
        let mut inner = shape.inset(self.dp(12.0).min(shape.width() / 6.0), 0.0);
        if on {
            self.canvas.fill(shape, self.dp(8.0), PRIMARY_CONTAINER.when(enabled));
            let look = Look::new(14.0).medium().single();
            let side = self.dp(18.0);
            // The tick only where the label still fits beside it.
            if self.text_width(label, look) + side + self.dp(4.0) < inner.width() {
                let check = symbol::named(Icon::Check);
                self.icon(check, inner.left + side / 2.0, shape.y(), side, ON_PRIMARY_CONTAINER);
                inner.left += side + self.dp(4.0);
            }
        } else {
            self.canvas.stroke(shape, self.dp(8.0), self.dp(1.0).max(1.0), OUTLINE.when(enabled));
        }
        let color = if on { ON_PRIMARY_CONTAINER } else { INK_SOFT };
        let look = Look::new(14.0).medium().middle().single();
        self.text(label, inner, look, color.when(enabled));
    }

    /// An app on the launcher: its icon, and its name where there is room below.
    pub(super) fn app(&mut self, label: &str, area: Rect, ink: Color) {
        let line = self.dp(20.0);
        let named = area.height() >= self.dp(44.0);
        let room = if named { area.height() - line - self.dp(4.0) } else { area.height() };
        let side = self.dp(56.0).min(area.width() * 0.86).min(room);
        let block = if named { side + self.dp(4.0) + line } else { side };
        let top = area.y() - block / 2.0;
        self.disc(label, area.x(), top + side / 2.0, side, true);
        if named {
            let place = Rect { top: top + side + self.dp(4.0), bottom: top + block, ..area };
            self.text(label, place, Look::new(13.0).middle().single(), ink);
        }
    }

    /// A picture nobody has: a landscape in a colour of its own.
    pub(super) fn placeholder(&mut self, label: &str, area: Rect, icon: Icon) {
        let tint = accent(label);
        let colors = [tint.mix(WHITE, 0.72), tint.mix(WHITE, 0.5)];
        self.canvas.fade(area, self.dp(12.0), colors);
        let side = self.dp(56.0).min(area.width() * 0.4).min(area.height() * 0.6);
        self.icon(symbol::named(icon), area.x(), area.y(), side, tint.mix(WHITE, 0.15));
    }
}
