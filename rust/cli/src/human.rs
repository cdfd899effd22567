//! Answers for people at a terminal: what runs, what failed, what to do.

use crate::output::DONE;
use anstyle::{AnsiColor, Style};
use clawperator_contract::envelope::StepResult;
use clawperator_contract::{Execution, Failure};
use clawperator_host::dispatch::{Done, Link, Watcher};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const ODD: Style = AnsiColor::Yellow.on_default();
pub(crate) const QUIET: Style = Style::new().dimmed();

/// A text in a style; what is not a terminal gets it plain.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Writes to standard output, with colours where it shows them. Who has gone away does not mind.
pub(crate) fn say(text: &str) {
    let _ = anstream::stdout().write_all(text.as_bytes());
}

/// Says what failed and what to do.
pub(crate) fn failure(failure: &Failure) {
    let mut text = format!("{} {}\n", styled(BAD, failure.code.name()), failure.message);
    let hint = failure.hint.as_deref().or_else(|| failure.details.get("hint")?.as_str());
    if let Some(place) = failure.details.get("path").and_then(|path| path.as_str()) {
        let _ = writeln!(text, "  at {place}");
    }
    let _ = writeln!(text, "  {}", styled(QUIET, hint.unwrap_or(failure.code.remedy())));
    say(&text);
}

/// Shows the steps of an execution as they end.
pub(crate) struct Progress {
    names: Vec<(String, &'static str)>,
    started: Instant,
    last: Instant,
    /// Can a line be taken back?
    lively: bool,
}

impl Progress {
    pub(crate) fn new(execution: &Execution) -> Self {
        let actions = execution.actions().iter();
        let now = Instant::now();
        Self {
            names: actions.map(|a| (a.id().to_owned(), a.kind().name())).collect(),
            started: now,
            last: now,
            lively: io::stderr().is_terminal(),
        }
    }

    /// A line that is there until the next one.
    fn passing(&self, text: &str) {
        if self.lively {
            let _ = write!(anstream::stderr(), "\r\x1b[2K{text}");
        }
    }

    fn next(&self, index: usize) {
        if let Some((id, kind)) = self.names.get(index) {
            let count = self.names.len();
            self.passing(&styled(QUIET, &format!("… {}/{count} {id} ({kind})", index + 1)));
        }
    }

    /// Says how it ended.
    pub(crate) fn end(mut self, done: &Done, serial: &str, code: u8) -> ExitCode {
        self.passing("");
        // Nothing passes after the end.
        self.lively = false;
        let steps = &done.envelope.step_results;
        let mut text = String::new();
        if done.link == Link::Broadcast {
            // Steps are not reported one by one over this link.
            steps.iter().for_each(|step| text += &step_line(step, None));
        }
        if let [only] = steps.as_slice()
            && let Some(content) = only.data.get("text").filter(|_| only.success)
        {
            text += content.trim_end();
            text.push('\n');
        }
        let took = self.started.elapsed().as_millis();
        let way = format!("{serial} over {}, {took} ms", done.link.name());
        if code == DONE {
            let _ = writeln!(text, "{} {}", styled(GOOD, "done"), styled(QUIET, &way));
        } else {
            let error = done.envelope.error.as_deref().unwrap_or("it failed");
            let _ = writeln!(text, "{} {error} {}", styled(BAD, "failed"), styled(QUIET, &way));
            if let Some(hint) = &done.envelope.hint {
                let _ = writeln!(text, "  {hint}");
            }
        }
        if let Some(kept) = &done.evidence {
            let _ = writeln!(text, "  evidence: {}", kept.folder.display());
        }
        say(&text);
        ExitCode::from(code)
    }
}

impl Watcher for Progress {
    fn sent(&mut self, _link: Link) {
        self.next(0);
    }

    fn step_ended(&mut self, index: usize, result: &StepResult) {
        self.passing("");
        let took = self.last.elapsed().as_millis();
        self.last = Instant::now();
        say(&step_line(result, Some(took)));
        self.next(index + 1);
    }

    fn broke(&mut self, why: &str) {
        self.passing(&styled(ODD, &format!("the link broke ({why}); opening it again …")));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.passing("");
    }
}

/// What a step has to say in one line. Long texts are shown on their own or not at all.
const SHOWN: usize = 80;

fn step_line(step: &StepResult, took_ms: Option<u128>) -> String {
    let mark = if step.success { styled(GOOD, "✓") } else { styled(BAD, "✗") };
    let mut line = format!("{mark} {}", step.id);
    if step.id != step.action_type {
        let _ = write!(line, " {}", styled(QUIET, &step.action_type));
    }
    if let Some(ms) = took_ms {
        let _ = write!(line, " {}", styled(QUIET, &format!("{ms} ms")));
    }
    for key in ["text", "value", "path", "application_id", "sessionId", "filePath"] {
        let value = step.data.get(key).filter(|_| step.success);
        if let Some(value) = value.filter(|value| value.len() <= SHOWN && !value.contains('\n')) {
            let _ = write!(line, " {key}={value}");
        }
    }
    line.push('\n');
    if !step.success {
        let code = step.error().unwrap_or("failed");
        let message = step.data.get("message").map_or("", String::as_str);
        let _ = writeln!(line, "  {} {message}", styled(BAD, code));
    }
    if let Some(warning) = step.data.get("warn") {
        let _ = writeln!(line, "  {} {warning}", styled(ODD, "warning"));
    }
    line
}
