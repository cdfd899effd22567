//! Whether an APK carries signatures, and of which kinds. They are not verified: the phone does.

use crate::ApkError;
use crate::bytes::{slice, u32_at};
use crate::zip::Archive;

/// Ends the block of signatures, which stands just before the central directory.
const MAGIC: &[u8] = b"APK Sig Block 42";
/// The size of the block without this field itself, at its beginning and again before the magic.
const SIZE_FIELD: usize = 8;

const V2: u32 = 0x7109_871a;
/// The third scheme, and its form for keys that are changed.
const V3: [u32; 2] = [0xf053_68c0, 0x1b93_ad61];

/// From this target on a phone takes no APK that has only the first scheme.
const V1_IS_TOO_OLD: u32 = 30;

/// Which schemes an APK is signed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signatures {
    /// Files in `META-INF`, as in any signed jar.
    pub v1: bool,
    /// A signature over the whole file.
    pub v2: bool,
    /// The same, with a history of keys.
    pub v3: bool,
}

impl Signatures {
    /// Looks for them.
    ///
    /// # Errors
    ///
    /// Where the file is no zip.
    pub fn read(bytes: &[u8]) -> Result<Self, ApkError> {
        let archive = Archive::open(bytes).map_err(ApkError::NotZip)?;
        let blocks = block_ids(archive.before_directory()).unwrap_or_default();
        Ok(Self {
            v1: archive.names().any(is_v1),
            v2: blocks.contains(&V2),
            v3: V3.iter().any(|id| blocks.contains(id)),
        })
    }

    /// Are they enough for an app made for this API level?
    #[must_use]
    pub fn suffice_for(self, target_sdk: u32) -> bool {
        self.v2 || self.v3 || self.v1 && target_sdk < V1_IS_TOO_OLD
    }
}

fn is_v1(name: &str) -> bool {
    let Some(file) = name.strip_prefix("META-INF/") else { return false };
    let ends = [".RSA", ".DSA", ".EC"];
    let file = file.to_ascii_uppercase();
    !file.contains('/') && ends.iter().any(|end| file.ends_with(end))
}

/// Kinds of what the block of signatures holds; `None` where there is no whole one.
fn block_ids(before_directory: &[u8]) -> Option<Vec<u32>> {
    let before_magic = before_directory.strip_suffix(MAGIC)?;
    let (_, size) = before_magic.split_last_chunk::<SIZE_FIELD>()?;
    let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
    // From the first pair to the end of the magic.
    let start = before_directory.len().checked_sub(size)?;
    let first = start.checked_sub(SIZE_FIELD)?;
    let first: [u8; SIZE_FIELD] = slice(before_directory, first, SIZE_FIELD)?.try_into().ok()?;
    if usize::try_from(u64::from_le_bytes(first)).ok()? != size {
        return None;
    }
    let mut pairs = before_magic.get(start..before_magic.len().checked_sub(SIZE_FIELD)?)?;
    let mut ids = Vec::new();
    while let Some((size, rest)) = pairs.split_first_chunk::<SIZE_FIELD>() {
        let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
        ids.push(u32_at(rest.get(..size)?, 0)?);
        pairs = rest.get(size..)?;
    }
    Some(ids)
}
