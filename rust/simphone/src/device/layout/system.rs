//! What is not an app's: bars, keyboard, lock screen, the apps on the home screen, recent apps.

use super::{FRAME, IMAGE_VIEW, LINEAR, Look, RECYCLER, Slot, TEXT_VIEW};
use crate::app::App;
use crate::device::deed::{Deed, Press};
use crate::device::metrics::{BODY, LARGE, Metrics};
use crate::device::view::{Key, View};
use clawperator_runtime::screen::{Bounds, Flags};
use std::sync::Arc;

/// Whose the bars and the lock screen are.
pub(crate) const SYSTEM_UI: &str = "com.android.systemui";

/// Whose the keyboard is.
pub(crate) const KEYBOARD: &str = "com.android.inputmethod.latin";

fn ui(name: &str) -> String {
    format!("{SYSTEM_UI}:id/{name}")
}

/// Hours and minutes, of the phone's own (universal) time.
fn hours(epoch_ms: u64) -> String {
    let minutes = epoch_ms / 60_000 % 1_440;
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

pub(crate) fn status_bar(metrics: Metrics, key: Key, epoch_ms: u64) -> View {
    let bar = metrics.status_bar();
    let part = |name: &str, class, left: i32, right: i32| {
        let bounds = Bounds::new(left, bar.top, right, bar.bottom);
        View::new(key.part(name), class, bounds).with_id(ui(name))
    };
    let pad = metrics.px(16);
    let clock = part("clock", TEXT_VIEW, pad, pad + metrics.px(48)).with_text(hours(epoch_ms));
    let right = bar.right - pad;
    let step = metrics.px(24);
    let wifi = part("wifi_combo", IMAGE_VIEW, right - 2 * step, right - step);
    let battery = part("battery", IMAGE_VIEW, right - step, right).described("Battery 80 percent.");
    View::new(key, FRAME, bar).with_id(ui("status_bar")).holding(vec![
        clock,
        wifi.described("Wi-Fi signal full."),
        battery,
    ])
}

pub(crate) fn navigation_bar(metrics: Metrics, key: Key) -> View {
    let bar = metrics.navigation_bar();
    let keys = [
        ("back", "Back", Press::Back),
        ("home", "Home", Press::Home),
        ("recent_apps", "Overview", Press::Recents),
    ];
    let third = bar.width() / 3;
    let mut children = Vec::new();
    for (at, (name, description, press)) in (0..).zip(keys) {
        let bounds = Bounds::new(at * third, bar.top, (at + 1) * third, bar.bottom);
        let key = View::new(key.part(name), IMAGE_VIEW, bounds)
            .with_id(ui(name))
            .described(description)
            .doing(Deed::Press(press));
        children.push(key);
    }
    View::new(key, FRAME, bar).with_id(ui("navigation_bar_frame")).holding(children)
}

/// Letters in three rows; space, delete and enter below.
pub(crate) fn keyboard(metrics: Metrics, key: Key) -> View {
    let place = metrics.keyboard();
    let rows: [Vec<(String, Press, i32)>; 4] = [
        letters("qwertyuiop"),
        letters("asdfghjkl"),
        letters("zxcvbnm.@"),
        vec![
            ("Delete".into(), Press::Erase, 2),
            ("Space".into(), Press::Letter(' '), 6),
            ("Enter".into(), Press::Enter, 2),
        ],
    ];
    let height = place.height() / 4;
    let mut children = Vec::new();
    for (line, row) in (0..).zip(rows) {
        let parts: i32 = row.iter().map(|(_, _, parts)| parts).sum();
        let mut at = 0;
        for (name, press, wide) in row {
            let edge = |at: i32| place.left + place.width() * at / parts;
            let top = place.top + line * height;
            let bounds = Bounds::new(edge(at), top, edge(at + wide), top + height);
            at += wide;
            let class = "android.inputmethodservice.Keyboard$Key";
            let view =
                View::new(key.part(&name), class, bounds).described(name).doing(Deed::Press(press));
            children.push(view);
        }
    }
    View::new(key, FRAME, place).with_id(format!("{KEYBOARD}:id/keyboard_view")).holding(children)
}

fn letters(row: &str) -> Vec<(String, Press, i32)> {
    row.chars().map(|letter| (letter.to_string(), Press::Letter(letter), 1)).collect()
}

pub(crate) fn lock_screen(metrics: Metrics, key: Key, epoch_ms: u64, secure: bool) -> View {
    let screen = metrics.screen();
    let text = |name: &str, words: &str, top: i32, size| {
        let width = metrics.text_width(words, size).min(metrics.width);
        let left = (metrics.width - width) / 2;
        let bounds = Bounds::new(left, top, left + width, top + metrics.line_height(size));
        View::new(key.part(name), TEXT_VIEW, bounds).with_id(ui(name)).with_text(words)
    };
    let hint = if secure { "Enter your PIN to unlock" } else { "Swipe up to unlock" };
    let children = vec![
        text("clock_view", &hours(epoch_ms), metrics.height / 4, LARGE),
        text("keyguard_indication_text", hint, metrics.height * 3 / 4, BODY),
    ];
    View::new(key, FRAME, screen).with_id(ui("keyguard_root_view")).holding(children)
}

/// The apps of the phone, as the home screen shows them.
pub(super) fn app_icons(look: &Look<'_>, slot: Slot) -> View {
    let columns = 4;
    let (width, height) = (slot.width / columns, look.px(104));
    let apps: Vec<_> = look.installed.iter().filter(|app| !app.home).collect();
    let mut children = Vec::new();
    for (number, app) in (0..).zip(&apps) {
        let (column, row) = (number % columns, number / columns);
        let left = slot.left + column * width;
        let top = slot.top + row * height;
        let icon = View::new(
            slot.key.part(&app.package),
            TEXT_VIEW,
            Bounds::new(left, top, left + width, top + height),
        )
        .with_id(look.id("icon"))
        .with_text(app.label.as_str())
        .described(app.label.as_str())
        .flagged(Flags::LONG_CLICKABLE)
        .doing(Deed::Launch(app.package.clone()));
        children.push(icon);
    }
    let rows = (i32::try_from(apps.len()).unwrap_or(0) + columns - 1) / columns;
    View::new(slot.key, "android.view.ViewGroup", slot.bounds(rows * height))
        .with_id(look.id("workspace"))
        .holding(children)
}

/// How many recent apps there is room for.
const RECENT_APPS: usize = 5;

/// Cards of the apps that run, the newest first.
pub(crate) fn recents(metrics: Metrics, key: Key, home: &str, running: &[Arc<App>]) -> View {
    let area = metrics.content(false);
    let id = |name: &str| format!("{home}:id/{name}");
    let side = metrics.px(32);
    let card = (area.height() - metrics.px(64)) / 5;
    let mut children = Vec::new();
    let mut top = area.top;
    for app in running.iter().take(RECENT_APPS) {
        let gap = metrics.px(4);
        let bounds = Bounds::new(area.left + side, top + gap, area.right - side, top + card - gap);
        let line = metrics.line_height(BODY);
        let title = View::new(
            key.part(&app.package).part("title"),
            TEXT_VIEW,
            Bounds::new(bounds.left, bounds.top, bounds.right, bounds.top + line),
        )
        .with_id(id("title"))
        .with_text(app.label.as_str());
        let view = View::new(key.part(&app.package), FRAME, bounds)
            .with_id(id("task"))
            .described(app.label.as_str())
            .doing(Deed::Launch(app.package.clone()))
            .holding(vec![title]);
        children.push(view);
        top += card;
    }
    let bottom = Bounds::new(area.left, area.bottom - metrics.px(56), area.right, area.bottom);
    let last = if running.is_empty() {
        View::new(key.part("empty"), TEXT_VIEW, bottom).with_text("No recent items")
    } else {
        View::new(key.part("clear_all"), "android.widget.Button", bottom)
            .with_id(id("clear_all"))
            .with_text("Clear all")
            .doing(Deed::ClearAll)
    };
    let list_place = Bounds::new(area.left, area.top, area.right, bottom.top);
    let rows = i32::try_from(children.len()).unwrap_or(0);
    let mut list = View::new(key.part("list"), RECYCLER, list_place)
        .with_id(id("overview_panel"))
        .holding(children);
    list.collection = Some((rows, 1));
    View::new(key, LINEAR, metrics.screen()).flagged(Flags::VERTICAL).holding(vec![list, last])
}
