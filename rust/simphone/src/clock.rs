//! The phone's clock: the computer's, or one that stands still until somebody waits.

use clawperator_runtime::phone::{Clock, Moment};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Where virtual time begins: a Wednesday at 10:00 UTC, so that status bars read well.
const VIRTUAL_START_MS: u64 = 1_736_935_200_000;

/// Tells the phone's time. Copies tell the same time.
#[derive(Clone, Debug)]
pub struct SimClock(Arc<Time>);

#[derive(Debug)]
enum Time {
    Real { start: Instant, epoch: Duration },
    Virtual { nanos: AtomicU64 },
}

impl SimClock {
    /// The computer's own time.
    #[must_use]
    pub fn real() -> Self {
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(Arc::new(Time::Real { start: Instant::now(), epoch }))
    }

    /// A time that passes only when somebody waits for it, and then at once.
    #[must_use]
    pub fn virtual_time() -> Self {
        Self(Arc::new(Time::Virtual { nanos: AtomicU64::new(0) }))
    }

    /// Does it stand still by itself?
    #[must_use]
    pub fn is_virtual(&self) -> bool {
        matches!(*self.0, Time::Virtual { .. })
    }

    /// Lets virtual time pass. Real time passes by itself.
    pub(crate) fn advance_to(&self, moment: Moment) {
        if let Time::Virtual { nanos } = &*self.0 {
            let moment = u64::try_from(moment.as_nanos()).unwrap_or(u64::MAX);
            nanos.fetch_max(moment, Ordering::AcqRel);
        }
    }
}

impl Clock for SimClock {
    fn now(&self) -> Moment {
        match &*self.0 {
            Time::Real { start, .. } => start.elapsed(),
            Time::Virtual { nanos } => Duration::from_nanos(nanos.load(Ordering::Acquire)),
        }
    }

    fn epoch_ms(&self) -> u64 {
        let start = match &*self.0 {
            Time::Real { epoch, .. } => *epoch,
            Time::Virtual { .. } => Duration::from_millis(VIRTUAL_START_MS),
        };
        u64::try_from((start + self.now()).as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_time_stands_still_and_never_goes_back() {
        let clock = SimClock::virtual_time();
        let copy = clock.clone();
        assert_eq!(clock.now(), Duration::ZERO);
        clock.advance_to(Duration::from_secs(30));
        clock.advance_to(Duration::from_secs(10));
        assert_eq!(copy.now(), Duration::from_secs(30));
        assert_eq!(copy.epoch_ms(), VIRTUAL_START_MS + 30_000);
    }

    #[test]
    fn real_time_passes_by_itself() {
        let clock = SimClock::real();
        let before = clock.now();
        clock.advance_to(Duration::from_secs(1_000_000));
        assert!(clock.now() >= before && clock.now() < Duration::from_secs(1_000_000));
        assert!(clock.epoch_ms() > VIRTUAL_START_MS);
    }
}
