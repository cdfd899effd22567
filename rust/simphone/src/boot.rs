//! A simulated phone on a port of this computer: what a stock adb connects to.

use crate::app::AppError;
use crate::device::Options;
use crate::mortal::{self, Alive};
use crate::shell::{self, Io};
use crate::system::{Identity, OperatorPackage, System};
use clawperator_adbd::{
    Auth, Banner, Device as AdbDevice, Server, Service, Shell, ShellRequest, sync,
};
use clawperator_link::socket;
use clawperator_link::station::Station;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

/// A phone that runs until it is dropped.
pub struct SimulatedPhone {
    system: Arc<System>,
    server: Server,
}

/// Why a phone did not boot.
#[derive(Debug)]
pub enum BootError {
    /// An app of it is wrong.
    App(AppError),
    /// Its port could not be had.
    Port(io::Error),
}

impl fmt::Display for BootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::App(error) => error.fmt(f),
            Self::Port(error) => write!(f, "the phone's port could not be opened: {error}"),
        }
    }
}

impl std::error::Error for BootError {}

impl SimulatedPhone {
    /// Boots a phone that listens at `address`; port 0 takes any that is free.
    pub fn boot(
        address: SocketAddr,
        options: Options,
        identity: &Identity,
        operators: Vec<OperatorPackage>,
        auth: Auth,
    ) -> Result<Self, BootError> {
        let system = System::boot(options, identity, operators).map_err(BootError::App)?;
        let services = Arc::new(Services { system: Arc::clone(&system) });
        let server = Server::bind(address, services, auth).map_err(BootError::Port)?;
        Ok(Self { system, server })
    }

    /// What the phone is.
    #[must_use]
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// Its adb side, to cut or close.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Where `adb connect` finds it.
    #[must_use]
    pub fn serial(&self) -> String {
        self.server.address().to_string()
    }
}

impl Drop for SimulatedPhone {
    fn drop(&mut self) {
        // Readers of the log must end before the server can: it waits for its services.
        self.system.shut_down();
        self.server.close();
    }
}

/// The services adb may open.
struct Services {
    system: Arc<System>,
}

impl AdbDevice for Services {
    fn banner(&self) -> Banner {
        let property = |name| self.system.property(name);
        let mut banner = Banner::new(
            property("ro.product.name"),
            property("ro.product.model"),
            property("ro.product.device"),
        );
        // `cmd package install` takes an APK from its input, so adb need not push it first.
        banner.features.push("cmd".into());
        banner
    }

    fn open(&self, service: &str) -> Option<Service> {
        let system = Arc::clone(&self.system);
        if let Some(request) = ShellRequest::parse(service) {
            return Some(Box::new(move |stream| {
                let shell = Shell::new(request.protocol, stream);
                let code =
                    on_a_roomy_stack(|| run(&system, &request.command, shell.input, &shell.output));
                let _ = shell.output.exit(code);
            }));
        }
        if service == "sync:" {
            return Some(Box::new(move |mut stream| {
                if let Err(error) = sync::serve(&system.files, &mut stream) {
                    log::debug!("sync ended: {error}");
                }
            }));
        }
        let package = service.strip_prefix("localabstract:")?.to_owned();
        // The socket is there while the accessibility service is.
        if !system.service_enabled(&package) {
            return None;
        }
        let process = system.operator(&package)?;
        Some(Box::new(move |stream| {
            let operator: Arc<dyn Station> = Arc::clone(&process) as _;
            let alive: Alive = Arc::new(move || system.is_running(&process));
            let (reader, writer) = stream.split();
            let (reader, writer) = mortal::halves(reader, writer, alive);
            if let Err(error) = socket::serve(reader, writer, &operator) {
                log::debug!("the operator's connection ended: {error}");
            }
        }))
    }
}

/// Stack of a command: drawing a picture or reading an APK takes more than the threads of adb's
/// services have. Pages that are never touched cost nothing.
const COMMAND_STACK: usize = 2 << 20;

/// Exit code of a command that was aborted: 128 and the number of the signal.
const ABORTED: u8 = 134;

fn on_a_roomy_stack(command: impl FnOnce() -> u8 + Send) -> u8 {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("command".into()).stack_size(COMMAND_STACK);
        match builder.spawn_scoped(scope, command) {
            Ok(running) => running.join().unwrap_or(ABORTED),
            Err(error) => {
                log::error!("no thread for a command: {error}");
                ABORTED
            }
        }
    })
}

fn run(
    system: &Arc<System>,
    command: &str,
    mut input: impl io::Read,
    output: &clawperator_adbd::shell::ShellOutput,
) -> u8 {
    let mut out = BufWriter::with_capacity(16 << 10, output.stdout());
    let mut err = output.stderr();
    let mut io = Io { input: &mut input, out: &mut out, err: &mut err, live: true };
    let code = if command.is_empty() {
        interactive(system, &mut io)
    } else {
        shell::run(system, command, &mut io)
    };
    let _ = out.flush();
    code
}

/// `adb shell` without a command: a prompt, line by line.
fn interactive(system: &Arc<System>, io: &mut Io<'_>) -> u8 {
    let mut code = 0;
    let prompt = format!("{}:/ $ ", system.property("ro.product.device"));
    loop {
        let _ = io.out.write_all(prompt.as_bytes()).and_then(|()| io.out.flush());
        let mut line = Vec::new();
        let mut byte = [0];
        loop {
            match io.input.read(&mut byte) {
                Ok(1) if matches!(byte[0], b'\n' | b'\r') => break,
                Ok(1) if byte[0] == 4 && line.is_empty() => return code,
                Ok(1) => line.push(byte[0]),
                _ => return code,
            }
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        if line.trim() == "exit" {
            return code;
        }
        code = shell::run(system, &line, io);
        let _ = io.out.flush();
    }
}
