//! Which way a view was scrolled.

use super::event::Scrolled;
use super::step::{Certainty, Direction};
use std::collections::HashMap;

/// Where each view stands, as far as it was told.
#[derive(Default)]
pub(super) struct Positions {
    views: HashMap<(String, Option<String>), (i64, i64)>,
}

impl Positions {
    /// Which way this event says the view went, and how sure that is. An event tells where the view
    /// stands, not where it stood. One that was not seen before is believed to have stood at its
    /// beginning, as views of a new screen do.
    pub(super) fn follow(&mut self, view: &Scrolled) -> (Option<Direction>, Certainty) {
        let now = (view.scroll_x, view.scroll_y);
        // Android's -1: not known.
        if now.0 < 0 || now.1 < 0 {
            return (None, Certainty::Certain);
        }
        let key = (view.package_name.clone(), view.resource_id.clone());
        let before = self.views.insert(key, now);
        let certainty = if before.is_some() { Certainty::Certain } else { Certainty::Likely };
        let (x, y) = before.unwrap_or_default();
        let (right, down) = (now.0.saturating_sub(x), now.1.saturating_sub(y));
        let direction = if (right, down) == (0, 0) {
            None
        } else if right.abs() > down.abs() {
            Some(if right > 0 { Direction::Right } else { Direction::Left })
        } else {
            Some(if down > 0 { Direction::Down } else { Direction::Up })
        };
        if direction.is_none() { (None, Certainty::Certain) } else { (direction, certainty) }
    }

    /// A new screen of this app: its views are others.
    pub(super) fn forget(&mut self, package: &str) {
        self.views.retain(|(of, _), _| of != package);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: i64, y: i64) -> Scrolled {
        Scrolled { package_name: "p".into(), scroll_x: x, scroll_y: y, ..Scrolled::default() }
    }

    #[test]
    fn a_direction_is_where_the_position_went() {
        let mut positions = Positions::default();
        let (likely, certain) = (Certainty::Likely, Certainty::Certain);
        let cases = [
            (at(0, 500), Some(Direction::Down), likely),
            (at(0, 900), Some(Direction::Down), certain),
            (at(0, 100), Some(Direction::Up), certain),
            (at(0, 100), None, certain),
            (at(700, 110), Some(Direction::Right), certain),
            (at(20, 110), Some(Direction::Left), certain),
            (at(-1, -1), None, certain),
            (at(0, i64::MAX), Some(Direction::Down), certain),
        ];
        for (event, direction, certainty) in cases {
            assert_eq!(positions.follow(&event), (direction, certainty), "{event:?}");
        }
        positions.forget("other");
        assert_eq!(positions.follow(&at(0, 5)).1, certain);
        positions.forget("p");
        assert_eq!(positions.follow(&at(0, 5)), (Some(Direction::Down), likely));
    }

    #[test]
    fn a_view_that_always_stands_at_zero_tells_nothing() {
        let mut positions = Positions::default();
        assert_eq!(positions.follow(&at(0, 0)).0, None);
        assert_eq!(positions.follow(&at(0, 0)).0, None);
    }
}
