//! How large things are: density-independent pixels, bars, and texts.

use clawperator_runtime::screen::Bounds;

/// The screen's size and density.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metrics {
    /// Width in pixels.
    pub width: i32,
    /// Height in pixels.
    pub height: i32,
    /// Dots per inch.
    pub dpi: i32,
}

impl Default for Metrics {
    /// A phone of these years.
    fn default() -> Self {
        Self { width: 1080, height: 2400, dpi: 420 }
    }
}

/// A size of text, in density-independent pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextSize(pub(crate) i32);

pub(crate) const BODY: TextSize = TextSize(14);
pub(crate) const TITLE: TextSize = TextSize(16);
pub(crate) const LARGE: TextSize = TextSize(20);

impl Metrics {
    /// The nearest screen that can be laid out: from a watch to a wall.
    #[must_use]
    pub fn possible(self) -> Self {
        Self {
            width: self.width.clamp(200, 20_000),
            height: self.height.clamp(200, 20_000),
            dpi: self.dpi.clamp(72, 960),
        }
    }

    /// Density-independent pixels in pixels, rounded as Android does.
    #[must_use]
    pub fn px(&self, dp: i32) -> i32 {
        (dp.saturating_mul(self.dpi) + 80) / 160
    }

    /// The whole screen.
    #[must_use]
    pub fn screen(&self) -> Bounds {
        Bounds::new(0, 0, self.width, self.height)
    }

    /// The bar at the top.
    #[must_use]
    pub fn status_bar(&self) -> Bounds {
        Bounds::new(0, 0, self.width, self.px(24))
    }

    /// The bar at the bottom.
    #[must_use]
    pub fn navigation_bar(&self) -> Bounds {
        Bounds::new(0, self.height - self.px(48), self.width, self.height)
    }

    /// The keyboard, while there is one.
    #[must_use]
    pub fn keyboard(&self) -> Bounds {
        let bottom = self.navigation_bar().top;
        // As high as the stock one, but never more than half of a small screen.
        Bounds::new(0, bottom - self.px(260).min(self.height / 2), self.width, bottom)
    }

    /// What is left for an app.
    #[must_use]
    pub fn content(&self, keyboard: bool) -> Bounds {
        let bottom = if keyboard { self.keyboard().top } else { self.navigation_bar().top };
        Bounds::new(0, self.status_bar().bottom, self.width, bottom)
    }

    /// About how wide a text is on one line. Roboto's letters are half as wide as high.
    pub(crate) fn text_width(&self, text: &str, size: TextSize) -> i32 {
        let letters = i32::try_from(text.chars().count().min(10_000)).unwrap_or(10_000);
        self.px(letters * size.0 * 13 / 25 + 1)
    }

    pub(crate) fn line_height(&self, size: TextSize) -> i32 {
        self.px(size.0 * 10 / 7)
    }

    /// Width and height of a text that breaks its lines.
    pub(crate) fn text_box(&self, text: &str, size: TextSize, width: i32) -> (i32, i32) {
        let width = width.max(1);
        let (mut lines, mut widest) = (0, 0);
        for line in text.split('\n') {
            let full = self.text_width(line, size);
            lines += 1 + (full - 1) / width;
            widest = widest.max(full.min(width));
        }
        (widest, lines * self.line_height(size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_of_420_dpi_is_measured_as_android_does() {
        let metrics = Metrics::default();
        assert_eq!(metrics.px(16), 42);
        assert_eq!(metrics.px(56), 147);
        assert_eq!(metrics.content(false), Bounds::new(0, 63, 1080, 2274));
        assert_eq!(metrics.content(true).bottom, metrics.keyboard().top);
    }

    #[test]
    fn a_long_text_takes_more_lines() {
        let metrics = Metrics::default();
        let (width, one) = metrics.text_box("short", BODY, 500);
        let (wide, many) = metrics.text_box(&"long ".repeat(40), BODY, 500);
        assert!(width < 500 && wide == 500 && many > 3 * one);
    }
}
