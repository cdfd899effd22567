//! The actions as the runtime performs them: typed, complete, within bounds.

use super::reader::{Reader, fail};
use crate::action::ActionType;
use crate::invalid::Invalid;
use crate::node_ref::NodeRef;
use crate::pattern;
use crate::retry::{RetryPolicy, millis};
use crate::selector::Selector;
use std::time::Duration;

/// A point of the screen, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "x and y")]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

/// A point a finger passes at a given time of the gesture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrokePoint {
    /// Time since the gesture's start.
    pub at: Duration,
    /// Where the finger is then.
    pub point: Point,
}

/// A node that is acted on.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The first node that fits.
    Search(Selector),
    /// This very node, of this very screen.
    Ref(NodeRef),
}

/// What a click is aimed at.
#[derive(Clone, Debug, PartialEq)]
pub enum ClickTarget {
    /// A node.
    Node(Target),
    /// A point, whatever is there.
    Point(Point),
}

/// The node inside which a search looks.
pub type Scope = Selector;

/// How a node is clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickType {
    /// A short click.
    Click,
    /// A long one.
    LongClick,
    /// Focus or selection, no touch.
    Focus,
}

impl ClickType {
    /// Name in result data.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::LongClick => "long_click",
            Self::Focus => "focus",
        }
    }
}

/// Where scrolling looks for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Direction {
    Down,
    Up,
    Left,
    Right,
}

impl Direction {
    /// Name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// A key of the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Key {
    Back,
    Home,
    Recents,
}

impl Key {
    /// Name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Back => "back",
            Self::Home => "home",
            Self::Recents => "recents",
        }
    }
}

/// How a snapshot describes the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The hierarchy, as XML.
    Xml,
    /// A compact listing with references.
    Text,
}

/// The form a text must have.
#[derive(Clone, Debug)]
pub enum Validator {
    /// A number with an optional degree sign and unit.
    Temperature,
    /// Digits with dots between them.
    Version,
    /// A pattern, matched against the whole text.
    Regex(regex_lite::Regex),
}

impl PartialEq for Validator {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Regex(a), Self::Regex(b)) => a.as_str() == b.as_str(),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

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
