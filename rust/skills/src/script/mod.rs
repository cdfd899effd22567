//! Running a skill's script.
//!
//! A script is somebody else's program: it may print without end, ignore a request to end, leave
//! processes behind, or die of a signal. None of that delays the answer or makes it untrue.

mod answer;
pub mod frame;
mod interpreter;
mod locate;
mod output;

pub use answer::Ran;
pub use clawperator_process::{Limits, Printed, Sink, Stream};
pub use locate::{Located, choose, locate};

use answer::Answer;
use clawperator_contract::{ErrorCode, Failure};
use output::{MarkerCount, Search};
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The longest time a script may be given: a day. More is a slip of the pen.
pub const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// A script to run, and all it is told.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The skill.
    pub skill_id: &'a str,
    /// The skill's folder.
    pub folder: &'a Path,
    /// The script, from that folder or absolute; it has to be inside.
    pub script: &'a Path,
    /// The phone, when the caller named one: the script's first argument.
    pub device: Option<&'a str>,
    /// Its other arguments.
    pub arguments: &'a [String],
    /// How the script calls this program.
    pub program: &'a str,
    /// The operator's package.
    pub operator_package: &'a str,
    /// Where interpreters are looked for; `PATH` when nothing is said.
    pub path: Option<OsString>,
    /// Times and sizes.
    pub limits: Limits,
    /// Standard output has to contain this.
    pub expect_contains: Option<&'a str>,
    /// The skill's contract declares a verification, so the result has to prove it.
    pub verification_declared: bool,
}

/// A timeout from a number of milliseconds.
///
/// # Errors
///
/// `USAGE` when it is not between 1 ms and a day.
pub fn timeout(milliseconds: u64) -> Result<Duration, Failure> {
    let timeout = Duration::from_millis(milliseconds);
    if timeout.is_zero() || timeout > LONGEST {
        return Err(Failure::new(
            ErrorCode::Usage,
            format!(
                "a script's timeout of {milliseconds} ms is not between 1 and {} ms (a day)",
                LONGEST.as_millis()
            ),
        ));
    }
    Ok(timeout)
}

/// Runs the script to its end, or to the end of its time. `stop` ends it early, as Ctrl-C does.
/// What it prints goes to `sink` while it runs.
///
/// It runs in the caller's folder with no input, in a group of processes of its own.
///
/// # Errors
///
/// `SKILL_PATH_OUTSIDE`, `SKILL_SCRIPT_NOT_FOUND`, `SKILL_INTERPRETER_MISSING` before it starts;
/// afterwards `SKILL_EXECUTION_TIMEOUT`, `SKILL_RESULT_PARSE_FAILED`, `SKILL_EXECUTION_FAILED`,
/// `SKILL_OUTPUT_ASSERTION_FAILED` and `SKILL_VERIFICATION_INDETERMINATE`, checked in that order
/// and with everything that is known of the run in the details.
pub fn run(
    request: &Request<'_>,
    stop: Option<&AtomicBool>,
    sink: &mut Sink<'_>,
) -> Result<Ran, Failure> {
    let located = locate(request.folder, request.script)?;
    let path = request.path.clone().unwrap_or_else(interpreter::path_of_the_environment);
    let interpreter = interpreter::find(&located.file, &located.folder, &path)?;
    let mut command = Command::new(&interpreter.program);
    command
        .args(interpreter.arguments)
        .arg(&located.file)
        .args(request.device)
        .args(request.arguments)
        .env("CLAWPERATOR_BIN", request.program)
        .env("CLAWPERATOR_OPERATOR_PACKAGE", request.operator_package)
        .env("CLAWPERATOR_SKILL_ID", request.skill_id)
        .env("CLAWPERATOR_SKILL_DIR", &located.folder)
        .env("CLAWPERATOR_SKILL_PROGRAM", located.folder.join("SKILL.md"))
        .env("CLAWPERATOR_SKILL_INPUTS", Value::from(request.arguments.to_vec()).to_string());
    match request.device {
        Some(device) => command.env("CLAWPERATOR_DEVICE_ID", device),
        // One that came from outside was named for something else.
        None => command.env_remove("CLAWPERATOR_DEVICE_ID"),
    };
    let mut search = Search::new(request.expect_contains.unwrap_or_default());
    let mut markers = MarkerCount::default();
    let mut listening = |stream, text: &str| {
        if stream == Stream::Stdout {
            markers.push(text);
            search.push(text);
        }
        sink(stream, text);
    };
    let run = clawperator_process::run(command, &request.limits, stop, &mut listening).map_err(
        |error| {
            Failure::new(
                ErrorCode::SkillExecutionFailed,
                format!("{} could not be run: {error}", interpreter.program.display()),
            )
            .detail("skillId", request.skill_id)
        },
    )?;
    let (as_expected, markers) = (search.found(), markers.finish());
    Answer { request, script: &located.file, run, as_expected, markers }.judged()
}
