//! The phone as the runtime sees it.

use crate::app::Answers;
use crate::changes::Changes;
use crate::clock::PhoneClock;
use crate::fingers;
use crate::java::Service;
use clawperator_contract::runnable::StrokePoint;
use clawperator_runtime::phone::{
    Clock, Display, GestureEnd, GlobalAction, Launch, Moment, NodeAction, Phone, PhoneError,
    Picture,
};
use clawperator_runtime::screen::{Generation, NodeHandle, Screen};
use std::sync::Arc;
use std::time::Duration;

/// Android's numbers, under the names Android has for them.
mod android {
    pub(super) const ACTION_FOCUS: i32 = 0x1;
    pub(super) const ACTION_SELECT: i32 = 0x4;
    pub(super) const ACTION_CLICK: i32 = 0x10;
    pub(super) const ACTION_LONG_CLICK: i32 = 0x20;
    pub(super) const ACTION_SCROLL_FORWARD: i32 = 0x1000;
    pub(super) const ACTION_SCROLL_BACKWARD: i32 = 0x2000;
    pub(super) const ACTION_SET_TEXT: i32 = 0x20_0000;
    /// `android.R.id.accessibilityActionImeEnter`, from API 30 on.
    pub(super) const ACTION_IME_ENTER: i32 = 0x0102_0054;

    pub(super) const GLOBAL_ACTION_BACK: i32 = 1;
    pub(super) const GLOBAL_ACTION_HOME: i32 = 2;
    pub(super) const GLOBAL_ACTION_RECENTS: i32 = 3;
    /// From API 31 on.
    pub(super) const GLOBAL_ACTION_DISMISS_NOTIFICATION_SHADE: i32 = 15;

    /// The first with `takeScreenshot`.
    pub(super) const API_WITH_SCREENSHOTS: i32 = 30;
    pub(super) const ERROR_TAKE_SCREENSHOT_INTERVAL_TIME_SHORT: i32 = 3;
    pub(super) const ERROR_TAKE_SCREENSHOT_SECURE_WINDOW: i32 = 6;
}

/// The shim's answers.
mod shim {
    pub(super) const REFUSED: i32 = 0;
    pub(super) const DONE: i32 = 1;
    pub(super) const NO_HANDLER: i32 = 2;

    pub(super) const SCREEN_ON: i32 = 0;
    pub(super) const SCREEN_LOCKED: i32 = 1;
}

/// How much later than planned a gesture's end may be told. On a phone under load the main thread,
/// which tells it, has been seen to stand for seconds.
const GESTURE_MARGIN: Duration = Duration::from_secs(5);

/// How long a picture may take. Packing a PNG takes most of it: half a second on slow phones.
const SCREENSHOT_TIME: Duration = Duration::from_secs(10);

/// A phone behind the accessibility service.
pub(crate) struct AndroidPhone {
    service: Arc<Service>,
    changes: Arc<Changes>,
    answers: Arc<Answers>,
    clock: PhoneClock,
    api_level: i32,
    /// Whose nodes the shim keeps.
    newest: Option<Generation>,
}

impl AndroidPhone {
    pub(crate) fn new(
        service: Arc<Service>,
        changes: Arc<Changes>,
        answers: Arc<Answers>,
        clock: PhoneClock,
        api_level: i32,
    ) -> Self {
        Self { service, changes, answers, clock, api_level, newest: None }
    }

    /// Dispatches one part of a gesture and waits for its end.
    fn part(&self, part: &fingers::Part) -> Result<GestureEnd, PhoneError> {
        let token = self.answers.gesture.ask();
        if !self.service.gesture(token, &part.encode())? {
            return Ok(GestureEnd::Refused);
        }
        let until = self.clock.now() + part.length() + GESTURE_MARGIN;
        match self.answers.gesture.wait(self.clock.instant(until)) {
            Some(true) => Ok(GestureEnd::Completed),
            Some(false) => Ok(GestureEnd::Cancelled),
            None if !self.service.is_running() => Err(PhoneError::ServiceUnavailable),
            None => Err(PhoneError::Failed(format!(
                "Android did not tell the end of a gesture of {} ms",
                part.length().as_millis()
            ))),
        }
    }
}

impl Phone for AndroidPhone {
    fn capture(&mut self) -> Result<Screen, PhoneError> {
        // Counted before the shim looks: what happens while it does is a change since then.
        let generation = self.changes.bump();
        self.newest = None;
        let screen = self.service.capture(generation)?;
        self.newest = Some(generation);
        // All that is left are the bars of the system, or nothing: apps are changing places.
        if screen.nodes().next().is_none() { Err(PhoneError::NoWindow) } else { Ok(screen) }
    }

    fn perform(&mut self, node: NodeHandle, action: &NodeAction) -> Result<bool, PhoneError> {
        if self.newest != Some(node.generation) {
            return Err(PhoneError::NodeGone);
        }
        let (action, text) = match action {
            NodeAction::Click => (android::ACTION_CLICK, None),
            NodeAction::LongClick => (android::ACTION_LONG_CLICK, None),
            NodeAction::Focus => (android::ACTION_FOCUS, None),
            NodeAction::Select => (android::ACTION_SELECT, None),
            NodeAction::SetText(text) => (android::ACTION_SET_TEXT, Some(text.as_str())),
            NodeAction::ImeEnter => (android::ACTION_IME_ENTER, None),
            NodeAction::ScrollForward => (android::ACTION_SCROLL_FORWARD, None),
            NodeAction::ScrollBackward => (android::ACTION_SCROLL_BACKWARD, None),
        };
        match self.service.perform(node.index.0, action, text)? {
            shim::DONE => Ok(true),
            shim::REFUSED => Ok(false),
            _ => Err(PhoneError::NodeGone),
        }
    }

    fn gesture(&mut self, strokes: &[Vec<StrokePoint>]) -> Result<GestureEnd, PhoneError> {
        for (number, part) in fingers::parts(strokes).iter().enumerate() {
            match self.part(part)? {
                GestureEnd::Completed => {}
                // What came before it has been done.
                GestureEnd::Refused if number > 0 => return Ok(GestureEnd::Cancelled),
                end => return Ok(end),
            }
        }
        Ok(GestureEnd::Completed)
    }

    fn global(&mut self, action: GlobalAction) -> Result<bool, PhoneError> {
        self.service.global(match action {
            GlobalAction::Back => android::GLOBAL_ACTION_BACK,
            GlobalAction::Home => android::GLOBAL_ACTION_HOME,
            GlobalAction::Recents => android::GLOBAL_ACTION_RECENTS,
            GlobalAction::DismissNotificationShade => {
                android::GLOBAL_ACTION_DISMISS_NOTIFICATION_SHADE
            }
        })
    }

    fn launch(&mut self, package: &str) -> Result<Launch, PhoneError> {
        self.service.launch(package).map(launched)
    }

    fn view(&mut self, uri: &str) -> Result<Launch, PhoneError> {
        self.service.view(uri).map(launched)
    }

    fn screenshot(&mut self) -> Result<Picture, PhoneError> {
        if !self.service.is_running() {
            return Err(PhoneError::ServiceUnavailable);
        }
        if self.api_level < android::API_WITH_SCREENSHOTS {
            return Ok(Picture::Unsupported);
        }
        let token = self.answers.screenshot.ask();
        if !self.service.screenshot(token)? {
            return Ok(Picture::Unsupported);
        }
        let until = self.clock.now() + SCREENSHOT_TIME;
        Ok(match self.answers.screenshot.wait(self.clock.instant(until)) {
            Some(Ok(png)) => Picture::Png(png),
            Some(Err(android::ERROR_TAKE_SCREENSHOT_INTERVAL_TIME_SHORT)) => Picture::RateLimited,
            Some(Err(android::ERROR_TAKE_SCREENSHOT_SECURE_WINDOW)) => Picture::SecureWindow,
            Some(Err(code)) => Picture::Failed(format!("Android's screenshot failed, code {code}")),
            None if !self.service.is_running() => return Err(PhoneError::ServiceUnavailable),
            None => Picture::Failed("Android did not hand over the screenshot in time".into()),
        })
    }

    fn display(&mut self) -> Result<Display, PhoneError> {
        Ok(match self.service.display()? {
            shim::SCREEN_ON => Display::On,
            shim::SCREEN_LOCKED => Display::Locked,
            _ => Display::Off,
        })
    }

    fn wake(&mut self) -> Result<(), PhoneError> {
        self.service.wake()
    }

    fn scroll_mark(&mut self) -> u64 {
        self.changes.scroll_mark()
    }

    fn vitals(&mut self) -> Vec<(String, String)> {
        let on = |name| self.service.setting(name).is_ok_and(|value| value == 1).to_string();
        vec![
            ("developer_options_enabled".to_owned(), on("development_settings_enabled")),
            ("usb_debugging_enabled".to_owned(), on("adb_enabled")),
            ("api_level".to_owned(), self.api_level.to_string()),
        ]
    }

    fn generation(&self) -> Generation {
        self.changes.generation()
    }

    fn wait(&mut self, since: Option<Generation>, until: Moment) {
        self.changes.wait(since, self.clock.instant(until));
    }

    fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        self.changes.waker()
    }
}

fn launched(answer: i32) -> Launch {
    match answer {
        shim::DONE => Launch::Started,
        shim::NO_HANDLER => Launch::NoHandler,
        _ => Launch::Refused,
    }
}
