//! What the system adds around apps: status bar, navigation, keyboard.

use super::Style;
use super::brush::{Brush, Look};
use super::canvas::Rect;
use super::num::float_of;
use super::palette::{Color, INK, INK_SOFT, PRIMARY, SURFACE_HIGHEST, WHITE};
use super::symbol;
use material_icons::Icon;

/// Height of the status bar in Android's units.
pub(super) const STATUS: f32 = 24.0;

const KEYS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

impl Brush<'_> {
    /// Clock on the left, signal and battery on the right.
    pub(super) fn status_bar(&mut self, style: &Style, ink: Color) {
        let all = Rect::of(self.canvas.bounds());
        let pad = self.dp(24.0).min(all.width() / 12.0);
        let bar = Rect { bottom: all.top + self.dp(STATUS), ..all }.moved(0.0, self.dp(3.0));
        let look = Look::new(14.0).medium().single();
        self.text(&style.clock, bar.inset(pad, 0.0), look, ink);
        let side = self.dp(16.0);
        let mut x = bar.right - pad - side / 2.0;
        self.battery(x, bar.y(), style.battery, ink);
        for icon in [Icon::SignalCellular4Bar, Icon::SignalWifi4Bar] {
            x -= side + self.dp(3.0);
            self.icon(symbol::named(icon), x, bar.y(), side, ink);
        }
    }

    /// An upright battery, filled as far as it is.
    fn battery(&mut self, x: f32, y: f32, percent: u8, ink: Color) {
        let (width, height) = (self.dp(8.0), self.dp(14.0));
        let body = Rect::around(x, y + self.dp(0.5), width, height);
        let cap = Rect::around(x, body.top - self.dp(0.5), width / 2.0, self.dp(2.0));
        self.canvas.fill(cap, 0.0, ink);
        self.canvas.fill(body, self.dp(1.5), ink.alpha(80));
        let full = f32::from(percent.min(100)) / 100.0;
        let charge = Rect { top: body.bottom - height * full, ..body };
        self.canvas.fill(charge, self.dp(1.5), ink);
    }

    /// The line that is swiped up to leave an app.
    pub(super) fn gesture_bar(&mut self, ink: Color) {
        let all = Rect::of(self.canvas.bounds());
        let (width, height) = (self.dp(108.0).min(all.width() / 2.0), self.dp(4.0));
        let line = Rect::around(all.x(), all.bottom - self.dp(10.0), width, height);
        self.canvas.fill(line, height / 2.0, ink.alpha(200));
    }

    /// A keyboard whose keys the tree does not tell.
    pub(super) fn keyboard(&mut self, area: Rect) {
        let pad = self.dp(4.0);
        // Room for suggestions above the keys and for the system's bar below them.
        let above = self.dp(40.0).min(area.height() / 6.0);
        let below = self.dp(24.0).min(area.height() / 10.0);
        let keys =
            Rect { top: area.top + above, bottom: area.bottom - below, ..area }.inset(pad, 0.0);
        let row = keys.height() / 4.0;
        let unit = keys.width() / 10.0;
        let place = |column: f32, line: f32, width: f32| {
            let (left, top) = (keys.left + column * unit, keys.top + line * row);
            Rect::new(left, top, left + width * unit, top + row)
        };
        for (line, letters) in KEYS.iter().enumerate() {
            let first = [0.0, 0.5, 1.5][line];
            for (number, letter) in letters.chars().enumerate() {
                let area = place(first + float_of(number), float_of(line), 1.0);
                self.key(area, &letter.to_string());
            }
        }
        self.key(place(0.0, 2.0, 1.5), "Shift");
        self.key(place(8.5, 2.0, 1.5), "Delete");
        self.key(place(0.0, 3.0, 1.5), "?123");
        self.key(place(1.5, 3.0, 1.0), ",");
        self.key(place(2.5, 3.0, 5.0), "Space");
        self.key(place(7.5, 3.0, 1.0), ".");
        self.key(place(8.5, 3.0, 1.5), "Enter");
    }

    /// One key, by its label.
    pub(super) fn key(&mut self, area: Rect, label: &str) {
        let shape = area.inset(self.dp(2.5), self.dp(4.0).min(area.height() / 8.0));
        let radius = self.dp(6.0);
        let icon = match label.to_ascii_lowercase().as_str() {
            "shift" => Icon::ArrowUpward,
            "delete" | "backspace" => Icon::Backspace,
            "enter" | "done" | "go" | "next" | "return" => Icon::KeyboardReturn,
            "search" => Icon::Search,
            "space" => {
                self.canvas.fill(shape, radius, WHITE);
                return;
            }
            _ => {
                let letter = label.chars().count() == 1;
                let fill = if letter { WHITE } else { SURFACE_HIGHEST };
                self.canvas.fill(shape, radius, fill);
                let look = Look::new(if letter { 22.0 } else { 14.0 }).middle().single();
                self.text(label, shape, look, INK);
                return;
            }
        };
        let enters = matches!(icon, Icon::KeyboardReturn | Icon::Search);
        let (fill, ink) = if enters { (PRIMARY, WHITE) } else { (SURFACE_HIGHEST, INK_SOFT) };
        let radius = if enters { shape.height() / 2.0 } else { radius };
        self.canvas.fill(shape, radius, fill);
        let side = self.dp(22.0).min(shape.height() * 0.7);
        self.icon(symbol::named(icon), shape.x(), shape.y(), side, ink);
    }
}
