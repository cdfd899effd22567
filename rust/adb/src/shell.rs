//! Commands on the phone.
//!
//! `shell,v2` sends packets: a byte that says what, four that say how long, and the data.

use crate::buffered::Buffered;
use crate::wire::Wire;
use crate::{AdbError, Deadline, Device};
use std::io::{ErrorKind, Read};
use std::thread;

const STDIN: u8 = 0;
const STDOUT: u8 = 1;
const STDERR: u8 = 2;
/// One byte: the exit code. The last packet.
const EXIT: u8 = 3;
/// Stdin has ended.
const CLOSE_STDIN: [u8; 5] = [4, 0, 0, 0, 0];

/// A packet of the phone is no longer than adb's own largest payload.
const MOST_IN_PACKET: usize = 1024 * 1024;
/// What a command may print. The longest answers, lists of packages and dumps of windows, take a
/// few MB; one that prints for ever must not take all memory before its time is up.
const MOST_OUTPUT: usize = 64 * 1024 * 1024;
/// How much input goes into one packet.
const PIECE: u16 = 32 * 1024;

/// What a command printed, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Its output.
    pub stdout: Vec<u8>,
    /// Its complaints.
    pub stderr: Vec<u8>,
    /// Its exit code. A phone too old to tell it is believed to have succeeded.
    pub code: u8,
}

impl Output {
    /// Did it succeed?
    #[must_use]
    pub fn ok(&self) -> bool {
        self.code == 0
    }

    /// Its output as text, without the line breaks at the end.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).trim_end().to_owned()
    }

    /// What it said in either place, for a message.
    #[must_use]
    pub fn said(&self) -> String {
        let both = [&self.stdout, &self.stderr]
            .map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
        let both: Vec<_> = both.into_iter().filter(|text| !text.is_empty()).collect();
        both.join("; ")
    }
}

/// Runs a line that has nothing to read.
pub(crate) fn run(device: &Device, line: &str, deadline: Deadline) -> Result<Output, AdbError> {
    let mut wire = match device.wire(&service(line), deadline) {
        Ok(wire) => wire,
        Err(refused @ AdbError::Refused { .. }) => {
            if device.has("shell_v2", deadline)? {
                return Err(refused);
            }
            let stdout = read_all(&mut device.wire(&format!("shell:{line}"), deadline)?)?;
            return Ok(Output { stdout, ..Output::default() });
        }
        Err(error) => return Err(error),
    };
    match wire.write(&CLOSE_STDIN) {
        // A short command may have ended already: what it said is still there to be read.
        Ok(()) | Err(AdbError::ServerDied { .. }) => collect(&mut wire),
        Err(error) => Err(error),
    }
}

/// Runs a line and feeds it. It may print while it reads, so one thread feeds and one listens.
pub(crate) fn run_with_input(
    device: &Device,
    line: &str,
    input: &mut (dyn Read + Send),
    deadline: Deadline,
) -> Result<Output, AdbError> {
    let mut wire = match device.wire(&service(line), deadline) {
        Ok(wire) => wire,
        Err(AdbError::Refused { service, .. }) if !device.has("shell_v2", deadline)? => {
            let message = "the phone is too old to be told where input ends: copy a file to it \
                           and let the command read that"
                .into();
            return Err(AdbError::Refused { service, message });
        }
        Err(error) => return Err(error),
    };
    let mut feeder = wire.try_clone()?;
    thread::scope(|scope| {
        let feeding = thread::Builder::new()
            .name("adb shell's input".into())
            .spawn_scoped(scope, move || feed(&mut feeder, input))
            .map_err(|error| AdbError::LocalFile { message: error.to_string() })?;
        let output = collect(&mut wire);
        // It has ended, however it did: nobody reads what is left of the input.
        wire.shut();
        let fed = feeding.join().unwrap_or_else(|_| {
            Err(AdbError::LocalFile { message: "reading the input failed".into() })
        });
        match (output, fed) {
            (Err(_), Err(local @ AdbError::LocalFile { .. })) => Err(local),
            (output, _) => output,
        }
    })
}

fn service(line: &str) -> String {
    format!("shell,v2,raw:{line}")
}

fn feed(wire: &mut Wire, input: &mut dyn Read) -> Result<(), AdbError> {
    let mut packet = vec![0; CLOSE_STDIN.len() + usize::from(PIECE)];
    loop {
        let (header, data) = packet.split_at_mut(CLOSE_STDIN.len());
        let count = match input.read(data) {
            Ok(0) => return wire.write(&CLOSE_STDIN),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                // Without its end the command would take a part for the whole.
                wire.shut();
                return Err(AdbError::LocalFile { message: format!("the input: {error}") });
            }
        };
        header[0] = STDIN;
        header[1..].copy_from_slice(&u32::try_from(count).unwrap_or(0).to_le_bytes());
        wire.write(&packet[..CLOSE_STDIN.len() + count])?;
    }
}

/// Reads what a command says, until it tells its exit code.
fn collect(wire: &mut Wire) -> Result<Output, AdbError> {
    let mut packets = Buffered::new(wire);
    let mut output = Output::default();
    loop {
        let [kind, length @ ..] = packets.take::<5>()?;
        let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
        let taken = output.stdout.len() + output.stderr.len();
        let into = match kind {
            STDOUT => &mut output.stdout,
            STDERR => &mut output.stderr,
            EXIT if length == 1 => {
                let [code] = packets.take::<1>()?;
                return Ok(Output { code, ..output });
            }
            _ => {
                let seen = format_args!("a shell packet {kind} of {length} bytes");
                return Err(packets.nonsense(seen));
            }
        };
        if length > MOST_IN_PACKET {
            return Err(packets.nonsense(format_args!("a shell packet of {length} bytes")));
        }
        if taken + length > MOST_OUTPUT {
            return Err(packets.nonsense(format_args!("more than {MOST_OUTPUT} bytes")));
        }
        packets.each(length, |bytes| {
            into.extend_from_slice(bytes);
            Ok(())
        })?;
    }
}

/// Reads to the end.
pub(crate) fn read_all(wire: &mut Wire) -> Result<Vec<u8>, AdbError> {
    let mut all = Vec::new();
    let mut pieces = Buffered::new(wire);
    loop {
        let piece = pieces.next(usize::MAX)?;
        if piece.is_empty() {
            return Ok(all);
        }
        all.extend_from_slice(piece);
        if all.len() > MOST_OUTPUT {
            return Err(pieces.nonsense(format_args!("more than {MOST_OUTPUT} bytes")));
        }
    }
}
