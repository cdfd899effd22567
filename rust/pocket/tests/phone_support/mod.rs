//! A simulated phone as the host sees it, without adb between them.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use clawperator_contract::Failure;
use clawperator_embedded::EmbeddedPhone;
use clawperator_host::device::{Device, Output, Reader, Unreachable, Writer};
use clawperator_host::dispatch::{Route, Stop};
use clawperator_pocket::normalise;
use clawperator_pocket::outcome::Done;
use clawperator_pocket::snapshot::ScreenSnapshot;
use clawperator_simphone::device::{Latency, Lock, Metrics, Options};
use clawperator_simphone::system::{OperatorPackage, RELEASE_PACKAGE, System};
use serde_json::Value;
use std::io::{Read, Write, empty};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A phone that answers at once and remembers what its shell was told.
pub struct Phone {
    phone: EmbeddedPhone,
    pub system: Arc<System>,
    pub heard: Mutex<Vec<String>>,
    /// Answers in place of the phone's own, by a part of the line.
    pub instead: Mutex<Vec<(&'static str, Output)>>,
    pub stop: Stop,
}

impl Phone {
    /// With the operator, its service on.
    pub fn with_operator() -> Self {
        Self::of(vec![OperatorPackage::current()], options())
    }

    /// With the operator, its service off.
    pub fn service_off() -> Self {
        let off = OperatorPackage { enabled: false, ..OperatorPackage::current() };
        Self::of(vec![off], options())
    }

    /// Without the operator.
    pub fn bare() -> Self {
        Self::of(Vec::new(), options())
    }

    /// With the operator, and a screen that is wider than high.
    pub fn turned() -> Self {
        let metrics = Metrics { width: 2400, height: 1080, dpi: 420 };
        Self::of(vec![OperatorPackage::current()], Options { metrics, ..options() })
    }

    pub fn of(operators: Vec<OperatorPackage>, options: Options) -> Self {
        let phone = EmbeddedPhone::boot(options, operators).unwrap();
        Self {
            system: Arc::clone(phone.system()),
            phone,
            heard: Mutex::default(),
            instead: Mutex::default(),
            stop: Stop::default(),
        }
    }

    /// Shows a screen of an app.
    pub fn show(&self, package: &str, screen: &str) -> &Self {
        self.system.device.launch_screen(package, screen);
        assert_eq!(self.front(), package);
        self
    }

    pub fn front(&self) -> String {
        self.system.device.focus().map(|focus| focus.package).unwrap_or_default()
    }

    pub fn route(&self) -> Route<'_> {
        Route {
            device: self,
            package: RELEASE_PACKAGE,
            host_version: env!("CARGO_PKG_VERSION"),
            link: None,
            evidence: None,
            stop: &self.stop,
        }
    }

    /// Does an action, read as a model would have sent it.
    pub fn perform(&self, action: &Value, screen: Option<&ScreenSnapshot>) -> Done {
        let read = normalise(action);
        let route = self.route();
        let hand = clawperator_pocket::device::Hand::new(&route);
        hand.perform(&read.action, &read.notes, screen).expect("an action of the phone")
    }

    /// From now on lines with this in them are answered like this.
    pub fn answer(&self, part: &'static str, text: &str, code: u8) {
        let output = Output { stdout: text.into(), stderr: Vec::new(), code };
        self.instead.lock().unwrap().push((part, output));
    }

    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// Was its shell told a line with this in it?
    pub fn was_told(&self, part: &str) -> bool {
        self.heard().iter().any(|line| line.contains(part))
    }
}

pub fn options() -> Options {
    Options { latency: Latency::default(), lock: Lock::Swipe, ..Options::real().unwrap() }
}

impl Device for Phone {
    fn serial(&self) -> &str {
        self.phone.serial()
    }

    fn shell(&self, line: &str, within: Duration) -> Result<Output, Failure> {
        self.shell_with_input(line, &mut empty(), within)
    }

    fn shell_with_input(
        &self,
        line: &str,
        input: &mut (dyn Read + Send),
        within: Duration,
    ) -> Result<Output, Failure> {
        self.heard.lock().unwrap().push(line.to_owned());
        let instead = self.instead.lock().unwrap();
        if let Some((_, output)) = instead.iter().find(|(part, _)| line.contains(part)) {
            return Ok(output.clone());
        }
        drop(instead);
        self.phone.shell_with_input(line, input, within)
    }

    fn follow(&self, line: &str, within: Duration) -> Result<Reader, Failure> {
        self.phone.follow(line, within)
    }

    fn connect(&self, socket: &str, within: Duration) -> Result<(Reader, Writer), Unreachable> {
        self.phone.connect(socket, within)
    }

    fn pull(&self, path: &str, into: &mut dyn Write, within: Duration) -> Result<u64, Failure> {
        self.phone.pull(path, into, within)
    }

    fn recover(&self, within: Duration) -> Result<(), Failure> {
        self.phone.recover(within)
    }
}
