//! The broadcast link at the operator's end: an intent in, lines of the log out.

use crate::worker::Operator;
use clawperator_contract::envelope::StepResult;
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::{Envelope, ErrorCode};
use clawperator_link::broadcast::{Broadcast, lines};
use clawperator_link::station::{Courier, DispatchState, Station, Taken};
use std::sync::Arc;
use std::time::Duration;

/// The phone's log.
pub trait Log: Send + Sync {
    /// Writes one line, at level info under the operator's tag.
    fn line(&self, text: &str);
}

impl Operator {
    /// Takes a broadcast; its result goes to the log.
    pub fn receive(&self, broadcast: Broadcast, log: &Arc<dyn Log>) {
        match broadcast {
            Broadcast::Resume { dispatch_id } => match self.outcome(&dispatch_id, Duration::ZERO) {
                DispatchState::Ended(envelope) => tell(log.as_ref(), &envelope, Some(&dispatch_id)),
                // Told when it ends.
                DispatchState::Running => {}
                DispatchState::Unknown => {
                    let code = ErrorCode::DispatchUnknown;
                    let unknown = Envelope::failed("", "", vec![], code, code.meaning());
                    tell(log.as_ref(), &unknown, Some(&dispatch_id));
                }
            },
            Broadcast::Cancel { dispatch_id } => self.cancel(&dispatch_id),
            Broadcast::Execute { payload, dispatch_id } => {
                let courier = Logged { log: Arc::clone(log), dispatch_id: dispatch_id.clone() };
                let taken =
                    self.submit(dispatch_id.as_deref(), payload.into_bytes(), Box::new(courier));
                match taken {
                    Taken::Queued | Taken::Known(DispatchState::Running) => {}
                    Taken::Known(DispatchState::Ended(envelope)) => {
                        tell(log.as_ref(), &envelope, dispatch_id.as_deref());
                    }
                    Taken::Known(DispatchState::Unknown) | Taken::Closed => {
                        log::warn!("a broadcast came while the operator goes away");
                    }
                }
            }
        }
    }
}

fn tell(log: &dyn Log, envelope: &Envelope, dispatch_id: Option<&str>) {
    // A payload so broken that it has no name cannot be answered: nobody waits under no name.
    if envelope.command_id.is_empty() && dispatch_id.is_none() {
        return;
    }
    for line in lines(envelope, dispatch_id) {
        log.line(&line);
    }
}

/// Tells the end to the log. There is no host to ask and nobody to tell steps to.
struct Logged {
    log: Arc<dyn Log>,
    dispatch_id: Option<String>,
}

impl Courier for Logged {
    fn step_ended(&mut self, _index: usize, _result: &StepResult, _picture: Option<Vec<u8>>) {}

    fn host_call(&mut self, _call: HostCall, _within: Duration) -> Option<HostAnswer> {
        None
    }

    fn ended(&mut self, envelope: Arc<Envelope>) {
        tell(self.log.as_ref(), &envelope, self.dispatch_id.as_deref());
    }
}
