//! Whole pages: the bar with the title, and what is below it; dialogs.

use super::scrolling::{body, content_height};
use super::{FRAME, LINEAR, Look, Slot, TEXT_VIEW, dump, rows, text_at};
use crate::app::{Body, Widget};
use crate::device::deed::{Act, Deed, Press};
use crate::device::metrics::LARGE;
use crate::device::view::{Key, View};
use clawperator_runtime::screen::{Bounds, Flags};

/// The window of a screen.
pub(crate) fn screen(look: &Look<'_>, keyboard: bool) -> View {
    let key = Key::root(look.open.number);
    let whole = look.metrics.screen();
    let widgets = match &look.open.page.body {
        Body::Dump { window, next } => return dump::view(look, key, window, next.as_deref()),
        Body::Widgets(widgets) => widgets,
    };
    let area = look.metrics.content(keyboard);
    let mut children = Vec::new();
    let mut rest = area;
    if look.open.page.toolbar {
        let bar = toolbar(look, key.part("toolbar"), area);
        rest.top = bar.bounds.bottom;
        children.push(bar);
    }
    if look.now >= look.open.content_from {
        body(look, widgets, key.part("body"), rest, &mut children);
    }
    let content =
        View::new(key.part("content"), FRAME, area).with_id("android:id/content").holding(children);
    View::new(key, FRAME, whole).holding(vec![content]).within(whole)
}

fn toolbar(look: &Look<'_>, key: Key, area: Bounds) -> View {
    let height = look.px(56);
    let bounds = Bounds::new(area.left, area.top, area.right, area.top + height);
    let mut children = Vec::new();
    let mut left = area.left + look.px(16);
    if look.has_up {
        let side = look.px(56);
        let place = Bounds::new(area.left, area.top, area.left + side, area.top + height);
        let up = View::new(key.part("up"), "android.widget.ImageButton", place)
            .described("Navigate up")
            .doing(Deed::Press(Press::Back));
        children.push(up);
        left = area.left + look.px(72);
    }
    let mut right = area.right;
    let mut icons = Vec::new();
    for (number, button) in (0..).zip(look.open.page.buttons.iter().rev()) {
        if !look.shows(button) {
            continue;
        }
        let side = look.px(48);
        let place = Bounds::new(right - side, area.top, right, area.top + height);
        right -= side;
        let mut icon = button_view(look, button, key.part("action").child(number), place);
        icon.class = "android.widget.ImageButton".into();
        icon.description = std::mem::take(&mut icon.text);
        icons.push(icon);
    }
    let text = look.text(&look.open.page.title);
    let line = look.metrics.line_height(LARGE);
    let top = area.top + (height - line) / 2;
    let width = look.metrics.text_width(&text, LARGE).min(right - left).max(1);
    let title =
        View::new(key.part("title"), TEXT_VIEW, Bounds::new(left, top, left + width, top + line))
            .with_text(text);
    children.push(title);
    children.extend(icons.into_iter().rev());
    // Whatever a toolbar is made of, this is the class it tells.
    View::new(key, "android.view.ViewGroup", bounds).with_id(look.id("toolbar")).holding(children)
}

/// A button with its label, wherever it stands.
pub(super) fn button_view(look: &Look<'_>, widget: &Widget, key: Key, bounds: Bounds) -> View {
    let label = match &widget.kind {
        crate::app::Kind::Button(label) => look.text(label),
        _ => String::new(),
    };
    let act = |actions: &crate::app::Actions| {
        Deed::Act(Act { actions: actions.clone(), n: look.scope.n })
    };
    let mut view = View::new(key, "android.widget.Button", bounds)
        .with_id(look.id_of(widget))
        .with_text(label)
        .doing(act(&widget.click));
    if !widget.long_click.is_empty() {
        view = view.doing_when_held(act(&widget.long_click));
    }
    look.finished(widget, key, view)
}

/// The window of a dialog.
pub(crate) fn dialog(look: &Look<'_>, keyboard: bool) -> View {
    let key = Key::root(look.open.number);
    let area = look.metrics.content(keyboard);
    let Body::Widgets(widgets) = &look.open.page.body else {
        return View::new(key, FRAME, area);
    };
    let margin = look.px(24);
    let (left, right) = (area.left + margin, area.right - margin);
    let padding = look.px(24);
    let inner = Slot {
        key: key.part("title"),
        left: left + padding,
        top: 0,
        width: (right - left - 2 * padding).max(1),
    };
    let title = look.text(&look.open.page.title);
    let title_height = text_at(look, inner, title.clone(), LARGE).bounds.height();
    let top_height = padding + title_height + look.px(8);
    let shown = || look.open.page.buttons.iter().filter(|button| look.shows(button));
    let buttons_height = if shown().next().is_some() { look.px(52) } else { look.px(8) };
    let room = area.height() - 2 * margin - top_height - buttons_height;
    let body_key = key.part("body");
    let wanted = content_height(look, widgets, body_key, right - left);
    let body_height = wanted.clamp(0, room.max(0));
    let height = top_height + body_height + buttons_height;
    let top = area.top + (area.height() - height) / 2;
    let mut children = vec![
        text_at(look, Slot { top: top + padding, ..inner }, title, LARGE)
            .with_id("android:id/alertTitle"),
    ];
    let place = Bounds::new(left, top + top_height, right, top + top_height + body_height);
    if body_height > 0 {
        body(look, widgets, body_key, place, &mut children);
    }
    let mut edge = right - look.px(8);
    let mut row = Vec::new();
    // The last one is the one that says yes, and Android numbers from there.
    for (number, button) in (1..).zip(shown().collect::<Vec<_>>().into_iter().rev()) {
        let width = (look.metrics.text_width(&rows::label_of(look, button), LARGE) + look.px(24))
            .max(look.px(64));
        let bounds = Bounds::new(
            (edge - width).max(left),
            place.bottom + look.px(2),
            edge,
            place.bottom + look.px(50),
        );
        edge -= width + look.px(8);
        let mut view = button_view(look, button, key.part("button").child(number), bounds);
        if view.id.is_empty() {
            view.id = format!("android:id/button{number}");
        }
        row.push(view);
    }
    children.extend(row.into_iter().rev());
    let bounds = Bounds::new(left, top, right, top + height);
    let panel = View::new(key.part("panel"), LINEAR, bounds)
        .with_id("android:id/parentPanel")
        .flagged(Flags::VERTICAL)
        .holding(children);
    View::new(key, FRAME, bounds).holding(vec![panel]).within(look.metrics.screen())
}
