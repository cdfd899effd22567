//! `skills hook`: what keeps personal texts out of commits.

use crate::args::skills::HookWhat;
use crate::human::{GOOD, QUIET, say, styled};
use crate::output::{DONE, FAILED, Format};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_skills::literals::Repository;
use clawperator_skills::literals::denylist::Sources;
use clawperator_skills::literals::guard::{self, Report};
use clawperator_skills::literals::hooks::{self, Hook};
use serde_json::json;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

pub(super) fn run(what: &HookWhat, format: Format) -> ExitCode {
    let repository = Repository::at(Path::new("."));
    match what {
        HookWhat::Install => changed(hooks::install(&repository), format),
        HookWhat::Uninstall => changed(hooks::uninstall(&repository), format),
        HookWhat::Scan { push, remote, .. } => {
            let sources = Sources::of_the_environment(&repository);
            let seen = match push {
                true => refs().and_then(|refs| {
                    guard::scan_push(&repository, &sources, remote.as_deref(), &refs)
                }),
                false => guard::scan_staged(&repository, &sources),
            };
            scanned(seen, format)
        }
    }
}

/// What git tells a pre-push hook on its standard input.
fn refs() -> Result<String, Failure> {
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text).map_err(|error| {
        let said = format!("what is to be pushed could not be read: {error}");
        Failure::new(ErrorCode::SkillsHookFailed, said)
    })?;
    Ok(text)
}

fn changed(hooks: Result<Vec<Hook>, Failure>, format: Format) -> ExitCode {
    match (hooks, format) {
        (Ok(hooks), Format::Human) => {
            for hook in hooks {
                let change = serde_json::to_value(hook.change).unwrap_or_default();
                let change = change.as_str().unwrap_or_default().to_owned();
                say(&format!(
                    "{} {} {}\n",
                    styled(GOOD, "✓"),
                    hook.path.display(),
                    styled(QUIET, &change)
                ));
            }
            ExitCode::from(DONE)
        }
        (hooks, _) => format.result(hooks.map(|hooks| json!({"ok": true, "hooks": hooks}))),
    }
}

/// People, and git's log, see one line for each text.
fn scanned(seen: Result<Report, Failure>, format: Format) -> ExitCode {
    match (seen, format) {
        (Ok(report), Format::Human) => {
            let lines = format!("{} new lines in {} files are clean\n", report.lines, report.files);
            say(&styled(QUIET, &lines));
            ExitCode::from(DONE)
        }
        (Err(failure), Format::Human) if failure.details.contains_key("blocked") => {
            let blocked = failure.details["blocked"].as_array().cloned().unwrap_or_default();
            for one in blocked {
                let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
                let place = format!("{}:{}", text("file"), one["line"]);
                say(&format!("{place}: \"{}\" {}\n", text("masked"), text("reason")));
            }
            format.failure(&failure);
            ExitCode::from(FAILED)
        }
        (seen, _) => format.result(seen),
    }
}
