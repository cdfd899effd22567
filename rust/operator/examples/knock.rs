//! A host in its smallest form: connects to an operator's abstract socket on this machine, runs one
//! execution and prints the envelope: `knock <package> <execution as JSON> [<file for a picture>]`.

#![allow(clippy::print_stdout, reason = "that is what it is for")]

use clawperator_contract::envelope::StepResult;
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::{Execution, json};
use clawperator_link::socket::{Caller, HostSession};
use std::error::Error;
use std::io;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// Does nothing for the phone, but keeps its last picture.
#[derive(Default)]
struct Idle {
    picture: Option<Vec<u8>>,
}

impl Caller for Idle {
    fn step_ended(&mut self, _index: usize, _result: &StepResult, picture: Option<Vec<u8>>) {
        self.picture = picture.or(self.picture.take());
    }

    fn host_call(&mut self, _call: HostCall) -> HostAnswer {
        HostAnswer::Failed { code: "ACTION_FAILED".into(), message: "there is no adb here".into() }
    }
}

#[cfg(target_os = "linux")]
fn connect(name: &str) -> io::Result<UnixStream> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::SocketAddr;
    UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?)
}

#[cfg(not(target_os = "linux"))]
fn connect(_name: &str) -> io::Result<UnixStream> {
    Err(io::ErrorKind::Unsupported.into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(package), Some(payload)) = (words.next(), words.next()) else {
        return Err("usage: knock <package> <execution> [<file for a picture>]".into());
    };
    let execution = Execution::from_text(payload.as_bytes()).map_err(|failure| failure.message)?;
    let stream = connect(&package)?;
    let mut session = HostSession::new(stream.try_clone()?, stream, "knock");
    let dispatch_id = format!("knock-{}", std::process::id());
    let within = Duration::from_secs(60);
    let mut idle = Idle::default();
    let dispatched = session.dispatch(&dispatch_id, &execution, within, &mut idle)?;
    if let (Some(file), Some(picture)) = (words.next(), idle.picture) {
        std::fs::write(file, picture)?;
    }
    println!("{}", json::compact(&dispatched.envelope));
    Ok(())
}
