//! Scrolling: by a finger, by momentum, by a node action.

use super::agenda::Due;
use super::view::{Axis, Key, View};
use super::world::World;
use clawperator_runtime::recording::{RecordedEvent, Scrolled};
use std::time::Duration;

/// A frame at 60 Hz.
pub(crate) const FRAME: Duration = Duration::from_millis(16);

/// How long a fling takes to lose most of its speed. Android's friction comes to about this.
const FADES_MS: f64 = 325.0;

/// Slower than this, in density-independent pixels a second, a finger has let go without a throw.
const SLOWEST_FLING: i32 = 50;

/// Slower than this, a fling has come to rest.
const REST: i32 = 20;

/// Something that moves on by itself.
#[derive(Clone, Debug)]
pub(crate) struct Fling {
    number: u64,
    pub(crate) page: u64,
    pub(crate) key: Key,
    /// Pixels a second; forward is positive.
    speed: f64,
    /// What was too little for a pixel.
    left_over: f64,
}

impl World {
    /// Moves what scrolls; says how far it went.
    pub(crate) fn scroll_by(&mut self, page: u64, key: Key, distance: i32) -> i32 {
        let scene = self.scene();
        let found = scene.find(key).and_then(|(pane, path)| Some((pane, *path.last()?)));
        let Some((pane, view)) = found else { return 0 };
        let Some(scroller) = view.scroller.clone() else { return 0 };
        let offset = scroller.offset.saturating_add(distance).clamp(0, scroller.end);
        let moved = offset - scroller.offset;
        let (package, id) = (pane.package.clone(), view.id.clone());
        let Some(open) = self.page_mut(page) else { return 0 };
        // Two screens before its end, a feed asks for more.
        let near_end = offset + 2 * view.bounds.height() >= scroller.end;
        let loads = scroller.more.filter(|_| near_end);
        let asked = loads.is_some_and(|more| {
            open.loaded.insert(key.part("asked"), more.count) != Some(more.count)
        });
        if let (true, Some(more)) = (asked, loads) {
            let due = Due::Loaded { page, feed: key, count: more.count };
            self.agenda.plan(self.now + more.takes, due);
        }
        if moved == 0 {
            return 0;
        }
        if let Some(open) = self.page_mut(page) {
            open.scrolled.insert(key, offset);
        }
        self.scroll_mark += 1;
        let (x, y) = match scroller.axis {
            Axis::Vertical => ((0, 0), (offset, scroller.end)),
            Axis::Horizontal => ((offset, scroller.end), (0, 0)),
        };
        self.tell(RecordedEvent::Scroll(Scrolled {
            package_name: package,
            resource_id: Some(id),
            scroll_x: x.0,
            scroll_y: y.0,
            max_scroll_x: x.1,
            max_scroll_y: y.1,
        }));
        moved
    }

    /// One screenful, as the node action does it; says whether anything moved.
    pub(crate) fn scroll_page(&mut self, page: u64, view: &View, forward: bool) -> bool {
        let Some(scroller) = &view.scroller else { return false };
        let screenful = match scroller.axis {
            Axis::Vertical => view.bounds.height(),
            Axis::Horizontal => view.bounds.width(),
        };
        let distance = if forward { screenful } else { -screenful };
        self.scroll_by(page, view.key, distance) != 0
    }

    /// Lets what a finger pushed move on.
    pub(crate) fn fling(&mut self, page: u64, key: Key, speed: f64) {
        if speed.abs() < f64::from(self.metrics.px(SLOWEST_FLING)) {
            return;
        }
        let fastest = f64::from(self.metrics.px(8_000));
        let speed = speed.clamp(-fastest, fastest);
        self.flings += 1;
        let number = self.flings;
        self.fling = Some(Fling { number, page, key, speed, left_over: 0.0 });
        self.agenda.plan(self.now + FRAME, Due::Frame { fling: number });
    }

    /// One frame of it.
    pub(crate) fn fling_on(&mut self, number: u64) {
        let Some(mut fling) = self.fling.take_if(|fling| fling.number == number) else { return };
        let seconds = FRAME.as_secs_f64();
        let way = fling.speed * seconds + fling.left_over;
        let pixels = whole(way);
        fling.left_over = way - f64::from(pixels);
        fling.speed *= (-seconds * 1_000.0 / FADES_MS).exp();
        let moved = self.scroll_by(fling.page, fling.key, pixels);
        let at_rest = fling.speed.abs() < f64::from(self.metrics.px(REST));
        // At an edge it stops at once; Android only glows.
        if moved == pixels && !at_rest {
            self.fling = Some(fling);
            self.agenda.plan(self.now + FRAME, Due::Frame { fling: number });
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a frame's way is at most a screen's length")]
fn whole(way: f64) -> i32 {
    way.trunc() as i32
}
