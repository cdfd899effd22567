//! Buttons, pictures, text fields, choices and ranges.

use super::rows::{act, label_of, touchable};
use super::{IMAGE_VIEW, Look, Slot, TEXT_VIEW, page, text_at};
use crate::app::{Kind, Label, Value, Widget};
use crate::device::deed::{Act, Deed, Field};
use crate::device::metrics::{BODY, TITLE};
use crate::device::view::View;
use clawperator_runtime::screen::{Bounds, Flags, Range};

pub(super) fn button(look: &Look<'_>, widget: &Widget, slot: Slot) -> View {
    let (side, gap) = (look.px(16), look.px(4));
    let words = label_of(look, widget);
    let room = (slot.width - 2 * side).max(1);
    let (width, height) = look.metrics.text_box(&words, BODY, room);
    let width = (width + 2 * side).clamp(look.px(88).min(room), room);
    let left = slot.left + side;
    let height = (height + look.px(16)).max(look.px(48));
    let bounds = Bounds::new(left, slot.top + gap, left + width, slot.top + gap + height);
    let inner = page::button_view(look, widget, slot.key, bounds);
    // A button is as wide as its label; the place around it belongs to nobody.
    View::new(slot.key.part("around"), super::FRAME, slot.bounds(height + 2 * gap))
        .holding(vec![inner])
}

pub(super) fn image(look: &Look<'_>, widget: &Widget, slot: Slot, label: &Label) -> View {
    let height = (slot.width * 9 / 16).min(look.px(200));
    let view = View::new(slot.key, IMAGE_VIEW, slot.bounds(height))
        .with_id(look.id_of(widget))
        .described(look.text(label));
    touchable(look, widget, view)
}

pub(super) fn field(look: &Look<'_>, widget: &Widget, slot: Slot) -> View {
    let Kind::Field { hint, state, password, ime, submit } = &widget.kind else {
        return View::new(slot.key, TEXT_VIEW, slot.bounds(0));
    };
    let (side, gap) = (look.px(16), look.px(4));
    let text = look.scope.state.get(state).map(Value::to_string).unwrap_or_default();
    let bounds = Bounds::new(
        slot.left + side,
        slot.top + gap,
        (slot.left + slot.width - side).max(slot.left + side + 1),
        slot.top + gap + look.px(56),
    );
    let mut flags = Flags::EDITABLE
        .with(Flags::FOCUSABLE)
        .with(Flags::CLICKABLE)
        .with(Flags::LONG_CLICKABLE)
        .with(Flags::SETS_TEXT);
    if *password {
        flags = flags.with(Flags::PASSWORD);
    }
    if look.open.focus == Some(slot.key) {
        flags = flags.with(Flags::FOCUSED);
    }
    let shown = match (text.is_empty(), password) {
        (true, _) => {
            flags = flags.with(Flags::SHOWING_HINT);
            look.text(hint)
        }
        // What Android's own nodes show of a password.
        (false, true) => "•".repeat(text.chars().count()),
        (false, false) => text.clone(),
    };
    let mut view = View::new(slot.key, "android.widget.EditText", bounds)
        .with_id(look.id_of(widget))
        .with_text(shown)
        .flagged(flags);
    view.click = Some(Deed::Focus);
    view.field = Some(Field {
        variable: Some(state.clone()),
        text,
        password: *password,
        ime: *ime,
        submit: Act { actions: submit.clone(), n: look.scope.n },
    });
    View::new(slot.key.part("around"), super::FRAME, slot.bounds(look.px(56) + 2 * gap))
        .holding(vec![view])
}

pub(super) fn radio(
    look: &Look<'_>,
    widget: &Widget,
    slot: Slot,
    state: &str,
    options: &[(Label, Value)],
) -> View {
    let height = look.px(48);
    let chosen = look.scope.state.get(state);
    let mut top = slot.top;
    let mut children = Vec::new();
    for (number, (label, value)) in (0..).zip(options) {
        let mut flags = Flags::CHECKABLE;
        if chosen == Some(value) {
            flags = flags.with(Flags::CHECKED);
        }
        let bounds = Bounds::new(slot.left, top, slot.left + slot.width, top + height);
        top += height;
        let option = View::new(slot.key.child(number), "android.widget.RadioButton", bounds)
            .with_text(look.text(label))
            .flagged(flags)
            .doing(Deed::Choose(state.to_owned(), value.clone()));
        children.push(option);
    }
    View::new(slot.key, "android.widget.RadioGroup", slot.bounds(top - slot.top))
        .with_id(look.id_of(widget))
        .holding(children)
}

/// A slider, or a bar that only shows.
pub(super) fn range(
    look: &Look<'_>,
    widget: &Widget,
    slot: Slot,
    label: &Label,
    (state, min, max): (&str, i64, i64),
    slides: bool,
) -> View {
    let side = look.px(16);
    let value = match look.scope.state.get(state) {
        Some(Value::Int(value)) => (*value).clamp(min, max),
        _ => min,
    };
    let name = Slot {
        key: slot.key.part("label"),
        left: slot.left + side,
        top: slot.top + look.px(8),
        width: (slot.width - 2 * side).max(1),
    };
    let words = look.text(label);
    let label = text_at(look, name, words.clone(), TITLE);
    let top = label.bounds.bottom;
    let height = look.px(if slides { 48 } else { 24 });
    let bounds = Bounds::new(name.left, top, name.left + name.width, top + height);
    let class = if slides { "android.widget.SeekBar" } else { "android.widget.ProgressBar" };
    let mut bar = View::new(slot.key, class, bounds).with_id(look.id_of(widget)).described(words);
    bar.range = Some(Range { min: small(min), max: small(max), current: small(value) });
    if slides {
        bar.flags = bar.flags.with(Flags::FOCUSABLE);
        bar.click = Some(Deed::Slide { variable: state.to_owned(), min, max });
    }
    if !widget.click.is_empty() {
        bar = bar.doing(Deed::Act(act(look, widget)));
    }
    View::new(slot.key.part("around"), super::LINEAR, slot.bounds(top + height - slot.top))
        .flagged(Flags::VERTICAL)
        .holding(vec![label, bar])
}

/// The reader lets no range go beyond a million.
fn small(number: i64) -> f32 {
    #[allow(clippy::cast_precision_loss, reason = "a float holds every whole number this small")]
    let number = number as f32;
    number
}
