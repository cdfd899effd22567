//! `doctor`: what stands between this computer and a working phone.

use crate::args::Globals;
use crate::args::host::Doctor;
use crate::commands::execution::VERSION;
use crate::embedded;
use crate::human::{BAD, GOOD, ODD, QUIET, say, styled};
use crate::output::{DONE, FAILED, Format};
use clawperator_contract::{Envelope, Execution, Failure};
use clawperator_host::device::Device;
use clawperator_host::dispatch::{self, Stop};
use clawperator_host::doctor::{Check, Examination, Host, Report, Status, examine};
use std::fmt::Write as _;
use std::process::ExitCode;

pub(crate) fn run(args: &Doctor, globals: &Globals, format: Format) -> ExitCode {
    let report = match report(args, globals) {
        Ok(report) => report,
        Err(failure) => return format.failure(&failure),
    };
    let code = if report.ok || args.check_only { DONE } else { FAILED };
    if format == Format::Human {
        say(&text(&report));
        return ExitCode::from(code);
    }
    format.answer(&report, code)
}

fn report(args: &Doctor, globals: &Globals) -> Result<Report, Failure> {
    let trial = |device: &dyn Device, package: &str, execution: &Execution| {
        trial(device, package, execution, globals)
    };
    let named = globals.named_device();
    let package = globals.named_package();
    let examination = |host, device| Examination {
        host,
        device,
        operator_package: package.as_deref(),
        cli_version: VERSION,
        full: args.full,
        fix: args.fix,
        run: &trial,
    };
    if globals.is_embedded() {
        let phone = embedded::boot()?;
        return Ok(examine(&examination(Host::Embedded(&phone), None)));
    }
    let server = globals.server()?;
    Ok(examine(&examination(Host::Adb(&server), named.as_deref())))
}

fn trial(
    device: &dyn Device,
    package: &str,
    execution: &Execution,
    globals: &Globals,
) -> Result<Envelope, Failure> {
    let stop = Stop::default();
    let route = globals.route(device, package, &stop);
    dispatch::execute(&route, execution, &mut ()).map(|done| done.envelope)
}

/// The report for people: one line for each check, and what to do.
fn text(report: &Report) -> String {
    let mut text = String::new();
    for check in &report.checks {
        text += &line(check);
    }
    for fixed in report.fixed.iter().flatten() {
        let mark = if fixed.ok { styled(GOOD, "mended") } else { styled(BAD, "not mended") };
        let _ = writeln!(text, "{mark} {}: {}", fixed.id, fixed.action);
    }
    let verdict = match (report.ok, &report.device_id) {
        (true, Some(serial)) => styled(GOOD, &format!("{serial} is ready")),
        (true, None) => styled(GOOD, "ready"),
        (false, _) => styled(BAD, "not ready"),
    };
    let _ = writeln!(text, "{verdict}");
    for next in &report.next_actions {
        let _ = writeln!(text, "  next: {next}");
    }
    text
}

fn line(check: &Check) -> String {
    let mark = match check.status {
        Status::Pass => styled(GOOD, "✓"),
        Status::Warn => styled(ODD, "!"),
        Status::Fail => styled(BAD, "✗"),
        Status::Skipped => styled(QUIET, "-"),
    };
    let mut line = format!("{mark} {} {}", styled(QUIET, check.id), check.summary);
    if let Some(code) = check.code {
        let _ = write!(line, " {}", styled(QUIET, code.name()));
    }
    line.push('\n');
    if let Some(detail) = &check.detail {
        let _ = writeln!(line, "  {detail}");
    }
    line
}
