//! Events of the accessibility service as a recording knows them.

use clawperator_runtime::recording::{
    Key, RecordedEvent, Scrolled, TextChange, Touched, WindowChange,
};
use clawperator_runtime::screen::Bounds;

/// Kinds of events, under their names in Android's `AccessibilityEvent`.
pub(crate) const TYPE_VIEW_CLICKED: i32 = 0x1;
pub(crate) const TYPE_VIEW_LONG_CLICKED: i32 = 0x2;
pub(crate) const TYPE_VIEW_TEXT_CHANGED: i32 = 0x10;
pub(crate) const TYPE_WINDOW_STATE_CHANGED: i32 = 0x20;
pub(crate) const TYPE_VIEW_SCROLLED: i32 = 0x1000;

/// Is this kind ever written down?
pub(crate) fn is_recorded(kind: i32) -> bool {
    matches!(
        kind,
        TYPE_VIEW_CLICKED
            | TYPE_VIEW_LONG_CLICKED
            | TYPE_VIEW_TEXT_CHANGED
            | TYPE_WINDOW_STATE_CHANGED
            | TYPE_VIEW_SCROLLED
    )
}

/// What the shim tells of an event and its node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) kind: i32,
    pub(crate) package: Option<String>,
    pub(crate) class: Option<String>,
    /// Texts of the event: of a row, those of everything in it.
    pub(crate) event_text: Option<String>,
    /// Text of the node itself, if it is still there.
    pub(crate) node_text: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) resource_id: Option<String>,
    pub(crate) password: bool,
    /// Left, top, right, bottom.
    pub(crate) bounds: [i32; 4],
    /// Where it stands and how far it goes: x, y, greatest x, greatest y.
    pub(crate) scroll: [i32; 4],
}

/// As a recording knows it, if it does.
pub(crate) fn event(told: Told) -> Option<RecordedEvent> {
    let package_name = told.package.unwrap_or_default();
    let [left, top, right, bottom] = told.bounds;
    let touched = |package_name| Touched {
        package_name,
        resource_id: told.resource_id.clone(),
        text: told.node_text.clone().or_else(|| told.event_text.clone()),
        content_desc: told.description.clone(),
        bounds: Bounds::new(left, top, right, bottom),
        password: told.password,
    };
    Some(match told.kind {
        TYPE_VIEW_CLICKED => RecordedEvent::Click(touched(package_name)),
        TYPE_VIEW_LONG_CLICKED => RecordedEvent::LongClick(touched(package_name)),
        TYPE_VIEW_TEXT_CHANGED => RecordedEvent::TextChange(TextChange {
            package_name,
            resource_id: told.resource_id,
            text: told.event_text.or(told.node_text).unwrap_or_default(),
            password: told.password,
        }),
        TYPE_WINDOW_STATE_CHANGED => RecordedEvent::WindowChange(WindowChange {
            package_name,
            class_name: told.class,
            title: told.event_text,
        }),
        TYPE_VIEW_SCROLLED => {
            let [scroll_x, scroll_y, max_scroll_x, max_scroll_y] = told.scroll;
            RecordedEvent::Scroll(Scrolled {
                package_name,
                resource_id: told.resource_id,
                scroll_x,
                scroll_y,
                max_scroll_x,
                max_scroll_y,
            })
        }
        _ => return None,
    })
}

/// A key by its code in Android's `KeyEvent`, if it is one that may be written down.
pub(crate) fn key(code: i32) -> Option<Key> {
    const KEYCODE_HOME: i32 = 3;
    const KEYCODE_BACK: i32 = 4;
    const KEYCODE_ENTER: i32 = 66;
    const KEYCODE_NUMPAD_ENTER: i32 = 160;
    const KEYCODE_APP_SWITCH: i32 = 187;
    match code {
        KEYCODE_HOME => Some(Key::Home),
        KEYCODE_BACK => Some(Key::Back),
        KEYCODE_ENTER | KEYCODE_NUMPAD_ENTER => Some(Key::Enter),
        KEYCODE_APP_SWITCH => Some(Key::Recents),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_that_is_asked_for_can_be_written_down() {
        for bit in 0..31 {
            let kind = 1 << bit;
            let written = event(Told { kind, ..Told::default() }).is_some();
            assert_eq!(written, is_recorded(kind), "kind {kind:#x}");
        }
    }

    #[test]
    fn letters_of_a_hardware_keyboard_are_never_written_down() {
        const KEYCODE_0_TO_9: std::ops::RangeInclusive<i32> = 7..=16;
        const KEYCODE_A_TO_Z: std::ops::RangeInclusive<i32> = 29..=54;
        assert!(KEYCODE_0_TO_9.chain(KEYCODE_A_TO_Z).all(|code| key(code).is_none()));
        assert_eq!(key(4), Some(Key::Back));
    }
}
