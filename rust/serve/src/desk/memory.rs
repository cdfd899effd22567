//! The orders of this process, and how they ended, until newer ones need the room.

use super::ticket::{Phase, Ticket};
use std::collections::{HashMap, VecDeque};

/// Results that are remembered.
const KEPT: usize = 1_024;
/// Bytes of them.
const KEPT_BYTES: usize = 64 << 20;

#[derive(Debug, Default)]
pub(super) struct Memory {
    tickets: HashMap<String, Ticket>,
    /// Those that ended, the oldest first, with what they weigh.
    ended: VecDeque<(String, usize)>,
    bytes: usize,
}

impl Memory {
    pub(super) fn get(&self, dispatch_id: &str) -> Option<&Ticket> {
        self.tickets.get(dispatch_id)
    }

    pub(super) fn add(&mut self, ticket: &Ticket) {
        self.tickets.insert(ticket.dispatch_id().to_owned(), ticket.clone());
    }

    /// What never came to wait is not worth remembering.
    pub(super) fn remove(&mut self, dispatch_id: &str) {
        self.tickets.remove(dispatch_id);
    }

    /// This one has ended; older ones make room for it.
    pub(super) fn ended(&mut self, ticket: &Ticket) {
        let Phase::Ended(ended) = ticket.phase() else { return };
        self.ended.push_back((ticket.dispatch_id().to_owned(), ended.bytes));
        self.bytes += ended.bytes;
        while self.ended.len() > KEPT || self.bytes > KEPT_BYTES && self.ended.len() > 1 {
            let Some((oldest, bytes)) = self.ended.pop_front() else { break };
            self.tickets.remove(&oldest);
            self.bytes -= bytes;
        }
    }

    pub(super) fn unfinished(&self) -> Vec<Ticket> {
        let unfinished =
            self.tickets.values().filter(|ticket| !matches!(ticket.phase(), Phase::Ended(_)));
        unfinished.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::ticket::{Ended, Outcome};
    use serde_json::json;
    use std::sync::Arc;

    #[test]
    fn the_oldest_results_make_room_and_what_runs_stays() {
        let mut memory = Memory::default();
        let running = Ticket::new("running".into(), "a".into(), None);
        memory.add(&running);
        for number in 0..KEPT + 5 {
            let ticket = Ticket::new(format!("d{number}"), "a".into(), None);
            memory.add(&ticket);
            let ended = Ended::new(Ok(Outcome::Answered(json!(number))));
            ticket.enter(Phase::Ended(Arc::new(ended)));
            memory.ended(&ticket);
        }
        assert!(memory.get("d4").is_none());
        assert!(memory.get("d5").is_some());
        assert_eq!(memory.unfinished().len(), 1);
        assert_eq!(memory.tickets.len(), KEPT + 1);
    }
}
