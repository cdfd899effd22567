//! Files of the phone.
//!
//! Words of four letters, each with a number of 32 bits, which mostly is the length of what follows.

use crate::AdbError;
use crate::buffered::Buffered;
use crate::wire::Wire;
use std::io::{ErrorKind, Read, Write};

/// The most that one `DATA` may carry, by the protocol.
const CHUNK: usize = 64 * 1024;
/// A word and its number.
const HEADER: usize = 8;
/// The kind of file every pushed one is.
const REGULAR: u32 = 0o100_000;

/// What is known of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Its mode.
    pub mode: u32,
    /// Its size. The protocol has 32 bits for it.
    pub size: u64,
    /// When it was changed, in seconds since 1970.
    pub modified: u32,
}

pub(crate) fn stat(mut wire: Wire, path: &str) -> Result<Option<Stat>, AdbError> {
    wire.write(&request(*b"STAT", path))?;
    let mut answers = Buffered::new(&mut wire);
    let word = answers.take::<4>()?;
    if word == *b"FAIL" {
        let length = number(answers.take()?);
        return Err(failure(&mut answers, path, length));
    }
    if word != *b"STAT" {
        return Err(unknown(&answers, word));
    }
    let [mode, size, modified] =
        [number(answers.take()?), number(answers.take()?), number(answers.take()?)];
    let stat = Stat { mode, size: size.into(), modified };
    Ok(Some(stat).filter(|_| mode != 0))
}

pub(crate) fn pull(mut wire: Wire, path: &str, into: &mut dyn Write) -> Result<u64, AdbError> {
    wire.write(&request(*b"RECV", path))?;
    let mut answers = Buffered::new(&mut wire);
    let mut copied = 0;
    loop {
        let (word, length) = (answers.take::<4>()?, number(answers.take()?));
        match &word {
            b"DATA" => {}
            b"DONE" => break,
            b"FAIL" => return Err(failure(&mut answers, path, length)),
            _ => return Err(unknown(&answers, word)),
        }
        let count = size(length);
        if count > CHUNK {
            return Err(answers.nonsense(format_args!("{count} bytes of a file at once")));
        }
        answers.each(count, |bytes| into.write_all(bytes).map_err(|error| local(&error)))?;
        copied += u64::from(length);
    }
    into.flush().map_err(|error| local(&error))?;
    Ok(copied)
}

pub(crate) fn push(
    mut wire: Wire,
    from: &mut dyn Read,
    path: &str,
    mode: u32,
    modified: u32,
) -> Result<u64, AdbError> {
    let sent = send(&mut wire, from, path, mode, modified);
    match sent {
        // A phone that gives up may hang up before all is sent; it said why before.
        Ok(_) | Err(AdbError::ServerDied { .. }) => {}
        Err(error) => return Err(error),
    }
    let mut answers = Buffered::new(&mut wire);
    let (word, length) = (answers.take::<4>()?, number(answers.take()?));
    match &word {
        b"OKAY" => sent,
        b"FAIL" => Err(failure(&mut answers, path, length)),
        _ => Err(unknown(&answers, word)),
    }
}

fn send(
    wire: &mut Wire,
    from: &mut dyn Read,
    path: &str,
    mode: u32,
    modified: u32,
) -> Result<u64, AdbError> {
    let mode = REGULAR | (mode & 0o7777);
    wire.write(&request(*b"SEND", &format!("{path},{mode}")))?;
    let mut chunk = vec![0; HEADER + CHUNK];
    let mut sent = 0;
    loop {
        let count = match from.read(&mut chunk[HEADER..]) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // The file is not finished, so the phone throws away what it has.
            Err(error) => return Err(local(&error)),
        };
        let length = u32::try_from(count).unwrap_or(0);
        chunk[..HEADER].copy_from_slice(&header(*b"DATA", length));
        wire.write(&chunk[..HEADER + count])?;
        sent += u64::from(length);
    }
    wire.write(&header(*b"DONE", modified))?;
    Ok(sent)
}

fn header(word: [u8; 4], number: u32) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..4].copy_from_slice(&word);
    header[4..].copy_from_slice(&number.to_le_bytes());
    header
}

fn request(word: [u8; 4], path: &str) -> Vec<u8> {
    // Longer than this the phone refuses anyway: it takes 1024 bytes.
    let length = u32::try_from(path.len()).unwrap_or(u32::MAX);
    [&header(word, length), path.as_bytes()].concat()
}

fn number(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Reads why the phone gave up.
fn failure(answers: &mut Buffered<'_>, path: &str, length: u32) -> AdbError {
    if size(length) > CHUNK {
        return answers.nonsense(format_args!("a failure of {length} bytes"));
    }
    let mut text = Vec::new();
    let read = answers.each(size(length), |bytes| {
        text.extend_from_slice(bytes);
        Ok(())
    });
    let message = || String::from_utf8_lossy(&text).trim_end().to_owned();
    read.map_or_else(
        |error| error,
        |()| AdbError::RemoteFile { path: path.into(), message: message() },
    )
}

fn unknown(answers: &Buffered<'_>, word: [u8; 4]) -> AdbError {
    answers.nonsense(format_args!("\"{}\"", word.escape_ascii()))
}

fn local(error: &std::io::Error) -> AdbError {
    AdbError::LocalFile { message: error.to_string() }
}
