//! What comes of touches and actions: state that changes, pages that open and close.

use super::agenda::Due;
use super::deed::{Act, Deed, Press};
use super::world::World;
use crate::app::{Action, Scope, Value};
use std::time::Duration;

/// Actions in actions in actions, before somebody has made a circle.
const DEEPEST: usize = 32;

impl World {
    /// Does what a touched view does. `x` is where it was touched, for what has a scale.
    pub(crate) fn perform_deed(&mut self, page: Option<u64>, deed: &Deed, part: f64) {
        let package = page.and_then(|page| self.owner(page)).unwrap_or_default();
        match deed {
            Deed::Act(act) => self.act(&package, act),
            Deed::Check(variable, act) => {
                self.change(&package, variable, |value| match value {
                    Value::Bool(on) => Value::Bool(!on),
                    other => other,
                });
                self.act(&package, act);
            }
            Deed::Choose(variable, value) => {
                self.change(&package, variable, |_| value.clone());
            }
            Deed::Slide { variable, min, max } => {
                let value = slid(*min, *max, part);
                self.change(&package, variable, |_| Value::Int(value));
            }
            // Fields take it themselves; see `fields`.
            Deed::Focus => {}
            Deed::Tab { bar, number } => {
                if let Some(open) = page.and_then(|page| self.page_mut(page)) {
                    open.tabs.insert(*bar, *number);
                    open.focus = None;
                    self.changed();
                }
            }
            Deed::Launch(package) => drop(self.start(package, None)),
            Deed::Next(screen) => self.open_later(&package, screen, 0),
            Deed::Press(press) => self.press(*press),
            Deed::ClearAll => {
                for app in self.running() {
                    self.force_stop(&app.package);
                }
                self.go_home();
            }
        }
    }

    /// Performs actions of an app.
    pub(crate) fn act(&mut self, package: &str, act: &Act) {
        self.act_within(package, act, 0);
    }

    fn act_within(&mut self, package: &str, act: &Act, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        for action in act.actions.iter() {
            match action {
                Action::Open(screen) => self.open_later(package, screen, act.n),
                Action::Back => self.close_page(package),
                Action::Finish => self.finish(package),
                Action::Set(name, value) => self.change(package, name, |_| value.clone()),
                Action::Toggle(name) => self.change(package, name, |value| match value {
                    Value::Bool(on) => Value::Bool(!on),
                    other => other,
                }),
                Action::Add(name, number) => self.change(package, name, |value| match value {
                    Value::Int(before) => Value::Int(before.saturating_add(*number)),
                    other => other,
                }),
                Action::Dialog(name) => self.open_dialog(package, name, act.n),
                Action::Dismiss => self.dismiss(package),
                Action::App(other) => drop(self.start(other, Some(package))),
                Action::Uri(label) => {
                    let uri = self
                        .tasks
                        .get(package)
                        .map(|task| label.text(Scope { state: &task.state, n: act.n }));
                    let _ = uri.map(|uri| self.view(&uri, Some(package)));
                }
                Action::After(delay, actions) => {
                    let act = Act { actions: actions.clone(), n: act.n };
                    self.act_later(package, *delay, act);
                }
                Action::If(condition, then, otherwise) => {
                    let holds = self.tasks.get(package).is_some_and(|task| {
                        condition.holds(Scope { state: &task.state, n: act.n })
                    });
                    let actions = if holds { then } else { otherwise };
                    let act = Act { actions: actions.clone(), n: act.n };
                    self.act_within(package, &act, depth + 1);
                }
            }
        }
    }

    fn act_later(&mut self, package: &str, delay: Duration, act: Act) {
        let page = self.tasks.get(package).and_then(|task| task.pages.last());
        let Some(page) = page.map(|page| page.number) else { return };
        let due = Due::Act { package: package.to_owned(), page, act };
        self.agenda.plan(self.now + delay, due);
    }

    /// Changes a variable, if it becomes another.
    pub(crate) fn change(&mut self, package: &str, name: &str, new: impl FnOnce(Value) -> Value) {
        let task = self.tasks.get_mut(package);
        let Some(value) = task.and_then(|task| task.state.get_mut(name)) else { return };
        let changed = new(value.clone());
        if *value != changed {
            *value = changed;
            self.changed();
        }
    }

    pub(crate) fn press(&mut self, press: Press) {
        match press {
            Press::Back => self.back(),
            Press::Home => self.home_key(),
            Press::Recents => self.recents_key(),
            Press::Enter => self.enter(),
            Press::Erase => self.erase(),
            Press::Letter(letter) => self.type_text(&letter.to_string()),
        }
    }
}

/// The value at a part of the way from least to most.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "ranges stay within a million, and the part between 0 and 1"
)]
fn slid(min: i64, max: i64, part: f64) -> i64 {
    min + ((max - min) as f64 * part.clamp(0.0, 1.0)).round() as i64
}
