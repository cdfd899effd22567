//! What the desk tells of executions.

use super::Desk;
use super::ticket::{Phase, Ticket};
use clawperator_contract::envelope::StepResult;
use clawperator_contract::wrapper::Served;
use clawperator_contract::{Envelope, Execution, Failure};
use clawperator_host::dispatch::{Done, Link, Watcher};
use serde_json::{Value, json};

/// An order waits, runs or is over.
pub(super) const DISPATCH: &str = "clawperator:dispatch";
/// A step has ended.
pub const STEP: &str = "clawperator:step";
/// An envelope came, or it is known that none will.
pub(super) const RESULT: &str = "clawperator:result";
/// An execution is over, with what was asked.
pub(super) const EXECUTION: &str = "clawperator:execution";

/// Tells of an execution while it runs.
pub(super) struct Teller<'a> {
    pub(super) desk: &'a Desk,
    pub(super) ticket: &'a Ticket,
    pub(super) execution: &'a Execution,
    pub(super) sent: &'a mut bool,
}

impl Watcher for Teller<'_> {
    fn sent(&mut self, _link: Link) {
        *self.sent = true;
    }

    fn step_ended(&mut self, index: usize, result: &StepResult) {
        self.desk.news().tell(
            STEP,
            &json!({
                "deviceId": self.ticket.device(),
                "dispatchId": self.ticket.dispatch_id(),
                "commandId": self.execution.command_id(),
                "index": index,
                "result": result,
            }),
        );
    }
}

impl Desk {
    pub(super) fn tell_phase(&self, ticket: &Ticket) {
        let phase = ticket.phase();
        let mut news = json!({
            "deviceId": ticket.device(),
            "dispatchId": ticket.dispatch_id(),
            "state": phase.name(),
        });
        if let Phase::Ended(ended) = &phase
            && let Err(failure) = &ended.result
        {
            news["code"] = failure.code.name().into();
        }
        self.news().tell(DISPATCH, &news);
    }

    /// After something was sent there is always a result, even where no envelope came.
    pub(super) fn tell_end(
        &self,
        ticket: &Ticket,
        execution: &Execution,
        done: &Result<Done, Failure>,
        sent: bool,
    ) {
        let (device, dispatch_id) = (ticket.device(), ticket.dispatch_id());
        let result = match done {
            Ok(done) => {
                self.tell_result(device, dispatch_id, &done.envelope);
                serde_json::to_value(Served::new(&done.envelope, device)).unwrap_or_default()
            }
            Err(failure) => {
                if sent {
                    self.tell_result(device, dispatch_id, &unanswered(execution, failure));
                }
                json!({ "ok": false, "error": failure })
            }
        };
        let news = json!({
            "deviceId": device, "dispatchId": dispatch_id, "input": execution, "result": result,
        });
        self.news().tell(EXECUTION, &news);
    }

    fn tell_result(&self, device: &str, dispatch_id: &str, envelope: &Envelope) {
        let news: Value =
            json!({ "deviceId": device, "dispatchId": dispatch_id, "envelope": envelope });
        self.news().tell(RESULT, &news);
    }
}

/// The envelope of an execution whose own never came.
fn unanswered(execution: &Execution, failure: &Failure) -> Envelope {
    let (command, task) = (execution.command_id(), execution.task_id());
    let mut envelope = Envelope::failed(command, task, vec![], failure.code, &failure.message);
    envelope.hint.clone_from(&failure.hint);
    envelope
}
