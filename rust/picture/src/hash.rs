//! A picture's looks in 64 bits: where it gets darker from left to right.
//!
//! The bits are those other implementations compute, so that hashes can be compared with theirs.
//! The sampling is what libvips does for its kernel "nearest": every n-th pixel first, and the
//! nearest of those.

use crate::Pixels;

const COLUMNS: usize = 9;
const ROWS: usize = 8;
/// Clock, battery and keys change without the screen being another.
const TOP_BAR: f64 = 0.07;
const BOTTOM_BAR: f64 = 0.11;
/// A picture of which less would be left keeps its bars.
const LEAST_ROWS: usize = 200;
/// Differences up to here are noise.
const NOISE: u8 = 3;

/// The hash, in 16 hexadecimal digits.
#[must_use]
pub fn visual_hash(picture: &Pixels) -> String {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let (top, rows) = without_bars(height);
    let (across, down) = (samples(width, COLUMNS), samples(rows, ROWS));
    let mut bits = 0_u64;
    for (row, y) in down.iter().enumerate() {
        let grey: Vec<u8> = across.iter().map(|x| picture.grey(*x, top + y)).collect();
        for (column, pair) in grey.windows(2).enumerate() {
            if pair[0].saturating_sub(pair[1]) > NOISE {
                bits |= 1 << (row * 8 + column);
            }
        }
    }
    format!("{bits:016x}")
}

/// The first row that counts, and how many do.
fn without_bars(height: usize) -> (usize, usize) {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a part of a picture's height"
    )]
    let part = |share: f64| (height as f64 * share + 0.5).floor() as usize;
    let (top, bottom) = (part(TOP_BAR), part(BOTTOM_BAR));
    match height.checked_sub(top + bottom) {
        Some(rows) if rows >= LEAST_ROWS => (top, rows),
        _ => (0, height),
    }
}

/// Which of `size` pixels stand for `count` of them.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "pixels of a screen, and never below zero"
)]
fn samples(size: usize, count: usize) -> Vec<usize> {
    // The order of these operations decides which pixel is taken where two are as near.
    let shrink = size as f64 / count as f64;
    let every = ((shrink / 2.0).floor() as usize).max(1);
    let kept = size / every;
    let step = shrink / every as f64;
    let beyond = count as f64 * step - kept as f64;
    let offset = f64::midpoint(1.0, beyond) - 1.0;
    let mut at = 0.5 * step - 0.5 - offset;
    let mut taken = Vec::with_capacity(count);
    for _ in 0..count {
        taken.push((at.max(0.0) as usize).min(kept.saturating_sub(1)) * every);
        at += step;
    }
    taken
}

/// In how many bits two hashes differ; `None` where they cannot be compared.
#[must_use]
pub fn distance(one: &str, other: &str) -> Option<u32> {
    if one.is_empty() || one.len() != other.len() {
        return None;
    }
    let digits = one.chars().zip(other.chars());
    digits.map(|(a, b)| Some((a.to_digit(16)? ^ b.to_digit(16)?).count_ones())).sum()
}

/// Says nothing: all flat screens look like this.
#[must_use]
pub fn is_flat(hash: &str) -> bool {
    hash.bytes().all(|digit| digit == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(x: usize, of_the_screen: bool) -> String {
        let mut picture = Pixels::filled(1080, 2400, [20, 24, 28]);
        for y in 520..1420 {
            let row = y * 1080 * 3;
            picture.rgb[row + x * 3..row + (x + 360) * 3].fill(255);
        }
        if of_the_screen {
            return visual_hash(&picture);
        }
        visual_hash(&picture.resized(768, 1707).unwrap())
    }

    #[test]
    fn known_screens_have_known_hashes() {
        assert_eq!(screen(120, false), "0000000909090000");
        assert_eq!(screen(600, false), "0000008080800000");
        assert_eq!(screen(120, true), "0000000808080800");
        assert_eq!(screen(600, true), "0000008080808000");
        assert_eq!(visual_hash(&Pixels::filled(300, 600, [9, 9, 9])), "0".repeat(16));
    }

    #[test]
    fn the_pixels_are_those_libvips_takes() {
        for (size, count, expected) in [
            (768, 9, vec![0, 84, 168, 252, 378, 462, 546, 630, 714]),
            (706, 9, vec![0, 78, 156, 234, 312, 429, 507, 585, 663]),
            (1080, 9, vec![60, 180, 300, 420, 540, 660, 780, 900, 1020]),
            (1707, 9, vec![0, 188, 376, 564, 846, 1034, 1222, 1410, 1598]),
            (800, 9, vec![0, 88, 176, 264, 396, 484, 572, 660, 748]),
            (100, 9, vec![5, 15, 25, 35, 50, 60, 70, 80, 90]),
            (12, 9, vec![0, 2, 3, 4, 5, 7, 8, 10, 11]),
            (9, 9, (0..9).collect()),
            (1400, 8, vec![0, 174, 348, 522, 783, 957, 1131, 1305]),
            (1286, 8, vec![0, 160, 320, 480, 720, 880, 1040, 1200]),
            (1968, 8, vec![123, 369, 615, 861, 1107, 1353, 1599, 1845]),
            (220, 8, vec![0, 26, 52, 78, 117, 143, 169, 195]),
        ] {
            assert_eq!(samples(size, count), expected, "{size} to {count}");
        }
    }

    #[test]
    fn hashes_differ_in_as_many_bits_as_they_do() {
        assert_eq!(distance("0000000909090000", "0000008080800000"), Some(9));
        assert_eq!(distance("00ff", "00FF"), Some(0));
        for (one, other) in [("", ""), ("00", "000"), ("0g", "00")] {
            assert_eq!(distance(one, other), None);
        }
    }

    #[test]
    fn a_small_picture_is_looked_at_as_a_whole() {
        assert_eq!(without_bars(1707), (119, 1400));
        assert_eq!(without_bars(220), (0, 220));
        let tiny = Pixels::filled(3, 2, [1, 2, 3]);
        assert_eq!(visual_hash(&tiny), "0".repeat(16));
    }
}
