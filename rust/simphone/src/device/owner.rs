//! What only the owner of a phone does: installing, locking, switching things on and off.

use super::{Device, Lock, Metrics};
use crate::app::App;
use crate::chaos::{Chaos, Faults};
use clawperator_runtime::phone::Display;
use std::sync::Arc;

/// What is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are those of `App`")]
pub struct Installed {
    pub package: String,
    pub label: String,
    pub version: String,
    pub home: bool,
}

impl Device {
    /// Everything that is installed.
    #[must_use]
    pub fn installed(&self) -> Vec<Installed> {
        let world = self.shared.lock();
        let installed = |app: &Arc<App>| Installed {
            package: app.package.clone(),
            label: app.label.clone(),
            version: app.version.clone(),
            home: app.home,
        };
        world.apps.iter().map(installed).collect()
    }

    /// The model of an installed app.
    #[must_use]
    pub fn app(&self, package: &str) -> Option<Arc<App>> {
        self.shared.lock().app(package)
    }

    /// Installs an app, or another version of it.
    pub fn install(&self, app: App) {
        self.change(|world| {
            world.force_stop(&app.package);
            let app = Arc::new(app);
            match world.apps.iter_mut().find(|other| other.package == app.package) {
                Some(other) => *other = app,
                None => world.apps.push(app),
            }
            world.changed();
        });
    }

    /// Removes an app; says whether it was there. The home screen stays.
    pub fn uninstall(&self, package: &str) -> bool {
        self.change(|world| {
            if world.app(package).is_none_or(|app| app.home) {
                return false;
            }
            world.force_stop(package);
            world.apps.retain(|app| app.package != package);
            world.changed();
            true
        })
    }

    /// Is the screen on, and is anything in front of it?
    #[must_use]
    pub fn display(&self) -> Display {
        self.shared.up_to_date().display()
    }

    /// Switches the screen off; what keeps others out comes with it.
    pub fn sleep(&self) {
        self.change(|world| {
            world.powered = false;
            world.locked = world.lock != Lock::None;
            world.changed();
        });
    }

    /// Switches the screen on; a lock stays.
    pub fn wake(&self) {
        self.change(|world| {
            if !world.powered {
                world.powered = true;
                world.window_changed();
            }
        });
    }

    /// Takes the lock screen away: asked politely, only one without a secret goes.
    pub fn dismiss_keyguard(&self) -> bool {
        self.change(|world| {
            if world.locked && world.lock != Lock::Secure {
                world.locked = false;
                world.window_changed();
            }
            !world.locked
        })
    }

    /// Takes any lock screen away, as its owner can.
    pub fn unlock(&self) {
        self.change(|world| {
            if world.locked {
                world.locked = false;
                world.window_changed();
            }
        });
    }

    /// What keeps others out when the screen goes off.
    #[must_use]
    pub fn lock(&self) -> Lock {
        self.shared.lock().lock
    }

    /// Is it locked? A dark phone may be, which does not show.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.shared.lock().locked
    }

    /// Changes what keeps others out, from the next time the screen goes off.
    pub fn set_lock(&self, lock: Lock) {
        self.shared.lock().lock = lock;
    }

    /// Is the accessibility service there?
    #[must_use]
    pub fn service(&self) -> bool {
        self.shared.lock().service
    }

    /// Switches the accessibility service on or off.
    pub fn set_service(&self, on: bool) {
        self.change(|world| {
            world.service = on;
            world.woken = true;
        });
    }

    /// Changes what goes wrong, by a fresh seed.
    pub fn set_faults(&self, faults: Faults, seed: u64) {
        self.shared.lock().chaos = Chaos::new(faults, seed);
    }

    /// Gives the screen another size or density, as `wm` does; the nearest that is possible.
    pub fn set_metrics(&self, metrics: Metrics) {
        self.change(|world| {
            world.metrics = metrics.possible();
            world.window_changed();
        });
    }
}
