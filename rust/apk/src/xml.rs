//! Android's binary XML: a pool of strings, the ids of the framework's attributes, and then the
//! elements as they open and close.

use crate::bytes::{Broken, Chunk, slice, u16_at, u32_at};
use crate::pool::Pool;
use crate::{ApkError, Value};
use std::borrow::Cow;

const XML: u16 = 0x0003;
const POOL: u16 = 0x0001;
const ATTRIBUTE_IDS: u16 = 0x0180;
const START: u16 = 0x0102;
const END: u16 = 0x0103;

/// What stands for no string.
const NONE: u32 = u32::MAX;

/// An attribute has a namespace, a name, its text in the source and a typed value.
const ATTRIBUTE_SIZE: usize = 20;

/// An element that opens.
pub(crate) struct Element<'x, 'a> {
    pool: &'x Pool<'a>,
    ids: &'a [u8],
    name: u32,
    attributes: &'a [u8],
    stride: usize,
    /// The line in the file it was made from.
    pub(crate) line: u32,
}

/// Who hears of the elements.
pub(crate) trait Listener {
    /// An element opens.
    fn start(&mut self, element: &Element<'_, '_>) -> Result<(), ApkError>;
    /// The element that was opened last closes.
    fn end(&mut self);
}

/// Reads a document; the listener hears of as many ends as of starts.
pub(crate) fn read(bytes: &[u8], listener: &mut impl Listener) -> Result<(), ApkError> {
    let (document, _) = Chunk::split(bytes)
        .filter(|(chunk, _)| chunk.kind == XML)
        .ok_or(ApkError::CorruptXml("it does not begin as binary XML does"))?;
    let mut pool = Pool::default();
    let mut ids: &[u8] = &[];
    let mut depth = 0usize;
    for chunk in document.children() {
        let chunk = chunk.map_err(|Broken| ApkError::CorruptXml("a chunk has a wrong size"))?;
        match chunk.kind {
            POOL => {
                pool = Pool::read(&chunk)
                    .ok_or(ApkError::CorruptXml("the pool of strings is broken"))?;
            }
            ATTRIBUTE_IDS => ids = chunk.body,
            START => {
                let element = Element::read(&chunk, &pool, ids)
                    .ok_or(ApkError::CorruptXml("an element is broken"))?;
                depth += 1;
                listener.start(&element)?;
            }
            END => {
                depth = depth
                    .checked_sub(1)
                    .ok_or(ApkError::CorruptXml("an element closes that never opened"))?;
                listener.end();
                if depth == 0 {
                    // What follows the root is no part of the document.
                    return Ok(());
                }
            }
            _ => {}
        }
    }
    if depth == 0 { Ok(()) } else { Err(ApkError::CorruptXml("it ends inside of an element")) }
}

impl<'x, 'a> Element<'x, 'a> {
    fn read(chunk: &Chunk<'a>, pool: &'x Pool<'a>, ids: &'a [u8]) -> Option<Self> {
        let body = chunk.body;
        let start = usize::from(u16_at(body, 8)?);
        let stride = usize::from(u16_at(body, 10)?);
        let count = usize::from(u16_at(body, 12)?);
        if count > 0 && stride < ATTRIBUTE_SIZE {
            return None;
        }
        Some(Self {
            pool,
            ids,
            name: u32_at(body, 4)?,
            attributes: slice(body, start, stride.checked_mul(count)?)?,
            stride: stride.max(ATTRIBUTE_SIZE),
            line: u32_at(chunk.bytes, 8)?,
        })
    }

    pub(crate) fn name(&self) -> Result<Cow<'a, str>, ApkError> {
        self.pool.get(self.name).ok_or(ApkError::CorruptXml("an element has no name"))
    }

    /// An attribute of the framework, by its id, as Android looks them up: their names may be
    /// anything.
    pub(crate) fn framework(&self, id: u32) -> Result<Option<Value<'a>>, ApkError> {
        let id_of = |attribute: &[u8]| {
            let name = usize::try_from(u32_at(attribute, 4)?).ok()?;
            u32_at(self.ids, name.checked_mul(4)?)
        };
        self.value(self.attributes().find(|attribute| id_of(attribute) == Some(id)))
    }

    /// An attribute without a namespace, by its name.
    pub(crate) fn plain(&self, name: &str) -> Result<Option<Value<'a>>, ApkError> {
        self.value(self.attributes().find(|attribute| {
            u32_at(attribute, 0) == Some(NONE)
                && u32_at(attribute, 4).and_then(|index| self.pool.get(index)).as_deref()
                    == Some(name)
        }))
    }

    fn attributes(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.attributes.chunks_exact(self.stride)
    }

    fn value(&self, attribute: Option<&[u8]>) -> Result<Option<Value<'a>>, ApkError> {
        let Some(attribute) = attribute else { return Ok(None) };
        let kind = attribute.get(15).copied().unwrap_or_default();
        let data = u32_at(attribute, 16).unwrap_or_default();
        match Value::typed(kind, data, self.pool) {
            Some(value) => Ok(Some(value)),
            None => Err(ApkError::CorruptXml("an attribute's text cannot be read")),
        }
    }
}
