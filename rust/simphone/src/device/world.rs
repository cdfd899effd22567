//! Everything there is of a phone, behind one lock.

use super::agenda::{Agenda, Due};
use super::gesture::Finger;
use super::metrics::Metrics;
use super::options::{Latency, Lock, Options};
use super::scroll::Fling;
use super::service::Handles;
use super::state::{OpenPage, Task};
use super::view::{Key, Scene};
use crate::app::App;
use crate::chaos::Chaos;
use crate::clock::SimClock;
use clawperator_runtime::phone::{Clock, Display, Moment};
use clawperator_runtime::recording::{RecordedEvent, Recorder};
use clawperator_runtime::screen::{Generation, Screen};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The phone.
pub(crate) struct World {
    pub(crate) metrics: Metrics,
    pub(crate) clock: SimClock,
    pub(crate) latency: Latency,
    pub(crate) lock: Lock,
    pub(crate) chaos: Chaos,
    pub(crate) agenda: Agenda,
    /// What is happening now, while something of the agenda happens.
    pub(crate) now: Moment,
    pub(crate) counter: Generation,
    pub(crate) scroll_mark: u64,
    pub(crate) service: bool,
    /// Somebody wants waiting to end.
    pub(crate) woken: bool,
    pub(crate) powered: bool,
    pub(crate) locked: bool,
    pub(crate) apps: Vec<Arc<App>>,
    /// Apps that were started, by package.
    pub(crate) tasks: BTreeMap<String, Task>,
    /// Packages of the apps that run, the one in front last.
    pub(crate) order: Vec<String>,
    pub(crate) recents: bool,
    pub(crate) pages: u64,
    pub(crate) finger: Option<Finger>,
    pub(crate) fling: Option<Fling>,
    pub(crate) flings: u64,
    /// Nodes that are gone for a moment, by a fault.
    pub(crate) hidden: Vec<Key>,
    pub(crate) handles: Handles,
    pub(crate) feed: VecDeque<Told>,
    pub(crate) recorders: Vec<Arc<Recorder>>,
    pub(super) scene: Option<Arc<Scene>>,
}

/// Something that happened.
pub(crate) struct Told {
    pub(crate) epoch_ms: u64,
    pub(crate) event: RecordedEvent,
    /// What was on the screen then, while somebody records.
    pub(crate) screen: Option<Screen>,
}

impl World {
    pub(crate) fn new(options: Options) -> Self {
        let mut world = Self {
            metrics: options.metrics.possible(),
            now: options.clock.now(),
            clock: options.clock,
            latency: options.latency,
            lock: options.lock,
            chaos: Chaos::new(options.faults, options.seed),
            agenda: Agenda::default(),
            counter: 1,
            scroll_mark: 0,
            service: true,
            woken: false,
            powered: true,
            locked: false,
            apps: options.apps.into_iter().map(Arc::new).collect(),
            tasks: BTreeMap::new(),
            order: Vec::new(),
            recents: false,
            pages: 0,
            finger: None,
            fling: None,
            flings: 0,
            hidden: Vec::new(),
            handles: Handles::default(),
            feed: VecDeque::new(),
            recorders: Vec::new(),
            scene: None,
        };
        world.go_home();
        // Nobody was there to hear of the start.
        world.feed.clear();
        world
    }

    pub(crate) fn app(&self, package: &str) -> Option<Arc<App>> {
        self.apps.iter().find(|app| app.package == package).cloned()
    }

    pub(crate) fn home(&self) -> Option<Arc<App>> {
        self.apps.iter().find(|app| app.home).cloned()
    }

    /// The package in front.
    pub(crate) fn front(&self) -> Option<&str> {
        self.order.last().map(String::as_str)
    }

    pub(crate) fn front_task(&mut self) -> Option<&mut Task> {
        let package = self.order.last()?;
        self.tasks.get_mut(package)
    }

    pub(crate) fn page_mut(&mut self, number: u64) -> Option<&mut OpenPage> {
        let pages = self.tasks.values_mut().flat_map(|task| &mut task.pages);
        pages.into_iter().find(|page| page.number == number)
    }

    /// The app a page belongs to.
    pub(crate) fn owner(&self, page: u64) -> Option<String> {
        let owns = |task: &&Task| task.pages.iter().any(|open| open.number == page);
        self.tasks.values().find(owns).map(|task| task.app.package.clone())
    }

    pub(crate) fn display(&self) -> Display {
        match (self.powered, self.locked) {
            (false, _) => Display::Off,
            (true, true) => Display::Locked,
            (true, false) => Display::On,
        }
    }

    /// Something looks different; whoever did it says so.
    pub(crate) fn repaint(&mut self) {
        self.scene = None;
    }

    /// Something looks different, and the phone says so.
    pub(crate) fn changed(&mut self) {
        self.scene = None;
        if !self.chaos.strikes(|faults| faults.dropped_events) {
            self.counter += 1;
        }
    }

    /// Something happened that a recording wants to know.
    pub(crate) fn tell(&mut self, event: RecordedEvent) {
        self.scene = None;
        if !self.chaos.strikes(|faults| faults.dropped_events) {
            self.counter += 1;
            let recording = self.recorders.iter().any(|recorder| recorder.is_recording());
            // Now: a click is told before what comes of it, as on a phone.
            let screen = recording.then(|| self.look().ok()).flatten();
            self.feed.push_back(Told { epoch_ms: self.clock.epoch_ms(), event, screen });
        }
    }

    /// Lets everything happen that is due by now.
    pub(crate) fn catch_up(&mut self) {
        let now = self.clock.now();
        while let Some((at, due)) = self.agenda.take(now) {
            self.now = self.now.max(at);
            self.happen(due);
        }
        self.now = self.now.max(now);
    }

    fn happen(&mut self, due: Due) {
        match due {
            Due::Frame { fling } => self.fling_on(fling),
            Due::Changed { page } => {
                if self.page_mut(page).is_some() {
                    self.changed();
                }
            }
            Due::Back { key } => {
                self.hidden.retain(|hidden| *hidden != key);
                self.changed();
            }
            Due::Act { package, page, act } => {
                if self.page_mut(page).is_some() {
                    self.act(&package, &act);
                }
            }
            Due::Open { package, screen, n } => self.open_screen(&package, &screen, n),
            Due::Start { package, screen, caller } => {
                self.start_now(&package, screen.as_deref(), caller);
            }
            Due::Loaded { page, feed, count } => {
                if let Some(open) = self.page_mut(page) {
                    open.loaded.insert(feed, count);
                    self.changed();
                }
            }
        }
    }

    /// Apps that run, the newest first, without the home screen.
    pub(crate) fn running(&self) -> Vec<Arc<App>> {
        let tasks = self.order.iter().rev().filter_map(|package| self.tasks.get(package));
        tasks.map(|task| Arc::clone(&task.app)).filter(|app| !app.home).collect()
    }
}
