//! The table of resources, for the few attributes of a manifest that point into it: an app's name
//! nearly always does.
//!
//! A phone looks a name up when it shows it, not when it installs: what cannot be found here is
//! merely not known.

use crate::Value;
use crate::bytes::{Chunk, size_at, u16_at, u32_at};
use crate::pool::Pool;
use crate::zip::Archive;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

const TABLE: u16 = 0x0002;
const PACKAGE: u16 = 0x0200;
const TYPE: u16 = 0x0201;

/// Real tables have 1 MB or so, those of the largest apps some tens.
const MAX_TABLE: usize = 64 << 20;

/// How many references are followed, all in all. Each one goes through the whole table, and a
/// reference may lead to the next, in a circle too.
const MAX_LOOKUPS: u32 = 64;

const SPARSE: u8 = 1;
const SHORT_OFFSETS: u8 = 2;
const COMPLEX: u16 = 1;
const COMPACT: u16 = 8;

/// Unpacked only when something points into it.
pub(crate) struct Resources<'z, 'a> {
    archive: &'z Archive<'a>,
    table: OnceCell<Option<Cow<'a, [u8]>>>,
    lookups: Cell<u32>,
}

impl<'z, 'a> Resources<'z, 'a> {
    pub(crate) fn new(archive: &'z Archive<'a>) -> Self {
        Self { archive, table: OnceCell::new(), lookups: Cell::new(0) }
    }

    /// The value itself, or what it refers to; never a reference.
    pub(crate) fn resolve<'v>(&'v self, value: Value<'v>) -> Option<Value<'v>> {
        let mut value = value;
        while let Value::Reference(id) = value {
            if self.lookups.get() >= MAX_LOOKUPS {
                return None;
            }
            self.lookups.set(self.lookups.get() + 1);
            let table =
                self.table.get_or_init(|| self.archive.read("resources.arsc", MAX_TABLE).ok());
            value = look_up(table.as_deref()?, id)?;
        }
        Some(value)
    }
}

/// The value in the default configuration; in the first one that has it, where that has not.
fn look_up(table: &[u8], id: u32) -> Option<Value<'_>> {
    let [package_id, type_id, high, low] = id.to_be_bytes();
    let entry = usize::from(u16::from_be_bytes([high, low]));
    let (table, _) = Chunk::split(table).filter(|(chunk, _)| chunk.kind == TABLE)?;
    let mut pool = None;
    let mut found = None;
    for chunk in table.children().map_while(Result::ok) {
        if pool.is_none() {
            pool = Pool::read(&chunk);
        }
        if chunk.kind != PACKAGE || u32_at(chunk.bytes, 8) != Some(u32::from(package_id)) {
            continue;
        }
        let types = chunk
            .children()
            .map_while(Result::ok)
            .filter(|chunk| chunk.kind == TYPE && chunk.bytes.get(8) == Some(&type_id));
        for chunk in types {
            let Some((kind, data)) = entry_of(&chunk, entry) else { continue };
            if is_default(&chunk) {
                return Value::typed(kind, data, &pool?);
            }
            found = found.or(Some((kind, data)));
        }
    }
    let (kind, data) = found?;
    Value::typed(kind, data, &pool?)
}

/// A configuration begins with its size; the default asks for nothing.
fn is_default(chunk: &Chunk<'_>) -> bool {
    let config =
        size_at(chunk.bytes, 20).and_then(|size| chunk.bytes.get(24..size.checked_add(20)?));
    config.is_some_and(|config| config.iter().all(|byte| *byte == 0))
}

/// The kind and the data of one entry of a type; `None` where it has none, or a list.
fn entry_of(chunk: &Chunk<'_>, entry: usize) -> Option<(u8, u32)> {
    let flags = *chunk.bytes.get(9)?;
    let count = size_at(chunk.bytes, 12)?;
    let start = size_at(chunk.bytes, 16)?;
    let offset = if flags & SPARSE != 0 {
        let (pairs, _) = chunk.body.get(..count.checked_mul(4)?)?.as_chunks::<4>();
        let pair =
            pairs.iter().find(|pair| u16_at(&pair[..], 0).map(usize::from) == Some(entry))?;
        usize::from(u16_at(&pair[..], 2)?) * 4
    } else if entry >= count {
        return None;
    } else if flags & SHORT_OFFSETS != 0 {
        let offset = u16_at(chunk.body, entry * 2).filter(|offset| *offset != u16::MAX)?;
        usize::from(offset) * 4
    } else {
        size_at(chunk.body, entry * 4)?
    };
    let bytes = chunk.bytes.get(start.checked_add(offset)?..)?;
    let size = u16_at(bytes, 0)?;
    let flags = u16_at(bytes, 2)?;
    if flags & COMPACT != 0 {
        let [_, kind] = flags.to_le_bytes();
        return Some((kind, u32_at(bytes, 4)?));
    }
    if flags & COMPLEX != 0 {
        return None;
    }
    let value = bytes.get(usize::from(size)..)?;
    Some((*value.get(3)?, u32_at(value, 4)?))
}
