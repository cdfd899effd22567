//! One swipe in a container: finding the container, the swipe itself, and whether anything moved.

use crate::context::Run;
use crate::matching::Matcher;
use crate::screen::{Bounds, Flags, Node, Screen};
use crate::search::container_missing;
use crate::step::{Outcome, StepFailure, Try};
use crate::touch::try_gesture;
use clawperator_contract::ErrorCode;
use clawperator_contract::runnable::{Direction, Point, StrokePoint, Swipe};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// How long the finger moves: slow enough not to fling a list out of sight, fast enough to be
/// taken for a swipe and not for a drag.
const SWIPE: Duration = Duration::from_millis(300);

/// Three frames at 60 Hz without an event: nothing moves any more.
const QUIET: Duration = Duration::from_millis(48);

/// What a swipe did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// Something moved.
    Yes,
    /// Nothing moved: there is no more.
    EdgeReached,
    /// The container is not there any more.
    ContainerGone,
}

/// A swipe that was made.
#[derive(Clone, Debug)]
pub(crate) struct Scrolled {
    pub(crate) moved: Moved,
    /// The container, as people would name it.
    pub(crate) container: String,
}

/// The parameters of a swipe, ready to be used on many screens.
pub(crate) struct Scroller<'a> {
    swipe: &'a Swipe,
    container: Option<Matcher>,
}

impl<'a> Scroller<'a> {
    pub(crate) fn new(swipe: &'a Swipe) -> Self {
        Self { swipe, container: swipe.container.as_ref().map(Matcher::new) }
    }

    /// Looks, swipes once, waits until the screen is quiet, and looks again.
    pub(crate) fn swipe(&self, run: &mut Run<'_>) -> Outcome<Try<Scrolled>> {
        let before = match run.look_or()? {
            Ok(screen) => screen,
            Err(attempt) => return Ok(attempt),
        };
        let node = match self.scrollable(&before) {
            Ok(node) => node,
            Err(failure) => return Ok(Try::NotYet(failure)),
        };
        let container = named(node);
        let area = node.bounds().intersection(before.bounds);
        let (mark, signature) = (run.phone.scroll_mark(), signature(node));
        match try_gesture(run, &[path(area, self.swipe.direction, self.swipe.distance_ratio)])? {
            Try::Done(()) => {}
            Try::NotYet(failure) => return Ok(Try::NotYet(failure)),
            Try::Over(failure) => return Ok(Try::Over(failure)),
        }
        self.settle(run)?;
        let after = match run.look_or::<Scrolled>()? {
            Ok(screen) => screen,
            // The swipe was made; only what came of it is not known.
            Err(_) => return Ok(Try::Done(Scrolled { moved: Moved::ContainerGone, container })),
        };
        let moved = match self.scrollable(&after) {
            Err(_) => Moved::ContainerGone,
            Ok(node) if signature != self::signature(node) => Moved::Yes,
            // Rows that are all alike look the same one row further; the app's own word decides.
            Ok(_) if run.phone.scroll_mark() != mark => Moved::Yes,
            Ok(_) => Moved::EdgeReached,
        };
        Ok(Try::Done(Scrolled { moved, container }))
    }

    /// Waits until nothing has changed for a few frames, at most as long as the payload allows.
    fn settle(&self, run: &mut Run<'_>) -> Outcome<()> {
        let end = run.clock.now() + self.swipe.settle_delay;
        loop {
            let now = run.clock.now();
            if now >= end {
                return Ok(());
            }
            let quiet = (now + QUIET).min(end);
            let changed = run.wait_for_next_change(quiet)?;
            if !changed {
                return Ok(());
            }
        }
    }

    /// The node that scrolls.
    fn scrollable<'s>(&self, screen: &'s Screen) -> Result<Node<'s>, StepFailure> {
        let scrolls = |node: &Node<'_>| node.has(Flags::SCROLLABLE) && node.is_shown();
        let Some(matcher) = &self.container else {
            return screen.nodes().find(scrolls).ok_or_else(|| {
                StepFailure::new(ErrorCode::ContainerNotFound, "nothing on the screen scrolls")
            });
        };
        let node = matcher.find(screen, None).ok_or_else(|| match &self.swipe.container {
            Some(selector) => container_missing(selector),
            None => StepFailure::new(ErrorCode::ContainerNotFound, "no container"),
        })?;
        if scrolls(&node) {
            return Ok(node);
        }
        let below = || node.descendants().find(scrolls);
        self.swipe.find_first_scrollable_child.then(below).flatten().ok_or_else(|| {
            let message = format!("{} does not scroll", named(node));
            StepFailure::new(ErrorCode::ContainerNotScrollable, message)
        })
    }
}

fn named(node: Node<'_>) -> String {
    match (node.resource_id(), node.class()) {
        ("", "") => node.reference().to_string(),
        ("", class) => class.to_owned(),
        (id, _) => id.to_owned(),
    }
}

/// What tells two positions apart: label, id and place of everything that shows inside.
fn signature(container: Node<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for node in container.descendants().filter(Node::is_shown) {
        (node.resource_id(), node.label(), node.bounds()).hash(&mut hasher);
    }
    hasher.finish()
}

/// The finger's way along the middle of the container. To see what is further down it moves up.
fn path(area: Bounds, direction: Direction, ratio: f64) -> Vec<StrokePoint> {
    // Where the finger starts and ends, as parts of the container's length.
    let way = 0.4 * ratio;
    let (from, to) = match direction {
        Direction::Down | Direction::Right => (0.8 - way, 0.8 - 2.0 * way),
        Direction::Up | Direction::Left => (0.2 + way, 0.2 + 2.0 * way),
    };
    let middle = area.center();
    let at = |part: f64| match direction {
        Direction::Down | Direction::Up => {
            Point { x: middle.x, y: along(area.top, area.height(), part) }
        }
        Direction::Left | Direction::Right => {
            Point { x: along(area.left, area.width(), part), y: middle.y }
        }
    };
    vec![
        StrokePoint { at: Duration::ZERO, point: at(from) },
        StrokePoint { at: SWIPE, point: at(to) },
    ]
}

/// A pixel inside the container, never on its far edge.
#[allow(clippy::cast_possible_truncation, reason = "between zero and a screen's length")]
fn along(start: i32, length: i32, part: f64) -> i32 {
    let offset = (f64::from(length) * part) as i32;
    start.saturating_add(offset.clamp(1, (length - 1).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finger_moves_against_the_direction_along_the_middle() {
        let area = Bounds::new(0, 100, 1_000, 1_100);
        let ends = |direction| {
            let path = path(area, direction, 0.5);
            (path[0].point, path[1].point)
        };
        let point = |x, y| Point { x, y };
        assert_eq!(ends(Direction::Down), (point(500, 700), point(500, 500)));
        assert_eq!(ends(Direction::Up), (point(500, 500), point(500, 700)));
        assert_eq!(ends(Direction::Right), (point(600, 600), point(400, 600)));
        assert_eq!(ends(Direction::Left), (point(400, 600), point(600, 600)));
    }

    #[test]
    fn the_longest_swipe_stays_inside() {
        let path = path(Bounds::new(0, 0, 100, 100), Direction::Down, 1.0);
        assert_eq!(path[1].point, Point { x: 50, y: 1 });
    }
}
