//! The steps of a recording.

use super::event::{Touched, Window};
use serde::Serialize;

/// What a person did, step by step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepLog {
    /// The recording's id.
    pub session_id: String,
    /// The version of its format.
    pub schema_version: u32,
    /// The windows that came before the first step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub windows_before: Vec<WindowSeen>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// What a reader should know, and all that did not become a step.
    #[serde(rename = "_warnings", skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Number of the event it was made of; of several, the first.
    pub seq: i64,
    /// When that was, for working out what came of it.
    #[serde(skip)]
    pub(super) ts: i64,
    /// What was done.
    #[serde(flatten)]
    pub act: Act,
    /// The screen it was done on, as XML, as well as the phone could tell.
    pub ui_state_before: Option<String>,
    /// The earlier event that screen is from: none is taken while a person types or scrolls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ui_state_seq: Option<i64>,
    /// How sure it is that this was done.
    #[serde(skip_serializing_if = "Certainty::is_certain")]
    pub certainty: Certainty,
    /// The events that tell of it, where it is more than the one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<i64>,
    /// The windows that came after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<WindowSeen>,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Act {
    /// An app was brought to the front.
    OpenApp {
        /// Which one.
        package_name: String,
        /// The tap on the launcher that did it.
        #[serde(skip_serializing_if = "Option::is_none")]
        cause: Option<Box<Cause>>,
    },
    /// A tap.
    Click(Touched),
    /// A long press.
    LongClick(Touched),
    /// A field was given a text.
    EnterText {
        /// The field's app.
        package_name: String,
        /// The field's resource id, where it was written down.
        resource_id: Option<String>,
        /// The text the field held in the end; null for a password.
        text: Option<String>,
        /// Does the field hide what is typed?
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        password: bool,
        /// Was enter pressed afterwards?
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        submit: bool,
        /// Of how many events it was made.
        count: usize,
        /// Number of the last one.
        last_seq: i64,
    },
    /// A view was scrolled.
    Scroll {
        /// Its app.
        package_name: String,
        /// Its resource id, where it was written down.
        resource_id: Option<String>,
        /// Where to; null where the phone did not tell.
        direction: Option<Direction>,
        /// Of how many events it was made. One swipe makes several.
        count: usize,
        /// Number of the last one.
        last_seq: i64,
    },
    /// A key was pressed.
    PressKey {
        /// `back`, `home`, `recents` or `enter`.
        key: String,
    },
}

/// Where a view was scrolled to, in the words of the scroll actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Direction {
    Down,
    Up,
    Left,
    Right,
}

/// How sure a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// An event says so. Not written.
    Certain,
    /// The events look like it, and nothing else is known that looks like that.
    Likely,
    /// The events fit, but other acts fit as well.
    Guess,
}

impl Certainty {
    fn is_certain(&self) -> bool {
        *self == Self::Certain
    }
}

/// The tap that opened an app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cause {
    /// Its number.
    pub seq: i64,
    /// `click` or `long_click`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What was tapped.
    #[serde(flatten)]
    pub node: Touched,
}

/// A window that came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WindowSeen {
    /// Number of its event.
    pub seq: i64,
    /// The window.
    #[serde(flatten)]
    pub window: Window,
}

impl Act {
    /// Its name in the log.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::OpenApp { .. } => "open_app",
            Self::Click(_) => "click",
            Self::LongClick(_) => "long_click",
            Self::EnterText { .. } => "enter_text",
            Self::Scroll { .. } => "scroll",
            Self::PressKey { .. } => "press_key",
        }
    }
}

impl Step {
    /// The step in one line, for a person.
    #[must_use]
    pub fn line(&self) -> String {
        let details = match &self.act {
            Act::OpenApp { package_name, .. } => package_name.clone(),
            Act::Click(node) | Act::LongClick(node) => {
                named(&node.text, &node.resource_id, &node.content_desc)
            }
            Act::EnterText { resource_id, password: true, .. } => {
                format!("(a password) {}", named(&None, resource_id, &None))
            }
            Act::EnterText { text, resource_id, .. } => named(text, resource_id, &None),
            Act::Scroll { direction, count, resource_id, .. } => {
                let direction = direction.map_or("?", Direction::name);
                format!("{direction} ({count} events) {}", named(&None, resource_id, &None))
            }
            Act::PressKey { key } => key.clone(),
        };
        format!("[{}] {:<10} {details}", self.seq, self.act.kind())
    }
}

impl Direction {
    /// Its name in the log.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// What a step can be found by again.
fn named(
    text: &Option<String>,
    resource_id: &Option<String>,
    content_desc: &Option<String>,
) -> String {
    let filled = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
    let parts = [
        filled(text).map(|text| format!("text={text:?}")),
        filled(resource_id).map(|id| format!("resourceId={id}")),
        filled(content_desc).map(|desc| format!("contentDesc={desc:?}")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "(no selector)".to_owned() } else { parts.join(" ") }
}
