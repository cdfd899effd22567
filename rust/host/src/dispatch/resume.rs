//! What became of a sending, asked by somebody who was not there when it was sent: another
//! process, or this one after a restart. Nothing is executed.

use super::host_side::HostSide;
use super::{Done, Link, Route, Watcher, finish, socket};
use crate::operator;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_link::socket::LinkError;
use std::time::Duration;

/// Asks the operator for the envelope of a dispatch, and waits for it while it still runs, at most
/// so long. A stop asked for on the way stops the dispatch.
///
/// An operator that does not know the dispatch is [`ErrorCode::DispatchUnknown`]: it never arrived
/// there, or its process ended since, or more than it can remember came after it.
pub fn resume(
    route: &Route<'_>,
    dispatch_id: &str,
    within: Duration,
    watcher: &mut dyn Watcher,
) -> Result<Done, Failure> {
    let mut session = socket::first(route).map_err(|unsent| match unsent {
        socket::Unsent::Failed(failure) => failure,
        socket::Unsent::NobodyListens => operator::why_unreachable(route.device, route.package),
    })?;
    let mut side = HostSide::new(route, watcher);
    let asked = session
        .greet(socket::HANDSHAKE)
        .map(drop)
        .and_then(|()| session.resume(dispatch_id, within, &mut side));
    let mut envelope = asked.map_err(|error| unanswered(&error, dispatch_id))?.envelope;
    finish::finish_resumed(&mut envelope);
    let dispatch_id = dispatch_id.to_owned();
    Ok(Done { envelope, link: Link::Socket, replayed: true, dispatch_id, evidence: None })
}

fn unanswered(error: &LinkError, dispatch_id: &str) -> Failure {
    let failure = match error {
        LinkError::TimedOut => {
            let code = ErrorCode::ResultEnvelopeTimeout;
            Failure::new(code, "the dispatch still runs, or the operator does not answer")
                .hint("ask again")
        }
        error => socket::link_failure(error),
    };
    failure.detail("dispatchId", dispatch_id)
}
