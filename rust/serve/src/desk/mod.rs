//! The desk: takes orders for many phones from many clients.
//!
//! Orders for different phones run side by side, those for one phone strictly one after the other,
//! in turns between the clients. Each phone with something to do has one thread; a phone without
//! has none. Nothing here holds a lock while it talks to a phone.
//!
//! ```text
//! submit ──► line of the phone ──► its thread ──► phone
//!    └─ ticket ◄── waiting, running, ended ◄──────┘ └──► news
//! ```

mod asked_again;
mod fair;
mod lane;
pub mod looks;
mod memory;
mod phones;
mod sendings;
mod telling;
mod ticket;
mod watch;
mod work;

pub use phones::Phones;
pub use sendings::{Sending, Sendings};
pub use telling::STEP;
pub use ticket::{Ended, Outcome, Phase, Ticket};
pub use work::Turn;

use crate::news::News;
use clawperator_contract::{ErrorCode, Execution, Failure};
use clawperator_host::dispatch::{Done, Link};
use clawperator_host::ids;
use lane::Lanes;
use memory::Memory;
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use work::Work;

/// Orders that may wait for one phone.
pub const DEFAULT_WAITING: usize = 16;
/// Characters of an id that a client gives a dispatch.
const MAX_DISPATCH_ID: usize = 64;
/// What is stopped has so long to say so.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Is told how each execution ended, for the log.
pub type Noted = Box<dyn Fn(&Execution, &str, &Result<Done, Failure>, Duration) + Send + Sync>;

/// What a desk is made of.
pub struct Setup {
    /// Its phones.
    pub phones: Box<dyn Phones>,
    /// Package of the operator where an order names none.
    pub package: String,
    /// Version the phones are told.
    pub version: String,
    /// The link to use, where one is wanted.
    pub link: Option<Link>,
    /// Orders that may wait for one phone.
    pub waiting: usize,
    /// Where sendings are noted, to be asked for after a crash.
    pub sendings: Option<Sendings>,
    /// Is told how each execution ended.
    pub noted: Noted,
}

/// An execution for a phone.
#[derive(Clone, Debug)]
pub struct Order {
    /// What to do.
    pub execution: Execution,
    /// Serial of the phone; see [`Desk::device`].
    pub device: String,
    /// Package of the operator on it, where it is not the usual one.
    pub package: Option<String>,
    /// Who asks: orders of different clients take turns.
    pub client: String,
    /// The client's own id for this sending. The same order under the same id is the same sending.
    pub dispatch_id: Option<String>,
    /// How long to wait for a phone that another process holds.
    pub wait: Duration,
}

/// The desk. Copies are the same desk.
#[derive(Clone)]
pub struct Desk(Arc<Inner>);

struct Inner {
    setup: Setup,
    news: News,
    lanes: Lanes,
    memory: Mutex<Memory>,
    closing: AtomicBool,
}

impl Desk {
    /// A desk nobody has come to yet.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let lanes = Lanes::new(setup.waiting);
        Self(Arc::new(Inner {
            setup,
            lanes,
            news: News::default(),
            memory: Mutex::default(),
            closing: AtomicBool::new(false),
        }))
    }

    /// What happens here.
    #[must_use]
    pub fn news(&self) -> &News {
        &self.0.news
    }

    /// The phones. Their calls block.
    #[must_use]
    pub fn phones(&self) -> &dyn Phones {
        self.0.setup.phones.as_ref()
    }

    /// Package of the operator where an order names none.
    #[must_use]
    pub fn package(&self) -> &str {
        &self.0.setup.package
    }

    /// Serial of the phone that is meant: the one named, or the only one there is. Blocks.
    pub fn device(&self, named: Option<&str>) -> Result<String, Failure> {
        named.map_or_else(|| self.phones().only(), |named| Ok(named.to_owned()))
    }

    /// Takes an order. It is refused where too many wait already; otherwise it runs when its turn
    /// comes, whoever waits for it. Blocks for a moment where the client gives the dispatch an id,
    /// because the notes of earlier runs are read for it.
    pub fn submit(&self, order: Order) -> Result<Ticket, Failure> {
        let package = order.package.unwrap_or_else(|| self.0.setup.package.clone());
        let content = content(&order.execution, &order.device, &package);
        let given = order.dispatch_id.is_some();
        let dispatch_id = match order.dispatch_id {
            Some(id) => checked(id)?,
            None => ids::dispatch(),
        };
        // Outside of the lock: it is a file.
        let noted = given.then(|| self.noted(&dispatch_id)).flatten();
        let ticket = {
            let mut memory = self.memory();
            if let Some(known) = memory.get(&dispatch_id) {
                return same(known.content(), &content, &dispatch_id).map(|()| known.clone());
            }
            if let Some(noted) = &noted {
                same(Some(&noted.content), &content, &dispatch_id)?;
            }
            let ticket = Ticket::new(dispatch_id, order.device, Some(content));
            memory.add(&ticket);
            ticket
        };
        if let Some(noted) = noted {
            // It was sent before this program was started: it is asked for, never sent again.
            self.ask_again(&ticket, noted.package, true)?;
            return Ok(ticket);
        }
        let work = Work::Execution { execution: Box::new(order.execution), package };
        self.enqueue(&ticket, work, &order.client, order.wait)?;
        Ok(ticket)
    }

    /// Takes an order for anything else that needs a phone for itself. The name is for whoever is
    /// turned away meanwhile.
    pub fn submit_work(
        &self,
        device: &str,
        client: &str,
        name: &str,
        wait: Duration,
        work: impl FnOnce(&Turn<'_>) -> Result<serde_json::Value, Failure> + Send + 'static,
    ) -> Result<Ticket, Failure> {
        let ticket = Ticket::new(ids::dispatch(), device.to_owned(), None);
        self.memory().add(&ticket);
        let work = Work::Other { name: name.to_owned(), run: Box::new(work) };
        self.enqueue(&ticket, work, client, wait)?;
        Ok(ticket)
    }

    fn enqueue(
        &self,
        ticket: &Ticket,
        work: Work,
        client: &str,
        wait: Duration,
    ) -> Result<(), Failure> {
        let refused = if self.0.closing.load(Ordering::SeqCst) {
            let code = ErrorCode::ShuttingDown;
            Err(Failure::new(code, "the server is shutting down").hint(code.remedy()))
        } else {
            let job = lane::Job { ticket: ticket.clone(), work, wait };
            self.0.lanes.push(self, client, job)
        };
        if refused.is_err() {
            self.memory().remove(ticket.dispatch_id());
        } else {
            self.tell_phase(ticket);
        }
        refused
    }

    /// The order of this id, where this program remembers it.
    #[must_use]
    pub fn known(&self, dispatch_id: &str) -> Option<Ticket> {
        self.memory().get(dispatch_id).cloned()
    }

    /// Cancels an order. One that waits ends at once; one that runs is stopped on the phone, and
    /// its envelope says so. `None` where there is no such order.
    pub fn cancel(&self, dispatch_id: &str) -> Option<Ticket> {
        let ticket = self.known(dispatch_id)?;
        ticket.stop().ask();
        if self.0.lanes.remove(ticket.device(), dispatch_id).is_some() {
            self.end(&ticket, Err(work::cancelled(&ticket)));
        }
        Some(ticket)
    }

    /// How many wait for a phone.
    #[must_use]
    pub fn waiting(&self, device: &str) -> usize {
        self.0.lanes.waiting(device)
    }

    /// Takes no more orders, turns away those that wait, gives what runs so long to end, and then
    /// stops it.
    pub async fn close(&self, grace: Duration) {
        self.0.closing.store(true, Ordering::SeqCst);
        let mut unfinished = self.memory().unfinished();
        unfinished.retain(|ticket| {
            let waits = self.0.lanes.remove(ticket.device(), ticket.dispatch_id()).is_some();
            // What another program sent goes on without us.
            let turned_away = waits || ticket.is_only_asked();
            if turned_away {
                let code = ErrorCode::ShuttingDown;
                let failure = Failure::new(code, "the server shut down before this ended");
                self.end(ticket, Err(failure.hint(code.remedy())));
            }
            !turned_away
        });
        if tokio::time::timeout(grace, all_ended(&unfinished)).await.is_err() {
            for ticket in &unfinished {
                ticket.stop().ask();
            }
            if tokio::time::timeout(LAST_WORDS, all_ended(&unfinished)).await.is_err() {
                log::warn!("a phone did not answer; its execution is left behind");
            }
        }
    }

    fn end(&self, ticket: &Ticket, result: Result<Outcome, Failure>) {
        ticket.enter(Phase::Ended(Arc::new(Ended::new(result))));
        self.memory().ended(ticket);
        self.tell_phase(ticket);
    }

    /// A thread that panicked left nothing half-done here.
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn all_ended(tickets: &[Ticket]) {
    for ticket in tickets {
        ticket.ended().await;
    }
}

/// What an order is about, to tell whether another is the same.
fn content(execution: &Execution, device: &str, package: &str) -> String {
    let digest = Sha256::new()
        .chain_update(device)
        .chain_update([0])
        .chain_update(package)
        .chain_update([0])
        .chain_update(execution.to_json())
        .finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn same(known: Option<&str>, content: &str, dispatch_id: &str) -> Result<(), Failure> {
    if known == Some(content) {
        return Ok(());
    }
    let code = ErrorCode::DispatchIdTaken;
    let message = format!("another execution was sent as {dispatch_id}");
    Err(Failure::new(code, message).detail("dispatchId", dispatch_id).hint(code.remedy()))
}

/// An id that is safe in paths, logs and headers.
pub(crate) fn checked(id: String) -> Result<String, Failure> {
    let inside = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let begins = id.starts_with(|c: char| c.is_ascii_alphanumeric());
    if begins && id.len() <= MAX_DISPATCH_ID && id.chars().all(inside) {
        return Ok(id);
    }
    let message = "a dispatch id is 1 to 64 letters, digits, dots, dashes and underscores, and \
                   begins with a letter or a digit";
    Err(Failure::new(ErrorCode::InvalidParameter, message).detail("parameter", "dispatchId"))
}
