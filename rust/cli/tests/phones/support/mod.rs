//! A desk: the program, an adb server, and a simulated phone on it.

mod between;
mod program;
mod served;

pub(crate) use between::{Between, Service, as_operator, shell_says};
pub(crate) use program::{Answer, Program, Running};
pub(crate) use served::{Served, answer};

use clawperator_contract::operator::RELEASE_PACKAGE;
use clawperator_lab::{Adb, Lab, options};
use clawperator_link::station::Station as _;
use clawperator_simphone::app::Value as State;
use clawperator_simphone::device::Options;
use clawperator_simphone::system::{OperatorPackage, System};
use serde_json::{Value, json};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The app with known screens.
pub(crate) const CONFORMANCE: &str = "com.clawperator.conformance";
/// Android's settings.
pub(crate) const SETTINGS: &str = "com.android.settings";
/// The home screen.
pub(crate) const LAUNCHER: &str = "com.android.launcher3";

/// Nothing that is waited for takes this long; what does never comes.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks at something that is waited for.
const LOOK: Duration = Duration::from_millis(2);

/// Looks until it is so.
#[track_caller]
pub(crate) fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "never: {what}");
        thread::sleep(LOOK);
    }
}

/// An id of the app with known screens.
pub(crate) fn id(name: &str) -> String {
    format!("{CONFORMANCE}:id/{name}")
}

/// A program that knows one phone.
pub(crate) struct Desk {
    pub(crate) lab: Lab,
    pub(crate) program: Program,
}

impl Desk {
    /// With a phone that has the operator, at the server all harmless tests share.
    pub(crate) fn new() -> Self {
        Self::with(options(), vec![OperatorPackage::current()])
    }

    /// With a phone of another kind.
    pub(crate) fn with(options: Options, operators: Vec<OperatorPackage>) -> Self {
        Self::at(clawperator_lab::adb(), options, operators)
    }

    /// With a server of its own, which the test may harm.
    pub(crate) fn with_own_server() -> Self {
        Self::at(&Adb::start(), options(), vec![OperatorPackage::current()])
    }

    pub(crate) fn at(host: &Arc<Adb>, options: Options, operators: Vec<OperatorPackage>) -> Self {
        let lab = Lab::at(host, options, operators);
        let program = Program::at(host.port, &host.program()).on(&lab.serial);
        Self { lab, program }
    }

    /// The same phone, reached by way of something that interferes.
    pub(crate) fn by_way_of(&mut self, between: &Between) {
        self.program.port = between.port;
    }

    /// Runs the program.
    pub(crate) fn run(&self, args: &[&str]) -> Answer {
        self.program.run(args)
    }

    /// Runs actions, with flags.
    pub(crate) fn exec(&self, actions: &Value, flags: &[&str]) -> Answer {
        let payload = execution(actions).to_string();
        self.run(&[&["exec", &payload], flags].concat())
    }

    /// Starts actions, with flags.
    pub(crate) fn start(&self, actions: &Value, flags: &[&str]) -> Running {
        let payload = execution(actions).to_string();
        self.program.start(&[&["exec", &payload], flags].concat())
    }

    pub(crate) fn system(&self) -> &Arc<System> {
        self.lab.phone.system()
    }

    /// The package in front; empty while nothing is.
    pub(crate) fn front(&self) -> String {
        self.system().device.focus().map(|focus| focus.package).unwrap_or_default()
    }

    /// Title of the screen in front.
    pub(crate) fn title(&self) -> String {
        self.system().device.focus().map(|focus| focus.title).unwrap_or_default()
    }

    /// Brings an app to the front, without the program.
    pub(crate) fn show(&self, package: &str) {
        self.system().device.launch(package);
        until(package, || self.front() == package);
    }

    /// Brings a screen of an app to the front, without the program.
    pub(crate) fn show_screen(&self, package: &str, screen: &str, title: &str) {
        self.system().device.launch_screen(package, screen);
        until(title, || self.front() == package && self.title() == title);
    }

    /// A variable of the app with known screens.
    pub(crate) fn state(&self, name: &str) -> String {
        self.system().device.state(CONFORMANCE, name).unwrap().to_string()
    }

    /// How often "Add one" was clicked.
    pub(crate) fn count(&self) -> String {
        self.state("counter")
    }

    /// Lets [`held_open`] come to its end.
    pub(crate) fn let_go(&self) {
        assert!(self.system().device.set_state(CONFORMANCE, "toggle", State::Bool(true)));
    }

    /// Until the operator has run for longer than a message can be late. One that has not told its
    /// name yet is known again by its age.
    pub(crate) fn let_the_operator_age(&self) {
        let operator = self.system().operator(RELEASE_PACKAGE).unwrap();
        until("the operator is old enough", || operator.identity().uptime > Duration::from_secs(2));
    }

    /// Kills the operator's process.
    pub(crate) fn kill_operator(&self) {
        self.system().kill_operator(RELEASE_PACKAGE);
    }
}

/// An execution of these actions, as it is written.
pub(crate) fn execution(actions: &Value) -> Value {
    json!({
        "commandId": "given", "taskId": "task", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 60_000, "actions": actions
    })
}

/// One action.
pub(crate) fn action(id: &str, kind: &str, params: Value) -> Value {
    json!({ "id": id, "type": kind, "params": params })
}

/// Clicks "Add one".
pub(crate) fn add_one(name: &str) -> Value {
    action(name, "click", json!({ "matcher": { "resourceId": id("counter_button") } }))
}

/// Adds one, so that somebody can see that it runs, and stays until [`Desk::let_go`].
pub(crate) fn held_open() -> Value {
    let on = json!({ "matcher": { "textEquals": "Toggle is on" }, "timeoutMs": 60_000 });
    json!([add_one("one"), action("held", "wait_for_node", on)])
}
