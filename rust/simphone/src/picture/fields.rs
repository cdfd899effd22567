//! What is typed into.

use super::brush::{Brush, Look};
use super::canvas::Rect;
use super::palette::{Color, INK, INK_SOFT, OUTLINE, PRIMARY, SURFACE_HIGH};
use super::symbol;
use material_icons::Icon;

/// A text field as it is to be drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    /// What stands in it; of a password [`DOTS`].
    pub(super) text: &'a str,
    /// What it is called, where that is not what stands in it.
    pub(super) label: &'a str,
    pub(super) hint: bool,
    pub(super) password: bool,
    pub(super) focused: bool,
    pub(super) enabled: bool,
    pub(super) search: bool,
    /// What it lies on.
    pub(super) surface: Color,
}

/// How every password is drawn: its length is nobody's business either.
pub(super) const DOTS: &str = "••••••••";

impl Brush<'_> {
    pub(super) fn field(&mut self, area: Rect, field: &Field<'_>) {
        let look = Look::new(16.0);
        let pad = self.dp(16.0).min(area.width() / 8.0);
        let mut inner = area.inset(pad, self.dp(2.0).min(area.height() / 10.0));
        if field.search {
            let height = area.height().min(self.dp(56.0));
            let pill = Rect::around(area.x(), area.y(), area.width(), height);
            self.canvas.fill(pill, height / 2.0, SURFACE_HIGH);
            let side = self.dp(24.0).min(height * 0.6);
            let x = pill.left + pad + side / 2.0;
            self.icon(symbol::named(Icon::Search), x, area.y(), side, INK_SOFT);
            inner.left += side + self.dp(12.0);
        } else if area.height() < self.dp(36.0) {
            // Too low for a box: the line below it that older apps have.
            let line = Rect { top: area.bottom - self.dp(1.5), ..area };
            inner = area.inset(self.dp(4.0), self.dp(2.0));
            self.canvas.fill(line, 0.0, self.edge(field));
        } else {
            inner = self.outline(area, inner, field);
        }
        if field.password && !field.search {
            let side = self.dp(24.0).min(area.height() * 0.5);
            let x = inner.right - side / 2.0;
            let eye = symbol::named(Icon::VisibilityOff);
            self.icon(eye, x, inner.y(), side, INK_SOFT.when(field.enabled));
            inner.right -= side + self.dp(8.0);
        }
        // A field of several lines is written from its top.
        let look = if area.height() < self.dp(72.0) { look.single() } else { look };
        let color = if field.hint { INK_SOFT } else { INK };
        let (end, baseline) = self.text(field.text, inner, look, color.when(field.enabled));
        if field.focused {
            let x = if field.hint { inner.left } else { end };
            let baseline = if field.text.is_empty() { inner.y() + self.dp(6.0) } else { baseline };
            let cursor = Rect::new(
                x + self.dp(1.0),
                baseline - self.dp(15.0),
                x + self.dp(3.0),
                baseline + self.dp(4.0),
            );
            self.canvas.fill(cursor, self.dp(1.0), PRIMARY);
        }
    }

    fn edge(&self, field: &Field<'_>) -> Color {
        if field.focused { PRIMARY } else { OUTLINE.when(field.enabled) }
    }

    /// Material's outlined box, its label in a gap of the outline. Answers where the text goes.
    fn outline(&mut self, area: Rect, inner: Rect, field: &Field<'_>) -> Rect {
        let labelled = !field.label.is_empty() && area.height() >= self.dp(48.0);
        let gap = if labelled { self.dp(8.0) } else { self.dp(2.0) };
        let bottom = area.bottom - self.dp(2.0);
        let shape = Rect { top: area.top + gap, bottom, ..area };
        let width = if field.focused { self.dp(2.0) } else { self.dp(1.0) };
        self.canvas.stroke(shape, self.dp(4.0), width.max(1.0), self.edge(field));
        if labelled {
            let look = Look::new(12.0).single();
            let width = self.text_width(field.label, look).min(inner.width());
            let left = area.left + self.dp(12.0);
            let top = area.top;
            let notch = Rect::new(left, top, left + width + self.dp(8.0), top + self.dp(16.0));
            self.canvas.fill(notch, 0.0, field.surface);
            let color = if field.focused { PRIMARY } else { INK_SOFT };
            let place = notch.inset(self.dp(4.0), 0.0);
            let place = Rect { right: place.right + self.dp(1.0), ..place };
            self.text(field.label, place, look, color.when(field.enabled));
        }
        // Below the label there is air, where there is room for several lines.
        let air = if labelled && area.height() >= self.dp(72.0) { 10.0 } else { 2.0 };
        Rect { top: shape.top + self.dp(air), bottom: shape.bottom - self.dp(2.0), ..inner }
    }

    /// A choice that opens out, closed.
    pub(super) fn dropdown(&mut self, text: &str, area: Rect, enabled: bool) {
        let shape = area.inset(0.0, self.dp(2.0));
        self.canvas.stroke(shape, self.dp(4.0), self.dp(1.0).max(1.0), OUTLINE.when(enabled));
        let side = self.dp(24.0).min(area.height());
        let pad = self.dp(12.0).min(area.width() / 8.0);
        let x = area.right - pad - side / 2.0;
        let arrow = symbol::named(Icon::ArrowDropDown);
        self.icon(arrow, x, area.y(), side, INK_SOFT.when(enabled));
        let inner = Rect { right: x - side / 2.0, ..area.inset(pad, 0.0) };
        self.text(text, inner, Look::new(16.0).single(), INK.when(enabled));
    }
}
