//! What a host asks: four letters, a length, and a path of that length.

use std::io::{self, Read};

use super::MAX_DATA;
use crate::files::FileError;

/// The longest path; adbd has the same limit.
const MAX_PATH_BYTES: usize = 1024;

/// Which form of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// A path as it came.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target(Vec<u8>);

impl Target {
    /// As text; what is not text names nothing that we have.
    pub(super) fn path(&self) -> Result<&str, FileError> {
        std::str::from_utf8(&self.0).map_err(|_| FileError::NotFound)
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// `STAT`, which never follows links.
    Stat { id: [u8; 4], target: Target },
    /// `STA2` and `LST2`.
    Stat2 { id: [u8; 4], target: Target, follow: bool },
    /// `LIST` and `LIS2`.
    List { version: Version, target: Target },
    /// `RECV` and `RCV2`: to the host.
    Receive { target: Target, flags: u32 },
    /// `SEND` and `SND2`: from the host.
    Send { target: Target, mode: u32, flags: u32 },
    /// `QUIT`, or the host has closed.
    Quit,
    /// Nothing that can be answered.
    Broken(&'static str),
}

impl Request {
    pub(super) fn read(stream: &mut impl Read) -> io::Result<Self> {
        let mut id = [0; 4];
        // Between two requests a host may just go.
        if stream.read(&mut id[..1])? == 0 {
            return Ok(Self::Quit);
        }
        stream.read_exact(&mut id[1..])?;
        let length = read_u32(stream)?;
        if &id == b"QUIT" {
            return Ok(Self::Quit);
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > MAX_PATH_BYTES {
            return Ok(Self::Broken("path too long"));
        }
        let mut path = vec![0; length];
        stream.read_exact(&mut path)?;
        let target = Target(path);
        Ok(match &id {
            b"STAT" => Self::Stat { id, target },
            b"STA2" => Self::Stat2 { id, target, follow: true },
            b"LST2" => Self::Stat2 { id, target, follow: false },
            b"LIST" => Self::List { version: Version::One, target },
            b"LIS2" => Self::List { version: Version::Two, target },
            b"RECV" => Self::Receive { target, flags: 0 },
            b"RCV2" => match second_part(stream, id)? {
                Some([flags]) => Self::Receive { target, flags },
                None => Self::Broken("RCV2 without its second part"),
            },
            b"SEND" => match mode_after_comma(target.0) {
                Some((path, mode)) => Self::Send { target: Target(path), mode, flags: 0 },
                None => Self::Broken("missing , in ID_SEND"),
            },
            b"SND2" => match second_part(stream, id)? {
                Some([mode, flags]) => Self::Send { target, mode, flags },
                None => Self::Broken("SND2 without its second part"),
            },
            _ => Self::Broken("unknown request"),
        })
    }
}

/// The same four letters again and some numbers: what the second versions added.
fn second_part<const N: usize>(
    stream: &mut impl Read,
    id: [u8; 4],
) -> io::Result<Option<[u32; N]>> {
    let mut again = [0; 4];
    stream.read_exact(&mut again)?;
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = read_u32(stream)?;
    }
    Ok((again == id).then_some(numbers))
}

/// `PATH,MODE` with a decimal mode; a path may have commas of its own.
fn mode_after_comma(mut path: Vec<u8>) -> Option<(Vec<u8>, u32)> {
    let comma = path.iter().rposition(|byte| *byte == b',')?;
    let mode = std::str::from_utf8(&path[comma + 1..]).ok()?.parse().ok()?;
    path.truncate(comma);
    Some((path, mode))
}

/// What came of receiving a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Received {
    All {
        content: Vec<u8>,
        mtime: u32,
    },
    /// It was more than there is room for, and was not kept.
    TooMuch {
        mtime: u32,
    },
    Broken(&'static str),
}

/// Reads `DATA`s until their `DONE`, keeping at most `room` bytes.
pub(super) fn receive(stream: &mut impl Read, room: u64) -> io::Result<Received> {
    let mut content = Vec::new();
    let mut overflowed = false;
    loop {
        let mut id = [0; 4];
        stream.read_exact(&mut id)?;
        let number = read_u32(stream)?;
        match &id {
            b"DATA" => {}
            b"DONE" if overflowed => return Ok(Received::TooMuch { mtime: number }),
            b"DONE" => {
                content.shrink_to_fit();
                return Ok(Received::All { content, mtime: number });
            }
            _ => return Ok(Received::Broken("neither DATA nor DONE")),
        }
        let length = usize::try_from(number).unwrap_or(usize::MAX);
        if length > MAX_DATA {
            return Ok(Received::Broken("oversize data message"));
        }
        overflowed = overflowed || content.len() as u64 + length as u64 > room;
        let mut block = stream.take(length as u64);
        let copied = if overflowed {
            content = Vec::new();
            io::copy(&mut block, &mut io::sink())?
        } else {
            io::copy(&mut block, &mut content)?
        };
        if copied < length as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

fn read_u32(stream: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}
