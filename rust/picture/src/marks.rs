//! The marked picture: a frame around each element and a badge with its id.

use crate::Pixels;
use crate::letters;

/// Colours of the marks, in turns.
const COLOURS: [[u8; 3]; 6] = [
    [0x00, 0xE5, 0xFF],
    [0xFF, 0xEE, 0x58],
    [0x81, 0xC7, 0x84],
    [0xFF, 0x8A, 0x65],
    [0xCE, 0x93, 0xD8],
    [0x4D, 0xD0, 0xE1],
];
const INK: [u8; 3] = [0x00, 0x10, 0x18];
const FILL: f32 = 0.15;
const FRAME: i32 = 2;
const BADGE_HEIGHT: i32 = 20;
const LETTER: f32 = 13.0;

/// A rectangle of a picture; right and bottom are the first pixels beyond it.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Area {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

/// Draws the marks. Each is a place in the picture and an id.
pub fn draw_marks(on: &mut Pixels, marks: &[(Area, &str)]) {
    for (number, (at, _)) in marks.iter().enumerate() {
        frame(on, *at, COLOURS[number % COLOURS.len()]);
    }
    // Badges come last, so that no frame crosses one.
    let mut taken: Vec<Area> = Vec::with_capacity(marks.len());
    for (number, (at, id)) in marks.iter().enumerate() {
        let place = place(*at, id, (on.width, on.height), &taken);
        badge(on, place, id, COLOURS[number % COLOURS.len()]);
        taken.push(place);
    }
}

fn frame(on: &mut Pixels, at: Area, colour: [u8; 3]) {
    let (right, bottom) = (at.right.max(at.left + 1), at.bottom.max(at.top + 1));
    for y in at.top..bottom {
        let edge_row = y < at.top + FRAME || y >= bottom - FRAME;
        for x in at.left..right {
            let edge = edge_row || x < at.left + FRAME || x >= right - FRAME;
            on.blend(x, y, colour, if edge { 1.0 } else { FILL });
        }
    }
}

/// Where the badge goes: into a corner of an element that is large enough, above a small one, else
/// somewhere near where no other badge is. Above a row it would seem to belong to the row above.
fn place(of: Area, id: &str, (width, height): (u32, u32), taken: &[Area]) -> Area {
    let letters = i32::try_from(id.len()).unwrap_or(0);
    let wide = (8 + 9 * letters).max(22);
    let (width, height) = (size(width), size(height));
    let at = |left: i32, top: i32| {
        let left = left.min(width - wide).max(0);
        let top = top.min(height - BADGE_HEIGHT).max(0);
        Area { left, top, right: left + wide, bottom: top + BADGE_HEIGHT }
    };
    let (above, below) = (of.top - BADGE_HEIGHT, of.bottom);
    let roomy = of.bottom - of.top >= 3 * BADGE_HEIGHT && of.right - of.left >= 3 * wide;
    let (first, second) = if roomy { (of.top, above) } else { (above, of.top) };
    let places = [
        at(of.left, first),
        at(of.left, second),
        at(of.right - wide, above),
        at(of.right - wide, of.top),
        at(of.left, below),
        at(of.left + wide, above),
    ];
    let free = |place: &&Area| !taken.iter().any(|other| overlap(**place, *other));
    *places.iter().find(free).unwrap_or(&places[0])
}

fn overlap(one: Area, other: Area) -> bool {
    one.left < other.right
        && other.left < one.right
        && one.top < other.bottom
        && other.top < one.bottom
}

fn badge(on: &mut Pixels, at: Area, id: &str, colour: [u8; 3]) {
    for y in at.top..at.bottom {
        for x in at.left..at.right {
            let (across, down) =
                ((x - at.left).min(at.right - 1 - x), (y - at.top).min(at.bottom - 1 - y));
            // Corners are round: two pixels are cut off, then one.
            if across + down < 2 {
                continue;
            }
            let edge = across == 0 || down == 0 || across + down == 2;
            on.blend(x, y, if edge { INK } else { colour }, 1.0);
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "pixels of a picture")]
    let middle = ((at.left + at.right) as f32 / 2.0, (at.top + at.bottom) as f32 / 2.0);
    letters::centred(on, id, middle, LETTER, INK);
}

fn size(pixels: u32) -> i32 {
    i32::try_from(pixels).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACK: [u8; 3] = [100, 100, 100];

    fn rect(left: i32, top: i32, right: i32, bottom: i32) -> Area {
        Area { left, top, right, bottom }
    }

    fn pixel(of: &Pixels, x: usize, y: usize) -> [u8; 3] {
        let at = (y * of.width as usize + x) * 3;
        [of.rgb[at], of.rgb[at + 1], of.rgb[at + 2]]
    }

    #[test]
    fn an_element_has_a_frame_a_tint_and_a_badge_of_its_colour() {
        let mut picture = Pixels::filled(200, 200, BACK);
        draw_marks(&mut picture, &[(rect(50, 60, 150, 120), "1"), (rect(50, 160, 150, 190), "2")]);
        assert_eq!(pixel(&picture, 50, 100), COLOURS[0]);
        assert_eq!(pixel(&picture, 51, 100), COLOURS[0]);
        assert_eq!(pixel(&picture, 149, 119), COLOURS[0]);
        assert_eq!(pixel(&picture, 120, 90), [85, 119, 123]);
        assert_eq!(pixel(&picture, 30, 90), BACK);
        assert_eq!(pixel(&picture, 50, 175), COLOURS[1]);
        // The badge stands in the corner of the large one and above the small one, framed in ink,
        // and holds ink.
        for (top, colour) in [(60, COLOURS[0]), (140, COLOURS[1])] {
            assert_eq!(pixel(&picture, 60, top), INK);
            assert_eq!(pixel(&picture, 54, top + 3), colour);
            let inside = (top + 2..top + 18).flat_map(|y| (54..68).map(move |x| (x, y)));
            assert!(inside.filter(|(x, y)| pixel(&picture, *x, *y)[1] < 60).count() > 5);
        }
    }

    #[test]
    fn badges_of_elements_in_one_place_do_not_cover_each_other() {
        let of = rect(50, 60, 150, 120);
        let mut taken = Vec::new();
        for id in ["1", "2", "3", "44"] {
            let place = place(of, id, (200, 200), &taken);
            assert!(!taken.iter().any(|other| overlap(place, *other)), "{id}: {place:?}");
            taken.push(place);
        }
    }

    #[test]
    fn marks_at_the_edges_stay_in_the_picture() {
        let mut picture = Pixels::filled(60, 60, BACK);
        let marks =
            [(rect(0, 0, 59, 59), "1"), (rect(59, 59, 59, 59), "123"), (rect(0, 5, 10, 5), "2")];
        draw_marks(&mut picture, &marks);
        for (at, id) in marks {
            let place = place(at, id, (60, 60), &[]);
            assert!(place.left >= 0 && place.top >= 0 && place.right <= 60 && place.bottom <= 60);
        }
    }
}
