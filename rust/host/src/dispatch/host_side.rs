//! What the host does while an execution runs: listens, and does what only it can.

use super::{Route, Stop, Watcher};
use crate::device::Device;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::{StepData, StepResult};
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_link::broadcast::shell_quoted;
use clawperator_link::socket::Caller;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A command of the phone's shell that does one small thing.
const COMMAND: Duration = Duration::from_secs(10);
/// A picture of a large screen over a slow cable.
const PICTURE: Duration = Duration::from_secs(20);

/// Keeps what the phone reports, until the envelope is there to put it into.
pub(super) struct HostSide<'a> {
    device: &'a dyn Device,
    watcher: &'a mut dyn Watcher,
    stop: &'a Stop,
    steps: BTreeMap<usize, StepResult>,
    /// Pictures by the number of their step.
    pub(super) pictures: BTreeMap<usize, Vec<u8>>,
    /// Packages that were closed before the execution was sent.
    pub(super) closed: BTreeSet<String>,
}

impl<'a> HostSide<'a> {
    pub(super) fn new(route: &Route<'a>, watcher: &'a mut dyn Watcher) -> Self {
        Self {
            device: route.device,
            watcher,
            stop: route.stop,
            steps: BTreeMap::new(),
            pictures: BTreeMap::new(),
            closed: BTreeSet::new(),
        }
    }

    pub(super) fn watcher(&mut self) -> &mut dyn Watcher {
        self.watcher
    }

    /// The steps that were reported, in order.
    pub(super) fn steps(&self) -> Vec<&StepResult> {
        self.steps.values().collect()
    }

    /// Force-stops a package.
    pub(super) fn close(&self, package: &str) -> Result<(), String> {
        self.command(&["am", "force-stop", package])
    }

    /// Takes a picture over adb.
    pub(super) fn picture(&self) -> Result<Vec<u8>, String> {
        let output =
            self.device.shell("screencap -p", PICTURE).map_err(|failure| failure.message)?;
        if output.ok() && output.stdout.starts_with(b"\x89PNG") {
            Ok(output.stdout)
        } else {
            Err(format!("screencap ended with {}: {}", output.code, complaint(&output.stderr)))
        }
    }

    fn command(&self, words: &[&str]) -> Result<(), String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let line = shell_quoted(&words);
        let output = self.device.shell(&line, COMMAND).map_err(|failure| failure.message)?;
        if output.ok() {
            Ok(())
        } else {
            Err(format!("`{line}` ended with {}: {}", output.code, output.said()))
        }
    }
}

fn complaint(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    if text.trim().is_empty() { "no picture came".into() } else { text.trim().to_owned() }
}

impl Caller for HostSide<'_> {
    fn wants_to_stop(&self) -> bool {
        self.stop.is_asked()
    }

    fn step_ended(&mut self, index: usize, result: &StepResult, picture: Option<Vec<u8>>) {
        self.pictures.extend(picture.map(|png| (index, png)));
        self.watcher.step_ended(index, result);
        self.steps.insert(index, result.clone());
    }

    fn host_call(&mut self, call: HostCall) -> HostAnswer {
        let done = match call {
            HostCall::CloseApp { application_id } => self
                .close(&application_id)
                .map(|()| StepData::from([("application_id".to_owned(), application_id)])),
            HostCall::Screenshot => self.picture().map(|png| {
                // Steps run one by one: it is the turn of the one after the last that ended.
                let index = self.steps.keys().next_back().map_or(0, |last| last + 1);
                self.pictures.insert(index, png);
                StepData::from([("format".to_owned(), "png".to_owned())])
            }),
            HostCall::KeyEvent { code } => {
                self.command(&["input", "keyevent", &code.to_string()]).map(|()| StepData::new())
            }
        };
        match done {
            Ok(data) => HostAnswer::Done { data },
            Err(message) => {
                HostAnswer::Failed { code: ErrorCode::ActionFailed.name().into(), message }
            }
        }
    }
}
