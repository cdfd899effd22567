//! Every number that changes its kind, in one place.
//!
//! Coordinates are clamped to a few thousand pixels before they come here, so that nothing is lost
//! on the way. Rust's float casts saturate and turn "not a number" into zero: a hostile tree gives
//! an odd picture, never a fault.

/// A coordinate, to calculate with. Exact: coordinates stay far below 2^24.
pub(super) fn float(value: i32) -> f32 {
    value as f32
}

/// A count, to calculate with.
pub(super) fn float_of(count: usize) -> f32 {
    count as f32
}

/// The nearest whole number.
#[allow(clippy::cast_possible_truncation, reason = "saturates, see above")]
pub(super) fn round(value: f32) -> i32 {
    value.round() as i32
}

/// The next whole number at or below.
#[allow(clippy::cast_possible_truncation, reason = "saturates, see above")]
pub(super) fn floor(value: f32) -> i32 {
    value.floor() as i32
}

/// The next whole number at or above.
#[allow(clippy::cast_possible_truncation, reason = "saturates, see above")]
pub(super) fn ceil(value: f32) -> i32 {
    value.ceil() as i32
}

/// A share between nothing (0) and all (1), as a byte.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
pub(super) fn byte(share: f32) -> u8 {
    (share * 255.0).round().clamp(0.0, 255.0) as u8
}

/// A place in a buffer; what lies before the buffer is its beginning.
pub(super) fn index(value: i32) -> usize {
    usize::try_from(value).unwrap_or(0)
}

/// A size of something in memory; it is limited long before it could be too large.
pub(super) fn size(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
