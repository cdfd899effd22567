//! A dispatch over the socket link, through every break of it.

use super::host_side::HostSide;
use super::{Carried, Link, MARGIN, Route, outcome_unknown, timed_out};
use crate::device::{Reader, Unreachable, Writer};
use clawperator_contract::message::PROTOCOL;
use clawperator_contract::{ErrorCode, Execution, Failure};
use clawperator_link::socket::{Dispatched, HostSession, LinkError};
use clawperator_link::station::Identity;
use std::thread;
use std::time::{Duration, Instant};

/// The first words take one round trip; a phone under load may take its time.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(5);
/// How long a phone that went away is waited for. A cable that was moved is back in two seconds,
/// an adb server that was restarted in five.
const RECOVERY: Duration = Duration::from_secs(15);
/// The same while nothing has been sent, so that nothing can be lost by giving up.
const FIRST_RECOVERY: Duration = Duration::from_secs(4);
/// Between two tries to open the link again.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));
/// To ask for a result that should have come: the answer is there or it is not.
const LAST_QUESTION: Duration = Duration::from_secs(2);

pub(super) type Session = HostSession<Reader, Writer>;

/// Why nothing was sent.
pub(super) enum Unsent {
    /// There is no socket of that name on the phone.
    NobodyListens,
    /// Anything else; it may also have been sent.
    Failed(Failure),
}

impl From<Failure> for Unsent {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Sends an execution and sees it through.
pub(super) fn send(
    route: &Route<'_>,
    execution: &Execution,
    dispatch_id: &str,
    side: &mut HostSide<'_>,
) -> Result<Carried, Unsent> {
    let mut session = first(route)?;
    let sent = Instant::now();
    let mut partner = Partner { boot_id: None, sent };
    let deadline = sent + execution.timeout() + MARGIN;
    side.watcher().sent(Link::Socket);
    let mut known = false;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let asked = if known {
            session.resume(dispatch_id, left, side)
        } else {
            session.dispatch(dispatch_id, execution, left, side)
        };
        let greeted = session.identity().map(|identity| identity.boot_id.clone());
        partner.boot_id = partner.boot_id.or(greeted);
        match asked {
            Ok(Dispatched { envelope, replayed }) => return Ok(Carried { envelope, replayed }),
            Err(LinkError::Refused { code, .. })
                if known && code == ErrorCode::DispatchUnknown.name() =>
            {
                // The process it was sent to has never seen it, so it was lost on the way. Under
                // the same id it is done once even if it still arrives.
                known = false;
            }
            Err(LinkError::Broken(error)) => {
                side.watcher().broke(&error.to_string());
                session = again(route, &partner, deadline)
                    .map_err(|why| outcome_unknown(execution, dispatch_id, side, &why))?;
                known = true;
            }
            Err(LinkError::TimedOut) if partner.boot_id.is_some() => {
                let told = ask_once_more(route, &partner, dispatch_id, side);
                return told.ok_or_else(|| timed_out(execution, dispatch_id, side).into());
            }
            Err(error) => return Err(link_failure(&error).into()),
        }
    }
}

/// The process an execution was sent to.
struct Partner {
    /// What it called itself, if that was heard.
    boot_id: Option<String>,
    /// Nothing was sent before.
    sent: Instant,
}

impl Partner {
    /// Is it this one? Whoever is older than the sending was there for it.
    fn is(&self, identity: &Identity) -> bool {
        match &self.boot_id {
            Some(boot_id) => *boot_id == identity.boot_id,
            None => identity.uptime > self.sent.elapsed(),
        }
    }
}

/// The first connection. One that breaks while it is opened is tried once more.
pub(super) fn first(route: &Route<'_>) -> Result<Session, Unsent> {
    let opened = match open(route, HANDSHAKE) {
        Err(unreachable) if may_do_better(&unreachable) => {
            route.device.recover(FIRST_RECOVERY)?;
            open(route, HANDSHAKE)
        }
        other => other,
    };
    opened.map_err(|unreachable| match unreachable {
        Unreachable::NobodyListens => Unsent::NobodyListens,
        Unreachable::Phone(failure) => Unsent::Failed(failure),
    })
}

/// Did it end in the middle, so that another try may do better?
fn may_do_better(unreachable: &Unreachable) -> bool {
    match unreachable {
        // What the server also says of a phone that it loses at this very moment.
        Unreachable::NobodyListens => true,
        Unreachable::Phone(failure) => {
            matches!(failure.code, ErrorCode::AdbServerFailed | ErrorCode::DeviceOffline)
        }
    }
}

/// A connection on which nothing has been said.
fn open(route: &Route<'_>, within: Duration) -> Result<Session, Unreachable> {
    let (reader, writer) = route.device.connect(route.package, within)?;
    Ok(HostSession::new(reader, writer, route.host_version))
}

/// A connection to the partner, or why there is none.
fn opened_again(
    route: &Route<'_>,
    partner: &Partner,
    within: Duration,
) -> Result<Option<Session>, String> {
    route.device.recover(within).map_err(|failure| failure.message)?;
    let within = within.min(HANDSHAKE);
    let mut session = open(route, within).map_err(|unreachable| match unreachable {
        Unreachable::NobodyListens => "the operator's socket has gone".into(),
        Unreachable::Phone(failure) => failure.message,
    })?;
    let same = partner.is(session.greet(within).map_err(|error| error.to_string())?);
    Ok(same.then_some(session))
}

/// A new connection to the same process, or why there is none.
fn again(route: &Route<'_>, partner: &Partner, deadline: Instant) -> Result<Session, String> {
    let until = deadline.min(Instant::now() + RECOVERY);
    let (mut pause, longest) = PAUSES;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let why = match opened_again(route, partner, left) {
            Ok(Some(session)) => return Ok(session),
            Ok(None) if partner.boot_id.is_some() => {
                return Err("the operator ended in the middle; another one answers now".into());
            }
            Ok(None) => {
                return Err("the operator that answers now started after the execution was sent, \
                            or only just before"
                    .into());
            }
            Err(why) => why,
        };
        if Instant::now() + pause >= until {
            return Err(format!("the link broke and could not be opened again: {why}"));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(longest);
    }
}

/// A connection can go silent without breaking. Before giving up, a new one is asked.
fn ask_once_more(
    route: &Route<'_>,
    partner: &Partner,
    dispatch_id: &str,
    side: &mut HostSide<'_>,
) -> Option<Carried> {
    let mut session = opened_again(route, partner, LAST_QUESTION).ok()??;
    let asked = session.resume(dispatch_id, LAST_QUESTION, side);
    if asked.is_err() {
        // Nobody waits for it any more, so it should not go on.
        let _ = session.cancel(dispatch_id);
    }
    asked.ok().map(|done| Carried { envelope: done.envelope, replayed: true })
}

pub(super) fn link_failure(error: &LinkError) -> Failure {
    let (code, failure) = match error {
        LinkError::Incompatible { protocol, app_version } => {
            let code = ErrorCode::VersionIncompatible;
            let failure = Failure::new(code, error.to_string())
                .detail("apkVersion", app_version.as_str())
                .detail("operatorProtocol", *protocol)
                .detail("hostProtocol", PROTOCOL);
            (code, failure)
        }
        LinkError::Refused { code, message } => {
            let code = code.parse().unwrap_or(ErrorCode::LinkProtocolError);
            (code, Failure::new(code, message))
        }
        LinkError::Nonsense(_) => {
            let code = ErrorCode::LinkProtocolError;
            (code, Failure::new(code, error.to_string()))
        }
        LinkError::TimedOut | LinkError::Broken(_) => {
            let code = ErrorCode::LinkUnavailable;
            (code, Failure::new(code, error.to_string()))
        }
    };
    failure.hint(code.remedy())
}
