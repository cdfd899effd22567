//! Pages on top of each other: opening, closing, and which one is in front.

use super::agenda::Due;
use super::state::{OpenPage, Task};
use super::world::World;
use crate::app::{App, Body, Kind, Page, Widget};
use clawperator_runtime::recording::{RecordedEvent, WindowChange};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

impl World {
    pub(crate) fn open_later(&mut self, package: &str, screen: &str, n: i64) {
        if self.latency.open.is_zero() {
            return self.open_screen(package, screen, n);
        }
        let due = Due::Open { package: package.to_owned(), screen: screen.to_owned(), n };
        self.agenda.plan(self.now + self.latency.open, due);
    }

    /// Puts a screen of a running app on top of its others.
    pub(crate) fn open_screen(&mut self, package: &str, screen: &str, n: i64) {
        let app = self.tasks.get(package).map(|task| Arc::clone(&task.app));
        let page = app.as_ref().and_then(|app| app.screens.get(screen)).cloned();
        if let Some(page) = page {
            self.push_page(package, page, false, n);
            self.window_changed();
        }
    }

    pub(crate) fn open_dialog(&mut self, package: &str, name: &str, n: i64) {
        let app = self.tasks.get(package).map(|task| Arc::clone(&task.app));
        let page = app.as_ref().and_then(|app| app.dialogs.get(name)).cloned();
        if let Some(page) = page {
            self.push_page(package, page, true, n);
            self.window_changed();
        }
    }

    /// Puts a page in front of an app's others, without a word.
    pub(crate) fn push_page(&mut self, package: &str, page: Arc<Page>, dialog: bool, n: i64) {
        self.pages += 1;
        let number = self.pages;
        let mut content_from = self.now;
        if self.chaos.strikes(|faults| faults.late_nodes) {
            content_from += self.chaos.delay(50, 1_000);
            self.agenda.plan(content_from, Due::Changed { page: number });
        }
        for moment in moments(&page) {
            self.agenda.plan(self.now + moment, Due::Changed { page: number });
        }
        let open = OpenPage {
            number,
            page,
            dialog,
            n,
            opened: self.now,
            content_from,
            scrolled: BTreeMap::new(),
            loaded: BTreeMap::new(),
            tabs: BTreeMap::new(),
            typed: BTreeMap::new(),
            focus: None,
            keyboard: false,
        };
        if let Some(task) = self.tasks.get_mut(package) {
            task.pages.push(open);
        }
    }

    /// Closes the page in front of an app; without another one the app ends.
    pub(crate) fn close_page(&mut self, package: &str) {
        let Some(task) = self.tasks.get_mut(package) else { return };
        if task.pages.len() <= 1 {
            return self.finish(package);
        }
        task.pages.pop();
        self.window_changed();
    }

    pub(crate) fn dismiss(&mut self, package: &str) {
        let Some(task) = self.tasks.get_mut(package) else { return };
        if task.pages.last().is_some_and(|page| page.dialog) {
            task.pages.pop();
            self.window_changed();
        }
    }

    /// The app ends and gives way to whoever started it. Its variables stay.
    pub(crate) fn finish(&mut self, package: &str) {
        let Some(task) = self.tasks.get_mut(package) else { return };
        if task.app.home {
            return;
        }
        task.pages.clear();
        let caller = task.caller.take();
        let was_in_front = self.front() == Some(package);
        self.order.retain(|other| other != package);
        if !was_in_front {
            return;
        }
        match caller.filter(|caller| self.order.contains(caller)) {
            Some(caller) => self.bring_to_front(&caller),
            None => self.go_home(),
        }
    }

    pub(crate) fn bring_to_front(&mut self, package: &str) {
        self.order.retain(|other| other != package);
        self.order.push(package.to_owned());
        self.recents = false;
        self.fling = None;
        self.window_changed();
    }

    pub(crate) fn go_home(&mut self) {
        let Some(home) = self.home() else { return };
        let package = home.package.clone();
        let task = self.task(&home);
        task.pages.truncate(1);
        if task.pages.is_empty()
            && let Some(page) = home.screens.get(&home.entry)
        {
            self.push_page(&package, Arc::clone(page), false, 0);
        }
        self.bring_to_front(&package);
    }

    pub(crate) fn task(&mut self, app: &Arc<App>) -> &mut Task {
        self.tasks.entry(app.package.clone()).or_insert_with(|| Task::new(Arc::clone(app)))
    }

    /// Another window is in front, or another screen in it.
    pub(crate) fn window_changed(&mut self) {
        self.repaint();
        let scene = self.scene();
        let Some(pane) = scene.active() else { return self.changed() };
        let change = WindowChange {
            package_name: pane.package.clone(),
            class_name: self.activity().map(|(package, name)| format!("{package}{name}")),
            title: Some(pane.title.clone()),
        };
        self.tell(RecordedEvent::WindowChange(change));
    }

    /// Package and class of what is in front, as Android names activities.
    pub(crate) fn activity(&self) -> Option<(String, String)> {
        let package = self.front()?;
        if self.recents {
            return Some((self.home()?.package.clone(), ".RecentsActivity".into()));
        }
        let page = self.tasks.get(package)?.shown().first()?;
        Some((package.to_owned(), format!(".{}Activity", camel(&page.page.name))))
    }
}

/// `about_phone` as `AboutPhone`.
fn camel(name: &str) -> String {
    let mut out = String::new();
    for word in name.split(['_', '-', '.', ' ']) {
        let mut letters = word.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

/// Moments of a page's life at which a widget comes or goes.
fn moments(page: &Page) -> Vec<Duration> {
    let mut out = Vec::new();
    if let Body::Widgets(widgets) = &page.body {
        collect_moments(widgets, &mut out);
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn collect_moments(widgets: &[Widget], out: &mut Vec<Duration>) {
    for widget in widgets {
        out.extend(widget.late);
        out.extend(widget.gone);
        match &widget.kind {
            Kind::Tabs { tabs, .. } => {
                tabs.iter().for_each(|tab| collect_moments(&tab.widgets, out));
            }
            Kind::Grid { items, .. } | Kind::Carousel(items) => {
                collect_moments(items, out);
            }
            Kind::List { item, .. } | Kind::Feed { item, .. } => {
                collect_moments(std::slice::from_ref(item), out);
            }
            _ => {}
        }
    }
}
