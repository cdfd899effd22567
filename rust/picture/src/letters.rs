//! Digits on pictures.

use crate::Pixels;
use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};

/// Writes a text whose middle is at `(x, y)`, in strokes as thick as a bold font's.
pub(crate) fn centred(on: &mut Pixels, text: &str, (x, y): (f32, f32), em: f32, colour: [u8; 3]) {
    let Ok(font) = FontRef::try_from_slice(notosans::REGULAR_TTF) else { return };
    let Some(units) = font.units_per_em() else { return };
    // The library measures from the highest letter to the lowest, designers measure the em.
    let scale = PxScale::from(em * font.height_unscaled() / units);
    let scaled = font.as_scaled(scale);
    let width: f32 = text.chars().map(|letter| scaled.h_advance(scaled.glyph_id(letter))).sum();
    // Digits are about seven tenths of an em high.
    let baseline = y + em * 0.36;
    let mut at = x - width / 2.0;
    for letter in text.chars() {
        let id = scaled.glyph_id(letter);
        for thicker in [-0.3, 0.3] {
            let glyph: Glyph = id.with_scale_and_position(scale, point(at + thicker, baseline));
            stamp(on, &font, glyph, colour);
        }
        at += scaled.h_advance(id);
    }
}

#[allow(clippy::cast_possible_truncation, reason = "pixels of a picture")]
fn stamp(on: &mut Pixels, font: &FontRef<'_>, glyph: Glyph, colour: [u8; 3]) {
    let Some(outline) = font.outline_glyph(glyph) else { return };
    let area = outline.px_bounds();
    let (left, top) = (area.min.x as i32, area.min.y as i32);
    outline.draw(|x, y, share| {
        let x = left.saturating_add_unsigned(x);
        let y = top.saturating_add_unsigned(y);
        on.blend(x, y, colour, share);
    });
}
