//! The status screen as a person sees it: pictures of it are read, and looked at pixel by pixel.

#![cfg(not(target_os = "android"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_operator::status::{Face, Insets, Link, Page, Picture, Status, render};
use clawperator_simphone::picture;
use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::time::Duration;

type Pixel = [u8; 4];

const BARS: Insets = Insets { left: 0, top: 110, right: 0, bottom: 63 };
const PHONE: Page = Page { width: 1080, height: 2400, density: 2.625, dark: false, insets: BARS };

fn on() -> Status {
    Status {
        service_on: true,
        link: Link::Listening("com.clawperator.operator".into()),
        last_command: Some(Duration::from_secs(200)),
        version: "0.1.0".into(),
        api_level: 35,
    }
}

fn off() -> Status {
    Status { service_on: false, last_command: None, ..on() }
}

fn face() -> Option<Face> {
    Some(Face::read(notosans::REGULAR_TTF.to_vec()).expect("a font"))
}

fn pixels(picture: &Picture) -> &[Pixel] {
    picture.rgba.as_chunks().0
}

/// Colours by how many pixels they have, most first.
fn colors(picture: &Picture) -> Vec<(Pixel, usize)> {
    let mut counted = HashMap::<Pixel, usize>::new();
    for pixel in pixels(picture) {
        *counted.entry(*pixel).or_default() += 1;
    }
    let mut counted: Vec<_> = counted.into_iter().collect();
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counted
}

#[test]
fn what_is_off_can_be_read() {
    assert_readable("off", &off(), &PHONE);
}

#[test]
fn what_is_on_can_be_read() {
    assert_readable("on", &on(), &PHONE);
}

#[test]
fn it_can_be_read_in_the_dark() {
    assert_readable("dark", &on(), &Page { dark: true, ..PHONE });
    assert_readable("dark-off", &off(), &Page { dark: true, ..PHONE });
}

#[test]
fn it_can_be_read_on_a_small_phone_on_its_side() {
    let insets = Insets { left: 72, top: 36, right: 0, bottom: 0 };
    let page = Page { width: 1280, height: 720, density: 2.0, dark: false, insets };
    assert_readable("landscape", &off(), &page);
}

#[test]
fn it_can_be_read_with_everything_enlarged() {
    let page = Page { width: 1080, height: 1920, density: 4.0, ..PHONE };
    // There is no room for more.
    let parts = ["To switch", "1.", "2.", "3.", "Or from", "Commands come"];
    let spoken = off().spoken();
    let kept = spoken.lines().filter(|line| !parts.iter().any(|part| line.starts_with(part)));
    assert_reads("enlarged", &off(), &page, &kept.collect::<Vec<_>>().join("\n"));
}

#[test]
fn it_can_be_read_on_a_tablet() {
    let page = Page { width: 1600, height: 2560, density: 2.0, ..PHONE };
    assert_readable("tablet", &on(), &page);
    let page = Page { width: 2560, height: 1600, density: 2.0, ..PHONE };
    assert_readable("tablet-landscape", &off(), &page);
}

#[test]
fn the_reason_of_a_silent_socket_can_be_read() {
    let why = "Address already in use (os error 98)".into();
    let link = Link::Silent { name: "com.clawperator.operator.dev".into(), why };
    assert_readable("silent", &Status { link, ..on() }, &PHONE);
    let link = Link::NotStarted;
    assert_readable("not-started", &Status { link, ..off() }, &PHONE);
}

/// All that a screen reader says stands in the picture, and nothing is cut off at its edges.
fn assert_readable(name: &str, status: &Status, page: &Page) {
    assert_reads(name, status, page, &status.spoken());
}

fn assert_reads(name: &str, status: &Status, page: &Page, text: &str) {
    let drawn = render(status, page, face().as_ref());
    assert_eq!((drawn.width, drawn.height), (page.width, page.height));
    let path = save(name, &drawn);
    assert_margins_are_empty(&drawn, page);
    let mut unread: Vec<String> = text.split_whitespace().map(plain).collect();
    unread.retain(|word| !word.is_empty());
    let words = unread.len();
    // White on red on black is no usual page: a second look finds what the first did not.
    for (layout, threshold) in [("11", "0"), ("6", "1"), ("11", "1")] {
        let seen = recognise(&path, layout, threshold);
        unread.retain(|word| !seen.contains(word));
        // A word in twenty may be misread.
        if unread.len() * 20 <= words {
            return;
        }
    }
    panic!("{path}: {unread:?} not read");
}

/// What was clipped would stand at an edge.
fn assert_margins_are_empty(drawn: &Picture, page: &Page) {
    let background = pixels(drawn)[0];
    // Of the 24 dp designed, half are there even on the smallest of these pages.
    let margin = page.density * 12.0;
    let (width, insets) = (page.width as usize, page.insets);
    let beyond = |at: usize, low: u32, high: u32, length: u32| {
        let at = at as f32;
        at < low as f32 + margin || at >= (length - high) as f32 - margin
    };
    for (at, pixel) in pixels(drawn).iter().enumerate() {
        let (x, y) = (at % width, at / width);
        let outside = beyond(x, insets.left, insets.right, page.width)
            || beyond(y, insets.top, insets.bottom, page.height);
        assert!(!outside || *pixel == background, "something stands at {x}, {y}");
    }
}

#[test]
fn the_state_has_the_largest_colour_after_the_page() {
    for dark in [false, true] {
        let page = Page { dark, ..PHONE };
        let state = |status: &Status| colors(&render(status, &page, face().as_ref()))[1].0;
        let ([on_red, on_green, ..], [off_red, off_green, ..]) = (state(&on()), state(&off()));
        assert!(on_green > on_red, "green when on");
        assert!(off_red > off_green, "red when off");
    }
}

#[test]
fn without_a_font_the_state_is_still_seen() {
    for dark in [false, true] {
        let page = Page { dark, ..PHONE };
        let [on, off] = [on(), off()].map(|status| render(&status, &page, None));
        save(if dark { "no-font-dark" } else { "no-font" }, &off);
        assert_margins_are_empty(&on, &page);
        let area = |picture: &Picture| {
            let page = colors(picture)[0].1;
            (pixels(picture).len() - page) * 100 / pixels(picture).len()
        };
        assert!(area(&on) >= 5, "{}", area(&on));
        assert_ne!(colors(&on)[1].0, colors(&off)[1].0);
    }
}

#[test]
fn a_page_without_room_for_all_shows_the_state_and_clips_nothing() {
    let insets = Insets::default();
    let page = Page { width: 240, height: 200, density: 1.5, dark: false, insets };
    let drawn = render(&on(), &page, face().as_ref());
    save("tiny", &drawn);
    assert_margins_are_empty(&drawn, &page);
    let green = |([red, green, ..], _): &(Pixel, usize)| green > red;
    assert!(colors(&drawn)[..2].iter().any(green));
}

#[test]
fn no_page_is_too_strange() {
    let wide = Insets { left: 5_000, top: 5_000, right: 5_000, bottom: 5_000 };
    for (width, height) in [(0, 0), (1, 1), (3, 2_000), (2_000, 3), (400, 400)] {
        for density in [0.0, 0.1, 2.0, 100.0, f32::NAN] {
            for insets in [Insets::default(), BARS, wide] {
                let page = Page { width, height, density, dark: false, insets };
                let drawn = render(&on(), &page, face().as_ref());
                assert_eq!(pixels(&drawn).len(), width as usize * height as usize);
            }
        }
    }
}

/// Kept for people to look at.
fn save(name: &str, drawn: &Picture) -> String {
    let path = format!("{}/status-{name}.png", env!("CARGO_TARGET_TMPDIR"));
    let (width, height) = (drawn.width, drawn.height);
    let picture = picture::Picture { width, height, rgba: drawn.rgba.clone() };
    std::fs::write(&path, picture.png()).unwrap();
    path
}

/// Letters and digits alone, without case.
fn plain(word: &str) -> String {
    word.chars().filter(char::is_ascii_alphanumeric).flat_map(char::to_lowercase).collect()
}

/// Everything a picture says, run together: a reader does not always see where words end.
fn recognise(path: &str, layout: &str, threshold: &str) -> String {
    let output = Command::new("tesseract")
        .args([path, "stdout", "--dpi", "300", "--psm", layout])
        .args(["-c", &format!("thresholding_method={threshold}")])
        .env("OMP_THREAD_LIMIT", "1")
        .stderr(Stdio::null())
        .output()
        .expect("tesseract is needed to read the pictures: apt-get install tesseract-ocr");
    assert!(output.status.success(), "tesseract failed: {}", output.status);
    plain(&String::from_utf8(output.stdout).unwrap())
}
