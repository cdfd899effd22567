//! The memory of what was sent: nothing is done twice, nothing is forgotten.
//!
//! Every sending of an execution carries a dispatch id minted by the host. While it runs and long
//! after, the host can ask what became of it; asking never executes anything.

use crate::cancel::Cancel;
use clawperator_contract::Envelope;
use clawperator_contract::limits::REMEMBERED_DISPATCHES;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The last dispatches with their envelopes. Shared between the threads that receive, the one that
/// executes and those that ask.
#[derive(Debug, Default)]
pub struct Dispatches {
    entries: Mutex<VecDeque<Entry>>,
    ended: Condvar,
}

#[derive(Debug)]
struct Entry {
    id: String,
    cancel: Cancel,
    envelope: Option<Arc<Envelope>>,
}

/// What is known of a dispatch.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// It was never received, or too many others came after it.
    Nothing,
    /// It stands in the queue or runs.
    Running,
    /// It has ended.
    Ended(Arc<Envelope>),
}

impl Dispatches {
    /// A new dispatch, with the handle to cancel it by. `None` when the id is known already: then
    /// it must not be executed again.
    pub fn begin(&self, id: &str) -> Option<Cancel> {
        let mut entries = self.lock();
        if entries.iter().any(|entry| entry.id == id) {
            return None;
        }
        // Only what has ended may be forgotten; what runs is one, what waits are few.
        while entries.len() >= REMEMBERED_DISPATCHES {
            let Some(oldest) = entries.iter().position(|entry| entry.envelope.is_some()) else {
                break;
            };
            entries.remove(oldest);
        }
        let cancel = Cancel::default();
        entries.push_back(Entry { id: id.to_owned(), cancel: cancel.clone(), envelope: None });
        Some(cancel)
    }

    /// The dispatch has ended with this envelope.
    pub fn end(&self, id: &str, envelope: Arc<Envelope>) {
        if let Some(entry) = self.lock().iter_mut().find(|entry| entry.id == id) {
            entry.envelope = Some(envelope);
        }
        self.ended.notify_all();
    }

    /// What is known now.
    #[must_use]
    pub fn known(&self, id: &str) -> Known {
        known(&self.lock(), id)
    }

    /// Waits for the end of a dispatch that runs, at most so long.
    #[must_use]
    pub fn wait(&self, id: &str, at_most: Duration) -> Known {
        let end = Instant::now() + at_most;
        let mut entries = self.lock();
        loop {
            let known = known(&entries, id);
            let left = end.saturating_duration_since(Instant::now());
            if known != Known::Running || left.is_zero() {
                return known;
            }
            let waited = self.ended.wait_timeout(entries, left);
            entries = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Cancels a dispatch that has not ended; says whether there was one.
    pub fn cancel(&self, id: &str) -> bool {
        let entries = self.lock();
        let running = entries.iter().find(|entry| entry.id == id && entry.envelope.is_none());
        let cancel = running.map(|entry| entry.cancel.clone());
        drop(entries);
        cancel.as_ref().map(Cancel::cancel).is_some()
    }

    /// A thread that panicked left the list as whole as it found it.
    fn lock(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn known(entries: &VecDeque<Entry>, id: &str) -> Known {
    match entries.iter().find(|entry| entry.id == id) {
        None => Known::Nothing,
        Some(Entry { envelope: None, .. }) => Known::Running,
        Some(Entry { envelope: Some(envelope), .. }) => Known::Ended(Arc::clone(envelope)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(id: &str) -> Arc<Envelope> {
        Arc::new(Envelope::of_steps(id, id, vec![]))
    }

    #[test]
    fn a_dispatch_id_begins_once() {
        let dispatches = Dispatches::default();
        assert!(dispatches.begin("d1").is_some());
        assert!(dispatches.begin("d1").is_none(), "while it runs");
        dispatches.end("d1", envelope("d1"));
        assert!(dispatches.begin("d1").is_none(), "after it has ended");
        assert_eq!(dispatches.known("d1"), Known::Ended(envelope("d1")));
    }

    #[test]
    fn the_last_64_are_remembered_and_what_runs_is_never_forgotten() {
        let dispatches = Dispatches::default();
        dispatches.begin("running").unwrap();
        for number in 0..100 {
            let id = number.to_string();
            dispatches.begin(&id).unwrap();
            dispatches.end(&id, envelope(&id));
        }
        assert_eq!(dispatches.known("running"), Known::Running);
        assert_eq!(dispatches.known("36"), Known::Nothing);
        for number in 37..100 {
            assert!(matches!(dispatches.known(&number.to_string()), Known::Ended(_)), "{number}");
        }
    }

    #[test]
    fn who_waits_for_a_running_dispatch_gets_its_envelope() {
        let dispatches = Arc::new(Dispatches::default());
        dispatches.begin("d1").unwrap();
        let waiting = Arc::clone(&dispatches);
        let waiter = std::thread::spawn(move || waiting.wait("d1", Duration::from_secs(60)));
        dispatches.end("d1", envelope("d1"));
        assert_eq!(waiter.join().unwrap(), Known::Ended(envelope("d1")));
        assert_eq!(dispatches.wait("d2", Duration::from_secs(60)), Known::Nothing);
    }

    #[test]
    fn cancelling_reaches_the_one_that_runs_only() {
        let dispatches = Dispatches::default();
        let cancel = dispatches.begin("d1").unwrap();
        assert!(dispatches.cancel("d1"));
        assert!(cancel.is_cancelled());
        dispatches.end("d1", envelope("d1"));
        assert!(!dispatches.cancel("d1"));
        assert!(!dispatches.cancel("d2"));
    }
}
