//! The time, which tests may move on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clawperator_host::journal::Moment;

/// The system's clock plus whatever it was moved on by: a request that lives five minutes can then
/// be seen to end at once.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    ahead_ms: Arc<AtomicU64>,
}

impl Clock {
    /// Moves this clock and its clones on.
    pub fn forward(&self, by: Duration) {
        self.ahead_ms.fetch_add(ms(by), Ordering::SeqCst);
    }

    /// Milliseconds since 1970.
    pub(super) fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        ms(since).saturating_add(self.ahead_ms.load(Ordering::SeqCst))
    }
}

pub(super) fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// As JSON carries it: RFC 3339, UTC.
pub(super) fn written(ms: u64) -> String {
    Moment::at(UNIX_EPOCH + Duration::from_millis(ms)).to_string()
}
