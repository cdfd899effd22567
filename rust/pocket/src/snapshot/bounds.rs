//! Rectangles of the screen and of its picture.

use super::scale::{Scaled, fitted};
use crate::device::Point;
use clawperator_picture::Area;
use serde::Serialize;

/// A rectangle; right and bottom are the first pixels beyond it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Rect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Rect {
    /// From `[l,t][r,b]`, the way Android writes it.
    pub(super) fn read(text: &str) -> Option<Self> {
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        let (from, to) = inner.split_once("][")?;
        let pair = |pair: &str| {
            let (x, y) = pair.split_once(',')?;
            Some((x.trim().parse::<i32>().ok()?, y.trim().parse::<i32>().ok()?))
        };
        let ((left, top), (right, bottom)) = (pair(from)?, pair(to)?);
        Some(Self { left, top, right, bottom })
    }

    /// The part of it that is on a screen of this size, if any is.
    pub(super) fn on_screen(self, (width, height): (u32, u32)) -> Option<Self> {
        let last = |size: u32| i32::try_from(size).unwrap_or(i32::MAX);
        let cut = Self {
            left: self.left.max(0),
            top: self.top.max(0),
            right: self.right.min(last(width)),
            bottom: self.bottom.min(last(height)),
        };
        (cut.right > cut.left && cut.bottom > cut.top).then_some(cut)
    }

    pub(super) fn center(self) -> Point {
        // Halves go up, as everywhere here.
        let middle = |from: i32, to: i32| (from + to + 1).div_euclid(2);
        Point { x: middle(self.left, self.right), y: middle(self.top, self.bottom) }
    }

    pub(super) fn area(self) -> i64 {
        i64::from(self.right - self.left) * i64::from(self.bottom - self.top)
    }

    /// The same in the picture.
    pub(super) fn scaled(self, to: &Scaled) -> Self {
        let x = |at: i32| fitted(at, to.scale_x, to.width);
        let y = |at: i32| fitted(at, to.scale_y, to.height);
        Self { left: x(self.left), top: y(self.top), right: x(self.right), bottom: y(self.bottom) }
    }
}

impl From<Rect> for Area {
    fn from(rect: Rect) -> Self {
        let Rect { left, top, right, bottom } = rect;
        Self { left, top, right, bottom }
    }
}

impl Point {
    /// The same in the picture.
    pub(super) fn scaled(self, to: &Scaled) -> Self {
        Self { x: fitted(self.x, to.scale_x, to.width), y: fitted(self.y, to.scale_y, to.height) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_partly_beyond_the_screen_is_cut_and_not_lost() {
        let off = Rect::read("[-40,-10][500,90]").unwrap();
        let cut = off.on_screen((1080, 2400)).unwrap();
        assert_eq!(cut, Rect { left: 0, top: 0, right: 500, bottom: 90 });
        assert_eq!(cut.center(), Point { x: 250, y: 45 });
        assert_eq!(Rect::read("[1100,0][1200,50]").unwrap().on_screen((1080, 2400)), None);
        assert_eq!(Rect::read("[5,5][5,50]").unwrap().on_screen((1080, 2400)), None);
        assert_eq!(Rect::read("[1,2][3"), None);
    }

    #[test]
    fn a_rectangle_of_the_screen_is_one_of_the_picture() {
        let to = Scaled { width: 768, height: 1707, scale_x: 1.40625, scale_y: 2400.0 / 1707.0 };
        let whole = Rect { left: 0, top: 0, right: 1080, bottom: 2400 };
        assert_eq!(whole.scaled(&to), Rect { left: 0, top: 0, right: 767, bottom: 1706 });
    }
}
