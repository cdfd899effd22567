//! Starting a server with the program adb.

use crate::address::Address;
use crate::{AdbError, Deadline};
use std::io::{self, PipeReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a start is looked at. It takes some hundred milliseconds.
const LOOK: Duration = Duration::from_millis(5);
/// How long adb's words may lag behind its end.
const LAG: Duration = Duration::from_millis(200);
/// More than adb ever says.
const MOST_WORDS: usize = 16 * 1024;

/// Runs `adb start-server`, which comes back when the server listens.
pub(crate) fn start(program: &Path, address: &Address, deadline: Deadline) -> Result<(), AdbError> {
    let started = Instant::now();
    let failed = |why: String| AdbError::ServerFailed {
        message: format!("{} cannot start a server at {address}: {why}", program.display()),
    };
    let (mut child, words) = spawn(program, address).map_err(|error| failed(error.to_string()))?;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => {}
            Err(error) => {
                end(&mut child);
                return Err(failed(error.to_string()));
            }
        }
        let Some(left) = deadline.left() else {
            end(&mut child);
            let during = format!("starting the adb server at {address}");
            return Err(AdbError::TimedOut { during, after: started.elapsed() });
        };
        thread::sleep(left.min(LOOK));
    };
    if status.success() {
        log::info!("{} started a server at {address}", program.display());
        return Ok(());
    }
    let words = text(&words);
    Err(failed(if words.is_empty() { status.to_string() } else { words }))
}

fn spawn(program: &Path, address: &Address) -> io::Result<(Child, Receiver<Vec<u8>>)> {
    let (reader, writer) = io::pipe()?;
    let (said, words) = channel();
    thread::Builder::new().name("adb's words".into()).spawn(move || listen(reader, &said))?;
    let child = Command::new(program)
        // The port alone: adb takes no host but `localhost` for its own computer.
        .args(["-P", &address.port().to_string(), "start-server"])
        .env_remove("ADB_SERVER_SOCKET")
        .env_remove("ANDROID_ADB_SERVER_ADDRESS")
        .env_remove("ANDROID_ADB_SERVER_PORT")
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()?;
    Ok((child, words))
}

/// Reads to the very end, so that nobody who still writes is held up. A server that could not open
/// its log writes here for as long as it lives.
fn listen(mut reader: PipeReader, said: &Sender<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        // Nobody asks for the words of a start that went well.
        let _ = said.send(buffer[..count].to_vec());
    }
}

/// What adb said before it ended, on one line.
fn text(words: &Receiver<Vec<u8>>) -> String {
    let mut text = Vec::new();
    while let Ok(more) = words.recv_timeout(LAG) {
        text.extend(more);
        if text.len() > MOST_WORDS {
            break;
        }
    }
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}

fn end(child: &mut Child) {
    // It may have ended by itself just now; either way nothing of it is left.
    let _ = child.kill();
    let _ = child.wait();
}
