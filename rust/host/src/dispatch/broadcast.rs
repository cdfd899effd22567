//! A dispatch over the broadcast link: an intent in, lines of the phone's log out.
//!
//! The log belongs to the phone and everybody who reads it: it is never cleared, only read from
//! the moment before the intent was sent. It may lose lines, so what is missing is asked for again.

use super::host_side::HostSide;
use super::{Carried, Link, MARGIN, Route, outcome_unknown, timed_out};
use crate::device::{Device, Reader};
use crate::operator;
use clawperator_contract::action::ActionType;
use clawperator_contract::operator::LOG_TAG;
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure};
use clawperator_link::broadcast::{Broadcast, ResultReader, shell_quoted};
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// A command of the phone's shell; `am` starts slowly on some.
const COMMAND: Duration = Duration::from_secs(20);
/// Lines of one result follow each other closely: after so long without one, some were lost.
const QUIET: Duration = Duration::from_millis(400);
/// The first question for a result nothing was seen of, and the longest pause between two.
const QUESTIONS: (Duration, Duration) = (Duration::from_secs(3), Duration::from_secs(20));
/// A line the server's protocol can carry as one request, with room for the words around it.
const LONGEST_LINE: usize = 32_000;

/// Sends an execution and waits for its result in the log.
pub(super) fn send(
    route: &Route<'_>,
    execution: &Execution,
    dispatch_id: &str,
    side: &mut HostSide<'_>,
) -> Result<Carried, Failure> {
    let since = ready(route)?;
    close_apps(execution, side)?;
    let mut log = Log::open(route.device, &since)?;
    let payload = execution.to_json();
    let sent = Broadcast::Execute { payload, dispatch_id: Some(dispatch_id.to_owned()) };
    let deadline = Instant::now() + execution.timeout() + MARGIN;
    tell(route, &sent)?;
    side.watcher().sent(Link::Broadcast);
    let mut reader = ResultReader::new(execution.command_id(), Some(dispatch_id));
    let again = Broadcast::Resume { dispatch_id: dispatch_id.to_owned() };
    let (mut pause, longest) = QUESTIONS;
    let mut stopped = false;
    let mut quiet_since = Instant::now();
    let mut replayed = false;
    loop {
        let now = Instant::now();
        if now >= deadline {
            let _ = tell(route, &Broadcast::Cancel { dispatch_id: dispatch_id.to_owned() });
            return Err(timed_out(execution, dispatch_id, side));
        }
        // It was sent: what cannot be told the phone now is told it at the next turn.
        if route.stop.is_asked() && !stopped {
            stopped =
                tell(route, &Broadcast::Cancel { dispatch_id: dispatch_id.to_owned() }).is_ok();
        }
        match log.lines(QUIET.min(deadline - now)) {
            Ok(lines) => {
                if !lines.is_empty() {
                    quiet_since = Instant::now();
                }
                let found = lines.iter().find_map(|line| reader.push(line));
                if let Some(envelope) = found {
                    return whole(envelope, replayed, execution, dispatch_id, side);
                }
            }
            // The reader of the log ends when the link does, or when the phone is short of memory.
            Err(error) => {
                side.watcher().broke(&error.to_string());
                let until = deadline.saturating_duration_since(Instant::now());
                let reopened =
                    route.device.recover(until).and_then(|()| Log::open(route.device, &since));
                log = reopened.map_err(|failure| {
                    let why = format!("the phone's log cannot be read: {}", failure.message);
                    outcome_unknown(execution, dispatch_id, side, &why)
                })?;
                replayed = true;
                continue;
            }
        }
        let quiet = quiet_since.elapsed();
        if quiet >= pause || quiet >= QUIET && reader.missing().is_some() {
            replayed |= tell(route, &again).is_ok();
            pause = (pause * 2).min(longest);
            quiet_since = Instant::now();
        }
    }
}

fn whole(
    envelope: Envelope,
    replayed: bool,
    execution: &Execution,
    dispatch_id: &str,
    side: &HostSide<'_>,
) -> Result<Carried, Failure> {
    if envelope.error_code.as_deref() == Some(ErrorCode::DispatchUnknown.name()) {
        let why = "the operator does not know this dispatch: it ended in the middle";
        return Err(outcome_unknown(execution, dispatch_id, side, why));
    }
    Ok(Carried { envelope, replayed })
}

/// Is the operator there? Answers with the phone's time, from which on its log is read.
fn ready(route: &Route<'_>) -> Result<String, Failure> {
    let package = shell_quoted(&[route.package.to_owned()]);
    let output = route.device.shell(&format!("date +%s; pm path {package}"), COMMAND)?;
    let text = output.text();
    let mut lines = text.lines();
    let since = lines.next().map(str::trim).filter(|time| time.parse::<u64>().is_ok());
    let since = since.ok_or_else(|| {
        let code = ErrorCode::DeviceShellUnavailable;
        let message = format!("the phone does not tell its time; it said: {}", output.said());
        Failure::new(code, message).hint(code.remedy())
    })?;
    if !lines.any(|line| line.starts_with("package:")) {
        return Err(operator::why_unreachable(route.device, route.package));
    }
    // A phone gives broadcasts to whoever is installed, so the service need not be asked for: an
    // operator without one answers so itself.
    Ok(format!("{since}.000"))
}

/// Over this link the phone cannot ask the host, so apps are closed before anything is sent.
fn close_apps(execution: &Execution, side: &mut HostSide<'_>) -> Result<(), Failure> {
    let closing = execution.actions().iter().filter(|a| a.kind() == ActionType::CloseApp);
    let packages = closing.filter_map(|action| action.param("applicationId")?.as_str());
    for package in packages {
        side.close(package).map_err(|why| {
            let code = ErrorCode::DeviceShellUnavailable;
            let message = format!("{package} could not be closed: {why}; nothing was sent");
            Failure::new(code, message).hint(code.remedy())
        })?;
        side.closed.insert(package.to_owned());
    }
    Ok(())
}

/// Sends a broadcast.
fn tell(route: &Route<'_>, broadcast: &Broadcast) -> Result<(), Failure> {
    let line = shell_quoted(&broadcast.to_am(route.package));
    let output = if line.len() <= LONGEST_LINE {
        route.device.shell(&line, COMMAND)?
    } else {
        route.device.shell_with_input("sh", &mut line.as_bytes(), COMMAND)?
    };
    if output.ok() && output.text().contains("Broadcast completed") {
        return Ok(());
    }
    let code = ErrorCode::BroadcastFailed;
    let message = format!("`am broadcast` ended with {}: {}", output.code, output.said());
    Err(Failure::new(code, message).hint(code.remedy()))
}

/// The phone's log, as it grows.
struct Log {
    reader: Reader,
    rest: Vec<u8>,
}

impl Log {
    fn open(device: &dyn Device, since: &str) -> Result<Self, Failure> {
        let line = format!("logcat -v raw -T {since} -s {LOG_TAG}:I");
        let reader = device.follow(&line, COMMAND).map_err(|failure| {
            let message = format!("the phone's log cannot be read: {}", failure.message);
            Failure { code: ErrorCode::LogcatUnavailable, message, ..failure }
        })?;
        Ok(Self { reader, rest: Vec::new() })
    }

    /// The whole lines that come within this time; none when it stays quiet.
    fn lines(&mut self, within: Duration) -> io::Result<Vec<String>> {
        self.reader.set_read_limit(Some(within.max(Duration::from_millis(1))))?;
        let mut buffer = [0; 16 << 10];
        let count = match self.reader.read(&mut buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => count,
            Err(error) if is_quiet(&error) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        self.rest.extend_from_slice(&buffer[..count]);
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else {
            return Ok(Vec::new());
        };
        let whole: Vec<u8> = self.rest.drain(..=end).collect();
        Ok(String::from_utf8_lossy(&whole).lines().map(str::to_owned).collect())
    }
}

fn is_quiet(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), TimedOut | WouldBlock | Interrupted)
}
