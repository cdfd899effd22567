//! A small phone for tests, in virtual time: it stands still until somebody waits, does what its
//! script says at the moment it says, and remembers everything that was done to it.

use clawperator_contract::runnable::StrokePoint;
use clawperator_runtime::phone::{
    Clock, Display, GestureEnd, GlobalAction, Launch, Moment, NodeAction, Phone, PhoneError,
    Picture,
};
use clawperator_runtime::screen::{
    Bounds, Flags, Generation, NodeHandle, NodeSpec, Screen, ScreenBuilder, WindowSpec,
};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Something the phone was made to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    Node { action: NodeAction, label: String, id: String },
    Gesture { from: (i32, i32), to: (i32, i32), ms: u128, fingers: usize },
    Global(GlobalAction),
    Launch(String),
    View(String),
    Wake,
    Screenshot,
}

type Script = Box<dyn FnOnce(&mut World) + Send>;
type Reaction = Box<dyn FnMut(&mut World, &Done) + Send>;
/// Decides whether an operation goes wrong, and how.
type Fault = Box<dyn FnMut(&mut World, Operation) -> Option<PhoneError> + Send>;

/// What is asked of the phone, for faults to choose by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Capture,
    Perform,
    Gesture,
    Global,
    Launch,
    Display,
}

/// Everything there is.
pub struct World {
    pub now: Moment,
    counter: Generation,
    agenda: VecDeque<(Moment, Script)>,
    reactions: Vec<Reaction>,
    fault: Option<Fault>,
    /// What was done, and when.
    pub done: Vec<(Moment, Done)>,
    /// The windows on the screen. The first is active.
    pub windows: Vec<WindowSpec>,
    pub size: (i32, i32),
    pub foreground: String,
    pub apps: Vec<String>,
    pub schemes: Vec<String>,
    pub display: Display,
    pub picture: Picture,
    pub service: bool,
    /// How long each call to the phone takes.
    pub latency: Duration,
    /// What becomes of launches of apps that are there.
    pub launch_end: Launch,
    /// Does it take the keys of the system?
    pub takes_keys: bool,
    /// How gestures end.
    pub gesture_end: GestureEnd,
    /// Node actions the phone refuses.
    pub refuses: fn(&NodeAction) -> bool,
    pub list: Option<List>,
    pub scroll_mark: u64,
    pub captures: u32,
    handles: Vec<(String, String, bool)>,
    captured: Generation,
    /// Somebody wants the present wait to end. Not behind the lock: scripts ask for it too.
    woken: Arc<AtomicBool>,
}

/// A list that scrolls under a finger, as the only content of the screen.
#[derive(Clone, Debug)]
pub struct List {
    pub rows: Vec<String>,
    pub offset: i32,
    pub area: Bounds,
    pub row_height: i32,
    /// Does the app report its position?
    pub reports: bool,
}

impl List {
    pub fn of(rows: impl IntoIterator<Item = String>) -> Self {
        let area = Bounds::new(0, 200, 1080, 2200);
        Self { rows: rows.into_iter().collect(), offset: 0, area, row_height: 200, reports: false }
    }

    fn end(&self) -> i32 {
        let height = i32::try_from(self.rows.len()).unwrap() * self.row_height;
        (height - self.area.height()).max(0)
    }

    fn spec(&self) -> NodeSpec {
        let mut list = node("android.widget.ListView", "", self.area);
        list.resource_id = "android:id/list".into();
        list.flags = list.flags.with(Flags::SCROLLABLE);
        for (number, row) in (0..).zip(&self.rows) {
            let top = self.area.top + number * self.row_height - self.offset;
            let place = Bounds::new(0, top, 1080, top + self.row_height);
            let visible = place.intersection(self.area);
            if !visible.is_empty() {
                let mut child = node("android.widget.TextView", row, visible);
                child.flags = child.flags.with(Flags::CLICKABLE);
                list.children.push(child);
            }
        }
        list
    }
}

/// A visible, enabled node.
pub fn node(class: &str, text: &str, bounds: Bounds) -> NodeSpec {
    NodeSpec { class: class.into(), text: text.into(), bounds, ..NodeSpec::default() }
}

/// A clickable one.
pub fn button(text: &str, top: i32) -> NodeSpec {
    let mut spec = node("android.widget.Button", text, Bounds::new(100, top, 900, top + 120));
    spec.flags = spec.flags.with(Flags::CLICKABLE).with(Flags::FOCUSABLE);
    spec
}

/// A text field.
pub fn field(id: &str, text: &str, top: i32) -> NodeSpec {
    let mut spec = node("android.widget.EditText", text, Bounds::new(100, top, 900, top + 120));
    spec.resource_id = id.into();
    spec.flags = spec.flags.with(Flags::EDITABLE).with(Flags::FOCUSABLE).with(Flags::CLICKABLE);
    spec
}

impl World {
    /// A screen of this app with these nodes.
    pub fn show(&mut self, package: &str, children: Vec<NodeSpec>) {
        let mut root = node("android.widget.FrameLayout", "", Bounds::new(0, 0, 1080, 2400));
        root.package = package.into();
        root.children = children;
        self.windows = vec![WindowSpec::application(root)];
        self.foreground = package.into();
        self.changed();
    }

    /// Something happened that the phone sends an event for.
    pub fn changed(&mut self) {
        self.counter += 1;
    }

    /// Does something at a later moment.
    pub fn after(&mut self, delay: Duration, script: impl FnOnce(&mut World) + Send + 'static) {
        let at = self.now + delay;
        let place = self.agenda.iter().position(|(other, _)| *other > at);
        self.agenda.insert(place.unwrap_or(self.agenda.len()), (at, Box::new(script)));
    }

    /// Does something whenever something was done to the phone.
    pub fn react(&mut self, reaction: impl FnMut(&mut World, &Done) + Send + 'static) {
        self.reactions.push(Box::new(reaction));
    }

    /// Lets operations go wrong.
    pub fn faults(
        &mut self,
        fault: impl FnMut(&mut World, Operation) -> Option<PhoneError> + Send + 'static,
    ) {
        self.fault = Some(Box::new(fault));
    }

    /// What was done, without the moments and without the closing of the shade before each run.
    pub fn deeds(&self) -> Vec<Done> {
        let shade = Done::Global(GlobalAction::DismissNotificationShade);
        self.done.iter().map(|(_, done)| done.clone()).filter(|done| *done != shade).collect()
    }

    fn did(&mut self, done: Done) {
        self.done.push((self.now, done.clone()));
        let mut reactions = std::mem::take(&mut self.reactions);
        for reaction in &mut reactions {
            reaction(self, &done);
        }
        reactions.append(&mut self.reactions);
        self.reactions = reactions;
    }

    /// Lets time pass, with everything that happens in it.
    fn pass_until(&mut self, moment: Moment) {
        while self.agenda.front().is_some_and(|(at, _)| *at <= moment) {
            self.step();
        }
        self.now = self.now.max(moment);
    }

    fn step(&mut self) {
        if let Some((at, script)) = self.agenda.pop_front() {
            self.now = self.now.max(at);
            script(self);
        }
    }

    fn asked(&mut self, operation: Operation) -> Result<(), PhoneError> {
        self.pass_until(self.now + self.latency);
        if !self.service {
            return Err(PhoneError::ServiceUnavailable);
        }
        let mut fault = self.fault.take();
        let error = fault.as_mut().and_then(|fault| fault(self, operation));
        self.fault = self.fault.take().or(fault);
        error.map_or(Ok(()), Err)
    }

    fn packed(&mut self) -> Vec<u8> {
        if let (Some(list), Some(window)) = (&self.list, self.windows.first_mut()) {
            window.root.children = vec![list.spec()];
        }
        let mut builder = ScreenBuilder::new(self.size.0, self.size.1);
        builder.generation(self.counter).foreground(&self.foreground);
        for window in &self.windows {
            builder.window(window);
        }
        builder.pack()
    }

    fn drag(&mut self, from: (i32, i32), to: (i32, i32)) {
        let Some(list) = &mut self.list else { return };
        let before = list.offset;
        list.offset = (before + from.1 - to.1).clamp(0, list.end());
        if list.offset != before {
            if list.reports {
                self.scroll_mark += 1;
            }
            self.changed();
        }
    }
}

/// The phone: a world behind a lock, so that a test can look at it too.
#[derive(Clone)]
pub struct ScriptedPhone(Arc<Mutex<World>>);

impl ScriptedPhone {
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(World {
            now: Duration::from_secs(1_000),
            counter: 1,
            agenda: VecDeque::new(),
            reactions: Vec::new(),
            fault: None,
            done: Vec::new(),
            windows: Vec::new(),
            size: (1080, 2400),
            foreground: String::new(),
            apps: Vec::new(),
            schemes: vec!["https".into()],
            display: Display::On,
            picture: Picture::Png(b"png".to_vec()),
            service: true,
            latency: Duration::ZERO,
            launch_end: Launch::Started,
            takes_keys: true,
            gesture_end: GestureEnd::Completed,
            refuses: |_| false,
            list: None,
            scroll_mark: 0,
            captures: 0,
            handles: Vec::new(),
            captured: 0,
            woken: Arc::default(),
        })))
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        // A fault that panics leaves the world as it was.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the world's time.
#[derive(Clone)]
pub struct WorldClock(pub ScriptedPhone);

impl Clock for WorldClock {
    fn now(&self) -> Moment {
        self.0.world().now
    }

    fn epoch_ms(&self) -> u64 {
        1_700_000_000_000
    }
}

impl Phone for ScriptedPhone {
    fn capture(&mut self) -> Result<Screen, PhoneError> {
        let mut world = self.world();
        world.asked(Operation::Capture)?;
        world.captures += 1;
        if world.windows.is_empty() {
            return Err(PhoneError::NoWindow);
        }
        world.counter += 1;
        world.captured = world.counter;
        let screen =
            Screen::decode(&world.packed()).map_err(|e| PhoneError::Failed(e.to_string()))?;
        let handles = (0..screen.len()).filter_map(|at| {
            let node = screen.node(clawperator_runtime::screen::NodeIndex(at))?;
            Some((node.label().to_owned(), node.resource_id().to_owned(), true))
        });
        world.handles = handles.collect();
        Ok(screen)
    }

    fn perform(&mut self, node: NodeHandle, action: &NodeAction) -> Result<bool, PhoneError> {
        let mut world = self.world();
        world.asked(Operation::Perform)?;
        let index = usize::try_from(node.index.0).unwrap();
        let Some((label, id, _)) = world.handles.get(index).cloned() else {
            return Err(PhoneError::NodeGone);
        };
        if node.generation != world.captured {
            return Err(PhoneError::NodeGone);
        }
        if (world.refuses)(action) {
            return Ok(false);
        }
        world.did(Done::Node { action: action.clone(), label, id });
        Ok(true)
    }

    fn gesture(&mut self, strokes: &[Vec<StrokePoint>]) -> Result<GestureEnd, PhoneError> {
        let mut world = self.world();
        world.asked(Operation::Gesture)?;
        if world.gesture_end == GestureEnd::Refused {
            return Ok(GestureEnd::Refused);
        }
        let (first, last) = (strokes[0][0], strokes[0][strokes[0].len() - 1]);
        let (from, to) = ((first.point.x, first.point.y), (last.point.x, last.point.y));
        let end = world.now + last.at;
        world.pass_until(end);
        world.drag(from, to);
        let ms = last.at.as_millis();
        world.did(Done::Gesture { from, to, ms, fingers: strokes.len() });
        Ok(world.gesture_end)
    }

    fn global(&mut self, action: GlobalAction) -> Result<bool, PhoneError> {
        let mut world = self.world();
        world.asked(Operation::Global)?;
        if !world.takes_keys && action != GlobalAction::DismissNotificationShade {
            return Ok(false);
        }
        world.did(Done::Global(action));
        Ok(true)
    }

    fn launch(&mut self, package: &str) -> Result<Launch, PhoneError> {
        let mut world = self.world();
        world.asked(Operation::Launch)?;
        if !world.apps.iter().any(|app| app == package) {
            return Ok(Launch::NoHandler);
        }
        if world.launch_end != Launch::Started {
            return Ok(world.launch_end);
        }
        world.did(Done::Launch(package.into()));
        Ok(Launch::Started)
    }

    fn view(&mut self, uri: &str) -> Result<Launch, PhoneError> {
        let mut world = self.world();
        world.asked(Operation::Launch)?;
        let scheme = uri.split(':').next().unwrap_or_default().to_owned();
        if !world.schemes.contains(&scheme) {
            return Ok(Launch::NoHandler);
        }
        world.did(Done::View(uri.into()));
        Ok(Launch::Started)
    }

    fn screenshot(&mut self) -> Result<Picture, PhoneError> {
        let mut world = self.world();
        world.asked(Operation::Capture)?;
        world.did(Done::Screenshot);
        Ok(world.picture.clone())
    }

    fn display(&mut self) -> Result<Display, PhoneError> {
        let mut world = self.world();
        world.asked(Operation::Display)?;
        Ok(world.display)
    }

    fn wake(&mut self) -> Result<(), PhoneError> {
        let mut world = self.world();
        world.asked(Operation::Display)?;
        world.did(Done::Wake);
        Ok(())
    }

    fn scroll_mark(&mut self) -> u64 {
        self.world().scroll_mark
    }

    fn vitals(&mut self) -> Vec<(String, String)> {
        vec![("developer_options_enabled".into(), "true".into())]
    }

    fn generation(&self) -> Generation {
        self.world().counter
    }

    fn wait(&mut self, since: Option<Generation>, until: Moment) {
        let mut world = self.world();
        loop {
            let woken = world.woken.swap(false, Ordering::SeqCst);
            let changed = since.is_some_and(|since| world.counter > since);
            if woken || changed || world.now >= until {
                return;
            }
            match world.agenda.front().map(|(at, _)| *at) {
                Some(at) if at <= until => world.step(),
                _ => world.now = until,
            }
        }
    }

    fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        let woken = Arc::clone(&self.world().woken);
        Arc::new(move || woken.store(true, Ordering::SeqCst))
    }
}
