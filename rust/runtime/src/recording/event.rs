//! What a person did, as the phone's event feed tells it.

use crate::screen::Bounds;
use serde::Serialize;

/// One thing a person did, or that came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedEvent {
    /// Another window, or another screen in it.
    WindowChange(WindowChange),
    /// A tap on a node.
    Click(Touched),
    /// A long press on a node.
    LongClick(Touched),
    /// A view stands at another scroll position.
    Scroll(Scrolled),
    /// A text field holds another text.
    TextChange(TextChange),
    /// A key of the system, or the one that ends a text.
    PressKey(Key),
}

/// The window that came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowChange {
    /// The app it belongs to; empty where the phone does not say.
    pub package_name: String,
    /// Its class. A blank one is written as null.
    pub class_name: Option<String>,
    /// Its title. A blank one is written as null.
    pub title: Option<String>,
}

/// The node that was touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The app it belongs to; empty where the phone does not say.
    pub package_name: String,
    /// Its resource id. A blank one is written as null.
    pub resource_id: Option<String>,
    /// Its text. Of a password field it is not written.
    pub text: Option<String>,
    /// Its content description.
    pub content_desc: Option<String>,
    /// Its place on the screen. An empty one is written as four zeroes.
    pub bounds: Bounds,
    /// Does it hide what is typed?
    pub password: bool,
}

/// The view that scrolled, and where it stands now. Android says -1 for what it does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "Android's own names")]
pub struct Scrolled {
    pub package_name: String,
    pub resource_id: Option<String>,
    pub scroll_x: i32,
    pub scroll_y: i32,
    pub max_scroll_x: i32,
    pub max_scroll_y: i32,
}

/// The text field that changed, and what it holds now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextChange {
    /// The app it belongs to; empty where the phone does not say.
    pub package_name: String,
    /// Its resource id. A blank one is written as null.
    pub resource_id: Option<String>,
    /// All of its text. Of a password field it is not written.
    pub text: String,
    /// Does it hide what is typed?
    pub password: bool,
}

/// A key. Only keys that say nothing about what was typed are in the list: a hardware keyboard
/// sends passwords key by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Key {
    Back,
    Home,
    Recents,
    Enter,
}

impl RecordedEvent {
    /// Its name in the file.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::WindowChange(_) => "window_change",
            Self::Click(_) => "click",
            Self::LongClick(_) => "long_click",
            Self::Scroll(_) => "scroll",
            Self::TextChange(_) => "text_change",
            Self::PressKey(_) => "press_key",
        }
    }

    /// The app it happened in; a key belongs to none.
    #[must_use]
    pub fn package_name(&self) -> Option<&str> {
        match self {
            Self::WindowChange(window) => Some(&window.package_name),
            Self::Click(node) | Self::LongClick(node) => Some(&node.package_name),
            Self::Scroll(view) => Some(&view.package_name),
            Self::TextChange(field) => Some(&field.package_name),
            Self::PressKey(_) => None,
        }
    }

    /// Is the screen written beside it? Not for scrolling and typing: those come up to ten times a
    /// second, and taking the screen costs up to a fifth of a second.
    #[must_use]
    pub fn carries_snapshot(&self) -> bool {
        !matches!(self, Self::Scroll(_) | Self::TextChange(_))
    }
}
