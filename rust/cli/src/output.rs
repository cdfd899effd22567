//! Answers: JSON on standard output, and the exit code that goes with them.

use crate::human;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// It was done.
pub(crate) const DONE: u8 = 0;
/// It failed; the answer says why.
pub(crate) const FAILED: u8 = 1;
/// The command line is wrong; nothing was tried.
pub(crate) const WRONG_USAGE: u8 = 2;

/// It was stopped with Ctrl-C: 128 and the number of the signal, as shells know it.
pub(crate) const STOPPED: u8 = 130;

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// JSON on one line.
    Compact,
    /// Indented JSON.
    Pretty,
    /// For people.
    Human,
}

impl Format {
    /// Writes an answer.
    pub(crate) fn answer(self, answer: &impl Serialize, code: u8) -> ExitCode {
        let text = match self {
            Self::Compact => serde_json::to_string(answer),
            // What has no form of its own for people is still readable.
            Self::Pretty | Self::Human => serde_json::to_string_pretty(answer),
        };
        match text {
            Ok(text) => print(&format!("{text}\n"), code),
            Err(error) => {
                print(&format!("{{\"code\":\"UNKNOWN\",\"message\":\"{error}\"}}\n"), FAILED)
            }
        }
    }

    /// Writes what came of something.
    pub(crate) fn result<T: Serialize>(self, result: Result<T, Failure>) -> ExitCode {
        match result {
            Ok(answer) => self.answer(&answer, DONE),
            Err(failure) => self.failure(&failure),
        }
    }

    /// Writes a failure.
    pub(crate) fn failure(self, failure: &Failure) -> ExitCode {
        let code = exit_code(failure.code);
        match self {
            Self::Human => {
                human::failure(failure);
                ExitCode::from(code)
            }
            _ => self.answer(failure, code),
        }
    }
}

fn exit_code(code: ErrorCode) -> u8 {
    match code {
        ErrorCode::Usage | ErrorCode::UnknownCommand | ErrorCode::MissingSelector => WRONG_USAGE,
        _ => FAILED,
    }
}

/// Writes text as it is. A reader that has gone away is no failure of ours; an answer that could
/// not be written is.
pub(crate) fn print(text: &str, code: u8) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "{}: {error}", ErrorCode::OutputUnwritable);
            ExitCode::from(FAILED)
        }
        _ => ExitCode::from(code),
    }
}

static FAULT: Mutex<Option<String>> = Mutex::new(None);

/// Keeps where and why a panic was raised, for [`fault`].
pub(crate) fn remember_fault(panic: &PanicHookInfo<'_>) {
    *FAULT.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic.to_string());
}

/// Answers a fault of ours.
pub(crate) fn fault() -> ExitCode {
    let what = FAULT.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
    let message = format!("a fault of clawperator itself: {what}");
    let code = ErrorCode::InternalError;
    Format::Compact.failure(&Failure::new(code, message).hint(code.remedy()))
}
