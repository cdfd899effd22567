//! How a line of the file says what a person did.

use super::event::RecordedEvent;
use crate::screen::Bounds;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// One line of the file: its moment, its number, the screen, what is special to its kind, and the
/// kind at the end.
pub(super) struct EventLine<'a> {
    pub(super) ts: u64,
    pub(super) seq: u64,
    pub(super) snapshot: Option<&'a str>,
    pub(super) event: &'a RecordedEvent,
}

impl Serialize for EventLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("ts", &self.ts)?;
        map.serialize_entry("seq", &self.seq)?;
        map.serialize_entry("snapshot", &self.snapshot)?;
        if let Some(package) = self.event.package_name() {
            map.serialize_entry("packageName", package)?;
        }
        match self.event {
            RecordedEvent::WindowChange(window) => {
                map.serialize_entry("className", &unless_blank(&window.class_name))?;
                map.serialize_entry("title", &unless_blank(&window.title))?;
            }
            RecordedEvent::Click(node) | RecordedEvent::LongClick(node) => {
                let text = node.text.as_deref().filter(|_| !node.password);
                map.serialize_entry("resourceId", &unless_blank(&node.resource_id))?;
                map.serialize_entry("text", &text)?;
                map.serialize_entry("contentDesc", &node.content_desc)?;
                map.serialize_entry("bounds", &Edges::of(node.bounds))?;
                mark_password(&mut map, node.password)?;
            }
            RecordedEvent::Scroll(view) => {
                map.serialize_entry("resourceId", &unless_blank(&view.resource_id))?;
                map.serialize_entry("scrollX", &view.scroll_x)?;
                map.serialize_entry("scrollY", &view.scroll_y)?;
                map.serialize_entry("maxScrollX", &view.max_scroll_x)?;
                map.serialize_entry("maxScrollY", &view.max_scroll_y)?;
            }
            RecordedEvent::TextChange(field) => {
                let text = if field.password { "" } else { &field.text };
                map.serialize_entry("resourceId", &unless_blank(&field.resource_id))?;
                map.serialize_entry("text", text)?;
                mark_password(&mut map, field.password)?;
            }
            RecordedEvent::PressKey(key) => map.serialize_entry("key", key)?,
        }
        map.serialize_entry("type", self.event.kind())?;
        map.end()
    }
}

/// The mark stands only where it is true, so that every other line is as older readers know it.
fn mark_password<M: SerializeMap>(map: &mut M, password: bool) -> Result<(), M::Error> {
    if password { map.serialize_entry("password", &true) } else { Ok(()) }
}

fn unless_blank(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.trim().is_empty())
}

/// Bounds, as the file names them.
#[derive(Serialize)]
struct Edges {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Edges {
    fn of(bounds: Bounds) -> Self {
        let Bounds { left, top, right, bottom } =
            if bounds.is_empty() { Bounds::default() } else { bounds };
        Self { left, top, right, bottom }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Key, Scrolled, TextChange, Touched, WindowChange};
    use super::*;
    use clawperator_contract::json;

    fn line(event: &RecordedEvent, snapshot: Option<&str>) -> String {
        json::compact(&EventLine { ts: 1_700_000_000_123, seq: 7, snapshot, event })
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn a_window_change_in_bytes() {
        let mut window = WindowChange {
            package_name: "com.shop".into(),
            class_name: some("com.shop.Cart"),
            title: some("Your \"cart\"\n"),
        };
        assert_eq!(
            line(&RecordedEvent::WindowChange(window.clone()), Some("<hierarchy/>")),
            r#"{"ts":1700000000123,"seq":7,"snapshot":"<hierarchy/>","packageName":"com.shop","className":"com.shop.Cart","title":"Your \"cart\"\n","type":"window_change"}"#
        );
        (window.class_name, window.title) = (some(" "), None);
        assert_eq!(
            line(&RecordedEvent::WindowChange(window), None),
            r#"{"ts":1700000000123,"seq":7,"snapshot":null,"packageName":"com.shop","className":null,"title":null,"type":"window_change"}"#
        );
    }

    #[test]
    fn a_click_and_a_long_click_in_bytes() {
        let node = Touched {
            package_name: "com.shop".into(),
            resource_id: some("com.shop:id/pay"),
            text: some("Pay"),
            bounds: Bounds::new(10, 20, 110, 70),
            ..Touched::default()
        };
        let same = r#""packageName":"com.shop","resourceId":"com.shop:id/pay","text":"Pay","contentDesc":null,"bounds":{"left":10,"top":20,"right":110,"bottom":70}"#;
        let start = r#"{"ts":1700000000123,"seq":7,"snapshot":"x","#;
        let click = line(&RecordedEvent::Click(node.clone()), Some("x"));
        assert_eq!(click, format!(r#"{start}{same},"type":"click"}}"#));
        let long_click = line(&RecordedEvent::LongClick(node), Some("x"));
        assert_eq!(long_click, format!(r#"{start}{same},"type":"long_click"}}"#));
    }

    #[test]
    fn a_node_that_says_nothing_is_all_nulls_and_zeroes() {
        let bounds = Bounds::new(30, 5, 30, 9);
        let node = Touched { resource_id: some(""), bounds, ..Touched::default() };
        assert_eq!(
            line(&RecordedEvent::Click(node), None),
            r#"{"ts":1700000000123,"seq":7,"snapshot":null,"packageName":"","resourceId":null,"text":null,"contentDesc":null,"bounds":{"left":0,"top":0,"right":0,"bottom":0},"type":"click"}"#
        );
    }

    #[test]
    fn a_scroll_in_bytes() {
        let view = Scrolled {
            package_name: "com.feed".into(),
            resource_id: some("com.feed:id/list"),
            scroll_x: 0,
            scroll_y: 1200,
            max_scroll_x: -1,
            max_scroll_y: 4000,
        };
        assert_eq!(
            line(&RecordedEvent::Scroll(view), None),
            r#"{"ts":1700000000123,"seq":7,"snapshot":null,"packageName":"com.feed","resourceId":"com.feed:id/list","scrollX":0,"scrollY":1200,"maxScrollX":-1,"maxScrollY":4000,"type":"scroll"}"#
        );
    }

    #[test]
    fn a_text_change_in_bytes() {
        let field = TextChange {
            package_name: "com.form".into(),
            resource_id: some("com.form:id/name"),
            text: "Zoë 😀".into(),
            password: false,
        };
        assert_eq!(
            line(&RecordedEvent::TextChange(field), None),
            r#"{"ts":1700000000123,"seq":7,"snapshot":null,"packageName":"com.form","resourceId":"com.form:id/name","text":"Zoë 😀","type":"text_change"}"#
        );
    }

    #[test]
    fn a_key_in_bytes() {
        let names = [Key::Back, Key::Home, Key::Recents, Key::Enter].map(|key| {
            let text = line(&RecordedEvent::PressKey(key), None);
            let start = r#"{"ts":1700000000123,"seq":7,"snapshot":null,"key":""#;
            let rest = text.strip_prefix(start).unwrap();
            rest.strip_suffix(r#"","type":"press_key"}"#).unwrap().to_owned()
        });
        assert_eq!(names, ["back", "home", "recents", "enter"]);
    }

    #[test]
    fn what_is_typed_into_a_password_field_is_never_written() {
        let field = TextChange { text: "hunter2".into(), password: true, ..TextChange::default() };
        assert_eq!(
            line(&RecordedEvent::TextChange(field), None),
            r#"{"ts":1700000000123,"seq":7,"snapshot":null,"packageName":"","resourceId":null,"text":"","password":true,"type":"text_change"}"#
        );
        let node = Touched { text: some("hunter2"), password: true, ..Touched::default() };
        let touched = line(&RecordedEvent::Click(node), None);
        assert!(!touched.contains("hunter2"));
        assert!(touched.contains(r#""text":null"#) && touched.contains(r#""password":true"#));
    }
}
