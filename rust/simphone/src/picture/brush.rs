//! Text, icons and discs on a canvas, in the measures of a phone.

use super::canvas::{Canvas, Rect};
use super::font::{Fonts, Weight};
use super::num::{floor, round};
use super::palette::{BLACK, Color, WHITE, accent};
use super::symbol;
use super::text::{Align, Setting};

/// What draws: the canvas, the fonts and the density.
#[derive(Debug)]
pub(super) struct Brush<'a> {
    pub(super) canvas: Canvas,
    pub(super) fonts: &'a mut Fonts,
    /// Pixels per unit of Android's layout.
    pub(super) density: f32,
}

/// A text's look: size in Android's units, weight, place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) size: f32,
    pub(super) weight: Weight,
    pub(super) align: Align,
    pub(super) single: bool,
}

impl Look {
    pub(super) const fn new(size: f32) -> Self {
        Self { size, weight: Weight::Regular, align: Align::Start, single: false }
    }

    pub(super) const fn medium(self) -> Self {
        Self { weight: Weight::Medium, ..self }
    }

    pub(super) const fn middle(self) -> Self {
        Self { align: Align::Middle, ..self }
    }

    pub(super) const fn end(self) -> Self {
        Self { align: Align::End, ..self }
    }

    pub(super) const fn single(self) -> Self {
        Self { single: true, ..self }
    }
}

impl Brush<'_> {
    /// Android's units in pixels.
    pub(super) fn dp(&self, units: f32) -> f32 {
        units * self.density
    }

    /// Text in a box. Answers where its last line ends, for a cursor.
    pub(super) fn text(&mut self, text: &str, area: Rect, look: Look, color: Color) -> (f32, f32) {
        let setting = Setting {
            em: self.dp(look.size),
            weight: look.weight,
            align: look.align,
            single: look.single,
        };
        let set = self.fonts.set(text, area, setting);
        let mut end = (area.left, area.y());
        for line in &set.lines {
            let mut x = line.x;
            for character in line.text.chars() {
                let stamp = self.fonts.letter(character, set.letters, x - x.floor());
                self.canvas.stamp(&stamp, floor(x), round(line.baseline), color);
                x += self.fonts.advance(character, set.letters);
            }
            end = (x, line.baseline);
        }
        end
    }

    /// How wide a text is on one line.
    pub(super) fn text_width(&mut self, text: &str, look: Look) -> f32 {
        let everywhere = Rect::new(0.0, 0.0, 20_000.0, 1_000.0);
        let look = Look { align: Align::Start, ..look }.single();
        let setting = Setting {
            em: self.dp(look.size),
            weight: look.weight,
            align: look.align,
            single: true,
        };
        self.fonts.set(text, everywhere, setting).lines.first().map_or(0.0, |line| line.width)
    }

    /// An icon around a point, on a square of that many pixels.
    pub(super) fn icon(&mut self, icon: char, x: f32, y: f32, side: f32, color: Color) {
        let stamp = self.fonts.icon(icon, side);
        self.canvas.stamp(&stamp, round(x), round(y), color);
    }

    /// The coloured disc that stands for an app, a person or a topic: an icon where a word of the
    /// label is known, else the label's first letter.
    pub(super) fn disc(&mut self, label: &str, x: f32, y: f32, side: f32, enabled: bool) {
        let area = Rect::around(x, y, side, side);
        self.canvas.fill(area, side / 2.0, accent(label).when(enabled));
        match (symbol::for_words(label), label.chars().find(|c| c.is_alphanumeric())) {
            (Some(icon), _) => self.icon(icon, x, y, side * 0.58, WHITE),
            (None, Some(letter)) => {
                let letter: String = letter.to_uppercase().collect();
                let size = side * 0.48 / self.density;
                self.text(&letter, area, Look::new(size).medium().middle().single(), WHITE);
            }
            (None, None) => {}
        }
    }

    /// The soft shadow below something that lies higher; it falls on what is around that, too.
    pub(super) fn shadow(&mut self, area: Rect, radius: f32, height: f32) {
        let height = self.dp(height);
        let all = self.canvas.bounds();
        let clip = self.canvas.clip(all);
        for step in 1..=6_u8 {
            let spread = height * f32::from(step) / 6.0;
            let shape = area.inset(-spread, -spread).moved(0.0, height * 0.4);
            self.canvas.fill(shape, radius + spread, BLACK.alpha(9));
        }
        self.canvas.clip(clip);
    }
}
