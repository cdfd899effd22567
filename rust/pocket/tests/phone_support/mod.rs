//! A simulated phone as the host sees it, without adb between them.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::device::{Device, Output, Reader, Unreachable, Writer};
use clawperator_host::dispatch::{Route, Stop};
use clawperator_link::socket::serve;
use clawperator_link::station::Station;
use clawperator_pocket::normalise;
use clawperator_pocket::outcome::Done;
use clawperator_pocket::snapshot::ScreenSnapshot;
use clawperator_simphone::device::{Latency, Lock, Metrics, Options};
use clawperator_simphone::shell::{self, Io};
use clawperator_simphone::system::{Identity, OperatorPackage, RELEASE_PACKAGE, System};
use serde_json::Value;
use std::io::{Read, Write, empty};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A phone that answers at once and remembers what its shell was told.
pub struct Phone {
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
        let system = System::boot(options, &Identity::default(), operators).unwrap();
        Self { system, heard: Mutex::default(), instead: Mutex::default(), stop: Stop::default() }
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

impl Drop for Phone {
    fn drop(&mut self) {
        self.system.shut_down();
    }
}

impl Device for Phone {
    fn serial(&self) -> &'static str {
        "sim"
    }

    fn shell(&self, line: &str, within: Duration) -> Result<Output, Failure> {
        self.shell_with_input(line, &mut empty(), within)
    }

    fn shell_with_input(
        &self,
        line: &str,
        mut input: &mut (dyn Read + Send),
        _within: Duration,
    ) -> Result<Output, Failure> {
        self.heard.lock().unwrap().push(line.to_owned());
        let instead = self.instead.lock().unwrap();
        if let Some((_, output)) = instead.iter().find(|(part, _)| line.contains(part)) {
            return Ok(output.clone());
        }
        drop(instead);
        let mut output = Output::default();
        let (out, err) = (&mut output.stdout, &mut output.stderr);
        let mut io = Io { input: &mut input, out, err, live: false };
        output.code = shell::run(&self.system, line, &mut io);
        Ok(output)
    }

    fn follow(&self, line: &str, _within: Duration) -> Result<Reader, Failure> {
        Err(Failure::new(ErrorCode::NotImplemented, line))
    }

    fn connect(&self, socket: &str, _within: Duration) -> Result<(Reader, Writer), Unreachable> {
        if !self.system.service_enabled(socket) {
            return Err(Unreachable::NobodyListens);
        }
        let operator = self.system.operator(socket).ok_or(Unreachable::NobodyListens)?;
        let operator: Arc<dyn Station> = operator;
        let (host, phone) = UnixStream::pair().unwrap();
        let phone_writer = phone.try_clone().unwrap();
        std::thread::spawn(move || serve(phone, phone_writer, &operator));
        let writer = host.try_clone().unwrap();
        Ok((Box::new(host), Box::new(writer)))
    }

    fn pull(&self, path: &str, _into: &mut dyn Write, _within: Duration) -> Result<u64, Failure> {
        Err(Failure::new(ErrorCode::NotImplemented, path))
    }

    fn recover(&self, _within: Duration) -> Result<(), Failure> {
        Ok(())
    }
}
