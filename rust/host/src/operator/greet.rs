//! The first words with the operator, over its own socket: the only proof that it is there.

use crate::device::{Device, Unreachable};
use clawperator_contract::Failure;
use clawperator_link::socket::{HostSession, LinkError};
use clawperator_link::station::Identity;
use std::thread;
use std::time::{Duration, Instant};

/// How long one try may take. An operator that is there answers in milliseconds.
const ONE_TRY: Duration = Duration::from_secs(2);
/// The first pause between two tries, and the longest. Android binds a service in 50 to 500 ms.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(320);

/// Why no operator answered.
#[derive(Debug)]
pub(crate) enum Silence {
    /// Nobody listens at its socket.
    NobodyListens,
    /// Somebody does, but the first words went wrong.
    Link(LinkError),
    /// The phone itself cannot be reached.
    Phone(Failure),
}

/// Says hello once.
pub(crate) fn greet(
    device: &dyn Device,
    package: &str,
    version: &str,
) -> Result<Identity, Silence> {
    let (reader, writer) = device.connect(package, ONE_TRY).map_err(|error| match error {
        Unreachable::NobodyListens => Silence::NobodyListens,
        Unreachable::Phone(failure) => Silence::Phone(failure),
    })?;
    let mut session = HostSession::new(reader, writer, version);
    session.greet(ONE_TRY).cloned().map_err(Silence::Link)
}

/// Says hello until an operator whose service runs answers, or the time is over.
pub(crate) fn greet_until(
    device: &dyn Device,
    package: &str,
    version: &str,
    within: Duration,
) -> Result<Identity, Silence> {
    let end = Instant::now() + within;
    let mut pause = SHORTEST_PAUSE;
    loop {
        let last = greet(device, package, version);
        let settled = match &last {
            Ok(identity) => identity.service_running,
            // Neither gets better by waiting.
            Err(Silence::Phone(_) | Silence::Link(LinkError::Incompatible { .. })) => true,
            Err(_) => false,
        };
        let left = end.saturating_duration_since(Instant::now());
        if settled || left.is_zero() {
            return last;
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
