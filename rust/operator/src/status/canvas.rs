//! Pixels, and rectangles with round corners.

use super::palette::Color;

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

/// What is drawn on. What lies outside it is not drawn.
pub(super) struct Canvas {
    width: i32,
    height: i32,
    pixels: Vec<[u8; 4]>,
}

impl Canvas {
    pub(super) fn new(width: u32, height: u32, color: Color) -> Self {
        let [red, green, blue] = color.0;
        let count = width as usize * height as usize;
        let side = |length| i32::try_from(length).unwrap_or(i32::MAX);
        let pixels = vec![[red, green, blue, 255]; count];
        Self { width: side(width), height: side(height), pixels }
    }

    pub(super) fn into_rgba(self) -> Vec<u8> {
        self.pixels.into_flattened()
    }

    /// Lays a colour over a pixel, which it covers in part: 0 not at all, 1 wholly.
    pub(super) fn cover(&mut self, x: i32, y: i32, share: f32, color: Color) {
        if !(0..self.width).contains(&x) || !(0..self.height).contains(&y) {
            return;
        }
        let at = usize::try_from(y * self.width + x).unwrap_or(usize::MAX);
        let Some([under @ .., _]) = self.pixels.get_mut(at) else { return };
        for (under, own) in under.iter_mut().zip(color.0) {
            let from = f32::from(*under);
            *under = byte(from + (f32::from(own) - from) * share.clamp(0.0, 1.0));
        }
    }

    /// A rectangle whose corners are quarters of a circle.
    pub(super) fn fill(&mut self, area: Area, radius: f32, color: Color) {
        let Area { left, top, width, height } = area;
        let radius = radius.min(width as f32 / 2.0).min(height as f32 / 2.0).max(0.0);
        // How far a pixel's middle lies in the zone of the corners, along one side.
        let into_corner = |at: i32, length: i32| {
            let middle = at as f32 + 0.5;
            (radius - middle).max(middle - (length as f32 - radius)).max(0.0)
        };
        for y in 0..height {
            let down = into_corner(y, height);
            for x in 0..width {
                let across = into_corner(x, width);
                // Within half a pixel of the edge it is covered in part.
                let beyond = (across * across + down * down).sqrt() - radius;
                let share = if across > 0.0 && down > 0.0 { 0.5 - beyond } else { 1.0 };
                self.cover(left + x, top + y, share, color);
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// The nearest whole pixel. Screens are far smaller than where floats lose whole numbers, and
/// casts saturate.
#[allow(clippy::cast_possible_truncation, reason = "saturates")]
pub(super) fn whole(value: f32) -> i32 {
    value.round() as i32
}
