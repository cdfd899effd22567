//! `sync:`, the service behind `adb push`, `adb pull` and `adb ls`, over any [`Files`].
//!
//! Requests and answers follow one another on one stream until the host says `QUIT` or closes.
//! Whatever goes wrong with a file is told with `FAIL` and the service goes on; whatever is no
//! request at all is told with `FAIL` and ends it.

mod answers;
mod requests;

use std::io::{self, Read, Write};

use crate::files::{FileError, Files, REGULAR_FILE};
use requests::{Received, Request, Target};

/// The most that one `DATA` carries, in both directions; part of the protocol.
const MAX_DATA: usize = 64 * 1024;

/// Serves one `sync:` stream until its host is done with it.
///
/// # Errors
/// When the stream breaks in the middle of something.
pub fn serve(files: &dyn Files, stream: &mut (impl Read + Write)) -> io::Result<()> {
    loop {
        match Request::read(stream)? {
            Request::Quit => return Ok(()),
            Request::Broken(why) => {
                log::warn!("sync: closed: {why}");
                return stream.write_all(&answers::fail(why));
            }
            Request::Stat { id, target } => {
                let found = target.path().and_then(|path| files.lstat(path));
                stream.write_all(&answers::stat(id, found.ok()))?;
            }
            Request::Stat2 { id, target, follow } => {
                let found = target.path().and_then(|path| match follow {
                    true => files.stat(path),
                    false => files.lstat(path),
                });
                stream.write_all(&answers::stat2(id, found))?;
            }
            Request::List { version, target } => {
                let listed = target.path().and_then(|path| list(files, path));
                stream.write_all(&answers::list(version, &listed.unwrap_or_default()))?;
            }
            Request::Receive { target, flags } => send_to_host(files, &target, flags, stream)?,
            Request::Send { target, mode, flags } => {
                if !take_from_host(files, &target, mode, flags, stream)? {
                    return Ok(());
                }
            }
        }
    }
}

/// What is in a directory, with `.` and `..` first as `readdir` has them.
fn list(files: &dyn Files, path: &str) -> Result<Vec<answers::Entry>, FileError> {
    let listed = files.list(path)?;
    let mut entries = vec![
        (".".to_owned(), files.stat(path)?),
        ("..".to_owned(), files.stat(&format!("{path}/.."))?),
    ];
    entries.extend(listed);
    Ok(entries)
}

/// `adb pull` of one file.
fn send_to_host(
    files: &dyn Files,
    target: &Target,
    flags: u32,
    stream: &mut impl Write,
) -> io::Result<()> {
    if flags != 0 {
        return stream.write_all(&answers::fail("compression is not supported"));
    }
    let content = match target.path().and_then(|path| files.read(path)) {
        Ok(content) => content,
        Err(error) => return stream.write_all(&answers::fail(&format!("open failed: {error}"))),
    };
    for block in content.chunks(MAX_DATA) {
        stream.write_all(&answers::data(block))?;
    }
    stream.write_all(&answers::done())
}

/// `adb push` of one file; `false` when the host broke the protocol and the service must end.
///
/// The file appears whole at its `DONE`, or not at all: a link cut in the middle leaves nothing.
fn take_from_host(
    files: &dyn Files,
    target: &Target,
    mode: u32,
    flags: u32,
    stream: &mut (impl Read + Write),
) -> io::Result<bool> {
    let room = match target.path() {
        Ok(path) if flags == 0 => files.room(path),
        _ => 0,
    };
    // To the end even when it cannot be kept: the host hears of it only when it has sent all.
    let (content, mtime, overflowed) = match requests::receive(stream, room)? {
        Received::All { content, mtime } => (content, mtime, false),
        Received::TooMuch { mtime } => (Vec::new(), mtime, true),
        Received::Broken(why) => {
            log::warn!("sync: closed: {why}");
            stream.write_all(&answers::fail(why))?;
            return Ok(false);
        }
    };
    // The host may send permissions alone.
    let mode = if mode < REGULAR_FILE { REGULAR_FILE | mode } else { mode };
    let answer = match target.path() {
        _ if flags != 0 => answers::fail("compression and dry runs are not supported"),
        Err(error) => answers::fail(&format!("couldn't create file: {error}")),
        Ok(_) if overflowed => answers::fail(&format!("write failed: {}", FileError::NoSpace)),
        Ok(path) => match files.write(path, mode, mtime, content) {
            Ok(()) => answers::okay(),
            Err(error) => answers::fail(&format!("couldn't create file: {error}")),
        },
    };
    stream.write_all(&answer)?;
    Ok(true)
}
