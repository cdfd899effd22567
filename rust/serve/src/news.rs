//! What happens, for whoever listens: one ring of events with increasing ids.
//!
//! Listeners have no queue of their own, only a place in the ring. One that reads too slowly falls
//! out of it and is told so; nothing grows for its sake.

use serde::Serialize;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::watch;

/// Events that are kept for listeners who come back. A busy desk of 200 phones sends so many in
/// about a minute.
const KEPT: usize = 4_096;
/// Bytes of them: a snapshot of a full screen has 100 kB.
const KEPT_BYTES: usize = 32 << 20;
/// Ids begin at the milliseconds since 1970 times this, so that they go on increasing when the
/// program is started again, and a reader that counts in doubles still tells them apart.
const IDS_PER_MILLISECOND: u64 = 1_000;

/// Something that happened.
#[derive(Debug)]
pub struct Event {
    /// Larger than that of every event before.
    pub id: u64,
    /// What kind of event it is.
    pub kind: &'static str,
    /// What there is to say, as JSON without line ends.
    pub data: String,
}

/// The ring.
#[derive(Debug)]
pub struct News {
    ring: Mutex<Ring>,
    newest: watch::Sender<u64>,
}

#[derive(Debug)]
struct Ring {
    events: VecDeque<Arc<Event>>,
    bytes: usize,
    next: u64,
}

/// What a listener gets next.
#[derive(Debug)]
pub enum Heard {
    /// These, in order.
    Events(Vec<Arc<Event>>),
    /// Events after its place are gone; the oldest that is left has this id.
    Missed {
        /// The oldest id that can still be read.
        oldest: u64,
    },
}

impl Default for News {
    fn default() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let millis = u64::try_from(now.as_millis()).unwrap_or_default();
        let next = millis.saturating_mul(IDS_PER_MILLISECOND) + 1;
        let ring = Ring { events: VecDeque::new(), bytes: 0, next };
        Self { ring: Mutex::new(ring), newest: watch::Sender::new(next - 1) }
    }
}

impl News {
    /// Tells everybody.
    pub fn tell(&self, kind: &'static str, data: &impl Serialize) {
        let data = serde_json::to_string(data).unwrap_or_else(|_| Value::Null.to_string());
        let id = {
            let mut ring = self.ring();
            let id = ring.next;
            ring.next += 1;
            ring.bytes += data.len();
            ring.events.push_back(Arc::new(Event { id, kind, data }));
            while ring.events.len() > KEPT || ring.bytes > KEPT_BYTES && ring.events.len() > 1 {
                let Some(gone) = ring.events.pop_front() else { break };
                ring.bytes -= gone.data.len();
            }
            id
        };
        // Two who tell at once may come here in either order.
        self.newest.send_if_modified(|newest| {
            let later = id > *newest;
            *newest = id.max(*newest);
            later
        });
    }

    /// Id of the newest event; a listener that begins after it hears only what comes.
    #[must_use]
    pub fn newest(&self) -> u64 {
        *self.newest.borrow()
    }

    /// A listener that begins after it hears everything that is still known.
    #[must_use]
    pub fn oldest(&self) -> u64 {
        let ring = self.ring();
        ring.events.front().map_or(ring.next, |event| event.id) - 1
    }

    /// Waits until there is something after this id, and tells it: at most so many.
    pub async fn after(&self, id: u64, most: usize) -> Heard {
        let mut newest = self.newest.subscribe();
        loop {
            if let Some(heard) = self.now_after(id, most) {
                return heard;
            }
            if newest.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// The same without waiting; `None` when there is nothing.
    #[must_use]
    pub fn now_after(&self, id: u64, most: usize) -> Option<Heard> {
        let ring = self.ring();
        let oldest = ring.events.front().map_or(ring.next, |event| event.id);
        // An id of the future is one of another program's ring: its events are not here.
        if id + 1 < oldest || id >= ring.next {
            return Some(Heard::Missed { oldest });
        }
        let start = usize::try_from(id + 1 - oldest).unwrap_or(usize::MAX);
        let events: Vec<_> = ring.events.iter().skip(start).take(most).cloned().collect();
        (!events.is_empty()).then_some(Heard::Events(events))
    }

    /// A thread that panicked left nothing half-done here.
    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(heard: Option<Heard>) -> Vec<u64> {
        match heard {
            Some(Heard::Events(events)) => events.iter().map(|event| event.id).collect(),
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn a_listener_goes_on_where_it_was() {
        let news = News::default();
        let begin = news.newest();
        for number in 0..3 {
            news.tell("x", &number);
        }
        assert_eq!(ids(news.now_after(begin, 9)), [begin + 1, begin + 2, begin + 3]);
        assert_eq!(ids(news.now_after(begin + 1, 1)), [begin + 2]);
        assert!(news.now_after(begin + 3, 9).is_none());
    }

    #[test]
    fn who_fell_out_of_the_ring_is_told_where_it_begins() {
        let news = News::default();
        let begin = news.newest();
        for number in 0..KEPT + 10 {
            news.tell("x", &number);
        }
        match news.now_after(begin, 9) {
            Some(Heard::Missed { oldest }) => assert_eq!(oldest, begin + 11),
            other => unreachable!("{other:?}"),
        }
        assert_eq!(ids(news.now_after(begin + 10, 1)), [begin + 11]);
    }

    #[test]
    fn large_events_push_others_out_sooner() {
        let news = News::default();
        let begin = news.newest();
        let large = "x".repeat(KEPT_BYTES / 4);
        for _ in 0..8 {
            news.tell("x", &large);
        }
        assert!(matches!(news.now_after(begin, 9), Some(Heard::Missed { .. })));
        assert!(news.ring().bytes <= KEPT_BYTES);
    }

    #[test]
    fn an_id_of_another_time_is_a_gap() {
        let news = News::default();
        news.tell("x", &1);
        assert!(matches!(news.now_after(1, 9), Some(Heard::Missed { .. })));
        assert!(matches!(news.now_after(news.newest() + 5, 9), Some(Heard::Missed { .. })));
    }
}
