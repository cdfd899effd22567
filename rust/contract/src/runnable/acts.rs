//! The actions as the runtime performs them: typed, complete, within bounds.

use super::reader::{Reader, fail};
use super::values::{
    ClickTarget, ClickType, Direction, Key, Scope, StrokePoint, Target, Validator, View,
};
use crate::action::ActionType;
use crate::invalid::Invalid;
use crate::pattern;
use crate::retry::{RetryPolicy, millis};
use crate::selector::Selector;
use std::time::Duration;

/// What to do.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in its row of the action table")]
pub enum Act {
    OpenApp(App),
    OpenUri(OpenUri),
    CloseApp(App),
    StartRecording(Recording),
    StopRecording(Recording),
    WaitForNode(NodeWait),
    Click(Click),
    ScrollAndClick(ScrollAndClick),
    Scroll(Scroll),
    ScrollUntil(ScrollUntil),
    ReadText(ReadText),
    EnterText(EnterText),
    SnapshotUi(Snapshot),
    TakeScreenshot(Screenshot),
    Sleep(Duration),
    PressKey(Key, RetryPolicy),
    WaitForNavigation(NavigationWait),
    ReadKeyValuePair(ReadKeyValuePair),
    Gesture(Vec<Vec<StrokePoint>>),
    TypeText(TypeText),
    DoctorPing,
}

/// Parameters of `open_app` and `close_app`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct App {
    pub application_id: String,
    pub retry: RetryPolicy,
}

/// Parameters of `open_uri`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct OpenUri {
    pub uri: String,
    pub retry: RetryPolicy,
}

/// Parameters of `start_recording` and `stop_recording`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct Recording {
    pub session_id: Option<String>,
    pub retry: RetryPolicy,
}

/// Parameters of `wait_for_node`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct NodeWait {
    pub target: Selector,
    pub scope: Option<Scope>,
    pub timeout: Option<Duration>,
    pub retry: RetryPolicy,
}

/// Parameters of `click`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct Click {
    pub target: ClickTarget,
    pub scope: Option<Scope>,
    pub click_type: ClickType,
    pub retry: RetryPolicy,
}

/// What the three scrolling actions share.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct Swipe {
    pub direction: Direction,
    pub container: Option<Scope>,
    pub distance_ratio: f64,
    pub settle_delay: Duration,
    pub find_first_scrollable_child: bool,
}

/// Parameters of `scroll`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct Scroll {
    pub swipe: Swipe,
    pub retry: RetryPolicy,
}

/// Parameters of `scroll_until`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct ScrollUntil {
    pub target: Option<Selector>,
    pub swipe: Swipe,
    pub click_after: bool,
    pub click_type: ClickType,
    pub max_scrolls: u32,
    pub max_duration: Duration,
    pub no_position_change_threshold: u32,
}

/// Parameters of `scroll_and_click`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct ScrollAndClick {
    pub target: Selector,
    pub swipe: Swipe,
    pub click_after: bool,
    pub click_type: ClickType,
    pub max_swipes: u32,
    pub scroll_retry: RetryPolicy,
    pub click_retry: RetryPolicy,
}

/// Parameters of `read_text`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct ReadText {
    pub target: Target,
    pub scope: Option<Scope>,
    pub all: bool,
    pub validator: Option<Validator>,
    pub retry: RetryPolicy,
}

/// Parameters of `enter_text`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct EnterText {
    pub target: Target,
    pub scope: Option<Scope>,
    pub text: String,
    pub submit: bool,
    pub clear: bool,
    pub retry: RetryPolicy,
}

/// Parameters of `type_text`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct TypeText {
    pub text: String,
    pub submit: bool,
    pub clear: bool,
}

/// Parameters of `snapshot_ui`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct Snapshot {
    pub view: View,
    pub retry: RetryPolicy,
}

/// Parameters of `take_screenshot`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct Screenshot {
    pub path: Option<String>,
    pub retry: RetryPolicy,
}

/// Parameters of `wait_for_navigation`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct NavigationWait {
    pub expected_package: Option<String>,
    pub expected_node: Option<Selector>,
    pub timeout: Duration,
}

/// Parameters of `read_key_value_pair`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is described in the action table")]
pub struct ReadKeyValuePair {
    pub label: Selector,
    pub scope: Option<Scope>,
    pub all: bool,
    pub retry: RetryPolicy,
}

impl Act {
    /// Its action type.
    #[must_use]
    pub fn kind(&self) -> ActionType {
        match self {
            Self::OpenApp(_) => ActionType::OpenApp,
            Self::OpenUri(_) => ActionType::OpenUri,
            Self::CloseApp(_) => ActionType::CloseApp,
            Self::StartRecording(_) => ActionType::StartRecording,
            Self::StopRecording(_) => ActionType::StopRecording,
            Self::WaitForNode(_) => ActionType::WaitForNode,
            Self::Click(_) => ActionType::Click,
            Self::ScrollAndClick(_) => ActionType::ScrollAndClick,
            Self::Scroll(_) => ActionType::Scroll,
            Self::ScrollUntil(_) => ActionType::ScrollUntil,
            Self::ReadText(_) => ActionType::ReadText,
            Self::EnterText(_) => ActionType::EnterText,
            Self::SnapshotUi(_) => ActionType::SnapshotUi,
            Self::TakeScreenshot(_) => ActionType::TakeScreenshot,
            Self::Sleep(_) => ActionType::Sleep,
            Self::PressKey(..) => ActionType::PressKey,
            Self::WaitForNavigation(_) => ActionType::WaitForNavigation,
            Self::ReadKeyValuePair(_) => ActionType::ReadKeyValuePair,
            Self::Gesture(_) => ActionType::Gesture,
            Self::TypeText(_) => ActionType::TypeText,
            Self::DoctorPing => ActionType::DoctorPing,
        }
    }
}

pub(super) fn read(r: &Reader<'_>) -> Result<Act, Invalid> {
    Ok(match r.spec.kind {
        ActionType::OpenApp => Act::OpenApp(app(r)?),
        ActionType::CloseApp => Act::CloseApp(app(r)?),
        ActionType::OpenUri => {
            Act::OpenUri(OpenUri { uri: r.required_text("uri")?, retry: r.retry("retry")? })
        }
        ActionType::StartRecording => Act::StartRecording(recording(r)?),
        ActionType::StopRecording => Act::StopRecording(recording(r)?),
        ActionType::WaitForNode => Act::WaitForNode(NodeWait {
            target: r.required_search()?,
            scope: r.scope()?,
            timeout: r.number("timeoutMs")?.map(millis),
            retry: r.retry("retry")?,
        }),
        ActionType::Click => Act::Click(click(r)?),
        ActionType::ScrollAndClick => Act::ScrollAndClick(ScrollAndClick {
            target: r.required_search()?,
            swipe: swipe(r)?,
            click_after: r.flag("clickAfter")?,
            click_type: click_type(r)?,
            max_swipes: r.required_count("maxSwipes")?,
            scroll_retry: r.retry("scrollRetry")?,
            click_retry: r.retry("clickRetry")?,
        }),
        ActionType::Scroll => Act::Scroll(Scroll { swipe: swipe(r)?, retry: r.retry("retry")? }),
        ActionType::ScrollUntil => Act::ScrollUntil(scroll_until(r)?),
        ActionType::ReadText => Act::ReadText(ReadText {
            target: r.target()?,
            scope: r.scope()?,
            all: r.flag("all")?,
            validator: validator(r)?,
            retry: r.retry("retry")?,
        }),
        ActionType::EnterText => Act::EnterText(EnterText {
            target: r.target()?,
            scope: r.scope()?,
            text: r.required_text("text")?,
            submit: r.flag("submit")?,
            clear: r.flag("clear")?,
            retry: r.retry("retry")?,
        }),
        ActionType::SnapshotUi => Act::SnapshotUi(Snapshot {
            view: if r.word("view")? == Some("text") { View::Text } else { View::Xml },
            retry: r.retry("retry")?,
        }),
        ActionType::TakeScreenshot => {
            Act::TakeScreenshot(Screenshot { path: r.text("path")?, retry: r.retry("retry")? })
        }
        ActionType::Sleep => Act::Sleep(r.required_millis("durationMs")?),
        ActionType::PressKey => Act::PressKey(key(r)?, r.retry("retry")?),
        ActionType::WaitForNavigation => Act::WaitForNavigation(navigation(r)?),
        ActionType::ReadKeyValuePair => Act::ReadKeyValuePair(ReadKeyValuePair {
            label: r.selector("labelMatcher")?.ok_or_else(|| r.missing("labelMatcher"))?,
            scope: r.scope()?,
            all: r.flag("all")?,
            retry: r.retry("retry")?,
        }),
        ActionType::Gesture => Act::Gesture(r.strokes("strokes")?),
        ActionType::TypeText => Act::TypeText(TypeText {
            text: r.required_text("text")?,
            submit: r.flag("submit")?,
            clear: r.flag("clear")?,
        }),
        ActionType::DoctorPing => Act::DoctorPing,
    })
}

fn app(r: &Reader<'_>) -> Result<App, Invalid> {
    Ok(App { application_id: r.required_text("applicationId")?, retry: r.retry("retry")? })
}

fn recording(r: &Reader<'_>) -> Result<Recording, Invalid> {
    Ok(Recording { session_id: r.text("sessionId")?, retry: r.retry("retry")? })
}

fn click(r: &Reader<'_>) -> Result<Click, Invalid> {
    let click = Click {
        target: r.click_target()?,
        scope: r.scope()?,
        click_type: click_type(r)?,
        retry: r.retry("retry")?,
    };
    if click.click_type == ClickType::Focus && matches!(click.target, ClickTarget::Point(_)) {
        let path = r.path.key("clickType");
        return Err(fail(&path, "params.clickType \"focus\" needs a node, not a coordinate"));
    }
    Ok(click)
}

fn click_type(r: &Reader<'_>) -> Result<ClickType, Invalid> {
    Ok(match r.word("clickType")? {
        Some("long_click" | "longclick") => ClickType::LongClick,
        Some("focus") => ClickType::Focus,
        _ => ClickType::Click,
    })
}

fn swipe(r: &Reader<'_>) -> Result<Swipe, Invalid> {
    Ok(Swipe {
        direction: match r.word("direction")? {
            Some("up") => Direction::Up,
            Some("left") => Direction::Left,
            Some("right") => Direction::Right,
            _ => Direction::Down,
        },
        container: r.scope()?,
        distance_ratio: r.required_number("distanceRatio")?,
        settle_delay: r.required_millis("settleDelayMs")?,
        find_first_scrollable_child: r.flag("findFirstScrollableChild")?,
    })
}

fn scroll_until(r: &Reader<'_>) -> Result<ScrollUntil, Invalid> {
    let target = r.search()?;
    let click_after = r.flag("clickAfter")?;
    if click_after && target.is_none() {
        return Err(r.missing("matcher"));
    }
    Ok(ScrollUntil {
        target,
        swipe: swipe(r)?,
        click_after,
        click_type: click_type(r)?,
        max_scrolls: r.required_count("maxScrolls")?,
        max_duration: r.required_millis("maxDurationMs")?,
        no_position_change_threshold: r.required_count("noPositionChangeThreshold")?,
    })
}

fn validator(r: &Reader<'_>) -> Result<Option<Validator>, Invalid> {
    Ok(match r.word("validator")? {
        Some("temperature") => Some(Validator::Temperature),
        Some("version") => Some(Validator::Version),
        Some("regex") => {
            let path = r.path.key("validatorPattern");
            let text = r.required_text("validatorPattern")?;
            let regex = pattern::compile(&text)
                .map_err(|bad| fail(&path, format!("{} {bad}", path.local())))?;
            Some(Validator::Regex(regex))
        }
        _ => None,
    })
}

fn key(r: &Reader<'_>) -> Result<Key, Invalid> {
    match r.word("key")? {
        Some("back") => Ok(Key::Back),
        Some("home") => Ok(Key::Home),
        Some("recents") => Ok(Key::Recents),
        _ => Err(r.missing("key")),
    }
}

fn navigation(r: &Reader<'_>) -> Result<NavigationWait, Invalid> {
    let wait = NavigationWait {
        expected_package: r.text("expectedPackage")?,
        expected_node: r.selector("expectedNode")?,
        timeout: r.required_millis("timeoutMs")?,
    };
    if wait.expected_package.is_none() && wait.expected_node.is_none() {
        let message = "wait_for_navigation requires params.expectedPackage or params.expectedNode";
        return Err(fail(r.path, message));
    }
    Ok(wait)
}
