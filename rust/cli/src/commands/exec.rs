//! `exec`: an execution, checked, planned or run.

use crate::args::Exec;
use crate::output::{DONE, FAILED, Format};
use crate::{embedded, input};
use clawperator_contract::wrapper::{DryRun, Executed, Validated};
use clawperator_contract::{ErrorCode, Execution, Failure, Status};
use std::process::ExitCode;

pub(crate) fn run(args: &Exec, device: Option<&str>, format: Format) -> ExitCode {
    let execution = input::payload(&args.source()).and_then(|bytes| Execution::from_text(&bytes));
    let execution = match execution {
        Ok(execution) => execution,
        Err(failure) => return format.failure(&failure),
    };
    if args.validate_only {
        return format.answer(&Validated::new(&execution), DONE);
    }
    if args.dry_run {
        return format.answer(&DryRun::new(&execution), DONE);
    }
    match on_device(&execution, device) {
        Ok((envelope, serial)) => {
            let code = if envelope.status == Status::Success { DONE } else { FAILED };
            format.answer(&Executed::new(&envelope, &serial), code)
        }
        Err(failure) => format.failure(&failure),
    }
}

fn on_device(
    execution: &Execution,
    device: Option<&str>,
) -> Result<(clawperator_contract::Envelope, String), Failure> {
    match device {
        Some(embedded::NAME) => Ok((embedded::run(execution)?, embedded::NAME.into())),
        _ => Err(Failure::new(
            ErrorCode::NotImplemented,
            "the execution is valid, but this version only runs executions on its simulated phone",
        )
        .hint("add --device sim, --validate-only or --dry-run")),
    }
}
