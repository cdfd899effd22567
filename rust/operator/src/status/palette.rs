//! Colours. Text on each of them has a contrast of at least 4.5 to 1.

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Color(pub(super) [u8; 3]);

/// The colours of a page.
#[derive(Debug)]
pub(super) struct Palette {
    pub(super) page: Color,
    pub(super) text: Color,
    /// Labels and what matters less.
    pub(super) dim: Color,
    /// Behind a command to type.
    pub(super) inset: Color,
    pub(super) on: Color,
    pub(super) off: Color,
    /// On either of them.
    pub(super) on_state: Color,
    /// The track of the switch, on either of them.
    pub(super) track: [Color; 2],
    pub(super) button: Color,
    pub(super) on_button: Color,
}

/// The first colour is also the theme's, in the app's resources: it is seen before the first
/// picture.
pub(super) const LIGHT: Palette = Palette {
    page: Color([0xfa, 0xfa, 0xfa]),
    text: Color([0x1c, 0x1b, 0x1f]),
    dim: Color([0x5b, 0x5d, 0x63]),
    inset: Color([0xe8, 0xea, 0xed]),
    on: Color([0x18, 0x6f, 0x37]),
    off: Color([0xa6, 0x35, 0x1c]),
    on_state: Color([0xff, 0xff, 0xff]),
    track: [Color([0xc7, 0x7f, 0x6e]), Color([0x6d, 0xa8, 0x80])],
    button: Color([0x1a, 0x56, 0xb0]),
    on_button: Color([0xff, 0xff, 0xff]),
};

pub(super) const DARK: Palette = Palette {
    page: Color([0x12, 0x12, 0x14]),
    text: Color([0xe6, 0xe3, 0xe8]),
    dim: Color([0xa9, 0xa8, 0xb0]),
    inset: Color([0x2a, 0x2b, 0x30]),
    on: Color([0x17, 0x5c, 0x30]),
    off: Color([0x84, 0x2d, 0x19]),
    on_state: Color([0xff, 0xff, 0xff]),
    track: [Color([0xb0, 0x72, 0x63]), Color([0x63, 0x9b, 0x75])],
    button: Color([0xa8, 0xc7, 0xfa]),
    on_button: Color([0x0a, 0x2a, 0x5c]),
};
