//! The phone's inside: what is on the screen, and what comes of touching it.
//!
//! A [`Device`] is one phone behind one lock. The runtime's worker, shell commands and the camera
//! all hold it at the same time. What happens, happens by its clock: in real time on its own, in
//! virtual time whenever somebody waits.
//!
//! `state` is what apps are doing, `paint` and
//! `layout` turn it into a `view` tree with places, `gesture`,
//! `fields`, `scroll`, `launch`, `pages` and `acts` change the state, and `service` is what an
//! accessibility service sees and does.

mod acts;
mod agenda;
mod deed;
mod fields;
mod gesture;
mod input;
mod launch;
mod layout;
mod metrics;
mod options;
mod owner;
mod pages;
mod paint;
mod scroll;
mod service;
mod state;
mod time;
mod view;
mod world;

pub use input::KeyCode;
pub use metrics::Metrics;
pub use options::{Latency, Lock, Options};
pub use owner::Installed;

use crate::app::{AppError, Problem, Value};
use crate::clock::SimClock;
use clawperator_runtime::phone::{Clock, Display, Launch, Picture};
use clawperator_runtime::recording::{RecordedEvent, Recorder};
use clawperator_runtime::screen::{Generation, Screen};
use clawperator_runtime::snapshot;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
pub(crate) use world::{Told, World};

/// Takes a picture of a screen, as a PNG.
pub type Camera = Box<dyn Fn(&Screen) -> Vec<u8> + Send + Sync>;

/// Hears what happens, with the time of day in milliseconds. It may do anything to the device but
/// add another listener.
pub type Listener = Box<dyn Fn(&RecordedEvent, u64) + Send + Sync>;

/// The same with what was on the screen.
type Hearer = Box<dyn Fn(&Told) + Send + Sync>;

/// A simulated phone. Copies are the same phone.
#[derive(Clone)]
pub struct Device {
    shared: Arc<Shared>,
    _life: Arc<time::Life>,
}

struct Shared {
    world: Mutex<World>,
    /// Something happened, or somebody wants waiting to end.
    changed: Condvar,
    clock: SimClock,
    /// One gesture at a time.
    fingers: Mutex<()>,
    camera: Mutex<Option<Camera>>,
    listeners: Mutex<Vec<Hearer>>,
    /// The thread that tells them right now.
    telling: Mutex<Option<ThreadId>>,
}

/// What is in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Focus {
    /// The app.
    pub package: String,
    /// The class, as Android shortens it: `.AboutPhoneActivity`.
    pub activity: String,
    /// The window's title.
    pub title: String,
}

impl Device {
    /// Switches a phone on. It shows its home screen.
    pub fn new(options: Options) -> Result<Self, AppError> {
        if !options.apps.iter().any(|app| app.home) {
            return Err(whole_phone(Problem::NoHome));
        }
        let mut packages: Vec<_> = options.apps.iter().map(|app| &app.package).collect();
        packages.sort();
        if let Some(pair) = packages.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = pair[0].clone();
            return Err(whole_phone(Problem::Duplicate { what: "package", name }));
        }
        let clock = options.clock.clone();
        let shared = Arc::new(Shared {
            world: Mutex::new(World::new(options)),
            changed: Condvar::new(),
            clock,
            fingers: Mutex::new(()),
            camera: Mutex::new(None),
            listeners: Mutex::new(Vec::new()),
            telling: Mutex::new(None),
        });
        let life = Arc::new(time::Life::new(&shared));
        Ok(Self { shared, _life: life })
    }

    /// The phone's clock.
    #[must_use]
    pub fn clock(&self) -> SimClock {
        self.shared.clock.clone()
    }

    /// The screen's size and density.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.shared.lock().metrics
    }

    /// The screen as it is, for pictures and dumps. It is no capture of the service: handles of
    /// the service's newest capture stay good. Without any window when the screen is off.
    #[must_use]
    pub fn screen(&self) -> Option<Screen> {
        self.shared.up_to_date().look().ok()
    }

    /// The counter of events and captures.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.shared.up_to_date().counter
    }

    /// What is in front; nothing while the screen is off or locked.
    #[must_use]
    pub fn focus(&self) -> Option<Focus> {
        let mut world = self.shared.up_to_date();
        if world.display() != Display::On {
            return None;
        }
        let (package, activity) = world.activity()?;
        let title = world.scene().active().map(|pane| pane.title.clone()).unwrap_or_default();
        Some(Focus { package, activity, title })
    }

    /// Packages of the apps that run, the newest first, without the home screen.
    #[must_use]
    pub fn running(&self) -> Vec<String> {
        let world = self.shared.up_to_date();
        world.running().iter().map(|app| app.package.clone()).collect()
    }

    /// Starts an app.
    pub fn launch(&self, package: &str) -> Launch {
        self.change(|world| world.start(package, None))
    }

    /// Starts an app with one of its screens, by the screen's name.
    pub fn launch_screen(&self, package: &str, screen: &str) -> Launch {
        self.change(|world| world.start_screen(package, screen))
    }

    /// Opens a URI.
    pub fn view(&self, uri: &str) -> Launch {
        self.change(|world| world.view(uri, None))
    }

    /// The package that would open a URI.
    #[must_use]
    pub fn resolve(&self, uri: &str) -> Option<String> {
        self.shared.lock().resolve(uri).map(|(package, _)| package)
    }

    /// Ends an app and forgets its state; says whether there is such an app.
    pub fn force_stop(&self, package: &str) -> bool {
        self.change(|world| world.force_stop(package))
    }

    /// A variable of an app.
    #[must_use]
    pub fn state(&self, package: &str, name: &str) -> Option<Value> {
        let world = self.shared.up_to_date();
        match world.tasks.get(package) {
            Some(task) => task.state.get(name).cloned(),
            None => world.app(package)?.state.get(name).cloned(),
        }
    }

    /// Sets a variable of an app; says whether there is one of that kind.
    pub fn set_state(&self, package: &str, name: &str, value: Value) -> bool {
        self.change(|world| {
            let Some(app) = world.app(package) else { return false };
            if !app.state.get(name).is_some_and(|known| known.is_like(&value)) {
                return false;
            }
            world.task(&app);
            world.change(package, name, |_| value);
            true
        })
    }

    /// How pictures are taken.
    pub fn set_camera(&self, camera: Camera) {
        *lock(&self.shared.camera) = Some(camera);
    }

    /// A picture of the screen, as shell commands take it.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let (secure, screen) = {
            let mut world = self.shared.up_to_date();
            (world.scene().secure, world.look())
        };
        let camera = lock(&self.shared.camera);
        match (&*camera, screen) {
            (None, _) => Picture::Unsupported,
            (Some(_), _) if secure => Picture::SecureWindow,
            (Some(camera), Ok(screen)) => Picture::Png(camera(&screen)),
            (Some(_), Err(error)) => Picture::Failed(error.to_string()),
        }
    }

    /// Lets somebody hear what happens from now on.
    pub fn listen(&self, listener: Listener) {
        let listener = move |told: &Told| listener(&told.event, told.epoch_ms);
        lock(&self.shared.listeners).push(Box::new(listener));
    }

    /// Lets a recorder write down what happens, while it records.
    pub fn record_into(&self, recorder: Arc<Recorder>) {
        self.shared.lock().recorders.push(Arc::clone(&recorder));
        lock(&self.shared.listeners).push(Box::new(move |told| {
            let snapshot = || told.screen.as_ref().map(snapshot::xml::write);
            recorder.record(&told.event, snapshot, told.epoch_ms);
        }));
    }

    /// Does something to the phone, and tells everybody.
    fn change<T>(&self, change: impl FnOnce(&mut World) -> T) -> T {
        let result = change(&mut self.shared.up_to_date());
        self.shared.changed.notify_all();
        self.shared.deliver();
        result
    }
}

fn whole_phone(problem: Problem) -> AppError {
    AppError { file: "phone".into(), line: 0, column: 0, field: "apps".into(), problem }
}

/// A thread that panicked left things as whole as it found them.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }

    /// The phone, with everything that was due.
    fn up_to_date(&self) -> MutexGuard<'_, World> {
        let mut world = self.lock();
        world.catch_up();
        world
    }

    /// Tells listeners what happened, without the phone's lock. In order: whoever comes second
    /// waits for the list of listeners, and finds everything told. A listener that does something
    /// to the phone itself is told of that after it has returned.
    fn deliver(&self) {
        let me = Some(thread::current().id());
        if *lock(&self.telling) == me {
            return;
        }
        let listeners = lock(&self.listeners);
        *lock(&self.telling) = me;
        loop {
            let next = self.lock().feed.pop_front();
            let Some(told) = next else { break };
            for listener in listeners.iter() {
                listener(&told);
            }
        }
        *lock(&self.telling) = None;
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("now", &self.shared.clock.now()).finish_non_exhaustive()
    }
}
