//! Pixels and the few shapes a phone's screen is made of, with smooth edges.

use super::num::{byte, ceil, float, floor, index};
use super::palette::Color;
use clawperator_runtime::screen::Bounds;

/// A rectangle between pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) right: f32,
    pub(super) bottom: f32,
}

impl Rect {
    pub(super) const fn new(left: f32, top: f32, right: f32, bottom: f32) -> Self {
        Self { left, top, right, bottom }
    }

    /// Far-off edges are brought to where floats are still exact.
    pub(super) fn of(bounds: Bounds) -> Self {
        let near = |edge: i32| float(edge.clamp(-20_000, 20_000));
        Self::new(near(bounds.left), near(bounds.top), near(bounds.right), near(bounds.bottom))
    }

    pub(super) fn around(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self::new(x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0)
    }

    pub(super) fn width(self) -> f32 {
        (self.right - self.left).max(0.0)
    }

    pub(super) fn height(self) -> f32 {
        (self.bottom - self.top).max(0.0)
    }

    pub(super) fn x(self) -> f32 {
        f32::midpoint(self.left, self.right)
    }

    pub(super) fn y(self) -> f32 {
        f32::midpoint(self.top, self.bottom)
    }

    pub(super) fn inset(self, x: f32, y: f32) -> Self {
        Self::new(self.left + x, self.top + y, self.right - x, self.bottom - y)
    }

    pub(super) fn moved(self, x: f32, y: f32) -> Self {
        Self::new(self.left + x, self.top + y, self.right + x, self.bottom + y)
    }

    /// The pixels it touches.
    pub(super) fn pixels(self) -> Bounds {
        let (left, top) = (floor(self.left), floor(self.top));
        Bounds::new(left, top, ceil(self.right), ceil(self.bottom))
    }

    /// How far a point is outside it, corners rounded; negative inside.
    fn distance(self, radius: f32, x: f32, y: f32) -> f32 {
        let dx = (x - self.x()).abs() - (self.width() / 2.0 - radius);
        let dy = (y - self.y()).abs() - (self.height() / 2.0 - radius);
        let outside = length(dx.max(0.0), dy.max(0.0));
        outside + dx.max(dy).min(0.0) - radius
    }
}

/// A glyph, ready to be put anywhere: how much of each pixel it covers.
#[derive(Debug)]
pub(super) struct Stamp {
    /// Where it stands, seen from the point it is put at.
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: usize,
    pub(super) cover: Vec<u8>,
}

/// What is drawn on.
#[derive(Debug)]
pub(super) struct Canvas {
    width: i32,
    height: i32,
    pixels: Vec<[u8; 4]>,
    clip: Bounds,
    /// Pixels that may still be painted. Thousands of nodes as large as the screen would keep the
    /// painter busy for minutes; after some dozens of layers nobody sees a difference.
    budget: u64,
}

/// How often the whole screen may be painted over.
const LAYERS: u64 = 24;

impl Canvas {
    pub(super) fn new(width: i32, height: i32, color: Color) -> Self {
        let [r, g, b] = color.rgb;
        let count = index(width) * index(height);
        let clip = Bounds::new(0, 0, width, height);
        let pixels = vec![[r, g, b, 255]; count];
        Self { width, height, pixels, clip, budget: (count as u64 + 100_000) * LAYERS }
    }

    pub(super) fn bounds(&self) -> Bounds {
        Bounds::new(0, 0, self.width, self.height)
    }

    /// Nothing is painted outside this from now on. Answers what it was before.
    pub(super) fn clip(&mut self, clip: Bounds) -> Bounds {
        let clip = clip.intersection(self.bounds());
        std::mem::replace(&mut self.clip, clip)
    }

    pub(super) fn into_rgba(self) -> Vec<u8> {
        self.pixels.into_flattened()
    }

    /// The part of a shape that will be painted, paid from the budget.
    fn affordable(&mut self, shape: Bounds) -> Option<Bounds> {
        let area = shape.intersection(self.clip);
        if area.is_empty() {
            return None;
        }
        let cost = index(area.width()) as u64 * index(area.height()) as u64;
        let left = self.budget.checked_sub(cost);
        self.budget = left.unwrap_or(0);
        left.map(|_| area)
    }

    /// Has everything been painted that ever will be?
    pub(super) fn is_spent(&self) -> bool {
        self.budget == 0
    }

    fn row(&mut self, y: i32, left: i32, right: i32) -> &mut [[u8; 4]] {
        let start = index(y) * index(self.width);
        let (from, to) = (start + index(left), start + index(right.max(left)));
        self.pixels.get_mut(from..to).unwrap_or_default()
    }

    /// A rectangle, corners rounded.
    pub(super) fn fill(&mut self, rect: Rect, radius: f32, color: Color) {
        self.fill_with(rect, radius, |_| color);
    }

    /// The same, from one colour at the top to another at the bottom.
    pub(super) fn fade(&mut self, rect: Rect, radius: f32, [from, to]: [Color; 2]) {
        let height = rect.height().max(1.0);
        self.fill_with(rect, radius, |y| from.mix(to, ((y - rect.top) / height).clamp(0.0, 1.0)));
    }

    fn fill_with(&mut self, rect: Rect, radius: f32, color: impl Fn(f32) -> Color) {
        let Some(area) = self.affordable(rect.pixels()) else { return };
        let radius = radius.min(rect.width() / 2.0).min(rect.height() / 2.0).max(0.0);
        for y in area.top..area.bottom {
            let middle = float(y) + 0.5;
            let color = color(middle);
            // Between these the row is covered fully and needs no arithmetic.
            let into_corner =
                (rect.top + radius - middle).max(middle - rect.bottom + radius).clamp(0.0, radius);
            let round = radius - (radius * radius - into_corner * into_corner).max(0.0).sqrt();
            let whole_row = middle - rect.top >= 0.5 && rect.bottom - middle >= 0.5;
            let from = (ceil(rect.left + round) + 1).clamp(area.left, area.right);
            let to = (floor(rect.right - round) - 1).clamp(from, area.right);
            let (from, to) = if whole_row { (from, to) } else { (area.right, area.right) };
            for (start, end) in [(area.left, from), (to, area.right)] {
                for (x, pixel) in (start..).zip(self.row(y, start, end)) {
                    let cover = 0.5 - rect.distance(radius, float(x) + 0.5, middle);
                    blend(pixel, color, byte(cover));
                }
            }
            let [r, g, b] = color.rgb;
            match color.alpha {
                255 => self.row(y, from, to).fill([r, g, b, 255]),
                _ => self.row(y, from, to).iter_mut().for_each(|pixel| blend(pixel, color, 255)),
            }
        }
    }

    /// The edge of a rectangle, drawn inside it.
    pub(super) fn stroke(&mut self, rect: Rect, radius: f32, width: f32, color: Color) {
        let Some(area) = self.affordable(rect.pixels()) else { return };
        let radius = radius.min(rect.width() / 2.0).min(rect.height() / 2.0).max(0.0);
        let band = ceil(radius.max(width)) + 1;
        for y in area.top..area.bottom {
            let middle = float(y) + 0.5;
            let from_edge = (middle - rect.top).min(rect.bottom - middle);
            // Away from the corners only the two ends of a row can be touched.
            let inner = if from_edge > float(band) {
                (floor(rect.left) + band, ceil(rect.right) - band)
            } else {
                (area.right, area.right)
            };
            let from = inner.0.clamp(area.left, area.right);
            let to = inner.1.clamp(from, area.right);
            for (start, end) in [(area.left, from), (to, area.right)] {
                for (x, pixel) in (start..).zip(self.row(y, start, end)) {
                    let distance = rect.distance(radius, float(x) + 0.5, middle);
                    let within = |edge: f32| (0.5 - edge).clamp(0.0, 1.0);
                    blend(pixel, color, byte(within(distance) - within(distance + width)));
                }
            }
        }
    }

    /// A part of a ring, from the top clockwise; 1 is all of it.
    pub(super) fn arc(&mut self, square: Rect, width: f32, share: f32, color: Color) {
        let Some(area) = self.affordable(square.pixels()) else { return };
        let radius = square.width().min(square.height()) / 2.0;
        for y in area.top..area.bottom {
            for (x, pixel) in (area.left..).zip(self.row(y, area.left, area.right)) {
                let (dx, dy) = (float(x) + 0.5 - square.x(), float(y) + 0.5 - square.y());
                let turn = turn_of(dx, -dy);
                if turn.rem_euclid(1.0) <= share {
                    let outside = (length(dx, dy) - (radius - width / 2.0)).abs() - width / 2.0;
                    blend(pixel, color, byte(0.5 - outside));
                }
            }
        }
    }

    /// A glyph with its origin at a point.
    pub(super) fn stamp(&mut self, stamp: &Stamp, x: i32, y: i32, color: Color) {
        if stamp.width == 0 {
            return;
        }
        let (left, top) = (x.saturating_add(stamp.left), y.saturating_add(stamp.top));
        let right = left.saturating_add(super::num::size(stamp.width));
        let rows = super::num::size(stamp.cover.len() / stamp.width);
        let all = Bounds::new(left, top, right, top.saturating_add(rows));
        let Some(area) = self.affordable(all) else { return };
        for (y, covers) in (top..).zip(stamp.cover.chunks_exact(stamp.width)) {
            if y < area.top || y >= area.bottom {
                continue;
            }
            let seen = covers.iter().skip(index(area.left.saturating_sub(left)));
            for (pixel, cover) in self.row(y, area.left, area.right).iter_mut().zip(seen) {
                blend(pixel, color, *cover);
            }
        }
    }
}

/// Lays a colour over a pixel, which it covers in part.
fn blend(pixel: &mut [u8; 4], color: Color, cover: u8) {
    if cover == 0 {
        return;
    }
    let over = (u32::from(color.alpha) * u32::from(cover) + 127) / 255;
    for (under, own) in pixel.iter_mut().zip(color.rgb) {
        let mixed = u32::from(own) * over + u32::from(*under) * (255 - over);
        *under = u8::try_from((mixed + 127) / 255).unwrap_or(u8::MAX);
    }
}

/// Length of a vector. Not `hypot`: that, alone of what is drawn with, needs the system's library
/// of mathematics, which costs every start of the program a tenth of a millisecond to load.
fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

/// Direction of a vector in turns from straight up, clockwise, from -0.5 to 0.5: an arctangent that
/// is good to a hundredth of a degree, for the same reason.
fn turn_of(x: f32, y: f32) -> f32 {
    let (a, b) = (x.abs(), y.abs());
    let (near, far) = (a.min(b), a.max(b));
    if far == 0.0 {
        return 0.0;
    }
    let t = near / far;
    let s = t * t;
    let arctangent = ((-0.046_496_475 * s + 0.159_314_22) * s - 0.327_622_76) * s * t + t;
    let mut turn = arctangent / std::f32::consts::TAU;
    if a > b {
        turn = 0.25 - turn;
    }
    if y < 0.0 {
        turn = 0.5 - turn;
    }
    if x < 0.0 { -turn } else { turn }
}
