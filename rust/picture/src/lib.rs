//! Pictures of screens as pixels: read from PNG and written as PNG, made smaller, marked, and
//! compared by their looks.
//!
//! A crate of its own because all of it is loops over millions of pixels: it is optimised even
//! where nothing else is.

mod hash;
mod letters;
mod marks;
mod pixels;

pub use hash::{distance, is_flat, visual_hash};
pub use marks::{Area, draw_marks};
pub use pixels::{NoPicture, Pixels, png_size};
