//! All windows of the screen, from what apps are doing.

use super::layout::{self, Look};
use super::options::Lock;
use super::view::{Key, Pane, Scene, View};
use super::world::World;
use crate::app::Scope;
use clawperator_runtime::phone::Clock;
use clawperator_runtime::screen::WindowKind;
use std::sync::Arc;

/// Window ids of what is not an app's.
mod window {
    pub(super) const STATUS_BAR: i32 = 1;
    pub(super) const NAVIGATION_BAR: i32 = 2;
    pub(super) const KEYBOARD: i32 = 3;
    pub(super) const LOCK_SCREEN: i32 = 4;
    pub(super) const RECENTS: i32 = 5;
    /// Pages count from here.
    pub(super) const FIRST_PAGE: i32 = 100;
}

impl World {
    /// What is on the screen.
    pub(crate) fn scene(&mut self) -> Arc<Scene> {
        if let Some(scene) = &self.scene {
            return Arc::clone(scene);
        }
        let scene = Arc::new(self.lay_out());
        self.scene = Some(Arc::clone(&scene));
        scene
    }

    fn lay_out(&self) -> Scene {
        let mut scene = Scene::default();
        if !self.powered {
            return scene;
        }
        let mut keyboard = false;
        if self.locked {
            let secure = self.lock == Lock::Secure;
            let key = self.key(window::LOCK_SCREEN);
            let root = layout::lock_screen(self.metrics, key, self.clock.epoch_ms(), secure);
            let pane = self.pane(window::LOCK_SCREEN, WindowKind::System, root);
            scene.panes.push(Pane { active: true, ..pane });
        } else if self.recents {
            let home = self.home().map(|app| app.package.clone()).unwrap_or_default();
            let key = self.key(window::RECENTS);
            let root = layout::recents(self.metrics, key, &home, &self.running());
            let pane = self.pane(window::RECENTS, WindowKind::Application, root);
            let title = "Recents".to_owned();
            scene.panes.push(Pane { active: true, package: home, title, ..pane });
        } else {
            keyboard = self.app_panes(&mut scene);
        }
        if keyboard {
            let root = layout::keyboard(self.metrics, self.key(window::KEYBOARD));
            let pane = self.pane(window::KEYBOARD, WindowKind::InputMethod, root);
            let package = layout::KEYBOARD.to_owned();
            scene.panes.push(Pane { package, title: "InputMethod".into(), ..pane });
        }
        let epoch = self.clock.epoch_ms();
        let status = layout::status_bar(self.metrics, self.key(window::STATUS_BAR), epoch);
        let navigation = layout::navigation_bar(self.metrics, self.key(window::NAVIGATION_BAR));
        scene.panes.push(self.pane(window::STATUS_BAR, WindowKind::System, status));
        scene.panes.push(self.pane(window::NAVIGATION_BAR, WindowKind::System, navigation));
        for (layer, pane) in (1..).zip(&mut scene.panes) {
            pane.layer = layer;
        }
        scene
    }

    fn key(&self, window: i32) -> Key {
        Key::root(u64::MAX).child(window.unsigned_abs().into())
    }

    fn pane(&self, id: i32, kind: WindowKind, root: View) -> Pane {
        let package = layout::SYSTEM_UI.to_owned();
        let (title, page) = (String::new(), None);
        let root = root.within(self.metrics.screen());
        Pane { id, kind, active: false, layer: 0, package, title, page, modal: false, root }
    }

    /// The windows of the app in front; says whether the keyboard is up.
    fn app_panes(&self, scene: &mut Scene) -> bool {
        let Some(task) = self.front().and_then(|package| self.tasks.get(package)) else {
            return false;
        };
        let shown = task.shown();
        let keyboard = shown.last().is_some_and(|page| page.keyboard && page.focus.is_some());
        let has_up = task.pages.iter().filter(|page| !page.dialog).count() > 1;
        for (at, open) in shown.iter().enumerate() {
            let look = Look {
                metrics: self.metrics,
                app: &task.app,
                scope: Scope { state: &task.state, n: open.n },
                open,
                now: self.now,
                has_up,
                installed: &self.apps,
            };
            let root = match open.dialog {
                true => layout::dialog(&look, keyboard),
                false => layout::screen(&look, keyboard),
            };
            scene.secure |= open.page.secure;
            scene.panes.push(Pane {
                id: i32::try_from(open.number).unwrap_or(0).saturating_add(window::FIRST_PAGE),
                kind: WindowKind::Application,
                active: at + 1 == shown.len(),
                layer: 0,
                package: task.app.package.clone(),
                title: open.page.title.text(look.scope),
                page: Some(open.number),
                modal: open.dialog,
                root,
            });
        }
        keyboard
    }
}
