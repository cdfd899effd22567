//! `skills ci`: every check a repository of skills must pass.

use crate::args::skills::Ci;
use crate::human::{BAD, GOOD, say, styled};
use crate::output::{DONE, FAILED, Format};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_skills::ci::{self, Verdict};
use clawperator_skills::literals::Repository;
use clawperator_skills::literals::denylist::Sources;
use clawperator_skills::policy::Policy;
use clawperator_skills::registry::Places;
use serde_json::json;
use std::process::ExitCode;

pub(super) fn run(args: &Ci, format: Format) -> ExitCode {
    let verdicts = match verdicts(args) {
        Ok(verdicts) => verdicts,
        Err(failure) => return format.failure(&failure),
    };
    let failed = verdicts.iter().filter(|verdict| !verdict.ok).count();
    if format == Format::Human {
        for verdict in &verdicts {
            let mark = if verdict.ok { styled(GOOD, "✓") } else { styled(BAD, "✗") };
            let shown: String = verdict.problems.iter().map(|problem| problem.shown()).collect();
            say(&format!("{mark} {:2} {}\n{shown}", verdict.number, verdict.check));
        }
        return ExitCode::from(if failed == 0 { DONE } else { FAILED });
    }
    if failed == 0 {
        return format.answer(&json!({"ok": true, "checks": verdicts}), DONE);
    }
    let code = ErrorCode::SkillsCiFailed;
    let names: Vec<&str> = verdicts.iter().filter(|v| !v.ok).map(|v| v.check).collect();
    let said = format!("{failed} of {} checks failed: {}", verdicts.len(), names.join(", "));
    format.failure(&Failure::new(code, said).detail("checks", json!(verdicts)).hint(code.remedy()))
}

fn verdicts(args: &Ci) -> Result<Vec<Verdict>, Failure> {
    let registry = Places::find(&args.from.registry).own();
    let policy = match &args.policy {
        None => Policy::default(),
        Some(path) => crate::commands::recipe::policy_of(path)?,
    };
    let folder = registry.parent().filter(|folder| !folder.as_os_str().is_empty());
    let repository = Repository::at(folder.unwrap_or(std::path::Path::new(".")));
    let denylist = Sources::of_the_environment(&repository).read()?;
    let program = std::env::current_exe().map_err(|error| {
        Failure::new(ErrorCode::InternalError, format!("this program is nowhere: {error}"))
    })?;
    ci::run(&ci::Repository {
        registry: &registry,
        program: &program,
        policy: &policy,
        denylist: &denylist,
    })
}
