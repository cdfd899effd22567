//! What a picture promises, told by its pixels.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use super::*;
use clawperator_runtime::screen::{Bounds, Flags, NodeSpec, Range, ScreenBuilder, WindowSpec};

const SIDE: i32 = 600;

fn leaf(class: &str, text: &str) -> NodeSpec {
    let bounds = Bounds::new(40, 200, 560, 360);
    let class = format!("android.widget.{class}");
    NodeSpec { class, text: text.into(), bounds, ..NodeSpec::default() }
}

fn with(flags: Flags, node: NodeSpec) -> NodeSpec {
    NodeSpec { flags: node.flags.with(flags), ..node }
}

fn screen_of(children: Vec<NodeSpec>) -> Screen {
    let bounds = Bounds::new(0, 0, SIDE, SIDE);
    let root = NodeSpec { children, bounds, ..leaf("FrameLayout", "") };
    ScreenBuilder::new(SIDE, SIDE).window(&WindowSpec::application(root)).screen().unwrap()
}

fn picture_of(node: NodeSpec) -> Picture {
    render(&screen_of(vec![node]), &Style::default())
}

/// The pixels that two pictures do not share, as rectangle.
fn difference(one: &Picture, other: &Picture) -> Option<Bounds> {
    let pixels = one.rgba.as_chunks::<4>().0.iter().zip(other.rgba.as_chunks::<4>().0);
    let places = (0_i32..).zip(pixels).filter(|(_, (one, other))| one != other);
    places.map(|(at, _)| (at % SIDE, at / SIDE)).fold(None, |all: Option<Bounds>, (x, y)| {
        let all = all.unwrap_or(Bounds::new(x, y, x, y));
        let (right, bottom) = (all.right.max(x + 1), all.bottom.max(y + 1));
        Some(Bounds::new(all.left.min(x), all.top.min(y), right, bottom))
    })
}

#[test]
fn the_same_screen_gives_the_same_bytes() {
    let screen = screen_of(vec![leaf("Button", "Continue")]);
    let style = Style::default();
    let mut renderer = Renderer::new();
    let first = renderer.render(&screen, &style);
    assert_eq!(first.png(), renderer.render(&screen, &style).png());
    assert_eq!(first.png(), render(&screen, &style).png());
}

#[test]
fn states_can_be_told_apart() {
    for class in ["Switch", "CheckBox", "RadioButton", "ToggleButton"] {
        let off = picture_of(leaf(class, "Wi-Fi"));
        let on = picture_of(with(Flags::CHECKED, leaf(class, "Wi-Fi")));
        let changed = difference(&off, &on).unwrap();
        let own = Bounds::new(40, 200, 560, 360);
        assert_eq!(changed.intersection(own), changed, "{class} is drawn inside its bounds");
    }
    let usable = leaf("Button", "Pay");
    let disabled = NodeSpec { flags: Flags::VISIBLE, ..usable.clone() };
    assert!(difference(&picture_of(usable), &picture_of(disabled)).is_some());
    let field = with(Flags::EDITABLE, leaf("EditText", "Ada"));
    let focused = with(Flags::FOCUSED, field.clone());
    let hint = with(Flags::SHOWING_HINT, field.clone());
    assert!(difference(&picture_of(field.clone()), &picture_of(focused)).is_some());
    assert!(difference(&picture_of(field), &picture_of(hint)).is_some());
}

#[test]
fn a_password_is_never_drawn_nor_its_length() {
    let secret = |text: &str| {
        let field = with(Flags::EDITABLE.with(Flags::PASSWORD), leaf("EditText", text));
        picture_of(field)
    };
    assert_eq!(secret("correct horse"), secret("x"));
    assert!(difference(&secret("x"), &secret("")).is_some());
}

#[test]
fn text_stays_inside_its_node() {
    let empty = picture_of(leaf("TextView", ""));
    let own = Bounds::new(40, 200, 560, 360);
    for text in ["short", &"long words ".repeat(100), &"w".repeat(500), "Åg\u{301}\u{301}\u{301}"]
    {
        let drawn = difference(&empty, &picture_of(leaf("TextView", text))).unwrap();
        assert_eq!(drawn.intersection(own), drawn, "{text}");
    }
}

#[test]
fn a_screen_that_is_off_is_black() {
    let screen = screen_of(vec![leaf("Button", "Continue")]);
    let off = render(&screen, &Style { screen_on: false, ..Style::default() });
    assert!(off.rgba.as_chunks::<4>().0.iter().all(|pixel| *pixel == [0, 0, 0, 255]));
}

#[test]
fn hostile_trees_are_drawn_all_the_same() {
    let odd_bounds = [
        Bounds::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX),
        Bounds::new(0, 0, i32::MAX, 1),
        Bounds::new(100, 100, 100, 100),
        Bounds::new(500, 500, -500, -500),
        Bounds::new(0, 0, 1, 1),
    ];
    let odd_texts =
        ["\u{0}\u{202e}\u{1f469}\u{200d}\u{1f680}", "\n\n\n", "漢字 ไทย", " ", "\u{10ffff}"];
    let classes = ["Switch", "CheckBox", "EditText", "Button", "SeekBar", "ProgressBar", "Spinner"];
    let classes = classes.into_iter().chain(["ImageView", "ImageButton", "TextView", "View", ""]);
    let everything = Flags::ALL.iter().fold(Flags::NONE, |all, (flag, _)| all.with(*flag));
    let mut nodes = Vec::new();
    for class in classes {
        for bounds in odd_bounds {
            for text in odd_texts {
                let range = Some(Range { min: f32::NAN, max: -1.0, current: f32::INFINITY });
                let node = NodeSpec { bounds, range, ..leaf(class, text) };
                nodes.push(NodeSpec { range: None, ..node.clone() });
                nodes.push(with(everything, node));
            }
        }
    }
    let picture = render(&screen_of(nodes), &Style { density_dpi: u32::MAX, ..Style::default() });
    assert_eq!(picture.rgba.len(), 600 * 600 * 4);
    for (width, height) in [(0, 0), (-5, 9), (i32::MAX, 1), (1, i32::MAX)] {
        let screen = ScreenBuilder::new(width, height).screen();
        let Ok(screen) = screen else { continue };
        let picture = render(&screen, &Style { density_dpi: 0, ..Style::default() });
        assert!(!picture.png().is_empty());
    }
}

#[test]
fn ten_thousand_nodes_as_large_as_the_screen_end() {
    let bounds = Bounds::new(0, 0, SIDE, SIDE);
    let text = "all work and no play ".repeat(20);
    let node = |_| NodeSpec {
        bounds,
        flags: Flags::ENABLED.with(Flags::VISIBLE),
        ..leaf("Button", &text)
    };
    let picture = render(&screen_of((0..10_000).map(node).collect()), &Style::default());
    assert_eq!(picture.width, 600);
}
