//! A phone on which everything goes wrong, around the scripted one: calls are slow, refused, lost
//! or fail half-way; screens come late, flicker and vanish; the service dies. It writes down every
//! call, so that a test can tell what was done when.

#[path = "chaos/payloads.rs"]
pub mod payloads;
#[path = "chaos/screens.rs"]
pub mod screens;

use crate::support::scripted::{Done, List, ScriptedPhone, World};
use clawperator_contract::envelope::{StepData, StepResult};
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::runnable::StrokePoint;
use clawperator_runtime::phone::{
    Display, GestureEnd, GlobalAction, Launch, Moment, NodeAction, Phone, PhoneError, Picture,
};
use clawperator_runtime::screen::{Flags, Generation, NodeHandle, NodeIndex, Screen};
use clawperator_runtime::{Cancel, Observer};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use screens::Scene;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// What was asked of the phone, or of the host.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Capture,
    Node(NodeAction),
    Gesture(Duration),
    Global(GlobalAction),
    Launch,
    View,
    Screenshot,
    Display,
    Wake,
    Host(HostCall),
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The step it belongs to, from zero.
    pub step: usize,
    pub begin: Moment,
    pub end: Moment,
    pub what: What,
    /// Did it act, or may it have? Then it must not be done again.
    pub acted: bool,
}

/// Everything a test wants to know afterwards.
#[derive(Default)]
pub struct Log {
    /// Steps that have ended, as the observer was told.
    pub steps: Vec<StepResult>,
    pub calls: Vec<Call>,
    /// Texts offered to fields that show them, and to fields that hide them.
    pub shown: Vec<String>,
    pub hidden: Vec<String>,
    /// A step that ended after a cancellation or the deadline must be the last.
    pub overdue: Option<usize>,
}

/// How bad it is.
#[derive(Clone, Copy)]
pub struct Chaos {
    /// Part of the calls that go wrong.
    pub faults: f64,
    /// Part of the captures that show another screen than there is.
    pub stale: f64,
    /// Longest a call takes.
    pub latency: Duration,
}

impl Chaos {
    pub const NONE: Self = Self { faults: 0.0, stale: 0.0, latency: Duration::ZERO };

    pub fn random(rng: &mut SmallRng) -> Self {
        let ms = *[0, 0, 5, 50, 50, 400, 3_000, 10_000].choose(rng).unwrap();
        Self {
            faults: *[0.0, 0.02, 0.1, 0.3, 0.6].choose(rng).unwrap(),
            stale: *[0.0, 0.0, 0.1, 0.4].choose(rng).unwrap(),
            latency: Duration::from_millis(ms),
        }
    }
}

/// What can go wrong with a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    Refused,
    BrokenOff,
    NodeGone,
    NoWindow,
    /// The call fails, before or after it has acted; nobody can tell.
    FailsBefore,
    FailsAfter,
}

pub struct ChaosPhone {
    inner: ScriptedPhone,
    log: Arc<Mutex<Log>>,
    rng: SmallRng,
    scenes: Arc<Vec<Scene>>,
    pub chaos: Chaos,
    pub cancel_at: Option<Moment>,
    woken: Arc<AtomicBool>,
    /// Which nodes of the newest capture hide their text.
    hides: Vec<bool>,
}

impl ChaosPhone {
    pub fn new(
        inner: ScriptedPhone,
        log: Arc<Mutex<Log>>,
        scenes: Arc<Vec<Scene>>,
        seed: u64,
    ) -> Self {
        Self {
            inner,
            log,
            rng: SmallRng::seed_from_u64(seed),
            scenes,
            chaos: Chaos::NONE,
            cancel_at: None,
            woken: Arc::default(),
            hides: Vec::new(),
        }
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.inner.world()
    }

    /// Makes one call, with whatever goes wrong, and writes it down. `acted` judges its result.
    fn call<T>(
        &mut self,
        what: What,
        faults: &[Fault],
        work: impl FnOnce(&mut Self, Option<Fault>) -> Result<T, PhoneError>,
        acted: impl FnOnce(&T) -> bool,
    ) -> Result<T, PhoneError> {
        let latency = self.chaos.latency.mul_f64(self.rng.random::<f64>().powi(2));
        let fault =
            self.rng.random_bool(self.chaos.faults).then(|| *faults.choose(&mut self.rng).unwrap());
        let begin = {
            let mut world = self.world();
            world.latency = latency;
            world.now
        };
        let failed = || PhoneError::Failed("chaos".into());
        let result = match fault {
            Some(Fault::NodeGone) => self.idle().and(Err(PhoneError::NodeGone)),
            Some(Fault::NoWindow) => self.idle().and(Err(PhoneError::NoWindow)),
            Some(Fault::FailsBefore) => self.idle().and(Err(failed())),
            Some(Fault::FailsAfter) => work(self, None).and(Err(failed())),
            other => work(self, other),
        };
        let acted = match &result {
            Ok(value) => acted(value),
            // Of a failure nobody can tell; looking does nothing either way.
            Err(error) => faults != LOOKING && matches!(error, PhoneError::Failed(_)),
        };
        let end = self.world().now;
        let mut log = self.log.lock().unwrap();
        let step = log.steps.len();
        log.calls.push(Call { step, begin, end, what, acted });
        result
    }

    /// A call that takes its time and does nothing.
    fn idle(&mut self) -> Result<(), PhoneError> {
        self.inner.display().map(|_| ())
    }
}

const LOOKING: &[Fault] = &[Fault::NoWindow, Fault::NoWindow, Fault::NoWindow, Fault::FailsBefore];
const ACTING: &[Fault] =
    &[Fault::Refused, Fault::Refused, Fault::BrokenOff, Fault::FailsBefore, Fault::FailsAfter];
const ACTING_ON_NODES: &[Fault] = &[
    Fault::Refused,
    Fault::Refused,
    Fault::Refused,
    Fault::NodeGone,
    Fault::NodeGone,
    Fault::NoWindow,
    Fault::NoWindow,
    Fault::FailsBefore,
    Fault::FailsAfter,
];

impl Phone for ChaosPhone {
    fn capture(&mut self) -> Result<Screen, PhoneError> {
        let stale = self.rng.random_bool(self.chaos.stale);
        let scene = stale.then(|| self.scenes.choose(&mut self.rng).unwrap().windows.clone());
        let captured = self.call(
            What::Capture,
            LOOKING,
            |phone, _| {
                let Some(windows) = scene else { return phone.inner.capture() };
                let real = std::mem::replace(&mut phone.world().windows, windows);
                let captured = phone.inner.capture();
                phone.world().windows = real;
                captured
            },
            |_| false,
        );
        if let Ok(screen) = &captured {
            let nodes = (0..screen.len()).filter_map(|at| screen.node(NodeIndex(at)));
            self.hides = nodes.map(|node| node.has(Flags::PASSWORD)).collect();
        }
        captured
    }

    fn perform(&mut self, node: NodeHandle, action: &NodeAction) -> Result<bool, PhoneError> {
        if let NodeAction::SetText(text) = action {
            let hides = self.hides.get(usize::try_from(node.index.0).unwrap()) == Some(&true);
            let mut log = self.log.lock().unwrap();
            if hides { &mut log.hidden } else { &mut log.shown }.push(text.clone());
            drop(log);
            let mut world = self.world();
            let mut roots = world.windows.iter_mut().map(|window| &mut window.root);
            roots.any(|root| screens::set_text(root, hides, text));
        }
        self.call(
            What::Node(action.clone()),
            ACTING_ON_NODES,
            |phone, fault| {
                phone.world().refuses = if fault.is_some() { |_| true } else { |_| false };
                phone.inner.perform(node, action)
            },
            |done| *done,
        )
    }

    fn gesture(&mut self, strokes: &[Vec<StrokePoint>]) -> Result<GestureEnd, PhoneError> {
        let length = strokes.iter().flatten().map(|point| point.at).max().unwrap_or_default();
        self.call(
            What::Gesture(length),
            ACTING,
            |phone, fault| {
                phone.world().gesture_end = match fault {
                    Some(Fault::Refused) => GestureEnd::Refused,
                    Some(_) => GestureEnd::Cancelled,
                    None => GestureEnd::Completed,
                };
                phone.inner.gesture(strokes)
            },
            |end| *end != GestureEnd::Refused,
        )
    }

    fn global(&mut self, action: GlobalAction) -> Result<bool, PhoneError> {
        self.call(
            What::Global(action),
            ACTING,
            |phone, fault| match fault {
                Some(_) => phone.idle().map(|()| false),
                None => phone.inner.global(action),
            },
            |done| *done,
        )
    }

    fn launch(&mut self, package: &str) -> Result<Launch, PhoneError> {
        self.call(
            What::Launch,
            ACTING,
            |phone, fault| match fault {
                Some(_) => phone.idle().map(|()| Launch::Refused),
                None => phone.inner.launch(package),
            },
            |launch| *launch == Launch::Started,
        )
    }

    fn view(&mut self, uri: &str) -> Result<Launch, PhoneError> {
        self.call(
            What::View,
            ACTING,
            |phone, fault| match fault {
                Some(_) => phone.idle().map(|()| Launch::Refused),
                None => phone.inner.view(uri),
            },
            |launch| *launch == Launch::Started,
        )
    }

    fn screenshot(&mut self) -> Result<Picture, PhoneError> {
        let pictures = [
            Picture::Png(b"png".to_vec()),
            Picture::Unsupported,
            Picture::SecureWindow,
            Picture::RateLimited,
            Picture::Failed("chaos".into()),
        ];
        let picture = pictures.choose(&mut self.rng).unwrap().clone();
        self.world().picture = picture;
        self.call(What::Screenshot, LOOKING, |phone, _| phone.inner.screenshot(), |_| false)
    }

    fn display(&mut self) -> Result<Display, PhoneError> {
        // Rarely: this one is asked before every step, and its failure ends the execution.
        let chaos = self.chaos;
        self.chaos.faults /= 8.0;
        let state = self.call(What::Display, LOOKING, |phone, _| phone.inner.display(), |_| false);
        self.chaos = chaos;
        state
    }

    fn wake(&mut self) -> Result<(), PhoneError> {
        self.call(What::Wake, LOOKING, |phone, _| phone.inner.wake(), |()| true)
    }

    fn scroll_mark(&mut self) -> u64 {
        self.inner.scroll_mark()
    }

    fn vitals(&mut self) -> Vec<(String, String)> {
        self.inner.vitals()
    }

    fn generation(&self) -> Generation {
        self.inner.generation()
    }

    fn wait(&mut self, since: Option<Generation>, until: Moment) {
        // Now and then for nothing, as every wait on a condition may end.
        if self.chaos.faults > 0.0 && self.rng.random_bool(0.02) {
            return;
        }
        let cancelled = self.cancel_at.filter(|at| *at > self.world().now).unwrap_or(until);
        self.inner.wait(since, until.min(cancelled));
        // Only who has been given the waker can end the wait early.
        if !self.woken.swap(false, Ordering::SeqCst) {
            self.inner.wait(since, until);
        }
    }

    fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        let woken = Arc::clone(&self.woken);
        Arc::new(move || woken.store(true, Ordering::SeqCst))
    }
}

/// The other end of the link: slow, unhelpful or not there.
pub struct ChaosHost {
    pub phone: ScriptedPhone,
    pub log: Arc<Mutex<Log>>,
    pub rng: SmallRng,
    pub present: bool,
    pub cancel: Cancel,
    pub deadline: Moment,
}

impl Observer for ChaosHost {
    fn step_ended(&mut self, index: usize, result: &StepResult, _picture: Option<Vec<u8>>) {
        let overdue = self.cancel.is_cancelled() || self.phone.world().now >= self.deadline;
        let mut log = self.log.lock().unwrap();
        assert_eq!(index, log.steps.len(), "steps end in order");
        assert_eq!(log.overdue, None, "no step begins when it is over");
        log.overdue = overdue.then_some(index);
        log.steps.push(result.clone());
    }

    fn host_call(&mut self, call: HostCall, within: Duration) -> Option<HostAnswer> {
        if !self.present {
            return None;
        }
        let begin = self.phone.world().now;
        assert!(
            begin + within <= self.deadline.max(begin),
            "the host has no more time than there is"
        );
        let longest = if self.rng.random_bool(0.1) { within } else { Duration::from_secs(2) };
        self.phone.wait(None, begin + longest.min(within).mul_f64(self.rng.random()));
        let end = self.phone.world().now;
        let mut log = self.log.lock().unwrap();
        let step = log.steps.len();
        let failed = |code: &str| HostAnswer::Failed { code: code.into(), message: "chaos".into() };
        let path = StepData::from([("path".to_owned(), "/tmp/picture.png".to_owned())]);
        let answers = [
            HostAnswer::Done { data: StepData::new() },
            HostAnswer::Done { data: path },
            failed("SCREENSHOT_FAILED"),
            failed("no such code"),
        ];
        let answer = answers.choose(&mut self.rng).cloned();
        // A host that failed may be asked again: closing an app or taking a picture twice does no
        // harm. A key it failed to press counts all the same.
        let harmless = !matches!(call, HostCall::KeyEvent { .. });
        let acted = !(harmless && matches!(answer, Some(HostAnswer::Failed { .. })));
        log.calls.push(Call { step, begin, end, what: What::Host(call), acted });
        answer
    }
}

/// A list to scroll, or none.
pub fn list(rng: &mut SmallRng) -> Option<List> {
    let (rows, alike) = (rng.random_range(0..30), rng.random_bool(0.2));
    let name = |n| if alike { "Row".to_owned() } else { format!("Row {n}") };
    let list = List { reports: rng.random(), ..List::of((0..rows).map(name)) };
    rng.random_bool(0.3).then_some(list)
}

/// Lets things happen on the phone by themselves, and in answer to what is done to it.
pub fn unrest(
    phone: &ScriptedPhone,
    rng: &mut SmallRng,
    scenes: &Arc<Vec<Scene>>,
    horizon: Duration,
) {
    let mut world = phone.world();
    world.apps = screens::PACKAGES[..3].iter().map(|name| (*name).to_owned()).collect();
    // Most of what happens, happens while somebody looks.
    let soon = horizon.min(Duration::from_secs(20));
    for _ in 0..rng.random_range(0..6) {
        let scene = scenes.choose(rng).unwrap().clone();
        let told = rng.random_bool(0.8);
        world.after(soon.mul_f64(rng.random()), move |world| switch(world, scene, told));
    }
    if rng.random_bool(0.1) {
        let (start, gap) = (soon.mul_f64(rng.random()), rng.random_range(1..20));
        for tick in 0..rng.random_range(5..60) {
            world.after(start + Duration::from_millis(tick * gap), World::changed);
        }
    }
    if rng.random_bool(0.1) {
        let start = soon.mul_f64(rng.random());
        world.after(start, |world| world.windows.clear());
        let scene = scenes.choose(rng).unwrap().clone();
        world.after(start + soon.mul_f64(rng.random()), move |world| switch(world, scene, true));
    }
    for state in [Display::Off, Display::Locked, Display::On] {
        if rng.random_bool(0.1) {
            world.after(soon.mul_f64(rng.random()), move |world| world.display = state);
        }
    }
    if rng.random_bool(0.06) {
        world.after(soon.mul_f64(rng.random()), |world| world.service = false);
    }
    let (mut own, scenes) = (SmallRng::seed_from_u64(rng.random()), Arc::clone(scenes));
    world.react(move |world, done| react(world, done, &mut own, &scenes));
}

fn switch(world: &mut World, scene: Scene, told: bool) {
    world.windows = scene.windows;
    world.foreground = scene.foreground;
    if told {
        world.changed();
    }
}

fn react(world: &mut World, done: &Done, rng: &mut SmallRng, scenes: &[Scene]) {
    let delay = Duration::from_millis(rng.random_range(0..1_500));
    let comes = rng.random_bool(0.6);
    match done {
        Done::Node { action: NodeAction::SetText(_), .. } => world.changed(),
        Done::Wake if comes => world.after(delay * 2, |world| world.display = Display::On),
        Done::Launch(package) if comes => {
            let known = scenes.iter().find(|scene| scene.foreground == *package);
            let scene = known.or(scenes.first()).unwrap().clone();
            let scene = Scene { foreground: package.clone(), ..scene };
            world.after(delay, move |world| switch(world, scene, true));
        }
        Done::Screenshot | Done::Wake => {}
        _ if comes => {
            let scene = scenes.choose(rng).unwrap().clone();
            world.after(delay, move |world| switch(world, scene, true));
        }
        _ => {}
    }
}
