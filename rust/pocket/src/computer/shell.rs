//! Shell text on its way to bash: judged first, then run without what it must not know.

use super::environment;
use crate::shell_words::{Policy, Refusal, Why};
use clawperator_contract::{ErrorCode, Failure};
use std::path::Path;
use std::process::Command;

/// The text with the line ends that bash reads, if every command in it may run.
pub(super) fn judged(action: &str, text: &str, allowed: &[String]) -> Result<String, Failure> {
    // With a carriage return at its end a name is another one.
    let text = text.trim().replace("\r\n", "\n");
    match Policy::new(allowed.iter().map(String::as_str)).check(&text) {
        Ok(_) => Ok(text),
        Err(refusal) => Err(refused(action, &refusal)),
    }
}

fn refused(action: &str, refusal: &Refusal) -> Failure {
    let code = ErrorCode::PocketCommandRefused;
    let failure = Failure::new(code, format!("{action} rejected: {refusal}")).hint(code.remedy());
    match &refusal.why {
        Why::Empty | Why::TooLong(_) => failure,
        _ => failure.detail("line", refusal.line).detail("column", refusal.column),
    }
}

/// bash in a folder. It reads no file of its own first: a profile could bring back the secrets
/// that are taken from the environment.
pub(super) fn bash(folder: &Path) -> Command {
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc"]).current_dir(folder);
    environment::scrub(&mut command);
    command
}

/// A command that the system did not start or look after.
pub(super) fn failed(action: &str, error: &std::io::Error) -> Failure {
    let code = ErrorCode::PocketCommandFailed;
    Failure::new(code, format!("{action}: bash could not be run: {error}")).hint(code.remedy())
}

/// At most so many characters of a text, marked when it is cut.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\n...[truncated]", &text[..end]),
        None => text.to_owned(),
    }
}
