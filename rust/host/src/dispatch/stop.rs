//! Stopping an execution from another thread.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A way to stop the execution that runs, wherever it runs.
#[derive(Default)]
pub struct Stop(Mutex<State>);

#[derive(Default)]
struct State {
    asked: bool,
    how: Option<Box<dyn Fn() + Send>>,
}

impl Stop {
    /// Asks the phone to stop at its next wait. Its answer comes as always.
    pub fn ask(&self) {
        let mut state = self.lock();
        state.asked = true;
        if let Some(how) = &state.how {
            how();
        }
    }

    /// Was it asked?
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.lock().asked
    }

    /// Says how the execution is stopped over the link it has now.
    pub(super) fn by(&self, how: impl Fn() + Send + 'static) {
        let mut state = self.lock();
        if state.asked {
            // Asked before there was a way, or on a connection that has gone since.
            how();
        }
        state.how = Some(Box::new(how));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stop").field("asked", &self.is_asked()).finish_non_exhaustive()
    }
}
