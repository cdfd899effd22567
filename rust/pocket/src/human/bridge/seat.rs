//! Where a decision lands. The first one counts.

use super::{Decision, Pending};
use crate::human::clock::written;
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Default)]
enum State {
    #[default]
    Waiting,
    Settled(Decision),
    /// Read, or not wanted any more.
    Closed,
}

#[derive(Default)]
pub(super) struct Seat {
    state: Mutex<State>,
    changed: Condvar,
}

impl Seat {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says whether this decision was the first.
    pub(super) fn settle(&self, decision: Decision) -> bool {
        let mut state = self.state();
        let first = matches!(*state, State::Waiting);
        if first {
            *state = State::Settled(decision);
            self.changed.notify_all();
        }
        first
    }

    /// Takes the decision that is there or comes within `time`.
    pub(super) fn settled_within(&self, time: Duration) -> Option<Decision> {
        let waiting = |state: &mut State| matches!(state, State::Waiting);
        let (mut state, _) = self
            .changed
            .wait_timeout_while(self.state(), time, waiting)
            .unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *state, State::Closed) {
            State::Settled(decision) => Some(decision),
            other => {
                *state = other;
                None
            }
        }
    }

    /// Takes no decision any more, unless there is one already.
    pub(super) fn close(&self) -> bool {
        let mut state = self.state();
        let waiting = matches!(*state, State::Waiting);
        if waiting {
            *state = State::Closed;
            self.changed.notify_all();
        }
        waiting
    }

    /// Waits until it is settled or closed, at most for `time`.
    pub(super) fn pause(&self, time: Duration) {
        let waiting = |state: &mut State| matches!(state, State::Waiting);
        let _ = self.changed.wait_timeout_while(self.state(), time, waiting);
    }

    pub(super) fn waits(&self) -> bool {
        matches!(*self.state(), State::Waiting)
    }
}

struct Row {
    seat: Arc<Seat>,
    created_ms: u64,
    expires_ms: u64,
}

/// The questions that wait.
#[derive(Default)]
pub(super) struct Seats(Mutex<HashMap<String, Row>>);

impl Seats {
    fn rows(&self) -> MutexGuard<'_, HashMap<String, Row>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self, id: &str, created_ms: u64, expires_ms: u64) -> Taken<'_> {
        let seat = Arc::new(Seat::default());
        let row = Row { seat: Arc::clone(&seat), created_ms, expires_ms };
        self.rows().insert(id.to_owned(), row);
        Taken { seats: self, id: id.to_owned(), seat }
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<Seat>> {
        self.rows().get(id).map(|row| Arc::clone(&row.seat))
    }

    pub(super) fn pending(&self) -> Vec<Pending> {
        let rows = self.rows();
        let mut rows: Vec<_> = rows.iter().filter(|(_, row)| row.seat.waits()).collect();
        rows.sort_by_key(|(id, row)| (row.created_ms, *id));
        let pending = rows.into_iter().map(|(id, row)| Pending {
            request_id: id.clone(),
            created_at: written(row.created_ms),
            expires_at: written(row.expires_ms),
        });
        pending.collect()
    }
}

/// A seat that is given up when the wait ends, however it ends.
pub(super) struct Taken<'a> {
    seats: &'a Seats,
    id: String,
    seat: Arc<Seat>,
}

impl Taken<'_> {
    pub(super) fn seat(&self) -> &Arc<Seat> {
        &self.seat
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.seat.close();
        self.seats.rows().remove(&self.id);
    }
}
