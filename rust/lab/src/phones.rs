//! A simulated phone at a stock adb, and what one asks it all the time.

use crate::{Adb, Ran, Screen, adb};
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
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Nothing a test waits for takes this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A simulated phone, and the host it is connected to.
pub struct Lab {
    /// The phone, to do things to it that no host can.
    pub phone: SimulatedPhone,
    /// What names it at the host.
    pub serial: String,
    /// The adb it is connected to.
    pub host: Arc<Adb>,
}

/// A phone in real time. Its apps are read once.
pub fn options() -> Options {
    static READ: LazyLock<Options> = LazyLock::new(|| Options::real().unwrap());
    Options { clock: SimClock::real(), ..READ.clone() }
}

impl Default for Lab {
    fn default() -> Self {
        Self::new()
    }
}

impl Lab {
    /// A phone with the operator, connected.
    pub fn new() -> Self {
        Self::with(options(), vec![OperatorPackage::current()])
    }

    /// A phone with these operators, connected.
    pub fn with(options: Options, operators: Vec<OperatorPackage>) -> Self {
        Self::at(adb(), options, operators)
    }

    /// The same at an adb of the test's own, whose server it may harm.
    pub fn at(host: &Arc<Adb>, options: Options, operators: Vec<OperatorPackage>) -> Self {
        let lab = Self::boot(host, options, operators, Auth::NoAuth);
        lab.connect();
        lab
    }

    /// A phone nobody has called yet.
    pub fn unconnected(options: Options, operators: Vec<OperatorPackage>, auth: Auth) -> Self {
        Self::boot(adb(), options, operators, auth)
    }

    fn boot(
        host: &Arc<Adb>,
        options: Options,
        operators: Vec<OperatorPackage>,
        auth: Auth,
    ) -> Self {
        let address = ([127, 0, 0, 1], 0).into();
        let identity = Identity { model: "Sim Phone".into(), ..Identity::default() };
        let phone = SimulatedPhone::boot(address, options, &identity, operators, auth).unwrap();
        let serial = phone.serial();
        Self { phone, serial, host: Arc::clone(host) }
    }

    /// Connects it, as after a restart of the server.
    pub fn connect(&self) {
        let ran = self.host.run(&["connect", &self.serial]);
        assert_eq!(ran.text(), format!("connected to {}\n", self.serial));
    }

    /// Runs adb on this phone.
    pub fn adb(&self, args: &[&str]) -> Ran {
        self.host.run(&[&["-s", &self.serial], args].concat())
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
        let mut child = self.host.command(&args).spawn().unwrap();
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

    /// Sends an execution as other programs do.
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

    /// Looks until something has this text, description or id.
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
        let _ = self.host.command(&["disconnect", &self.serial]).output();
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

/// An execution as it is written.
pub fn payload(command_id: &str, actions: &Value) -> Value {
    json!({
        "commandId": command_id, "taskId": "t", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 60_000, "actions": actions
    })
}

/// An execution as it is understood.
pub fn execution(command_id: &str, actions: &Value) -> Execution {
    Execution::from_value(payload(command_id, actions)).unwrap_or_else(|error| panic!("{error}"))
}
