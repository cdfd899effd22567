//! The counter of events and captures, and those who wait for it to move.

use crate::lock;
use clawperator_runtime::screen::Generation;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Counts whatever happens on the screen. Android's main thread counts, the worker waits; neither
/// enters Java for that.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct State {
    generation: Generation,
    scroll_mark: u64,
    last_scroll: Option<ScrollPosition>,
    /// Somebody wants a wait to end: the present one, or the next if nobody waits.
    woken: bool,
}

/// Where a view stands, as a scroll event tells it. Android says -1 for what it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScrollPosition {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) first_item: i32,
    /// Pixels moved since the event before.
    pub(crate) delta: (i32, i32),
}

impl ScrollPosition {
    fn tells_movement(self) -> bool {
        !matches!(self.delta, (0, 0) | (-1, -1))
    }
}

impl Changes {
    /// Something happened.
    pub(crate) fn bump(&self) -> Generation {
        let mut state = lock(&self.state);
        state.generation += 1;
        let generation = state.generation;
        drop(state);
        self.moved.notify_all();
        generation
    }

    /// A view told its scroll position. Told twice in a row without a movement it is no news; and
    /// the first word of a window only says where its view stands: a list tells that when it is
    /// laid out, and the event may come while somebody already swipes.
    pub(crate) fn scrolled(&self, position: ScrollPosition) {
        let mut state = lock(&self.state);
        let elsewhere = state.last_scroll.is_some_and(|last| last != position);
        if position.tells_movement() || elsewhere {
            state.scroll_mark += 1;
        }
        state.last_scroll = Some(position);
    }

    /// Another window is in front: positions of the one before say nothing about its views.
    pub(crate) fn window_changed(&self) {
        lock(&self.state).last_scroll = None;
    }

    pub(crate) fn scroll_mark(&self) -> u64 {
        lock(&self.state).scroll_mark
    }

    pub(crate) fn generation(&self) -> Generation {
        lock(&self.state).generation
    }

    /// Waits until the counter has moved on from `since`, or until then, or until woken.
    pub(crate) fn wait(&self, since: Option<Generation>, until: Instant) {
        let mut state = lock(&self.state);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let moved = since.is_some_and(|since| state.generation > since);
            if moved || state.woken || left.is_zero() {
                state.woken = false;
                return;
            }
            let waited = self.moved.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(crate) fn waker(self: &Arc<Self>) -> Arc<dyn Fn() + Send + Sync> {
        let changes = Arc::downgrade(self);
        Arc::new(move || {
            if let Some(changes) = changes.upgrade() {
                lock(&changes.state).woken = true;
                changes.moved.notify_all();
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn far() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn a_change_between_looking_and_waiting_is_not_lost() {
        let changes = Changes::default();
        let seen = changes.bump();
        changes.bump();
        // Would wait for a minute otherwise, and the test with it.
        changes.wait(Some(seen), far());
        assert_eq!(changes.generation(), seen + 1);
    }

    #[test]
    fn a_wait_ends_with_the_event_of_another_thread() {
        let changes = Arc::new(Changes::default());
        let other = Arc::clone(&changes);
        let waiting = std::thread::spawn(move || other.wait(Some(0), far()));
        changes.bump();
        waiting.join().unwrap();
    }

    #[test]
    fn a_waker_ends_the_wait_even_when_it_comes_first() {
        let changes = Arc::new(Changes::default());
        changes.waker()();
        changes.wait(None, far());
        // It ended one wait, not all of them.
        assert!(!lock(&changes.state).woken);
    }

    #[test]
    fn a_wait_that_nothing_ends_ends_in_time() {
        let changes = Changes::default();
        changes.wait(Some(0), Instant::now() + Duration::from_millis(1));
        assert_eq!(changes.generation(), 0);
    }

    #[test]
    fn the_scroll_mark_moves_only_with_the_position() {
        let changes = Changes::default();
        let unknown = (-1, -1);
        let at = |y, delta| ScrollPosition { x: 0, y, first_item: 0, delta };
        changes.scrolled(at(100, unknown));
        let mark = changes.scroll_mark();
        changes.scrolled(at(100, unknown));
        assert_eq!(changes.scroll_mark(), mark, "the same position again");
        changes.scrolled(at(140, unknown));
        assert_eq!(changes.scroll_mark(), mark + 1, "another position");
        changes.scrolled(at(140, (0, 40)));
        changes.scrolled(at(140, (0, 40)));
        assert_eq!(changes.scroll_mark(), mark + 3, "movement without a position");
    }

    #[test]
    fn where_the_first_view_of_a_window_stands_is_no_movement() {
        let changes = Changes::default();
        let at = |y| ScrollPosition { x: 0, y, first_item: 0, delta: (0, 0) };
        changes.scrolled(at(700));
        changes.window_changed();
        changes.scrolled(at(0));
        assert_eq!(changes.scroll_mark(), 0);
        changes.scrolled(at(40));
        assert_eq!(changes.scroll_mark(), 1);
    }
}
