//! A simulated phone at a stock adb, and what one asks it all the time.

use super::adb::{Ran, adb};
use clawperator_adbd::Auth;
use clawperator_contract::{Envelope, Execution};
use clawperator_link::broadcast::{Broadcast, ResultReader, shell_quoted};
use clawperator_simphone::SimulatedPhone;
use clawperator_simphone::clock::SimClock;
use clawperator_simphone::device::Options;
use clawperator_simphone::system::{Identity, OperatorPackage, RELEASE_PACKAGE};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Nothing a test waits for takes this long.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Lab {
    pub phone: SimulatedPhone,
    pub serial: String,
}

/// A phone in real time. Its apps are read once.
pub fn options() -> Options {
    static READ: LazyLock<Options> = LazyLock::new(|| Options::real().unwrap());
    Options { clock: SimClock::real(), ..READ.clone() }
}

impl Lab {
    /// A phone with the operator, connected.
    pub fn new() -> Self {
        Self::with(options(), vec![OperatorPackage::current()])
    }

    pub fn with(options: Options, operators: Vec<OperatorPackage>) -> Self {
        let lab = Self::unconnected(options, operators, Auth::NoAuth);
        let ran = adb().run(&["connect", &lab.serial]);
        assert_eq!(ran.text(), format!("connected to {}\n", lab.serial));
        lab
    }

    pub fn unconnected(options: Options, operators: Vec<OperatorPackage>, auth: Auth) -> Self {
        let address = ([127, 0, 0, 1], 0).into();
        let identity = Identity { model: "Sim Phone".into(), ..Identity::default() };
        let phone = SimulatedPhone::boot(address, options, &identity, operators, auth).unwrap();
        let serial = phone.serial();
        Self { phone, serial }
    }

    /// Runs adb on this phone.
    pub fn adb(&self, args: &[&str]) -> Ran {
        adb().run(&[&["-s", &self.serial], args].concat())
    }

    /// Runs adb on this phone; it must go well.
    pub fn does(&self, args: &[&str]) -> Ran {
        let ran = self.adb(args);
        assert_eq!(ran.code, Some(0), "adb {args:?}: {}", ran.text());
        ran
    }

    /// What a line says in the phone's shell, where it must go well.
    pub fn shell(&self, line: &str) -> String {
        self.does(&["shell", line]).out()
    }

    /// The log as it is written, from its beginning.
    pub fn follow(&self, args: &[&str]) -> Following {
        let args = [&["-s", &self.serial, "logcat"], args].concat();
        let mut child = adb().command(&args).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Following { child, lines }
    }

    /// Sends an execution as other programs do, and reads its result from the log.
    pub fn broadcast(&self, package: &str, payload: &Value) -> Envelope {
        let mut log = self.follow(&["-v", "raw", "-s", "Clawperator:I"]);
        self.send(package, payload);
        let mut reader = ResultReader::new(payload["commandId"].as_str().unwrap(), None);
        log.find_map(|line| reader.push(line))
    }

    pub fn send(&self, package: &str, payload: &Value) {
        let broadcast = Broadcast::Execute { payload: payload.to_string(), dispatch_id: None };
        let said = self.shell(&shell_quoted(&broadcast.to_am(package)));
        assert!(said.ends_with("Broadcast completed: result=0\n"), "{said}");
    }

    /// Runs actions over the broadcast link, at the released operator.
    pub fn run(&self, command_id: &str, actions: &Value) -> Envelope {
        self.broadcast(RELEASE_PACKAGE, &payload(command_id, actions))
    }

    /// What is on the screen, by `uiautomator dump`.
    pub fn look(&self) -> Screen {
        Screen(self.does(&["exec-out", "uiautomator dump /dev/tty"]).out())
    }

    /// Looks until it is so.
    pub fn until(&self, what: &str, holds: impl Fn(&Screen) -> bool) -> Screen {
        let start = Instant::now();
        loop {
            let screen = self.look();
            if holds(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "never: {what}\n{}", screen.0);
        }
    }

    pub fn until_shows(&self, text: &str) -> Screen {
        self.until(text, |screen| screen.find(text).is_some())
    }

    /// Taps the node with this text.
    pub fn tap(&self, text: &str) {
        let (x, y) = self.until_shows(text).find(text).unwrap();
        self.shell(&format!("input tap {x} {y}"));
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // Or adb's server would try for a while to find it again.
        let _ = adb().command(&["disconnect", &self.serial]).output();
    }
}

/// `adb logcat` that runs on, until it is dropped.
pub struct Following {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Following {
    /// Reads lines until one gives something.
    pub fn find_map<T>(&mut self, mut wanted: impl FnMut(&str) -> Option<T>) -> T {
        let found = self.lines.by_ref().find_map(|line| wanted(&line.unwrap()));
        found.expect("the log ended before it came")
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What `uiautomator dump` says.
pub struct Screen(pub String);

impl Screen {
    /// Attributes of every node.
    pub fn attributes(&self, name: &str) -> Vec<String> {
        self.nodes(|node| node.attribute(name).map(str::to_owned))
    }

    /// The middle of the node with this text, description or id.
    pub fn find(&self, wanted: &str) -> Option<(i32, i32)> {
        let names = ["text", "content-desc", "resource-id"];
        let middles = self.nodes(|node| {
            let fits = names.iter().any(|name| node.attribute(*name) == Some(wanted));
            fits.then(|| middle(node.attribute("bounds")?))?
        });
        middles.first().copied()
    }

    fn nodes<T>(&self, take: impl Fn(roxmltree::Node<'_, '_>) -> Option<T>) -> Vec<T> {
        let end = self.0.find("</hierarchy>").map_or(self.0.len(), |at| at + "</hierarchy>".len());
        let document = roxmltree::Document::parse(&self.0[..end]).unwrap();
        let nodes = document.descendants().filter(|node| node.has_tag_name("node"));
        nodes.filter_map(take).collect()
    }
}

/// The middle of `[0,63][1080,210]`.
fn middle(bounds: &str) -> Option<(i32, i32)> {
    let numbers = bounds.split(|c: char| !c.is_ascii_digit() && c != '-');
    let numbers: Vec<i32> = numbers.filter_map(|number| number.parse().ok()).collect();
    let [left, top, right, bottom] = numbers[..] else { return None };
    Some((i32::midpoint(left, right), i32::midpoint(top, bottom)))
}

pub fn payload(command_id: &str, actions: &Value) -> Value {
    json!({
        "commandId": command_id, "taskId": "t", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 60_000, "actions": actions
    })
}

pub fn execution(command_id: &str, actions: &Value) -> Execution {
    Execution::from_value(payload(command_id, actions)).unwrap_or_else(|error| panic!("{error}"))
}
