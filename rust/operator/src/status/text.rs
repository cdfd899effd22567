//! Letters: how wide they are, where a line ends, and their pixels.

use super::canvas::{Canvas, whole};
use super::palette::Color;
use ab_glyph::{Font, FontArc, GlyphId, PxScale};

/// A font to draw with.
#[derive(Clone, Debug)]
pub struct Face {
    font: FontArc,
    units_per_em: f32,
}

impl Face {
    /// Reads a font file. Of a variable font this is its default instance, of a collection the
    /// first font. One that cannot draw Latin letters is none.
    #[must_use]
    pub fn read(file: Vec<u8>) -> Option<Self> {
        let font = FontArc::try_from_vec(file).ok()?;
        let units_per_em = font.units_per_em().filter(|units| *units > 0.0)?;
        let face = Self { font, units_per_em };
        let drawn = |letter| face.font.outline(face.font.glyph_id(letter)).is_some();
        "Aaz09".chars().all(drawn).then_some(face)
    }

    fn advance(&self, glyph: GlyphId, em: f32) -> f32 {
        self.font.h_advance_unscaled(glyph) / self.units_per_em * em
    }

    fn width(&self, text: &str, em: f32) -> f32 {
        text.chars().map(|letter| self.advance(self.font.glyph_id(letter), em)).sum()
    }

    /// From the baseline up to the top of the highest letters.
    pub(super) fn ascent(&self, em: f32) -> f32 {
        self.font.ascent_unscaled() / self.units_per_em * em
    }

    /// From the baseline down to the bottom of the lowest letters.
    pub(super) fn descent(&self, em: f32) -> f32 {
        -self.font.descent_unscaled() / self.units_per_em * em
    }

    /// The lines of a text between words; a word that alone is wider than a line is broken.
    pub(super) fn wrap(&self, text: &str, em: f32, width: f32) -> Vec<(String, f32)> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            if let Some(line) = lines.last_mut()
                && self.width(&format!("{line} {word}"), em) <= width
            {
                line.push(' ');
                line.push_str(word);
                continue;
            }
            lines.push(String::new());
            for letter in word.chars() {
                let Some(line) = lines.last_mut() else { break };
                line.push(letter);
                if line.chars().nth(1).is_some() && self.width(line, em) > width {
                    line.pop();
                    lines.push(letter.to_string());
                }
            }
        }
        let measured = |line: String| {
            let width = self.width(&line, em);
            (line, width)
        };
        lines.into_iter().map(measured).collect()
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, text: &str, at: (f32, f32), em: f32, c: Color) {
        // The library measures from the highest letter to the lowest, designers measure the em.
        let scale = PxScale::from(em * self.font.height_unscaled() / self.units_per_em);
        let (mut x, baseline) = at;
        for letter in text.chars() {
            let glyph = self.font.glyph_id(letter);
            let placed = glyph.with_scale_and_position(scale, ab_glyph::point(x, baseline));
            if let Some(outline) = self.font.outline_glyph(placed) {
                let corner = outline.px_bounds().min;
                let (left, top) = (whole(corner.x), whole(corner.y));
                outline.draw(|right, down, share| {
                    let (right, down) = (i32::try_from(right), i32::try_from(down));
                    if let (Ok(right), Ok(down)) = (right, down) {
                        canvas.cover(left + right, top + down, share, c);
                    }
                });
            }
            x += self.advance(glyph, em);
        }
    }
}

#[cfg(test)]
#[cfg(not(target_os = "android"))]
mod tests {
    use super::*;

    fn lines(text: &str, width: f32) -> Vec<String> {
        let face = Face::read(notosans::REGULAR_TTF.to_vec()).unwrap();
        let lines = face.wrap(text, 20.0, width);
        for (line, measured) in &lines {
            assert!(*measured <= width || line.chars().count() == 1, "{line:?} in {width}");
        }
        lines.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn lines_break_between_words() {
        let text = "one two three four five six";
        assert_eq!(lines(text, 1_000.0), [text]);
        assert!(lines(text, 100.0).len() > 1);
        assert_eq!(lines(text, 100.0).join(" "), text);
    }

    #[test]
    fn a_word_wider_than_its_line_is_broken() {
        let broken = lines("see com.clawperator.operator", 60.0);
        assert!(broken.len() > 3);
        assert_eq!(broken[0], "see");
        assert_eq!(broken[1..].concat(), "com.clawperator.operator");
        assert_eq!(lines("ab", 0.0), ["a", "b"]);
    }

    #[test]
    fn what_is_no_font_is_refused() {
        assert!(Face::read(Vec::new()).is_none());
        assert!(Face::read(b"not a font at all".to_vec()).is_none());
        let half = &notosans::REGULAR_TTF[..1_000];
        assert!(Face::read(half.to_vec()).is_none());
    }
}
