//! Little-endian numbers and the chunks that binary XML and tables of resources are made of.

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// A number of 32 bits that is an offset or a size.
pub(crate) fn size_at(bytes: &[u8], at: usize) -> Option<usize> {
    u32_at(bytes, at).and_then(|size| usize::try_from(size).ok())
}

pub(crate) fn slice(bytes: &[u8], at: usize, size: usize) -> Option<&[u8]> {
    bytes.get(at..)?.get(..size)
}

/// A chunk begins with its kind, the size of its header and its size.
const CHUNK_HEADER: usize = 8;

#[derive(Clone, Copy)]
pub(crate) struct Chunk<'a> {
    pub(crate) kind: u16,
    /// All of it, header and all.
    pub(crate) bytes: &'a [u8],
    /// What follows the header.
    pub(crate) body: &'a [u8],
    /// How large the header is.
    pub(crate) header: usize,
}

impl<'a> Chunk<'a> {
    /// The chunk that the bytes begin with, and what follows it.
    pub(crate) fn split(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let header = usize::from(u16_at(bytes, 2)?);
        let size = size_at(bytes, 4)?;
        // Android insists on multiples of four as well.
        if header < CHUNK_HEADER || (header | size) % 4 != 0 {
            return None;
        }
        let (chunk, rest) = bytes.split_at_checked(size)?;
        Some((
            Self { kind: u16_at(chunk, 0)?, bytes: chunk, body: chunk.get(header..)?, header },
            rest,
        ))
    }

    /// The chunks inside of it, one after the other; an error for the first one that is broken,
    /// and nothing after it.
    pub(crate) fn children(&self) -> impl Iterator<Item = Result<Chunk<'a>, Broken>> + use<'a> {
        let mut rest = self.body;
        std::iter::from_fn(move || {
            if rest.len() < CHUNK_HEADER {
                return None;
            }
            let Some((chunk, after)) = Chunk::split(rest) else {
                rest = &[];
                return Some(Err(Broken));
            };
            rest = after;
            Some(Ok(chunk))
        })
    }
}

/// A chunk whose sizes cannot be.
#[derive(Debug)]
pub(crate) struct Broken;
