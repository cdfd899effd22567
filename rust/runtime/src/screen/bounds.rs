//! Rectangles of the screen, in pixels.

use clawperator_contract::runnable::Point;
use std::fmt;

/// A rectangle; right and bottom are outside it. Edges the wrong way round make it empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Bounds {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Bounds {
    /// The rectangle between two corners.
    #[must_use]
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self { left, top, right, bottom }
    }

    /// Is there nothing inside?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// Width in pixels.
    #[must_use]
    pub fn width(self) -> i32 {
        self.right.saturating_sub(self.left).max(0)
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(self) -> i32 {
        self.bottom.saturating_sub(self.top).max(0)
    }

    /// What both share.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// Do they share anything?
    #[must_use]
    pub fn intersects(self, other: Self) -> bool {
        !self.intersection(other).is_empty()
    }

    /// The middle.
    #[must_use]
    pub fn center(self) -> Point {
        Point { x: middle(self.left, self.right), y: middle(self.top, self.bottom) }
    }
}

/// Halfway, without overflow for any two numbers an app may report.
fn middle(from: i32, to: i32) -> i32 {
    let half = (i64::from(from) + i64::from(to)) / 2;
    i32::try_from(half).unwrap_or(from)
}

/// As Android writes it: `[l,t][r,b]`.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{},{}][{},{}]", self.left, self.top, self.right, self.bottom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_extreme_bounds_does_not_overflow() {
        let all = Bounds::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
        assert_eq!(all.center(), Point { x: 0, y: 0 });
        assert_eq!(all.width(), i32::MAX);
        assert!(!all.is_empty());
    }

    #[test]
    fn edges_the_wrong_way_round_hold_nothing() {
        assert!(Bounds::new(10, 0, 5, 5).is_empty());
        assert!(!Bounds::new(0, 0, 5, 5).intersects(Bounds::new(5, 0, 9, 5)));
    }
}
