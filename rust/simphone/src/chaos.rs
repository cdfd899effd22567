//! Faults by seed: what goes wrong on real phones, as often as a test wants it.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::time::Duration;

/// How often what goes wrong: probabilities from 0 to 1. By default nothing does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// A page that opens shows its content only later.
    pub late_nodes: f64,
    /// A node of a capture is gone for a moment.
    pub vanishing_nodes: f64,
    /// A gesture is refused.
    pub refused_gestures: f64,
    /// A gesture is broken off halfway.
    pub cancelled_gestures: f64,
    /// A capture shows the screen as it was at the capture before.
    pub stale_trees: f64,
    /// An event is not told.
    pub dropped_events: f64,
    /// A capture takes long.
    pub slow_captures: f64,
    /// The service is gone after so many operations.
    pub killed_after: Option<u64>,
}

impl Faults {
    /// Every fault but the killed service, each with this probability.
    #[must_use]
    pub fn all(probability: f64) -> Self {
        Self {
            late_nodes: probability,
            vanishing_nodes: probability,
            refused_gestures: probability,
            cancelled_gestures: probability,
            stale_trees: probability,
            dropped_events: probability,
            slow_captures: probability,
            killed_after: None,
        }
    }
}

/// Decides when what goes wrong. The same seed and the same questions give the same answers.
#[derive(Debug)]
pub(crate) struct Chaos {
    pub(crate) faults: Faults,
    rng: SmallRng,
    operations: u64,
}

impl Chaos {
    pub(crate) fn new(faults: Faults, seed: u64) -> Self {
        Self { faults, rng: SmallRng::seed_from_u64(seed), operations: 0 }
    }

    /// Does it go wrong this time? What never does costs no number, so that switching one fault
    /// on leaves the others as they were.
    pub(crate) fn strikes(&mut self, fault: impl Fn(&Faults) -> f64) -> bool {
        let probability = fault(&self.faults);
        probability > 0.0 && self.rng.random_bool(probability.min(1.0))
    }

    /// How long something takes that goes wrong by taking long.
    pub(crate) fn delay(&mut self, least_ms: u64, most_ms: u64) -> Duration {
        Duration::from_millis(self.rng.random_range(least_ms..=most_ms))
    }

    /// One of so many.
    pub(crate) fn pick(&mut self, count: usize) -> usize {
        if count == 0 { 0 } else { self.rng.random_range(0..count) }
    }

    /// Counts an operation; says whether the service dies of it.
    pub(crate) fn kills(&mut self) -> bool {
        self.operations += 1;
        self.faults.killed_after.is_some_and(|most| self.operations > most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_strikes_at_the_same_times() {
        let strikes = |seed| {
            let mut chaos = Chaos::new(Faults::all(0.5), seed);
            (0..64).map(|_| chaos.strikes(|faults| faults.stale_trees)).collect::<Vec<_>>()
        };
        assert_eq!(strikes(1), strikes(1));
        assert_ne!(strikes(1), strikes(2));
    }

    #[test]
    fn without_faults_nothing_ever_strikes() {
        let mut chaos = Chaos::new(Faults::default(), 1);
        assert!((0..1_000).all(|_| !chaos.strikes(|faults| faults.late_nodes) && !chaos.kills()));
    }

    #[test]
    fn the_service_lives_for_so_many_operations() {
        let faults = Faults { killed_after: Some(2), ..Faults::default() };
        let mut chaos = Chaos::new(faults, 1);
        assert_eq!([chaos.kills(), chaos.kills(), chaos.kills()], [false, false, true]);
    }
}
