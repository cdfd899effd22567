//! Draws the app's status screen into a file, as a phone shows it: `status_screen PNG`, or
//! `status_screen PNG FOLDER` with the font of a phone whose `/system` that folder is.

use clawperator_operator::status::{Face, Insets, Link, Page, Status, phones_font, render};
use clawperator_simphone::picture::Picture;
use std::time::Duration;

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).ok_or_else(|| std::io::Error::other("which file?"))?;
    let status = Status {
        service_on: true,
        link: Link::Listening("com.clawperator.operator".into()),
        last_command: Some(Duration::from_secs(200)),
        version: env!("CARGO_PKG_VERSION").into(),
        api_level: 35,
    };
    // A usual phone, with Android's bars above and below.
    let insets = Insets { top: 110, bottom: 63, ..Insets::default() };
    let page = Page { width: 1080, height: 2400, density: 2.625, dark: false, insets };
    let face = match std::env::args().nth(2) {
        Some(system) => phones_font(system.as_ref()),
        None => Face::read(notosans::REGULAR_TTF.to_vec()),
    };
    let drawn = render(&status, &page, face.as_ref());
    let picture = Picture { width: drawn.width, height: drawn.height, rgba: drawn.rgba };
    std::fs::write(path, picture.png())
}
