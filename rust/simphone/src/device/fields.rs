//! Text fields: focus, keyboard, typing, and what enter stands for.

use super::deed::{Act, Field};
use super::view::{Axis, Key, Scene, View};
use super::world::World;
use crate::app::{Ime, Value};
use clawperator_runtime::recording::{Key as KeyName, RecordedEvent, TextChange};
use clawperator_runtime::screen::Flags;

/// A field that has the focus.
struct Focused {
    page: u64,
    key: Key,
    id: String,
    package: String,
    field: Field,
}

impl World {
    /// Gives a field the focus; with the keyboard when it was touched.
    pub(crate) fn focus(&mut self, page: u64, key: Key, keyboard: bool) {
        let before = self.scene();
        let bottom = before.find(key).and_then(|(_, path)| path.last().map(|v| v.bounds.bottom));
        let Some(open) = self.page_mut(page) else { return };
        let already = open.focus == Some(key) && (open.keyboard || !keyboard);
        open.focus = Some(key);
        open.keyboard |= keyboard;
        if already {
            return;
        }
        self.changed();
        if let Some(bottom) = bottom.filter(|_| keyboard) {
            self.bring_above_keyboard(&before, key, bottom);
        }
    }

    /// What is typed into must not lie under the keyboard.
    fn bring_above_keyboard(&mut self, before: &Scene, key: Key, bottom: i32) {
        let hidden = bottom + self.metrics.px(8) - self.metrics.keyboard().top;
        let around = before.find(key).and_then(|(pane, path)| {
            let vertical = |view: &&View| {
                view.scroller.as_ref().is_some_and(|scroller| scroller.axis == Axis::Vertical)
            };
            let view = path.iter().copied().rev().find(vertical)?;
            Some((pane.page?, view.key))
        });
        if let (true, Some((page, scroller))) = (hidden > 0, around) {
            self.scroll_by(page, scroller, hidden);
        }
    }

    fn focused(&mut self) -> Option<Focused> {
        let scene = self.scene();
        let pane = scene.active()?;
        let mut found = None;
        pane.root.each(&mut |view| {
            if view.flags.has(Flags::FOCUSED) && view.field.is_some() {
                found = Some(view);
            }
        });
        let view = found?;
        Some(Focused {
            page: pane.page?,
            key: view.key,
            id: view.id.clone(),
            package: pane.package.clone(),
            field: view.field.clone()?,
        })
    }

    /// Sets the text of a field.
    pub(crate) fn set_text(&mut self, key: Key, text: &str) -> bool {
        let scene = self.scene();
        let found = scene.find(key).and_then(|(pane, path)| {
            let view = path.last()?;
            Some(Focused {
                page: pane.page?,
                key,
                id: view.id.clone(),
                package: pane.package.clone(),
                field: view.field.clone()?,
            })
        });
        match found {
            Some(field) => {
                self.write(&field, text);
                true
            }
            None => false,
        }
    }

    fn write(&mut self, focused: &Focused, text: &str) {
        match &focused.field.variable {
            Some(variable) => {
                self.change(&focused.package, variable, |_| Value::Text(text.to_owned()));
            }
            None => {
                if let Some(open) = self.page_mut(focused.page) {
                    open.typed.insert(focused.key, text.to_owned());
                }
            }
        }
        self.tell(RecordedEvent::TextChange(TextChange {
            package_name: focused.package.clone(),
            resource_id: Some(focused.id.clone()),
            text: if focused.field.password { String::new() } else { text.to_owned() },
            password: focused.field.password,
        }));
    }

    /// Types into the field that has the focus; nowhere without one.
    pub(crate) fn type_text(&mut self, text: &str) {
        if let Some(focused) = self.focused() {
            let whole = format!("{}{text}", focused.field.text);
            self.write(&focused, &whole);
        }
    }

    pub(crate) fn erase(&mut self) {
        if let Some(focused) = self.focused() {
            let mut whole = focused.field.text.clone();
            whole.pop();
            self.write(&focused, &whole);
        }
    }

    /// The enter key, in the field that has the focus.
    pub(crate) fn enter(&mut self) {
        self.tell(RecordedEvent::PressKey(KeyName::Enter));
        if let Some(focused) = self.focused() {
            self.submit(focused);
        }
    }

    /// The keyboard's own enter, of a field that has the focus.
    pub(crate) fn submit_field(&mut self, key: Key) -> bool {
        match self.focused().filter(|focused| focused.key == key) {
            Some(focused) => {
                self.submit(focused);
                true
            }
            None => false,
        }
    }

    fn submit(&mut self, focused: Focused) {
        let next = match focused.field.ime {
            Ime::Next => self.field_after(focused.key),
            _ => None,
        };
        match next {
            Some(next) => self.focus(focused.page, next, true),
            None => {
                if let Some(open) = self.page_mut(focused.page) {
                    open.keyboard = false;
                }
                self.changed();
            }
        }
        let Act { actions, n } = focused.field.submit;
        self.act(&focused.package, &Act { actions, n });
    }

    fn field_after(&mut self, key: Key) -> Option<Key> {
        let scene = self.scene();
        let mut fields = Vec::new();
        scene.active()?.root.each(&mut |view| {
            if view.field.is_some() {
                fields.push(view.key);
            }
        });
        let at = fields.iter().position(|field| *field == key)?;
        fields.get(at + 1).copied()
    }
}
