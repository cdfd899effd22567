//! PNG, written as fast as it can be: screens are flat, so each row is stored as its difference to
//! the one above, and a compressor made for such data packs it in a few milliseconds.

use std::io;

/// An opaque picture; the fourth byte of each pixel is left out.
pub(super) fn encode(width: u32, height: u32, rgba: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits a channel, red green blue, and the only compression, filtering and order of rows
    // that every reader knows.
    header.extend([8, 2, 0, 0, 0]);

    let mut out = Vec::with_capacity(rgba.len() / 16);
    out.extend(b"\x89PNG\r\n\x1a\n");
    chunk(&mut out, *b"IHDR", &header);
    // Writing to memory cannot fail.
    chunk(&mut out, *b"IDAT", &rows(width, rgba).unwrap_or_default());
    chunk(&mut out, *b"IEND", &[]);
    out
}

/// The filter that stores a byte as the difference to the byte above it.
const UP: u8 = 2;

fn rows(width: u32, rgba: &[u8]) -> io::Result<Vec<u8>> {
    let stride = (width as usize * 4).max(4);
    let mut compressor = fdeflate::Compressor::new(Vec::new())?;
    let mut above: &[u8] = &vec![0; stride];
    let mut line = Vec::with_capacity(stride);
    for row in rgba.chunks_exact(stride) {
        line.clear();
        line.push(UP);
        for (pixel, over) in row.as_chunks::<4>().0.iter().zip(above.as_chunks::<4>().0) {
            let difference = [0, 1, 2].map(|channel| pixel[channel].wrapping_sub(over[channel]));
            line.extend_from_slice(&difference);
        }
        compressor.write_data(&line)?;
        above = row;
    }
    compressor.finish()
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
