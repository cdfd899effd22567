//! Stopping an execution from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often a sleep looks whether it was asked for: sooner than a person notices.
const LOOK: Duration = Duration::from_millis(20);

/// A wish to stop the execution that runs. The phone stops at its next wait, and its answer comes
/// as always.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks for it.
    pub fn ask(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Was it asked for?
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Sleeps this long, or until it is asked for; says whether the time passed.
    #[must_use]
    pub fn sleep(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            if self.is_asked() {
                return false;
            }
            thread::sleep(left.min(LOOK));
        }
        true
    }

    /// The wish itself, for the handler of a signal, which may do no more than set it.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}
