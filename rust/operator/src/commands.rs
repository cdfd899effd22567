//! When the last command came, over whichever link.

use crate::{lock, status};
use clawperator_link::station::{Courier, DispatchState, Identity, Station, Taken};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// The moment of the last command. By the clock people set, as a phone's other one stands still
/// while it sleeps.
#[derive(Debug, Default)]
pub(crate) struct LastCommand(Mutex<Option<SystemTime>>);

impl LastCommand {
    /// One came now.
    pub(crate) fn came(&self) {
        *lock(&self.0) = Some(SystemTime::now());
        status::changed();
    }

    /// How long ago; of a moment that a changed clock has put into the future, none.
    pub(crate) fn ago(&self) -> Option<Duration> {
        let last = *lock(&self.0);
        last.map(|last| SystemTime::now().duration_since(last).unwrap_or_default())
    }
}

/// A station that notes when executions come.
pub(crate) struct Noting {
    pub(crate) station: Arc<dyn Station>,
    pub(crate) last: Arc<LastCommand>,
}

impl Station for Noting {
    fn identity(&self) -> Identity {
        self.station.identity()
    }

    fn submit(&self, id: Option<&str>, payload: Vec<u8>, courier: Box<dyn Courier>) -> Taken {
        self.last.came();
        self.station.submit(id, payload, courier)
    }

    fn outcome(&self, dispatch_id: &str, wait: Duration) -> DispatchState {
        self.station.outcome(dispatch_id, wait)
    }

    fn cancel(&self, dispatch_id: &str) {
        self.station.cancel(dispatch_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closed::Closed;
    use clawperator_contract::Envelope;
    use clawperator_contract::envelope::StepResult;
    use clawperator_contract::message::{HostAnswer, HostCall};

    struct Nobody;

    impl Courier for Nobody {
        fn step_ended(&mut self, _: usize, _: &StepResult, _: Option<Vec<u8>>) {}

        fn host_call(&mut self, _: HostCall, _: Duration) -> Option<HostAnswer> {
            None
        }

        fn ended(&mut self, _: Arc<Envelope>) {}
    }

    #[test]
    fn an_execution_is_a_command_and_a_question_is_none() {
        let last = Arc::<LastCommand>::default();
        let station = Noting { station: Arc::new(Closed), last: Arc::clone(&last) };
        station.outcome("d-1", Duration::ZERO);
        station.cancel("d-1");
        assert_eq!(station.identity().package, "test");
        assert_eq!(last.ago(), None);
        assert_eq!(station.submit(None, Vec::new(), Box::new(Nobody)), Taken::Closed);
        assert!(last.ago().is_some());
    }

    #[test]
    fn a_command_of_the_future_came_just_now() {
        let last = LastCommand::default();
        *lock(&last.0) = Some(SystemTime::now() + Duration::from_secs(86_400));
        assert_eq!(last.ago(), Some(Duration::ZERO));
    }
}
