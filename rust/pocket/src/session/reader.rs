//! The thread that reads the agent's lines.

use super::request::{self, BadLine, Line, Request};
use crate::human::Bridge;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The longest line; a patch of a large file fits.
const LONGEST: u64 = 16 << 20;
/// Lines that wait. An agent that sends more without listening is made to wait itself.
const MOST: usize = 256;
/// How often a wait for the next line looks whether a signal came.
const LOOK: Duration = Duration::from_millis(50);

/// What came in.
pub(super) enum Heard {
    /// A line to be done in its turn.
    Line(Line),
    /// One that is none.
    Bad(BadLine),
    /// A decision, which was passed on at once.
    Decided {
        /// What the agent calls the line.
        id: Option<Value>,
        /// Whether a question of that id waited.
        known: bool,
    },
}

impl Heard {
    pub(super) fn id(self) -> Option<Value> {
        match self {
            Self::Line(line) => line.id,
            Self::Bad(bad) => bad.id,
            Self::Decided { id, .. } => id,
        }
    }
}

/// The lines, in order.
pub(super) struct Lines(Receiver<Heard>);

impl Lines {
    /// The next line; none when there are no more, or when the session was stopped from outside.
    pub(super) fn next(&self, stop: &Stop) -> Option<Heard> {
        loop {
            match self.0.recv_timeout(LOOK) {
                Ok(heard) => return Some(heard),
                Err(RecvTimeoutError::Timeout) if !stop.is_asked() => {}
                Err(_) => return None,
            }
        }
    }

    /// What has come in already.
    pub(super) fn waiting(&self) -> impl Iterator<Item = Heard> {
        self.0.try_iter()
    }
}

/// Begins to read. The thread ends with its input, or when nobody takes its lines any more.
pub(super) fn listen(
    input: impl Read + Send + 'static,
    stop: Stop,
    bridge: Option<Arc<Bridge>>,
) -> Result<Lines, Failure> {
    let (sender, receiver) = sync_channel(MOST);
    thread::Builder::new()
        .name("lines".into())
        .spawn(move || read_all(input, &stop, bridge.as_deref(), &sender))
        .map_err(|error| Failure::new(ErrorCode::InternalError, error.to_string()))?;
    Ok(Lines(receiver))
}

fn read_all(input: impl Read, stop: &Stop, bridge: Option<&Bridge>, to: &SyncSender<Heard>) {
    let mut input = BufReader::new(input);
    let mut number = 0;
    loop {
        number += 1;
        let heard = match next_line(&mut input) {
            Ok(Came::Nothing) => return,
            Ok(Came::Line(line)) if line.trim_ascii().is_empty() => continue,
            Ok(Came::Line(line)) => match str::from_utf8(&line) {
                Ok(line) => read_one(line, number, stop, bridge),
                // Mended with signs for what is missing, a path or a text would be another one.
                Err(error) => {
                    let place = error.valid_up_to() + 1;
                    Heard::Bad(request::bad(number, None, &format!("byte {place} is not UTF-8")))
                }
            },
            Ok(Came::TooLong) => {
                let message = format!("longer than {} MiB", LONGEST >> 20);
                Heard::Bad(request::bad(number, None, &message))
            }
            Err(error) => Heard::Bad(unreadable(number, &error)),
        };
        let last =
            matches!(&heard, Heard::Bad(bad) if bad.failure.code == ErrorCode::InputUnreadable);
        if to.send(heard).is_err() || last {
            return;
        }
    }
}

fn read_one(line: &str, number: usize, stop: &Stop, bridge: Option<&Bridge>) -> Heard {
    match request::read(line, number) {
        Err(bad) => Heard::Bad(bad),
        Ok(Line { id, request: Request::Decide(decide) }) => {
            let note = Some(decide.note.reveal()).filter(|note| !note.is_empty());
            let known = bridge.is_some_and(|bridge| {
                bridge.decide(&decide.request_id, decide.approved, note, "the session")
            });
            Heard::Decided { id, known }
        }
        Ok(line) => {
            if line.request == Request::Stop {
                stop.ask();
            }
            Heard::Line(line)
        }
    }
}

/// What the input holds next.
enum Came {
    Nothing,
    Line(Vec<u8>),
    /// A line that is too long. It was passed over to its end.
    TooLong,
}

fn next_line(input: &mut impl BufRead) -> io::Result<Came> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(Came::Nothing);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST {
        input.skip_until(b'\n')?;
        return Ok(Came::TooLong);
    }
    Ok(Came::Line(bytes))
}

fn unreadable(number: usize, error: &io::Error) -> BadLine {
    let code = ErrorCode::InputUnreadable;
    let failure = Failure::new(code, format!("line {number}: {error}")).hint(code.remedy());
    BadLine { id: None, failure }
}
