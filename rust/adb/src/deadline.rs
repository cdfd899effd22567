//! The moment by which something must have happened.

use std::time::{Duration, Instant};

/// A moment after which nobody waits any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// So long from now.
    #[must_use]
    pub fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    /// At this moment.
    #[must_use]
    pub fn at(moment: Instant) -> Self {
        Self(moment)
    }

    /// How long there still is; `None` when it has passed.
    #[must_use]
    pub fn left(self) -> Option<Duration> {
        self.0.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }

    /// The earlier of this one and so long from now.
    #[must_use]
    pub fn or_sooner(self, time: Duration) -> Self {
        self.min(Self::after(time))
    }
}
