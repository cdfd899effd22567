//! The body of a page: what scrolls, and what stands above and below it.

use super::items::{endless, list, tabs};
use super::rows::widget_view;
use super::{LINEAR, Look, RECYCLER, Slot};
use crate::app::{Kind, Widget};
use crate::device::view::{Axis, Key, Scroller, View};
use clawperator_runtime::screen::{Bounds, Flags};

/// Does it take all the height that is left?
fn fills(widget: &Widget) -> bool {
    matches!(widget.kind, Kind::List { .. } | Kind::Feed { .. } | Kind::Tabs { .. })
}

/// Lays widgets out in a place. With a list, a feed or tabs among them, the others stand above and
/// below it; without one, all of them scroll together.
pub(super) fn body(
    look: &Look<'_>,
    widgets: &[Widget],
    key: Key,
    place: Bounds,
    out: &mut Vec<View>,
) {
    if place.is_empty() {
        return;
    }
    let shown = || (0_u64..).zip(widgets).filter(|(_, widget)| look.shows(widget));
    let Some((at, filler)) = shown().find(|(_, widget)| fills(widget)) else {
        out.extend(page_scroller(look, widgets, key, place));
        return;
    };
    let mut rest = place;
    for (number, widget) in shown().filter(|(number, _)| *number < at) {
        let slot = slot(key, number, rest);
        let Some(view) = widget_view(look, widget, slot).clipped(rest) else { break };
        rest.top = view.bounds.bottom;
        out.push(view);
    }
    let below: Vec<_> = shown().filter(|(number, _)| *number > at).collect();
    let mut lower = Vec::new();
    for (number, widget) in below.into_iter().rev() {
        let height = widget_view(look, widget, slot(key, number, rest)).bounds.height();
        let top = rest.bottom - height;
        let slot = Slot { top, ..slot(key, number, rest) };
        lower.extend(widget_view(look, widget, slot).clipped(rest));
        rest.bottom = top;
    }
    if !rest.is_empty() {
        let own = key.child(at);
        match &filler.kind {
            Kind::List { count, item } => {
                out.push(list(look, filler, own, rest, *count, item));
            }
            Kind::Feed { page, loads, item } => {
                out.push(endless(look, filler, own, rest, (*page, *loads), item));
            }
            Kind::Tabs { tabs: all, bottom } => tabs(look, own, rest, all, *bottom, out),
            _ => {}
        }
    }
    out.extend(lower.into_iter().rev());
}

fn slot(key: Key, number: u64, place: Bounds) -> Slot {
    Slot { key: key.child(number), left: place.left, top: place.top, width: place.width() }
}

/// Height of widgets one below the other.
pub(super) fn content_height(look: &Look<'_>, widgets: &[Widget], key: Key, width: i32) -> i32 {
    let place = Bounds::new(0, 0, width, 0);
    let shown = (0..).zip(widgets).filter(|(_, widget)| look.shows(widget));
    shown
        .map(|(number, widget)| widget_view(look, widget, slot(key, number, place)).bounds.height())
        .sum()
}

/// All widgets of a page in one view that scrolls.
fn page_scroller(look: &Look<'_>, widgets: &[Widget], key: Key, place: Bounds) -> Option<View> {
    let shown: Vec<_> = (0_u64..).zip(widgets).filter(|(_, widget)| look.shows(widget)).collect();
    let is_row = |kind: &Kind| matches!(kind, Kind::Row { .. });
    let of_rows = shown.iter().any(|(_, widget)| is_row(&widget.kind))
        && shown.iter().all(|(_, widget)| {
            is_row(&widget.kind)
                || matches!(widget.kind, Kind::Heading(_) | Kind::Text(_) | Kind::Check { .. })
        });
    let mut children = Vec::with_capacity(shown.len());
    let mut top = place.top;
    for (number, widget) in &shown {
        let view = widget_view(look, widget, Slot { top, ..slot(key, *number, place) });
        top = view.bounds.bottom;
        children.push(view);
    }
    if children.is_empty() {
        return None;
    }
    let height = top - place.top;
    let end = (height - place.height()).max(0);
    let offset = look.open.scrolled.get(&key).copied().unwrap_or(0).clamp(0, end);
    let mut children: Vec<_> =
        children.into_iter().filter_map(|view| shifted(view, 0, -offset).clipped(place)).collect();
    let mut view = if of_rows {
        for child in &mut children {
            child.flags = child.flags.with(Flags::COLLECTION_ITEM);
        }
        let rows = i32::try_from(shown.len()).unwrap_or(i32::MAX);
        let mut view =
            View::new(key, RECYCLER, place).with_id(look.id("recycler_view")).holding(children);
        view.collection = Some((rows, 1));
        view
    } else {
        let bottom = (place.top + height - offset).min(place.bottom);
        let column = View::new(
            key.part("column"),
            LINEAR,
            Bounds::new(place.left, place.top, place.right, bottom),
        )
        .flagged(Flags::VERTICAL)
        .holding(children);
        View::new(key, "android.widget.ScrollView", place)
            .with_id(look.id("scroll_view"))
            .holding(vec![column])
    };
    scrolls(&mut view, Scroller { axis: Axis::Vertical, offset, end, more: None });
    Some(view)
}

/// Android calls scrollable only what has somewhere to go.
pub(super) fn scrolls(view: &mut View, scroller: Scroller) {
    if scroller.end > 0 {
        view.flags = view.flags.with(Flags::SCROLLABLE).with(Flags::FOCUSABLE);
    }
    view.scroller = Some(scroller);
}

/// The same view, elsewhere.
pub(super) fn shifted(mut view: View, x: i32, y: i32) -> View {
    let Bounds { left, top, right, bottom } = view.bounds;
    view.bounds = Bounds::new(left + x, top + y, right + x, bottom + y);
    view.children = view.children.into_iter().map(|child| shifted(child, x, y)).collect();
    view
}
