//! What is set rather than pressed: switches, ticks, dials, sliders and progress.

use super::brush::Brush;
use super::canvas::Rect;
use super::palette::{INK_SOFT, OUTLINE, PRIMARY, PRIMARY_CONTAINER, SURFACE_HIGHEST, WHITE};
use super::symbol;
use clawperator_runtime::screen::Range;
use material_icons::Icon;

/// The three shapes of "on or off".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    Switch,
    Check,
    Radio,
}

impl Brush<'_> {
    /// How wide a control is with the space beside it.
    pub(super) fn control_width(&self, control: Control) -> f32 {
        match control {
            Control::Switch => self.dp(60.0),
            Control::Check | Control::Radio => self.dp(24.0),
        }
    }

    /// A control in the middle of an area, no larger than that.
    pub(super) fn control(&mut self, control: Control, area: Rect, on: bool, enabled: bool) {
        match control {
            Control::Switch => self.switch(area, on, enabled),
            Control::Check if on => self.tick(Icon::CheckBox, area, true, enabled),
            Control::Check => self.tick(Icon::CheckBoxOutlineBlank, area, false, enabled),
            Control::Radio if on => self.tick(Icon::RadioButtonChecked, area, true, enabled),
            Control::Radio => self.tick(Icon::RadioButtonUnchecked, area, false, enabled),
        }
    }

    fn tick(&mut self, icon: Icon, area: Rect, on: bool, enabled: bool) {
        let side = self.dp(24.0).min(area.width()).min(area.height());
        let color = if on { PRIMARY } else { INK_SOFT };
        self.icon(symbol::named(icon), area.x(), area.y(), side, color.when(enabled));
    }

    /// Material's switch: 52 by 32, a thumb that grows when it is on.
    fn switch(&mut self, area: Rect, on: bool, enabled: bool) {
        let unit = self.dp(1.0).min(area.width() / 52.0).min(area.height() / 32.0);
        let track = Rect::around(area.x(), area.y(), 52.0 * unit, 32.0 * unit);
        if on {
            self.canvas.fill(track, 16.0 * unit, PRIMARY.when(enabled));
            let thumb = Rect::around(track.right - 16.0 * unit, area.y(), 24.0 * unit, 24.0 * unit);
            self.canvas.fill(thumb, 12.0 * unit, WHITE);
            let check = symbol::named(Icon::Check);
            self.icon(check, thumb.x(), thumb.y(), 16.0 * unit, PRIMARY.when(enabled));
        } else {
            self.canvas.fill(track, 16.0 * unit, SURFACE_HIGHEST.when(enabled));
            self.canvas.stroke(track, 16.0 * unit, 2.0 * unit, OUTLINE.when(enabled));
            let thumb = Rect::around(track.left + 16.0 * unit, area.y(), 16.0 * unit, 16.0 * unit);
            self.canvas.fill(thumb, 8.0 * unit, OUTLINE.when(enabled));
        }
    }

    /// A slider: what lies before the handle is filled.
    pub(super) fn slider(&mut self, area: Rect, range: Option<Range>, enabled: bool) {
        let pad = self.dp(10.0).min(area.width() / 4.0);
        let track = Rect::around(area.x(), area.y(), area.width() - 2.0 * pad, self.dp(4.0));
        let at = track.left + track.width() * share(range);
        self.canvas.fill(track, self.dp(2.0), PRIMARY_CONTAINER.when(enabled));
        let done = Rect { right: at, ..track };
        self.canvas.fill(done, self.dp(2.0), PRIMARY.when(enabled));
        let side = self.dp(20.0).min(area.height());
        self.canvas.fill(Rect::around(at, area.y(), side, side), side / 2.0, PRIMARY.when(enabled));
    }

    /// A bar where there is room for one, else a ring. What has no value is drawn under way.
    pub(super) fn progress(&mut self, area: Rect, range: Option<Range>, enabled: bool) {
        let part = if range.is_some() { share(range) } else { 0.7 };
        if area.width() > 2.0 * area.height() {
            let height = self.dp(4.0).min(area.height());
            let track = Rect::around(area.x(), area.y(), area.width(), height);
            self.canvas.fill(track, height / 2.0, PRIMARY_CONTAINER.when(enabled));
            let done = Rect { right: track.left + track.width() * part, ..track };
            self.canvas.fill(done, height / 2.0, PRIMARY.when(enabled));
        } else {
            let side = self.dp(48.0).min(area.width()).min(area.height());
            let ring = Rect::around(area.x(), area.y(), side, side);
            self.canvas.arc(ring, side / 10.0, 1.0, PRIMARY_CONTAINER.when(enabled));
            self.canvas.arc(ring, side / 10.0, part, PRIMARY.when(enabled));
        }
    }
}

/// How far a value is on its way, 0 to 1. Apps report nonsense too.
fn share(range: Option<Range>) -> f32 {
    let Some(Range { min, max, current }) = range else { return 0.0 };
    let share = (current - min) / (max - min);
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_outside_its_range_is_drawn_at_its_end() {
        let at = |min, max, current| share(Some(Range { min, max, current }));
        assert!((at(0.0, 4.0, 1.0) - 0.25).abs() < 1e-6);
        assert!((at(0.0, 4.0, 9.0) - 1.0).abs() < 1e-6);
        for odd in [at(0.0, 0.0, 0.0), at(f32::NAN, 1.0, 1.0), at(0.0, f32::INFINITY, 1.0)] {
            assert!(odd.abs() < 1e-6);
        }
    }
}
