//! `run_script`: a script in a folder of its own, with what it printed beside it.

use super::coding::of;
use super::shell;
use crate::config::ScriptExecutor;
use crate::outcome::{Done, Outcome};
use crate::workspace::{FileFailure, Workspace};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_host::ids;
use clawperator_process::{Ended, Limits, Printed, Run, run as run_process, signal_name};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Where scripts run, below the workspace.
const FOLDER: &str = "scripts";
/// So long a script may take to end once asked.
const GRACE: Duration = Duration::from_millis(500);
/// So much of each output is kept in the logs, beginning and end; the model is shown less.
const KEPT: usize = 1 << 20;

/// Runs a script to its end.
pub(super) fn run(
    workspace: &Workspace,
    settings: &ScriptExecutor,
    script: &str,
    timeout: Duration,
    stop: &Stop,
) -> Done {
    if !settings.enabled {
        return Err(super::disabled("scriptExecutor.enabled"));
    }
    let script = shell::judged("run_script", script, &settings.allowed_commands)?;
    let folder = RunFolder::make(workspace, &script).map_err(of("run_script"))?;
    let mut command = shell::bash(&folder.working);
    command.arg(&folder.script);
    let limits = Limits { timeout, grace: GRACE, kept: KEPT };
    let flag = stop.flag();
    let run = run_process(command, &limits, Some(&flag), &mut |_, _| {})
        .map_err(|error| shell::failed("run_script", &error))?;
    folder.answer(workspace, &run, settings.max_output_chars)
}

/// The folder of one run.
struct RunFolder {
    id: String,
    /// Below the workspace.
    path: String,
    real: PathBuf,
    script: PathBuf,
    working: PathBuf,
}

impl RunFolder {
    fn make(workspace: &Workspace, script: &str) -> Result<Self, FileFailure> {
        let id = format!("run-{}", ids::stamped());
        let path = format!("{FOLDER}/runs/{id}");
        let text = format!("{script}\n");
        let script =
            workspace.write_private(&format!("{path}/script.sh"), text.as_bytes(), true)?;
        let working = workspace.directory_path(FOLDER)?;
        let real = script.parent().map(PathBuf::from).unwrap_or_default();
        Ok(Self { id, path, real, script, working })
    }

    fn answer(&self, workspace: &Workspace, run: &Run, most: usize) -> Done {
        let shown = |printed: &Printed| shell::cut(printed.text.trim_end(), most);
        let (stdout, stderr) = (shown(&run.stdout), shown(&run.stderr));
        let exit_code = run.status.and_then(|status| status.code());
        let timed_out = run.ended == Some(Ended::TimedOut);
        let duration = u64::try_from(run.duration.as_millis()).unwrap_or(u64::MAX);
        let mut facts = Map::from_iter([
            ("ok".to_owned(), json!(run.ended.is_none() && exit_code == Some(0))),
            ("runId".to_owned(), json!(self.id)),
            ("runDir".to_owned(), json!(self.real.display().to_string())),
            ("scriptPath".to_owned(), json!(self.script.display().to_string())),
            ("exitCode".to_owned(), json!(exit_code)),
            ("timedOut".to_owned(), json!(timed_out)),
            ("durationMs".to_owned(), json!(duration)),
            ("stdout".to_owned(), json!(stdout)),
            ("stderr".to_owned(), json!(stderr)),
            ("stdoutBytes".to_owned(), json!(run.stdout.bytes)),
            ("stderrBytes".to_owned(), json!(run.stderr.bytes)),
        ]);
        if let Some(signal) = run.status.and_then(signal_name) {
            facts.insert("signal".into(), json!(signal));
        }
        let kept = self.keep(workspace, run, &facts);
        let code = exit_code.map_or_else(|| "null".to_owned(), |code| code.to_string());
        let mut text = format!("run_script exitCode={code} timedOut={timed_out}");
        let _ = write!(text, "\nrunDir={}", self.real.display());
        for (name, printed) in [("stdout", &stdout), ("stderr", &stderr)] {
            if !printed.is_empty() {
                let _ = write!(text, "\n{name}={printed}");
            }
        }
        if let Err(failure) = kept {
            // What the script did is the answer; that it is not kept is only worth a word.
            let _ = write!(text, "\nwarning=the result was not kept: {failure}");
            facts.insert("warning".into(), json!(failure.to_string()));
        }
        if run.ended == Some(Ended::Stopped) {
            let message = format!("run_script was stopped on request after {duration} ms");
            let mut failure = Failure::new(ErrorCode::PocketStopped, message);
            failure.details = facts;
            return Err(failure);
        }
        Ok(Outcome { text, data: facts })
    }

    fn keep(
        &self,
        workspace: &Workspace,
        run: &Run,
        facts: &Map<String, Value>,
    ) -> Result<(), FileFailure> {
        let result = serde_json::to_string_pretty(facts).unwrap_or_default() + "\n";
        for (name, text) in [
            ("stdout.log", &run.stdout.text),
            ("stderr.log", &run.stderr.text),
            ("result.json", &result),
        ] {
            workspace.write_private(&format!("{}/{name}", self.path), text.as_bytes(), false)?;
        }
        Ok(())
    }
}
