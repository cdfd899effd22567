//! Lays pages out: widgets become views with places, as Android's own widgets would.
//!
//! Everything is laid out from the top left with a given width and finds its own height; only
//! lists, feeds and tabs take the height that is left. What scrolls lays out what its opening
//! shows and cuts the rest off, as Android reports it.

mod dump;
mod inputs;
mod items;
mod page;
mod rows;
mod scrolling;
mod system;

pub(crate) use page::{dialog, screen};
pub(crate) use system::{
    KEYBOARD, SYSTEM_UI, keyboard, lock_screen, navigation_bar, recents, status_bar,
};

use super::metrics::{Metrics, TextSize};
use super::state::OpenPage;
use super::view::{Key, View};
use crate::app::{App, Label, Scope, Widget};
use clawperator_runtime::phone::Moment;
use clawperator_runtime::screen::{Bounds, Flags};
use std::sync::Arc;

pub(crate) const TEXT_VIEW: &str = "android.widget.TextView";
pub(crate) const IMAGE_VIEW: &str = "android.widget.ImageView";
pub(crate) const LINEAR: &str = "android.widget.LinearLayout";
pub(crate) const RELATIVE: &str = "android.widget.RelativeLayout";
pub(crate) const FRAME: &str = "android.widget.FrameLayout";
pub(crate) const RECYCLER: &str = "androidx.recyclerview.widget.RecyclerView";

/// Everything a layout looks at.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) metrics: Metrics,
    pub(crate) app: &'a App,
    pub(crate) scope: Scope<'a>,
    pub(crate) open: &'a OpenPage,
    pub(crate) now: Moment,
    /// Is there a way back from this page?
    pub(crate) has_up: bool,
    /// Every app of the phone, for the one that shows them.
    pub(crate) installed: &'a [Arc<App>],
}

/// A place to lay something out in; its height is found.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) key: Key,
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) width: i32,
}

impl Slot {
    pub(crate) fn bounds(&self, height: i32) -> Bounds {
        Bounds::new(self.left, self.top, self.left + self.width, self.top + height)
    }
}

impl<'a> Look<'a> {
    pub(crate) fn px(&self, dp: i32) -> i32 {
        self.metrics.px(dp)
    }

    pub(crate) fn text(&self, label: &Label) -> String {
        label.text(self.scope)
    }

    /// The same look at one item of a list.
    pub(crate) fn item(&self, n: i64) -> Self {
        Self { scope: Scope { n, ..self.scope }, ..*self }
    }

    /// A name as a resource id of the app.
    pub(crate) fn id(&self, name: &str) -> String {
        format!("{}:id/{name}", self.app.package)
    }

    /// The widget's own id, or none.
    pub(crate) fn id_of(&self, widget: &Widget) -> String {
        match widget.id.as_deref() {
            // One of the framework's own.
            Some(id) if id.contains(':') => id.to_owned(),
            Some(id) => self.id(id),
            None => String::new(),
        }
    }

    /// Is the widget there now?
    pub(crate) fn shows(&self, widget: &Widget) -> bool {
        let age = self.now.saturating_sub(self.open.opened);
        widget.when.as_ref().is_none_or(|when| when.holds(self.scope))
            && widget.late.is_none_or(|late| age >= late)
            && widget.gone.is_none_or(|gone| age < gone)
    }

    /// What goes for every widget alike: description, and whether it is enabled.
    pub(crate) fn finished(&self, widget: &Widget, key: Key, mut view: View) -> View {
        if let Some(description) = &widget.description {
            // Some stand in a frame that is wider than they are.
            let inner = view.children.iter_mut().find(|child| child.key == key);
            let own = self.text(description);
            match inner {
                Some(inner) => inner.description = own,
                None => view.description = own,
            }
        }
        if widget.enabled.as_ref().is_some_and(|enabled| !enabled.holds(self.scope)) {
            disable(&mut view);
        }
        view
    }
}

fn disable(view: &mut View) {
    view.flags = view.flags.without(Flags::ENABLED);
    view.children.iter_mut().for_each(disable);
}

/// A text at a place, as wide and high as it needs to be.
pub(crate) fn text_at(look: &Look<'_>, slot: Slot, text: String, size: TextSize) -> View {
    let (width, height) = look.metrics.text_box(&text, size, slot.width);
    let bounds = Bounds::new(slot.left, slot.top, slot.left + width, slot.top + height);
    View::new(slot.key, TEXT_VIEW, bounds).with_text(text)
}
