//! Texts, rows and tiles, and everything that is on or off.

use super::{IMAGE_VIEW, LINEAR, Look, RELATIVE, Slot, TEXT_VIEW, inputs, items, system, text_at};
use crate::app::{Check, CheckStyle, Kind, Label, Value, Widget};
use crate::device::deed::{Act, Deed};
use crate::device::metrics::{BODY, LARGE, TITLE};
use crate::device::view::{Key, View};
use clawperator_runtime::screen::{Bounds, Flags};

/// Any widget that finds its own height.
pub(super) fn widget_view(look: &Look<'_>, widget: &Widget, slot: Slot) -> View {
    let view = match &widget.kind {
        Kind::Text(label) => text(look, widget, slot, label, Flags::NONE),
        Kind::Heading(label) => text(look, widget, slot, label, Flags::HEADING),
        Kind::Image(label) => inputs::image(look, widget, slot, label),
        Kind::Button(_) => inputs::button(look, widget, slot),
        Kind::Row { title, icon, summary, check } => {
            row(look, widget, slot, (title, icon.as_ref(), summary.as_ref(), check.as_ref()))
        }
        Kind::Tile { title, icon, value, check } => {
            tile(look, widget, slot, (title, icon.as_ref(), value.as_ref(), check.as_ref()))
        }
        Kind::Check { label, check } => standalone(look, widget, slot, label, check),
        Kind::Radio { state, options } => inputs::radio(look, widget, slot, state, options),
        Kind::Field { .. } => inputs::field(look, widget, slot),
        Kind::Slider { label, state, min, max } => {
            inputs::range(look, widget, slot, label, (state, *min, *max), true)
        }
        Kind::Progress { label, state, min, max } => {
            inputs::range(look, widget, slot, label, (state, *min, *max), false)
        }
        Kind::Grid { columns, items } => {
            items::grid(look, slot, *columns, items).with_id(look.id_of(widget))
        }
        Kind::Carousel(cards) => items::carousel(look, slot, cards).with_id(look.id_of(widget)),
        Kind::Apps => system::app_icons(look, slot),
        // These fill what is left of a page; the reader lets them stand nowhere else.
        Kind::List { .. } | Kind::Feed { .. } | Kind::Tabs { .. } => {
            View::new(slot.key, super::FRAME, slot.bounds(0))
        }
    };
    look.finished(widget, slot.key, view)
}

pub(super) fn label_of(look: &Look<'_>, widget: &Widget) -> String {
    match &widget.kind {
        Kind::Button(label) => look.text(label),
        _ => String::new(),
    }
}

/// What a click on a widget does, by its own actions.
pub(super) fn act(look: &Look<'_>, widget: &Widget) -> Act {
    Act { actions: widget.click.clone(), n: look.scope.n }
}

/// Makes a view do what its widget says.
pub(super) fn touchable(look: &Look<'_>, widget: &Widget, mut view: View) -> View {
    if !widget.click.is_empty() {
        view = view.doing(Deed::Act(act(look, widget)));
    }
    if !widget.long_click.is_empty() {
        let held = Act { actions: widget.long_click.clone(), n: look.scope.n };
        view = view.doing_when_held(Deed::Act(held));
    }
    view
}

fn text(look: &Look<'_>, widget: &Widget, slot: Slot, label: &Label, flags: Flags) -> View {
    let (size, pad) = if flags == Flags::HEADING { (TITLE, 12) } else { (BODY, 8) };
    let side = look.px(16);
    let words = look.text(label);
    let (_, height) = look.metrics.text_box(&words, size, slot.width - 2 * side);
    let bounds = slot.bounds(height + 2 * look.px(pad));
    let view = View::new(slot.key, TEXT_VIEW, bounds)
        .with_id(look.id_of(widget))
        .with_text(words)
        .flagged(flags);
    touchable(look, widget, view)
}

type RowParts<'a> = (&'a Label, Option<&'a Label>, Option<&'a Label>, Option<&'a Check>);

/// A row as Android's preferences have it.
fn row(
    look: &Look<'_>,
    widget: &Widget,
    slot: Slot,
    (title, icon, summary, check): RowParts<'_>,
) -> View {
    let key = slot.key;
    let pad = look.px(16);
    let frame = look.px(if icon.is_some() { 56 } else { 0 });
    let toggle = look.px(if check.is_some() { 64 } else { 0 });
    let left = slot.left + pad + frame;
    let right = (slot.left + slot.width - pad - toggle).max(left + 1);
    let line = |part: &str, top: i32, words: String, size| {
        let slot = Slot { key: key.part(part), left, top, width: right - left };
        text_at(look, slot, words, size).with_id(format!("android:id/{part}"))
    };
    let mut texts = vec![line("title", slot.top + pad, look.text(title), TITLE)];
    let mut bottom = texts[0].bounds.bottom;
    let summary = summary.map(|label| look.text(label)).filter(|words| !words.is_empty());
    if let Some(words) = summary {
        let view = line("summary", bottom, words, BODY);
        bottom = view.bounds.bottom;
        texts.push(view);
    }
    let height = (bottom + pad - slot.top).max(look.px(56));
    let bounds = slot.bounds(height);
    let mut children = Vec::new();
    if icon.is_some() {
        let place = Bounds::new(slot.left + pad, slot.top, left, slot.top + height);
        children.push(icon_frame(look, key, place));
    }
    let column = Bounds::new(left, slot.top + pad, right, bottom);
    children.push(View::new(key.part("texts"), RELATIVE, column).holding(texts));
    let mut deed = (!widget.click.is_empty()).then(|| Deed::Act(act(look, widget)));
    if let Some(check) = check {
        let place = Bounds::new(right, slot.top, right + toggle, slot.top + height);
        let mut toggle = check_view(look, key.part("check"), check, centred(look, place));
        let itself = |act| Deed::Check(check.state.clone(), act);
        if deed.is_some() {
            // Two targets: the row leads further, the switch switches.
            toggle = toggle.doing(itself(Act { actions: [].into(), n: look.scope.n }));
        } else {
            deed = Some(itself(act(look, widget)));
        }
        let frame = View::new(key.part("widget"), LINEAR, place)
            .with_id("android:id/widget_frame")
            .flagged(Flags::HORIZONTAL)
            .holding(vec![toggle]);
        children.push(frame);
    }
    let mut view = View::new(key, LINEAR, bounds)
        .with_id(look.id_of(widget))
        .flagged(Flags::HORIZONTAL)
        .holding(children);
    view = touchable(look, widget, view);
    match deed {
        Some(deed) => view.doing(deed),
        None => view,
    }
}

/// As in Android's own rows, the icon has no description: the title says it all.
fn icon_frame(look: &Look<'_>, key: Key, place: Bounds) -> View {
    let side = look.px(24);
    let top = place.top + (place.height() - side) / 2;
    let bounds = Bounds::new(place.left, top, place.left + side, top + side);
    let icon = View::new(key.part("icon"), IMAGE_VIEW, bounds).with_id("android:id/icon");
    View::new(key.part("icon_frame"), LINEAR, place)
        .with_id("android:id/icon_frame")
        .flagged(Flags::HORIZONTAL)
        .holding(vec![icon])
}

fn centred(look: &Look<'_>, place: Bounds) -> Bounds {
    let (width, height) = (look.px(48), look.px(32));
    let left = place.left + (place.width() - width) / 2;
    let top = place.top + (place.height() - height) / 2;
    Bounds::new(left, top, left + width, top + height).intersection(place)
}

/// The switch or box itself.
fn check_view(look: &Look<'_>, key: Key, check: &Check, bounds: Bounds) -> View {
    let (class, id) = match check.style {
        CheckStyle::Switch => ("android.widget.Switch", "android:id/switch_widget"),
        CheckStyle::Checkbox => ("android.widget.CheckBox", "android:id/checkbox"),
    };
    let on = look.scope.state.get(&check.state).is_some_and(Value::is_true);
    let mut flags = Flags::CHECKABLE;
    if on {
        flags = flags.with(Flags::CHECKED);
    }
    View::new(key, class, bounds).with_id(id).flagged(flags)
}

/// A switch or box with its label, as wide as the page.
fn standalone(look: &Look<'_>, widget: &Widget, slot: Slot, label: &Label, check: &Check) -> View {
    let words = look.text(label);
    let (_, height) = look.metrics.text_box(&words, TITLE, slot.width - look.px(96));
    let bounds = slot.bounds((height + look.px(24)).max(look.px(48)));
    let mut view = check_view(look, slot.key, check, bounds).with_text(words);
    view.id = look.id_of(widget);
    view.doing(Deed::Check(check.state.clone(), act(look, widget)))
}

/// A card with a name and a large value.
fn tile(
    look: &Look<'_>,
    widget: &Widget,
    slot: Slot,
    (title, icon, value, check): RowParts<'_>,
) -> View {
    let (key, pad) = (slot.key, look.px(12));
    let width = (slot.width - 2 * pad).max(1);
    let left = slot.left + pad;
    let mut top = slot.top + pad;
    let mut children = Vec::new();
    if icon.is_some() {
        let side = look.px(32);
        let bounds = Bounds::new(left, top, left + side.min(width), top + side);
        children
            .push(View::new(key.part("icon"), IMAGE_VIEW, bounds).with_id(look.id("tile_icon")));
        top += side + look.px(4);
    }
    let name = Slot { key: key.part("title"), left, top, width };
    let title = text_at(look, name, look.text(title), BODY).with_id(look.id("tile_title"));
    top = title.bounds.bottom;
    children.push(title);
    if let Some(value) = value {
        let place = Slot { key: key.part("value"), left, top, width };
        let value = text_at(look, place, look.text(value), LARGE).with_id(look.id("tile_value"));
        top = value.bounds.bottom;
        children.push(value);
    }
    let mut deed = None;
    if let Some(check) = check {
        let bounds = Bounds::new(left, top, left + look.px(48).min(width), top + look.px(32));
        let mut toggle = check_view(look, key.part("check"), check, bounds);
        let none = Act { actions: [].into(), n: look.scope.n };
        if widget.click.is_empty() {
            deed = Some(Deed::Check(check.state.clone(), none));
        } else {
            toggle = toggle.doing(Deed::Check(check.state.clone(), none));
        }
        top = toggle.bounds.bottom;
        children.push(toggle);
    }
    let mut view =
        View::new(key, "androidx.cardview.widget.CardView", slot.bounds(top + pad - slot.top))
            .with_id(look.id_of(widget))
            .holding(children);
    view.role_description = "card".into();
    view = touchable(look, widget, view);
    match deed {
        Some(deed) => view.doing(deed),
        None => view,
    }
}
