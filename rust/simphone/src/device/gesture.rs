//! A finger on the glass: taps, long presses, drags and throws.

use super::deed::Deed;
use super::scroll::Fling;
use super::view::{Axis, Key, Pane, View};
use super::world::World;
use clawperator_contract::runnable::Point;
use clawperator_runtime::phone::Moment;
use clawperator_runtime::recording::{RecordedEvent, Touched};
use clawperator_runtime::screen::Flags;
use std::time::Duration;

/// How long a finger rests for a long press.
pub(crate) const LONG_PRESS: Duration = Duration::from_millis(500);

/// A finger that moves less than this, in density-independent pixels, has not moved.
const SLOP: i32 = 8;

/// The speed of a throw is that of its last moments.
const THROW: Duration = Duration::from_millis(100);

/// A finger that is down.
#[derive(Clone, Debug)]
pub(crate) struct Finger {
    start: Point,
    down: Moment,
    /// Where it was, and when.
    trail: Vec<(Moment, Point)>,
    /// What can scroll under it, innermost first.
    scrollers: Vec<(u64, Key, Axis)>,
    /// What it drags, once it has moved.
    drags: Option<(u64, Key, Axis)>,
    moved: bool,
    /// It has stopped a fling, or was held: letting go does nothing more.
    spent: bool,
}

impl World {
    pub(crate) fn finger_down(&mut self, point: Point) {
        let scene = self.scene();
        let mut scrollers = Vec::new();
        if let Some(pane) = scene.pane_at(point.x, point.y)
            && let Some(page) = pane.page
        {
            for view in pane.root.path_to(point.x, point.y).into_iter().rev() {
                if let Some(scroller) = &view.scroller {
                    scrollers.push((page, view.key, scroller.axis));
                }
            }
        }
        // A finger on something that moves stops it, and that is all it does.
        let under = |fling: &mut Fling| scrollers.iter().any(|(_, key, _)| *key == fling.key);
        let spent = self.fling.take_if(under).is_some();
        let trail = vec![(self.now, point)];
        let down = self.now;
        self.finger =
            Some(Finger { start: point, down, trail, scrollers, drags: None, moved: false, spent });
    }

    /// The finger is at a point now, moved or not.
    pub(crate) fn finger_at(&mut self, point: Point) {
        let slop = self.metrics.px(SLOP);
        let now = self.now;
        let Some(finger) = &mut self.finger else { return };
        let before = finger.trail.last().map_or(finger.start, |(_, point)| *point);
        finger.trail.push((now, point));
        let (dx, dy) = (finger.start.x - point.x, finger.start.y - point.y);
        if !finger.moved {
            if dx.abs().max(dy.abs()) <= slop {
                if !finger.spent && now.saturating_sub(finger.down) >= LONG_PRESS {
                    let start = finger.start;
                    // What takes no long press is clicked when the finger goes.
                    let taken = self.touch_long(start);
                    if let Some(finger) = &mut self.finger {
                        finger.spent = taken;
                    }
                }
                return;
            }
            finger.moved = true;
            let axis = if dy.abs() >= dx.abs() { Axis::Vertical } else { Axis::Horizontal };
            let along = finger.scrollers.iter().filter(|(_, _, own)| *own == axis);
            let along: Vec<_> = along.copied().collect();
            let ahead = if axis == Axis::Vertical { dy } else { dx };
            // The innermost that has somewhere to go.
            let drags = along.into_iter().find(|(_, key, _)| self.can_scroll(*key, ahead));
            if let Some(finger) = &mut self.finger {
                finger.drags = drags;
            }
        }
        let Some((page, key, axis)) = self.finger.as_ref().and_then(|finger| finger.drags) else {
            return;
        };
        let distance = if axis == Axis::Vertical { before.y - point.y } else { before.x - point.x };
        self.scroll_by(page, key, distance);
    }

    fn can_scroll(&mut self, key: Key, distance: i32) -> bool {
        let scene = self.scene();
        let found = scene.find(key);
        let scroller = found.as_ref().and_then(|(_, path)| path.last()?.scroller.as_ref());
        scroller.is_some_and(|it| if distance > 0 { it.offset < it.end } else { it.offset > 0 })
    }

    pub(crate) fn finger_up(&mut self) {
        let Some(finger) = self.finger.take() else { return };
        let end = finger.trail.last().map_or(finger.start, |(_, point)| *point);
        if finger.moved {
            self.swiped(finger.start, end);
            if let Some((page, key, axis)) = finger.drags {
                let speed = speed(&finger.trail, axis);
                self.fling(page, key, speed);
            }
        } else if !finger.spent {
            self.touch(end);
        }
    }

    /// The finger was taken away from us: nothing is clicked.
    pub(crate) fn finger_lost(&mut self) {
        self.finger = None;
    }

    /// A lock without a secret gives way to a swipe.
    fn swiped(&mut self, start: Point, end: Point) {
        let far = start.y - end.y > self.metrics.height / 5;
        if self.locked && far && self.lock != super::options::Lock::Secure {
            self.locked = false;
            self.window_changed();
        }
    }

    /// A tap.
    pub(crate) fn touch(&mut self, point: Point) {
        let scene = self.scene();
        let Some(pane) = scene.pane_at(point.x, point.y) else { return };
        if pane.modal && !pane.root.contains(point.x, point.y) {
            // Beside a dialog.
            if let Some(package) = pane.page.and_then(|page| self.owner(page)) {
                self.close_page(&package);
            }
            return;
        }
        let path = pane.root.path_to(point.x, point.y);
        let taker = path.into_iter().rev().find(|view| view.click.is_some());
        if let Some(view) = taker {
            self.click(pane, view, point);
        }
    }

    /// A long press; says whether anything took it.
    fn touch_long(&mut self, point: Point) -> bool {
        let scene = self.scene();
        let Some(pane) = scene.pane_at(point.x, point.y) else { return false };
        let path = pane.root.path_to(point.x, point.y);
        match path.into_iter().rev().find(|view| view.long_click.is_some()) {
            Some(view) => self.long_click(pane, view),
            None => false,
        }
    }

    /// Clicks a view; says whether it took the click.
    pub(crate) fn click(&mut self, pane: &Pane, view: &View, at: Point) -> bool {
        let Some(deed) = &view.click else { return false };
        if !view.flags.has(Flags::ENABLED) {
            return false;
        }
        if pane.page.is_some() || self.recents {
            self.tell(RecordedEvent::Click(touched(pane, view)));
        }
        if let (Deed::Focus, Some(page)) = (deed, pane.page) {
            self.focus(page, view.key, true);
            return true;
        }
        let width = f64::from(view.bounds.width().max(1));
        self.perform_deed(pane.page, deed, f64::from(at.x - view.bounds.left) / width);
        true
    }

    pub(crate) fn long_click(&mut self, pane: &Pane, view: &View) -> bool {
        let Some(deed) = &view.long_click else { return false };
        if !view.flags.has(Flags::ENABLED) {
            return false;
        }
        self.tell(RecordedEvent::LongClick(touched(pane, view)));
        self.perform_deed(pane.page, deed, 0.5);
        true
    }
}

fn touched(pane: &Pane, view: &View) -> Touched {
    let password = view.flags.has(Flags::PASSWORD);
    Touched {
        package_name: pane.package.clone(),
        resource_id: Some(view.id.clone()),
        text: Some(view.text.clone()).filter(|text| !text.is_empty() && !password),
        content_desc: Some(view.description.clone()).filter(|text| !text.is_empty()),
        bounds: view.bounds,
        password,
    }
}

/// Pixels a second at the end of a trail; what comes into view from below is forward.
fn speed(trail: &[(Moment, Point)], axis: Axis) -> f64 {
    let Some((end, last)) = trail.last() else { return 0.0 };
    let since = end.saturating_sub(THROW);
    let Some((start, first)) = trail.iter().find(|(at, _)| *at >= since) else { return 0.0 };
    let seconds = end.saturating_sub(*start).as_secs_f64();
    let way = if axis == Axis::Vertical { first.y - last.y } else { first.x - last.x };
    if seconds > 0.0 { f64::from(way) / seconds } else { 0.0 }
}
