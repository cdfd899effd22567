//! `exec`: an execution, checked or planned.

use crate::args::Exec;
use crate::input;
use crate::output::{DONE, Format};
use clawperator_contract::wrapper::{DryRun, Validated};
use clawperator_contract::{ErrorCode, Execution, Failure};
use std::process::ExitCode;

pub(crate) fn run(args: &Exec, format: Format) -> ExitCode {
    let execution = input::payload(&args.source()).and_then(|bytes| Execution::from_text(&bytes));
    match execution {
        Err(failure) => format.failure(&failure),
        Ok(execution) if args.validate_only => format.answer(&Validated::new(&execution), DONE),
        Ok(execution) if args.dry_run => format.answer(&DryRun::new(&execution), DONE),
        Ok(_) => format.failure(
            &Failure::new(
                ErrorCode::NotImplemented,
                "the execution is valid, but this version does not run executions on a phone yet",
            )
            .hint("add --validate-only or --dry-run"),
        ),
    }
}
