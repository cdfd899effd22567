//! The colours of Material 3, light theme, as Google's own apps have them.

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Color {
    pub(super) rgb: [u8; 3],
    pub(super) alpha: u8,
}

impl Color {
    /// An opaque colour from its usual spelling, `0xRRGGBB`.
    pub(super) const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self { rgb: [r, g, b], alpha: 255 }
    }

    /// The same colour, this opaque.
    pub(super) const fn alpha(self, alpha: u8) -> Self {
        Self { rgb: self.rgb, alpha }
    }

    /// As a disabled thing shows it: Material draws those at 38 %.
    pub(super) const fn when(self, enabled: bool) -> Self {
        if enabled { self } else { self.alpha(97) }
    }

    /// Between two colours; 0 is this one, 1 the other.
    pub(super) fn mix(self, other: Self, share: f32) -> Self {
        let [r, g, b] = self.rgb.map(f32::from);
        let [r2, g2, b2] = other.rgb.map(f32::from);
        let at = |from: f32, to: f32| super::num::byte((from + (to - from) * share) / 255.0);
        Self { rgb: [at(r, r2), at(g, g2), at(b, b2)], alpha: self.alpha }
    }
}

pub(super) const BLACK: Color = Color::hex(0x00_0000);
pub(super) const WHITE: Color = Color::hex(0xFF_FFFF);
pub(super) const PRIMARY: Color = Color::hex(0x0B_57D0);
pub(super) const PRIMARY_CONTAINER: Color = Color::hex(0xD3_E3FD);
pub(super) const ON_PRIMARY_CONTAINER: Color = Color::hex(0x04_1E49);
pub(super) const SURFACE: Color = Color::hex(0xFD_FCFF);
pub(super) const SURFACE_CONTAINER: Color = Color::hex(0xF0_F4F9);
pub(super) const SURFACE_HIGH: Color = Color::hex(0xE9_EEF6);
pub(super) const SURFACE_HIGHEST: Color = Color::hex(0xDD_E3EA);
pub(super) const INK: Color = Color::hex(0x1F_1F1F);
pub(super) const INK_SOFT: Color = Color::hex(0x50_5459);
pub(super) const OUTLINE: Color = Color::hex(0x74_7775);
pub(super) const OUTLINE_SOFT: Color = Color::hex(0xE6_E9ED);
pub(super) const SCRIM: Color = BLACK.alpha(110);
/// Top and bottom of the picture behind launcher and lock screen.
pub(super) const WALLPAPER: [Color; 2] = [Color::hex(0x16_2B57), Color::hex(0x5B_3F78)];

/// Colours of icons and portraits: of equal darkness, so that white glyphs read well on all.
const ACCENTS: [Color; 10] = [
    Color::hex(0x1A_73E8),
    Color::hex(0x18_8038),
    Color::hex(0xC5_221F),
    Color::hex(0xB0_6000),
    Color::hex(0x84_30CE),
    Color::hex(0x00_7B83),
    Color::hex(0xB8_0672),
    Color::hex(0x46_5FA8),
    Color::hex(0x9A_4A00),
    Color::hex(0x3B_6E22),
];

/// The colour that goes with a label: always the same one.
pub(super) fn accent(label: &str) -> Color {
    // FNV-1a: the standard hasher may change between releases, and pictures are compared.
    let hash = label
        .bytes()
        .fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    ACCENTS[(hash >> 7) as usize % ACCENTS.len()]
}
