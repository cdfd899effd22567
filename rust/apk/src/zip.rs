//! As much of zip as an APK needs, as strict as Android's own reader: nothing after the end
//! record, a local header at the very beginning, no name twice, no zip64.

use crate::bytes::{size_at, slice, u16_at, u32_at};
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

const LOCAL: u32 = 0x0403_4b50;
const LOCAL_SIZE: usize = 30;
const CENTRAL: u32 = 0x0201_4b50;
const CENTRAL_SIZE: usize = 46;
const END: u32 = 0x0605_4b50;
const END_SIZE: usize = 22;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// An archive that is whole, with all its names; what they hold is looked at when it is read.
pub(crate) struct Archive<'a> {
    /// Everything before the central directory.
    files: &'a [u8],
    entries: HashMap<&'a str, Entry>,
}

struct Entry {
    method: u16,
    sum: u32,
    packed: usize,
    size: usize,
    at: usize,
}

/// Why an entry cannot be had.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Missing,
    TooLarge,
    Damaged(&'static str),
}

impl<'a> Archive<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, &'static str> {
        let end_at = find_end(bytes).ok_or("it has no end of central directory")?;
        let end = bytes.get(end_at..).unwrap_or_default();
        let (Some(0), Some(count), Some(size), Some(at)) =
            (u32_at(end, 4), u16_at(end, 10), size_at(end, 12), size_at(end, 16))
        else {
            return Err("it is spread over several disks");
        };
        let directory = slice(bytes.get(..end_at).unwrap_or_default(), at, size)
            .ok_or("the central directory is not where the end record says")?;
        if u32_at(bytes, 0) != Some(LOCAL) {
            return Err("it does not begin with a file");
        }
        let mut archive =
            Self { files: bytes.get(..at).unwrap_or_default(), entries: HashMap::new() };
        let mut rest = directory;
        for _ in 0..count {
            let (name, entry, after) =
                next_entry(rest).ok_or("the central directory is damaged")?;
            if archive.entries.insert(name, entry).is_some() {
                return Err("two entries have the same name");
            }
            rest = after;
        }
        Ok(archive)
    }

    /// The names of all entries, in no order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.entries.keys().copied()
    }

    /// Everything before the central directory.
    pub(crate) fn before_directory(&self) -> &'a [u8] {
        self.files
    }

    /// What an entry holds, unpacked. Never allocates more than the limit.
    pub(crate) fn read(&self, name: &str, limit: usize) -> Result<Cow<'a, [u8]>, Unreadable> {
        let entry = self.entries.get(name).ok_or(Unreadable::Missing)?;
        if entry.size > limit {
            return Err(Unreadable::TooLarge);
        }
        let packed =
            self.packed(name, entry).ok_or(Unreadable::Damaged("the local header is wrong"))?;
        let content = match entry.method {
            STORED => Cow::Borrowed(packed),
            DEFLATED => decompress_to_vec_with_limit(packed, entry.size)
                .map(Cow::Owned)
                .map_err(|_| Unreadable::Damaged("it does not unpack"))?,
            _ => return Err(Unreadable::Damaged("the compression is unknown")),
        };
        if content.len() != entry.size {
            return Err(Unreadable::Damaged("it is not as large as the directory says"));
        }
        if crc32fast::hash(&content) != entry.sum {
            return Err(Unreadable::Damaged("the check sum is wrong"));
        }
        Ok(content)
    }

    fn packed(&self, name: &str, entry: &Entry) -> Option<&'a [u8]> {
        let local = self.files.get(entry.at..)?;
        let name_size = usize::from(u16_at(local, 26)?);
        let extra_size = usize::from(u16_at(local, 28)?);
        if u32_at(local, 0)? != LOCAL || slice(local, LOCAL_SIZE, name_size)? != name.as_bytes() {
            return None;
        }
        slice(local, LOCAL_SIZE + name_size + extra_size, entry.packed)
    }

    /// The folders of `lib/` with a library in them that Android would unpack: `lib*.so`.
    pub(crate) fn native_abis(&self) -> Vec<String> {
        let found: BTreeSet<&str> = self
            .entries
            .keys()
            .filter_map(|name| name.strip_prefix("lib/")?.split_once('/'))
            .filter(|(abi, file)| {
                !abi.is_empty() && file.starts_with("lib") && file.ends_with(".so")
            })
            .filter(|(_, file)| !file.contains('/'))
            .map(|(abi, _)| abi)
            .collect();
        found.into_iter().map(str::to_owned).collect()
    }
}

/// The last end record there is. Its comment must end where the file does.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_SIZE)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    let at = (first..=last).rev().find(|at| u32_at(bytes, *at) == Some(END))?;
    let comment = usize::from(u16_at(bytes, at.checked_add(20)?)?);
    (at + END_SIZE + comment == bytes.len()).then_some(at)
}

/// The entry that the directory begins with, and what follows it.
fn next_entry(directory: &[u8]) -> Option<(&str, Entry, &[u8])> {
    if u32_at(directory, 0)? != CENTRAL {
        return None;
    }
    let entry = Entry {
        method: u16_at(directory, 10)?,
        sum: u32_at(directory, 16)?,
        packed: size_at(directory, 20)?,
        size: size_at(directory, 24)?,
        at: size_at(directory, 42)?,
    };
    let name_size = usize::from(u16_at(directory, 28)?);
    let name = std::str::from_utf8(slice(directory, CENTRAL_SIZE, name_size)?).ok()?;
    let extra_size = usize::from(u16_at(directory, 30)?);
    let comment_size = usize::from(u16_at(directory, 32)?);
    let rest = directory.get(CENTRAL_SIZE + name_size + extra_size + comment_size..)?;
    (!name.contains('\0')).then_some((name, entry, rest))
}
