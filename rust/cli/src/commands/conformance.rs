//! `conformance`: does this phone do what the contract says?

use crate::args::Globals;
use crate::commands::execution::stop_on_signals;
use crate::human::{BAD, GOOD, QUIET, say, styled};
use crate::output::{DONE, FAILED, Format};
use clawperator_contract::Failure;
use clawperator_host::conformance::{self, Outcome, Report};
use clawperator_host::dispatch::{Route, Stop};
use std::process::ExitCode;

pub(crate) fn run(steps: bool, globals: &Globals, format: Format) -> ExitCode {
    let mut report = match report(globals, format) {
        Ok(report) => report,
        Err(failure) => return format.failure(&failure),
    };
    let code = if report.ok { DONE } else { FAILED };
    if format == Format::Human {
        let Report { passed, failed, skipped, .. } = report;
        let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
        let verdict = format!("{passed} passed, {failed} failed{skipped}");
        say(&format!("{}\n", styled(if report.ok { GOOD } else { BAD }, &verdict)));
        return ExitCode::from(code);
    }
    if !steps {
        report.checks.iter_mut().for_each(|check| check.steps.clear());
    }
    format.answer(&report, code)
}

fn report(globals: &Globals, format: Format) -> Result<Report, Failure> {
    let phone = globals.phone()?;
    let _alone = globals.claim(phone.as_ref(), "conformance")?;
    let stop = Stop::default();
    stop_on_signals(&stop);
    let package = globals.package();
    let route = Route {
        evidence: globals.evidence_folder(),
        ..globals.route(phone.as_ref(), &package, &stop)
    };
    conformance::run(&route, |outcome| {
        if format == Format::Human {
            say(&line(outcome));
        }
    })
}

fn line(outcome: &Outcome) -> String {
    if let Some(why) = &outcome.skipped {
        return format!("{} {}\n  {why}\n", styled(QUIET, "–"), outcome.name);
    }
    let mark = if outcome.ok { styled(GOOD, "✓") } else { styled(BAD, "✗") };
    let took = styled(QUIET, &format!("{} ms", outcome.duration_ms));
    let problem = outcome.problem.as_ref().map(|problem| format!("  {problem}\n"));
    format!("{mark} {} {took}\n{}", outcome.name, problem.unwrap_or_default())
}
