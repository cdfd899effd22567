//! A dispatch of an earlier run of this program, or of another one: the phone is asked how it
//! ended. Nothing is executed.

use super::ticket::{Outcome, Phase, Ticket};
use super::{Desk, Sending, checked};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch;
use std::thread;
use std::time::Duration;

/// The longest execution, and the time its answer may take.
const LONGEST: Duration = Duration::from_secs(125);

impl Desk {
    /// The order of this id: one this program remembers, or else one it asks the phone for. Which
    /// phone, it knows from its notes or from the caller. Blocks for a moment.
    pub fn find(
        &self,
        dispatch_id: &str,
        device: Option<&str>,
        package: Option<&str>,
    ) -> Result<Ticket, Failure> {
        if let Some(known) = self.known(dispatch_id) {
            return Ok(known);
        }
        let dispatch_id = checked(dispatch_id.to_owned())?;
        let noted = self.noted(&dispatch_id);
        let was_noted = noted.is_some();
        let package = package.map(str::to_owned);
        let (device, package, content) = match (device, noted) {
            (None, None) => return Err(unknown(&dispatch_id)),
            // The caller knows better, unless it says the same.
            (Some(device), noted) if noted.as_ref().is_none_or(|n| n.device_id != device) => {
                (device.to_owned(), package, None)
            }
            (_, Some(noted)) => {
                (noted.device_id, package.or(Some(noted.package)), Some(noted.content))
            }
            (Some(device), None) => (device.to_owned(), package, None),
        };
        let package = package.unwrap_or_else(|| self.package().to_owned());
        let ticket = {
            let mut memory = self.memory();
            if let Some(known) = memory.get(&dispatch_id) {
                return Ok(known.clone());
            }
            let ticket = Ticket::new(dispatch_id, device, content);
            memory.add(&ticket);
            ticket
        };
        self.ask_again(&ticket, package, was_noted)?;
        Ok(ticket)
    }

    pub(super) fn noted(&self, dispatch_id: &str) -> Option<Sending> {
        self.0.setup.sendings.as_ref()?.find(dispatch_id)
    }

    /// Asks on a thread of its own: the phone's line is for what acts.
    pub(super) fn ask_again(
        &self,
        ticket: &Ticket,
        package: String,
        was_noted: bool,
    ) -> Result<(), Failure> {
        ticket.only_ask();
        ticket.enter(Phase::Running);
        let (desk, own) = (self.clone(), ticket.clone());
        let asked = thread::Builder::new().name("asks".into()).spawn(move || {
            let result = desk.asked(&own, &package, was_noted);
            let failed = result.is_err();
            desk.end(&own, result);
            if failed {
                // The phone may be back when somebody asks the next time.
                desk.memory().remove(own.dispatch_id());
            }
        });
        asked.map(drop).map_err(|error| {
            self.memory().remove(ticket.dispatch_id());
            let message = format!("no thread to ask the phone: {error}");
            Failure::new(ErrorCode::InternalServerError, message)
        })
    }

    fn asked(&self, ticket: &Ticket, package: &str, was_noted: bool) -> Result<Outcome, Failure> {
        let device = self.phones().open(ticket.device())?;
        let route = self.0.setup.route(device.as_ref(), package, ticket.stop());
        let done = dispatch::resume(&route, ticket.dispatch_id(), LONGEST, &mut ());
        done.map(|done| Outcome::Executed(Box::new(done))).map_err(|failure| {
            if was_noted && failure.code == ErrorCode::DispatchUnknown {
                lost(ticket)
            } else {
                failure
            }
        })
    }
}

/// Nobody knows it.
fn unknown(dispatch_id: &str) -> Failure {
    let code = ErrorCode::DispatchUnknown;
    Failure::new(code, format!("no dispatch {dispatch_id} was sent from here"))
        .detail("dispatchId", dispatch_id)
        .hint("name the phone with deviceId to ask it as well")
}

/// It was about to be sent, and the phone does not know it.
fn lost(ticket: &Ticket) -> Failure {
    let code = ErrorCode::DispatchOutcomeUnknown;
    let message = "the server ended while it sent this, and the operator does not know it: it never \
                   arrived, or the operator has ended since";
    Failure::new(code, message)
        .detail("dispatchId", ticket.dispatch_id())
        .detail("deviceId", ticket.device())
        .hint(code.remedy())
}
