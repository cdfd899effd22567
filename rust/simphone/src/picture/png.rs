//! PNG, written quickly: screens are flat and repeat themselves, so that the lowest level of
//! compression finds nearly everything there is to find, without any filtering of rows.

use miniz_oxide::deflate::compress_to_vec_zlib;

/// The lowest level there is. The next one takes twice as long and saves a fifth.
const LEVEL: u8 = 1;

/// An opaque picture; the fourth byte of each pixel is left out.
pub(super) fn encode(width: u32, height: u32, rgba: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits a channel, red green blue, and the only compression, set of filters and order of
    // rows that every reader knows.
    header.extend([8, 2, 0, 0, 0]);
    let mut out = Vec::with_capacity(rgba.len() / 16);
    out.extend(b"\x89PNG\r\n\x1a\n");
    chunk(&mut out, *b"IHDR", &header);
    chunk(&mut out, *b"IDAT", &compress_to_vec_zlib(&rows(width, rgba), LEVEL));
    chunk(&mut out, *b"IEND", &[]);
    out
}

/// Each row begins with its filter: none.
fn rows(width: u32, rgba: &[u8]) -> Vec<u8> {
    let stride = (width as usize * 4).max(4);
    let mut out = Vec::with_capacity(rgba.len() / 4 * 3 + rgba.len() / stride);
    for row in rgba.chunks_exact(stride) {
        out.push(0);
        out.extend(row.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]));
    }
    out
}

fn chunk(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    out.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend(kind);
    out.extend(data);
    let mut sum = crc32fast::Hasher::new();
    sum.update(&kind);
    sum.update(data);
    out.extend(sum.finalize().to_be_bytes());
}
