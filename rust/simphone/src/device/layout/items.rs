//! Lists, feeds, tabs, grids and carousels.

use super::rows::widget_view;
use super::scrolling::{body, scrolls, shifted};
use super::{Look, RECYCLER, Slot, TEXT_VIEW};
use crate::app::{Tab, Widget};
use crate::device::deed::Deed;
use crate::device::metrics::BODY;
use crate::device::view::{Axis, Key, More, Scroller, View};
use clawperator_runtime::screen::{Bounds, Flags};
use std::time::Duration;

/// A list of so many items.
pub(super) fn list(
    look: &Look<'_>,
    widget: &Widget,
    key: Key,
    place: Bounds,
    count: u32,
    item: &Widget,
) -> View {
    let mut view = items(look, key, place, count, item, 0, None);
    view.id = widget.id.as_deref().map_or_else(|| look.id("list"), |id| look.id(id));
    view.collection = Some((i32::try_from(count).unwrap_or(i32::MAX), 1));
    look.finished(widget, key, view)
}

/// A list that never ends: at the end of what has come, more comes after a moment.
pub(super) fn endless(
    look: &Look<'_>,
    widget: &Widget,
    key: Key,
    place: Bounds,
    (page, takes): (u32, Duration),
    item: &Widget,
) -> View {
    let loaded = look.open.loaded.get(&key).copied().unwrap_or(page);
    let more = More { count: loaded.saturating_add(page), takes };
    let mut view = items(look, key, place, loaded, item, look.px(56), Some(more));
    view.id = widget.id.as_deref().map_or_else(|| look.id("feed"), |id| look.id(id));
    // A feed does not know how long it is.
    view.collection = Some((-1, 1));
    look.finished(widget, key, view)
}

/// Equal items one below the other, those that the opening shows; and, with a tail, the circle
/// that turns while more is on its way.
fn items(
    look: &Look<'_>,
    key: Key,
    place: Bounds,
    count: u32,
    item: &Widget,
    tail: i32,
    more: Option<More>,
) -> View {
    let slot = |n: u32, top: i32| Slot {
        key: key.child(n.into()),
        left: place.left,
        top,
        width: place.width(),
    };
    // All are as high as the one with the longest number, so that places can be computed.
    let longest = more.map_or(count, |_| 99_999);
    let height = widget_view(&look.item(longest.into()), item, slot(0, 0)).bounds.height().max(1);
    let rows = i32::try_from(count).unwrap_or(i32::MAX);
    let whole = height.saturating_mul(rows).saturating_add(tail);
    let end = (whole - place.height()).max(0);
    let offset = look.open.scrolled.get(&key).copied().unwrap_or(0).clamp(0, end);
    let first = offset / height;
    let last = ((offset + place.height() - 1) / height).min(rows - 1);
    let mut children = Vec::new();
    for at in first..=last {
        let Ok(n) = u32::try_from(at + 1) else { continue };
        let top = place.top + at * height - offset;
        let mut view = widget_view(&look.item(n.into()), item, slot(n, top));
        view.bounds.bottom = top + height;
        view.flags = view.flags.with(Flags::COLLECTION_ITEM);
        children.extend(view.clipped(place));
    }
    if tail > 0 {
        let top = place.top + whole - tail - offset;
        let side = look.px(40);
        let left = place.left + (place.width() - side) / 2;
        let circle = Bounds::new(left, top + look.px(8), left + side, top + look.px(8) + side);
        let view = View::new(key.part("loading"), "android.widget.ProgressBar", circle);
        children.extend(view.with_id(look.id("loading")).clipped(place));
    }
    let mut view = View::new(key, RECYCLER, place).holding(children);
    scrolls(&mut view, Scroller { axis: Axis::Vertical, offset, end, more });
    view
}

/// Tabs in a bar at the top or the bottom, and the page of the one that is selected.
pub(super) fn tabs(
    look: &Look<'_>,
    key: Key,
    place: Bounds,
    tabs: &[Tab],
    bottom: bool,
    out: &mut Vec<View>,
) {
    let selected = look.open.tabs.get(&key).copied().unwrap_or(0).min(tabs.len() - 1);
    let height = look.px(if bottom { 56 } else { 48 }).min(place.height());
    let (mut bar, mut rest) = (place, place);
    if bottom {
        bar.top = place.bottom - height;
        rest.bottom = bar.top;
    } else {
        bar.bottom = place.top + height;
        rest.top = bar.bottom;
    }
    let count = i32::try_from(tabs.len()).unwrap_or(1);
    let mut children = Vec::new();
    for (number, tab) in tabs.iter().enumerate() {
        let at = i32::try_from(number).unwrap_or(0);
        let edge = |at: i32| bar.left + bar.width() * at / count;
        let bounds = Bounds::new(edge(at), bar.top, edge(at + 1), bar.bottom);
        let mut flags = Flags::NONE;
        if number == selected {
            flags = flags.with(Flags::SELECTED);
        }
        let own = key.part("tab").child(number as u64);
        let label = look.text(&tab.label);
        let line = look.metrics.line_height(BODY);
        let width = look.metrics.text_width(&label, BODY).min(bounds.width());
        let left = bounds.left + (bounds.width() - width) / 2;
        let top = bounds.top + (height - line) / 2;
        let text = View::new(
            own.part("text"),
            TEXT_VIEW,
            Bounds::new(left, top, left + width, top + line),
        )
        .with_text(label.clone())
        // A view that is selected selects what is in it.
        .flagged(flags);
        let tab = View::new(own, super::LINEAR, bounds)
            .described(label)
            .flagged(flags)
            .doing(Deed::Tab { bar: key, number })
            .holding(vec![text]);
        children.push(tab);
    }
    let (class, id) = if bottom {
        ("com.google.android.material.bottomnavigation.BottomNavigationView", "bottom_navigation")
    } else {
        ("com.google.android.material.tabs.TabLayout", "tabs")
    };
    let bar = View::new(key.part("bar"), class, bar).with_id(look.id(id)).holding(children);
    let mut page = Vec::new();
    let content = key.part("page").child(selected as u64);
    if let Some(tab) = tabs.get(selected) {
        body(look, &tab.widgets, content, rest, &mut page);
    }
    if bottom {
        out.extend(page);
        out.push(bar);
    } else {
        out.push(bar);
        out.extend(page);
    }
}

/// Cards in columns.
pub(super) fn grid(look: &Look<'_>, slot: Slot, columns: u32, items: &[Widget]) -> View {
    let columns = i32::try_from(columns).unwrap_or(1);
    let gap = look.px(8);
    let left = slot.left + gap;
    let room = slot.width - 2 * gap;
    let width = ((room - gap * (columns - 1)) / columns).max(1);
    let shown: Vec<_> = (0..).zip(items).filter(|(_, item)| look.shows(item)).collect();
    let mut children: Vec<View> = Vec::new();
    let mut top = slot.top + gap;
    for row in shown.chunks(usize::try_from(columns).unwrap_or(1)) {
        let mut bottom = top;
        let mut cells = Vec::new();
        for (column, (number, item)) in (0..).zip(row) {
            let place = Slot {
                key: slot.key.child(*number),
                left: left + column * (width + gap),
                top,
                width,
            };
            let view = widget_view(look, item, place).flagged(Flags::COLLECTION_ITEM);
            bottom = bottom.max(view.bounds.bottom);
            cells.push(view);
        }
        for mut view in cells {
            view.bounds.bottom = bottom;
            children.push(view);
        }
        top = bottom + gap;
    }
    let rows = (i32::try_from(shown.len()).unwrap_or(0) + columns - 1) / columns;
    let mut view = View::new(slot.key, RECYCLER, slot.bounds(top - slot.top)).holding(children);
    view.collection = Some((rows, columns));
    view
}

/// Cards side by side, to be pushed along.
pub(super) fn carousel(look: &Look<'_>, slot: Slot, items: &[Widget]) -> View {
    let gap = look.px(8);
    let width = (slot.width * 2 / 5).max(1);
    let mut left = slot.left + gap;
    let mut bottom = slot.top + look.px(48);
    let mut children = Vec::new();
    for (number, item) in (0..).zip(items).filter(|(_, item)| look.shows(item)) {
        let place = Slot { key: slot.key.child(number), left, top: slot.top + gap, width };
        let view = widget_view(look, item, place);
        bottom = bottom.max(view.bounds.bottom);
        left = view.bounds.right + gap;
        children.push(view);
    }
    let bounds = slot.bounds(bottom + gap - slot.top);
    let end = (left - slot.left - slot.width).max(0);
    let offset = look.open.scrolled.get(&slot.key).copied().unwrap_or(0).clamp(0, end);
    let children =
        children.into_iter().filter_map(|view| shifted(view, -offset, 0).clipped(bounds)).collect();
    let mut view =
        View::new(slot.key, "android.widget.HorizontalScrollView", bounds).holding(children);
    scrolls(&mut view, Scroller { axis: Axis::Horizontal, offset, end, more: None });
    view
}
