//! Starting and stopping apps, and the keys that lead from one to another.

use super::agenda::Due;
use super::world::World;
use clawperator_runtime::phone::Launch;
use clawperator_runtime::recording::{Key as KeyName, RecordedEvent};

impl World {
    /// Starts an app, or brings it back as it was left.
    pub(crate) fn start(&mut self, package: &str, caller: Option<&str>) -> Launch {
        if self.app(package).is_none() {
            return Launch::NoHandler;
        }
        self.start_later(package, None, caller)
    }

    /// Starts an app with one of its screens.
    pub(crate) fn start_screen(&mut self, package: &str, screen: &str) -> Launch {
        match self.app(package).filter(|app| app.screens.contains_key(screen)) {
            Some(_) => self.start_later(package, Some(screen.to_owned()), None),
            None => Launch::NoHandler,
        }
    }

    /// Opens a URI with the app whose answer fits best.
    pub(crate) fn view(&mut self, uri: &str, caller: Option<&str>) -> Launch {
        match self.resolve(uri) {
            Some((package, screen)) => self.start_later(&package, Some(screen), caller),
            None => Launch::NoHandler,
        }
    }

    /// The app that opens a URI, and the screen it opens: the longest beginning wins.
    pub(crate) fn resolve(&self, uri: &str) -> Option<(String, String)> {
        let begins = |prefix: &str| {
            uri.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        let all = self.apps.iter().flat_map(|app| app.answers.iter().map(move |a| (app, a)));
        let best = all
            .filter(|(_, answer)| begins(&answer.prefix))
            .max_by_key(|(_, answer)| answer.prefix.len());
        best.map(|(app, answer)| (app.package.clone(), answer.screen.clone()))
    }

    fn start_later(
        &mut self,
        package: &str,
        screen: Option<String>,
        caller: Option<&str>,
    ) -> Launch {
        let caller = caller.map(str::to_owned);
        if self.latency.launch.is_zero() {
            self.start_now(package, screen.as_deref(), caller);
        } else {
            let package = package.to_owned();
            let due = Due::Start { package, screen, caller };
            self.agenda.plan(self.now + self.latency.launch, due);
        }
        Launch::Started
    }

    pub(crate) fn start_now(
        &mut self,
        package: &str,
        screen: Option<&str>,
        caller: Option<String>,
    ) {
        let Some(app) = self.app(package) else { return };
        if app.home {
            return self.go_home();
        }
        let task = self.task(&app);
        task.caller = caller;
        let entry = if task.pages.is_empty() { Some(app.entry.as_str()) } else { None };
        if let Some(page) = screen.or(entry).and_then(|name| app.screens.get(name)) {
            let page = page.clone();
            self.push_page(package, page, false, 0);
        }
        self.bring_to_front(package);
    }

    /// Ends an app and forgets its state. Says whether there is such an app.
    pub(crate) fn force_stop(&mut self, package: &str) -> bool {
        let Some(app) = self.app(package) else { return false };
        let was_in_front = self.front() == Some(package);
        self.tasks.remove(package);
        self.order.retain(|other| other != package);
        if was_in_front || app.home {
            self.go_home();
        }
        true
    }

    pub(crate) fn back(&mut self) {
        self.tell(RecordedEvent::PressKey(KeyName::Back));
        if self.locked || !self.powered {
            return;
        }
        if self.recents {
            self.recents = false;
            return self.window_changed();
        }
        let Some(task) = self.front_task() else { return };
        let package = task.app.package.clone();
        if let Some(open) = task.pages.last_mut().filter(|open| open.keyboard) {
            open.keyboard = false;
            return self.changed();
        }
        self.close_page(&package);
    }

    pub(crate) fn home_key(&mut self) {
        self.tell(RecordedEvent::PressKey(KeyName::Home));
        if !self.locked && self.powered {
            self.go_home();
        }
    }

    pub(crate) fn recents_key(&mut self) {
        self.tell(RecordedEvent::PressKey(KeyName::Recents));
        if !self.locked && self.powered {
            self.recents = !self.recents;
            self.window_changed();
        }
    }
}
