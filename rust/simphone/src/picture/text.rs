//! Text in a box: wrapped, condensed or cut so that it never leaves it.

use super::canvas::Rect;
use super::font::{Fonts, Letters, Weight, is_silent};
use super::num::float_of;

/// Where a line stands in its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Start,
    Middle,
    End,
}

/// How a text is to be set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Pixels per em, where there is room for it.
    pub(super) em: f32,
    pub(super) weight: Weight,
    pub(super) align: Align,
    /// One line, however high the box is.
    pub(super) single: bool,
}

/// A text, set: its lines with the left end of their baselines.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) letters: Letters,
    pub(super) lines: Vec<Line>,
}

#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) x: f32,
    pub(super) baseline: f32,
    pub(super) width: f32,
}

/// More than any screen shows of one text; the rest is not looked at.
const LONGEST: usize = 3_000;
/// Noto Sans runs wider than Android's Roboto; this narrow they set alike.
const STRETCH: f32 = 0.96;
/// Letters may be this narrow before a text is cut.
const NARROWEST: [f32; 3] = [STRETCH, 0.91, 0.86];
/// And this small: boxes are made for other fonts, and often just as wide as the text.
const SMALLEST: [f32; 3] = [0.93, 0.87, 0.8];
/// No name is longer than this.
const NAME: usize = 24;
/// From baseline to baseline, and the least that keeps lines apart, in ems.
const LINE: [f32; 2] = [1.38, 1.18];
/// Height of a line on its own, from accents to tails.
const ALONE: f32 = 1.16;
/// From the middle of a line down to its baseline: half the height of a capital.
const DROP: f32 = 0.357;

impl Fonts {
    /// Sets a text into a box.
    pub(super) fn set(&mut self, text: &str, area: Rect, setting: Setting) -> Set {
        let em = setting.em.min(area.height() / ALONE).max(1.0);
        let words = tidy(text);
        let mut letters = Letters { em, stretch: STRETCH, weight: setting.weight };
        let lines_at = |em: f32, line: f32| {
            let more = (area.height() - em * ALONE) / (em * line);
            1 + super::num::index(super::num::floor(more + 0.01))
        };
        let mut line = LINE[0];
        let lines = if setting.single || lines_at(em, LINE[1]) == 1 {
            // Narrower first, then smaller. What is too long even so is cut at its proper size.
            let proper = letters;
            let narrower = NARROWEST.map(|stretch| Letters { stretch, ..proper });
            let smaller = SMALLEST.map(|share| Letters { em: em * share, ..narrower[2] });
            let lettered = narrower.into_iter().chain(smaller);
            // A sentence may end in dots, a name should not.
            let name = words.chars().nth(NAME).is_none();
            let tries = if name { 6 } else { 3 };
            letters = lettered
                .take(tries)
                .find(|letters| self.width(&words, *letters) <= area.width())
                .unwrap_or(narrower[1]);
            vec![self.cut(&words.replace('\n', " "), letters, area.width(), false)]
        } else {
            // Closer lines first, then smaller letters, and only then an end in dots.
            let tries = [(1.0, LINE[0]), (1.0, LINE[1]), (0.9, LINE[1])];
            let mut lines = Vec::new();
            for (share, try_line) in tries {
                (letters.em, line) = (em * share, try_line);
                let room = lines_at(letters.em, line);
                let (set, whole) = self.wrap(&words, letters, area.width(), room);
                lines = set;
                if whole {
                    break;
                }
            }
            lines
        };
        let step = letters.em * line;
        let spare = area.height() - letters.em * ALONE - step * (float_of(lines.len()) - 1.0);
        // One line stands in the middle of its box, as a row's text does; a paragraph at its top.
        let paragraph = lines.len() > 1 && setting.align != Align::Middle;
        let above = if paragraph { (spare / 2.0).min(letters.em * 0.3) } else { spare / 2.0 };
        let first = area.top + above + letters.em * (ALONE / 2.0 + DROP);
        let lines = (0..).zip(lines).map(|(number, text)| {
            let width = self.width(&text, letters);
            let x = match setting.align {
                Align::Start => area.left,
                Align::Middle => (area.x() - width / 2.0).max(area.left),
                Align::End => (area.right - width).max(area.left),
            };
            Line { text, x, baseline: first + step * super::num::float(number), width }
        });
        Set { letters, lines: lines.collect() }
    }

    /// How wide a line is.
    pub(super) fn width(&mut self, text: &str, letters: Letters) -> f32 {
        text.chars().map(|character| self.advance(character, letters)).sum()
    }

    /// As much of a line as fits, with dots where something is missing.
    fn cut(&mut self, line: &str, letters: Letters, width: f32, more_follows: bool) -> String {
        let line = line.trim_end();
        let whole = self.width(line, letters);
        if !more_follows && whole <= width {
            return line.to_owned();
        }
        let mut room = width - self.advance('…', letters);
        let kept = line.chars().take_while(|character| {
            room -= self.advance(*character, letters);
            room >= 0.0
        });
        let kept: String = kept.collect();
        format!("{}…", kept.trim_end())
    }

    /// Breaks a text between words; `false` when it had to be cut.
    fn wrap(
        &mut self,
        text: &str,
        letters: Letters,
        width: f32,
        room: usize,
    ) -> (Vec<String>, bool) {
        let mut lines: Vec<String> = Vec::new();
        for paragraph in text.split('\n') {
            let mut line = String::new();
            let mut used = 0.0;
            for word in paragraph.split_inclusive([' ', '-', '/', '\u{200b}']) {
                let visible = self.width(word.trim_end(), letters);
                if used + visible > width && !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                    used = 0.0;
                }
                for character in word.chars() {
                    let advance = self.advance(character, letters);
                    // A word longer than the line is broken where it must.
                    if visible > width && used + advance > width && !line.is_empty() {
                        lines.push(std::mem::take(&mut line));
                        used = 0.0;
                    }
                    line.push(character);
                    used += advance;
                }
                if lines.len() > room {
                    break;
                }
            }
            lines.push(line);
            if lines.len() > room {
                break;
            }
        }
        let whole = lines.len() <= room;
        lines.truncate(room.max(1));
        if let Some(last) = lines.last_mut() {
            *last = self.cut(last, letters, width, !whole);
        }
        let lines = lines.into_iter().map(|line| line.trim_end().to_owned());
        (lines.collect(), whole)
    }
}

/// What is worth setting of a text: its beginning, without what is not drawn, spaces as spaces.
fn tidy(text: &str) -> String {
    let shown = text.trim().chars().take(LONGEST).filter_map(|character| match character {
        '\n' => Some('\n'),
        '\t' | '\r' | '\u{a0}' | '\u{2028}' | '\u{2029}' => Some(' '),
        // Android's fonts show this hyphen as any other; this one does not have it.
        '\u{2011}' => Some('-'),
        silent if is_silent(silent) => None,
        other => Some(other),
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTING: Setting =
        Setting { em: 40.0, weight: Weight::Regular, align: Align::Start, single: false };

    fn lines(text: &str, width: f32, height: f32) -> Vec<String> {
        let set = Fonts::new().set(text, Rect::new(0.0, 0.0, width, height), SETTING);
        for line in &set.lines {
            assert!(line.width <= width || line.text.chars().count() <= 2, "{line:?} in {width}");
        }
        set.lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn what_does_not_fit_ends_in_dots() {
        assert_eq!(lines("Battery", 400.0, 60.0), ["Battery"]);
        let cut = lines("Battery and everything that drains it", 400.0, 60.0);
        assert!(cut[0].starts_with("Battery and") && cut[0].ends_with('…'), "{cut:?}");
    }

    #[test]
    fn a_high_box_takes_several_lines() {
        let text = "one two three four five six seven eight nine ten";
        let set = lines(text, 300.0, 600.0);
        assert!(set.len() > 2);
        assert_eq!(set.join(" "), text);
        assert_eq!(lines("one\ntwo", 300.0, 200.0), ["one", "two"]);
    }

    #[test]
    fn a_word_longer_than_its_line_is_broken() {
        let set = lines(&"m".repeat(40), 300.0, 600.0);
        assert!(set.len() > 2);
        assert_eq!(set.concat(), "m".repeat(40));
    }

    #[test]
    fn a_full_box_ends_in_dots() {
        let set = lines(&"words and ".repeat(200), 300.0, 160.0);
        assert!(set.last().unwrap().ends_with('…'), "{set:?}");
    }
}
