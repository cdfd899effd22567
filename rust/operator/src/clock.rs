//! The phone's time.

use clawperator_runtime::phone::{Clock, Moment};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Real time, since the app started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhoneClock {
    start: Instant,
}

impl PhoneClock {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now() }
    }

    /// The same moment as the standard library names it.
    pub(crate) fn instant(&self, moment: Moment) -> Instant {
        self.start + moment
    }
}

impl Clock for PhoneClock {
    fn now(&self) -> Moment {
        self.start.elapsed()
    }

    /// Asked afresh every time: people set their clocks.
    fn epoch_ms(&self) -> u64 {
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(epoch.as_millis()).unwrap_or(u64::MAX)
    }
}
