//! The operator of this process: made when the app starts, there until the process ends.

#[cfg(any(target_os = "android", target_os = "linux"))]
use crate::abstract_socket::AbstractSocket;
use crate::awaited::Awaited;
use crate::changes::{Changes, ScrollPosition};
use crate::clock::PhoneClock;
use crate::commands::{LastCommand, Noting};
use crate::java::Service;
use crate::lock;
use crate::logging::Logcat;
use crate::phone::AndroidPhone;
use crate::recorded::{self, Told};
use crate::status::{self, Link, Status};
use clawperator_contract::operator;
use clawperator_link::broadcast::Broadcast;
use clawperator_link::station::Station;
use clawperator_runtime::phone::Clock;
use clawperator_runtime::recording::{DirectorySink, RecordedEvent, Recorder};
use clawperator_runtime::snapshot;
use clawperator_station::{Log, Operator, Setup};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// What the app knows of itself.
pub(crate) struct Start {
    pub(crate) package: String,
    pub(crate) version: String,
    /// Folder for recordings.
    pub(crate) recordings: PathBuf,
    /// Android's.
    pub(crate) api_level: i32,
    /// Users whose connections are served.
    pub(crate) accepted_uids: Vec<u32>,
}

/// The operator with everything Android tells it.
pub(crate) struct App {
    pub(crate) service: Arc<Service>,
    pub(crate) answers: Arc<Answers>,
    changes: Arc<Changes>,
    recorder: Arc<Recorder>,
    clock: PhoneClock,
    log: Arc<dyn Log>,
    operator: Arc<Operator>,
    last_command: Arc<LastCommand>,
    link: Link,
    api_level: i32,
    #[cfg(any(target_os = "android", target_os = "linux"))]
    socket: Mutex<Option<AbstractSocket>>,
}

/// Answers that come later.
#[derive(Default)]
pub(crate) struct Answers {
    /// Was it completed?
    pub(crate) gesture: Awaited<bool>,
    /// A PNG, or Android's code for why not.
    pub(crate) screenshot: Awaited<Result<Vec<u8>, i32>>,
}

static APP: Mutex<Option<Arc<App>>> = Mutex::new(None);

/// The operator, once it has started.
pub(crate) fn current() -> Option<Arc<App>> {
    lock(&APP).clone()
}

/// Starts the operator, unless it runs already.
pub(crate) fn start(start: Start) -> io::Result<()> {
    let mut app = lock(&APP);
    if app.is_none() {
        *app = Some(Arc::new(App::new(start)?));
    }
    Ok(())
}

/// Ends it as the end of its process would.
pub(crate) fn stop() {
    let app = lock(&APP).take();
    if let Some(app) = app {
        // Others may still hold the operator for a moment; nobody reaches it any more.
        #[cfg(any(target_os = "android", target_os = "linux"))]
        drop(lock(&app.socket).take());
        app.operator.kill();
        app.service_changed();
    }
}

/// What the status screen tells.
pub(crate) fn status() -> Status {
    let Some(app) = current() else {
        return Status {
            service_on: false,
            link: Link::NotStarted,
            last_command: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            api_level: 0,
        };
    };
    Status {
        service_on: app.service.is_running(),
        link: app.link.clone(),
        last_command: app.last_command.ago(),
        version: app.operator.identity().app_version,
        api_level: app.api_level,
    }
}

impl App {
    fn new(start: Start) -> io::Result<Self> {
        let random = || RandomState::new().hash_one(std::process::id());
        let own = operator::PACKAGES.map(str::to_owned).to_vec();
        let sink = Box::new(DirectorySink { dir: start.recordings });
        let recorder = Arc::new(Recorder::new(sink, own, random()));
        let setup = Setup {
            app_version: start.version,
            package: start.package.clone(),
            boot_id: format!("{:016x}", random()),
            recorder: Arc::clone(&recorder),
            seed: random(),
        };
        let clock = PhoneClock::new();
        let (service, changes) = (Arc::<Service>::default(), Arc::<Changes>::default());
        let answers = Arc::<Answers>::default();
        let phone = AndroidPhone::new(
            Arc::clone(&service),
            Arc::clone(&changes),
            Arc::clone(&answers),
            clock,
            start.api_level,
        );
        let operator = Arc::new(Operator::start(phone, clock, setup)?);
        operator.set_service_running(false);
        let last_command = Arc::<LastCommand>::default();
        let station: Arc<dyn Station> = Arc::clone(&operator) as Arc<dyn Station>;
        let station = Arc::new(Noting { station, last: Arc::clone(&last_command) });
        let name = start.package;
        #[cfg(any(target_os = "android", target_os = "linux"))]
        let (socket, link) = match AbstractSocket::listen(&name, start.accepted_uids, station) {
            Ok(socket) => (Some(socket), Link::Listening(name)),
            Err(error) => {
                // Broadcasts still work.
                log::error!("no socket `{name}`: {error}");
                (None, Link::Silent { name, why: error.to_string() })
            }
        };
        #[cfg(not(any(target_os = "android", target_os = "linux")))]
        let link = {
            drop(station);
            Link::Silent { name, why: "only Linux has abstract sockets".to_owned() }
        };
        Ok(Self {
            service,
            answers,
            changes,
            recorder,
            clock,
            log: Arc::new(Logcat),
            operator,
            last_command,
            link,
            api_level: start.api_level,
            #[cfg(any(target_os = "android", target_os = "linux"))]
            socket: Mutex::new(socket),
        })
    }

    /// The service came or went. Whoever waits for it looks again.
    pub(crate) fn service_changed(&self) {
        let running = self.service.is_running();
        self.operator.set_service_running(running);
        if !running {
            self.answers.gesture.hang_up();
            self.answers.screenshot.hang_up();
        }
        self.changes.bump();
        status::changed();
    }

    /// Something happened on the screen; says whether a recording wants to know more.
    pub(crate) fn event(&self, kind: i32) -> bool {
        if kind == recorded::TYPE_WINDOW_STATE_CHANGED {
            self.changes.window_changed();
        }
        self.changes.bump();
        recorded::is_recorded(kind) && self.recorder.is_recording()
    }

    /// A view stands elsewhere; says whether a recording wants to know more.
    pub(crate) fn scrolled(&self, position: ScrollPosition) -> bool {
        self.changes.scrolled(position);
        self.event(recorded::TYPE_VIEW_SCROLLED)
    }

    /// Does a recording want this key?
    pub(crate) fn wants_key(&self, code: i32) -> bool {
        recorded::key(code).is_some() && self.recorder.is_recording()
    }

    /// Writes an event down. It may take the screen, so never on Android's main thread.
    pub(crate) fn record(&self, told: Told) {
        if let Some(event) = recorded::event(told) {
            self.write_down(&event);
        }
    }

    pub(crate) fn record_key(&self, code: i32) {
        if let Some(key) = recorded::key(code) {
            self.write_down(&RecordedEvent::PressKey(key));
        }
    }

    fn write_down(&self, event: &RecordedEvent) {
        let snapshot = || {
            let screen = self.service.look();
            screen.inspect_err(|error| log::warn!("no screen for the recording: {error}")).ok()
        };
        let xml = || snapshot().map(|screen| snapshot::xml::write(&screen));
        self.recorder.record(event, xml, self.clock.epoch_ms());
    }

    /// Takes a broadcast. Comes on Android's main thread, which must not wait for the log: what is
    /// told at once is told by another thread.
    pub(crate) fn receive(&self, broadcast: Broadcast) {
        let (operator, log) = (Arc::clone(&self.operator), Arc::clone(&self.log));
        if matches!(broadcast, Broadcast::Execute { .. }) {
            self.last_command.came();
        }
        if !matches!(broadcast, Broadcast::Resume { .. }) {
            operator.receive(broadcast, &log);
            return;
        }
        let thread = std::thread::Builder::new().name("resume".into());
        if let Err(error) = thread.spawn(move || operator.receive(broadcast, &log)) {
            log::error!("a broadcast could not be answered: {error}");
        }
    }
}
