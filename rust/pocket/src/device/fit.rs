//! From points of a picture to points of the screen.

use crate::snapshot::ScreenSnapshot;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;

/// A pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
}

impl Point {
    pub(super) fn json(self) -> Value {
        json!({ "x": self.x, "y": self.y })
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl From<Point> for (f64, f64) {
    fn from(point: Point) -> Self {
        (point.x.into(), point.y.into())
    }
}

/// No screen is larger. A point without a snapshot is held within it.
const LARGEST_SCREEN: u32 = 65_536;

/// Where a point of an action is on the screen.
pub(super) fn point(x: f64, y: f64, screen: Option<&ScreenSnapshot>) -> Point {
    let [across, down] = match screen {
        Some(seen) => [(seen.scale_x, seen.width), (seen.scale_y, seen.height)],
        None => [(1.0, LARGEST_SCREEN); 2],
    };
    Point { x: to_device(x, across.0, across.1), y: to_device(y, down.0, down.1) }
}

/// A coordinate of a scaled picture as one of the screen, within it.
#[must_use]
pub fn to_device(scaled: f64, scale: f64, size: u32) -> i32 {
    let last = i32::try_from(size.saturating_sub(1)).unwrap_or(i32::MAX);
    rounded(scaled * scale).clamp(0, last)
}

/// The nearest whole number, halves upwards, as JavaScript rounds.
#[allow(clippy::cast_possible_truncation, reason = "a float cast saturates")]
pub(crate) fn rounded(number: f64) -> i32 {
    (number + 0.5).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_of_the_picture_become_those_of_the_screen() {
        let (x, y) = (1080.0 / 768.0, 2400.0 / 1707.0);
        assert_eq!((to_device(768.0, x, 1080), to_device(1707.0, y, 2400)), (1079, 2399));
        assert_eq!((to_device(-5.0, 1.4, 1080), to_device(10.0, 1.4, 2400)), (0, 14));
        assert_eq!(to_device(384.0, x, 1080), 540);
        assert_eq!(to_device(f64::INFINITY, x, 1080), 1079);
    }

    #[test]
    fn halves_are_rounded_upwards() {
        assert_eq!((rounded(-1.5), rounded(2.5), rounded(-3.4), rounded(10.5)), (-1, 3, -3, 11));
    }

    #[test]
    fn without_a_picture_a_point_is_one_of_the_screen() {
        assert_eq!(point(-3.0, 2399.6, None), Point { x: 0, y: 2400 });
    }
}
