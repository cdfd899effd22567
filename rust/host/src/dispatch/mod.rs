//! Sending an execution to a phone and seeing it through.
//!
//! One sending is one dispatch with an id of its own. Whatever happens to the link, an execution
//! is not done twice and its end is not lost silently: a broken link is opened again and asked for
//! the dispatch, and when the operator has forgotten it, that is said.

mod broadcast;
mod evidence;
mod finish;
mod host_side;
mod resume;
mod socket;
mod stop;

pub use evidence::Evidence;
pub use finish::Pictures;
pub use resume::resume;
pub use stop::Stop;

use crate::device::Device;
use crate::{ids, operator};
use clawperator_contract::envelope::StepResult;
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure, Status};
use finish::Keep;
use host_side::HostSide;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// The host waits this much longer than the phone may take: the phone's own answer that time ran
/// out has to travel too.
const MARGIN: Duration = Duration::from_secs(5);

/// How host and operator talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Link {
    /// A connection to the operator's socket.
    Socket,
    /// An intent in, lines of the log out.
    Broadcast,
}

impl Link {
    /// What names it in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Socket => "socket",
            Self::Broadcast => "broadcast",
        }
    }
}

/// Where executions go, and how.
pub struct Route<'a> {
    /// The phone.
    pub device: &'a dyn Device,
    /// Package of the operator on it.
    pub package: &'a str,
    /// Version the host tells.
    pub host_version: &'a str,
    /// The link to use; without one the socket, and broadcast where there is no socket.
    pub link: Option<Link>,
    /// Where to keep what was on the screen when a step fails.
    pub evidence: Option<PathBuf>,
    /// Stops the execution on the phone.
    pub stop: &'a Stop,
}

/// Is told what happens while an execution runs.
pub trait Watcher {
    /// It was sent, over this link.
    fn sent(&mut self, link: Link) {
        let _ = link;
    }

    /// A step has ended.
    fn step_ended(&mut self, index: usize, result: &StepResult) {
        let _ = (index, result);
    }

    /// The link broke; it is being opened again.
    fn broke(&mut self, why: &str) {
        let _ = why;
    }
}

/// Nobody looks.
impl Watcher for () {}

/// How a sending ended.
#[derive(Clone, Debug)]
pub struct Done {
    /// The result, ready to be shown.
    pub envelope: Envelope,
    /// The link that carried it.
    pub link: Link,
    /// Was it told again, after the first telling got lost?
    pub replayed: bool,
    /// Id of the sending.
    pub dispatch_id: String,
    /// What was kept of the screen when a step failed.
    pub evidence: Option<Evidence>,
}

/// What came back over a link, before anything is made of it.
struct Carried {
    envelope: Envelope,
    replayed: bool,
}

/// Sends an execution and waits for its end.
pub fn execute(
    route: &Route<'_>,
    execution: &Execution,
    watcher: &mut dyn Watcher,
) -> Result<Done, Failure> {
    execute_as(route, execution, &ids::dispatch(), watcher)
}

/// The same under an id the caller has, and can ask for later with [`resume()`]. An operator that
/// remembers the id does nothing and tells how the sending before ended.
pub fn execute_as(
    route: &Route<'_>,
    execution: &Execution,
    dispatch_id: &str,
    watcher: &mut dyn Watcher,
) -> Result<Done, Failure> {
    let mut done = send(route, execution, dispatch_id, watcher, &mut Keep::Files)?;
    if done.envelope.status == Status::Failed
        && let Some(folder) = &route.evidence
    {
        done.evidence = Some(evidence::keep(route, folder, &done));
    }
    Ok(done)
}

/// The same for a program that wants the pictures themselves: nothing is written to any file, nor
/// is evidence kept of a failure.
pub fn execute_in_memory(
    route: &Route<'_>,
    execution: &Execution,
    watcher: &mut dyn Watcher,
) -> Result<(Done, Pictures), Failure> {
    let mut pictures = Pictures::new();
    let keep = &mut Keep::Memory(&mut pictures);
    let done = send(route, execution, &ids::dispatch(), watcher, keep)?;
    Ok((done, pictures))
}

fn send(
    route: &Route<'_>,
    execution: &Execution,
    dispatch_id: &str,
    watcher: &mut dyn Watcher,
    keep: &mut Keep<'_>,
) -> Result<Done, Failure> {
    finish::check_paths(execution)?;
    let mut side = HostSide::new(route, watcher);
    let (carried, link) = carry(route, execution, dispatch_id, &mut side)?;
    let mut envelope = carried.envelope;
    finish::finish(&mut envelope, execution, side, link, dispatch_id, keep);
    let dispatch_id = dispatch_id.to_owned();
    Ok(Done { envelope, link, replayed: carried.replayed, dispatch_id, evidence: None })
}

fn carry(
    route: &Route<'_>,
    execution: &Execution,
    dispatch_id: &str,
    side: &mut HostSide<'_>,
) -> Result<(Carried, Link), Failure> {
    let over_broadcast = |side: &mut HostSide<'_>| {
        let carried = broadcast::send(route, execution, dispatch_id, side)?;
        Ok((carried, Link::Broadcast))
    };
    if route.link == Some(Link::Broadcast) {
        return over_broadcast(side);
    }
    match socket::send(route, execution, dispatch_id, side) {
        Ok(carried) => Ok((carried, Link::Socket)),
        Err(socket::Unsent::Failed(failure)) => Err(failure),
        Err(socket::Unsent::NobodyListens) => {
            let why = operator::why_unreachable(route.device, route.package);
            // Installed and switched on, but deaf: the broadcast may still reach it.
            if route.link.is_none() && why.code == ErrorCode::LinkUnavailable {
                over_broadcast(side)
            } else {
                Err(why)
            }
        }
    }
}

/// Nobody knows how far the execution came.
fn outcome_unknown(
    execution: &Execution,
    dispatch_id: &str,
    side: &HostSide<'_>,
    why: &str,
) -> Failure {
    let known = side.steps().len();
    let message = format!(
        "{why}; {known} of {} steps were reported before, what came after is not known",
        execution.actions().len()
    );
    unanswered(ErrorCode::DispatchOutcomeUnknown, message, execution, dispatch_id, side)
}

/// No envelope came in time.
fn timed_out(execution: &Execution, dispatch_id: &str, side: &HostSide<'_>) -> Failure {
    let waited = (execution.timeout() + MARGIN).as_millis();
    let message = format!(
        "no result came within {waited} ms; {} of {} steps were reported",
        side.steps().len(),
        execution.actions().len()
    );
    unanswered(ErrorCode::ResultEnvelopeTimeout, message, execution, dispatch_id, side)
}

/// A sending without an envelope, with what is known of it.
fn unanswered(
    code: ErrorCode,
    message: String,
    execution: &Execution,
    dispatch_id: &str,
    side: &HostSide<'_>,
) -> Failure {
    Failure::new(code, message)
        .detail("dispatchId", dispatch_id)
        .detail("commandId", execution.command_id())
        .detail("steps", serde_json::to_value(side.steps()).unwrap_or_default())
        .hint(code.remedy())
}
