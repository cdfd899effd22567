//! What the app shows when a person opens it: whether the service is on, how hosts reach it, when
//! the last command came, and how to switch it on.
//!
//! Drawing is plain Rust, state in and pixels out, so that every machine can look at the screen.
//! Only `window` is Android's: it waits for events and carries the pixels to the phone's window.

mod canvas;
mod fonts;
mod layout;
mod news;
mod palette;
mod text;
#[cfg(target_os = "android")]
mod window;
mod words;

pub use fonts::phones_font;
pub(crate) use news::changed;
pub use text::Face;
#[cfg(target_os = "android")]
pub(crate) use window::Window;

use canvas::Canvas;
use std::time::Duration;
use words::Words;

/// What there is to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Does the accessibility service run?
    pub service_on: bool,
    /// How hosts reach the operator.
    pub link: Link,
    /// How long ago the last command came, if one came since the process started.
    pub last_command: Option<Duration>,
    /// Version of the app.
    pub version: String,
    /// Android's API level.
    pub api_level: i32,
}

/// The socket hosts connect to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// It listens under this name.
    Listening(String),
    /// It does not.
    Silent {
        /// The name it should have.
        name: String,
        /// What the kernel said.
        why: String,
    },
    /// There is no operator in this process.
    NotStarted,
}

impl Status {
    /// What the operator of this process has to tell.
    #[must_use]
    pub fn now() -> Self {
        crate::app::status()
    }

    /// Everything the screen says, for those who hear it instead.
    #[must_use]
    pub fn spoken(&self) -> String {
        Words::of(self).spoken()
    }

    /// How long until the screen would say something else, with nothing new happening.
    #[must_use]
    pub fn keeps_for(&self) -> Option<Duration> {
        self.last_command.map(words::keeps_for)
    }
}

/// What is drawn on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Page {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Pixels per dp, which is 1/160 of an inch.
    pub density: f32,
    /// Light on dark?
    pub dark: bool,
    /// What Android's bars and the camera cover.
    pub insets: Insets,
}

/// Pixels along the edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Insets {
    /// From the left.
    pub left: u32,
    /// From the top.
    pub top: u32,
    /// From the right.
    pub right: u32,
    /// From the bottom.
    pub bottom: u32,
}

/// The screen as it was drawn: red, green, blue and opacity of each pixel, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The pixels, all opaque.
    pub rgba: Vec<u8>,
}

/// Draws the screen. Without a font it shows the state by colour and by a switch.
#[must_use]
pub fn render(status: &Status, page: &Page, face: Option<&Face>) -> Picture {
    let palette = if page.dark { &palette::DARK } else { &palette::LIGHT };
    let mut canvas = Canvas::new(page.width, page.height, palette.page);
    let shapes = layout::fit(&Words::of(status), page, palette, face);
    for shape in &shapes {
        shape.draw(&mut canvas, face);
    }
    Picture { width: page.width, height: page.height, rgba: canvas.into_rgba() }
}
