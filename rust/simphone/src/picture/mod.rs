//! A picture of the screen, drawn from the tree that the agent sees.
//!
//! Nothing is drawn that the tree does not tell, but for what every phone has: status bar, gesture
//! bar, the keys of a keyboard and a wallpaper. Every text stands inside the bounds of its node, so
//! that a point read off the picture is a point to tap. What cannot be known (colours, pictures) is
//! made up from labels, always in the same way: the same screen gives the same bytes.

mod bars;
mod brush;
mod buttons;
mod canvas;
mod controls;
mod fields;
mod font;
mod kind;
mod look;
mod num;
mod paint;
mod palette;
mod pictures;
mod png;
mod scene;
mod symbol;
mod text;

use brush::Brush;
use canvas::Canvas;
use clawperator_runtime::screen::Screen;
use font::Fonts;

/// What the tree does not say about the phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Dots per inch, as Android counts them: 420 is 2.625 pixels per unit.
    pub density_dpi: u32,
    /// What the clock in the status bar says.
    pub clock: String,
    /// Charge of the battery, in percent.
    pub battery: u8,
    /// A screen that is off is black.
    pub screen_on: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { density_dpi: 420, clock: "9:41".to_owned(), battery: 80, screen_on: true }
    }
}

/// A picture: four bytes a pixel, red, green, blue and opacity, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The pixels. All are opaque.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The picture as a PNG file.
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        png::encode(self.width, self.height, &self.rgba)
    }
}

/// Draws a screen. Who draws more than one keeps a [`Renderer`].
#[must_use]
pub fn render(screen: &Screen, style: &Style) -> Picture {
    Renderer::new().render(screen, style)
}

/// Draws screens, and keeps the glyphs it has drawn for the next one.
#[derive(Debug)]
pub struct Renderer {
    fonts: Fonts,
}

impl Default for Renderer {
    fn default() -> Self {
        Self::new()
    }
}

/// More pixels a side than any phone has. A screen that claims to be larger is drawn up to here.
const LARGEST: i32 = 4_096;

impl Renderer {
    /// A renderer that has drawn nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self { fonts: Fonts::new() }
    }

    /// Draws a screen.
    #[must_use]
    pub fn render(&mut self, screen: &Screen, style: &Style) -> Picture {
        let width = screen.bounds.width().clamp(1, LARGEST);
        let height = screen.bounds.height().clamp(1, LARGEST);
        let canvas = Canvas::new(width, height, palette::BLACK);
        // Android's own limits are 120 and 640 for real phones.
        let dpi = f32::from(u16::try_from(style.density_dpi.clamp(80, 1_000)).unwrap_or(420));
        let mut brush = Brush { canvas, fonts: &mut self.fonts, density: dpi / 160.0 };
        if style.screen_on {
            scene::draw(&mut brush, screen, style);
        }
        let rgba = brush.canvas.into_rgba();
        Picture { width: width.unsigned_abs(), height: height.unsigned_abs(), rgba }
    }
}

#[cfg(test)]
mod tests;
