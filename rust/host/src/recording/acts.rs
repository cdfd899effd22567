//! What a person did themselves: taps, keys, typing, scrolling.

use super::event::{Event, Scrolled, Touched, What, Window};
use super::roles::Role;
use super::step::{Act, Certainty, Step};
use super::steps::Maker;

/// A button of the bar may tell of itself twice: as a tap and as the key it stands for.
const SAME_PRESS_WITHIN_MS: i64 = 500;

impl<'a> Maker<'a> {
    /// An act in an app whose window was not seen coming.
    fn arrive(&mut self, event: &Event, package: &str) {
        match self.roles.role(package) {
            Role::Launcher => self.in_front = Some(package.to_owned()),
            Role::App if self.in_front.is_none() => {
                let text =
                    "begins before a window of it was recorded; an open_app stands before it";
                self.warn(event, format!("what was done in {package} {text}"));
                self.open_app(
                    &Event { snapshot: None, ..event.clone() },
                    package,
                    Certainty::Guess,
                );
            }
            Role::App if self.in_front.as_deref() != Some(package) => {
                self.warn(event, format!("no window of {package} was recorded before this"));
                self.in_front = Some(package.to_owned());
            }
            _ => {}
        }
    }

    pub(super) fn touch(&mut self, event: &'a Event, node: &Touched, act: Act) {
        let package = node.package_name.as_str();
        match self.roles.role(package) {
            Role::Keyboard => self.keyboard_touches += 1,
            Role::SystemUi if let Some(key) = button_of_the_bar(node) => {
                self.key(event, key, Certainty::Certain);
            }
            role => {
                self.guessed_home_was_recents(role);
                self.arrive(event, package);
                self.push(event, act, Certainty::Certain);
            }
        }
    }

    pub(super) fn key(&mut self, event: &Event, key: &str, certainty: Certainty) {
        match (self.steps.last_mut(), key) {
            (Some(Step { act: Act::EnterText { submit, last_seq, .. }, ts, .. }), "enter")
                if !*submit =>
            {
                (*submit, *last_seq) = (true, event.seq);
                *ts = event.ts;
                return;
            }
            (Some(step), _) if is_same_press(step, event, key) => {
                step.evidence = vec![step.seq, event.seq];
                return;
            }
            _ => {}
        }
        match key {
            "home" => self.in_front = None,
            "back" | "recents" => {}
            "enter" => self.warn(event, "enter stands alone here; no action presses it by itself"),
            _ => self.warn(event, format!("the key \"{key}\" is one that no action presses")),
        }
        self.push(event, Act::PressKey { key: key.to_owned() }, certainty);
        if let (What::Click(_), Some(step)) = (&event.what, self.steps.last_mut()) {
            step.evidence = vec![event.seq];
        }
    }

    /// The launcher also shows the recent apps. Who scrolls or taps there meant to be there.
    fn guessed_home_was_recents(&mut self, role: Role) {
        let Some(step) = self.steps.last_mut() else { return };
        let guessed = step.certainty == Certainty::Guess && role == Role::Launcher;
        let recents = step.windows.last().is_some_and(|seen| shows_recents(&seen.window));
        if let (true, true, Act::PressKey { key }) = (guessed, recents, &mut step.act) {
            "recents".clone_into(key);
        }
    }

    pub(super) fn scroll(&mut self, event: &Event, view: &Scrolled) {
        let role = self.roles.role(&view.package_name);
        if role == Role::Keyboard {
            self.keyboard_touches += 1;
            return;
        }
        let (went, certainty) = self.positions.follow(view);
        match self.steps.last_mut() {
            Some(Step { act: Act::EnterText { package_name, resource_id, .. }, .. })
                if *package_name == view.package_name
                    && resource_id.is_some()
                    && *resource_id == view.resource_id =>
            {
                self.scrolls_in_fields += 1;
                return;
            }
            Some(step) => {
                if let Act::Scroll { package_name, resource_id, direction, count, last_seq } =
                    &mut step.act
                    && *package_name == view.package_name
                    && *resource_id == view.resource_id
                    && (direction.is_none() || went.is_none() || *direction == went)
                {
                    if direction.is_none() && went.is_some() {
                        (*direction, step.certainty) = (went, certainty);
                    }
                    *count += 1;
                    *last_seq = event.seq;
                    return;
                }
            }
            None => {}
        }
        self.guessed_home_was_recents(role);
        self.arrive(event, &view.package_name);
        let act = Act::Scroll {
            package_name: view.package_name.clone(),
            resource_id: view.resource_id.clone(),
            direction: went,
            count: 1,
            last_seq: event.seq,
        };
        self.push(event, act, certainty);
    }
    /// Typing: one step for all events of one field, with what the field held in the end. `None`
    /// is a text that must not be told.
    pub(super) fn text(
        &mut self,
        event: &Event,
        package: &str,
        field: &Option<String>,
        now: Option<&String>,
    ) {
        if self.roles.role(package) == Role::Keyboard {
            self.keyboard_touches += 1;
            return;
        }
        if let Some(Step {
            act:
                Act::EnterText { package_name, resource_id, text, password, submit, count, last_seq },
            ..
        }) = self.steps.last_mut()
            && package_name == package
            && resource_id == field
            && !*submit
            && (field.is_some() || is_edit(text.as_ref(), now))
        {
            *password |= now.is_none();
            *text = now.filter(|_| !*password).cloned();
            *count += 1;
            *last_seq = event.seq;
            return;
        }
        let emptied = now.is_some_and(String::is_empty);
        if emptied && self.explains(event) && !self.touched(package, field) {
            self.warn(event, "a text field became empty by the step before; it is no step");
            return;
        }
        self.arrive(event, package);
        let act = Act::EnterText {
            package_name: package.to_owned(),
            resource_id: field.clone(),
            text: now.cloned(),
            password: now.is_none(),
            submit: false,
            count: 1,
            last_seq: event.seq,
        };
        self.push(event, act, Certainty::Certain);
    }

    /// Was this very field touched last?
    fn touched(&self, package: &str, field: &Option<String>) -> bool {
        self.steps.last().is_some_and(|step| match &step.act {
            Act::Click(node) | Act::LongClick(node) => {
                field.is_some() && node.package_name == package && node.resource_id == *field
            }
            _ => false,
        })
    }
}

/// Phones that show a password's dots tell dots as its text.
pub(super) fn is_masked(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c == '\u{2022}')
}

/// Of fields without an id: is the new text the old one with something changed? If neither its
/// beginning nor its end stayed, it is another field's.
fn is_edit(old: Option<&String>, new: Option<&String>) -> bool {
    let (Some(old), Some(new)) = (old, new) else { return old.is_none() && new.is_none() };
    old.is_empty()
        || new.is_empty()
        || old.chars().next() == new.chars().next()
        || old.chars().next_back() == new.chars().next_back()
}

/// Are the tap on the bar's button and the key it stands for one press?
fn is_same_press(step: &Step, event: &Event, key: &str) -> bool {
    let by_tap = match event.what {
        What::Click(_) => true,
        What::PressKey { .. } => false,
        _ => return false,
    };
    let was_tap = step.evidence == [step.seq];
    let was_key = step.evidence.is_empty() && step.certainty == Certainty::Certain;
    matches!(&step.act, Act::PressKey { key: before } if before == key)
        && (if by_tap { was_key } else { was_tap })
        && (0..=SAME_PRESS_WITHIN_MS).contains(&event.ts.saturating_sub(step.ts))
}

/// The three buttons of the bar. Their ids are the same everywhere, their labels are translated.
fn button_of_the_bar(node: &Touched) -> Option<&'static str> {
    let id = node.resource_id.as_deref().and_then(|id| id.rsplit_once(":id/"));
    match id.map(|(_, name)| name) {
        Some("back") => return Some("back"),
        Some("home" | "home_button") => return Some("home"),
        Some("recent_apps") => return Some("recents"),
        // Something else of the system with a name of its own.
        Some(_) => return None,
        None => {}
    }
    let label = node.content_desc.as_deref().or(node.text.as_deref())?;
    match label.trim().to_lowercase().as_str() {
        "back" => Some("back"),
        "home" => Some("home"),
        "overview" | "recents" | "recent apps" => Some("recents"),
        _ => None,
    }
}

fn shows_recents(window: &Window) -> bool {
    let class = window.class_name.as_deref().is_some_and(|class| class.contains("Recents"));
    class || window.title.as_deref().is_some_and(|title| title.eq_ignore_ascii_case("recent apps"))
}
