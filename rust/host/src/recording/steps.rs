//! Makes steps of events: what a person did, without what merely came of it.
//!
//! Events tell less than they seem to. A window may come because of the tap before it, or because
//! the person swiped along the bottom of the screen, of which there is no event. So windows that
//! follow a step stand at that step, windows that nothing explains become steps of their own, and
//! what was worked out instead of read says how sure it is. Nothing is left out without a word.

use super::acts::is_masked;
use super::event::{Event, Recording, What, Window};
use super::roles::{Role, Roles};
use super::scrolling::Positions;
use super::step::{Act, Cause, Certainty, Step, StepLog, WindowSeen};

/// How long after a step a window is still believed to come of it: Android counts an app that
/// needs more than five seconds to its first picture as a slow one.
const WINDOW_WITHIN_MS: i64 = 5_000;
/// A gesture ends within its animation; a slow phone may take this long to tell.
const GESTURE_WITHIN_MS: i64 = 3_000;

/// The steps of a recording.
#[must_use]
pub fn steps(recording: &Recording) -> StepLog {
    let mut maker = Maker::new(recording);
    for event in &recording.events {
        maker.take(event);
    }
    maker.finish(recording)
}

pub(super) struct Maker<'a> {
    pub(super) roles: Roles,
    pub(super) positions: Positions,
    pub(super) steps: Vec<Step>,
    windows_before: Vec<WindowSeen>,
    warnings: Vec<String>,
    /// The app or launcher a person looks at, as far as the events tell.
    pub(super) in_front: Option<String>,
    /// The newest screen, and the event it is from.
    screen: Option<(i64, &'a str)>,
    /// A window that a back gesture shows while the finger moves.
    gesture: Option<&'a Event>,
    pub(super) keyboard_touches: usize,
    pub(super) scrolls_in_fields: usize,
}

impl<'a> Maker<'a> {
    fn new(recording: &Recording) -> Self {
        let mut warnings = recording.warnings.clone();
        for event in &recording.events {
            let shows =
                matches!(event.what, What::WindowChange(_) | What::Click(_) | What::LongClick(_));
            if shows && event.snapshot.is_none() {
                let kind = event.what.kind();
                warnings.push(format!("seq {}: the {kind} has no snapshot", event.seq));
            }
        }
        Self {
            roles: Roles::of(&recording.events),
            positions: Positions::default(),
            steps: Vec::new(),
            windows_before: Vec::new(),
            warnings,
            in_front: None,
            screen: None,
            gesture: None,
            keyboard_touches: 0,
            scrolls_in_fields: 0,
        }
    }

    fn take(&mut self, event: &'a Event) {
        if !matches!(event.what, What::WindowChange(_)) {
            self.gesture_came_to_nothing();
        }
        match &event.what {
            What::WindowChange(window) => self.window(event, window),
            What::Click(node) => self.touch(event, node, Act::Click(node.clone())),
            What::LongClick(node) => self.touch(event, node, Act::LongClick(node.clone())),
            What::Scroll(view) => self.scroll(event, view),
            What::TextChange { package_name, resource_id, text, password } => {
                let secret = *password || is_masked(text);
                let text = (!secret).then_some(text);
                self.text(event, package_name, resource_id, text);
            }
            What::PressKey { key } => self.key(event, key, Certainty::Certain),
            // The reader of the file has warned of it already.
            What::Other(_) => {}
        }
        if let Some(snapshot) = &event.snapshot {
            self.screen = Some((event.seq, snapshot));
        }
    }

    fn finish(mut self, recording: &Recording) -> StepLog {
        self.gesture_came_to_nothing();
        if self.keyboard_touches > 0 {
            self.warnings.push(format!(
                "{} events of the keyboard are no steps; what they typed is in enter_text",
                self.keyboard_touches
            ));
        }
        if self.scrolls_in_fields > 0 {
            self.warnings.push(format!(
                "{} scrolls of a text field are no steps: it moves by itself under the typing",
                self.scrolls_in_fields
            ));
        }
        self.warn_of_what_was_not_told();
        StepLog {
            session_id: recording.header.session_id.clone(),
            schema_version: recording.header.schema_version,
            windows_before: self.windows_before,
            steps: self.steps,
            warnings: self.warnings,
        }
    }

    fn warn_of_what_was_not_told(&mut self) {
        for Step { seq, act, .. } in &self.steps {
            match act {
                Act::EnterText { password: true, .. } => self.warnings.push(format!(
                    "seq {seq}: what was typed into the password field is not in the recording"
                )),
                Act::Scroll { direction: None, count, .. } => self.warnings.push(format!(
                    "seq {seq}: the phone did not tell which way {count} scroll events went"
                )),
                _ => {}
            }
        }
    }

    pub(super) fn warn(&mut self, event: &Event, text: impl AsRef<str>) {
        self.warnings.push(format!("seq {}: {}", event.seq, text.as_ref()));
    }

    /// Adds a step. The screens of typing and scrolling are borrowed from the event before.
    pub(super) fn push(&mut self, event: &Event, act: Act, certainty: Certainty) {
        let borrows = matches!(act, Act::EnterText { .. } | Act::Scroll { .. });
        let (ui_state_before, ui_state_seq) = match (&event.snapshot, self.screen) {
            (Some(own), _) => (Some(own.clone()), None),
            (None, Some((seq, screen))) if borrows => (Some(screen.to_owned()), Some(seq)),
            _ => (None, None),
        };
        self.steps.push(Step {
            seq: event.seq,
            ts: event.ts,
            act,
            ui_state_before,
            ui_state_seq,
            certainty,
            evidence: Vec::new(),
            windows: Vec::new(),
        });
    }

    fn window(&mut self, event: &'a Event, window: &Window) {
        let package = window.package_name.as_str();
        let role = self.roles.role(package);
        self.positions.forget(package);
        if self.ends_gesture(event, window, role) {
            return;
        }
        let new = self.in_front.as_deref() != Some(package);
        let explained = self.explains(event);
        match role {
            Role::App | Role::Launcher if !new => {}
            Role::App if self.tapped_on_launcher() => {
                self.open_app_by_tap(event, package);
            }
            Role::App | Role::Launcher if explained => self.in_front = Some(package.to_owned()),
            Role::App => {
                if self.in_front.is_some() {
                    let text = "came to the front and no event says why; it is an open_app here";
                    self.warn(event, format!("{package} {text}"));
                }
                self.open_app(event, package, Certainty::Certain);
            }
            Role::Launcher => {
                if self.in_front.is_some() {
                    self.warn(
                        event,
                        "the launcher came up and no key was recorded; it is home here",
                    );
                    let key = Act::PressKey { key: "home".to_owned() };
                    self.push(event, key, Certainty::Guess);
                }
                self.in_front = Some(package.to_owned());
            }
            // What a back gesture draws at the edge of the screen.
            Role::SystemUi if window.class_name.as_deref() == Some("android.view.View") => {
                self.gesture = Some(event);
            }
            Role::SystemUi if !explained => {
                let title = window.title.as_deref().unwrap_or("without a title");
                let text = format!("a window of the system ({title}) came by itself or by a swipe");
                self.warn(event, text + "; it is no step");
            }
            Role::SystemUi | Role::Keyboard | Role::Dialog | Role::Nobody => {}
        }
        self.stand_at_last_step(event, window);
    }

    fn stand_at_last_step(&mut self, event: &Event, window: &Window) {
        let seen = WindowSeen { seq: event.seq, window: window.clone() };
        match self.steps.last_mut() {
            Some(step) => step.windows.push(seen),
            None => self.windows_before.push(seen),
        }
    }

    /// Does the last step explain a window that comes now?
    pub(super) fn explains(&self, event: &Event) -> bool {
        self.steps.last().is_some_and(|step| {
            let acts = match step.act {
                Act::EnterText { submit, .. } => submit,
                Act::Scroll { .. } => false,
                _ => true,
            };
            acts && (0..=WINDOW_WITHIN_MS).contains(&event.ts.saturating_sub(step.ts))
        })
    }

    pub(super) fn open_app(&mut self, event: &Event, package: &str, certainty: Certainty) {
        let act = Act::OpenApp { package_name: package.to_owned(), cause: None };
        self.push(event, act, certainty);
        self.in_front = Some(package.to_owned());
    }

    fn tapped_on_launcher(&self) -> bool {
        self.steps.last().is_some_and(|step| match &step.act {
            Act::Click(node) | Act::LongClick(node) => {
                self.roles.role(&node.package_name) == Role::Launcher
            }
            _ => false,
        })
    }

    /// Where an app stands on the launcher differs from phone to phone, so opening it is the step
    /// and the tap its cause.
    fn open_app_by_tap(&mut self, event: &Event, package: &str) {
        let Some(tap) = self.steps.pop() else { return };
        self.open_app(event, package, Certainty::Certain);
        let kind = tap.act.kind();
        let (Act::Click(node) | Act::LongClick(node)) = tap.act else { return };
        if let Some(step) = self.steps.last_mut() {
            let why = Some(Box::new(Cause { seq: tap.seq, kind, node }));
            step.act = Act::OpenApp { package_name: package.to_owned(), cause: why };
            step.windows = tap.windows;
        }
    }

    /// A back gesture that was carried through: its window, then one of an app or the launcher.
    fn ends_gesture(&mut self, event: &Event, window: &Window, role: Role) -> bool {
        let Some(began) = self.gesture else { return false };
        let soon = (0..=GESTURE_WITHIN_MS).contains(&event.ts.saturating_sub(began.ts));
        if !soon || !matches!(role, Role::App | Role::Launcher) {
            self.gesture_came_to_nothing();
            return false;
        }
        self.gesture = None;
        self.key(began, "back", Certainty::Likely);
        if let Some(step) = self.steps.last_mut() {
            step.evidence = vec![began.seq, event.seq];
        }
        self.in_front = Some(window.package_name.clone());
        self.stand_at_last_step(event, window);
        true
    }

    fn gesture_came_to_nothing(&mut self) {
        if let Some(began) = self.gesture.take() {
            self.warn(began, "perhaps a back gesture that was broken off; it is no step");
        }
    }
}
