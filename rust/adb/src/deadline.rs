//! The moment by which something must have happened.

use std::time::{Duration, Instant};

/// As good as never, and near enough for every clock to reckon with.
const AGES: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// A moment after which nobody waits any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// So long from now.
    #[must_use]
    pub fn after(time: Duration) -> Self {
        let now = Instant::now();
        Self(now.checked_add(time.min(AGES)).unwrap_or(now))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_that_has_passed_leaves_nothing() {
        assert_eq!(Deadline::after(Duration::ZERO).left(), None);
        assert_eq!(Deadline::at(Instant::now()).left(), None);
    }

    #[test]
    fn no_time_is_too_long() {
        assert!(Deadline::after(Duration::MAX).left() > Some(AGES / 2));
    }

    #[test]
    fn the_sooner_of_two_counts() {
        let soon = Deadline::after(Duration::from_secs(1));
        assert_eq!(soon.or_sooner(Duration::from_secs(60)), soon);
        assert!(soon.or_sooner(Duration::ZERO) < soon);
    }
}
