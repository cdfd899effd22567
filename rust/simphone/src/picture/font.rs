//! The two fonts, and the glyphs drawn from them so far.

use super::canvas::Stamp;
use super::num::{byte, ceil, float_of, floor, index, round, size};
use ab_glyph::{Font, FontRef, PxScale};
use std::collections::HashMap;
use std::rc::Rc;

/// How heavy letters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    Regular,
    /// Buttons, tabs, headings. Android has a font for it; here the strokes of the regular one are
    /// widened, which saves 200 kB and cannot be told apart at these sizes.
    Medium,
}

/// The size and shape of a text's letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    /// Pixels per em, what Android calls text size.
    pub(super) em: f32,
    /// Width of the letters, 1 as the font has them.
    pub(super) stretch: f32,
    pub(super) weight: Weight,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    character: char,
    icon: bool,
    /// Quarters of a pixel.
    em: i32,
    /// Hundredths.
    stretch: i32,
    weight: Weight,
    /// Quarters of a pixel to the right of a whole one: letters stand evenly only when they may
    /// stand between pixels.
    phase: i32,
}

/// The fonts and the glyphs drawn so far.
pub(super) struct Fonts {
    text: Option<FontRef<'static>>,
    icons: Option<FontRef<'static>>,
    stamps: HashMap<Key, Rc<Stamp>>,
    advances: HashMap<char, f32>,
}

impl std::fmt::Debug for Fonts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fonts").field("stamps", &self.stamps.len()).finish_non_exhaustive()
    }
}

/// Glyphs kept at most; a feed in all scripts of the world must not fill the memory.
const KEPT: usize = 8_000;
/// Width of the box that stands for a character the fonts do not have, in ems.
const BOX: f32 = 0.6;

impl Fonts {
    pub(super) fn new() -> Self {
        Self {
            text: FontRef::try_from_slice(notosans::REGULAR_TTF).ok(),
            icons: FontRef::try_from_slice(material_icons::FONT).ok(),
            stamps: HashMap::new(),
            advances: HashMap::new(),
        }
    }

    /// How far the next letter stands to the right.
    pub(super) fn advance(&mut self, character: char, letters: Letters) -> f32 {
        let text = self.text.as_ref();
        let ems = *self.advances.entry(character).or_insert_with(|| {
            if is_silent(character) {
                return 0.0;
            }
            let Some(font) = text else { return BOX };
            let glyph = font.glyph_id(character);
            match (glyph.0, super::symbol::for_character(character)) {
                (0, Some(_)) => 1.15,
                (0, None) => BOX + 0.1,
                _ => font.h_advance_unscaled(glyph) / font.units_per_em().unwrap_or(1000.0),
            }
        });
        ems * letters.em * letters.stretch
    }

    /// A letter whose origin is this much to the right of a whole pixel.
    pub(super) fn letter(&mut self, character: char, letters: Letters, fraction: f32) -> Rc<Stamp> {
        let has = |font: &FontRef<'_>| font.glyph_id(character).0 != 0;
        let symbol = match &self.text {
            Some(font) if !has(font) => super::symbol::for_character(character),
            _ => None,
        };
        let key = Key {
            character: symbol.unwrap_or(character),
            icon: symbol.is_some(),
            em: round(letters.em * 4.0),
            stretch: if symbol.is_some() { 100 } else { round(letters.stretch * 100.0) },
            weight: letters.weight,
            phase: round(fraction * 4.0),
        };
        self.stamp(key)
    }

    /// An icon, its origin in the middle, on a square of that many pixels.
    pub(super) fn icon(&mut self, icon: char, side: f32) -> Rc<Stamp> {
        self.stamp(Key {
            character: icon,
            icon: true,
            em: round(side * 4.0),
            stretch: 100,
            weight: Weight::Regular,
            phase: -1,
        })
    }

    fn stamp(&mut self, key: Key) -> Rc<Stamp> {
        if self.stamps.len() >= KEPT {
            self.stamps.clear();
        }
        let font = if key.icon { &self.icons } else { &self.text };
        let draw = || Rc::new(font.as_ref().and_then(|font| draw(font, key)).unwrap_or(EMPTY));
        Rc::clone(self.stamps.entry(key).or_insert_with(draw))
    }
}

const EMPTY: Stamp = Stamp { left: 0, top: 0, width: 0, cover: Vec::new() };

/// Characters that say how others are to be drawn, and are not drawn.
pub(super) fn is_silent(character: char) -> bool {
    matches!(character,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{e0000}'..='\u{e0fff}' | '\u{1f3fb}'..='\u{1f3ff}')
}

fn draw(font: &FontRef<'_>, key: Key) -> Option<Stamp> {
    let em = super::num::float(key.em) / 4.0;
    // The library measures from the highest letter to the lowest, designers measure the em.
    let scale = em * font.height_unscaled() / font.units_per_em()?;
    let scale = PxScale { x: scale * super::num::float(key.stretch) / 100.0, y: scale };
    let id = font.glyph_id(key.character);
    if is_silent(key.character) {
        return None;
    }
    if id.0 == 0 {
        return Some(missing(em));
    }
    // An icon's origin is the middle of its square; its font has it at the left of a baseline
    // as deep as the descender.
    let origin = match key.phase {
        -1 => (-em / 2.0, em / 2.0 + font.descent_unscaled() / font.units_per_em()? * em),
        // The symbols among the letters stand a little lower, as letters' middles do.
        phase if key.icon => (super::num::float(phase) / 4.0 + em * 0.06, em * 0.12),
        phase => (super::num::float(phase) / 4.0, 0.0),
    };
    let glyph = id.with_scale_and_position(scale, ab_glyph::point(origin.0, origin.1));
    let outline = font.outline_glyph(glyph)?;
    let area = outline.px_bounds();
    // One pixel more to the right for widened strokes.
    let width = index(ceil(area.width())) + 2;
    let mut cover = vec![0_u8; width * (index(ceil(area.height())) + 1)];
    outline.draw(|x, y, share| {
        if let Some(pixel) = cover.get_mut(y as usize * width + x as usize) {
            *pixel = byte(share);
        }
    });
    if key.weight == Weight::Medium {
        cover.chunks_exact_mut(width).for_each(|row| widen(row, em / 40.0));
    }
    Some(Stamp { left: floor(area.min.x), top: floor(area.min.y), width, cover })
}

/// Widens a row of a glyph to the right: each pixel takes over some of its left neighbour.
fn widen(row: &mut [u8], by: f32) {
    let by = by.clamp(0.0, 1.0);
    for at in (1..row.len()).rev() {
        let gained = f32::from(row[at]) + by * f32::from(row[at - 1]);
        row[at] = byte(gained / 255.0);
    }
}

/// The box drawn where the fonts have nothing.
fn missing(em: f32) -> Stamp {
    let width = index(round(em * BOX)).max(3);
    let height = index(round(em * 0.72)).max(3);
    let line = index(round(em / 16.0)).max(1);
    let edge = |at: usize, length: usize| at < line || at + line >= length;
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let cover = pixels.map(|(x, y)| if edge(x, width) || edge(y, height) { 255 } else { 0 });
    let left = round(float_of(width) * 0.05);
    Stamp { left, top: -size(height), width, cover: cover.collect() }
}
