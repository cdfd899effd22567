//! A simulated phone inside this process, as a device of the host: no adb between them, but the same
//! links and the same shell.

#[cfg(feature = "overheard")]
mod overheard;

#[cfg(feature = "overheard")]
pub use overheard::Overheard;

use clawperator_adbd::Files;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::device::{Device, Output, Reader, Unreachable, Writer};
use clawperator_link::socket::serve;
use clawperator_link::station::Station;
use clawperator_simphone::device::Options;
use clawperator_simphone::shell::{self, Io};
use clawperator_simphone::system::{Identity, OperatorPackage, System};
use std::error::Error;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Its name where there is one of them.
pub const NAME: &str = "sim";

/// A phone that lives as long as this does.
pub struct EmbeddedPhone {
    system: Arc<System>,
    serial: String,
}

impl EmbeddedPhone {
    /// Switches one on that has these operators.
    pub fn boot(options: Options, operators: Vec<OperatorPackage>) -> Result<Self, Failure> {
        let system = System::boot(options, &Identity::default(), operators);
        Ok(Self { system: system.map_err(|error| failed(&error))?, serial: NAME.to_owned() })
    }

    /// The same under another name, where there are several.
    #[must_use]
    pub fn named(mut self, serial: &str) -> Self {
        self.serial = serial.to_owned();
        self
    }

    /// The phone from within.
    #[must_use]
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }
}

impl Drop for EmbeddedPhone {
    fn drop(&mut self) {
        self.system.shut_down();
    }
}

/// The phone could not do what it always can.
pub fn failed(error: &dyn Error) -> Failure {
    let code = ErrorCode::SimulatorFailed;
    Failure::new(code, error.to_string()).hint(code.remedy())
}

impl Device for EmbeddedPhone {
    fn serial(&self) -> &str {
        &self.serial
    }

    fn shell(&self, line: &str, within: Duration) -> Result<Output, Failure> {
        self.shell_with_input(line, &mut io::empty(), within)
    }

    /// Commands of the simulated phone end at once or when their input does, so nothing is timed.
    fn shell_with_input(
        &self,
        line: &str,
        mut input: &mut (dyn Read + Send),
        _within: Duration,
    ) -> Result<Output, Failure> {
        let mut output = Output::default();
        let mut io =
            Io { input: &mut input, out: &mut output.stdout, err: &mut output.stderr, live: false };
        output.code = shell::run(&self.system, line, &mut io);
        Ok(output)
    }

    fn follow(&self, line: &str, _within: Duration) -> Result<Reader, Failure> {
        let (host, phone) = UnixStream::pair().map_err(|error| failed(&error))?;
        let (system, line) = (Arc::clone(&self.system), line.to_owned());
        let command = move || {
            let mut out = &phone;
            let (mut input, mut err) = (io::empty(), io::sink());
            let mut io = Io { input: &mut input, out: &mut out, err: &mut err, live: true };
            shell::run(&system, &line, &mut io);
        };
        thread::Builder::new().name("command".into()).spawn(command).map_err(|e| failed(&e))?;
        Ok(Box::new(host))
    }

    fn connect(&self, socket: &str, _within: Duration) -> Result<(Reader, Writer), Unreachable> {
        if !self.system.service_enabled(socket) {
            return Err(Unreachable::NobodyListens);
        }
        let operator = self.system.operator(socket).ok_or(Unreachable::NobodyListens)?;
        let operator: Arc<dyn Station> = operator;
        let connected = UnixStream::pair().and_then(|(host, phone)| {
            let (host_writer, phone_writer) = (host.try_clone()?, phone.try_clone()?);
            thread::Builder::new()
                .name("link".into())
                .spawn(move || serve(phone, phone_writer, &operator))?;
            Ok((host, host_writer))
        });
        let (reader, writer) = connected.map_err(|error| Unreachable::Phone(failed(&error)))?;
        Ok((Box::new(reader), Box::new(writer)))
    }

    fn pull(&self, path: &str, into: &mut dyn Write, _within: Duration) -> Result<u64, Failure> {
        let code = ErrorCode::DeviceShellUnavailable;
        let bytes =
            self.system.files.read(path).map_err(|error| {
                Failure::new(code, format!("{path}: {error}")).hint(code.remedy())
            })?;
        into.write_all(&bytes)
            .map_err(|error| Failure::new(ErrorCode::OutputUnwritable, error.to_string()))?;
        Ok(bytes.len() as u64)
    }

    /// Nothing lies between this process and its own phone.
    fn recover(&self, _within: Duration) -> Result<(), Failure> {
        Ok(())
    }
}
