//! Where everything stands: as large as designed if there is room, smaller if not, and without
//! what matters least if that would be too small to read.

use super::canvas::{Area, Canvas, whole};
use super::palette::{Color, Palette};
use super::words::Words;
use super::{Face, Page};

/// Something to draw.
#[derive(Debug)]
pub(super) enum Shape {
    Fill { area: Area, radius: f32, color: Color },
    Text { line: String, at: (f32, f32), em: f32, color: Color },
}

impl Shape {
    pub(super) fn draw(&self, canvas: &mut Canvas, face: Option<&Face>) {
        match self {
            Self::Fill { area, radius, color } => canvas.fill(*area, *radius, *color),
            Self::Text { line, at, em, color } => {
                if let Some(face) = face {
                    face.draw(canvas, line, *at, *em, *color);
                }
            }
        }
    }

    fn moved(self, down: f32) -> Self {
        match self {
            Self::Fill { area, radius, color } => {
                let area = Area { top: area.top + whole(down), ..area };
                Self::Fill { area, radius, color }
            }
            Self::Text { line, at: (x, y), em, color } => {
                Self::Text { line, at: (x, y + down), em, color }
            }
        }
    }
}

/// Parts of the page, the first to go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Privacy,
    How,
    Facts,
    Title,
    Button,
    State,
}

/// Text smaller than this share of its size is hard to read; rather a part is left out.
const SMALLEST: f32 = 0.65;
/// Each try is a little smaller than the one before.
const STEP: f32 = 0.95;
/// In dp, as all sizes below.
const MARGIN: f32 = 24.0;
const GAP: f32 = 20.0;
/// From one line to the next, in sizes of the text, where the font does not ask for more.
const LINE: f32 = 1.32;
/// Longer lines are hard to read.
const WIDEST: f32 = 560.0;

/// The page's shapes, all of them inside its insets.
pub(super) fn fit(
    words: &Words,
    page: &Page,
    palette: &Palette,
    face: Option<&Face>,
) -> Vec<Shape> {
    use Part::{Button, Facts, How, Privacy, State, Title};
    let mut last = Vec::new();
    for least in [Privacy, How, Facts, Title, Button, State] {
        let mut scale = 1.0;
        // The last part is kept, however small.
        let smallest = if least == State { 0.1 } else { SMALLEST };
        while scale >= smallest {
            let unit = page.density * scale;
            let setting = Setting { words, palette, face, unit, least };
            let (shapes, fits) = setting.arranged(Inner::of(page, MARGIN * unit), GAP * unit);
            if fits {
                return shapes;
            }
            last = shapes;
            scale *= STEP;
        }
    }
    last
}

/// The page without its margins.
#[derive(Clone, Copy)]
struct Inner {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
}

impl Inner {
    fn of(page: &Page, margin: f32) -> Self {
        let insets = page.insets;
        let left = insets.left as f32 + margin;
        let top = insets.top as f32 + margin;
        let width = page.width as f32 - left - insets.right as f32 - margin;
        let height = page.height as f32 - top - insets.bottom as f32 - margin;
        Self { left, top, width, height }
    }
}

struct Setting<'a> {
    words: &'a Words,
    palette: &'a Palette,
    face: Option<&'a Face>,
    /// Pixels per dp.
    unit: f32,
    /// Parts before this one are left out.
    least: Part,
}

impl Setting<'_> {
    /// One column, the button at the foot of the page; two where the page is wide and low.
    fn arranged(&self, inner: Inner, gap: f32) -> (Vec<Shape>, bool) {
        use Part::{Button, Facts, How, Privacy, State, Title};
        if inner.width < gap || inner.height < gap {
            return (Vec::new(), false);
        }
        if inner.width > inner.height * 1.2 && self.least < Title {
            let width = ((inner.width - 2.0 * gap) / 2.0).min(WIDEST * self.unit);
            let start = inner.left + (inner.width - 2.0 * width - 2.0 * gap) / 2.0;
            let left = self.column(&[Title, State, Button], start, width, gap);
            let right = self.column(&[Facts, How, Privacy], start + width + 2.0 * gap, width, gap);
            let fits = left.height.max(right.height) <= inner.height;
            let shapes = left.shapes.into_iter().chain(right.shapes);
            return (shapes.map(|shape| shape.moved(inner.top)).collect(), fits);
        }
        let width = inner.width.min(WIDEST * self.unit);
        let start = inner.left + (inner.width - width) / 2.0;
        let head = self.column(&[Title, State, Facts, How], start, width, gap);
        let foot = self.column(&[Button, Privacy], start, width, gap);
        let both = if foot.height > 0.0 { gap } else { 0.0 } + head.height + foot.height;
        let head_shapes = head.shapes.into_iter().map(|shape| shape.moved(inner.top));
        let at = inner.top + inner.height - foot.height;
        let foot_shapes = foot.shapes.into_iter().map(|shape| shape.moved(at));
        (head_shapes.chain(foot_shapes).collect(), both <= inner.height)
    }

    /// These parts below each other, from zero.
    fn column(&self, parts: &[Part], left: f32, width: f32, gap: f32) -> Column<'_> {
        let mut column = Column {
            shapes: Vec::new(),
            height: 0.0,
            left,
            width,
            face: self.face,
            unit: self.unit,
        };
        for part in parts.iter().filter(|part| **part >= self.least) {
            let before = column.height;
            column.height += if before > 0.0 { gap } else { 0.0 };
            let start = column.height;
            self.set(*part, &mut column);
            if column.height <= start {
                column.height = before;
            }
        }
        column
    }

    fn set(&self, part: Part, column: &mut Column<'_>) {
        let (words, palette) = (self.words, self.palette);
        match part {
            Part::Title => column.text(words.title, 22.0, palette.text),
            Part::State => {
                let color = if words.service_on { palette.on } else { palette.off };
                column.card(color, 16.0, 20.0, |card| {
                    card.switch(words.service_on, palette);
                    card.narrowed(64.0, |card| card.text(words.state, 30.0, palette.on_state));
                    // As high as the switch, where there are no letters.
                    card.height = card.height.max(60.0 * card.unit);
                    card.text(words.meaning, 16.0, palette.on_state);
                });
            }
            Part::Facts => {
                for (number, (label, value)) in words.facts.iter().enumerate() {
                    column.space(if number > 0 { 8.0 } else { 0.0 });
                    column.text(label, 13.0, palette.dim);
                    column.text(value, 16.0, palette.text);
                }
            }
            Part::How => {
                column.text(words.how, 18.0, palette.text);
                for step in words.steps {
                    column.space(4.0);
                    column.text(step, 15.0, palette.text);
                }
                column.space(10.0);
                column.text(words.by_computer, 15.0, palette.text);
                column.space(6.0);
                if self.face.is_some() {
                    let set = |card: &mut Column<'_>| card.text(words.command, 15.0, palette.text);
                    column.card(palette.inset, 8.0, 10.0, set);
                }
            }
            Part::Button => column.card(palette.button, 28.0, 16.0, |card| {
                card.centred(words.button, 16.0, palette.on_button);
                // A finger needs 48 dp.
                card.height = card.height.max(32.0 * card.unit);
            }),
            Part::Privacy => column.text(words.privacy, 13.0, palette.dim),
        }
    }
}

/// Parts that stand below each other.
struct Column<'a> {
    shapes: Vec<Shape>,
    height: f32,
    left: f32,
    width: f32,
    face: Option<&'a Face>,
    unit: f32,
}

impl Column<'_> {
    /// Only below something.
    fn space(&mut self, dp: f32) {
        if self.height > 0.0 && self.face.is_some() {
            self.height += dp * self.unit;
        }
    }

    fn text(&mut self, text: &str, dp: f32, color: Color) {
        self.lines(text, dp, color, |_, _| 0.0);
    }

    fn centred(&mut self, text: &str, dp: f32, color: Color) {
        self.lines(text, dp, color, |column, line| (column - line) / 2.0);
    }

    fn lines(&mut self, text: &str, dp: f32, color: Color, indent: impl Fn(f32, f32) -> f32) {
        let Some(face) = self.face else { return };
        let em = dp * self.unit;
        let letters = face.ascent(em) + face.descent(em);
        let height = letters.max(LINE * em);
        for (line, width) in face.wrap(text, em, self.width) {
            let above = (height - letters) / 2.0 + face.ascent(em);
            // A whole pixel, so that all lines look alike.
            let baseline = (self.height + above).round();
            let at = (self.left + indent(self.width, width), baseline);
            self.shapes.push(Shape::Text { line, at, em, color });
            self.height += height;
        }
    }

    /// What is set inside stands on a rectangle of this colour.
    fn card(&mut self, color: Color, radius: f32, padding: f32, set: impl FnOnce(&mut Self)) {
        let (at, top, padding) = (self.shapes.len(), self.height, padding * self.unit);
        let outer = (self.left, self.width);
        (self.left, self.width) = (self.left + padding, (self.width - 2.0 * padding).max(0.0));
        // Set from zero: parts that are measured from the card's top are.
        self.height = padding;
        set(self);
        let height = self.height + padding;
        (self.left, self.width) = outer;
        let set: Vec<Shape> = self.shapes.drain(at..).map(|shape| shape.moved(top)).collect();
        let area = Area {
            left: whole(self.left),
            top: whole(top),
            width: whole(self.width),
            height: whole(height),
        };
        self.shapes.push(Shape::Fill { area, radius: radius * self.unit, color });
        self.shapes.extend(set);
        self.height = top + height;
    }

    /// Leaves room at the right.
    fn narrowed(&mut self, dp: f32, set: impl FnOnce(&mut Self)) {
        let width = self.width;
        self.width = (width - dp * self.unit).max(0.0);
        set(self);
        self.width = width;
    }

    /// A switch at the right, as high as the line beside it: it shows the state where there is no
    /// font, and to those who cannot tell the colours apart.
    fn switch(&mut self, on: bool, palette: &Palette) {
        let (width, height, edge) = (52.0 * self.unit, 30.0 * self.unit, 4.0 * self.unit);
        let (left, top) = (self.left + self.width - width, self.height + 5.0 * self.unit);
        let area = |left: f32, top: f32, width: f32, height: f32| Area {
            left: whole(left),
            top: whole(top),
            width: whole(width),
            height: whole(height),
        };
        let track = area(left, top, width, height);
        let color = palette.track[usize::from(on)];
        self.shapes.push(Shape::Fill { area: track, radius: height / 2.0, color });
        let side = height - 2.0 * edge;
        let knob = if on { left + width - edge - side } else { left + edge };
        let knob = area(knob, top + edge, side, side);
        self.shapes.push(Shape::Fill { area: knob, radius: side / 2.0, color: palette.on_state });
    }
}
