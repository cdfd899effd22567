//! Files of the phone.

/// What is known of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Its mode.
    pub mode: u32,
    /// Its size.
    pub size: u64,
    /// When it was changed, in seconds since 1970.
    pub modified: u32,
}
