//! What a host is told, little-endian throughout.

use super::requests::Version;
use crate::files::{FileError, Stat};

/// Who owns everything here: `shell`, who is also who asks.
const SHELL_UID: u32 = 2000;

/// A name in a directory.
pub(super) type Entry = (String, Stat);

/// `OKAY` to a file that was sent.
pub(super) fn okay() -> Vec<u8> {
    message(*b"OKAY", 0, &[])
}

/// `FAIL`, and why, for the person at the host.
pub(super) fn fail(why: &str) -> Vec<u8> {
    message(*b"FAIL", length(why.as_bytes()), why.as_bytes())
}

/// A piece of a file.
pub(super) fn data(block: &[u8]) -> Vec<u8> {
    message(*b"DATA", length(block), block)
}

/// The end of a file.
pub(super) fn done() -> Vec<u8> {
    message(*b"DONE", 0, &[])
}

/// `STAT`: zeros when there is nothing.
pub(super) fn stat(id: [u8; 4], found: Option<Stat>) -> Vec<u8> {
    let mut bytes = id.to_vec();
    push_stat(&mut bytes, found);
    bytes
}

/// `STA2` and `LST2`: an error number, then all of `struct stat`.
pub(super) fn stat2(id: [u8; 4], found: Result<Stat, FileError>) -> Vec<u8> {
    let mut bytes = id.to_vec();
    push_stat2(&mut bytes, found);
    bytes
}

/// `LIST` and `LIS2`: an entry for each name, and an empty one called `DONE`.
pub(super) fn list(version: Version, entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, stat) in entries {
        match version {
            Version::One => {
                bytes.extend_from_slice(b"DENT");
                push_stat(&mut bytes, Some(*stat));
            }
            Version::Two => {
                bytes.extend_from_slice(b"DNT2");
                push_stat2(&mut bytes, Ok(*stat));
            }
        }
        push(&mut bytes, length(name.as_bytes()));
        bytes.extend_from_slice(name.as_bytes());
    }
    let zeros = match version {
        Version::One => 16,
        Version::Two => 72,
    };
    bytes.extend_from_slice(b"DONE");
    bytes.extend_from_slice(&[0; 72][..zeros]);
    bytes
}

/// Mode, size and time, 32 bits each.
fn push_stat(bytes: &mut Vec<u8>, found: Option<Stat>) {
    let (mode, size, mtime) = found.map_or((0, 0, 0), |stat| (stat.mode, stat.size, stat.mtime));
    push(bytes, mode);
    // Its lower half, as adbd does: the first version knows no files beyond 4 GiB.
    push(bytes, u32::try_from(size & u64::from(u32::MAX)).unwrap_or(0));
    push(bytes, mtime);
}

/// Error, device, inode, mode, links, owner, group, size and three times: 68 bytes.
fn push_stat2(bytes: &mut Vec<u8>, found: Result<Stat, FileError>) {
    let stat = match found {
        Ok(stat) => stat,
        Err(error) => {
            push(bytes, error.errno());
            bytes.extend_from_slice(&[0; 64]);
            return;
        }
    };
    push(bytes, 0);
    // Device and inode: no host looks at them.
    push_long(bytes, 0);
    push_long(bytes, 0);
    push(bytes, stat.mode);
    push(bytes, 1);
    push(bytes, SHELL_UID);
    push(bytes, SHELL_UID);
    push_long(bytes, stat.size);
    for _accessed_modified_changed in 0..3 {
        push_long(bytes, u64::from(stat.mtime));
    }
}

fn message(id: [u8; 4], number: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + data.len());
    bytes.extend_from_slice(&id);
    push(&mut bytes, number);
    bytes.extend_from_slice(data);
    bytes
}

fn push(bytes: &mut Vec<u8>, number: u32) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn push_long(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn length(data: &[u8]) -> u32 {
    // Names, messages and blocks: all far shorter.
    u32::try_from(data.len()).unwrap_or(u32::MAX)
}
