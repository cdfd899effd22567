//! What the runtime needs from a phone, and from a clock.

use crate::screen::{Generation, NodeHandle, Screen};
use clawperator_contract::runnable::StrokePoint;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A moment, as time since some fixed start. Only differences mean anything.
pub type Moment = Duration;

/// Tells the time. Tests have one that stands still until a phone waits.
pub trait Clock {
    /// Now.
    fn now(&self) -> Moment;
    /// Now, as milliseconds since 1970, for what people read.
    fn epoch_ms(&self) -> u64;
}

/// Everything the runtime asks of a phone.
pub trait Phone {
    /// Captures the screen, as one new generation. Handles of older captures are worthless then.
    fn capture(&mut self) -> Result<Screen, PhoneError>;

    /// Performs an action on a node of the newest capture. `Ok(false)` means that the phone
    /// refused and nothing was done.
    fn perform(&mut self, node: NodeHandle, action: &NodeAction) -> Result<bool, PhoneError>;

    /// Moves fingers, one list of points each, and waits until it is over.
    fn gesture(&mut self, strokes: &[Vec<StrokePoint>]) -> Result<GestureEnd, PhoneError>;

    /// Presses a key of the system. `Ok(false)` means that the phone refused.
    fn global(&mut self, action: GlobalAction) -> Result<bool, PhoneError>;

    /// Starts an app. What comes of it shows on the screen.
    fn launch(&mut self, package: &str) -> Result<Launch, PhoneError>;

    /// Opens a URI. What comes of it shows on the screen.
    fn view(&mut self, uri: &str) -> Result<Launch, PhoneError>;

    /// Takes a picture.
    fn screenshot(&mut self) -> Result<Picture, PhoneError>;

    /// Is the screen on, and is anything in front of it?
    fn display(&mut self) -> Result<Display, PhoneError>;

    /// Switches the screen on and asks an unsecured lock to go away. What comes of it shows in
    /// [`Phone::display`] a little later.
    fn wake(&mut self) -> Result<(), PhoneError>;

    /// A number that changes whenever a view reports another scroll position.
    fn scroll_mark(&mut self) -> u64;

    /// What a doctor wants to know, as result data.
    fn vitals(&mut self) -> Vec<(String, String)>;

    /// The counter of events and captures, as it stands.
    fn generation(&self) -> Generation;

    /// Waits until the counter of events and captures has moved on from `since`, or `until` has
    /// come, or somebody calls the waker. Without `since` it waits for the other two only.
    fn wait(&mut self, since: Option<Generation>, until: Moment);

    /// Ends a [`Phone::wait`] of another thread at once.
    fn waker(&self) -> Arc<dyn Fn() + Send + Sync>;
}

/// What can be done to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "Android's own names")]
pub enum NodeAction {
    Click,
    LongClick,
    Focus,
    Select,
    SetText(String),
    ImeEnter,
    ScrollForward,
    ScrollBackward,
}

/// Keys of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "Android's own names")]
pub enum GlobalAction {
    Back,
    Home,
    Recents,
    DismissNotificationShade,
}

/// How a gesture ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GestureEnd {
    /// All of it was done.
    Completed,
    /// The phone took none of it: nothing was done.
    Refused,
    /// It was broken off: something may have been done.
    Cancelled,
}

/// What became of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    /// The phone is at it.
    Started,
    /// There is no such app, or nothing that opens such a URI.
    NoHandler,
    /// There is, but the phone would not start it: nothing was done.
    Refused,
}

/// The state of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// On, with nothing in front.
    On,
    /// On, behind a lock.
    Locked,
    /// Off.
    Off,
}

/// What became of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// A PNG.
    Png(Vec<u8>),
    /// This phone takes none by itself.
    Unsupported,
    /// The app forbids it.
    SecureWindow,
    /// The platform asks for more time between pictures.
    RateLimited,
    /// It went wrong.
    Failed(String),
}

/// Why the phone could not be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhoneError {
    /// The accessibility service is not there (any more).
    ServiceUnavailable,
    /// No window can be captured right now; in a moment one can.
    NoWindow,
    /// The node is not there any more, or of an older capture: nothing was done.
    NodeGone,
    /// Something unexpected; it may have acted.
    Failed(String),
}

impl fmt::Display for PhoneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ServiceUnavailable => f.write_str("the accessibility service is not running"),
            Self::NoWindow => f.write_str("no window can be captured right now"),
            Self::NodeGone => f.write_str("the node is not on the screen any more"),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for PhoneError {}
