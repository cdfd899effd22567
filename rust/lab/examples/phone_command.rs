//! Every command of the lab phone's shell: hands its words to the phone and says what it answers.
//!
//! It is installed under the names of the commands, and `LAB_CONTROL` names the phone's socket.
//! Words go there as a count and each with its length; pieces come back: a byte that says what, a
//! length, the bytes.

use std::env;
use std::error::Error;
use std::io::{Read, Write, stderr, stdout};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;

const OUTPUT: u8 = 1;
const ERRORS: u8 = 2;

fn main() -> ExitCode {
    let code = run().unwrap_or_else(|error| {
        let _ = writeln!(stderr(), "the lab phone does not answer: {error}");
        255
    });
    ExitCode::from(code)
}

fn run() -> Result<u8, Box<dyn Error>> {
    let path = env::var_os("LAB_CONTROL").ok_or("LAB_CONTROL is not set")?;
    let mut phone = UnixStream::connect(path)?;
    let mut words: Vec<_> = env::args_os().collect();
    if let Some(name) = words.first_mut() {
        *name = Path::new(name).file_name().ok_or("no name")?.to_owned();
    }
    let mut request = u32::try_from(words.len())?.to_be_bytes().to_vec();
    for word in &words {
        request.extend(u32::try_from(word.len())?.to_be_bytes());
        request.extend(word.as_bytes());
    }
    phone.write_all(&request)?;
    loop {
        let mut head = [0; 5];
        phone.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let mut bytes = vec![0; usize::try_from(u32::from_be_bytes(length))?];
        phone.read_exact(&mut bytes)?;
        match kind {
            OUTPUT => {
                stdout().write_all(&bytes)?;
                stdout().flush()?;
            }
            ERRORS => stderr().write_all(&bytes)?,
            _ => return Ok(bytes.first().copied().unwrap_or_default()),
        }
    }
}
