//! `serve`: HTTP for many clients at many phones, until it is told to end.

pub(super) mod fleet;

use crate::args::Globals;
use crate::args::serve::Serve;
use crate::commands::execution::{self, VERSION, stop_on_signals};
use crate::commands::{recipe, skills};
use crate::output::{DONE, Format};
use crate::reach;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_serve::desk::{Desk, Sendings, Setup as DeskSetup};
use clawperator_serve::http::{self, Files, Guard, Setup, token};
use fleet::Fleet;
use serde_json::json;
use std::env;
use std::io::{self, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// How often it is looked whether a signal came.
const LOOK: Duration = Duration::from_millis(50);

pub(crate) fn run(args: &Serve, globals: &Globals, format: Format) -> ExitCode {
    match served(args, globals, format) {
        Ok(()) => ExitCode::from(DONE),
        Err(failure) => format.failure(&failure),
    }
}

fn served(args: &Serve, globals: &Globals, format: Format) -> Result<(), Failure> {
    let address = address(args)?;
    let state = state_folder();
    let setup = setup(args, globals, address, &state)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| unusable(address, &error))?;
    let stop = Stop::default();
    stop_on_signals(&stop);
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(|e| unusable(address, &e))?;
        let bound = listener.local_addr().unwrap_or(address);
        announce(bound, &setup.guard, format);
        let told_to_end = async {
            while !stop.is_asked() {
                tokio::time::sleep(LOOK).await;
            }
        };
        http::serve(listener, setup, told_to_end).await;
        Ok::<(), Failure>(())
    })?;
    // What still blocks is a phone that does not answer; nobody waits for it any more.
    runtime.shutdown_background();
    Ok(())
}

fn setup(
    args: &Serve,
    globals: &Globals,
    address: SocketAddr,
    state: &std::path::Path,
) -> Result<Setup, Failure> {
    let level = globals.log_level;
    let desk = Desk::new(DeskSetup {
        phones: Box::new(Fleet::new(globals, args.sims)),
        package: globals.package(),
        version: VERSION.to_owned(),
        link: globals.wanted_link(),
        waiting: args.queue,
        sendings: Some(Sendings::open(state)?),
        noted: Box::new(move |execution, serial, done, took| {
            execution::note(done, execution, serial, took, level.map(Into::into));
        }),
    });
    let adb = globals.adb.clone();
    Ok(Setup {
        desk,
        guard: guard(args, address, state)?,
        files: Files::new(args.files.as_deref(), &state.join("pictures"))?,
        program: skills::program()?,
        registries: args.registry.clone(),
        policy: recipe::policy_of_the_environment()?,
        redactor: Arc::new(recipe::redactor),
        adb: Box::new(move || reach::server(adb.as_deref())),
        version: VERSION.to_owned(),
        grace: Duration::from_millis(args.grace),
    })
}

/// On any address but this computer's own there is a token.
fn guard(args: &Serve, address: SocketAddr, state: &std::path::Path) -> Result<Guard, Failure> {
    let mut guard = Guard { token: None, hosts: args.allow_host.clone() };
    if address.ip().is_loopback() && !args.require_token && args.token_file.is_none() {
        return Ok(guard);
    }
    let path = args.token_file.clone().unwrap_or_else(|| state.join("token"));
    let is_new = !path.exists();
    let token = token::of(&path)?;
    let shown = if is_new { format!("token {token}, kept in") } else { "token in".to_owned() };
    let _ = writeln!(io::stderr(), "clawperator serve: {shown} {}", path.display());
    guard.token = Some(token);
    Ok(guard)
}

fn announce(bound: SocketAddr, guard: &Guard, format: Format) {
    let url = format!("http://{bound}");
    let _ = writeln!(io::stderr(), "clawperator serve: {url}");
    if format != Format::Human {
        let line =
            json!({ "ok": true, "url": url, "port": bound.port(), "token": guard.token.is_some() });
        // Whoever started us may not read along.
        let _ = writeln!(io::stdout(), "{line}").and_then(|()| io::stdout().flush());
    }
}

fn address(args: &Serve) -> Result<SocketAddr, Failure> {
    let found = (args.host.as_str(), args.port).to_socket_addrs();
    found.ok().and_then(|mut all| all.next()).ok_or_else(|| {
        let message = format!("{:?} is no address of this computer", args.host);
        Failure::new(ErrorCode::Usage, message).hint("give one in digits, such as 127.0.0.1")
    })
}

fn unusable(address: SocketAddr, error: &io::Error) -> Failure {
    let code = ErrorCode::AddressUnavailable;
    Failure::new(code, format!("{address}: {error}")).hint(code.remedy())
}

/// Where the server keeps what has to outlive it.
fn state_folder() -> PathBuf {
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    home.unwrap_or_else(env::temp_dir).join(".clawperator/serve")
}
