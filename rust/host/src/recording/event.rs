//! A recording, read.

use serde::Serialize;
use serde_json::{Map, Value};

/// A recording, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Its first line.
    pub header: Header,
    /// Its events in the order of their numbers; those of one number in the order of the file.
    pub events: Vec<Event>,
    /// Does the file end inside a line? Then that line is not among the events.
    pub cut: bool,
    /// What a reader should know of it.
    pub warnings: Vec<String>,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// The recording's id.
    pub session_id: String,
    /// The version of the format.
    pub schema_version: u32,
    /// When it began, in milliseconds since 1970.
    pub started_at: i64,
    /// Whose operator wrote it.
    pub operator_package: String,
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its line in the file, counted from one, blank lines too.
    pub line: usize,
    /// Its number.
    pub seq: i64,
    /// When it came, in milliseconds since 1970.
    pub ts: i64,
    /// The screen, as XML.
    pub snapshot: Option<String>,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum What {
    /// Another window, or another screen in it.
    WindowChange(Window),
    /// A tap on a node.
    Click(Touched),
    /// A long press on a node.
    LongClick(Touched),
    /// A view stands at another scroll position.
    Scroll(Scrolled),
    /// A text field holds another text.
    TextChange {
        /// Its app.
        package_name: String,
        /// Its resource id, where it was written down.
        resource_id: Option<String>,
        /// All of its text; empty for a password.
        text: String,
        /// Does it hide what is typed?
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        password: bool,
    },
    /// A key.
    PressKey {
        /// Its name.
        key: String,
    },
    /// Something a later operator writes and this program does not know.
    #[serde(untagged)]
    Other(Other),
}

/// A window that came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// Its app; empty where the phone did not say.
    pub package_name: String,
    /// Its class.
    pub class_name: Option<String>,
    /// Its title.
    pub title: Option<String>,
}

/// A node that was touched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Touched {
    /// Its app; empty where the phone did not say.
    pub package_name: String,
    /// Its resource id.
    pub resource_id: Option<String>,
    /// Its text.
    pub text: Option<String>,
    /// Its content description.
    pub content_desc: Option<String>,
    /// Its place on the screen.
    pub bounds: Edges,
    /// Does it hide what is typed?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub password: bool,
}

/// A place on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Edges {
    pub left: i64,
    pub top: i64,
    pub right: i64,
    pub bottom: i64,
}

/// A view that scrolled, and where it stands now. Android says -1 for what it does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "Android's own names")]
pub struct Scrolled {
    pub package_name: String,
    pub resource_id: Option<String>,
    pub scroll_x: i64,
    pub scroll_y: i64,
    pub max_scroll_x: i64,
    pub max_scroll_y: i64,
}

/// An event of a type this program does not know, as it stands in the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Other {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whatever else is in it.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

impl What {
    /// Its name in the file.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Self::WindowChange(_) => "window_change",
            Self::Click(_) => "click",
            Self::LongClick(_) => "long_click",
            Self::Scroll(_) => "scroll",
            Self::TextChange { .. } => "text_change",
            Self::PressKey { .. } => "press_key",
            Self::Other(other) => &other.kind,
        }
    }

    /// The app it happened in; a key belongs to none.
    #[must_use]
    pub fn package_name(&self) -> Option<&str> {
        match self {
            Self::WindowChange(window) => Some(&window.package_name),
            Self::Click(node) | Self::LongClick(node) => Some(&node.package_name),
            Self::Scroll(view) => Some(&view.package_name),
            Self::TextChange { package_name, .. } => Some(package_name),
            Self::PressKey { .. } => None,
            Self::Other(other) => other.fields.get("packageName").and_then(Value::as_str),
        }
    }
}
