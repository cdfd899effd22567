//! `skills run`: a skill's script, with this program and the phone in its hands.

use crate::args::Globals;
use crate::args::skills::RunScript;
use crate::commands::execution::stop_on_signals;
use crate::human::{QUIET, say, styled};
use crate::output::{DONE, Format};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_skills::registry::{Found, Registries};
use clawperator_skills::script::{self, Limits, Ran, Request, Stream};
use clawperator_skills::validate;
use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

pub(super) fn run(args: &RunScript, globals: &Globals, format: Format) -> ExitCode {
    match super::load(&args.from).and_then(|all| ran(&all, args, globals, format)) {
        Ok(ran) if format == Format::Human => {
            let took = format!("{} ended well after {} ms", ran.skill_id, ran.duration_ms);
            say(&format!("{}\n", styled(QUIET, &took)));
            ExitCode::from(DONE)
        }
        Ok(ran) => {
            let mut answer = serde_json::to_value(&ran).unwrap_or_default();
            answer["output"] = answer["stdout"]["text"].clone();
            format.answer(&answer, DONE)
        }
        Err(failure) => format.failure(&failure),
    }
}

fn ran(
    all: &Registries,
    args: &RunScript,
    globals: &Globals,
    format: Format,
) -> Result<Ran, Failure> {
    let found = all.skill(&args.id)?;
    if !args.skip_validate {
        validate::one(all, &args.id, true)?;
    }
    let scripts: Vec<String> = found.skill.scripts().map(str::to_owned).collect();
    let script = script::choose(&scripts, args.script.as_deref())?;
    let device = globals.named_device();
    let package = globals.package();
    let program = program()?;
    let stop = Stop::default();
    stop_on_signals(&stop);
    let request = Request {
        skill_id: &args.id,
        folder: &found.registry.root.real(found.skill.path()),
        script: &found.registry.root.real(script),
        device: device.as_deref(),
        arguments: &args.arguments,
        program: &program,
        operator_package: &package,
        path: None,
        limits: limits(globals)?,
        expect_contains: args.expect_contains.as_deref(),
        verification_declared: declares_verification(&found),
    };
    // People see what it prints while it runs; programs get it whole.
    let mut sink = |stream: Stream, text: &str| {
        if format == Format::Human {
            let _ = match stream {
                Stream::Stdout => io::stdout().write_all(text.as_bytes()),
                Stream::Stderr => io::stderr().write_all(text.as_bytes()),
            };
        }
    };
    let flag = stop.flag();
    script::run(&request, Some(&flag), &mut sink)
}

/// How a script calls us: as it is told, or as we were called.
pub(crate) fn program() -> Result<String, Failure> {
    if let Some(named) = env::var("CLAWPERATOR_BIN").ok().filter(|named| !named.trim().is_empty()) {
        return Ok(named);
    }
    let own = env::current_exe().map_err(|error| {
        let said = format!("this program does not know where it is: {error}");
        Failure::new(ErrorCode::InternalError, said).hint("set CLAWPERATOR_BIN")
    })?;
    Ok(own.display().to_string())
}

fn limits(globals: &Globals) -> Result<Limits, Failure> {
    let Some(ms) = globals.timeout else { return Ok(Limits::default()) };
    let whole = format!("{ms:.0}").parse::<u64>().unwrap_or(0);
    Ok(Limits { timeout: script::timeout(whole)?, ..Limits::default() })
}

fn declares_verification(found: &Found<'_>) -> bool {
    let declared = found.skill.contract().and_then(|contract| contract.get("verification"));
    declared.is_some_and(|verification| !verification.is_null())
}
