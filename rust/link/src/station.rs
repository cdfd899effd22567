//! What runs executions, as a link sees it.

use clawperator_contract::Envelope;
use clawperator_contract::envelope::StepResult;
use clawperator_contract::message::{HostAnswer, HostCall};
use std::sync::Arc;
use std::time::Duration;

/// The operator behind a link.
pub trait Station: Send + Sync {
    /// Who it is.
    fn identity(&self) -> Identity;

    /// Takes an execution. Its progress and end go to the courier, from another thread.
    fn submit(
        &self,
        dispatch_id: Option<&str>,
        payload: Vec<u8>,
        courier: Box<dyn Courier>,
    ) -> Taken;

    /// What became of a dispatch, waiting for its end at most so long. Executes nothing.
    fn outcome(&self, dispatch_id: &str, wait: Duration) -> DispatchState;

    /// Stops a dispatch at its next wait.
    fn cancel(&self, dispatch_id: &str);
}

/// Who answers at the other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Version of the app.
    pub app_version: String,
    /// Package of the app.
    pub package: String,
    /// Another one means another process, without the memory of the one before.
    pub boot_id: String,
    /// Is the accessibility service running?
    pub service_running: bool,
    /// How long its process has run.
    pub uptime: Duration,
}

/// Carries news of one execution back to whoever sent it. If it cannot, the execution goes on all
/// the same: its envelope is kept.
pub trait Courier: Send {
    /// A step has ended.
    fn step_ended(&mut self, index: usize, result: &StepResult, picture: Option<Vec<u8>>);

    /// Asks the host; `None` when there is none to ask.
    fn host_call(&mut self, call: HostCall, within: Duration) -> Option<HostAnswer>;

    /// The execution has ended.
    fn ended(&mut self, envelope: Arc<Envelope>);
}

/// What became of an execution that was handed in.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// It stands in the queue.
    Queued,
    /// It was sent before under this id: it is not executed again.
    Known(DispatchState),
    /// The operator is going away.
    Closed,
}

/// What is known of a dispatch.
#[derive(Clone, Debug, PartialEq)]
pub enum DispatchState {
    /// Nothing.
    Unknown,
    /// It waits or runs.
    Running,
    /// It has ended with this envelope.
    Ended(Arc<Envelope>),
}
