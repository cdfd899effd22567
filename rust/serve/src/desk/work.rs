//! One turn at a phone.

use super::lane::Job;
use super::phones::TURN;
use super::sendings::Sending;
use super::telling::Teller;
use super::ticket::{Outcome, Phase, Ticket};
use super::{Desk, Setup};
use clawperator_contract::{ErrorCode, Execution, Failure};
use clawperator_host::device::Device;
use clawperator_host::dispatch::{self, Done, Route, Stop};
use clawperator_host::flight::Flight;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

type Run = dyn FnOnce(&Turn<'_>) -> Result<Value, Failure> + Send;

/// What is to be done.
pub(super) enum Work {
    Execution { execution: Box<Execution>, package: String },
    Other { name: String, run: Box<Run> },
}

/// A phone, for as long as it is somebody's turn.
pub struct Turn<'a> {
    /// The phone.
    pub device: &'a dyn Device,
    /// Raised when the order is cancelled.
    pub stop: &'a Stop,
    setup: &'a Setup,
}

impl Turn<'_> {
    /// The way to an operator on it.
    #[must_use]
    pub fn route<'b>(&'b self, package: &'b str) -> Route<'b> {
        self.setup.route(self.device, package, self.stop)
    }
}

impl Setup {
    pub(super) fn route<'a>(
        &'a self,
        device: &'a dyn Device,
        package: &'a str,
        stop: &'a Stop,
    ) -> Route<'a> {
        let link = self.link;
        Route { device, package, host_version: &self.version, link, evidence: None, stop }
    }
}

impl Desk {
    /// Does what is to be done, and tells how it ended.
    pub(super) fn run(&self, job: Job) {
        let Job { ticket, work, wait } = job;
        let name = match &work {
            Work::Execution { execution, .. } => execution.command_id().to_owned(),
            Work::Other { name, .. } => name.clone(),
        };
        ticket.enter(Phase::Running);
        self.tell_phase(&ticket);
        // A fault of ours ends one order, not all that wait behind it.
        let ran = catch_unwind(AssertUnwindSafe(|| {
            let claimed = self.claim(&ticket, &name, wait);
            match work {
                Work::Execution { execution, package } => {
                    self.execute(&ticket, &execution, &package, claimed)
                }
                Work::Other { run, .. } => self.other(&ticket, run, claimed),
            }
        }));
        let result = ran.unwrap_or_else(|_| {
            let code = ErrorCode::InternalServerError;
            Err(Failure::new(code, "the program has a fault; what it ran may have been done")
                .hint(code.remedy()))
        });
        self.end(&ticket, result);
    }

    /// The phone alone. Asked again and again rather than waited for, so that it can be cancelled.
    fn claim(
        &self,
        ticket: &Ticket,
        name: &str,
        wait: Duration,
    ) -> Result<Option<Flight>, Failure> {
        let until = Instant::now() + wait;
        loop {
            let conflict = match self.phones().claim(ticket.device(), name) {
                Err(failure) if failure.code == ErrorCode::ExecutionConflictInFlight => failure,
                other => return other,
            };
            if ticket.stop().is_asked() || Instant::now() >= until {
                return Err(conflict);
            }
            thread::sleep(TURN);
        }
    }

    fn execute(
        &self,
        ticket: &Ticket,
        execution: &Execution,
        package: &str,
        claimed: Result<Option<Flight>, Failure>,
    ) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let mut sent = false;
        let done = claimed.and_then(|_alone| {
            if ticket.stop().is_asked() {
                return Err(cancelled(ticket));
            }
            let device = self.phones().open(ticket.device())?;
            self.note(ticket, execution, package);
            let route = self.0.setup.route(device.as_ref(), package, ticket.stop());
            let mut teller = Teller { desk: self, ticket, execution, sent: &mut sent };
            dispatch::execute_as(&route, execution, ticket.dispatch_id(), &mut teller)
        });
        (self.0.setup.noted)(execution, ticket.device(), &done, started.elapsed());
        self.tell_end(ticket, execution, &done, sent);
        done.map(|done: Done| Outcome::Executed(Box::new(done)))
    }

    fn other(
        &self,
        ticket: &Ticket,
        run: Box<Run>,
        claimed: Result<Option<Flight>, Failure>,
    ) -> Result<Outcome, Failure> {
        let _alone = claimed?;
        let device = self.phones().open(ticket.device())?;
        let turn = Turn { device: device.as_ref(), stop: ticket.stop(), setup: &self.0.setup };
        run(&turn).map(Outcome::Answered)
    }

    /// Notes where it goes, before it goes. A disk that is full does not stop phones.
    fn note(&self, ticket: &Ticket, execution: &Execution, package: &str) {
        let Some(sendings) = &self.0.setup.sendings else { return };
        let noted = sendings.note(&Sending {
            dispatch_id: ticket.dispatch_id().to_owned(),
            device_id: ticket.device().to_owned(),
            package: package.to_owned(),
            command_id: execution.command_id().to_owned(),
            content: ticket.content().unwrap_or_default().to_owned(),
        });
        if let Err(failure) = noted {
            log::warn!("after a crash nobody will know of {}: {failure}", ticket.dispatch_id());
        }
    }
}

/// It was cancelled before anything was sent.
pub(super) fn cancelled(ticket: &Ticket) -> Failure {
    let message = "it was cancelled before its turn came; nothing was sent";
    Failure::new(ErrorCode::ExecutionCancelled, message).detail("dispatchId", ticket.dispatch_id())
}
