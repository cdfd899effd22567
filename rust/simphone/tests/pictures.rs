//! A person could read the pictures: a text recogniser does, and finds every label of the tree
//! where the tree says it is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]
#![allow(clippy::cast_sign_loss, reason = "bounds of these screens are on the screen")]

#[path = "../../runtime/tests/support/screens.rs"]
mod screens;

#[path = "pictures/samples.rs"]
mod samples;

use clawperator_runtime::role::Role;
use clawperator_runtime::screen::{Bounds, Flags, Node, Screen};
use clawperator_simphone::picture::{Picture, Style, render};
use std::io::Write as _;
use std::process::{Command, Stdio};

#[test]
fn the_settings_can_be_read() {
    assert_readable("settings", &screens::settings());
}

#[test]
fn the_form_can_be_read() {
    assert_readable("form", &screens::form());
}

#[test]
fn the_inbox_can_be_read() {
    assert_readable("inbox", &screens::list());
}

#[test]
fn the_feed_can_be_read() {
    assert_readable("feed", &samples::feed());
}

#[test]
fn the_launcher_can_be_read() {
    assert_readable("launcher", &samples::launcher());
}

#[test]
fn the_quick_settings_can_be_read() {
    assert_readable("tiles", &samples::tiles());
}

#[test]
fn the_lock_screen_can_be_read() {
    assert_readable("lock", &samples::lock());
}

#[test]
fn a_dialog_over_a_page_can_be_read() {
    assert_readable("dialog", &samples::dialog());
}

#[test]
fn every_control_can_be_read() {
    assert_readable("controls", &samples::controls());
}

/// A word as it was recognised.
struct Seen {
    word: String,
    bounds: Bounds,
}

/// Draws the screen, has it read, and compares with the tree: 95 of 100 words are found, and of
/// every label at least one.
fn assert_readable(name: &str, screen: &Screen) {
    let picture = render(screen, &Style::default());
    let png = picture.png();
    // Kept for people to look at.
    let path = format!("{}/{name}.png", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, &png).unwrap();
    let seen = recognise(&png, &["--psm", "11", "-c", "thresholding_method=2"]);
    let (mut words, mut found, mut unread) = (0, 0, Vec::new());
    for node in screen.nodes().filter(|node| shows_text(node, screen)) {
        // A recogniser's boxes are those of whole lines, with the icon beside a word.
        let b = node.bounds();
        let near = Bounds::new(b.left - 10, b.top - 10, b.right + 10, b.bottom + 10);
        let inside = |seen: &&Seen| near.intersection(seen.bounds) == seen.bounds;
        let mut read: String = seen.iter().filter(inside).map(|seen| plain(&seen.word)).collect();
        let label: Vec<String> =
            node.text().split_whitespace().map(plain).filter(|word| !word.is_empty()).collect();
        // White on a coloured button is lost on a page of black on white; alone it is read.
        if !label.iter().all(|word| read.contains(word)) {
            let alone = recognise(&part(&picture, b).png(), &["--psm", "6"]);
            read.extend(alone.iter().map(|seen| plain(&seen.word)));
        }
        let hits = label.iter().filter(|word| read.contains(*word)).count();
        words += label.len();
        found += hits;
        if hits < label.len() {
            unread.push(format!("{} {b}: read {read:?}", node.text()));
        }
        assert!(hits > 0 || label.is_empty(), "{path}: nothing of {unread:?} in its place");
    }
    assert!(words > 0 && found * 100 >= words * 95, "{path}: {found} of {words}: {unread:?}");
}

/// Only the active window is read: what is behind it is dimmed or covered. A switch is read out as
/// "ON" and shows it in other ways.
fn shows_text(node: &Node<'_>, screen: &Screen) -> bool {
    let state = Role::of(*node) == Role::Switch && node.text().len() <= 3;
    let shows = !node.text().is_empty() && !state && node.window().window().active;
    shows && !screen.nodes().any(|other| lies_over(&other, node))
}

/// Buttons float above lists.
fn lies_over(other: &Node<'_>, node: &Node<'_>) -> bool {
    let later = other.index() > node.index() && !other.is_within(*node);
    later && other.has(Flags::CLICKABLE) && other.bounds().intersects(node.bounds())
}

/// Letters and digits alone, without case.
fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What a picture shows between bounds.
fn part(picture: &Picture, bounds: Bounds) -> Picture {
    let bounds = bounds.intersection(Bounds::new(0, 0, 1080, 2400));
    let [left, right, width] = [bounds.left, bounds.right, 1080].map(|x| x as usize * 4);
    let rows = picture.rgba.chunks_exact(width);
    let rows = rows.skip(bounds.top as usize).take(bounds.height() as usize);
    let rgba = rows.flat_map(|row| &row[left..right]).copied().collect();
    Picture { width: bounds.width() as u32, height: bounds.height() as u32, rgba }
}

/// The words of a picture, by tesseract.
fn recognise(png: &[u8], options: &[&str]) -> Vec<Seen> {
    let mut reader = Command::new("tesseract")
        .args(["stdin", "stdout", "--dpi", "420"])
        .args(options)
        .arg("tsv")
        .env("OMP_THREAD_LIMIT", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("tesseract is needed to read the pictures: apt-get install tesseract-ocr");
    reader.stdin.take().unwrap().write_all(png).unwrap();
    let output = reader.wait_with_output().unwrap();
    assert!(output.status.success(), "tesseract failed: {}", output.status);
    let table = String::from_utf8(output.stdout).unwrap();
    let word = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| cells.get(at)?.parse::<i32>().ok();
        let (left, top, width, height) = (number(6)?, number(7)?, number(8)?, number(9)?);
        let bounds = Bounds::new(left, top, left + width, top + height);
        Some(Seen { word: (*cells.get(11)?).to_owned(), bounds })
    };
    table.lines().skip(1).filter_map(word).filter(|seen| !seen.word.trim().is_empty()).collect()
}
